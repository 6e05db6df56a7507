"""Display of Na Grunwald!: labels, observations, sentences and panels."""

from balance.games.na_grunwald.display.board import SIGNS, show
from balance.games.na_grunwald.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.na_grunwald.display.observation import conserved, observe
from balance.games.na_grunwald.display.story import OUTCOME_TEXTS, name_round, say, summarise, tell

__all__ = [
    "OUTCOME_TEXTS",
    "SIGNS",
    "WORDS",
    "conserved",
    "kind_name",
    "name_round",
    "observe",
    "parts_of",
    "say",
    "show",
    "summarise",
    "tell",
    "write_label",
]
