"""Heuristics of Polska: features of actions and of positions."""

from balance.games.polska.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate
from balance.games.polska.heuristics.position import POSITION, estimate, score_now
