"""Warriors: how many are lost, captured and returned; fate cards played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.grody.display.labels import CARD_TITLES
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side, stem

ORDER = 130
FATES = {
    "recruited": "recruited",
    "joined by land or card": "joined",
    "died in combat": "lost",
    "fled": "fled",
    "captured": "captured",
    "ransomed": "ransomed",
    "freed by Okup": "freed",
    "died of thirst": "thirst",
    "died astray": "strayed",
}
CELL = ["players", "variant"]
FATE = means(FATES, [*CELL, "strategy"])
ALL = means(FATES, CELL)
PLAYED = means({words: f"played_{card}" for card, words in CARD_TITLES.items()}, CELL)
TEXT = (
    "A warrior that flees is captured if no neighbouring segment of its player has room for it (CMB-7). A prisoner "
    "returns for a fate card (ransom), or by the card Okup. All figures are per seat and game."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return what happens to warriors, by strategy and in total, and cards played."""
    return [FATE, ALL, PLAYED]


def write(context: ReportContext, answers: Answers) -> Written:
    """Write bars of the cards played, and what happens to warriors by strategy as a table."""
    played = answers[PLAYED].rename(columns={"measure": "card"})
    fates = answers[FATE].rename(columns={"measure": "what becomes of warriors"})
    longest = float(played["high"].max())
    figures = []
    for number, variant in enumerate(context.shown):
        part = played[played["variant"] == variant]
        caption = f"Fate cards played, variant {variant}."
        drawn = draw_rows(
            stem("cards-played", number), caption, part, "card", "per seat and game", longest
        )
        figures.append(replace(drawn, variant=variant))
    tables = [
        side_by_side(
            "warriors",
            "What happens to warriors, per seat and game.",
            fates,
            ["variant", "strategy", "what becomes of warriors"],
        ),
        side_by_side(
            "cards-played", "Fate cards played, per seat and game.", played, ["variant", "card"]
        ),
    ]
    says = _says(context.of_shown(answers[ALL]))
    section = Section("warriors", "Warriors and cards", [TEXT], says, figures=figures, tables=tables)
    return Written(section)


def _says(fates: pd.DataFrame) -> list[Headline]:
    """Report how many warriors are lost, flee, are captured and return."""
    says = []
    for variant, rows in fates.groupby("variant", sort=False):
        of = {row.measure: write_estimate(row, 2) for row in rows.itertuples()}
        text = (
            f"{variant}: in a game a seat loses {of['died in combat']} warriors in combat; {of['fled']} flee and "
            f"{of['captured']} are captured; {of['ransomed']} are ransomed and {of['freed by Okup']} freed by Okup "
            f"(n = {int(rows['n'].min()):,} seats)."
        )
        says.append(Headline(text, str(variant)))
    return says
