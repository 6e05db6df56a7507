"""Display of Grody: labels, observations, sentences and panels."""

from balance.games.grody.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.grody.display.observation import conserved, observe
from balance.games.grody.display.story import OUTCOME_TEXTS, say, show, summarise, tell

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
