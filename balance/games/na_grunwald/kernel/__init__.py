"""The compiled rules of Na Grunwald!, one phase a module."""

from balance.games.na_grunwald.kernel.flow import apply, legal_actions, setup
from balance.games.na_grunwald.kernel.packing import pack_rules
from balance.games.na_grunwald.kernel.scoring import write_result
from balance.games.na_grunwald.kernel.state import (
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
    "SCRATCH",
    "SEAT_COLUMNS",
    "STATE",
    "apply",
    "legal_actions",
    "pack_rules",
    "setup",
    "write_result",
]
