"""Luck and skill: what changes if one source of chance is drawn again, and what explains the variance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.holdout import TENTHS, estimate_on_holdout
from balance.analysis.question import Question
from balance.contract.records import PLAYERS
from balance.experiments.plan import Plan, Tier
from balance.foundation.language import N_
from balance.stats.comparisons import judge, p_value
from balance.stats.intervals import NO_SPREAD, Interval, ratio_interval
from balance.stats.variance import (
    DealSums,
    add_up,
    jackknife,
    total_effect,
    variance_shares,
    variance_sources,
    win_rate_span,
)

LEAST_DECKS = 20  # with fewer deals there is no result
_CELL = ["players", "variant"]
_GROUP = [*_CELL, "source"]
WINS = N_("wins")
EFFECTS = (WINS, N_("score differences"))
"""Outcomes on which each source has an effect."""


def luck_tier(plan: Plan) -> Tier | None:
    """Return the tier whose luck is shown: the last listed one with `luck`, by custom the strongest; None without."""
    return next((tier for tier in reversed(plan.tiers) if tier.luck), None)


@dataclass(frozen=True)
class Luck(Question):
    """Sums over the replayed games of a deal, by source and seat.

    The answer has a row for each deal; it stays small, because only a few games of a run are replayed.
    """

    keys = ("players", "variant", "source", "deal_seed", "seat")
    needs_luck = True

    @property
    def sql(self) -> str:
        game = "OVER (PARTITION BY game_id, source)"
        return f"""
            WITH r AS (
                SELECT *, win_share::DOUBLE AS w, other_win_share::DOUBLE AS v,
                       score - avg(score) {game} AS x, other_score - avg(other_score) {game} AS u
                FROM luck_rows
            )
            SELECT players, variant, source, deal_seed, seat, count(*)::DOUBLE AS n,
                   sum(w) AS w, sum(v) AS v,
                   sum(w * w) AS ww, sum((w - v) * (w - v)) AS dw,
                   sum(x) AS x, sum(x * x) AS xx, sum((x - u) * (x - u)) AS dx
            FROM r GROUP BY ALL
        """


def read_luck(sums: pd.DataFrame) -> pd.DataFrame:
    """Return what every source of chance decides, in every cell.

    `sums` is the answer to `Luck`.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``source``, ``outcome`` (`EFFECTS`), ``value``, ``low``, ``high``, ``n`` (replayed
        games), ``decks``. A value is 0 if drawing the source again changes nothing, and 100 if it changes as much as
        another, independent game of the cell (`stats.variance.total_effect`). Cells with fewer than `LEAST_DECKS`
        deals, and outcomes that never vary, are left out.
    """
    rows = []
    for key, by_seat in _cells(sums, _GROUP):
        games = int(by_seat["n"][:, 0].sum())
        for outcome, (y, change) in zip(EFFECTS, (("w", "dw"), ("x", "dx")), strict=True):
            spread = _spread(by_seat, y)
            if spread.sum() > NO_SPREAD * by_seat["n"].sum():
                found = total_effect(by_seat[change].sum(axis=1), spread, games)
                percent = (100 * each for each in (found.value, found.low, found.high))
                rows.append((*key, outcome, *percent, found.n, found.clusters))
    columns = ["players", "variant", "source", "outcome", "value", "low", "high", "n", "decks"]
    return pd.DataFrame(rows, columns=columns)


def _cells(sums: pd.DataFrame, by: list[str]) -> Iterator[tuple[tuple[int | str, ...], dict[str, np.ndarray]]]:
    """Yield the sums of every group with enough deals as arrays (deals, players), by name."""
    names = [name for name in sums.columns if name not in (*_GROUP, "deal_seed", "seat")]
    for key, cell in sums.groupby(by, sort=False):
        shape = cell["deal_seed"].nunique(), cell["seat"].nunique()
        if shape[0] >= LEAST_DECKS:  # every deal has a row for every seat
            cell = cell.sort_values(["deal_seed", "seat"])
            yield key, {name: cell[name].to_numpy().reshape(shape) for name in names}


def _spread(by_seat: dict[str, np.ndarray], y: str) -> np.ndarray:
    """Return for each deal the sum of squared distances of an outcome from the seat's mean."""
    n = by_seat["n"]
    mean = by_seat[y].sum(axis=0) / n.sum(axis=0)
    found: np.ndarray = (by_seat[2 * y] - 2 * mean * by_seat[y] + n * mean**2).sum(axis=1)
    return found


def largest_source(sums: pd.DataFrame, families: int) -> pd.DataFrame:
    """Return the source of chance that decides most wins, for the cells where this is shown.

    It is chosen on one half of the deals (by the last bit of their seeds). On the held-out half it must be shown to
    decide more than each of the other sources, on the same games: the largest p-value of these comparisons is that of
    the cell (Berger 1982), and the cells are corrected together. Who sits where is not chance and is left out.

    Returns
    -------
    DataFrame
        The rows of `read_luck` on the held-out half, with ``chosen_value`` (see
        `analysis.holdout.estimate_on_holdout`).
    """
    drawn = sums[sums["source"] != PLAYERS]
    halves = [drawn[drawn["deal_seed"] % 2 == half] for half in (0, 1)]
    found = [read_luck(part).assign(half=half) for half, part in enumerate(halves)]
    wins = pd.concat(found, ignore_index=True).query("outcome == @WINS")
    best = estimate_on_holdout(wins.assign(size=wins["value"]), _CELL, ["source"])
    leads = [_least_lead(halves[1], row.players, row.variant, row.source) for row in best.itertuples()]
    if not leads:
        return best
    lead = Interval(*(np.array(column) for column in zip(*(vars(each).values() for each in leads), strict=True)))
    words = judge(lead, p_value(lead), families=families).words
    return best[[word == "higher" for word in words]].reset_index(drop=True)


def _least_lead(sums: pd.DataFrame, players: int, variant: str, source: str) -> Interval:
    """Return how much more a source decides than another one of the cell: the one from which it differs least surely.

    Only deals on which all sources have the same games count.
    """
    cell = sums[(sums["players"] == players) & (sums["variant"] == variant)]
    games = cell.groupby("deal_seed")["n"].agg(["size", "nunique"])
    whole = games.index[(games["size"] == games["size"].max()) & (games["nunique"] == 1)]
    by_source = {key[-1]: found for key, found in _cells(cell[cell["deal_seed"].isin(whole)], _GROUP)}
    own = by_source.pop(source, {})
    leads = [
        ratio_interval((own["dw"] - other["dw"]).sum(axis=1) / 2, _spread(own, "w")) for other in by_source.values()
    ]
    nothing = Interval(0.0, 0.0, 0.0, 0, 0, 0.0)
    return min(leads, key=lambda lead: np.sign(lead.value) * (1 - p_value(lead)), default=nothing)


def read_spans(sums: pd.DataFrame) -> pd.DataFrame:
    """Return how far a seat's chance to win varies from deal to deal, in every cell.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``value``, ``low``, ``high`` (standard deviation in percentage points),
        ``lowest``, ``highest`` (percent, the range of nine deals in ten), ``n``, ``decks``; see
        `stats.variance.win_rate_span`. Empty if there is only one line-up.
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


OUTCOMES = {"wins": "win_share", "score differences": "difference"}
"""The outcomes explained, with their columns; each has the same sum in every game."""
COLUMNS = ["players", "variant", "outcome", "source", "value", "low", "high", "n", "decks"]


@dataclass(frozen=True)
class Variance(Question):
    """Sums of outcomes by line-up, strategy and seat, in ten groups of deals that were played in all rotations."""

    keys = ("players", "variant", "outcome", "tenth", "lineup", "strategy", "seat")

    @property
    def sql(self) -> str:
        deck, group = "players, variant, deal_seed", "players, variant, tenth, field"
        columns = OUTCOMES.values()
        both = ", ".join(f"sum({y}) AS {y}_y, sum({y} * {y}) AS {y}_yy" for y in columns)
        means, squares = (
            ", ".join(text.format(y=y) for y in columns) for text in ("avg({y}) AS {y}", "sum({y} * {y}) AS {y}_yy")
        )
        parts = [
            f"SELECT players, variant, '{name}' AS outcome, tenth, field AS lineup, strategy, seat, {sums} FROM {table}"
            for name, y in OUTCOMES.items()
            for table, sums in (
                ("by_both", f"n, {y}_y AS y, {y}_yy AS yy"),
                ("by_strategy", f"0, 0, {y}_yy"),
                ("by_seat", f"0, 0, {y}_yy"),
            )
        ]
        return f"""
            WITH decks AS (
                SELECT {deck} FROM seat_rows GROUP BY ALL HAVING count(*) = any_value(players) ** 2
            ), games AS (
                SELECT game_id, avg(score) AS mean FROM seat_rows GROUP BY ALL
            ), r AS MATERIALIZED (
                SELECT {group}, deal_seed, strategy, seat, win_share, score - mean AS difference
                FROM seat_rows JOIN decks USING ({deck}) JOIN games USING (game_id)
            ), by_both AS (
                SELECT {group}, strategy, seat, count(*)::DOUBLE AS n, {both} FROM r GROUP BY ALL
            ), by_strategy AS (
                SELECT {group}, strategy, -1 AS seat, {squares}
                FROM (SELECT {group}, deal_seed, strategy, {means} FROM r GROUP BY ALL) GROUP BY ALL
            ), by_seat AS (
                SELECT {group}, '' AS strategy, seat, {squares}
                FROM (SELECT {group}, deal_seed, seat, {means} FROM r GROUP BY ALL) GROUP BY ALL
            )
            {" UNION ALL ".join(parts)}
        """


def variance_applies(plan: Plan) -> bool:
    """Return whether, on every deal, each of its strategies plays each seat once."""
    lineups = plan.tier.lineups
    sizes = Counter(map(len, lineups))
    different = all(len(set(line)) == len(line) for line in lineups)
    enough = bool(lineups) or len(plan.tier.strategies) >= max(plan.experiment.players)
    return plan.experiment.rotate and different and enough and max(sizes.values(), default=1) == 1


def read_variance(sums: pd.DataFrame) -> pd.DataFrame:
    """Return the shares of the variance by source, for every cell and outcome.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``outcome`` (`OUTCOMES`), ``source`` (`stats.variance.variance_sources`),
        ``value``, ``low``, ``high`` in percent, ``n`` (scores), ``decks``. Cells with too few deals, or
        without variance, are left out.
    """
    rows = []
    sums = _with_places(sums)
    for (players, variant, outcome), cell in sums.groupby(["players", "variant", "outcome"], sort=False):
        lines, _ = pd.factorize(cell["lineup"], sort=True)
        cell, count = cell.assign(line=lines), lines.max() + 1
        groups = [_deal_sums(part, count, int(players)) for _, part in cell.groupby("tenth")]
        whole = add_up(groups)
        few = len(groups) < TENTHS or whole.deals.sum() < 2 * TENTHS or not (whole.deals > 2).any()
        if few or np.isnan(variance_shares(whole)).any():
            continue
        found = jackknife(groups, variance_shares)
        for source, each in zip(variance_sources(int(players)), found, strict=True):
            percent = (100 * each.value, 100 * each.low, 100 * each.high)
            rows.append((players, variant, outcome, source, *percent, each.n, each.clusters))
    return pd.DataFrame(rows, columns=COLUMNS)


def _with_places(sums: pd.DataFrame) -> pd.DataFrame:
    """Add ``place``, the position of the strategy in its line-up; -1 for none."""
    pairs = sums[["lineup", "strategy"]].drop_duplicates()
    lines = [(row.lineup.split(","), row.strategy) for row in pairs.itertuples()]
    pairs["place"] = [line.index(name) if name in line else -1 for line, name in lines]
    return sums.merge(pairs, how="left")


def _deal_sums(part: pd.DataFrame, count: int, p: int) -> DealSums:
    """Return the rows of one group as arrays by line-up, of which there are `count`, strategy and seat (p)."""
    line, strategy, seat, yy = (part[name].to_numpy() for name in ("line", "place", "seat", "yy"))
    sums = DealSums(
        np.zeros(count), np.zeros((count, p, p)), np.zeros((count, p, p)), np.zeros((count, p)), np.zeros((count, p))
    )
    full, by_strategy, by_seat = (strategy >= 0) & (seat >= 0), seat < 0, strategy < 0
    sums.y[line[full], strategy[full], seat[full]] = part["y"].to_numpy()[full]
    sums.yy[line[full], strategy[full], seat[full]] = yy[full]
    sums.deals[line[full]] = part["n"].to_numpy()[full]  # on a deal, each strategy plays each seat once
    sums.strategy[line[by_strategy], strategy[by_strategy]] = yy[by_strategy]
    sums.seat[line[by_seat], seat[by_seat]] = yy[by_seat]
    return sums
