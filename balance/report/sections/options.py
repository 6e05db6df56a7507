"""Options: how many seats use each option of the game at least once, and options that no seat uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.verdicts import Verdict, rate_verdicts
from balance.contract.analytics import options_of
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_headlines
from balance.report.model import Section
from balance.report.screen import GridQuestion
from balance.report.words import amount, smallest_n

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
    "A seat uses an option if it takes it at least once in a game. An option that no seat uses may be too weak, too "
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
    used = context.options_used
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
    if context.options_used is None or (used := context.of_shown(context.options_used)).empty:
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
