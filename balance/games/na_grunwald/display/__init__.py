"""Na Grunwald! as people read it: labels, what a seat sees, words and panels."""

from balance.games.na_grunwald.display.board import SIGNS, show
from balance.games.na_grunwald.display.inventory import conserved
from balance.games.na_grunwald.display.labels import kind_name, write_label
from balance.games.na_grunwald.display.observation import observe
from balance.games.na_grunwald.display.story import say, summarise
from balance.games.na_grunwald.display.telling import name_round, tell

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
