"""Results on the terminal: verdicts side by side for every player count."""

from __future__ import annotations

import click
import pandas as pd
from rich.markup import escape
from rich.table import Table

from balance.analysis.compare import pairing_gains
from balance.analysis.unfinished import WITHHELD
from balance.cli.terminal import Terminal, open_terminal
from balance.plan.measures import measures_of
from balance.plan.plan import Plan
from balance.stats.comparisons import TOO_FEW
from balance.stats.intervals import LEVEL

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


def _shown(verdict: str) -> str:
    return f"[{_COLOURS[verdict]}]{verdict}[/]"


def _print_tier(console: Terminal, plan: Plan) -> None:
    """Whose games these are, where others played them too."""
    others = ", ".join(tier.name for tier in plan.tiers if tier is not plan.tier)
    if others:
        console.print(escape(f"Tier {plan.tier.name} (others: {others})"), soft_wrap=True)


def print_comparison(table: pd.DataFrame, baseline: str, plan: Plan) -> None:
    """Print effects (`balance.analysis.compare.compare_variants`), a block for each variant.

    Parameters
    ----------
    plan : Plan
        The run's, for names and thresholds.
    """
    labels = {measure.name: measure.label for measure in measures_of(plan)}
    limits = plan.experiment.thresholds
    console = open_terminal()
    _print_tier(console, plan)
    counts = list(dict.fromkeys(table["players"]))
    for variant, block in table.groupby("variant", sort=False):
        title = f"{variant} against {baseline} (n up to {int(block['n'].max()):,} pairs, "
        title += f"{int(block['decks'].max()):,} decks)"
        shown = Table(title=escape(title), title_justify="left", title_style="bold")
        shown.add_column("effect on")
        for players in counts:
            shown.add_column(f"{players} players", justify="right")
            shown.add_column("verdict")
        order = {measure: i for i, measure in enumerate(dict.fromkeys(block["measure"]))}
        block = block.sort_values(
            ["measure", "group"], key=lambda c: c.map(order) if c.name == "measure" else c
        )
        for (measure, group), rows in block.groupby(["measure", "group"], sort=False):
            by_count = {row.players: row for row in rows.itertuples()}
            cells = []
            for players in counts:
                row = by_count.get(players)
                cells += [_estimate(row), _shown(row.verdict)] if row is not None else ["", ""]
            shown.add_row(escape(f"{labels[measure]} {group}".strip()), *cells)
        console.print(shown)
    undecided = table[(table["verdict"] == "undecided") & (table["more_games"] > 0)]
    gains = [f"{labels[row.measure]} {row.median:.1f}" for row in pairing_gains(table).itertuples()]
    console.print(
        f"Effects with {100 * LEVEL:.0f} % intervals. {len(table)} comparisons, corrected together: with 95 % no "
        f"verdict is wrong. same: shown to lie within {limits.seats:g} points (seats) or "
        f"{limits.strategies:g} points (strategies); slightly: different for sure, and within that. "
        f"Pairing on the same games was worth so many times as many games: {', '.join(gains)}.",
        soft_wrap=True,
    )
    if len(undecided):
        console.print(
            f"{len(undecided)} undecided; half of them would be decided by about "
            f"{undecided['more_games'].median():,.0f} games more in a cell, if they stay as they are.",
            soft_wrap=True,
        )


def _estimate(row: object) -> str:
    return f"{row.effect:+.2f} ({row.low:+.2f} to {row.high:+.2f})"  # type: ignore[attr-defined]


_MANY = 10_000_000  # games; what needs more is as good as on the bound


def print_records(table: pd.DataFrame) -> None:
    """Print a table for programs: a JSON list of records, a missing number null."""
    click.echo(table.to_json(orient="records", indent=1, force_ascii=False, double_precision=9))


def print_check(table: pd.DataFrame, plan: Plan) -> None:
    """Print verdicts on targets (`balance.analysis.check.check_targets`), a block for each target."""
    console = open_terminal()
    _print_tier(console, plan)
    for target, block in table.groupby("target", sort=False):
        shown = Table(title=escape(target), title_justify="left", title_style="bold")
        split = (block["group"] != "").any()
        for column in (
            "players",
            "variant",
            *(("group",) if split else ()),
            "mean",
            "interval",
            "verdict",
            "n",
        ):
            number = column in ("players", "mean", "interval", "n")
            shown.add_column(column, justify="right" if number else "left")
        for row in block.itertuples():
            interval = f"{row.low:.2f} to {row.high:.2f}"
            cells = [
                str(row.players),
                escape(row.variant),
                *((escape(str(row.group)),) if split else ()),
                f"{row.value:.2f}",
            ]
            shown.add_row(*cells, interval, _shown(row.verdict) + _more(row.more_games), f"{row.n:,}")
        console.print(shown)
    counts = table["verdict"].value_counts()
    summary = ", ".join(
        f"{counts.get(word, 0)} {word}" for word in ("pass", "fail", "undecided", TOO_FEW, WITHHELD)
    )
    console.print(
        f"{len(table)} checks: {summary}. Intervals are widened so that all hold together with 95 % confidence.",
        soft_wrap=True,
    )


def _more(games: int) -> str:
    if games > _MANY:
        return ", as good as on the bound"
    return f", about {games:,} games more" if games else ""


def print_plan(table: pd.DataFrame, effect: float, power: float) -> None:
    """Print how many games questions need (`balance.analysis.planning.plan_games`)."""
    shown = Table(title=f"Games to find {effect:g} points with power {power:g}", title_justify="left")
    shown.add_column("players", justify="right")
    shown.add_column("question")
    shown.add_column("games in a cell", justify="right")
    for row in table.itertuples():
        shown.add_row(str(row.players), row.question, f"{row.games:,}")
    open_terminal().print(shown)
