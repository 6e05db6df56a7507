"""Cards: how many are played, and the steps that each makes."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Means, means
from balance.games.polska.kernel.state import KINDS, STEPPING
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 120


PLAYED = {kind: f"{kind}_played" for kind in KINDS}
WORTH = {kind: f"{kind}_steps::DOUBLE / nullif({kind}_played, 0)" for kind in STEPPING}
CELL = ["players", "variant", "strategy"]
GREY = means({"grey": WORTH["grey"]}, [*CELL, "half"])


def questions(facts: Facts) -> Sequence[Means]:
    """Cards played by variant, by strategy, and steps for each; of grey cards in halves of the decks too."""
    return [means(PLAYED, ["players", "variant"]), means(PLAYED, CELL), means(WORTH, CELL), GREY]


def write(facts: Facts, answers: Answers) -> Written:
    """Cards by variant and by strategy."""
    played, by_strategy, worth, grey = (
        answers[question].rename(columns={"measure": "card"}) for question in questions(facts)
    )
    rows = ["variant", "strategy", "card"]
    tables = [
        side_by_side("cards-played", "Cards played, a game and seat.", played, ["variant", "card"]),
        side_by_side("worth", "Steps that a card makes when it is played.", worth, rows),
        side_by_side("played-strategy", "Cards played by strategy.", by_strategy, rows),
    ]
    grey = facts.of_shown(grey)
    most = remeasure(grey.assign(size=grey["value"]), ["variant", "players"], ["strategy"])
    says = [
        Said(
            f"{row.variant}: with {row.players} players {row.strategy} gets most out of grey cards, "
            f"{write_estimate(row, 2)} steps each (n = {row.n:,} seats on fresh decks).",
            row.variant,
        )
        for row in most.itertuples()
    ]
    return Written(Section("cards", "Cards", [], says, tables=tables))
