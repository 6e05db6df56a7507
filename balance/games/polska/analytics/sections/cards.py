"""Cards: how many are played, and the steps that each makes."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Means, means
from balance.analysis.sums import literal
from balance.games.polska.kernel.state import KINDS, STEPPING
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 120


def questions(facts: Facts) -> Sequence[Means]:
    """Cards played by variant, by strategy, and steps for each; of grey cards in halves of the decks too."""
    first = f"variant = {literal(facts.first)}"
    played = {kind: f"{kind}_played" for kind in KINDS}
    worth = {kind: f"{kind}_steps::DOUBLE / nullif({kind}_played, 0)" for kind in STEPPING}
    by_strategy = ["players", "strategy"]
    return [
        means(played, ["players", "variant"]),
        means(played, by_strategy, first),
        means(worth, by_strategy, first),
        means({"grey": worth["grey"]}, [*by_strategy, "half"], first),
    ]


def write(facts: Facts, answers: Answers) -> Written:
    """Cards by variant and by strategy."""
    variant = facts.first
    played, by_strategy, worth, grey = (
        answers[question].rename(columns={"measure": "card"}) for question in questions(facts)
    )
    tables = [
        side_by_side("cards-played", "Cards played, a game and seat.", played, ["variant", "card"]),
        side_by_side(
            "worth",
            f"Steps that a card makes when it is played, variant {variant}.",
            worth,
            ["strategy", "card"],
        ),
        side_by_side(
            "played-strategy",
            f"Cards played by strategy, variant {variant}.",
            by_strategy,
            ["strategy", "card"],
        ),
    ]
    most = remeasure(grey.assign(size=grey["value"]), ["players"], ["strategy"])
    found = [
        Finding(
            f"{variant}: with {row.players} players {row.strategy} gets most out of grey cards, "
            f"{write_estimate(row, 2)} steps each (n = {row.n:,} seats on fresh decks).",
            "cards",
            0.3,
        )
        for row in most.itertuples()
    ]
    return Written(Section("cards", "Cards", [], tables=tables), found)
