"""What the report asks of a run of Polska alone."""

from __future__ import annotations

from balance.analysis.gather import Question, means, quote
from balance.experiments import Plan
from balance.games.polska import state as s


def questions(plan: Plan) -> dict[str, Question]:
    """All of them, by name."""
    first = f"variant = {quote(plan.variants[0].name)}"
    orders = max(len(variant.rules.cards_per_marker) for variant in plan.variants)
    markers = {str(i + 1): f"markers_{i + 1}" for i in range(orders)}
    return {
        "markers": means(markers, ["players", "strategy"], first),
        "markers won": means(markers, ["players", "won"], first),
        "played": means({kind: f"{kind}_played" for kind in s.KINDS}, ["players", "variant"]),
        "played strategy": means(
            {kind: f"{kind}_played" for kind in s.KINDS}, ["players", "strategy"], first
        ),
        "worth": means(
            {kind: f"{kind}_steps::DOUBLE / nullif({kind}_played, 0)" for kind in s.STEPPING},
            ["players", "strategy"],
            first,
        ),
        "dice": means({"dice": "dice_seen"}, ["players", "variant", "seat"]),
        "blocked": means(
            {"blocked": "100 * blocked::DOUBLE / nullif(own_turns, 0)"}, ["players", "strategy"], first
        ),
    }
