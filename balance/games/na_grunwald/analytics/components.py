"""The components of Na Grunwald!: knights, captives, cards of provisions and ducats, events."""

from __future__ import annotations

from balance.contract.component import Component
from balance.contract.words import listed
from balance.games.na_grunwald.kernel.state import STRENGTHS
from balance.games.na_grunwald.rules.decks import list_events
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import MOST_CARDS

KNIGHTS = ("crown knight", "mercenary", "captive")
NO_CARD = Component("none", "none")  # a place in a table that the rule set leaves empty


def list_components(rules: Rules) -> list[Component]:
    """All by the numbers that the kernel gives them, see `kernel.state`."""
    found = [
        Component(f"{knight} {strength}", "captives" if knight == "captive" else "knights")
        for knight in KNIGHTS
        for strength in range(STRENGTHS)
    ]
    for name, table in (("provisions", rules.cards.provisions), ("ducats", rules.cards.ducats)):
        cards = [Component(f"{name} {listed(values)}", f"{name} cards") for values in table.values]
        found += cards + [NO_CARD] * (MOST_CARDS - len(cards))
    return found + [
        Component(event.name, "events", given=False) for event in list_events(rules.event_deck)
    ]
