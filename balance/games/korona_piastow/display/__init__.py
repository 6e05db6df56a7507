"""Display of Korona Piastów: labels, observations, sentences and panels."""

from balance.games.korona_piastow.display.action_list import list_actions
from balance.games.korona_piastow.display.board import SIGNS, show, summarise
from balance.games.korona_piastow.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.korona_piastow.display.observation import conserved, observe
from balance.games.korona_piastow.display.story import OUTCOME_TEXTS, name_round, say, tell
