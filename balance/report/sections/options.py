"""Options: how many seats use each option of the game at least once, and options that nobody uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import (
    Question,
    interval_columns,
    intervals_of,
    literal,
    moments,
    scale,
)
from balance.analysis.traced import read_traced
from balance.analysis.verdicts import Verdict, rate_verdicts
from balance.contract.analytics import OptionSet, options_of
from balance.experiments.plan import Cell
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_headlines
from balance.report.model import Section
from balance.report.screen import GridQuestion
from balance.report.words import amount, smallest_n
from balance.stats.intervals import Interval, share_interval

ORDER = 92
GRID = GridQuestion(
    "options",
    "Options used",
    "options",
    "least used, % of seats",
    "Alive: enough seats use every option at least once. Dead: one is used by fewer. The number is the share of seats "
    "that use the rarest option, in traced games.",
)
_NAMED = 2  # options that a sentence lists
TEXT = (
    "A seat uses an option if it takes it at least once in a game. An option that nobody uses may be too weak, too "
    "dear or out of reach, or these strategies overlook it. From traced games."
)


def applies(context: ReportContext) -> bool:
    """Return whether the game lists its options."""
    return bool(options_of(context.plan.game))


def grid_questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: traced games are read apart."""
    return []


def verdicts(context: ReportContext, answers: Answers) -> Iterable[Verdict]:
    """Yield whether every option is used, in cells with enough traced games."""
    used = _read_used(context, [variant.name for variant in context.plan.variants])
    if used is None:
        return
    limit = context.thresholds.options
    for verdict in rate_verdicts(
        "options", used, "option", (limit, 100.0), context.families, ("alive", "dead")
    ):
        cell = used[(used["players"] == verdict.players) & (used["variant"] == verdict.variant)]
        yield replace(verdict, words=_dead(cell, verdict, limit))


def _dead(cell: pd.DataFrame, verdict: Verdict, limit: float) -> str:
    """Return the options of a cell that are hardly used, at least the one of its verdict."""
    rare = cell[(cell["high"] < limit) | (cell["option"] == verdict.name)]
    names = [f"{row.option} ({row.set})" for row in rare.sort_values("value").itertuples()]
    if len(names) == 1:
        return f"{names[0]} is used by {amount(verdict.value)} % of seats"
    most = f"at most {amount(float(rare['value'].max()))} % of seats"
    if len(names) <= _NAMED:
        return f"{listed(names)} are used by {most}"
    return f"{len(names)} options are hardly used, such as {listed(names[:_NAMED])}: by {most}"


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a table of the seats that use each option; None without traces."""
    used = _read_used(context, context.shown) if applies(context) else None
    if used is None:
        return None
    table = side_by_side(
        "options",
        "Seats that use each option at least once a game, %.",
        used,
        ["variant", "set", "option"],
        1,
    )
    headlines = write_headlines(used, partial(_hardly_used, context.thresholds.options))
    return Section("options", "Options", [TEXT], headlines, tables=[table])


def _hardly_used(limit: float, rows: pd.DataFrame) -> str:
    """Return the options of a variant that are hardly used at any player count; "" if there are none."""
    parts = []
    for name, part in rows.groupby("set", sort=False):
        most = part.groupby("option", sort=False)["high"].max()
        if rare := [str(option) for option, high in most.items() if high < limit]:
            parts.append(f"{name}: {listed(rare)}")
    words = f"used by less than {limit:g} % of seats: {'; '.join(parts)}"
    return f"{words} ({smallest_n(rows, 'seats')})" if parts else ""


def _read_used(context: ReportContext, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return the share of seats that use each option, in percent, by cell, set and option; None without traces."""
    sets = options_of(context.plan.game)
    return read_traced(context.run, variants, partial(_read_cell, sets)) if sets else None


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
    """Return shares in percent. Where all deals are alike, such as for an option that nobody uses, the effective number
    of seats is that of the other options (by their median design effect), and not only the number of deals.
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
