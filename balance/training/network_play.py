"""Games for the training of a network: choices labelled by a searcher, and self-play with results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.engine.loop import SEARCHES, Simulator
from balance.engine.sampling import decision_type, make_sample_buffers
from balance.experiments.experiment import DECISION_LIMIT
from balance.experiments.strategies import Packed, Strategy, pack_strategies
from balance.foundation.streams import derive_many
from balance.runs.jobs import make_jobs
from balance.runs.workers import Workers, kept_threads

CHUNK = 20  # games sampled together; the result does not depend on the number of threads
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

    Remote workers play only the games with labels: the choices of self-play take longer to send than to make.
    """

    game: Game
    rules: Any
    players: int
    workers: Workers | None = None

    def __post_init__(self) -> None:
        self._packed = self.game.kernel.pack_rules(self.rules, self.players)
        self._simulator: Any = Simulator(self.game, SEARCHES)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, for a worker of a cluster."""
        return Table, (self.game, self.rules, self.players)

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
        deals, seeds = (derive_many(seed, stream, np.arange(count)) for stream in (_DEALS, _SEEDS))
        jobs = make_jobs(deals, seeds, lineups)
        parts = [jobs[first : first + CHUNK] for first in range(0, count, CHUNK)]
        packed = pack_strategies(self.game, strategies, self.players)
        play = partial(self._play, packed, labels)
        workers = self.workers or kept_threads()
        if workers.sends(self.game) and labels is None:
            workers = kept_threads()
        return _join(list(workers.map(self.game, play, parts)))

    def _play(self, packed: Packed, labels: float | None, jobs: Any) -> Sampled:
        """Play some games, records of `balance.engine.buffers.JOB`, with packed strategies; otherwise as `sample`."""
        room = self._simulator.room(*packed)
        room.thinking.desk.uses_all[:] = 1
        rows = self._simulator.rows(len(jobs), self.players, False, 0)
        kept = make_sample_buffers(self.game, len(jobs), len(jobs) * _PER_GAME)
        asked = len(packed[0]) - 1, labels is not None, labels or 0.0
        self._simulator.sample_each(self._packed, room, jobs, rows, kept, *asked, DECISION_LIMIT)
        won = rows.seats.win_share.reshape(-1, self.players)
        values = kept.values[:, :, : self.players]
        past = np.arange(values.shape[1]) >= kept.checkpoints[:, None]
        values[past] = np.repeat(won, past.sum(1), axis=0)
        samples = kept.samples[: int(kept.used[0])]
        if labels is not None:
            samples = samples.astype(narrow_type(self.game))
        return Sampled(samples, values[:, : int(kept.checkpoints.max()) + 1].copy())


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
