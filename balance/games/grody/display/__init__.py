"""Display of Grody: labels, observations, sentences and panels."""

from balance.games.grody.display.labels import kind_name, write_label
from balance.games.grody.display.observation import conserved, observe
from balance.games.grody.display.story import say, show, summarise, tell
from balance.games.grody.rules.geography import ENDINGS

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
