"""Compiled rules of Na Grunwald!, one phase in each module."""

from balance.games.na_grunwald.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.na_grunwald.kernel.dealing import count_components, give_component, remove_component
from balance.games.na_grunwald.kernel.flow import apply, checkpoint, count_actions, legal_actions, nth_action, setup
from balance.games.na_grunwald.kernel.hidden import conceal, determinize, is_secret
from balance.games.na_grunwald.kernel.resolution import look_at_claims
from balance.games.na_grunwald.kernel.scoring import write_result
from balance.games.na_grunwald.kernel.skirmish import look_at_krzyzacy
from balance.games.na_grunwald.kernel.state import (
    CHANCE,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
    MOST_COMPONENTS,
    SCRATCH,
    STATE,
    pack_rules,
)
