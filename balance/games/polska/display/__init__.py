"""Display of Polska: labels, observations, sentences and panels."""

from balance.games.polska.display.labels import kind_name, write_label
from balance.games.polska.display.observation import conserved, observe
from balance.games.polska.display.story import say, show, summarise, tell

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
