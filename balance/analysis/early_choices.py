"""First moves and other early choices, and their association with winning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, in_plan_order, traced_cells
from balance.analysis.holdout import WHOLE, estimate_on_holdout, is_significant
from balance.analysis.question import column, interval_of_frame
from balance.contract.analytics import Choice
from balance.experiments.plan import Cell
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.stats.comparisons import judge, p_value
from balance.stats.intervals import Moments, cluster_interval, share_interval
from balance.stats.regression import within_effects

GAMES = 20_000  # of a cell; this question needs its rows in memory
COLUMNS = (
    "players", "variant", "choice", "outcome", "half", "value", "low", "high", "p", "n", "clusters", "error", "games",
)  # fmt: skip


def choice_effects(
    run: RunFolder, choices: Sequence[Choice], variant: str, families: int = 1, games: int = GAMES
) -> pd.DataFrame:
    """Return the association of one more of each early choice with win share and score.

    The comparison is between games of the same strategy in the same seat, on any deal. One model has all choices;
    errors are clustered on the deal. These are associations, not effects: what made a bot choose may also have made
    it win.

    Parameters
    ----------
    families : int
        The number of families of verdicts on the page, see `balance.stats.comparisons.judge`.
    games : int
        The number of games read from each cell, from the first.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``choice``, ``outcome``, ``half`` (0 or 1 of the deals, or `WHOLE`), ``value``,
        ``low``, ``high`` (points of win share, or of score), ``p`` (corrected over the rows of all deals, NaN
        for halves), ``n``, ``clusters`` (deals), ``error``, ``games``.
    """
    rows: list[dict[str, object]] = []
    cells = [cell for cell in run.plan.tier_cells if cell.variant.name == variant]
    with connect(run.path, run.bond, cells={cell.number for cell in cells}) as connection:
        for cell in cells:
            data = _rows_of(connection, cell, choices, min(games, cell.tier.most_games))
            rows += [{"players": cell.players, "variant": variant, **row} for row in _cell_effects(data, choices)]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    whole = table["half"] == WHOLE
    effects = interval_of_frame(table[whole])
    table.loc[whole, "p"] = judge(effects, p_value(effects), families=families).p
    return in_plan_order(run.plan, table, ["players", "half"])


def _rows_of(connection: duckdb.DuckDBPyConnection, cell: Cell, choices: Sequence[Choice], games: int) -> pd.DataFrame:
    """Return a row for each seat of a cell's first games, with its choices."""
    values = ", ".join(f"{choice.value} AS {column(choice.name)}" for choice in choices)
    data = connection.execute(
        f"""
        SELECT game_id, seat, any_value(s.strategy) AS strategy, any_value(g.deal_seed) AS deal_seed,
               100 * any_value(s.win_share) AS win_share, any_value(s.score) AS score, {values}
        FROM rounds r JOIN seats s USING (game_id, seat) JOIN games g USING (game_id)
        WHERE g.status <> 'truncated' AND game_id BETWEEN {cell.first_id} AND {cell.first_id + games - 1}
        GROUP BY game_id, seat ORDER BY game_id, seat
        """
    ).df()
    return data.dropna(subset=[choice.name for choice in choices])


def _cell_effects(data: pd.DataFrame, choices: Sequence[Choice]) -> Iterator[dict[str, object]]:
    names = [choice.name for choice in choices]
    for half, part in _halves(data):
        games = int(part["game_id"].nunique())
        for outcome in ("win_share", "score"):
            effects = within_effects(part, outcome, names, ["strategy", "seat"], "deal_seed")
            for choice in choices:
                if choice.name in effects:
                    row = {"choice": choice.label, "outcome": outcome, "half": half, "games": games}
                    yield {**row, **vars(effects[choice.name])}


def _halves(data: pd.DataFrame) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield the rows of all deals (`WHOLE`), then those of each half."""
    yield WHOLE, data
    for half in (0, 1):
        yield half, data[data["deal_seed"] % 2 == half]


def remeasure_strongest(effects: pd.DataFrame) -> pd.DataFrame:
    """Return the choice with the largest association with winning, chosen on half of the deals, held out on the other.

    A row for each player count, as of `choice_effects`, among the choices that are shown to differ from 0 on the first
    half.
    """
    shares = effects[effects["outcome"] == "win_share"].reset_index(drop=True)
    size = shares["value"].abs().where(is_significant(shares))
    return estimate_on_holdout(shares.assign(size=size), ["players"], ["choice"])


RARE = 1.0
"""Percent of the first decisions: a move chosen less often is hardly ever chosen."""
_JUDGED = 5.0  # percent, below which a move is too rare to be compared with the others


@dataclass(frozen=True)
class Openings:
    """First decisions of a cell."""

    cell: Cell
    # A row for each game and seat: ``game_id``, ``seat``, ``strategy``, ``deal_seed``, ``label``, ``win_share``
    # (percent).
    data: pd.DataFrame

    @property
    def decks(self) -> list[int]:
        """Seeds of the deals that were played."""
        return [int(seed) for seed in self.data["deal_seed"].unique()]


def read_openings(run: RunFolder, variants: Sequence[str]) -> list[Openings]:
    """Return the first decisions in the traced games of these variants, without cells that have too few."""
    found = []
    for cell, connection, games in traced_cells(run, variants):
        data = connection.execute(
            f"""
            WITH firsts AS (
                SELECT game_id, seat, arg_min(label, step) AS label FROM trace
                WHERE seat >= 0 AND {games} GROUP BY ALL
            )
            SELECT game_id, seat, strategy, deal_seed, label, 100 * win_share AS win_share
            FROM firsts JOIN seats USING (game_id, seat) JOIN games USING (game_id)
            WHERE status <> 'truncated' ORDER BY game_id, seat
            """
        ).df()
        if data["game_id"].nunique() >= LEAST_GAMES:
            found.append(Openings(cell, data))
    return found


def shares_chosen(openings: Openings, offered: Sequence[str] = ()) -> pd.DataFrame:
    """Return how often each first move is chosen, including moves that are `offered` and never chosen.

    Returns
    -------
    DataFrame
        ``label``, ``value``, ``low``, ``high`` (percent of first decisions), ``n`` (decisions); the most chosen first.
    """
    data = openings.data
    labels = list(dict.fromkeys([*data["label"].value_counts().index, *offered]))
    counts = pd.crosstab(data["deal_seed"], data["label"]).reindex(columns=labels, fill_value=0)
    part, whole = counts.to_numpy(float), counts.sum(axis=1).to_numpy(float)
    sums = Moments(len(whole), whole.sum(), part.sum(axis=0), (part * part).sum(axis=0), whole @ part, whole @ whole)
    share = share_interval(cluster_interval(sums))
    columns = {name: 100 * getattr(share, name) for name in ("value", "low", "high")}
    return pd.DataFrame({"label": labels, **columns, "n": len(data)})


def move_effects(openings: Openings) -> pd.DataFrame:
    """Return the association of each common first move with win share, for the same strategy and seat.

    Each move is compared with all others.

    Returns
    -------
    DataFrame
        ``label``, ``half`` (0 or 1 of the deals, or `WHOLE`), ``value``, ``low``, ``high`` (points of win share),
        ``n``, ``clusters``, ``error``. A move without an estimate on one of the halves lacks that row.
    """
    data = openings.data
    often = 100 * data["label"].value_counts(normalize=True)
    common = often[(often >= _JUDGED) & (often <= 100 - _JUDGED)].index
    rows = []
    for label in common:
        for half, part in _halves(data.assign(chosen=(data["label"] == label).astype(float))):
            effects = within_effects(part, "win_share", ["chosen"], ["strategy", "seat"], "deal_seed")
            if effects:
                rows.append({"label": str(label), "half": half, **vars(effects["chosen"])})
    columns = ["label", "half", "value", "low", "high", "n", "clusters", "error"]
    return pd.DataFrame(rows, columns=columns)


def best_move(effects: pd.DataFrame) -> pd.DataFrame:
    """Return the move most associated with winning, chosen on half of the deals, held out on the other.

    One row as of `move_effects`; none if no move is shown to be better on both halves.
    """
    if effects.empty:
        return effects
    size = effects["value"].where(is_significant(effects) & (effects["value"] > 0))
    found = estimate_on_holdout(effects.assign(size=size, page=0), ["page"], ["label"])
    return found[np.asarray(found["low"] > 0, bool)]
