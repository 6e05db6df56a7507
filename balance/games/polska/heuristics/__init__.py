"""Heuristics of Polska: features of actions and of positions, and the estimates behind them."""

from balance.games.polska.heuristics.features import (
    FEATURES,
    POSITION,
    SCRATCH,
    SETTINGS,
    estimate,
    evaluate,
    score_now,
)
from balance.games.polska.heuristics.network import CONTEXT, HEADS, context
from balance.games.polska.heuristics.network_actions import ACTION, describe_action
