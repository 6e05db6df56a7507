"""What variants change, on the terminal: a table for each player count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
from rich.text import Text

from balance.analysis.compare import pairing_gains
from balance.analysis.longer import MOST
from balance.cli.printing import print_tier, show_verdict
from balance.cli.terminal import ESTIMATE, NAME, TEXT, Terminal, open_terminal
from balance.contract.measure import Measure
from balance.log.folder import RunFolder
from balance.plan.measures import measures_of
from balance.plan.plan import Plan
from balance.report.layout import name_of
from balance.report.words import more_games, write_levels
from balance.stats.intervals import LEVEL

_COLUMNS = {"variant": NAME, "effect on": TEXT, "levels": ESTIMATE, "effect": ESTIMATE, "verdict": TEXT}
_WIDE = 100  # letters: on a narrower terminal levels stand under the effect where variants take a column


def print_comparison(table: pd.DataFrame, baseline: str, plan: Plan) -> None:
    """Print effects, in their order at each player count.

    Parameters
    ----------
    table : DataFrame
        Of `balance.analysis.compare.compare_variants`.
    plan : Plan
        The run's, for names and thresholds.
    """
    measures = {measure.name: measure for measure in measures_of(plan)}
    console = open_terminal()
    print_tier(console, plan)
    _print_tables(console, table, measures, baseline, "pairs")
    gains = [
        f"{measures[row.measure].label} {row.median:.1f}" for row in pairing_gains(table).itertuples()
    ]
    console.print_note(
        f"Effects with {_words(table, plan)} Pairing on the same games was worth so many times as many games: "
        f"{', '.join(gains)}."
    )
    if left := tell_undecided(table):
        console.print_note(left)


def tell_undecided(table: pd.DataFrame) -> str:
    """How many effects are undecided, and how many games more would decide those that games can; "" where none is."""
    games = table.loc[table["verdict"] == "undecided", "more_games"]
    if games.empty:
        return ""
    near = games[games.between(1, MOST)]
    if near.empty:
        return f"{len(games)} undecided; a million games more are not known to decide any of them."
    if len(near) == 1:
        what = "it" if len(games) == 1 else "one of them"
    else:
        whole = len(near) == len(games)
        what = "half of them" if whole else f"half of the {len(near)} that games can decide"
    return (
        f"{len(games)} undecided; {what} would be decided by {more_games(round(near.median()))} in a cell, "
        "each with a chance of 80 %."
    )


def print_differences(table: pd.DataFrame, one: RunFolder, other: RunFolder) -> None:
    """Print what another run shows more than one (`balance.analysis.side_by_side.compare_runs`)."""
    measures = {measure.name: measure for measure in measures_of(one.plan)}
    console = open_terminal()
    _print_tables(console, table, measures, one.path.name, "rows")
    console.print_note(
        f"{other.path.name} less {one.path.name}, with {_words(table, one.plan)} No game is paired: the runs differ "
        "in more than their seeds or their variants."
    )


def _print_tables(
    console: Terminal, table: pd.DataFrame, measures: dict[str, Measure], against: str, things: str
) -> None:
    """A table for each player count."""
    alone = table["variant"].nunique() == 1
    apart = alone or console.width >= _WIDE
    left_out = {"variant"} if alone else set[str]() if apart else {"levels"}
    columns = {name: kind for name, kind in _COLUMNS.items() if name not in left_out}
    for players, block in table.groupby("players", sort=False):
        who = f"{block['variant'].iloc[0]} against {against}" if alone else f"against {against}"
        size = f"n up to {block['n'].max():,} {things} on {block['decks'].max():,} deals"
        rows = [[cells[name] for name in columns] for cells in _rows(block, measures, apart)]
        console.print_table(f"{players} players, {who} ({size})", columns, rows)


def _rows(
    block: pd.DataFrame, measures: dict[str, Measure], apart: bool
) -> Iterator[dict[str, str | Text]]:
    """Cells by their columns; levels that have no column of their own stand under the effect."""
    for row in block.itertuples():
        levels = write_levels(row.baseline, row.baseline + row.effect)
        yield {
            "variant": row.variant,
            "effect on": name_of(measures[row.measure], row.group),
            "levels": levels,
            "effect": Text(_estimate(row) if apart else f"{_estimate(row)}\n{levels}"),
            "verdict": show_verdict(row.verdict),
        }


def _estimate(row: Any) -> str:
    return f"{row.effect:+.2f} ({row.low:+.2f} to {row.high:+.2f})"


def _words(table: pd.DataFrame, plan: Plan) -> str:
    """How intervals and verdicts are to be read."""
    limits = plan.experiment.thresholds
    return (
        f"{100 * LEVEL:.0f} % intervals. {len(table)} comparisons, corrected together: with 95 % no verdict is wrong. "
        f"same: shown to lie within {limits.seats:g} points (seats) or {limits.strategies:g} points (strategies); "
        "slightly: different for sure, and within that."
    )
