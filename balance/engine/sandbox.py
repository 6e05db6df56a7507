"""The simulator of a custom bot: determinized copies of the game, never the game itself."""

from __future__ import annotations

import importlib
import pickle
from typing import Any

import numpy as np

from balance.contract.game import get_game
from balance.contract.own_games import is_own_game
from balance.contract.records import blank
from balance.engine.stepper import Stepper
from balance.foundation.streams import derive_many


class Sandbox:
    """Copies of a game that a bot may continue from its decision.

    Parameters
    ----------
    package : str
        Package of the game; the folder of a game in plain Python.
    rules : dict
        The rule set, resolved, as in run.json.
    players : int
    seed : int
        The bot's own seed for determinizations, independent of the game's chance.
    """

    def __init__(self, package: str, rules: dict[str, Any], players: int, seed: int) -> None:
        own = is_own_game(package)
        self._game = get_game(package) if own else importlib.import_module(package).GAME
        self._rules = self._game.rules.Rules.model_validate(rules)
        self._players, self._seed, self._dealt = players, seed, 0
        kinds = self._game.records
        records = [blank(1, kind) for kind in (kinds.state, kinds.log, kinds.scratch)]
        self._state = records[0]
        self._known = Stepper(self._game, self._rules, players, records)
        self._rehearse()

    def _rehearse(self) -> None:
        """Load everything that a bot may call, so that loading does not use its time."""
        trial = Stepper.deal(self._game, self._rules, self._players, 0)
        trial.options()
        trial.take(0)
        trial.determinize(0)
        if hasattr(self._game.heuristics, "score_now"):
            trial.scores()

    def look(self, known: bytes) -> None:
        """Set the position of the bot's decision; `known` comes from `Stepper.known`."""
        if self._game.own_loop:
            self._state[0] = pickle.loads(known)
        else:
            self._state[0] = np.frombuffer(known, self._state.dtype)[0]

    def deal(self) -> Stepper:
        """Return a copy of the game at the bot's decision, with the hidden information dealt again.

        Each copy is an independent deal, determined by the seed and the number of the copy.
        """
        trial = self._known.copy()
        trial.determinize(int(derive_many(self._seed, np.array([self._dealt]))[0]))
        self._dealt += 1
        return trial
