"""A searcher outside the loop: its choice in a position, and its shortlist."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import blank
from balance.engine.buffers import SEARCH, STRATEGY, Searchers
from balance.engine.loop import SEARCHES, Simulator
from balance.engine.stepper import Stepper


class Thought(NamedTuple):
    """An action on the shortlist of a decision."""

    label: str
    visits: int
    value: float  # mean reward of the seat, nan if never tried
    prior: float


class Thinker:
    """One searcher with its own buffers.

    It has the weights (1,) of its prior, and one row of `balance.experiments.searchers.pack_searchers`.
    """

    def __init__(self, game: Game, weights: np.recarray, searchers: Searchers) -> None:
        self._simulator = Simulator(game, SEARCHES)
        strategies = blank(1, STRATEGY)
        strategies.kind[:] = SEARCH
        self._room = self._simulator.room(strategies, weights, searchers)
        self._room.thinking.desk.uses_all[:] = 1

    def think(self, stepper: Stepper, seed: int) -> tuple[str, list[Thought]]:
        """Return the label of its choice in the game's position, and its shortlist, the most visited action first.

        The game stays unchanged; `seed` is the seed of the search's stream.
        """
        self._room.state[0] = stepper.state
        self._room.thinking.desk[0].streams[:] = seed
        code = int(self._simulator.search(stepper.packed, self._room, 0))
        return stepper.write(code), read_thoughts(self._room.thinking.nodes, stepper)


def read_thoughts(nodes: np.recarray, stepper: Stepper) -> list[Thought]:
    """Return the shortlist of the last search, the most visited action first."""
    root = nodes[0]
    found = [
        Thought(
            stepper.write(int(root.code[i])),
            int(root.tried[i]),
            float(root.won[i] / root.tried[i]) if root.tried[i] else float("nan"),
            float(root.prior[i]),
        )
        for i in range(int(root["count"]))
    ]
    return sorted(found, key=lambda thought: (-thought.visits, -thought.value))
