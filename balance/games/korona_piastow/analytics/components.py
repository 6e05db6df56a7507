"""The components of Korona Piastów: magnates, buildings, units and events."""

from __future__ import annotations

from balance.contract.component import Component
from balance.games.korona_piastow.display.words import thing
from balance.games.korona_piastow.rules.ruleset import Rules
from balance.games.korona_piastow.rules.vocabulary import BUILDINGS, TRAITS, UNITS


def list_components(rules: Rules) -> list[Component]:
    """By the numbers that the kernel gives them; units but foreign ones, which nobody musters."""
    magnates = [Component(f"magnate of {trait}", "magnates") for trait in TRAITS]
    buildings = [Component(thing(kind), "buildings") for kind in BUILDINGS]
    units = [Component(thing(kind), "units") for kind in UNITS[:-1]]
    events = [Component(card.name, "events", given=False) for card in rules.events.cards]
    return magnates + buildings + units + events
