"""The arena: many candidates play against the same opponents, on the same deals, in every seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import flat_rows
from balance.contract.restrictions import Restriction
from balance.engine.buffers import GREEDY
from balance.engine.loop import Simulator
from balance.experiments.experiment import DECISION_LIMIT
from balance.experiments.profiles import Profile, resolve_weights
from balance.experiments.strategies import Packed, Strategy, classifier_of, level_of, pack_strategies
from balance.foundation.language import tr
from balance.foundation.streams import derive_many
from balance.runs.jobs import make_jobs
from balance.runs.workers import Workers, kept_threads
from balance.stats.intervals import Interval, ratio_interval, share_interval


def share_of(arena: Arena, row: np.ndarray, games: int, seed: int) -> Interval:
    """Return the win share of a row against the arena's strategies, each equally likely, in every seat.

    The interval is that of shares (`balance.stats.intervals.share_interval`), clustered by deal.
    """
    seats = arena.face_all(row[None], max(2, games // arena.players), seed)
    return interval_of(seats[0].win_share)


def interval_of(shares: np.ndarray) -> Interval:
    """Return the interval of the mean of shares (deals, games on a deal)."""
    counts = np.full(len(shares), float(shares.shape[1]))
    return share_interval(ratio_interval(shares.sum(1, dtype=float), counts))


def write_share(share: Interval) -> str:
    """Return a share in percent with its interval, as text."""
    value, low, high = (100 * float(end) for end in (share.value, share.low, share.high))
    return tr("{value:.1f} ({low:.1f} to {high:.1f}) %, n = {n:,}", value=value, low=low, high=high, n=int(share.n))


_SENT = 100  # fewest games of a call, which are milliseconds
_DEALS, _SEEDS, _OPPONENTS = range(3)  # stages of seeds


class Arena:
    """Plays rows of weights and strategies under one rule set at one player count.

    Parameters
    ----------
    strategies : sequence of Strategy
        Strategies in addition to the rows, numbered after them.
    lineup : sequence of int
        Numbers of the strategies in the seats after a candidate's, in this order; empty: opponents are drawn.
    restriction : Restriction or None
        What no row may do.
    workers : Workers or None
        None for a thread on each core.

    Attributes
    ----------
    names : list of str
        Columns of a row: the game's features, then its settings.
    """

    def __init__(
        self, game: Game, rules: Any, players: int, strategies: Sequence[Strategy] = (),
        lineup: Sequence[int] = (), restriction: Restriction | None = None, workers: Workers | None = None,
    ) -> None:  # fmt: skip
        self.game, self.rules, self.players = game, rules, players
        self.strategies = list(strategies)
        self.workers = workers or kept_threads()
        self._lineup = np.array(lineup, int)
        self.names = list(game.records.weights.names or ())
        self._packed = game.kernel.pack_rules(rules, players)
        self._row = Strategy("row", "random", restriction=restriction)
        classify = classifier_of(game, rules, [self._row, *strategies])
        self._simulator = Simulator(game, level_of(strategies), classify)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, for a worker of a cluster."""
        table = self.strategies, self._lineup, self._row.restriction
        return Arena, (self.game, self.rules, self.players, *table)

    def row(self, profile: Profile) -> np.ndarray:
        """Return a profile's weights and settings as a row."""
        found = resolve_weights(profile, self.game, self.players)
        return np.array([found.get(name, 0.0) for name in self.names])

    def tables(self, row: np.ndarray) -> dict[str, dict[str, float]]:
        """Return a row as the tables ``weights`` and ``settings`` of a profile."""
        weights = dict(zip(self.names, row.tolist(), strict=True))
        settings = {name: weights.pop(name) for name in self.game.heuristics.SETTINGS}
        return {"weights": weights, "settings": settings}

    def strategy(self, name: str, row: np.ndarray) -> Strategy:
        """Return a row as a strategy, which has the restriction of the rows."""
        tables: dict[str, Any] = {**self.tables(row)}
        profile = Profile(title=name, description="", **tables)
        return replace(self._row, name=name, kind="profile", profile=profile)

    def with_table(
        self, strategies: Sequence[Strategy], lineup: Sequence[int] = (), restriction: Restriction | None = None
    ) -> Arena:
        """Return an arena with other strategies, under the same rules and with the same workers."""
        table = strategies, lineup, restriction
        return Arena(self.game, self.rules, self.players, *table, self.workers)

    def joined_by(self, rows: Sequence[np.ndarray]) -> Arena:
        """Return an arena with profiles of these rows in addition to its strategies."""
        more = [self.strategy(f"row {number}", row) for number, row in enumerate(rows)]
        return self.with_table([*self.strategies, *more], (), self._row.restriction)

    def play(
        self, rows: np.ndarray, lineups: np.ndarray, deals: np.ndarray, seeds: np.ndarray,
        temperatures: np.ndarray | float = 0.0,
    ) -> Any:  # fmt: skip
        """Play games and return the rows of their seats (SEAT_ROW and the game's own, (games, players)).

        Parameters
        ----------
        lineups : int array (games, players)
            Numbers of rows or, from n on, of strategies.
        temperatures : float array (n,) or float
            Temperatures of the rows; strategies have their own.
        """
        stand_ins = [self._row] * len(rows)
        packed, weights, searchers = pack_strategies(self.game, [*stand_ins, *self.strategies], self.players)
        packed.kind[: len(rows)] = GREEDY
        packed.temperature[: len(rows)] = temperatures
        for column, name in enumerate(self.names):
            weights[name][: len(rows)] = rows[:, column]
        jobs = make_jobs(deals, seeds, lineups)
        parts = np.array_split(jobs, max(1, min(self.workers.count, len(jobs) // _SENT)))
        play = partial(self._play, (packed, weights, searchers))
        seats = np.concatenate(list(self.workers.map(self.game, play, parts)))
        return seats.view(np.recarray).reshape(-1, self.players)

    def _play(self, packed: Packed, jobs: Any) -> Any:
        """Play some games, records of `balance.engine.buffers.JOB`, and return the rows of their seats."""
        room = self._simulator.room(*packed)
        found = self._simulator.rows(len(jobs), self.players, False, 0)
        self._simulator.play_games(self._packed, room, jobs, found, DECISION_LIMIT)
        return flat_rows(found.seats, self.game.column_names)

    def face(self, candidates: np.ndarray, opponents: np.ndarray, chances: np.ndarray, deals: int, seed: int) -> Any:
        """Play each candidate against opponents drawn for each deal, in every seat of the deal.

        All candidates meet the same opponents on the same deals.

        Parameters
        ----------
        chances : float array (m + strategies,)
            Probability of each opponent, then of each strategy, to be drawn for a seat.

        Returns
        -------
        record array (n, deals, players)
            The candidate's own seat rows, by its seat.
        """
        rows = np.concatenate([candidates, opponents])
        if len(self._lineup):
            rivals = self._with_others(len(rows), deals)
        else:
            rivals = len(candidates) + self._draw(chances, deals, seed)
        return self._meet(np.arange(len(candidates)), rows, rivals, seed)

    def face_all(self, candidates: np.ndarray, deals: int, seed: int) -> Any:
        """Play `face` against the arena's strategies, each equally likely."""
        others = len(self.strategies)
        return self.face(candidates, candidates[:0], np.full(others, 1 / others), deals, seed)

    def face_each_other(self, field: np.ndarray, deals: int, seed: int) -> Any:
        """Play `face` of rows against rows of the same field, each equally likely."""
        chances = np.repeat([1 / len(field), 0.0], [len(field), len(self.strategies)])
        return self.face(field, field, chances, deals, seed)

    def face_careful(self, field: np.ndarray, temperatures: np.ndarray, deals: int, seed: int) -> Any:
        """Play `face_each_other`, each row at a temperature against the same rows without temperature."""
        count = len(field)
        rivals = count + self._draw(np.full(count, 1 / count), deals, seed)
        both, heat = np.concatenate([field, field]), np.concatenate([temperatures, np.zeros(count)])
        return self._meet(np.arange(count), both, rivals, seed, heat)

    def face_copies(self, hosts: np.ndarray, guests: np.ndarray, deals: int, seed: int) -> np.ndarray:
        """Play each guest alone among copies of each host, in every seat; return its win share, (hosts, guests)."""
        count, others = len(hosts), len(guests)
        copies = np.repeat(np.arange(count), others)[:, None, None, None]
        rivals = np.broadcast_to(copies, (count * others, deals, self.players, self.players - 1))
        who = count + np.tile(np.arange(others), count)
        seats = self._meet(who, np.concatenate([hosts, guests]), rivals, seed)
        return np.asarray(seats.win_share.mean((1, 2))).reshape(count, others)

    def probe(self, number: int, deals: int, seed: int) -> Any:
        """Play `face` for the strategy with this number, against the line-up; return its rows (1, deals, players)."""
        none = np.zeros((0, len(self.names)))
        return self._meet(np.array([number]), none, self._with_others(0, deals), seed)

    def _draw(self, chances: np.ndarray, deals: int, seed: int) -> np.ndarray:
        """Draw the opponents of each deal, the same for every seat of the candidate, in the form for `_meet`."""
        rng = np.random.default_rng(derive_many(seed, _OPPONENTS))
        drawn = rng.choice(len(chances), (deals, 1, self.players - 1), p=chances)
        return np.repeat(drawn, self.players, axis=1)

    def _with_others(self, first: int, deals: int) -> np.ndarray:
        """Return the line-up's numbers for `_meet`; `first` is the number of the first strategy."""
        around = [np.roll(first + self._lineup, seat) for seat in range(self.players)]
        return np.broadcast_to(np.array(around), (deals, self.players, self.players - 1))

    def _meet(
        self, who: np.ndarray, rows: np.ndarray, rivals: np.ndarray, seed: int, temperatures: np.ndarray | float = 0.0
    ) -> Any:
        """Play each of these numbers in every seat and return its own seat rows.

        Parameters
        ----------
        rivals : int array ([len(who),] deals, players, players - 1)
            Numbers in the other seats, from seat 0 on, by the seat of the number in `who`; shared by all, or one set
            for each.
        """
        count, (deals, players, _) = len(who), rivals.shape[-3:]
        lineups = np.empty((count, deals, players, players), int)
        for seat in range(players):
            lineups[:, :, seat, np.arange(players) != seat] = rivals[..., seat, :]
            lineups[:, :, seat, seat] = who[:, None]
        shape = (count, deals, players)
        each = derive_many(seed, _DEALS, np.arange(deals))[None, :, None]
        lots = derive_many(seed, _SEEDS, np.arange(deals * players)).reshape(1, deals, players)
        seats = self.play(
            rows,
            lineups.reshape(-1, players),
            np.broadcast_to(each, shape).ravel(),
            np.broadcast_to(lots, shape).ravel(),
            temperatures,
        ).reshape(*shape, players)
        return np.diagonal(seats, axis1=2, axis2=3)
