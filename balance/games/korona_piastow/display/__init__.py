"""Display of Korona Piastów: labels, observations, sentences and panels."""

from balance.games.korona_piastow.display.board import show, summarise
from balance.games.korona_piastow.display.labels import kind_name, write_label
from balance.games.korona_piastow.display.observation import conserved, observe
from balance.games.korona_piastow.display.story import name_round, say, tell
from balance.games.korona_piastow.rules.geography import ENDINGS
from balance.games.korona_piastow.rules.ruleset import list_lines

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
