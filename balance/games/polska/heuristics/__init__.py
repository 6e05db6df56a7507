"""What bots weigh in Polska: features of an action."""

from balance.games.polska.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate

__all__ = ["FEATURES", "SCRATCH", "SETTINGS", "evaluate"]
