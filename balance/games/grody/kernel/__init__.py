"""The compiled rules of Grody, one phase a module."""

from balance.games.grody.kernel.actions import alike, choice_block
from balance.games.grody.kernel.components import (
    MOST_COMPONENTS,
    count_components,
    give_component,
    remove_component,
)
from balance.games.grody.kernel.dealing import setup
from balance.games.grody.kernel.flow import apply, legal_actions
from balance.games.grody.kernel.hidden import checkpoint, conceal, is_secret, redeal
from balance.games.grody.kernel.packing import pack_rules
from balance.games.grody.kernel.scoring import write_result
from balance.games.grody.kernel.state import (
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
    "remove_component",
    "setup",
    "write_result",
]
