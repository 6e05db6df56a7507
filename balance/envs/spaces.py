"""The fixed spaces of a game: names and numbers of its actions, names and limits of an observation's features."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import LARGEST_FEATURE, SHORTLIST_FEATURES
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant


class Spaces:
    """The action space and the observation of a game with a rule set at a player count.

    An action is a number, and its name is the label of the rule page. The numbers are the same for all shipped variants
    at a player count; a variant of your own may add names at the end.

    An observation consists of the features that networks get, of the kind of decision, and of the seat to choose.

    Attributes
    ----------
    codes : dict of int to int
        The codes of the compiled rules to the numbers of actions.
    action_names, observation_names, option_names : list of str
        Names of all actions, of the features of an observation, and of the features of a legal action.
    low, high : float32 arrays
        Limits of each feature of an observation.
    """

    def __init__(self, game: Game, rules: Any, players: int) -> None:
        numbers = dict(number_actions(game, players))
        self.codes = {code: numbers.setdefault(label, len(numbers)) for code, label in _list(game, rules, players)}
        self.action_names = list(numbers)
        features, action_features, heads = game.network_features
        flags = [*(f"decides_{head}" for head in heads), *(f"seat_{seat}" for seat in range(players))]
        self.observation_names = [*features, *flags]
        self.high = np.repeat([LARGEST_FEATURE, 1.0], [len(features), len(flags)]).astype(np.float32)
        self.option_names = list(action_features)[len(SHORTLIST_FEATURES) :]
        self.low = np.where(self.high == 1.0, 0.0, -self.high).astype(np.float32)
        self._seats = len(self.high) - players  # where the seats begin
        self._heads = len(features)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each action, by its name."""
        return {name: number for number, name in enumerate(self.action_names)}

    def observe(self, stepper: Stepper) -> np.ndarray:
        """Return the observation of the seat to choose in a game step by step, such as a bot's simulator deals."""
        found = np.zeros(len(self.high), np.float32)
        head, found[: self._heads] = stepper.describe_position()
        found[self._heads + head] = found[self._seats + stepper.seat] = 1.0
        return found

    def observe_options(self, stepper: Stepper) -> np.ndarray:
        """Return the features of each legal action, as rows in the order of `Stepper.options`."""
        return stepper.describe_options()[:, len(SHORTLIST_FEATURES) :]


@cache
def number_actions(game: Game, players: int) -> dict[str, int]:
    """Return the number of each action of the shipped variants, by its label; those of `base` come first."""
    names = sorted(game.shipped("variants"), key=lambda name: name != "base")
    rules = (load_variant(game, name, Path()).rules for name in names)
    labels = (label for each in rules for _, label in _list(game, each, players))
    return {label: number for number, label in enumerate(dict.fromkeys(labels))}


def _list(game: Game, rules: Any, players: int) -> Iterator[tuple[int, str]]:
    """Yield code and label of every action of a rule set."""
    if not game.network_functions:
        raise game.fault("heuristics has no CONTEXT and `context`, so there are no observations")
    if not hasattr(game.display, "list_actions"):
        raise game.fault("display.list_actions is missing, so there is no action space")
    write = game.display.write_label
    return ((code, write(code, rules)) for code in game.display.list_actions(rules, players))
