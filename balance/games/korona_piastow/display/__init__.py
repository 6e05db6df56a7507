"""Korona Piastów as people read it: labels, what a seat sees, words and panels."""

from balance.games.korona_piastow.display.inventory import conserved
from balance.games.korona_piastow.display.labels import kind_name, write_label
from balance.games.korona_piastow.display.observation import observe
from balance.games.korona_piastow.display.panels import show, summarise
from balance.games.korona_piastow.display.story import say
from balance.games.korona_piastow.display.telling import name_round, tell
from balance.games.korona_piastow.rules.ruleset import list_lines
from balance.games.korona_piastow.rules.vocabulary import ENDINGS

WORDS = {"line": list_lines, "end": ENDINGS}

__all__ = [
    "WORDS",
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
