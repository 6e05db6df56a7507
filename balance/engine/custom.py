"""Custom bots: a class with `choose(observation, actions) -> index` in a file of the user's."""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from balance.errors import BalanceError

Choose = Callable[[Any, Sequence[str]], Any]
"""A bot's method: what a seat sees and the labels, to an index."""


class BotError(BalanceError):
    """A custom bot raised or chose what is not there."""


@cache
def load_bot_class(bot: str) -> type:
    """The class that ``FILE:CLASS`` names.

    Raises
    ------
    BalanceError
        The file can't be imported, or has no such class with a method ``choose``.
    """
    file, _, class_name = bot.rpartition(":")
    spec = importlib.util.spec_from_file_location(f"custom_bot_{Path(file).stem}", file)
    if spec is None or spec.loader is None:
        raise BalanceError(f"cannot import {file}")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BalanceError(f"{file}: {type(error).__name__}: {error}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [name for name, value in vars(module).items() if isinstance(value, type)]
        raise BalanceError(f"{file} has no class {class_name!r} (there are: {', '.join(classes)})")
    if not callable(getattr(found, "choose", None)):
        raise BalanceError(f"{file}: class {class_name} has no method choose(observation, actions)")
    return found


def make_bot(bot: str, seed: int) -> Choose:
    """A fresh bot for one seat of one game; returns its `choose`.

    A constructor that takes an argument gets a NumPy generator seeded for this game and seat.
    """
    bot_class = load_bot_class(bot)
    try:
        wants_rng = bool(inspect.signature(bot_class).parameters)
        made = bot_class(np.random.default_rng(seed)) if wants_rng else bot_class()
    except Exception as error:
        raise BotError(f"cannot make {bot}: {type(error).__name__}: {error}") from error
    return made.choose  # type: ignore[no-any-return]


def ask_bot(choose: Choose, observation: Any, actions: Sequence[str], who: str) -> int:
    """The index that a bot chooses; `who` names bot, game and seat in an error.

    Raises
    ------
    BotError
        The bot raised, or did not return an index of `actions`.
    """
    try:
        index = choose(observation, list(actions))
    except Exception as error:
        raise BotError(f"{who} raised {type(error).__name__}: {error}") from error
    whole = isinstance(index, (int, np.integer)) and not isinstance(index, bool)
    if not whole or not 0 <= index < len(actions):
        raise BotError(f"{who} returned {index!r}, not an index below {len(actions)}")
    return int(index)
