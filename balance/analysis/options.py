"""Options of a game in its traced games: how many seats use each at least once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.question import interval_columns, intervals_of, literal, moments, scale
from balance.analysis.traced import read_traced
from balance.contract.analytics import OptionSet
from balance.contract.game import options_of
from balance.experiments.plan import Cell
from balance.runs.folder import RunFolder
from balance.stats.intervals import Interval, share_interval


def read_options(run: RunFolder) -> pd.DataFrame | None:
    """Return how many seats use each option of the game at least once in a traced game.

    Returns
    -------
    DataFrame or None
        ``players``, ``variant``, ``set`` and ``option`` (names on pages), ``value``, ``low``, ``high`` in percent of
        seats, ``n``, ``clusters``, ``error``. None if the game lists no options or too few games were traced.
    """
    sets = options_of(run.plan.game)
    variants = [variant.name for variant in run.plan.variants]
    return read_traced(run, variants, partial(_read_cell, sets)) if sets else None


def _read_cell(
    sets: Sequence[OptionSet], cell: Cell, connection: duckdb.DuckDBPyConnection, games: str
) -> pd.DataFrame:
    parts = []
    for each in sets:
        sums = connection.execute(_sql(each, games)).df()
        order = sums["option"].map(list(each.options).index)
        sums = sums.iloc[order.argsort()].reset_index(drop=True)
        found = interval_columns(_shares(sums))
        parts.append(
            sums[["option"]].replace({"option": dict(each.options)}).assign(set=each.name, **found)
        )
    return pd.concat(parts, ignore_index=True)


def _shares(sums: pd.DataFrame) -> Interval:
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


def _sql(options: OptionSet, games: str) -> str:
    """Return SQL for sums over deals of the seats that use each option; `games` selects the games."""
    names = ", ".join(map(literal, options.options))
    return f"""
        WITH seated AS (
            SELECT game_id, seat, deal_seed FROM seats JOIN games USING (game_id)
            WHERE status <> 'truncated' AND {games}
        ), used AS (
            SELECT DISTINCT game_id, seat, {options.column} AS "option" FROM trace WHERE ({options.where}) AND {games}
        ), decks AS (
            SELECT o."option", deal_seed, count(*)::DOUBLE AS "used.count",
                   100 * count(used."option")::DOUBLE AS "used.total"
            FROM seated CROSS JOIN (SELECT unnest([{names}]) AS "option") o
            LEFT JOIN used USING (game_id, seat, "option") GROUP BY ALL
        )
        SELECT "option", {moments("used")} FROM decks GROUP BY ALL
    """
