"""Display of Na Grunwald!: labels, observations, sentences and panels."""

from balance.games.na_grunwald.display.board import SIGNS, show
from balance.games.na_grunwald.display.labels import kind_name, write_label
from balance.games.na_grunwald.display.observation import conserved, observe
from balance.games.na_grunwald.display.story import name_round, say, summarise, tell

__all__ = [
    "SIGNS",
    "conserved",
    "kind_name",
    "name_round",
    "observe",
    "say",
    "show",
    "summarise",
    "tell",
    "write_label",
]
