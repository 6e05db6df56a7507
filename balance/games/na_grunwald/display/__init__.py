"""Display of Na Grunwald!: labels, observations, sentences and panels."""

from balance.games.na_grunwald.display.action_list import list_actions
from balance.games.na_grunwald.display.board import SIGNS, show
from balance.games.na_grunwald.display.observation import conserved, observe
from balance.games.na_grunwald.display.story import (
    OUTCOME_TEXTS,
    WORDS,
    kind_name,
    name_round,
    parts_of,
    say,
    summarise,
    tell,
    write_label,
)
