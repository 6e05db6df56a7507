"""Display of Polska: labels, observations, sentences and panels."""

from balance.games.polska.display.actions import ACTIONS, kind_name, list_actions, parts_of, say, write_label
from balance.games.polska.display.board import show, summarise
from balance.games.polska.display.names import WORDS
from balance.games.polska.display.observation import conserved, observe
from balance.games.polska.display.story import OUTCOME_TEXTS
