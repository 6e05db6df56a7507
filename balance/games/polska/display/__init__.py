"""Display of Polska: labels, observations, sentences and panels."""

from balance.games.polska.display.action_list import list_actions
from balance.games.polska.display.labels import WORDS, kind_name, parts_of, write_label
from balance.games.polska.display.observation import conserved, observe
from balance.games.polska.display.story import OUTCOME_TEXTS, say, show, summarise, tell
