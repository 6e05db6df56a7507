"""Display of Na Grunwald!: labels, observations, sentences and panels."""

from balance.games.na_grunwald.display.actions import ACTIONS, OUTCOME_TEXTS, kind_name, list_actions
from balance.games.na_grunwald.display.board import SIGNS, name_round, show, summarise
from balance.games.na_grunwald.display.names import WORDS
from balance.games.na_grunwald.display.observation import conserved, observe
