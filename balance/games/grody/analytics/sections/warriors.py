"""Warriors: how they are lost, captured and come back; fate cards that are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.grody.display.words import CARDS
from balance.report.facts import Facts
from balance.report.figures.bars import draw_rows
from balance.report.layout import side_by_side, stem
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 130
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
PLAYED = means({words: f"played_{card}" for card, words in CARDS.items()}, CELL)
TEXT = (
    "Whoever flees and finds no segment of its own with room is captured. A prisoner comes back for a fate card, or "
    "with Okup. All figures are of a seat and a game."
)


def questions(facts: Facts) -> Sequence[Means]:
    """What becomes of warriors, by strategy and in all; cards played."""
    return [FATE, ALL, PLAYED]


def write(facts: Facts, answers: Answers) -> Written:
    """Bars of the cards played; warriors by strategy as a table."""
    played = answers[PLAYED].rename(columns={"measure": "card"})
    fates = answers[FATE].rename(columns={"measure": "what becomes of warriors"})
    longest = float(played["high"].max())
    figures = []
    for number, variant in enumerate(facts.shown):
        part = played[played["variant"] == variant]
        caption = f"Fate cards played, variant {variant}."
        drawn = draw_rows(
            stem("cards-played", number), caption, part, "card", "a seat and game", longest
        )
        figures.append(replace(drawn, variant=variant))
    tables = [
        side_by_side(
            "warriors",
            "What becomes of warriors, a seat and game.",
            fates,
            ["variant", "strategy", "what becomes of warriors"],
        ),
        side_by_side("cards-played", "Fate cards played, a seat and game.", played, ["variant", "card"]),
    ]
    says = _says(facts.of_shown(answers[ALL]))
    section = Section("warriors", "Warriors and cards", [TEXT], says, figures=figures, tables=tables)
    return Written(section)


def _says(fates: pd.DataFrame) -> list[Said]:
    """How many flee, how many of them are captured, how many come back."""
    says = []
    for variant, rows in fates.groupby("variant", sort=False):
        of = {row.measure: write_estimate(row, 2) for row in rows.itertuples()}
        text = (
            f"{variant}: in a game a seat loses {of['died in combat']} warriors in combat; {of['fled']} flee, "
            f"{of['captured']} of them into captivity; {of['ransomed']} are ransomed and {of['freed by Okup']} freed "
            f"(n = {int(rows['n'].min()):,} seats)."
        )
        says.append(Said(text, str(variant)))
    return says
