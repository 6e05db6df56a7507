"""Display of Korona Piastów: labels, observations, sentences and panels."""

from balance.games.korona_piastow.display.actions import ACTIONS, OUTCOME_TEXTS, kind_name, list_actions
from balance.games.korona_piastow.display.board import SIGNS, name_round, show, summarise
from balance.games.korona_piastow.display.names import WORDS
from balance.games.korona_piastow.display.observation import conserved, observe
