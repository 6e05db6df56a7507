"""Display of Polska: labels, observations, sentences and panels."""

from balance.games.polska.display.actions import ACTIONS, OUTCOME_TEXTS, kind_name, list_actions
from balance.games.polska.display.board import show, summarise
from balance.games.polska.display.names import WORDS
from balance.games.polska.display.observation import conserved, observe
