"""What bots weigh in Na Grunwald!: features of an action, and the judgements behind them."""

from balance.games.na_grunwald.heuristics.features import (
    FEATURES,
    SCRATCH,
    SETTINGS,
    best_action,
    evaluate,
)

__all__ = ["FEATURES", "SCRATCH", "SETTINGS", "best_action", "evaluate"]
