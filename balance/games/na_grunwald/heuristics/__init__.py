"""What bots weigh in Na Grunwald!: features of an action, and the judgements behind them."""

from balance.games.na_grunwald.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate

__all__ = ["FEATURES", "SCRATCH", "SETTINGS", "evaluate"]
