"""What a seat can't see: markers in its view, guesses of what they hide, and views as plain data."""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, partial
from math import nan
from numbers import Number
from types import SimpleNamespace
from typing import Any

import numpy as np
from pydantic import BaseModel

from balance.foundation.language import tr


@dataclasses.dataclass(frozen=True)
class Hidden:
    """Marks something in a seat's view that the seat can't see."""

    # What is hidden. A guess shuffles hidden things of one kind: cards never change places with bids.
    kind: str = ""

    def __deepcopy__(self, memo: Any) -> Hidden:
        return self


HIDDEN = Hidden()
UNSEEN = "?"
"""What is hidden, for bots and on pages."""


def hide(things: Sequence[Any], kind: str = "") -> list[Any]:
    """Return a list as long as `things`, all of it hidden: its length stays visible."""
    return [Hidden(kind)] * len(things)


Put = Callable[[Any], None]


def fill_hidden(view: Any, state: Any, shuffle: Callable[[list[Any]], None]) -> Any:
    """Return a view with everything hidden replaced by the true things, shuffled kind by kind.

    The view may be changed. ValueError if it has another shape than the state.
    """
    found: dict[Hidden, list[tuple[Put, Any]]] = {}
    box = [view]
    for mark, put, true in _find_hidden(box, [state], ""):
        found.setdefault(mark, []).append((put, true))
    for places in found.values():
        things = sorted((true for _, true in places), key=repr)  # the true places must not matter
        shuffle(things)
        for (put, _), thing in zip(places, things, strict=True):
            put(thing)
    return box[0]


def hidden_things(view: Any, state: Any) -> dict[str, list[Any]]:
    """Return what a state has in the hidden places of a view, kind by kind; ValueError if it has another shape."""
    found: dict[str, list[Any]] = {}
    for mark, _, true in _find_hidden([view], [state], ""):
        found.setdefault(mark.kind, []).append(true)
    return found


def _find_hidden(view: Any, state: Any, name: str) -> Iterator[tuple[Hidden, Put, Any]]:
    """Yield everything hidden in lists, dicts and objects: its mark, a function that replaces it, the true thing."""
    for key, seen, true, put, where in _parts_of(view, state, name):
        if isinstance(seen, Hidden):
            yield seen, put, true
        elif isinstance(seen, (list, deque, dict)) or (has_attributes(seen) and not _is_fixed(seen)):
            yield from _find_hidden(seen, true, f"{where}{key}" if where else "state")
        elif isinstance(seen, (tuple, set, frozenset)) and any(isinstance(each, Hidden) for each in seen):
            raise ValueError(
                tr(
                    "{name} is a {type}, and what is hidden in it can't be dealt again: use a list",
                    name=f"{where}{key}",
                    type=type(seen).__name__,
                )
            )


def _parts_of(view: Any, state: Any, name: str) -> Iterator[tuple[Any, Any, Any, Put, str]]:
    """Yield the parts of a list, dict or object: name, as seen, truly, how to replace it, where it is."""
    if type(view) is not type(state):
        raise ValueError(
            tr(
                "a view must have the shape of the state, but {name} is a {type}, not a {right}",
                name=name,
                type=type(view).__name__,
                right=type(state).__name__,
            )
        )
    if isinstance(view, (list, deque)):
        if len(view) != len(state):
            raise ValueError(
                tr(
                    "a view must keep the length of {name}, {right}, but it has {length}: use hide()",
                    name=name,
                    right=len(state),
                    length=len(view),
                )
            )
        for number, (seen, true) in enumerate(zip(view, state, strict=True)):
            yield f"[{number}]", seen, true, _setter(view, number), name
    elif isinstance(view, dict):
        for key in view.keys() & state.keys():
            yield f"[{key!r}]", view[key], state[key], _setter(view, key), name
    else:
        own = attributes_of(state)
        for key, seen in attributes_of(view).items():
            if key not in own:
                raise ValueError(
                    tr("a view must have the shape of the state, but {name} has {key!r} too", name=name, key=key)
                )
            yield f".{key}", seen, own[key], partial(object.__setattr__, view, key), name


def _setter(things: Any, key: Any) -> Put:
    def put(thing: Any) -> None:
        things[key] = thing

    return put


@cache
def _slots_of(kind: Any) -> tuple[str, ...]:
    found = [getattr(each, "__slots__", ()) for each in kind.__mro__]
    return tuple(name for own in found for name in ([own] if isinstance(own, str) else own))


def attributes_of(thing: Any) -> Mapping[str, Any]:
    """Return the attributes of an object by name, with slots too; none for numbers, texts and other simple things."""
    kind: Any = type(thing)
    slots = _slots_of(kind)
    if not slots:
        return getattr(thing, "__dict__", {})
    own = {name: getattr(thing, name) for name in slots if hasattr(thing, name) and name[:2] != "__"}
    return own | getattr(thing, "__dict__", {})


def has_attributes(thing: Any) -> bool:
    """Return whether a thing is an object with attributes, perhaps none at the moment."""
    kind: Any = type(thing)
    return (hasattr(thing, "__dict__") or bool(_slots_of(kind))) and not isinstance(thing, Number)


def _is_fixed(thing: Any) -> bool:
    """Return whether an object can't hide anything: rules, classes, functions."""
    return isinstance(thing, (BaseModel, type)) or callable(thing)


class Thing(SimpleNamespace):
    """An object of a game without its class; it may be in a set, as the object was."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(vars(self)))


def as_data(view: Any, within: tuple[int, ...] = ()) -> Any:
    """Return a view without the classes of its game: objects become `Thing`, hidden things the text `UNSEEN`.

    Members of an enumeration become their names, NumPy's arrays lists. Bots in other processes, and pages, can read
    it without the game's code. ValueError if an object contains itself: `within` has the ids of all around the view.
    """
    kind = type(view)
    if kind is int or kind is str:
        return view
    if isinstance(view, Hidden):
        return UNSEEN
    if isinstance(view, Enum):
        return view.name
    if isinstance(view, (np.ndarray, np.generic)):
        return _plain(view)
    if id(view) in within:
        raise ValueError(tr("something in it contains itself: refer to a thing by its number"))
    data = partial(as_data, within=(*within, id(view)))
    if isinstance(view, Mapping):
        return {data(key): data(each) for key, each in view.items()}
    for base in (list, deque, set, frozenset, tuple):
        if isinstance(view, base):
            return base(map(data, view))
    if isinstance(view, BaseModel):
        return Thing(**{key: data(each) for key, each in dict(view).items()})
    if has_attributes(view) and not callable(view):
        return Thing(**{key: data(each) for key, each in attributes_of(view).items()})
    if any(_may_change(cell.cell_contents) for cell in getattr(view, "__closure__", None) or ()):
        raise ValueError(
            tr("a function written inside another one remembers its things, and a copy shares them: write a method")
        )
    return view


def _may_change(thing: Any) -> bool:
    """Return whether a thing that a function remembers may be a part of a state."""
    return isinstance(thing, (list, dict, set, deque, np.ndarray)) or (
        has_attributes(thing) and not _is_fixed(thing) and not isinstance(thing, Enum)
    )


def _plain(values: Any) -> Any:
    """Return NumPy's number or array as numbers and lists of Python; NaN is always the same object, so it is equal."""
    if values.dtype.kind == "f" and np.isnan(values).any():
        found = np.array(values, object)
        found[np.isnan(values)] = nan
        return found.tolist()
    return as_data(values.tolist()) if values.dtype.hasobject else values.tolist()
