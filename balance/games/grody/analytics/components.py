"""The components of Grody: fate cards and terrains."""

from __future__ import annotations

from balance.contract.component import Component
from balance.games.grody.display.words import CARDS, TERRAINS
from balance.games.grody.rules import vocabulary
from balance.games.grody.rules.ruleset import Rules


def list_components(rules: Rules) -> list[Component]:
    """Cards and terrains by the numbers that the kernel gives them."""
    cards = [Component(CARDS[card], "fate cards") for card in vocabulary.CARDS]
    terrains = [Component(TERRAINS[name], "terrains", given=False) for name in vocabulary.TERRAINS]
    return cards + terrains
