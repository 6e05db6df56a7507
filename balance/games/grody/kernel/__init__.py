"""Compiled rules of Grody, one phase in each module."""

from balance.games.grody.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.grody.kernel.components import (
    MOST_COMPONENTS,
    count_components,
    give_component,
    remove_component,
)
from balance.games.grody.kernel.dealing import checkpoint, conceal, determinize, is_secret, setup
from balance.games.grody.kernel.flow import apply, legal_actions
from balance.games.grody.kernel.packing import pack_rules
from balance.games.grody.kernel.scoring import write_result
from balance.games.grody.kernel.state import (
    CHANCE,
    COLUMN_NAMES,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
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
    "count_components",
    "determinize",
    "give_component",
    "is_secret",
    "legal_actions",
    "pack_rules",
    "remove_component",
    "setup",
    "write_result",
]
