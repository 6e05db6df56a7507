"""Display of Grody: labels, observations, sentences and panels."""

from balance.games.grody.display.actions import ACTIONS, kind_name, list_actions, parts_of, say, write_label
from balance.games.grody.display.board import show, summarise
from balance.games.grody.display.names import WORDS
from balance.games.grody.display.observation import conserved, observe
from balance.games.grody.display.story import OUTCOME_TEXTS
