"""Luck by its source: what changes in games played again with one source of chance re-seeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.halves import remeasure
from balance.analysis.question import Question
from balance.contract.records import PLAYERS
from balance.stats.intervals import NO_SPREAD, Interval
from balance.stats.sensitivity import change_share, total_effect, win_rate_span

LEAST_DECKS = 20  # below which nothing is said
_GROUP = ["players", "variant", "source"]
WINNER = "winner changes"
EFFECTS = ("wins", "score differences")
"""Outcomes whose variance the total effects are shares of."""


@dataclass(frozen=True)
class Luck(Question):
    """Sums over the games of a deck that were played again, by source and seat.

    A row for each deck: it is for the games of a run that were played again, and they are few beside all.
    """

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "source", "deck_seed", "seat")

    @property
    def needs_luck(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        game = "OVER (PARTITION BY game_id, source)"
        return f"""
            WITH r AS (
                SELECT *, win_share::DOUBLE AS w, other_win_share::DOUBLE AS v,
                       score - avg(score) {game} AS x, other_score - avg(other_score) {game} AS u,
                       bool_or((rank = 1) <> (other_rank = 1)) {game} AS changed
                FROM luck_rows
            )
            SELECT players, variant, source, deck_seed, seat, count(*)::DOUBLE AS n,
                   sum(changed::INT)::DOUBLE AS changed, sum(w) AS w, sum(v) AS v,
                   sum(w * w) AS ww, sum((w - v) * (w - v)) AS dw,
                   sum(x) AS x, sum(x * x) AS xx, sum((x - u) * (x - u)) AS dx
            FROM r GROUP BY ALL
        """


def read_luck(sums: pd.DataFrame) -> pd.DataFrame:
    """What every source decides, in every cell.

    Parameters
    ----------
    sums : DataFrame
        Of `Luck`.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``source``, ``outcome``, ``value``, ``low``, ``high`` in percent, ``n``
        (games played again), ``decks``. The outcome `WINNER` says in how many games other seats win;
        `EFFECTS` are total effects (`stats.sensitivity.total_effect`). Cells with fewer than
        `LEAST_DECKS` decks, and outcomes that never vary, are left out.
    """
    rows = []
    for key, by_seat in _cells(sums, _GROUP):
        for outcome, found in _effects(by_seat).items():
            values = (100 * found.value, 100 * found.low, 100 * found.high, found.n, found.clusters)
            rows.append((*key, outcome, *values))
    columns = ["players", "variant", "source", "outcome", "value", "low", "high", "n", "decks"]
    return pd.DataFrame(rows, columns=columns)


def _cells(
    sums: pd.DataFrame, by: list[str]
) -> Iterator[tuple[tuple[int | str, ...], dict[str, np.ndarray]]]:
    """Of every group with enough decks the sums as arrays (decks, players), by their names."""
    names = [name for name in sums.columns if name not in (*_GROUP, "deck_seed", "seat")]
    for key, cell in sums.groupby(by, sort=False):
        shape = cell["deck_seed"].nunique(), cell["seat"].nunique()
        if shape[0] >= LEAST_DECKS:  # every deck has a row for every seat
            cell = cell.sort_values(["deck_seed", "seat"])
            yield key, {name: cell[name].to_numpy().reshape(shape) for name in names}


def _effects(by_seat: dict[str, np.ndarray]) -> dict[str, Interval]:
    n = by_seat["n"]
    games = n[:, 0]
    found = {WINNER: change_share(by_seat["changed"][:, 0], games)}
    for outcome, (y, yy, change) in zip(EFFECTS, (("w", "ww", "dw"), ("x", "xx", "dx")), strict=True):
        mean = by_seat[y].sum(axis=0) / n.sum(axis=0)
        spread = (by_seat[yy] - 2 * mean * by_seat[y] + n * mean**2).sum(axis=1)
        if spread.sum() > NO_SPREAD * n.sum():
            found[outcome] = total_effect(by_seat[change].sum(axis=1), spread, int(games.sum()))
    return found


def largest_source(sums: pd.DataFrame) -> pd.DataFrame:
    """The source of chance with which the winner changes most, see `analysis.halves.remeasure`.

    Chosen on one half of the decks, drawn by the last bit of their seeds, and measured on the other. Who
    sits where is no chance and is left out.
    """
    drawn = sums[sums["source"] != PLAYERS]
    lot = drawn["deck_seed"] % 2
    halves = [read_luck(drawn[lot == half]).assign(half=half) for half in (0, 1)]
    changes = pd.concat(halves, ignore_index=True).query("outcome == @WINNER")
    return remeasure(changes.assign(size=changes["value"]), ["players", "variant"], ["source"])


def read_spans(sums: pd.DataFrame) -> pd.DataFrame:
    """How far a seat's chance to win moves from deal to deal, in every cell.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``value``, ``low``, ``high`` (standard deviation in percentage points),
        ``lowest``, ``highest`` (percent, of nine deals in ten), ``n``, ``decks``; see
        `stats.sensitivity.win_rate_span`. Empty where there is one line-up only.
    """
    rows = []
    for key, by_seat in _cells(sums[sums["source"] == PLAYERS], ["players", "variant"]):
        n = by_seat["n"]
        span = win_rate_span(by_seat["w"] / n, by_seat["v"] / n, int(n[:, 0].sum()))
        found = span.deviation
        percent = (found.value, found.low, found.high, span.lowest, span.highest)
        rows.append((*key, *(100 * each for each in percent), found.n, found.clusters))
    columns = ["players", "variant", "value", "low", "high", "lowest", "highest", "n", "decks"]
    return pd.DataFrame(rows, columns=columns)
