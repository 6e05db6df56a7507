"""Answers on the terminal: targets held against a run, games that a question needs, tables for programs."""

from __future__ import annotations

import pandas as pd
from rich.text import Text

from balance.analysis.longer import make_longer
from balance.analysis.unfinished import WITHHELD
from balance.cli.plain import echo_block
from balance.cli.terminal import NAME, NUMBER, TEXT, Terminal, open_terminal
from balance.log.folder import RunFolder
from balance.plan.measures import measures_of
from balance.plan.plan import Plan
from balance.report.layout import name_group
from balance.report.words import more_games
from balance.stats.comparisons import TOO_FEW

_COLOURS = {
    "higher": "green",
    "lower": "red",
    "same": "dim",
    "slightly higher": "dim",
    "slightly lower": "dim",
    "undecided": "yellow",
    TOO_FEW: "yellow",
    WITHHELD: "yellow",
    "pass": "green",
    "fail": "red",
}


def show_verdict(verdict: str, more: str = "") -> Text:
    """A verdict in its colour, and what is said of it beside."""
    return Text(verdict, _COLOURS[verdict]).append(more, "default")


def print_tier(console: Terminal, plan: Plan) -> None:
    """Say whose games these are, where others played them too."""
    others = ", ".join(tier.name for tier in plan.tiers if tier is not plan.tier)
    if others:
        console.print_note(f"Tier {plan.tier.name} (others: {others})")


def print_records(table: pd.DataFrame) -> None:
    """Print a table for programs: a JSON list of records, a missing number null."""
    echo_block(table.to_json(orient="records", indent=1, force_ascii=False, double_precision=9))


_CHECKS = {
    "players": NUMBER, "variant": NAME, "group": NAME, "mean": NUMBER, "interval": NUMBER, "verdict": TEXT, "n": NUMBER,
    "deals": NUMBER,
}  # fmt: skip


def print_check(table: pd.DataFrame, plan: Plan) -> None:
    """Print verdicts on targets (`balance.analysis.check.check_targets`), a block for each target."""
    console = open_terminal()
    print_tier(console, plan)
    measures = {measure.name: measure for measure in measures_of(plan)}
    for target, block in table.groupby("target", sort=False):
        split = (block["group"] != "").any()
        columns = {name: kind for name, kind in _CHECKS.items() if split or name != "group"}
        cells = [
            {
                "players": str(row.players),
                "variant": row.variant,
                "group": name_group(measures[row.measure], row.group),
                "mean": f"{row.value:.2f}",
                "interval": f"{row.low:.2f} to {row.high:.2f}",
                "verdict": show_verdict(
                    row.verdict, f", {more_games(row.more_games)}" if row.more_games else ""
                ),
                "n": f"{row.n:,}",
                "deals": f"{row.decks:,}",
            }
            for row in block.itertuples()
        ]
        console.print_table(target, columns, [[row[name] for name in columns] for row in cells])
    counts = table["verdict"].value_counts()
    summary = ", ".join(
        f"{counts.get(word, 0)} {word}" for word in ("pass", "fail", "undecided", TOO_FEW, WITHHELD)
    )
    console.print_note(
        f"{len(table)} checks: {summary}. Intervals are widened so that all hold together with 95 % confidence."
    )


def print_plan(table: pd.DataFrame, effect: float, power: float, run: RunFolder | None) -> None:
    """Print how many games questions need (`balance.analysis.planning`), and how long a run takes to get them."""
    columns = {"players": NUMBER, "question": TEXT, "games in a cell": NUMBER}
    rows: list[tuple[str, ...]]
    rows = [(str(row.players), row.question, f"{row.games:,}") for row in table.itertuples()]
    if run is not None:
        columns["to be played"] = TEXT
        to_play = [_to_play(run, more) for more in table["more_games"]]
        rows = [(*row, time) for row, time in zip(rows, to_play, strict=True)]
    open_terminal().print_table(f"Games to find {effect:g} points with power {power:g}", columns, rows)


def _to_play(run: RunFolder, more: int) -> str:
    """How long so many games more in each cell take."""
    if not more:
        return "none"
    longer = make_longer(run, more)
    return longer.time if longer else "–"
