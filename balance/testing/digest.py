"""A hash of the rows of some games, for comparing ways to run the same rules.

`python -m balance.testing.digest GAME` prints it; GAME is a game's name or ``MODULE:ATTRIBUTE``.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB, Rows
from balance.experiments.strategies import load_strategy
from balance.experiments.variants import load_variant
from balance.runs.jobs import make_loop

LIMIT = 1_000  # decisions; longer games are truncated


class Played(NamedTuple):
    """Some games with their seeds and line-ups."""

    rows: Rows
    rules: Any
    deal_seeds: np.ndarray  # (n,) uint64

    def trace_of(self, number: int) -> np.ndarray:
        """Return the rows of the trace of one game, in order."""
        found: np.ndarray = self.rows.trace[self.rows.trace["game_id"] == number]
        return found


def load_game(name: str | Game) -> Game:
    """Load a game by name or ``MODULE:ATTRIBUTE``."""
    if isinstance(name, Game):
        return name
    module, _, attribute = name.partition(":")
    if not attribute:
        return get_game(name)
    found: Game = getattr(importlib.import_module(module), attribute)
    return found


def play_some(game: Game, players: int, games: int, limit: int = LIMIT, variant: str = "base") -> Played:
    """Play random games and games of the shipped profiles alternately; return rows, rounds and traces."""
    names = ["random", *game.shipped("profiles")]
    strategies = [load_strategy(game, name, game.folder) for name in names]
    rules = load_variant(game, variant, Path()).rules
    simulator, room, packed = make_loop(game, rules, players, strategies)
    jobs = blank(games, JOB)
    jobs.game_id[:] = np.arange(games)
    jobs.deal_seed[:] = jobs.seed[:] = np.random.default_rng(players).integers(2**62, size=games)
    jobs.lineup[:] = np.arange(games)[:, None] % len(strategies)
    room_for_trace = games * min(limit, LIMIT)
    while True:
        rows = simulator.rows(games, players, True, room_for_trace)
        if simulator.play_games(packed, room, jobs, rows, limit) == games:
            used = int(room.episode[0].trace_used)
            return Played(rows._replace(trace=rows.trace[:used]), rules, jobs.deal_seed)
        room_for_trace *= 2


def digest(game: Game) -> str:
    """Return a SHA-256 of the rows, rounds and traces of two games of every variant, cycling through player counts."""
    found = hashlib.sha256()
    for number, variant in enumerate(game.shipped("variants")):
        players = game.players[number % len(game.players)]
        for array in play_some(game, players, 2, limit=200, variant=variant).rows:
            found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def main(arguments: Sequence[str]) -> None:
    """Print the digest of the named game."""
    # Without compilation, NumPy warns of every overflow. Only random streams may overflow.
    warnings.filterwarnings("error", "overflow")
    warnings.filterwarnings("ignore", "overflow", module=r"balance\.foundation\.streams")
    print(digest(load_game(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
