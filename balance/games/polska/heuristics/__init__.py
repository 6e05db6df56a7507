"""Heuristics of Polska: features of actions and of positions."""

from balance.games.polska.heuristics.features import (
    FEATURES,
    POSITION,
    SCRATCH,
    SETTINGS,
    estimate,
    evaluate,
    score_now,
)
