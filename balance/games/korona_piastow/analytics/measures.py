"""What is measured of Korona Piastów alone: how games end, wars, districts, denars, orders."""

from __future__ import annotations

from balance.contract.measure import Choice, Measure

BOX_MINUTES = (60, 120)
SECONDS_PER_CHOICE = (7, 14)
SCORE_PARTS: tuple[tuple[str, str], ...] = ()
TIE_BREAK = ("denars", ("denars",))


def _ending(name: str, label: str, meaning: str) -> Measure:
    """Share of the games that end in one of the ways of END-3."""
    return Measure(
        f"ended_by_{name}",
        label,
        f"(\"end\" = '{name}')::INT",
        "%",
        per_game=True,
        scale=100,
        meaning=meaning,
    )


MEASURES = (
    _ending("crown", "ended by the crown", "Share of the games in which a ruler reaches the crown."),
    _ending("last", "ended with one left", "Share of the games in which all others are out."),
    _ending("limit", "ended at the last round", "Share of the games that reach the last round."),
    Measure("reshuffles", "reshuffles", "reshuffles", per_game=True, meaning="Of the event cards."),
    Measure("out", "out of the game", "(out_round > 0)::INT", "%", scale=100, meaning="Share of seats."),
    Measure("invasions", "invasions", "invasions", meaning="By a seat, revenge too."),
    Measure(
        "invasions_won",
        "invasions won",
        "won::DOUBLE / nullif(invasions, 0)",
        "%",
        scale=100,
        meaning="Share of a seat's invasions.",
    ),
    Measure("lost_fiefs", "fiefs lost", "lost_fiefs", meaning="Held by a seat, lost to another."),
    Measure("joined", "districts joined", "joined", meaning="To a seat's state."),
    Measure("claims", "claims paid", "claims", meaning="By a seat."),
    Measure("devastated", "fiefs devastated", "devastated", meaning="By a seat, of its own choice."),
    Measure("tribute", "tribute", "tribute", "denars", meaning="Of a seat over the game."),
    Measure("built", "buildings finished", "built", meaning="In districts of a seat."),
    Measure("mustered", "units mustered", "mustered", meaning="By a seat's orders."),
    Measure("quests", "quests", "quests", meaning="Carried out by a seat."),
    Measure("tithes", "tithes", "tithes", meaning="Carried out by a seat."),
    Measure("spies", "spies", "spies", meaning="Sent by a seat."),
    Measure(
        "dropped",
        "orders given up",
        "dropped::DOUBLE / nullif(orders_given, 0)",
        "%",
        scale=100,
        meaning="Share of a seat's orders.",
    ),
)
CHOICES = (
    Choice("fiefs", "a fief more after round 3", "max(r.fiefs) FILTER (r.round = 3)"),
    Choice("units", "a unit more after round 3", "max(r.units) FILTER (r.round = 3)"),
    Choice("denars", "a denar more after round 3", "max(r.denars) FILTER (r.round = 3)"),
)
