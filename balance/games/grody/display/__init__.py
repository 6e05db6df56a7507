"""Grody as people read it: labels, what a seat sees, words and panels."""

from balance.games.grody.display.inventory import conserved
from balance.games.grody.display.labels import kind_name, write_label
from balance.games.grody.display.observation import observe
from balance.games.grody.display.story import say, show, summarise
from balance.games.grody.display.telling import tell
from balance.games.grody.rules.vocabulary import ENDINGS

WORDS = {"ended_by": ENDINGS}

__all__ = [
    "WORDS",
    "conserved",
    "kind_name",
    "observe",
    "say",
    "show",
    "summarise",
    "tell",
    "write_label",
]
