"""Compiled rules of Polska, one phase in each module."""

from balance.games.polska.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.polska.kernel.cards import MOST_COMPONENTS, count_components, give_component
from balance.games.polska.kernel.dealing import checkpoint, conceal, determinize, is_secret, setup
from balance.games.polska.kernel.state import (
    CHANCE,
    COLUMN_NAMES,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
    SCRATCH,
    STATE,
    pack_rules,
)
from balance.games.polska.kernel.turns import apply, legal_actions, write_result
