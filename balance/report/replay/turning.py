"""The decision that turned a game: after which the win chance of its winner rises most, by the game's fitted value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.records import blank
from balance.engine.buffers import STAGES
from balance.experiments.searchers import load_value
from balance.report.replay.scenes import Replay
from balance.stats.regression import stage_shares, win_chances

VALUE = "default"  # the value file of a game whose weights are used
LEAST_RISE = 0.1  # of a win chance: a game without such a step has no turning point


@dataclass(frozen=True)
class TurningPoint:
    """The decision that turned a game."""

    scene: int  # its number in `balance.report.replay.scenes.Replay.scenes`
    winner: int  # the seat that wins
    before: float  # its win chance before the decision
    after: float  # its win chance before the next one


def find_turning_point(replay: Replay) -> TurningPoint | None:
    """Return the turning point of a finished game.

    It is None without a single winner, without a value for this game and player count, and if no step is large.
    """
    game, players = replay.run.plan.game, replay.cell.players
    winners = replay.seats["seat"][replay.seats["rank"] == 1]
    if replay.game["status"] != "finished" or len(winners) != 1 or VALUE not in game.shipped("values"):
        return None
    weights = load_value(game, VALUE, Path()).weights.get(str(players))
    if weights is None:
        return None
    winner = int(winners.iloc[0])
    chances = np.append(_chances(replay, weights)[:, winner], 1.0)
    rises = np.diff(chances)
    if not len(rises) or rises.max() < LEAST_RISE:
        return None
    turn = int(np.argmax(rises))
    return TurningPoint(replay.decisions[turn][0], winner, float(chances[turn]), float(chances[turn + 1]))


def _chances(replay: Replay, weights: Mapping[str, Sequence[float]]) -> np.ndarray:
    """Return the win chances (decisions, seats) before each decision, by the weights of a value."""
    game, players, count = replay.run.plan.game, replay.cell.players, len(replay.decisions)
    heuristics: Any = game.heuristics
    packed = game.kernel.pack_rules(replay.cell.variant.rules, players)
    scratch: Any = blank(1, game.records.scratch)[0]
    progress, features = np.zeros(count), np.zeros((count, players, len(game.position)))
    for number, (_, state) in enumerate(replay.decisions):
        progress[number] = heuristics.estimate(packed, state, scratch)
        features[number] = scratch.position[:players]
    table = np.array([weights.get(name, [0.0] * STAGES) for name in game.position]).T
    return win_chances(table, features, stage_shares(progress, STAGES))
