"""Display of Grody: labels, observations, sentences and panels."""

from balance.games.grody.display.actions import ACTIONS, OUTCOME_TEXTS, kind_name, list_actions
from balance.games.grody.display.board import show, summarise
from balance.games.grody.display.names import WORDS
from balance.games.grody.display.observation import conserved, observe
