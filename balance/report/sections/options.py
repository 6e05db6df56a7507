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
from balance.foundation.language import N_, tr, trc, trn
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_headlines
from balance.report.model import Section
from balance.report.screen import GridQuestion
from balance.report.words import amount, smallest_n

ORDER = 92
GRID = GridQuestion(
    "options",
    N_("Options used"),
    "options",
    N_("least used, % of seats"),
    N_(
        "Alive: enough seats use every option at least once. Dead: too few seats use one of them. The number is the "
        "share of seats that use the rarest option, in traced games."
    ),
)
_NAMED = 2  # options that a sentence lists
TEXT = N_(
    "An option counts as used if the seat takes it at least once in a game. An option that no seat uses may be too "
    "weak, too dear or out of reach, or these strategies overlook it. From traced games."
)


def applies(context: ReportContext) -> bool:
    """Return whether the game lists its options and games were traced."""
    experiment = context.plan.experiment
    return bool(options_of(context.plan.game)) and (experiment.trace > 0 or experiment.log == "trace")


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
        "options", used, "option", (limit, 100.0), context.family(GRID.name), (N_("alive"), N_("dead"))
    ):
        cell = used[(used["players"] == verdict.players) & (used["variant"] == verdict.variant)]
        yield replace(verdict, words=_dead(cell, verdict, limit))


def _dead(cell: pd.DataFrame, verdict: Verdict, limit: float) -> str:
    """Return the options of a cell that are hardly used, at least the one of its verdict."""
    rare = cell[(cell["high"] < limit) | (cell["option"] == verdict.name)]
    names = [f"{tr(row.option)} ({tr(row.set)})" for row in rare.sort_values("value").itertuples()]
    if len(names) == 1:
        return tr("{option} is used by {share} % of seats", option=names[0], share=amount(verdict.value))
    most = amount(float(rare["value"].max()))
    if len(names) <= _NAMED:
        return tr("{options} are used by at most {share} % of seats", options=listed(names), share=most)
    return trn(
        "{n} option is hardly used, such as {options}: by at most {share} % of seats",
        "{n} options are hardly used, such as {options}: by at most {share} % of seats",
        len(names),
        options=listed(names[:_NAMED]),
        share=most,
    )


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a table of the seats that use each option; None without traces."""
    if context.options_used is None or (used := context.of_shown(context.options_used)).empty:
        return None
    table = side_by_side(
        "options",
        tr("Seats that use each option at least once a game, %."),
        used,
        ["variant", N_("set"), N_("option")],
        1,
    )
    headlines = write_headlines(used, partial(_hardly_used, context.thresholds.options))
    return Section("options", tr("Options"), [tr(TEXT)], headlines, tables=[table])


def _hardly_used(limit: float, rows: pd.DataFrame) -> str:
    """Return the options of a variant that are hardly used at any player count; "" if there are none."""
    parts = []
    for name, part in rows.groupby("set", sort=False):
        most = part.groupby("option", sort=False)["high"].max()
        if rare := [tr(str(option)) for option, high in most.items() if high < limit]:
            parts.append(f"{tr(str(name))}: {listed(rare)}")
    if not parts:
        return ""
    return tr(
        "used by less than {limit:g} % of seats: {options} ({smallest})",
        limit=limit,
        options="; ".join(parts),
        smallest=smallest_n(rows, trc("n ≥", "seats")),
    )
