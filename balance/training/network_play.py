"""Games for the training of a network: choices labelled by a searcher, and self-play with results."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB
from balance.engine.loop import SEARCHES, Simulator
from balance.engine.sampling import decision_type, make_sample_buffers
from balance.experiments.strategies import Packed, Strategy, pack_strategies
from balance.foundation.streams import derive_many
from balance.runs.cluster import await_result, check_source, loaded_hash

CHUNK = 20  # games sampled together; the result does not depend on the number of threads
LIMIT = 100_000  # decisions of a game
_DEALS, _SEEDS = range(2)  # streams of a seed
_PER_GAME = 1_500  # choices of a game, on average over a chunk, that are kept


class Sampled(NamedTuple):
    """Choices of some games, the value of every position at a checkpoint, and the results.

    Attributes
    ----------
    samples : record array, see `balance.engine.sampling.decision_type`
        Features of labelled choices are float16; ``game`` is the position in `values`.
    values : float32 array (games, checkpoints, players)
        Win chances at each checkpoint, then the result at every further one.
    """

    samples: np.ndarray
    values: np.ndarray


@dataclass
class Table:
    """The games of one rule set and player count.

    Attributes
    ----------
    workers : int
        Threads; 0 for one on each core.
    cluster : Executor or None
        Of a Dask client (see `balance.runs.cluster.open_cluster`), whose workers play the games with labels instead.
    """

    game: Game
    rules: Any
    players: int
    workers: int = 0
    cluster: Executor | None = None

    def __post_init__(self) -> None:
        self._packed = self.game.kernel.pack_rules(self.rules, self.players)
        self._simulator: Any = Simulator(self.game, SEARCHES)
        self._threads = ThreadPoolExecutor(self.workers or os.cpu_count() or 1)

    def sample(
        self, strategies: Sequence[Strategy], lineups: np.ndarray, seed: int, labels: float | None = None
    ) -> Sampled:
        """Play line-ups and sample their choices.

        Parameters
        ----------
        strategies : sequence of Strategy
            The last one is a searcher, whose value judges the positions at checkpoints.
        lineups : int array (games, players)
            Numbers of strategies.
        labels : float or None
            With a number, the searcher is asked about every choice, and draws this share of its own moves by visits;
            None samples the choices of networks, as they make them.
        """
        count = len(lineups)
        jobs: Any = blank(count, JOB)
        jobs.deal_seed[:] = derive_many(seed, _DEALS, np.arange(count))
        jobs.seed[:] = derive_many(seed, _SEEDS, np.arange(count))
        jobs.lineup[:, : self.players] = lineups
        parts = [jobs[first : first + CHUNK] for first in range(0, count, CHUNK)]
        if self.cluster is not None and labels is not None:
            return _join(self._play_there(self.cluster, strategies, parts, labels))
        packed = pack_strategies(self.game, strategies, self.players)
        play = partial(self.play, packed, labels=labels)
        return _join(list(self._threads.map(play, parts)))

    def play(self, packed: Packed, jobs: Any, labels: float | None) -> Sampled:
        """Play some games, records of `balance.engine.buffers.JOB`, with packed strategies; otherwise as `sample`."""
        room = self._simulator.room(*packed)
        rows = self._simulator.rows(len(jobs), self.players, False, 0)
        kept = make_sample_buffers(self.game, len(jobs), len(jobs) * _PER_GAME)
        asked = len(packed[0]) - 1, labels is not None, labels or 0.0
        self._simulator.sample_each(self._packed, room, jobs, rows, kept, *asked, LIMIT)
        won = rows.seats.win_share.reshape(-1, self.players)
        values = kept.values[:, :, : self.players]
        past = np.arange(values.shape[1]) >= kept.checkpoints[:, None]
        values[past] = np.repeat(won, past.sum(1), axis=0)
        samples = kept.samples[: int(kept.used[0])]
        if labels is not None:
            samples = samples.astype(narrow_type(self.game))
        return Sampled(samples, values[:, : int(kept.checkpoints.max()) + 1].copy())

    def _play_there(
        self, cluster: Executor, strategies: Sequence[Strategy], parts: Sequence[Any], labels: float
    ) -> list[Sampled]:  # fmt: skip
        """Play parts of the games on the workers of a cluster."""
        told = self.game.name, loaded_hash(self.game.folder), self.rules, self.players, strategies
        futures = [cluster.submit(play_there, *told, np.asarray(part), labels) for part in parts]
        return [await_result(each, "repeat the command to resume") for each in futures]


def play_there(
    game: str, source: str, rules: Any, players: int, strategies: Sequence[Strategy], jobs: Any, labels: float
) -> Sampled:  # fmt: skip
    """Play some games on a worker of a cluster with the same sources."""
    found = get_game(game)
    check_source(found, source)
    packed = pack_strategies(found, strategies, players)
    return Table(found, rules, players, workers=1).play(packed, jobs.view(np.recarray), labels)


def narrow_type(game: Game) -> np.dtype:
    """Return the type of samples with features in float16, which need half the memory."""
    kinds: list[Any] = []
    wide = decision_type(game)
    for name in wide.names or ():
        kind = wide[name]
        kinds.append((name, "<f2" if name in ("context", "described") else kind.base, kind.shape))
    return np.dtype(kinds)


def _join(parts: Sequence[Sampled]) -> Sampled:
    """Return the samples of all parts, games numbered through."""
    most = max(part.values.shape[1] for part in parts)
    first, samples, values = 0, [], []
    for part in parts:
        part.samples["game"] += first
        first += len(part.values)
        samples.append(part.samples)
        missing = most - part.values.shape[1]
        values.append(np.pad(part.values, ((0, 0), (0, missing), (0, 0)), mode="edge"))
    return Sampled(np.concatenate(samples), np.concatenate(values))


def advantages(sampled: Sampled, faded: float) -> np.ndarray:
    """Return by how much the win chance of each choice's seat rose until the next checkpoint, and later, fading.

    Generalized advantage estimation (Schulman et al. 2016) over checkpoints instead of single choices.

    Parameters
    ----------
    faded : float
        What is left of a gain for a choice a whole game (of mean length) before it. A checkpoint may be a round or
        a turn, so the fading of one checkpoint depends on their number.
    """
    samples = sampled.samples
    lengths = np.zeros(len(sampled.values), int)
    np.maximum.at(lengths, samples["game"], samples["checkpoint"] + 1)
    fading = faded ** (1 / max(1, lengths.mean()))
    gains = np.diff(sampled.values, axis=1)
    found, later = np.zeros_like(sampled.values), np.zeros_like(sampled.values[:, 0])
    for at in range(gains.shape[1] - 1, -1, -1):
        later = gains[:, at] + fading * later
        found[:, at] = later
    return np.asarray(found[samples["game"], samples["checkpoint"], samples["seat"]])
