"""Measures, components and styles of play that only Grody has; its report sections are in `sections`."""

from __future__ import annotations

from typing import Any

from balance.contract.analytics import Choice, Closeness, Component, Measure, OptionSet, Style
from balance.contract.restrictions import Restriction
from balance.foundation.language import trn, write_number
from balance.foundation.text import listed
from balance.games.grody.display.names import BUILDING_TITLES, CARD_TITLES, TERRAIN_TITLES
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS, Rules


def list_components(rules: Rules) -> list[Component]:
    """Return cards and terrains in the order of their kernel numbers."""
    cards = [Component(CARD_TITLES[card], "fate cards") for card in CARDS]
    terrains = [Component(TERRAIN_TITLES[name], "terrains", given=False) for name in TERRAINS]
    return cards + terrains


_BUILT = {f"built_{kind}": 1.0 for kind in BUILDINGS}

STYLES = {
    "builder": Style("number of buildings per card drawn (about one a turn)", _BUILT, {"drawn": 1}, "many buildings"),
    "card-keeper": Style("share of its cards that are in hand at the end", {"hand": 1}, {"drawn": 1}, "cards kept"),
    "holder": Style("share of the attacks on it that it beats off", {"defences_won": 1}, {"defences": 1},
                    "strong defence"),
    "raider": Style("number of attacks per segment that it explores", {"attacks": 1}, {"explored": 1}, "many attacks"),
    "rusher": Style("score for taking the enemy's gród", {"score": 1, "victory_points": -1}, {}, "conquest"),
    "warband": Style("share of its attacks that it wins", {"attacks_won": 1}, {"attacks": 1}, "attacks won"),
}  # fmt: skip

OPTIONS = (
    OptionSet("fate cards", "kind IN ('card', 'answer') AND card IS NOT NULL", "card", CARD_TITLES),
    OptionSet("buildings", "kind = 'build' AND building IS NOT NULL", "building", BUILDING_TITLES),
)
SECONDS_PER_CHOICE = (5, 10)
SCORE_PARTS: tuple[tuple[str, str], ...] = ()  # the points of a conquest have no column


MEASURES = (
    Measure("ended_by_conquest", "ended by conquest", "(ended_by = 'conquest')::INT", "%", per_game=True, scale=100,
            meaning="Share of games that end by conquest (END-1)."),
    Measure("ended_by_dominance", "ended by dominance", "(ended_by = 'dominance')::INT", "%", per_game=True, scale=100,
            meaning="Share of games that end by dominance (END-2)."),
    Measure("ended_by_limit", "ended at the limit", "(ended_by = 'limit')::INT", "%", per_game=True, scale=100,
            meaning="Share of games that reach the last turn (END-3)."),
    Measure("turns", "turns", "turns", per_game=True, meaning="Of both players together."),
    Measure("combats", "combats", "combats", per_game=True, meaning="In a game."),
    Measure("rounds_per_combat", "rounds of a combat", "combat_rounds::DOUBLE / nullif(combats, 0)", per_game=True,
            meaning="Mean over a game's combats."),
    Measure("attacks_won", "attacks won", "attacks_won::DOUBLE / nullif(attacks, 0)", "%", scale=100,
            meaning="Share of a seat's combats as attacker that it won."),
    Measure("segments", "segments owned", "segments", meaning="By a seat at the end."),
    Measure("taken", "segments taken", "taken", meaning="From the enemy, by a seat."),
    Measure("warriors_lost", "warriors lost", "lost", meaning="By a seat, in combat."),
    Measure("captured", "warriors captured", "captured", meaning="A seat's warriors that the enemy captured."),
    Measure("cards_drawn", "cards drawn", "drawn", meaning="By a seat."),
    Measure("cancelled", "cards cancelled", "cancelled", meaning="A seat's cards that a czarodziej cancelled."),
    Measure("built", "buildings", "built_zasieki + built_most + built_twierdza", meaning="Built by a seat."),
)  # fmt: skip
CHOICES = (
    Choice("segments", "one more segment after round 5", "max(r.segments) FILTER (r.round = 5)"),
    Choice("warriors", "one more warrior after round 5", "max(r.warriors) FILTER (r.round = 5)"),
    Choice("hand", "one more card in hand after round 5", "max(r.hand) FILTER (r.round = 5)"),
)


def _describe_closest(game: Any) -> str:
    return trn(
        "undecided for {n:g} turn, victory points {points}",
        "undecided for {n:g} turns, victory points {points}",
        game.turns,
        points=listed([write_number(points, "g") for points in game.points]),
    )


CLOSENESS = Closeness(
    {
        "turns": "any_value(e.turns)",
        "open_longest": "-any_value(e.turns)",
        "points": "list(s.victory_points ORDER BY s.rank, s.seat)",
        "apart": "max(s.victory_points) - min(s.victory_points)",
        "segments_apart": "max(s.segments) - min(s.segments)",
    },
    ("open_longest", "apart", "segments_apart"),
    _describe_closest,
    "the longest, and of equally long ones the smallest lead,",
)
"""Grody does not measure closeness by margin: a conquest adds to the score, and dominance needs a lead."""

RESTRICTIONS = {
    "abatis": Restriction(title="abatis", patterns=["build zasieki *"]),
    "bridges": Restriction(title="bridges", patterns=["build most *"]),
    "forts": Restriction(title="forts", patterns=["build twierdza *"]),
    "cards": Restriction(title="fate cards", patterns=["kind=card & play *"]),
    "second-card": Restriction(title="fate cards after the first", patterns=["kind=card & play *"], at_most=1),
    "ambushes": Restriction(title="ambushes (zasadzka)", patterns=["play zasadzka *"]),
    "manoeuvres": Restriction(title="manoeuvres (doskonaly_manewr)", patterns=["play doskonaly_manewr *"]),
    "wizards": Restriction(title="the answer with a czarodziej", patterns=["play czarodziej"]),
    "exchange": Restriction(title="the exchange of a terrain", patterns=["exchange"]),
    "ransoms": Restriction(title="ransoms", patterns=["ransom *"]),
}
"""What a player may be asked to do without, for `balance restrict`."""
