"""Heuristics of Korona Piastów: features of actions and of positions."""

from balance.games.korona_piastow.heuristics.features import FEATURES, SCRATCH, SETTINGS, evaluate
from balance.games.korona_piastow.heuristics.position import POSITION, estimate, score_now
