"""Measures, components and styles of play that only Polska has; its report sections are in `sections`."""

from __future__ import annotations

from balance.contract.analytics import Choice, Component, Measure, OptionSet, Style
from balance.contract.restrictions import Restriction
from balance.foundation.language import N_, tr
from balance.games.polska.display.names import written
from balance.games.polska.kernel.state import KINDS, STEPPING
from balance.games.polska.rules.components import list_faces
from balance.games.polska.rules.ruleset import Rules

_FAMILIES = {"grey": N_("grey cards"), "blue": N_("blue cards"), "city": N_("city cards")}
_SHOWN = {
    "grey": N_("grey {value}"),
    "blue": N_("blue {value}"),
    "city": N_("city {value}"),
    "eagle": N_("eagle"),
    "coach": N_("coach"),
    "train": N_("train"),
    "stop": N_("stop"),
}
"""Names of components as shown, by kind."""


def list_components(rules: Rules) -> list[Component]:
    """Return the different cards in the order of their numbers; grey cards name the event of their year."""
    events = {field.year: written(field.name) for field in rules.track.fields}
    found = []
    for kind, number in list_faces(rules.cards):
        value = written(number) if isinstance(number, str) else str(number)
        if kind == "grey" and number in events:
            value += f", {events[number]}"
        name = f"{kind} {value}" if number else kind
        family = _FAMILIES.get(kind, N_("other cards"))
        found.append(Component(name, family, shown=tr(_SHOWN[kind], value=value)))
    return found


_TURNS = {"own_turns": 1.0}
_STEPS = {f"{kind}_steps": 1.0 for kind in STEPPING}
_PLAYED = {f"{kind}_played": 1.0 for kind in KINDS}
_KEPT = {"drawn": 1.0, "thrown": -1.0, **{column: -factor for column, factor in _PLAYED.items()}}

STYLES = {
    "blocker": Style("share of the cards it plays that are stop cards", {"stop_played": 1}, _PLAYED, "stop cards"),
    "card-hoarder": Style("share of its cards that are in hand at the end", _KEPT, {"drawn": 1}, "cards kept"),
    "city-visitor": Style("share of its steps from city cards", {"city_steps": 1}, _STEPS, "city cards"),
    "history-reader": Style("share of its steps from grey cards", {"grey_steps": 1}, _STEPS, "grey cards"),
    "marker-runner": Style("number of markers per turn", {"markers": 1}, _TURNS, "many markers"),
    "sprinter": Style("number of cards played per turn", _PLAYED, _TURNS, "many cards"),
}


OPTIONS = (
    OptionSet(
        "cards",
        "kind IN ('act', 'more') AND label LIKE 'play %'",
        "split_part(label, ' ', 2)",
        {
            "grey": N_("grey cards"),
            "blue": N_("blue cards"),
            "city": N_("city cards"),
            "eagle": N_("eagle cards"),
            "stop": N_("stop cards"),
            "train": N_("train cards"),
            "coach": N_("coach cards"),
        },
    ),
)
BOX_MINUTES = (20, 30)
# The shipped strategies give 25 with four players.
SECONDS_PER_CHOICE = (5, 10)
SCORE_PARTS = (
    ("grey_steps", N_("grey cards")),
    ("blue_steps", N_("blue cards")),
    ("city_steps", N_("city cards")),
    ("eagle_steps", N_("white eagles")),
)
MEASURES = (
    Measure("turns", "turns", "turns", per_game=True, meaning="Of all players together."),
    Measure("draws", "draws", "(status = 'draw')::INT", "%", per_game=True, scale=100,
            meaning="Share of games drawn (END-2)."),
    Measure("reshuffles", "reshuffles", "reshuffles", per_game=True, meaning="Of the cards."),
    Measure("markers", "markers taken", "markers", meaning="By a seat."),
    Measure("cards_drawn", "cards drawn", "drawn", meaning="By a seat, for markers."),
    Measure("cards_thrown", "cards thrown away", "thrown", meaning="By a seat, over the hand limit."),
    Measure("blocked_turns", "blocked turns", "blocked::DOUBLE / nullif(own_turns, 0)", "%", scale=100,
            meaning="Share of a seat's turns lost to stop cards."),
    Measure("idle_turns", "idle turns", "idle::DOUBLE / nullif(own_turns, 0)", "%", scale=100,
            meaning="Share of a seat's turns in which it does nothing."),
    Measure("dice_seen", "dice to choose from", "dice_seen",
            meaning="Dice left when a seat chooses a die, mean over its turns."),
)  # fmt: skip
CHOICES = (
    Choice("taken", "one more marker after round 5", "max(r.taken) FILTER (r.round = 5)"),
    Choice("hand", "one more card in hand after round 5", "max(r.hand) FILTER (r.round = 5)"),
    Choice("position", "one more step on the track after round 5", "max(r.score) FILTER (r.round = 5)"),
)

RESTRICTIONS = {
    "grey-cards": Restriction(title="grey cards", patterns=["play grey *"]),
    "blue-cards": Restriction(title="blue cards", patterns=["play blue *"]),
    "city-cards": Restriction(title="city cards", patterns=["play city *"]),
    "eagles": Restriction(title="white eagles", patterns=["play eagle"]),
    "stop-cards": Restriction(title="stop cards", patterns=["play stop *"]),
    "trains": Restriction(title="trains", patterns=["play train *"]),
    "second-train": Restriction(title="a second train", patterns=["play train *"], at_most=1),
    "coaches": Restriction(title="coaches", patterns=["play coach"]),
    "more-cards": Restriction(title="more than one card a turn", patterns=["kind=more & play *"]),
    "high-dice": Restriction(title="dice of 5 and 6", patterns=["die [56]"]),
}
"""What a player may be asked to do without, for `balance restrict`."""
