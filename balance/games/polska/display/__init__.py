"""Polska as people read it: labels, what a seat sees, words and panels."""

from balance.games.polska.display.inventory import conserved
from balance.games.polska.display.labels import kind_name, write_label
from balance.games.polska.display.observation import observe
from balance.games.polska.display.story import say, show, summarise
from balance.games.polska.display.telling import tell

__all__ = [
    "conserved",
    "kind_name",
    "observe",
    "say",
    "show",
    "summarise",
    "tell",
    "write_label",
]
