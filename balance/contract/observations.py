"""What a seat sees: dataclasses whose fields are read from the fields of the state, as they are declared.

A field that has the name and the type of the state's field needs no more. `Of` names another field of the state, or
the words of its numbers::

    class Player:
        coins: int
        cards: Annotated[int, Of("hand_size")]
        building: Annotated[str, Of(words=BUILDINGS)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Of:
    """The source of an observation's field, for its annotation."""

    field: str = ""  # of the state, if it has another name
    # What the numbers mean: a word for a number, "" for a number without a word; or a key for each number, for a
    # dictionary. A list is a list of copies: it has each word as often as its number says.
    words: Sequence[Any] = ()


class State(SimpleNamespace):
    """The fields of a state as attributes, see `read_fields`."""

    plain: Plain


class Plain(dict[str, Any]):
    """The fields of a state as Python numbers, or lists of them; a list is made at the first look."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __missing__(self, name: str) -> Any:
        """Return a field that is not converted yet."""
        value = self._fields[name]
        self[name] = value.tolist() if isinstance(value, np.ndarray) else value
        return self[name]


def read_fields(record: np.record) -> State:
    """Return the fields of a record as attributes: Python numbers, and arrays that share their memory with the record.

    All are read at once. A NumPy record searches for its fields by name at each access, which takes ten times as long.
    """
    fields = dict(zip(record.dtype.names or (), record.item(), strict=True))
    return State(plain=Plain(fields), **fields)


def see(kind: type[Seen], state: State, *index: int, **computed: Any) -> Seen:
    """Return an object of a dataclass with the values of a state.

    Parameters
    ----------
    index : int
        The place of the object in the state's arrays, e.g. a seat.
    computed : object
        Fields that take more than a look-up. All others are read as they are declared.
    """
    plain = state.plain
    for name, field, convert in _declared(cast(Any, kind)):
        if name not in computed:
            value = plain[field]
            for place in index:
                value = value[place]
            computed[name] = convert(value) if convert else value
    return kind(**computed)


def see_each(kind: type[Seen], state: State, count: int, *index: int, **computed: Iterable[Any]) -> list[Seen]:
    """Return the first `count` objects of arrays, as `see` would one by one, in less than half the time.

    Parameters
    ----------
    index : int
        The place of the arrays in the state's larger arrays, e.g. a seat whose warriors are listed.
    computed : iterable
        For each field that takes more than a look-up, its value of every object.
    """
    plain = state.plain
    columns: list[Iterable[Any]] = []
    for name, field, convert in _declared(cast(Any, kind)):
        column = computed.get(name)
        if column is None:
            values = plain[field]
            for place in index:
                values = values[place]
            column = map(convert, values[:count]) if convert else values[:count]
        columns.append(column)
    return [kind(*row) for row in zip(*columns, strict=True)]


Convert = Callable[[Any], Any] | None


@cache
def _declared(kind: Any) -> Sequence[tuple[str, str, Convert]]:
    """Return the name, the state's field and the conversion of each field of a dataclass."""
    return list(_declare(kind))


def _declare(kind: type[Any]) -> Iterator[tuple[str, str, Convert]]:
    for name, hint in get_type_hints(kind, include_extras=True).items():
        source = next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Of)), Of())
        bare = hint.__origin__ if hasattr(hint, "__metadata__") else hint
        yield name, source.field or name, _conversion(bare, source.words)


def _conversion(hint: Any, words: Sequence[Any]) -> Convert:
    """Return the function that makes numbers a value of this type; None if they are it."""
    plain = get_origin(hint) or hint
    if plain is str:
        named = dict(enumerate(words))
        return lambda number: named.get(number, "")
    if plain is bool:
        return bool
    if plain is dict:
        return lambda numbers: dict(zip(words, numbers, strict=True))
    if plain is list and words:
        return lambda counts: copies(words, counts)
    if plain is tuple:
        of = get_args(hint)[0]
        return lambda numbers: tuple(map(of, numbers))
    return None


def copies(words: Sequence[Any], counts: Sequence[int]) -> list[Any]:
    """Return each word as often as its number says."""
    return [word for word, count in zip(words, counts, strict=True) for _ in range(count)]
