"""What a custom bot may try actions on: games dealt anew from what its seat knows, never the game itself."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.records import blank
from balance.engine.stepper import Stepper


class Sandbox:
    """Games that a bot may play on from where it must choose.

    Parameters
    ----------
    package : str
        Of the game.
    rules : dict
        The rule set, resolved, as run.json keeps it.
    players : int
    seed : int
        Of what the games are dealt from: the bot's own, apart from the game's chance.
    """

    def __init__(self, package: str, rules: dict[str, Any], players: int, seed: int) -> None:
        self._game = importlib.import_module(package).GAME
        self._rules = self._game.rules.Rules.model_validate(rules)
        self._players, self._seed, self._dealt = players, seed, 0
        kinds = self._game.records
        records = [blank(1, kind) for kind in (kinds.state, kinds.log, kinds.scratch)]
        self._state = records[0]
        self._known = Stepper(self._game, self._rules, players, records)
        self._rehearse()

    def _rehearse(self) -> None:
        """Load all that a bot may call, so that none of its time is spent on it."""
        trial = Stepper.deal(self._game, self._rules, self._players, 0)
        trial.options()
        trial.take(0)
        trial.redeal(0)
        if hasattr(self._game.heuristics, "score_now"):
            trial.scores()

    def look(self, known: bytes) -> None:
        """Stand where a bot must choose: `known` is of `Stepper.known`."""
        self._state[0] = np.frombuffer(known, self._state.dtype)[0]

    def deal(self) -> Stepper:
        """A game that stands where the bot must choose, what its seat can't see dealt anew.

        Each is another deal and goes its own way; which they are follows from the seed and their number.
        """
        trial = self._known.copy()
        trial.redeal(int(derive_many(self._seed, np.array([self._dealt]))[0]))
        self._dealt += 1
        return trial
