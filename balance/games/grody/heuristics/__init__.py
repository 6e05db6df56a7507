"""Heuristics of Grody: features of actions and of positions, and the estimates behind them."""

from balance.games.grody.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate
from balance.games.grody.heuristics.position import POSITION, estimate, score_now
