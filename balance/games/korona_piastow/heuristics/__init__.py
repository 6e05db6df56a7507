"""What bots weigh in Korona Piastów: features of an action, features of a position."""

from balance.games.korona_piastow.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate
from balance.games.korona_piastow.heuristics.position import POSITION, estimate, score_now

__all__ = ["FEATURES", "POSITION", "SCRATCH", "SETTINGS", "estimate", "evaluate", "score_now"]
