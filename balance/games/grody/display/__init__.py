"""Display of Grody: labels, observations, sentences and panels."""

from balance.games.grody.display.action_list import list_actions
from balance.games.grody.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.grody.display.observation import conserved, observe
from balance.games.grody.display.panels import show, summarise
from balance.games.grody.display.story import OUTCOME_TEXTS, say, tell
