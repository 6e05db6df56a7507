"""The decision that turned a game: after which the win chance of its winner rises most, by the game's fitted value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import softmax

from balance.contract.records import blank
from balance.engine.buffers import STAGES
from balance.experiments.searchers import load_value
from balance.report.replay.scenes import Replay

VALUE = "default"  # the value file of a game whose weights are used
LEAST_RISE = 0.1  # of a win chance: a game without such a step has no turning point


@dataclass(frozen=True)
class TurningPoint:
    """The decision that turned a game.

    Attributes
    ----------
    scene : int
        Its number in `balance.report.replay.scenes.Replay.scenes`.
    winner : int
        The seat that wins.
    before, after : float
        Its win chance before the decision, and before the next one.
    """

    scene: int
    winner: int
    before: float
    after: float


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
    winner, judge = int(winners.iloc[0]), _Judge(replay, weights)
    chances = [*(judge.chances(before)[winner] for _, before in replay.decisions), 1.0]
    rises = np.diff(chances)
    if not len(rises) or rises.max() < LEAST_RISE:
        return None
    turn = int(np.argmax(rises))
    return TurningPoint(replay.decisions[turn][0], winner, chances[turn], chances[turn + 1])


class _Judge:
    """The win chances of all seats in a position, by the weights of a value at a player count."""

    def __init__(self, replay: Replay, weights: Mapping[str, Sequence[float]]) -> None:
        game = replay.run.plan.game
        heuristics: Any = game.heuristics
        self._estimate = heuristics.estimate
        self._packed = game.kernel.pack_rules(replay.cell.variant.rules, replay.cell.players)
        self._scratch: Any = blank(1, game.records.scratch)[0]
        self._players = replay.cell.players
        self._weights = np.array([weights.get(name, [0.0] * STAGES) for name in game.position])

    def chances(self, state: np.record) -> np.ndarray:
        """Return the win chance of each seat, as `balance.engine.search` computes it."""
        progress = self._estimate(self._packed, state, self._scratch)
        stage = min(float(progress), 1.0) * (STAGES - 1)
        now = [np.interp(stage, range(STAGES), stages) for stages in self._weights]
        return np.asarray(softmax(self._scratch.position[: self._players] @ np.array(now)))
