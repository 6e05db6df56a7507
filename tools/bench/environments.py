"""Steps a second of random agents: our environments and, where they are installed, games of other libraries.

A step is a decision with its observation, its legal actions and a random choice among them. The other libraries are
OpenSpiel (`open_spiel`), PettingZoo's classic games, RLCard (`rlcard`) and Catanatron, whose
steps are without observations. ``pip install -e '.[bench]'`` installs them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

import balance.envs
from bench.record import Figure

UNIT = "steps/s"
Step = Callable[[], int]
_GAMES = 1024


def environments(seconds: float) -> Iterator[Figure]:
    """Yield steps a second of each environment, measured for this time after a warm-up."""
    for name, players in (("na-grunwald", 4), ("polska", 4), ("grody", 2), ("korona-piastow", 4)):
        for threads in (1, 2):
            step = _batch(name, players, threads)
            yield _measure(f"{name}, {players} players, {_GAMES} games, {threads} threads", step, seconds)
    if find_spec("pettingzoo"):
        yield _measure("na-grunwald, 4 players, PettingZoo", _aec("balance/na-grunwald-v0", players=4), seconds)
    if find_spec("rlcard") and find_spec("pettingzoo"):
        for name in ("connect_four_v3", "leduc_holdem_v4"):
            yield _measure(f"PettingZoo {name}", _aec(f"classic/{name}"), seconds)
    if find_spec("pyspiel"):
        for name in ("leduc_poker", "backgammon"):
            yield _measure(f"OpenSpiel {name}, Python", _spiel(name), seconds)
    if find_spec("rlcard"):
        yield _measure("RLCard leduc-holdem", _rlcard("leduc-holdem"), seconds)
    if find_spec("catanatron"):
        yield _measure("Catanatron, 4 players", _catanatron(), seconds)


def _measure(name: str, step: Step, seconds: float) -> Figure:
    """Return the steps a second; the first call of `step` compiles."""
    step()
    count, started = 0, time.perf_counter()
    while (passed := time.perf_counter() - started) < seconds:
        count += step()
    return Figure(f"environment: {name}", count / passed, UNIT)


def _batch(name: str, players: int, threads: int) -> Step:
    games = balance.envs.batch(name, _GAMES, players=players, threads=threads)
    games.reset(seed=1)

    def step() -> int:
        games.step(games.draw_actions())
        return _GAMES

    return step


def _aec(name: str, **options: Any) -> Step:
    import pettingzoo

    env, rng = pettingzoo.make("aec", name, **options), np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        count = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"] if isinstance(seen, dict) and "action_mask" in seen else info["action_mask"]
            legal = np.flatnonzero(mask)
            env.step(int(legal[int(rng.random() * len(legal))]))
            count += 1
        return count

    return play


def _spiel(name: str) -> Step:
    import pyspiel

    game, rng = pyspiel.load_game(name), np.random.default_rng(1)

    def play() -> int:
        state, count = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
                state.information_state_tensor() if name == "leduc_poker" else state.observation_tensor()
                count += 1
            state.apply_action(actions[int(rng.random() * len(actions))])
        return count

    return play


def _rlcard(name: str) -> Step:
    import rlcard

    env, rng = rlcard.make(name), np.random.default_rng(1)

    def play() -> int:
        state, _ = env.reset()
        count = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(rng.random() * len(legal))])
            count += 1
        return count

    return play


def _catanatron() -> Step:
    from catanatron import Color, Game, RandomPlayer

    def play() -> int:
        game = Game([RandomPlayer(color) for color in Color])
        game.play()
        return len(game.state.actions)

    return play
