"""Games of one kind, played and told in one number: for comparing ways to run the same rules.

`python -m balance.testing.digest GAME` prints it; GAME is a game's name or ``MODULE:ATTRIBUTE``.
"""

from __future__ import annotations

import hashlib
import importlib
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.loop import Simulator
from balance.engine.records import JOB, Rows
from balance.plan.strategies import Strategy, load_strategy, pack_strategies
from balance.plan.variants import load_variant

LIMIT = 100_000  # decisions
TRACE_ROWS = 4_000


def load_game(name: str | Game) -> Game:
    """The game that a name or ``MODULE:ATTRIBUTE`` means."""
    if isinstance(name, Game):
        return name
    module, _, attribute = name.partition(":")
    if not attribute:
        return get_game(name)
    found: Game = getattr(importlib.import_module(module), attribute)
    return found


def shipped_profiles(game: Game) -> list[Strategy]:
    """The profiles that ship with a game."""
    return [load_strategy(game, name, game.folder) for name in game.shipped("profiles")]


def play_some(game: Game, players: int, games: int, limit: int = LIMIT, variant: str = "base") -> Rows:
    """Rows, rounds and trace of random games and of games of a shipped profile, turn about."""
    strategies = [load_strategy(game, "random", Path()), *shipped_profiles(game)[:1]]
    simulator = Simulator(game)
    room = simulator.room(*pack_strategies(game, strategies))
    packed = game.kernel.pack_rules(load_variant(game, variant, Path()).rules, players)
    jobs = blank(games, JOB)
    jobs.game_id[:] = np.arange(games)
    jobs.deck_seed[:] = jobs.seed[:] = np.random.default_rng(players).integers(2**62, size=games)
    jobs.lineup[:] = np.arange(games)[:, None] % len(strategies)
    rows = simulator.rows(games, players, True, TRACE_ROWS * games)
    played = simulator.play_games(packed, room, jobs, rows, limit)
    assert played == games, f"{played} of {games} games: more than {TRACE_ROWS} steps a game"
    return rows._replace(trace=rows.trace[: int(room.episode[0].trace_used)])


def digest(game: Game, games: int = 2) -> str:
    """SHA-256 of the rows, rounds and traces of a few games at the least and the most players."""
    found = hashlib.sha256()
    for players in dict.fromkeys((min(game.players), max(game.players))):
        for array in play_some(game, players, games):
            found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def main(arguments: Sequence[str]) -> None:
    """Print the digest of the game that is named."""
    warnings.simplefilter("ignore")  # uncompiled, NumPy tells of every wrap of a random stream
    print(digest(load_game(arguments[0])))


if __name__ == "__main__":
    main(sys.argv[1:])
