"""Warriors: how many are lost, captured and returned; fate cards played."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.grody.display.labels import CARD_TITLES
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.kit import CELL, figures_by_variant, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import write_estimate

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


def write(context: ReportContext, answers: Answers) -> Section:
    """Write bars of the cards played, and what happens to warriors by strategy as a table."""
    played = answers[PLAYED].rename(columns={"measure": "card"})
    fates = answers[FATE].rename(columns={"measure": "what becomes of warriors"})
    unit, longest = "per seat and game", float(played["high"].max())
    caption = "Fate cards played"
    figures = figures_by_variant(
        context, "cards-played", caption, played, draw_rows, "card", unit, longest
    )
    rows = ["variant", "strategy", "what becomes of warriors"]
    tables = [
        side_by_side("warriors", f"What happens to warriors, {unit}.", fates, rows),
        side_by_side("cards-played", f"{caption}, {unit}.", played, ["variant", "card"]),
    ]
    headlines = write_headlines(context.of_shown(answers[ALL]), _fates)
    return Section("warriors", "Warriors and cards", [TEXT], headlines, figures=figures, tables=tables)


def _fates(rows: pd.DataFrame) -> str:
    """Return how many warriors are lost, flee, are captured and return in a variant."""
    of = {row.measure: write_estimate(row, 2) for row in rows.itertuples()}
    return (
        f"in a game a seat loses {of['died in combat']} warriors in combat; {of['fled']} flee and {of['captured']} are "
        f"captured; {of['ransomed']} are ransomed and {of['freed by Okup']} freed by Okup "
        f"(n = {int(rows['n'].min()):,} seats)"
    )
