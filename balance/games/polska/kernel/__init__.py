"""The compiled rules of Polska, one phase a module."""

from balance.games.polska.kernel.actions import alike, choice_block
from balance.games.polska.kernel.components import MOST_COMPONENTS, count_components, give_component
from balance.games.polska.kernel.dealing import setup
from balance.games.polska.kernel.flow import apply, legal_actions
from balance.games.polska.kernel.hidden import checkpoint, conceal, is_secret, redeal
from balance.games.polska.kernel.packing import pack_rules
from balance.games.polska.kernel.scoring import write_result
from balance.games.polska.kernel.state import (
    CHANCE,
    GAME_COLUMNS,
    LOG,
    MOST_ACTIONS,
    SCRATCH,
    SEAT_COLUMNS,
    STATE,
)

__all__ = [
    "CHANCE",
    "GAME_COLUMNS",
    "LOG",
    "MOST_ACTIONS",
    "MOST_COMPONENTS",
    "SCRATCH",
    "SEAT_COLUMNS",
    "STATE",
    "alike",
    "apply",
    "checkpoint",
    "choice_block",
    "conceal",
    "count_components",
    "give_component",
    "is_secret",
    "legal_actions",
    "pack_rules",
    "redeal",
    "setup",
    "write_result",
]
