"""Faults in the code of a game in plain Python: one line with the file, the line and the game that shows it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from balance.foundation.errors import BalanceError, say_error
from balance.foundation.language import tr
from balance.plain.copying import copy_state
from balance.plain.hidden import as_data, attributes_of
from balance.plain.interface import has_own

MOST_ACTIONS = 4096


class PlainGameError(BalanceError):
    """The code of a game failed, or breaks the rules of `balance.plain.PlainGame`."""


def place_of(function: Callable[..., Any]) -> str:
    """Return the file and line where a function is defined."""
    code = inspect.unwrap(function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def fault_in(function: Callable[..., Any], what: str) -> PlainGameError:
    """Return the error for a method that breaks the rules."""
    return PlainGameError(f"{place_of(function)}: {function.__name__}() {what}")


def raised(error: Exception, folder: Path, during: str) -> PlainGameError:
    """Return the error for an exception that the game's code raised."""
    return PlainGameError(tr("{error}, in {place}", error=say_error(error, folder, str(folder)), place=during))


class NoRoomError(IndexError):
    """A log has no room for an outcome; a replay stops there to look at the position."""


class Guarded:
    """The author's game, whose methods raise errors of one line instead of any exception."""

    def __init__(self, author: Any, folder: Path) -> None:
        self._author, self._folder = author, folder

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the game, a method with its errors in one line."""
        found = getattr(self._author, name)
        return self._guard(found) if inspect.ismethod(found) else found

    def _guard(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(*given: Any) -> Any:
            try:
                return method(*given)
            except (BalanceError, NoRoomError):
                raise
            except Exception as error:
                raise raised(error, self._folder, f"{method.__name__}()") from error

        return call


def copy_as_data(game: Any, state: Any) -> Any:
    """Return a copy of a state as data; refuse a state with something that can't be copied and compared."""
    failed: Exception | None = None
    try:
        data = as_data(game.clone(state))
        if data == as_data(state):
            return data
    except Exception as error:
        failed = error
    if has_own(game, "clone"):
        raise failed or fault_in(game.clone, tr("returns a state that is not equal to the one that it copies"))
    odd = _odd_part(state)
    if odd is None:
        raise failed or fault_in(game.setup, tr("returns a state that can't be copied and compared"))
    raise PlainGameError(
        tr(
            "{place}: state.{name} can't be copied and compared: {why}; use numbers, texts, lists, dicts, sets, and "
            "objects that consist of them",
            place=place_of(game.setup), name=odd[0], why=odd[1],
        )
    )  # fmt: skip


def _odd_part(state: Any) -> tuple[str, str] | None:
    """Return the name of the first attribute that can't be copied and compared, and why."""
    for name, part in attributes_of(state).items():
        try:
            if as_data(copy_state(part)) != as_data(part):
                return name, short(part)
        except Exception as error:
            return name, str(error)
    return None


def check_actions(game: Any, actions: Any) -> None:
    """Refuse a list of actions that no seat could choose from."""
    if not isinstance(actions, list) or not (set(map(type, actions)) <= {str} and all(actions)):
        raise fault_in(game.actions, tr("must return a list of texts, not {value}", value=short(actions)))
    if not actions:
        raise fault_in(game.actions, tr("returned no action, but over() says that the game has not ended"))
    if len(set(actions)) < len(actions):
        twice = next(each for each in actions if actions.count(each) > 1)
        raise fault_in(game.actions, tr("listed {action!r} twice", action=twice))
    if len(actions) > MOST_ACTIONS:
        raise fault_in(
            game.actions, tr("listed {count:,} actions, more than {most:,}", count=len(actions), most=MOST_ACTIONS)
        )


def check_turn(game: Any, state: Any, players: int, last_round: int, after: Callable[..., Any]) -> None:
    """Refuse a state without a seat to choose, or with a round that goes back, `after` a method."""
    if not hasattr(state, "seat"):
        raise fault_in(
            after,
            tr(
                "left a state without an attribute seat, a {type}: it must be an object such as a dataclass",
                type=type(state).__name__,
            ),
        )
    seat, number = state.seat, getattr(state, "round", 1)
    if type(seat) is not int or not 0 <= seat < players:
        raise fault_in(
            after, tr("left state.seat at {seat!r}: it must be an int from 0 to {most}", seat=seat, most=players - 1)
        )
    if type(number) is not int or number < max(1, last_round):
        raise fault_in(
            after,
            tr("left state.round at {number!r}: it must be an int that counts from 1 and never falls", number=number),
        )
    if number > game.MOST_ROUNDS:
        raise fault_in(
            game.apply,
            tr("began round {number}: MOST_ROUNDS = {most} must be larger", number=number, most=game.MOST_ROUNDS),
        )


def short(value: Any) -> str:
    """Return a value as short text."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."
