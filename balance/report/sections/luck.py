"""Luck against skill: what explains the variance of scores."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.luck import Luck, luck_applies, read_luck
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 90
_SOURCES = {
    "strategy": "strategy (skill: who plays what, against whom)",
    "seat": "seat",
    "deck": "deck, the same for everybody",
    "deck x seat": "deck x seat (whose turn the cards suit)",
    "deck x strategy": "deck x strategy (whose plan the cards suit)",
    "rest": "rest (who sits where on which deck, other chance)",
}


def questions(facts: Facts) -> Sequence[Question]:
    """Sums of scores, where every deck holds each of its strategies in each seat once."""
    return [Luck()] if luck_applies(facts.plan) else []


def write(facts: Facts, answers: Answers) -> Written | None:
    if not luck_applies(facts.plan) or (luck := read_luck(answers[Luck()])).empty:
        return None
    shown = luck.assign(source=luck["source"].map(_SOURCES))
    table = side_by_side(
        "luck", "What explains the variance of scores, %.", shown, ["variant", "source"], 1
    )
    text = [
        "Every line-up plays each deck in all its rotations, so the variance of scores can be divided among "
        "strategy, seat and deck (two-way random effects; intervals by a jackknife over ten groups of decks). "
        "What is neither strategy nor seat is luck and how plans meet. Where two players share a fixed sum, chance "
        "that has nothing to do with the deck can't be told from the deck's."
    ]
    found = []
    for players, cell in facts.of_first(luck).groupby("players"):
        row = next(cell[cell["source"] == "strategy"].itertuples())
        found.append(
            Finding(
                f"{facts.first}: with {players} players the strategies explain {write_estimate(row)} % of the "
                f"variance of scores (n = {row.n:,} scores); the rest is cards, seats and how plans meet.",
                "luck",
                0.4,
            )
        )
    return Written(Section("luck", "Luck and skill", text, tables=[table]), found)
