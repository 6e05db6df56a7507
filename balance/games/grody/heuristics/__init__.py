"""Heuristics of Grody: features of actions and of positions, and the estimates behind them."""

from balance.games.grody.heuristics.features import FEATURES, POSITION, SCRATCH, SETTINGS, estimate, evaluate, score_now
from balance.games.grody.heuristics.network import CONTEXT, HEADS, context
from balance.games.grody.heuristics.network_actions import ACTION, describe_action
