"""Events: what drawing each card brings the ruler who draws it. Of traced games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import differs_for_sure, of_all_decks, remeasure
from balance.analysis.question import Question
from balance.games.korona_piastow.analytics.draws import fortunes, read_draws
from balance.report.facts import Facts
from balance.report.figures.curves import draw_forest
from balance.report.layout import side_by_side, stem
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import by_players

PLACE = 140
TEXT = (
    "Who begins a round draws its card, and chooses where it strikes (EVN-1). The stack is shuffled, so who draws what "
    "is a lot: the difference is the card's, for who draws it, against all other cards in that round. What a card does "
    "to the others, and to the game, is tried under Components. Of the traced games."
)


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: events are in traces."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """What each card brings as a forest, for every variant that is shown; None without traces."""
    draws = read_draws(facts.run, facts.shown)
    if draws is None:
        return None
    found = fortunes(draws)
    whole = of_all_decks(found)
    figures = []
    for number, variant in enumerate(facts.shown):
        part = whole[whole["variant"] == variant].rename(columns={"card": "row", "value": "effect"})
        if len(part):
            caption = f"What drawing an event brings, variant {variant}."
            drawn = draw_forest(
                stem("events", number),
                caption,
                part.assign(threshold=0.0),
                "points of win share",
                False,
                "draws",
            )
            figures.append(replace(drawn, variant=variant))
    sure = whole["value"].abs().where(whole["low"] * whole["high"] > 0, 0.0)
    tables = [
        side_by_side(
            "events",
            f"What drawing an event brings, points of win share; {len(whole)} comparisons, each by itself, so that "
            f"about {len(whole) // 20} look sure by chance.",
            whole.assign(importance=sure),
            ["variant", "card"],
            1,
        ),
    ]
    says = _says(draws, found)
    return Written(Section("events", "Events", [TEXT], says, figures=figures, tables=tables))


def _says(draws: pd.DataFrame, found: pd.DataFrame) -> list[Said]:
    """The card that brings most for sure, chosen on half of the decks and measured on the other; or that none does."""
    size = found["value"].abs().where(differs_for_sure(found))
    most = remeasure(found.assign(size=size), ["variant", "players"], ["card"])
    most = most[np.where(most["chosen_value"] > 0, most["low"], -most["high"]) > 0]
    says = []
    for variant, part in draws.groupby("variant", sort=False):
        rows = most[most["variant"] == variant]
        if rows.empty:
            text = f"no card is shown to help or hurt who draws it (n = {len(part):,} draws)"
        else:
            told = by_players(rows, lambda row: f"{row.card} {write_estimate(row)} points")
            n = int(rows["n"].min())
            text = f"the card that matters most to who draws it: {told} (n ≥ {n:,} draws on fresh decks)"
        says.append(Said(f"{variant}: {text}.", str(variant)))
    return says
