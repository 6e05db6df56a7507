"""Measures, components and styles of play that only Korona Piastów has; report sections in `sections`."""

from __future__ import annotations

from balance.contract.analytics import Choice, Component, Measure, OptionSet, Style
from balance.contract.restrictions import Restriction
from balance.foundation.language import N_
from balance.games.korona_piastow.display.names import thing, written
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, TRAITS, UNITS

_MAGNATES = {
    "attack": N_("magnate of attack"),
    "defence": N_("magnate of defence"),
    "money": N_("magnate of money"),
    "time": N_("magnate of time"),
}


def list_components(rules: Rules) -> list[Component]:
    """Return all components in the order of their kernel numbers, without foreign units, which no ruler musters."""
    magnates = [Component(_MAGNATES[trait], "magnates") for trait in TRAITS]
    buildings = [Component(thing(kind), "buildings") for kind in BUILDINGS]
    units = [Component(thing(kind), "units") for kind in UNITS[:-1]]
    events = [Component(card.name, "events", given=False) for card in rules.events.cards]
    return magnates + buildings + units + events


_ORDERS = {"orders_given": 1.0}

STYLES = {
    "builder": Style("number of buildings finished per order that it gives", {"built": 1}, _ORDERS, "many buildings"),
    "conqueror": Style("number of claims paid per invasion (invasions of rulers and foreign states need claims)",
                       {"claims": 1}, {"invasions": 1}, "many claims"),
    "gatherer": Style("share of its invasions that it wins (high for land without a ruler)",
                      {"won": 1}, {"invasions": 1}, "easy invasions"),
    "quester": Style("number of quests per order that it gives", {"quests": 1}, _ORDERS, "many quests"),
    "recruiter": Style("number of units mustered per order that it gives", {"mustered": 1}, _ORDERS, "many units"),
}  # fmt: skip

FACTION = "line"


def list_factions(rules: Rules) -> dict[str, str]:
    """Return the lines that a ruler may have, with their names."""
    return {district.id: written(district.id) for district in rules.map.districts if district.line}


OPTIONS = (
    OptionSet("orders", "kind = 'order'", "order_kind", {each: thing(each) for each in ORDERS}),
    OptionSet("buildings", "kind = 'build' AND deed = 'build'", "building", {each: thing(each) for each in BUILDINGS}),
    OptionSet("units", "kind = 'muster' AND deed = 'muster'", "unit", {each: thing(each) for each in UNITS[:-1]}),
)
BOX_MINUTES = (60, 120)
SECONDS_PER_CHOICE = (7, 14)
SCORE_PARTS: tuple[tuple[str, str], ...] = ()
TIE_BREAK = ("denars", ("denars",))
MEASURES = (
    Measure("ended_by_crown", "ended by the crown", "(\"end\" = 'crown')::INT", "%", per_game=True, scale=100,
            meaning="Share of games in which a ruler reaches the crown."),
    Measure("ended_by_last", "ended with one left", "(\"end\" = 'last')::INT", "%", per_game=True, scale=100,
            meaning="Share of games in which all other rulers are eliminated."),
    Measure("ended_by_limit", "ended at the last round", "(\"end\" = 'limit')::INT", "%", per_game=True, scale=100,
            meaning="Share of games that reach the last round."),
    Measure("reshuffles", "reshuffles", "reshuffles", per_game=True, meaning="Of the event cards."),
    Measure("out", "out of the game", "(out_round > 0)::INT", "%", scale=100, meaning="Share of seats."),
    Measure("invasions", "invasions", "invasions", meaning="By a seat, including revenge."),
    Measure("invasions_won", "invasions won", "won::DOUBLE / nullif(invasions, 0)", "%", scale=100,
            meaning="Share of a seat's invasions that it wins."),
    Measure("lost_fiefs", "fiefs lost", "lost_fiefs", meaning="Held by a seat, lost to another."),
    Measure("joined", "districts joined", "joined", meaning="To a seat's state."),
    Measure("claims", "claims paid", "claims", meaning="By a seat."),
    Measure("devastated", "fiefs devastated", "devastated", meaning="By a seat, by choice."),
    Measure("tribute", "tribute", "tribute", "denars", meaning="Of a seat over the game."),
    Measure("built", "buildings finished", "built", meaning="In districts of a seat."),
    Measure("mustered", "units mustered", "mustered", meaning="By a seat's orders."),
    Measure("quests", "quests", "quests", meaning="Carried out by a seat."),
    Measure("tithes", "tithes", "tithes", meaning="Carried out by a seat."),
    Measure("spies", "spies", "spies", meaning="Sent by a seat."),
    Measure("dropped", "orders given up", "dropped::DOUBLE / nullif(orders_given, 0)", "%", scale=100,
            meaning="Share of a seat's orders that it gives up."),
)  # fmt: skip
CHOICES = (
    Choice("fiefs", "one more fief after round 3", "max(r.fiefs) FILTER (r.round = 3)"),
    Choice("units", "one more unit after round 3", "max(r.units) FILTER (r.round = 3)"),
    Choice("denars", "one more denar after round 3", "max(r.denars) FILTER (r.round = 3)"),
)

RESTRICTIONS = {
    "muster": Restriction(title="orders to muster", patterns=["order muster"]),
    "regroup": Restriction(title="orders to regroup", patterns=["order regroup"]),
    "build": Restriction(title="orders to build", patterns=["order build"]),
    "invade": Restriction(title="orders to invade", patterns=["order invade"]),
    "defend": Restriction(title="orders to defend", patterns=["order defend"]),
    "quest": Restriction(title="quests", patterns=["order quest"]),
    "siege": Restriction(title="sieges", patterns=["order siege"]),
    "knights": Restriction(title="new knights", patterns=["muster knight"]),
    "second-knight": Restriction(title="a second new knight", patterns=["muster knight"], at_most=1),
    "raising": Restriction(title="raising infantry at court", patterns=["raise *"]),
}
"""What a player may be asked to do without, for `balance restrict`."""
