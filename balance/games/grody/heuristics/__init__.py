"""What bots weigh in Grody."""

from balance.games.grody.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate

__all__ = ["FEATURES", "SCRATCH", "SETTINGS", "evaluate"]
