"""Compiled rules of Polska, one phase in each module."""

from balance.games.polska.kernel.actions import OUTCOMES, PARTS, action_group, choice_block
from balance.games.polska.kernel.cards import MOST_COMPONENTS, count_components, give_component
from balance.games.polska.kernel.dealing import checkpoint, conceal, determinize, is_secret, setup
from balance.games.polska.kernel.packing import pack_rules
from balance.games.polska.kernel.scoring import write_result
from balance.games.polska.kernel.state import (
    CHANCE,
    COLUMN_NAMES,
    COLUMNS,
    LOG,
    MOST_ACTIONS,
    SCRATCH,
    STATE,
)
from balance.games.polska.kernel.turns import apply, legal_actions

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
    "setup",
    "write_result",
]
