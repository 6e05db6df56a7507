"""What bots weigh in Korona Piastów."""

from balance.games.korona_piastow.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate

__all__ = ["FEATURES", "SCRATCH", "SETTINGS", "evaluate"]
