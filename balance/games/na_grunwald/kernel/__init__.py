"""Compiled rules of Na Grunwald!, one phase in each module."""

from balance.games.na_grunwald.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.na_grunwald.kernel.components import (
    count_components,
    give_component,
    remove_component,
)
from balance.games.na_grunwald.kernel.dealing import conceal, determinize, is_secret
from balance.games.na_grunwald.kernel.flow import (
    apply,
    checkpoint,
    count_actions,
    legal_actions,
    nth_action,
    setup,
)
from balance.games.na_grunwald.kernel.packing import pack_rules
from balance.games.na_grunwald.kernel.resolution import look_at_claims
from balance.games.na_grunwald.kernel.scoring import write_result
from balance.games.na_grunwald.kernel.state import (
    CHANCE,
    COLUMN_NAMES,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
    MOST_COMPONENTS,
    SCRATCH,
    STATE,
)

__all__ = [
    "CHANCE",
    "COLUMNS",
    "COLUMN_NAMES",
    "LOG",
    "MOST_ACTIONS",
    "MOST_COMPONENTS",
    "OUTCOMES",
    "PARTS",
    "SCRATCH",
    "STATE",
    "action_group",
    "apply",
    "checkpoint",
    "choice_block",
    "conceal",
    "count_actions",
    "count_components",
    "determinize",
    "give_component",
    "is_secret",
    "legal_actions",
    "look_at_claims",
    "nth_action",
    "pack_rules",
    "remove_component",
    "setup",
    "write_result",
]
