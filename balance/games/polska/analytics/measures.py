"""What is measured of Polska alone: steps by kind of card, markers, blocked turns."""

from __future__ import annotations

from balance.contract.measure import Choice, Measure

BOX_MINUTES = (20, 30)
# 25 with four players, of the strategies that ship.
SECONDS_PER_CHOICE = (5, 10)
SCORE_PARTS = (
    ("grey_steps", "grey cards"),
    ("blue_steps", "blue cards"),
    ("city_steps", "city cards"),
    ("eagle_steps", "white eagles"),
)
MEASURES = (
    Measure("turns", "turns", "turns", per_game=True, meaning="Of all players together."),
    Measure(
        "draws", "draws", "(status = 'draw')::INT", "%", per_game=True, scale=100, meaning="By END-2."
    ),
    Measure("reshuffles", "reshuffles", "reshuffles", per_game=True, meaning="Of the cards."),
    Measure("markers", "markers taken", "markers", meaning="By a seat."),
    Measure("cards_drawn", "cards drawn", "drawn", meaning="By a seat, for markers."),
    Measure("cards_thrown", "cards thrown away", "thrown", meaning="By a seat, over the hand limit."),
    Measure(
        "blocked_turns",
        "blocked turns",
        "blocked::DOUBLE / nullif(own_turns, 0)",
        "%",
        scale=100,
        meaning="Share of a seat's turns lost to stop cards.",
    ),
    Measure(
        "idle_turns",
        "idle turns",
        "idle::DOUBLE / nullif(own_turns, 0)",
        "%",
        scale=100,
        meaning="Nothing done.",
    ),
    Measure(
        "dice_seen",
        "dice to choose from",
        "dice_seen",
        meaning="Dice left when a seat takes its own, mean.",
    ),
)
CHOICES = (
    Choice("taken", "a marker more after round 5", "max(r.taken) FILTER (r.round = 5)"),
    Choice("hand", "a card more in hand after round 5", "max(r.hand) FILTER (r.round = 5)"),
    Choice("position", "a step more on the track after round 5", "max(r.score) FILTER (r.round = 5)"),
)
