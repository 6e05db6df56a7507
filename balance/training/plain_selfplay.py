"""Self-play of players of a game in plain Python, cut into segments that other processes may play."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.foundation.streams import derive_many
from balance.plain.inputs import Inputs
from balance.plain.interface import counts_score
from balance.plain.learned import Arrays
from balance.runs.workers import Workers
from balance.training.network_fit import Adam, copy_arrays, under
from balance.training.plain_fit import Learner, Pace
from balance.training.plain_play import Board, new_learner

SEGMENTS = 10
CHOICES, LEAST_GAMES = 4_000, 100  # choices of a step, about; games at least
RATE, LAST_RATE = 4e-3, 0.1  # the first step size, and the share of it at the end
ENTROPY, LAST_ENTROPY = 0.05, 0.003
PULL, FOLLOW = 0.5, 0.05  # towards the magnet, and how fast it follows
FADED = (8, 25), (0.95, 0.8)
"""What is left of a gain a choice of the seat earlier, by the number of choices of a seat in a game. In a long game all
that comes later drowns what a choice is worth: in Pig, with 25 choices, players win 47.4 % against hold-20 with 0.95
(45.1 to 49.8) and 52.3 % with 0.8 (50.7 to 53.9)."""
CLOSE = 0.5
"""What a standard deviation of the score is worth next to a win, at first, where all players win or lose together: if
random play hardly ever wins, wins alone teach nothing."""
MOST_OLD, AGAINST_OLD = 4, 0.1  # older versions, and the share of games with one
_FIRST, _GAMES, _LINEUPS = range(3)  # streams of the seed


class Sizes(NamedTuple):
    """What the first random games were like."""

    length: float  # choices of a game
    reward: float  # the size of rewards
    score: float  # how much the score varies of a table that wins or loses


@lru_cache(maxsize=4)
def _board(game: Game, players: int, schema: str, rules: str) -> Board:
    """Return a board, which a process keeps for all segments."""
    model = game.rules.Rules.model_validate_json(rules)
    return Board(game, model, players, Inputs(json.loads(schema), players))


@dataclass(frozen=True)
class Segment:
    """The steps of a segment of a training."""

    game: Game
    players: int
    schema: str
    rules: str
    seed: int
    first: int  # step
    last: int
    steps: int  # of the whole training
    targets: tuple[Arrays, ...] = ()  # players to be exploited; empty: self-play

    @property
    def board(self) -> Board:
        return _board(self.game, self.players, self.schema, self.rules)

    def rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng(self.derive(*numbers))

    def derive(self, *numbers: int) -> int:
        return int(derive_many(self.seed, self.players, bool(self.targets), *numbers)[0])


def play_segment(task: tuple[Segment, Arrays | None]) -> Arrays:
    """Play the steps of a segment, and return the state after them."""
    own, found = task
    learner, old, sizes = _restore(own, found)
    length = sizes.length
    board = own.board
    for step in range(own.first, own.last):
        part = step / own.steps
        if not own.targets and step % max(1, own.steps // SEGMENTS) == 0:
            old = [*old, {name: each.copy() for name, each in learner.player.mean.items()}][-MOST_OLD:]
        rng = own.rng(_LINEUPS, step)
        games = _games_of_step(length)
        others = list(own.targets) or old
        lineups = _lineups(games, own.players, len(others), bool(own.targets), rng)
        openings = 0.8 * length if board.is_open and not own.targets else 0.0
        greedy = 1 if board.is_open and own.targets else len(others) + 1
        played = board.play([learner.player.weights, *others], lineups, own.derive(_GAMES, step), openings, greedy)
        rewards = played.rewards / sizes.reward
        if not own.targets:
            rewards += CLOSE * (1 - part) * played.scores[:, None] / sizes.score
        learner.learn(played, rewards, _pace(board, part, bool(own.targets), length))
        learner.follow(FOLLOW)
    return _store(learner, old, sizes)


def _pace(board: Board, part: float, exploits: bool, length: float) -> Pace:
    """Return the pace at a part of the training, in games with this number of choices."""
    entropy = ENTROPY * (LAST_ENTROPY / ENTROPY) ** part
    pull = 0.0 if board.is_open or exploits else PULL
    faded = float(np.interp(length / board.players, *FADED))
    return Pace(RATE * (1 - (1 - LAST_RATE) * part), entropy, pull, faded)


def _lineups(games: int, players: int, others: int, exploits: bool, rng: np.random.Generator) -> np.ndarray:
    """Return numbers of players by seat: 0 is the learner; with one of the others in all seats but one."""
    found = np.zeros((games, players), int)
    count = games if exploits else int(AGAINST_OLD * games)
    found[:count] = rng.integers(1, others + 1, (count, 1))
    found[np.arange(count), rng.integers(0, players, count)] = 0
    return found


def _store(learner: Learner, old: Sequence[Arrays], sizes: Sizes) -> Arrays:
    """Return the state of a training as arrays."""
    found: Arrays = {"numbers": np.array(sizes)}
    for what, adam in (("player", learner.player), ("value", learner.value)):
        found |= {f"{what}/{name}": each for name, each in adam.state().items()}
    found |= {f"magnet/{name}": each for name, each in learner.magnet.items()}
    for number, each in enumerate(old):
        found |= {f"old{number}/{name}": values for name, values in each.items()}
    return found


def _restore(task: Segment, found: Arrays | None) -> tuple[Learner, list[Arrays], Sizes]:
    """Return the state of a training: learner, older versions, and what random games were like."""
    board = task.board
    if found is None:
        start = task.targets[0] if task.targets else None
        learner = new_learner(board, start, task.derive(_FIRST))
        alone = np.zeros((LEAST_GAMES, task.players), int)
        played = board.play([board.first_weights(task.rng(_FIRST))], alone, task.derive(_FIRST))
        spread = float(played.rewards.std()) if counts_score(board.game.author) else 1.0  # type: ignore[attr-defined]
        return learner, [], Sizes(played.length, spread or 1.0, float(played.scores.std()) or 1.0)
    player, value = (Adam.restored(under(found, f"{what}/")) for what in ("player", "value"))
    magnet, rng = copy_arrays(under(found, "magnet/")), task.rng(_FIRST, task.first)
    old = [each for n in range(MOST_OLD) if (each := under(found, f"old{n}/"))]
    return Learner(player, value, magnet, rng), old, Sizes(*found["numbers"].tolist())


def learn_against(
    game: Game, rules: Any, players: int, schema: Mapping[str, Any], nets: Sequence[Arrays], steps: int,
    seed: int, workers: Workers,
) -> Arrays:  # fmt: skip
    """Return the weights of a player that has learned against networks, from the first of them."""
    task = Segment(game, players, json.dumps(schema), rules.model_dump_json(), seed, 0, steps, steps, tuple(nets))
    (state,) = workers.map(game, play_segment, [(task, None)])
    return mean_of(state)


def steps_of(board: Board, net: Arrays, games: int) -> int:
    """Return the steps of learning in which about this number of games is played, at least `SEGMENTS`."""
    alone = np.zeros((LEAST_GAMES, board.players), int)
    return max(SEGMENTS, round(games / _games_of_step(board.play([net], alone, 0).length)))


def _games_of_step(length: float) -> int:
    """Return the games of a step, in a game with this number of choices."""
    return max(LEAST_GAMES, round(CHOICES / max(1.0, length)))


def mean_of(state: Arrays | None) -> Arrays:
    """Return the mean weights of a state as a file keeps them."""
    assert state is not None
    return {name: each.astype("f2").astype("f4") for name, each in under(state, "player/mean/").items()}
