"""Display of Korona Piastów: labels, observations, sentences and panels."""

from balance.games.korona_piastow.display.actions import ACTIONS, kind_name, list_actions, parts_of, say, write_label
from balance.games.korona_piastow.display.board import SIGNS, show, summarise
from balance.games.korona_piastow.display.names import WORDS
from balance.games.korona_piastow.display.observation import conserved, observe
from balance.games.korona_piastow.display.story import OUTCOME_TEXTS, name_round
