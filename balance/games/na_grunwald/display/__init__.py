"""Na Grunwald! as people read it: labels, what a seat sees, words and panels."""

from balance.games.na_grunwald.display.inventory import conserved
from balance.games.na_grunwald.display.labels import kind_name, write_label
from balance.games.na_grunwald.display.observation import observe
from balance.games.na_grunwald.display.story import say, show, summarise

__all__ = [
    "conserved",
    "kind_name",
    "observe",
    "say",
    "show",
    "summarise",
    "write_label",
]
