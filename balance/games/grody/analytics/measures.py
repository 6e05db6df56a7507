"""What is measured of Grody alone: how games end, combats, land, warriors, cards."""

from __future__ import annotations

from typing import Any

from balance.contract.measure import Choice, Closeness, Measure
from balance.contract.words import amount

SECONDS_PER_CHOICE = (5, 10)
SCORE_PARTS: tuple[tuple[str, str], ...] = ()  # the points of a conquest are in no column of their own


def _ending(name: str, label: str, meaning: str) -> Measure:
    """Share of the games that end in one of the ways of section 5."""
    return Measure(
        f"ended_by_{name}",
        label,
        f"(ended_by = '{name}')::INT",
        "%",
        per_game=True,
        scale=100,
        meaning=meaning,
    )


MEASURES = (
    _ending("conquest", "ended by conquest", "Share of the games (END-1)."),
    _ending("dominance", "ended by dominance", "Share of the games (END-2)."),
    _ending("limit", "ended at the limit", "Share of the games that reach the last turn (END-3)."),
    Measure("turns", "turns", "turns", per_game=True, meaning="Of both players together."),
    Measure("combats", "combats", "combats", per_game=True, meaning="In a game."),
    Measure(
        "rounds_per_combat",
        "rounds of a combat",
        "combat_rounds::DOUBLE / nullif(combats, 0)",
        per_game=True,
        meaning="Mean of a game's combats.",
    ),
    Measure(
        "attacks_won",
        "attacks won",
        "attacks_won::DOUBLE / nullif(attacks, 0)",
        "%",
        scale=100,
        meaning="Share of a seat's combats as attacker that it won.",
    ),
    Measure("segments", "segments owned", "segments", meaning="By a seat at the end."),
    Measure("taken", "segments taken", "taken", meaning="From the enemy, by a seat."),
    Measure("warriors_lost", "warriors lost", "lost", meaning="By a seat, in combat."),
    Measure("captured", "warriors captured", "captured", meaning="Of a seat's own."),
    Measure("cards_drawn", "cards drawn", "drawn", meaning="By a seat."),
    Measure("cancelled", "cards cancelled", "cancelled", meaning="Of a seat's own, by czarodziej."),
    Measure(
        "built", "buildings", "built_zasieki + built_most + built_twierdza", meaning="Put up by a seat."
    ),
)
CHOICES = (
    Choice("segments", "a segment more after round 5", "max(r.segments) FILTER (r.round = 5)"),
    Choice("warriors", "a warrior more after round 5", "max(r.warriors) FILTER (r.round = 5)"),
    Choice("hand", "a card more in hand after round 5", "max(r.hand) FILTER (r.round = 5)"),
)


def _say_close(game: Any) -> str:
    points = " and ".join(f"{points:g}" for points in game.points)
    return f"undecided for {amount(game.turns, 'turn')}, victory points {points}"


CLOSENESS = Closeness(
    {
        "turns": "any_value(e.turns)",
        "open_longest": "-any_value(e.turns)",
        "points": "list(s.victory_points ORDER BY s.rank, s.seat)",
        "apart": "max(s.victory_points) - min(s.victory_points)",
        "segments_apart": "max(s.segments) - min(s.segments)",
    },
    ("open_longest", "apart", "segments_apart"),
    _say_close,
    "the longest, and of equally long ones the smallest lead,",
)
"""A conquest adds to the score and dominance needs a lead: margins say how a game ended, not how close it was."""
