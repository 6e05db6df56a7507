"""Heuristics of Na Grunwald!: features of actions and of positions, and the estimates behind them."""

from balance.games.na_grunwald.heuristics.features import (
    FEATURES,
    SCRATCH,
    SETTINGS,
    best_action,
    evaluate,
)
from balance.games.na_grunwald.heuristics.position import POSITION, estimate, score_now

__all__ = [
    "FEATURES",
    "POSITION",
    "SCRATCH",
    "SETTINGS",
    "best_action",
    "estimate",
    "evaluate",
    "score_now",
]
