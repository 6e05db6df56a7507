"""Heuristics of Na Grunwald!: features of actions and of positions, and the estimates behind them."""

from balance.games.na_grunwald.heuristics.features import (
    FEATURES,
    POSITION,
    SCRATCH,
    SETTINGS,
    best_action,
    estimate,
    evaluate,
    score_now,
)
from balance.games.na_grunwald.heuristics.network import ACTION, CONTEXT, HEADS, context, describe_action
