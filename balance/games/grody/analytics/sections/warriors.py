"""Warriors: how many are lost, captured and returned; fate cards played."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr
from balance.games.grody.display.names import CARD_TITLES
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.kit import CELL, figures_by_variant, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import write_estimate

ORDER = 130
FATES = {
    N_("recruited"): "recruited",
    N_("joined by land or card"): "joined",
    N_("died in combat"): "lost",
    N_("fled"): "fled",
    N_("captured"): "captured",
    N_("ransomed"): "ransomed",
    N_("freed by Okup"): "freed",
    N_("died of thirst"): "thirst",
    N_("died astray"): "strayed",
}
FATE = means(FATES, [*CELL, "strategy"])
ALL = means(FATES, CELL)
PLAYED = means({words: f"played_{card}" for card, words in CARD_TITLES.items()}, CELL)
TEXT = N_(
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
    unit, longest = tr("per seat and game"), float(played["high"].max())
    figures = figures_by_variant(
        context, "cards-played", tr("Fate cards played"), played, draw_rows, "card", unit, longest
    )
    rows = ["variant", "strategy", N_("what becomes of warriors")]
    happens = tr("What happens to warriors, per seat and game.")
    cards = tr("Fate cards played, per seat and game.")
    tables = [
        side_by_side("warriors", happens, fates, rows),
        side_by_side("cards-played", cards, played, ["variant", N_("card")]),
    ]
    headlines = write_headlines(context.of_shown(answers[ALL]), _fates)
    title = tr("Warriors and cards")
    return Section("warriors", title, [tr(TEXT)], headlines, figures=figures, tables=tables)


def _fates(rows: pd.DataFrame) -> str:
    """Return how many warriors are lost, flee, are captured and return in a variant."""
    of = {FATES[row.measure]: write_estimate(row, 2) for row in rows.itertuples()}
    return tr(
        "in a game a seat loses {lost} warriors in combat; {fled} flee and {captured} are captured; {ransomed} are "
        "ransomed and {freed} freed by Okup (n = {n:,} seats)",
        n=int(rows["n"].min()),
        **of,
    )
