"""Display of Na Grunwald!: labels, observations, sentences and panels."""

from balance.games.na_grunwald.display.actions import ACTIONS, kind_name, list_actions, parts_of, say, write_label
from balance.games.na_grunwald.display.board import SIGNS, show, summarise
from balance.games.na_grunwald.display.names import WORDS
from balance.games.na_grunwald.display.observation import conserved, observe
from balance.games.na_grunwald.display.story import OUTCOME_TEXTS, name_round
