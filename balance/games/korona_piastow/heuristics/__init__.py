"""Heuristics of Korona Piastów: features of actions and of positions."""

from balance.games.korona_piastow.heuristics.features import (
    FEATURES,
    POSITION,
    SCRATCH,
    SETTINGS,
    estimate,
    evaluate,
    score_now,
)
