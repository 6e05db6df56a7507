"""Early choices that go with winning, where rounds were logged."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.choices import GAMES, choice_effects, remeasure_strongest
from balance.analysis.gather import Answers
from balance.analysis.halves import of_all_decks
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import side_by_side, write_effect_verdicts
from balance.report.model import Said, Section
from balance.report.section import Written
from balance.stats.comparisons import ALPHA

PLACE = 70


def judges(facts: Facts) -> int:
    """Choices of each variant, where rounds were logged."""
    return len(facts.shown) * int(facts.has_rounds and bool(facts.plan.game.analytics.CHOICES))


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: the model needs its rows at once."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Early choices that go with winning; none where rounds were not logged."""
    choices = facts.plan.game.analytics.CHOICES
    if not facts.has_rounds or not choices:
        return None
    each = GAMES // len(facts.shown)  # its rows are in memory at once, those of a report are bounded
    effects = pd.concat(
        [choice_effects(facts.run, choices, variant, facts.families, each) for variant in facts.shown],
        ignore_index=True,
    )
    whole = of_all_decks(effects).rename(columns={"clusters": "decks"})
    text = [
        "Compared are seats of one strategy in one seat; all choices are in one model (least squares with fixed "
        "effects, errors clustered on the deck), so each is with the others held. These are associations "
        "under such bots and no experiments: what made a bot choose may also have made it win.",
    ]
    tables = []
    for outcome, unit in (("win_share", "points of win share"), ("score", "points of score")):
        part = whole[whole["outcome"] == outcome].copy()
        part["importance"] = part["value"].abs().where(part["p"] < ALPHA, 0.0)
        part["verdict"] = write_effect_verdicts(part)
        caption = (
            f"What each early choice goes with, in {unit}; {len(whole)} comparisons, corrected together in each "
            f"variant{facts.shared}."
        )
        rows = ["variant", "choice"]
        tables.append(side_by_side(f"choices-{outcome}", caption, part, rows, notes=["verdict"]))
    says = [
        said
        for variant, part in effects.groupby("variant", sort=False)
        for said in _says(str(variant), remeasure_strongest(part.reset_index(drop=True)))
    ]
    return Written(Section("choices", "Early choices", text, says, tables=tables))


def _says(variant: str, strongest: pd.DataFrame) -> list[Said]:
    """What goes furthest with winning, player counts with the same choice in one sentence."""
    found = []
    for choice, rows in strongest.groupby("choice", sort=False):
        parts = [
            f"{row.value:+.1f} ({row.low:+.1f} to {row.high:+.1f}, n = {row.n:,} seats) with {row.players}"
            for row in rows.itertuples()
        ]
        text = f"{variant}: {choice} goes with {', '.join(parts)} players, in points of win share; "
        text += "strategy and seat held, on decks that had no part in choosing it."
        found.append(Said(text, variant))
    return found
