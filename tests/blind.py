"""A bot that peeks is a defect: with everything hidden dealt anew it must judge its actions the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from balance.bots.strategies import load_strategy, pack_strategies
from balance.games import Game
from balance.simulate import Simulator
from balance.stepper import Stepper


def check_blind(game: Game, rules: Any, players: int, profile: str, seeds: tuple[int, int]) -> None:
    """Play a game (first seed), and at every choice deal the hidden anew (second seed) and look again."""
    simulator = Simulator(game)
    weights = pack_strategies([load_strategy(game, profile, game.folder)], simulator.weights_type)[1][0]
    kernel, redeal = game.module("kernel"), game.module("observation").redeal_hidden
    packed = game.module("packing").pack_rules(rules, players)
    rng, again = (np.random.default_rng(seed) for seed in seeds)
    most = game.record_types().most_actions
    codes, values = np.zeros(most, np.int32), np.zeros(most)

    def choose(state: Any, options: list[str]) -> int:
        original = state.copy()
        count = kernel.legal_actions(packed, state, codes)
        kernel.evaluate(packed, state, weights, codes, count, values)
        expected = values[:count].copy()
        redeal(rules, state, again)
        assert kernel.legal_actions(packed, state, codes) == count
        kernel.evaluate(packed, state, weights, codes, count, values)
        assert (values[:count] == expected).all()
        for name in state.dtype.names:
            state[name] = original[name]
        return int(np.argmax(expected)) if rng.random() < 0.7 else int(rng.integers(count))

    for _ in Stepper(game, rules, players, seeds[0]).play(choose):
        pass
