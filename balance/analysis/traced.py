"""What traced games show: rows read by SQL from every cell, ratios of their columns, effects on the win share.

The options of a game are read here too: how many seats use each at least once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, traced_cells
from balance.analysis.holdout import WHOLE
from balance.analysis.question import interval_columns, intervals_of, moments, scale, sort_rows
from balance.contract.analytics import OptionSet, literal
from balance.contract.game import Game, options_of
from balance.experiments.plan import Cell
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.folder import RunFolder
from balance.stats.intervals import Interval, ratio_interval, share_interval
from balance.stats.regression import within_effects

CELL = ["players", "variant"]
EFFECT = ("half", "value", "low", "high", "n", "clusters", "error")
"""Columns of `effects_in_halves`."""
_TRACED = 300  # games, as advice
LEAST_ROWS = 20
"""Fewest rows from which a share is estimated."""
LEAST_CAUSES = 30
"""Fewest rows with a cause from which its effect is estimated."""


def read_traced(
    run: RunFolder, variants: Sequence[str], read: Callable[[Cell, duckdb.DuckDBPyConnection, str], pd.DataFrame]
) -> pd.DataFrame | None:
    """Return the rows that `read` finds in each cell of these variants; None if too few traced games ended.

    `read` takes the cell, a connection with a view for each table, and an SQL condition on ``game_id`` for the games
    to read. Its rows get the columns ``players`` and ``variant``.
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        ended = f"SELECT count(*) FROM games WHERE status <> 'truncated' AND {games}"
        if connection.execute(ended).fetchall()[0][0] >= LEAST_GAMES:
            rows = read(cell, connection, games)
            parts.append(rows.assign(players=cell.players, variant=cell.variant.name))
    return pd.concat(parts, ignore_index=True) if parts else None


def ratios(rows: pd.DataFrame, by: Sequence[str], part: str, whole: str = "", is_share: bool = False) -> pd.DataFrame:
    """Return the sum of a column divided by the sum of another, or by the number of rows, in every group.

    Parameters
    ----------
    by : sequence of str
        Columns of a group, next to ``players`` and ``variant``.
    part, whole : str
        Columns; "" to count rows.
    is_share : bool
        Whether the ratio is a share; it is then in percent.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high``, ``n`` (sum of `whole`, or rows).
        Intervals are clustered by deal. Groups are in the order of the rows.
    """
    keys, found = [*CELL, *by], []
    for key, group in rows.groupby(keys, sort=False):
        deals = group.groupby("deal_seed")
        totals = deals[whole].sum() if whole else deals.size()
        each = ratio_interval(deals[part].sum().to_numpy(float), totals.to_numpy(float))
        each = scale(share_interval(each), 100) if is_share else each
        found.append((*key, float(each.value), float(each.low), float(each.high), int(each.n)))
    return pd.DataFrame(found, columns=[*keys, "value", "low", "high", "n"])


def shares(rows: pd.DataFrame, by: Sequence[str], happened: str) -> pd.DataFrame:
    """Return in how many rows of each group, in percent, something happened (a column of 0 and 1).

    Returns
    -------
    DataFrame
        As of `ratios`, without groups of fewer than `LEAST_ROWS` rows; by variant in the order of the rows, by players,
        then by the columns `by`.
    """
    size = rows.groupby([*CELL, *by])["deal_seed"].transform("size")
    table = ratios(rows[size >= LEAST_ROWS], by, happened, is_share=True)
    return sort_rows(table, ["variant", "players", *by], rows["variant"])


def effects_in_halves(data: pd.DataFrame, cause: str, same: Sequence[str]) -> Iterator[dict[str, object]]:
    """Yield the effect of a cause on the win share, on all deals and on each half of them, as rows of `EFFECT`.

    Parameters
    ----------
    data : DataFrame
        ``win_share`` (percent), ``deal_seed``, `cause` (a number; 0 where it is absent) and the columns `same`.
    same : sequence of str
        Only rows with equal values of these columns are compared.

    ``n`` counts the rows that have the cause; there is no effect if ``n`` is below `LEAST_CAUSES`.
    """
    data = data[["win_share", "deal_seed", cause, *same]]  # a half is a copy
    odd = (data["deal_seed"] % 2).to_numpy()
    for half in (WHOLE, 0, 1):
        part = data if half == WHOLE else data[odd == half]
        n = int((part[cause] > 0).sum())
        if n < LEAST_CAUSES:
            continue
        if found := within_effects(part, "win_share", [cause], list(same), "deal_seed"):
            yield {"half": half, **vars(found[cause]), "n": n}


def read_options(run: RunFolder) -> pd.DataFrame | None:
    """Return how many seats use each option of the game at least once in a traced game.

    Returns
    -------
    DataFrame or None
        ``players``, ``variant``, ``set`` and ``option`` (names on pages), ``value``, ``low``, ``high`` in percent of
        seats, ``n``, ``clusters``, ``error``. None if the game lists no options or too few games were traced.
    """
    sets = options_of(run.plan.game)
    if not sets or (found := _read_all_uses(run, sets)) is None:
        return None
    return name_options(run.plan.game, found).drop(columns="deals")


def name_options(game: Game, found: pd.DataFrame) -> pd.DataFrame:
    """Return rows about options with their names on pages, instead of the trace's words."""
    names = {(each.name, option): name for each in options_of(game) for option, name in each.options.items()}
    return found.assign(option=[names[key] for key in zip(found["set"], found["option"], strict=True)])


def option_means(run: RunFolder) -> pd.DataFrame:
    """Return the answer of traced games to `balance.analysis.target_checks.target_question` about their options.

    Its column ``option`` has the words of the trace. Its clusters are the deals: where all are alike, its intervals are
    wider than those of `read_options`.
    """
    found = _read_all_uses(run, options_of(run.plan.game))
    if found is None:
        raise BalanceError(
            tr(
                "{run}: nothing is known of measure 'option_use', because too few games were traced; play it with "
                "--trace {games}",
                run=run.path, games=_TRACED,
            )
        )  # fmt: skip
    return found.assign(clusters=found["deals"]).drop(columns=["set", "deals"])


def _read_all_uses(run: RunFolder, sets: Sequence[OptionSet]) -> pd.DataFrame | None:
    """Return the columns of `read_options`, with the options' words of the trace."""

    def read(_: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
        return read_uses(sets, connection, games, [f"({used_sql(each, games)})" for each in sets])

    return read_traced(run, [variant.name for variant in run.plan.variants], read)


def read_uses(
    sets: Sequence[OptionSet], connection: duckdb.DuckDBPyConnection, games: str, used: Sequence[str]
) -> pd.DataFrame:
    """Return how many seats use each option in the games of a cell.

    Parameters
    ----------
    connection : DuckDBPyConnection
        With the tables ``games`` and ``seats``.
    games : str
        An SQL condition on ``game_id`` for the games to read.
    used : sequence of str
        SQL for the uses of each option set, see `used_sql`.

    Returns
    -------
    DataFrame
        ``option`` (the trace's word), ``set``, ``deals``, and an estimate in percent of seats.
    """
    parts = []
    for each, uses in zip(sets, used, strict=True):
        sums = connection.execute(_uses_sql(each, uses, games)).df()
        order = sums["option"].map(list(each.options).index)
        sums = sums.iloc[order.argsort()].reset_index(drop=True)
        found = interval_columns(_use_shares(sums))
        deals = intervals_of(sums, "used").clusters.astype(int)
        parts.append(sums[["option"]].assign(set=each.name, deals=deals, **found))
    return pd.concat(parts, ignore_index=True)


def _use_shares(sums: pd.DataFrame) -> Interval:
    """Return shares in percent.

    Where all deals are alike, such as for an option that no seat uses, the effective number of seats is that of the
    other options (by their median design effect), and not only the number of deals.
    """
    plain = scale(intervals_of(sums, "used"), 0.01)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = plain.n * plain.error**2 / (plain.value * (1 - plain.value))
    alike = plain.error == 0
    usual = max(1.0, float(np.median(effect[~alike]))) if not alike.all() else np.inf
    clusters = np.where(alike, np.maximum(plain.clusters, plain.n / usual), plain.clusters)
    return scale(share_interval(replace(plain, clusters=clusters)), 100)


def used_sql(options: OptionSet, games: str = "true") -> str:
    """Return SQL for the seats that use an option at least once: ``game_id``, ``seat``, ``option``."""
    return f"""
        SELECT DISTINCT game_id, seat, {options.column} AS "option" FROM trace WHERE ({options.where}) AND {games}
    """


def _uses_sql(options: OptionSet, used: str, games: str) -> str:
    """Return SQL for sums over deals of the seats that use each option; `games` selects the games."""
    names = ", ".join(map(literal, options.options))
    return f"""
        WITH seated AS (
            SELECT game_id, seat, deal_seed FROM seats JOIN games USING (game_id)
            WHERE status <> 'truncated' AND {games}
        ), decks AS (
            SELECT o."option", deal_seed, count(*)::DOUBLE AS "used.count",
                   100 * count(used."option")::DOUBLE AS "used.total"
            FROM seated CROSS JOIN (SELECT unnest([{names}]) AS "option") o
            LEFT JOIN {used} used USING (game_id, seat, "option") GROUP BY ALL
        )
        SELECT "option", {moments("used")} FROM decks GROUP BY ALL
    """
