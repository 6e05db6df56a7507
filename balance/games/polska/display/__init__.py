"""Display of Polska: labels, observations, sentences and panels."""

from balance.games.polska.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.polska.display.observation import conserved, observe
from balance.games.polska.display.story import OUTCOME_TEXTS, say, show, summarise, tell

__all__ = [
    "OUTCOME_TEXTS",
    "WORDS",
    "conserved",
    "kind_name",
    "observe",
    "parts_of",
    "say",
    "show",
    "summarise",
    "tell",
    "write_label",
]
