"""Where profiles are tried: many candidates against the same opponents, on the same decks, in every seat."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game
from balance.contract.records import blank
from balance.engine.loop import Simulator
from balance.engine.records import GREEDY, JOB
from balance.plan.profiles import Profile, resolve_weights
from balance.plan.strategies import Strategy, pack_strategies

LIMIT = 100_000  # decisions of a game
_DECKS, _SEEDS, _OPPONENTS = range(3)  # stages of seeds


class Arena:
    """Plays rows of weights, and strategies, by one rule set at one player count, on all cores.

    Parameters
    ----------
    game : Game
    rules : the game's checked rule set
    players : int
    strategies : sequence of Strategy
        Who plays beside the rows; they have the numbers after them.
    lineup : sequence of int
        Of strategies by number, who sit in the seats beside a candidate's, in this order after it; empty:
        opponents are drawn.
    workers : int or None
        Threads; None: as many as there are cores.

    Attributes
    ----------
    names : list of str
        Columns of a row: the game's features, then its settings.
    """

    def __init__(
        self, game: Game, rules: Any, players: int, strategies: Sequence[Strategy] = (),
        lineup: Sequence[int] = (), workers: int | None = None,
    ) -> None:  # fmt: skip
        self.game, self.rules, self.players = game, rules, players
        self.strategies = list(strategies)
        self._lineup = np.array(lineup, int)
        self.names = list(game.records.weights.names or ())
        self._packed = game.kernel.pack_rules(rules, players)
        self._simulator = Simulator(game, any(each.search for each in strategies))
        self._workers = workers or os.cpu_count() or 1
        self._threads = ThreadPoolExecutor(self._workers)

    def row(self, profile: Profile) -> np.ndarray:
        """A profile's weights and settings as a row."""
        found = resolve_weights(profile, self.game, self.players)
        return np.array([found.get(name, 0.0) for name in self.names])

    def tables(self, row: np.ndarray) -> dict[str, dict[str, float]]:
        """A row as the tables ``weights`` and ``settings`` of a profile."""
        weights = dict(zip(self.names, row.tolist(), strict=True))
        settings = {name: weights.pop(name) for name in self.game.heuristics.SETTINGS}
        return {"weights": weights, "settings": settings}

    def strategy(self, name: str, row: np.ndarray) -> Strategy:
        """A row as a profile that plays."""
        tables: dict[str, Any] = {**self.tables(row)}
        profile = Profile(title=name, description="", **tables)
        return Strategy(name, "profile", profile)

    def joined_by(self, rows: Sequence[np.ndarray]) -> Arena:
        """An arena with profiles of these rows beside its strategies."""
        more = [self.strategy(f"row {number}", row) for number, row in enumerate(rows)]
        return Arena(self.game, self.rules, self.players, [*self.strategies, *more])

    def play(
        self, rows: np.ndarray, lineups: np.ndarray, decks: np.ndarray, seeds: np.ndarray,
        temperatures: np.ndarray | float = 0.0,
    ) -> Any:  # fmt: skip
        """Play games; returns the rows of their seats (SEAT_ROW and the game's own, (games, players)).

        Parameters
        ----------
        rows : float array (n, names)
        lineups : int array (games, players)
            Numbers of rows, or, from n on, of strategies.
        decks, seeds : uint64 arrays (games,)
        temperatures : float array (n,) or float
            Of the rows; strategies have their own.
        """
        stand_ins = [Strategy("row", "random")] * len(rows)
        packed, weights, searchers = pack_strategies(
            self.game, [*stand_ins, *self.strategies], self.players
        )
        packed.kind[: len(rows)] = GREEDY
        packed.temperature[: len(rows)] = temperatures
        for column, name in enumerate(self.names):
            weights[name][: len(rows)] = rows[:, column]
        jobs: Any = blank(len(lineups), JOB)
        jobs.deck_seed[:], jobs.seed[:] = decks, seeds
        jobs.lineup[:, : self.players] = lineups

        def some(own: Any) -> Any:
            room = self._simulator.room(packed, weights, searchers)
            found = self._simulator.rows(len(own), self.players, False, 0)
            self._simulator.play_games(self._packed, room, own, found, LIMIT)
            return found.seats

        parts = np.array_split(jobs, self._workers)
        seats = np.concatenate(list(self._threads.map(some, parts)))
        return seats.view(np.recarray).reshape(-1, self.players)

    def face(
        self, candidates: np.ndarray, opponents: np.ndarray, chances: np.ndarray, decks: int, seed: int
    ) -> Any:
        """Each candidate against opponents drawn for each deck, in every seat on it.

        All candidates meet the same opponents on the same decks.

        Parameters
        ----------
        candidates : float array (n, names)
        opponents : float array (m, names)
        chances : float array (m + strategies,)
            Of each opponent, then of each strategy, to be drawn for a seat.

        Returns
        -------
        record array (n, decks, players)
            The candidate's own seat rows, by the seat it had.
        """
        rows = np.concatenate([candidates, opponents])
        if len(self._lineup):
            beside = self._beside(len(rows), decks)
        else:
            beside = len(candidates) + self._draw(chances, decks, seed)
        return self._meet(np.arange(len(candidates)), rows, beside, seed)

    def face_all(self, candidates: np.ndarray, decks: int, seed: int) -> Any:
        """As `face` against the arena's strategies, each as likely as the others."""
        others = len(self.strategies)
        return self.face(candidates, candidates[:0], np.full(others, 1 / others), decks, seed)

    def face_each_other(self, field: np.ndarray, decks: int, seed: int) -> Any:
        """As `face` of rows against rows of the same field, each as likely as the others."""
        chances = np.repeat([1 / len(field), 0.0], [len(field), len(self.strategies)])
        return self.face(field, field, chances, decks, seed)

    def face_careful(self, field: np.ndarray, temperatures: np.ndarray, decks: int, seed: int) -> Any:
        """As `face_each_other`, each row at a temperature against the same rows without one."""
        count = len(field)
        beside = count + self._draw(np.full(count, 1 / count), decks, seed)
        both, heat = np.concatenate([field, field]), np.concatenate([temperatures, np.zeros(count)])
        return self._meet(np.arange(count), both, beside, seed, heat)

    def face_copies(self, hosts: np.ndarray, guests: np.ndarray, decks: int, seed: int) -> np.ndarray:
        """Each guest alone among copies of each host, in every seat.

        Parameters
        ----------
        hosts : float array (n, names)
        guests : float array (m, names)

        Returns
        -------
        float array (n, m)
            Win shares of the guests.
        """
        count, others = len(hosts), len(guests)
        copies = np.repeat(np.arange(count), others)[:, None, None, None]
        beside = np.broadcast_to(copies, (count * others, decks, self.players, self.players - 1))
        who = count + np.tile(np.arange(others), count)
        seats = self._meet(who, np.concatenate([hosts, guests]), beside, seed)
        return np.asarray(seats.win_share.mean((1, 2))).reshape(count, others)

    def probe(self, number: int, decks: int, seed: int) -> Any:
        """As `face` for the strategy of that number, against the line-up.

        Returns
        -------
        record array (1, decks, players)
        """
        none = np.zeros((0, len(self.names)))
        return self._meet(np.array([number]), none, self._beside(0, decks), seed)

    def _draw(self, chances: np.ndarray, decks: int, seed: int) -> np.ndarray:
        """Opponents of each deck, the same whatever seat is left to them, as `_meet` wants them."""
        rng = np.random.default_rng(derive_many(seed, _OPPONENTS))
        drawn = rng.choice(len(chances), (decks, 1, self.players - 1), p=chances)
        return np.repeat(drawn, self.players, axis=1)

    def _beside(self, first: int, decks: int) -> np.ndarray:
        """The line-up's numbers, the first strategy's being `first`, as `_meet` wants them."""
        around = [np.roll(first + self._lineup, seat) for seat in range(self.players)]
        return np.broadcast_to(np.array(around), (decks, self.players, self.players - 1))

    def _meet(
        self, who: np.ndarray, rows: np.ndarray, beside: np.ndarray, seed: int,
        temperatures: np.ndarray | float = 0.0,
    ) -> Any:  # fmt: skip
        """Each of these numbers in every seat: its own seat rows.

        Parameters
        ----------
        beside : int array ([len(who),] decks, players, players - 1)
            Numbers in the other seats, from seat 0 on, by the seat that it has; the same for all, or for each.
        """
        count, (decks, players, _) = len(who), beside.shape[-3:]
        lineups = np.empty((count, decks, players, players), int)
        for seat in range(players):
            lineups[:, :, seat, np.arange(players) != seat] = beside[..., seat, :]
            lineups[:, :, seat, seat] = who[:, None]
        shape = (count, decks, players)
        each = derive_many(seed, _DECKS, np.arange(decks))[None, :, None]
        lots = derive_many(seed, _SEEDS, np.arange(decks * players)).reshape(1, decks, players)
        seats = self.play(
            rows,
            lineups.reshape(-1, players),
            np.broadcast_to(each, shape).ravel(),
            np.broadcast_to(lots, shape).ravel(),
            temperatures,
        ).reshape(*shape, players)
        return np.diagonal(seats, axis1=2, axis2=3)
