"""What a learned player of a game in plain Python sees: columns of 0 and 1, read from the position and the actions.

A schema says how a position is read. It is plain data, found by `balance.training.plain_inputs` and stored with the
weights. Fixed functions read it, so that the file of a stranger runs no code. Its nodes:

- ``keys``: the attributes of an object or the entries of a dict, each with a node; ``worded`` if keys are written as
  words, such as those of an enumeration or the places of a board
- ``seats``: a list by seat, own seat first; ``places``: a list by position; ``last``: its last element
- ``bag``: a list or set as counts of what is in it; hidden things count too
- ``value``: a number (a column for each step that it reaches, and for each value that it may equal) or a word
- ``who``: a seat, counted from the own seat
- ``all``: several nodes for one value
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from hashlib import blake2b
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from balance.plain.chance import Chance
from balance.plain.hidden import Hidden, attributes_of, has_attributes
from balance.plain.interface import sees_all
from balance.plain.results import read_places

Node = dict[str, Any]
Read = Callable[[Any, int, list[int], list[Any]], None]
"""Reads a value for a seat: appends its columns, and fills the slots of what actions are compared with."""

ROWS = (list, tuple, deque, np.ndarray)
BAGS = (set, frozenset)
ABSENT = object()
"""The content of a slot that was not read."""
NO_WORD, UNSEEN_WORD = "none", "?"
ENDS = ("ends: alone first", "ends: shared first", "ends: not first")
MOST_COLUMNS = 4_000
_DEEPEST = 12
_MOST_KEPT = 50_000  # answers that are kept to be read again
SIMPLE = frozenset((int, float, str, bool, type(None), Hidden))
_FROZEN = frozenset((int, str))
_SPLIT = re.compile(r"[\s,;:()]+")
_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?")
_PARTS = re.compile(r"\d+|\D")
_LONGEST_CARD = 4  # characters of a word that is read by its parts too


def word_of(value: Any) -> Any:
    """Return a single value as a number or a text."""
    if value is None:
        return NO_WORD
    if isinstance(value, Hidden):
        return UNSEEN_WORD
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float, str)):
        return value
    return float(value) if isinstance(value, (Real, Decimal)) else type(value).__name__


def parts_of(word: Any) -> tuple[Any, ...]:
    """Return the parts of a short word, such as a card's rank and suit; none for other words and numbers."""
    if not isinstance(word, str) or not 2 <= len(word) <= _LONGEST_CARD or word in (NO_WORD, UNSEEN_WORD):
        return ()
    parts = _PARTS.findall(word)
    return tuple(int(each) if each.isdecimal() else each for each in parts) if len(parts) > 1 else ()


def freeze(value: Any) -> Any:
    """Return a value as nested tuples of numbers and texts, which are equal for equal positions; rules are left out."""
    kind = value.__class__
    if kind is int or kind is str:
        return value
    if kind is list:
        return tuple(value) if _FROZEN.issuperset(map(type, value)) else tuple(map(freeze, value))
    if kind in SIMPLE:
        return word_of(value)
    if isinstance(value, Mapping):
        return tuple(sorted(((word_of(key), freeze(each)) for key, each in value.items()), key=repr))
    if isinstance(value, ROWS):
        return tuple(map(freeze, value))
    if isinstance(value, BAGS):
        return tuple(sorted(map(freeze, value), key=repr))
    if is_record(value):
        return tuple(map(freeze, attributes_of(value).values()))
    return word_of(value)


def key_of(key: Any) -> str | int:
    """Return the key of an entry as a schema has it: the word of an enumeration, the words of a tuple."""
    return key if isinstance(key, (str, int)) else _say(freeze(key))


def is_record(value: Any) -> bool:
    """Return whether a value is an object with attributes that change in a game."""
    return has_attributes(value) and not isinstance(value, (BaseModel, type, Enum)) and not callable(value)


def split_label(label: str) -> dict[str, Any]:
    """Return a label as a dict that a schema describes: the whole, its kind, and its words by kind and position."""
    words = [_number(each) for each in _SPLIT.split(label) if each]
    kind = words[0] if words and isinstance(words[0], str) else ""
    found: dict[str, Any] = {"label": label, "kind": kind}
    first = 1 if kind else 0
    found |= {f"{kind} {n}".strip(): word for n, word in enumerate(words[first:], 1)}
    if len(words) > first + 1:
        found["words"] = words[first:]
    return found


def _number(word: str) -> Any:
    if not _NUMBER.fullmatch(word):
        return word
    return float(word) if "." in word else int(word)


class Slot(NamedTuple):
    """A place for a value that actions are compared with."""

    name: str
    is_bag: bool


class _Table(dict[Any, Any]):
    """Answers by question, found when first asked for."""

    def __init__(self, find: Callable[[Any], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Any) -> Any:
        if len(self) > _MOST_KEPT:
            self.clear()
        found = self[key] = self._find(key)
        return found


class Reader:
    """A schema as a function.

    Parameters
    ----------
    kept : sequence of int or None
        Which of the schema's columns there are; None for all.
    used : set of int or None
        Which slots are filled; None for all.

    Attributes
    ----------
    names : list of str
        The columns.
    slots : list of Slot
        What actions can be compared with.
    """

    def __init__(
        self, node: Node, players: int, kept: Sequence[int] | None = None, used: set[int] | None = None
    ) -> None:
        self._players, self._made, self._used = players, 0, used
        self._live = 0  # columns and slots so far that are not left out
        self._kept = None if kept is None else {column: n for n, column in enumerate(kept)}
        named: list[str] = []
        self._all_names = named
        self.slots: list[Slot] = []
        self._read = self._build(node, "", 0)
        self.names = named if kept is None else [named[each] for each in kept]

    def read(self, value: Any, me: int) -> tuple[list[int], list[Any]]:
        """Return the columns that are 1, and the contents of the slots."""
        columns: list[int] = []
        contents: list[Any] = [ABSENT] * len(self.slots)
        self._read(value, me, columns, contents)
        return columns, contents

    def _column(self, name: str) -> int | None:
        """Return the number of the next column; None if it is left out."""
        number, self._made = self._made, self._made + 1
        if self._made > 20 * MOST_COLUMNS:
            raise ValueError("too many columns")
        self._all_names.append(" ".join(name.split()))
        found = number if self._kept is None else self._kept.get(number)
        self._live += found is not None
        return found

    def _slot(self, name: str, is_bag: bool = False) -> int:
        number = len(self.slots)
        self.slots.append(Slot(" ".join(name.split()), is_bag))
        self._live += self._is_used(number)
        return number

    def _is_used(self, slot: int) -> bool:
        return self._used is None or slot in self._used

    def _build(self, node: Node, name: str, depth: int) -> Read:
        if depth > _DEEPEST:
            raise ValueError("too deep")
        if node["is"] not in _KINDS:
            raise ValueError("unknown kind")
        build: Callable[[Node, str, int], Read] = getattr(self, f"_build_{node['is']}")
        before = self._live
        read = build(node, name, depth + 1)
        return read if self._live > before else _read_nothing

    def _build_all(self, node: Node, name: str, depth: int) -> Read:
        built = [self._build(each, name, depth) for each in node["of"]]
        reads = [each for each in built if each is not _read_nothing]

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            for each in reads:
                each(value, me, columns, contents)

        return read

    def _build_keys(self, node: Node, name: str, depth: int) -> Read:
        built = [(key, self._build(each, f"{name} {key}", depth)) for key, each in node["of"]]
        reads = [(key, each) for key, each in built if each is not _read_nothing]
        is_worded = node.get("worded", False)

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            own = value if isinstance(value, Mapping) else attributes_of(value)
            if is_worded:
                own = {key_of(key): each for key, each in own.items()}
            for key, each in reads:
                if key in own:
                    each(own[key], me, columns, contents)

        return read

    def _build_seats(self, node: Node, name: str, depth: int) -> Read:
        players = self._players
        built = [self._build(each, f"{name} of {_seat_name(n)}", depth) for n, each in enumerate(node["of"])]
        reads = [(n, each) for n, each in enumerate(built) if each is not _read_nothing]

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if isinstance(value, ROWS) and len(value) == players:
                for n, each in reads:
                    each(value[(me + n) % players], me, columns, contents)

        return read

    def _build_places(self, node: Node, name: str, depth: int) -> Read:
        reads = [self._build(each, f"{name} {n + 1}", depth) for n, each in enumerate(node["of"])]
        answers = [getattr(each, "answers", None) for each in reads]

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if isinstance(value, ROWS):
                for each, own in zip(reads, value, strict=False):
                    each(own, me, columns, contents)

        def read_board(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if isinstance(value, ROWS):
                for each, own in zip(answers, value, strict=False):
                    if own.__class__ in SIMPLE or isinstance(own, (Enum, Real)):
                        columns += each[own]  # type: ignore[index]

        return read if None in answers else read_board

    def _build_last(self, node: Node, name: str, depth: int) -> Read:
        inner = self._build(node["of"], f"{name} last", depth)

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if isinstance(value, ROWS) and len(value):
                inner(value[-1], me, columns, contents)

        return read

    def _build_who(self, node: Node, name: str, depth: int) -> Read:
        players = self._players
        own = [self._column(f"{name} is {_seat_name(n)}") for n in range(players)]

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if value.__class__ is int and 0 <= value < players:
                column = own[(value - me) % players]
                if column is not None:
                    columns.append(column)

        return read

    def _build_value(self, node: Node, name: str, depth: int) -> Read:
        find = self._values(node, name)
        part_finds = [self._values(each, f"{name} part {n + 1}") for n, each in enumerate(node.get("parts", ()))]
        slot = self._slot(name)
        part_slots = [self._slot(f"{name} part {n + 1}") for n in range(len(part_finds))]

        def answer(value: Any) -> tuple[tuple[int, ...], Any, tuple[Any, ...]]:
            word = word_of(value)
            parts = parts_of(word)[: len(part_finds)]
            more = (column for each, part in zip(part_finds, parts, strict=False) for column in each(part))
            return (*find(word), *more), word, parts

        if not any(map(self._is_used, (slot, *part_slots))):
            return _read_words(answer)
        answers = _Table(answer)

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            try:
                own, word, parts = answers[value]
            except TypeError:  # a list or dict
                return
            columns += own
            contents[slot] = word
            for each, part in zip(part_slots, parts, strict=False):
                contents[each] = part

        return read

    def _values(self, node: Node, name: str) -> Callable[[Any], list[int]]:
        """Return a function from a number or text to its columns."""
        steps = [(float(each), self._column(f"{name} ≥ {each:g}")) for each in node.get("steps", ())]
        words = {each: self._column(f"{name} = {each}") for each in node.get("words", ())}

        def find(word: Any) -> list[int]:
            is_number = not isinstance(word, str)
            found = [column for step, column in steps if is_number and word >= step]
            return [column for column in (*found, words.get(word)) if column is not None]

        return find

    def _build_bag(self, node: Node, name: str, depth: int) -> Read:
        lengths = self._values(node["length"], f"number of {name}")
        count = self._counts(node["words"], name)
        part_counts = [self._counts(each, f"{name} part {n + 1}") for n, each in enumerate(node["parts"])]
        extremes = [
            (pick, self._values(each, f"{what} of {name}"), self._slot(f"{what} of {name}"))
            for (what, pick), each in zip(_EXTREMES.items(), node["extremes"], strict=False)
        ]
        slot = self._slot(name, is_bag=True)
        part_slots = [self._slot(f"{name} part {n + 1}", is_bag=True) for n in range(len(part_counts))]
        length_table, count_table = _Table(lengths), _Table(count)
        part_tables = list(map(_Table, part_counts))

        def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
            if not isinstance(value, (*ROWS, *BAGS)):
                return
            columns += length_table[len(value)]
            counts = count_things(value)
            contents[slot] = counts
            for pair in counts.items():
                columns += count_table[pair]
            for each, table, n in zip(part_slots, part_tables, range(len(part_tables)), strict=True):
                own = contents[each] = count_parts(counts, n)
                for pair in own.items():
                    columns += table[pair]
            numbers = [each for each in counts if each.__class__ is not str and not isinstance(each, tuple)]
            if numbers:
                for pick, find, own_slot in extremes:
                    contents[own_slot] = number = pick(numbers)
                    columns += find(number)

        return read

    def _counts(self, words: Iterable[Any], name: str) -> Callable[[tuple[Any, int]], list[int]]:
        """Return a function from a word and how often it is there to columns."""
        own = {
            _as_key(word): [self._column(f"{name} has {n + 1} × {_say(word)}") for n in range(int(most))]
            for word, most in words
        }

        def find(pair: tuple[Any, int]) -> list[int]:
            return [column for column in own.get(pair[0], [])[: pair[1]] if column is not None]

        return find


def _read_nothing(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
    """Read nothing: all columns are left out."""


def _read_words(answer: Callable[[Any], tuple[tuple[int, ...], Any, tuple[Any, ...]]]) -> Read:
    """Return a function that reads single values, which nothing is compared with."""
    answers = _Table(lambda value: answer(value)[0])

    def read(value: Any, me: int, columns: list[int], contents: list[Any]) -> None:
        with suppress(TypeError):  # a list or dict
            columns += answers[value]

    read.answers = answers  # type: ignore[attr-defined]
    return read


_EXTREMES: Mapping[str, Callable[[list[Any]], Any]] = {"largest": max, "smallest": min}
_KINDS = ("all", "keys", "seats", "places", "last", "who", "value", "bag")


def _seat_name(number: int) -> str:
    return "the own seat" if number == 0 else f"seat + {number}"


def _as_key(word: Any) -> Any:
    """Return a word of a schema as `count_things` has it: JSON makes lists of tuples."""
    return tuple(map(_as_key, word)) if isinstance(word, list) else word


def _say(word: Any) -> str:
    return " ".join(map(_say, word)) if isinstance(word, (list, tuple)) else str(word)


def count_things(things: Any) -> dict[Any, int]:
    """Return how often each thing is there, things as words."""
    found: dict[Any, int] = {}
    for each in things:
        word = each if each.__class__ is int or each.__class__ is str else freeze(each)
        found[word] = found.get(word, 0) + 1
    return found


def count_parts(counts: Mapping[Any, int], number: int) -> dict[Any, int]:
    """Return how often each part with this number is there."""
    found: dict[Any, int] = {}
    for word, count in counts.items():
        parts = _parts_of_any(word)
        if number < len(parts):
            found[parts[number]] = found.get(parts[number], 0) + count
    return found


def _parts_of_any(word: Any) -> tuple[Any, ...]:
    return word if isinstance(word, tuple) else _CARDS[word]


_CARDS = _Table(parts_of)


class Match:
    """A comparison of words of actions with something that the position shows.

    Parameters
    ----------
    action, position : int
        The slots.
    levels : sequence of (str, int, int)
        What is compared, the least count, and the column of each level.
    """

    def __init__(self, action: int, position: int, levels: Sequence[tuple[str, int, int]]) -> None:
        self.action, self.position, self._levels = action, position, levels
        self._known = _Table(self._new_answers)

    def answers(self, content: Any) -> _Table:
        """Return a table from words of the action to columns, for the content of the position's slot."""
        if content.__class__ is dict:  # a bag seldom returns
            return self._new_answers(content)
        found: _Table = self._known[content]
        return found

    def _new_answers(self, content: Any) -> _Table:
        def columns(own: Any) -> list[int]:
            if own is ABSENT or content is ABSENT:
                return []
            found = compare(own, content)
            return [column for what, least, column in self._levels if found.get(what, 0) >= least]

        return _Table(columns)


def compare(own: Any, other: Any) -> dict[str, int]:
    """Return how a word of an action compares with a slot of the position: counts by the names in `COMPARED`."""
    if isinstance(other, dict):
        found = {"same": other.get(own, 0)}
        if not isinstance(own, str):
            above = below = 0
            for each, count in other.items():
                if isinstance(each, (int, float)):
                    if each > own:
                        above += count
                    elif each < own:
                        below += count
            found["above"], found["below"] = above, below
        return found
    found = {"same": int(own == other)}
    if not isinstance(own, str) and not isinstance(other, str):
        found["above"] = int(other > own)
    return found


COMPARED = ("same", "above", "below")


class Described(NamedTuple):
    """A decision: columns that are 1."""

    context: list[int]  # of the position
    options: list[list[int]]  # of each action
    rows: list[int]  # of the table, one for each action; -1 if it has none


class Inputs:
    """The inputs of a learned player at a player count, under one rule set.

    A damaged schema raises errors of many kinds.

    Attributes
    ----------
    context, action : list of str
        Names of the columns of the position and of an action.
    rows : int
        Rows of the table: pairs of a position and an action, in a game that has few.
    """

    def __init__(self, schema: Mapping[str, Any], players: int) -> None:
        self.players, self.schema = players, schema
        matches = schema["matches"]
        used = {int(position) for _, position, _ in matches}
        self._position = Reader(schema["position"], players, schema["position_kept"], used)
        self._action = Reader(schema["action"], players, schema["action_kept"])
        self._features = Reader(schema["features"], players, schema["features_kept"], set())
        self._after = Reader(schema["position"], players, schema["after_kept"], set())
        self._looks_ahead = bool(schema["looks_ahead"])
        self.context = self._position.names
        self.action = [*self._action.names, *self._features.names]
        self._matches = self._read_matches(matches)
        self._first_after = len(self.action)
        if self._looks_ahead:
            self.action += [*(f"then {each}" for each in self._after.names), *ENDS]
        if len(self.context) + len(self.action) > MOST_COLUMNS:
            raise ValueError("too many columns")
        keys = np.frombuffer(b64decode(schema["table"], validate=True), "<u8").tolist()
        self.rows = len(keys)
        self._rows = {key: row for row, key in enumerate(keys)}
        self._labels = _Table(lambda label: self._action.read(split_label(label), 0))
        self._decisions: dict[Any, Described] = {}
        self._no_chance = Chance(0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the schema, for another process."""
        return Inputs, (self.schema, self.players)

    def _read_matches(self, given: Sequence[Any]) -> list[Match]:
        found = []
        for action, position, levels in given:
            columns = []
            for what, least in levels:
                columns.append((str(what), int(least), len(self.action)))
                names = self._action.slots[action].name, self._position.slots[position].name
                self.action.append(f"{names[0]}: {what} × {least} in {names[1]}")
            found.append(Match(int(action), int(position), columns))
        return found

    def see(self, author: Any, position: Any, seat: int) -> Any:
        """Return what a seat sees."""
        return position if sees_all(author) else author.seen(author.clone(position), seat)

    def describe(self, author: Any, position: Any, actions: Sequence[str]) -> Described:
        """Return the columns of a decision; in a game of few positions they are kept."""
        seat = position.seat
        view = self.see(author, position, seat)
        if not self.rows:
            return self._describe(author, position, view, actions)
        key = seat, freeze(view), tuple(actions)
        if key not in self._decisions:
            if len(self._decisions) > _MOST_KEPT:
                self._decisions.clear()
            self._decisions[key] = self._describe(author, position, view, actions)
        return self._decisions[key]

    def _describe(self, author: Any, position: Any, view: Any, actions: Sequence[str]) -> Described:
        seat = position.seat
        context, contents = self._position.read(view, seat)
        compared = [(each.action, each.answers(contents[each.position])) for each in self._matches]
        options = [self._describe_action(author, position, each, compared) for each in actions]
        rows = [-1] * len(actions)
        if self._looks_ahead and sees_all(author):  # whatever a file says, a player sees nothing hidden
            for n, action in enumerate(actions):
                rows[n] = self._look_ahead(author, position, action, options[n])
        elif self.rows:
            frozen = freeze(view)
            rows = [self._rows.get(table_key(seat, frozen, each), -1) for each in actions]
        return Described(context, options, rows)

    def _describe_action(
        self, author: Any, position: Any, action: str, compared: Sequence[tuple[int, _Table]]
    ) -> list[int]:
        known, words = self._labels[action]
        columns: list[int] = known.copy()
        if self._features.names:
            own = author.features(position, action)
            first = len(self._action.names)
            columns += [first + each for each in self._features.read(own, 0)[0]]
        for slot, answers in compared:
            columns += answers[words[slot]]
        return columns

    def _look_ahead(self, author: Any, position: Any, action: str, columns: list[int]) -> int:
        """Add the columns of the position after an action, and return the row of the table."""
        seat, then = position.seat, author.clone(position)
        author.apply(then, action, self._no_chance)
        first = self._first_after
        columns += [first + each for each in self._after.read(then, seat)[0]]
        if author.over(then):
            places = read_places(author, then, self.players)
            best = max(places)
            alone = places.count(best) == 1
            columns.append(first + len(self._after.names) + (2 if places[seat] < best else int(not alone)))
        return self._rows.get(table_key(seat, freeze(then), ""), -1) if self.rows else -1


def table_key(seat: int, view: Any, action: str) -> int:
    """Return the key of a frozen view and an action, the same in every process; after an action, it is empty."""
    text = repr((seat, view, action)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
