"""Options: how many seats use each option of the game at least once, and options that no seat uses."""

from __future__ import annotations

from functools import partial

import pandas as pd

from balance.analysis.gather import Answers
from balance.foundation.language import N_, tr, trc
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.kit import side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import smallest_n

ORDER = 92
TEXT = N_(
    "An option counts as used if the seat takes it at least once in a game. An option that no seat uses may be too "
    "weak, too dear or out of reach, or these strategies overlook it. From traced games."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a table of the seats that use each option; None without traces."""
    if context.options_used is None or (used := context.of_shown(context.options_used)).empty:
        return None
    table = side_by_side(
        "options",
        tr("Seats that use each option at least once a game, %."),
        used.assign(importance=-used["value"]),  # the rarest first
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
