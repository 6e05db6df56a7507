"""Heuristics of Korona Piastów: features of actions and of positions."""

from balance.games.korona_piastow.heuristics.features import FEATURES, POSITION, SETTINGS, estimate, evaluate, score_now
from balance.games.korona_piastow.heuristics.network import CONTEXT, HEADS, context
from balance.games.korona_piastow.heuristics.network_actions import ACTION, describe_action
from balance.games.korona_piastow.heuristics.prospects import SCRATCH
