"""NumPy record types that all games share, and how a game adds its own fields to them.

A game uses four records: its rules, the *state* (everything that defines a position, which a search copies), a *log*
(history and counters that only tables read) and *scratch* (buffers; their content is valid only during a call, except
for the notes of `count_actions` for the functions called right after it). Rows of the tables are made from the log and
the state at the end.

A field is declared once, as ``(name, type)``, ``(name, type, shape)`` or ``(name, type, shape, initial value)``. A
shape of ``()`` is a single number; the default initial value is 0. Each game begins with a copy of the initial values,
so nothing remains of the game before. A field of the state that not every seat sees says so behind its initial value:
`OWN` or `SECRET`.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping, Sequence
from keyword import iskeyword
from typing import Any, NamedTuple

import numpy as np

from balance.foundation.compiling import compiled
from balance.foundation.streams import next_word

MAX_SEATS = 10
CHANCE = -1  # the seat of a chance outcome, or of an outcome, in the trace
OUTCOME = "outcome"  # the kind of an outcome in the trace
MOST_PARTS = 8  # numbers of an outcome
MOST_TIE_BREAKS = 3
MOST_SHORTLISTED = 16  # actions that a searcher or a network looks at
_LINE = 64  # bytes of a cache line
HIDDEN = 64  # numbers in the hidden layer of a network

BOTS, PLAYERS = SHARED_SOURCES = ("bots", "players")
"""Sources of chance that every game has in addition to its own: the bots' random streams, and the line-up."""

SHORTLIST_FEATURES: Mapping[str, str] = {
    "behind": "value to the profile below that of its best action, d as d / (1 + d)",
    "rank": "rank in the profile's order, divided by the length of a shortlist",
    "prior": "chance of the action if the profile drew it",
    "options": "actions on the shortlist, divided by its length",
}
"""Features of an action that every game's networks have, before the game's own."""


LARGEST_FEATURE = 30.0  # of a position or an action, for networks; most are between -1 and 1


def name_by_seat(whose: Sequence[str], features: Mapping[str, str]) -> dict[str, str]:
    """Return features of a seat, with their meanings, for each of `whose` seats, such as ``own`` and ``next``."""
    named = ((who, name, meaning) for who in whose for name, meaning in features.items())
    return {f"{who}_{name}": f"{meaning} ({who} seat)" for who, name, meaning in named}


def number_features(names: Iterable[str], first: int = 0) -> Any:
    """Return a named tuple of the index of each feature, counted from `first`; compiled functions read it as constants.

    A name that Python keeps for itself has an underscore behind it, such as ``pass_``.
    """
    fields = [f"{name}_" if iskeyword(name) else name for name in names]
    return namedtuple("Indices", fields)(*range(first, first + len(fields)))


STATUSES = ("finished", "draw", "truncated")
FINISHED, DRAW, TRUNCATED = range(3)

Fields = Sequence[tuple[Any, ...]]

OWN = "own"  # who sees a field of the state: each seat its own element
SECRET = "secret"  # no seat sees it, or not always

STATE: Fields = (
    ("players", "i4"),
    ("round_number", "i4"),  # `round` is a method of NumPy records
    ("seat", "i4"),  # who must choose
    ("over", "i4"),  # 1: the game has ended, 2: in a draw
)
ENTRY = np.dtype([("code", "i4"), ("round_number", "i4"), ("parts", "i4", (MOST_PARTS,))])
"""A chance outcome, by its code from 0 on, or outcome number n of a game's `OUTCOMES`, by the code -1 - n."""
GAME_ROW: Fields = (
    ("game_id", "i8"),
    ("deal_seed", "u8"),
    ("seed", "u8"),
    ("rounds", "i2"),
    ("decisions", "i4"),
    ("choices", "i4"),  # decisions with more than one option
    ("choice_blocks", "i4"),  # choices; those that people make together count once
    ("options", "f4"),  # mean number of options of the choices
    ("status", "i1"),
    ("winners", "i1"),
    ("margin", "f4"),
)
SEAT_ROW: Fields = (("seat", "i1"), ("strategy", "i2"), ("score", "f4"), ("rank", "i1"), ("win_share", "f4"))


MOVES_HASH = "moves_hash"
"""A column of the games table for games that may have no chance: a hash of all moves and of the result.

If it is the same in all games of a line-up, the players always play the same game, which counts once
(`balance.analysis.row_tables.declare_repeats`). Games in plain Python have it; a compiled game without chance may.
"""

# Columns that every table of that name has: those of the rows above and those that the writer adds.
CELL = ("tier", "variant", "players")
GAME_COLUMNS = (
    *(field[0] for field in GAME_ROW), *CELL, "lineup", "lead_changes", "winner_deficit", "decided", "comeback",
)  # fmt: skip
SEAT_COLUMNS = (*(field[0] for field in SEAT_ROW), "game_id", *CELL)
RESERVED = ("number", "half", "tenth", "field", "stratum", "final_score", "is_winner", "is_repeat")
"""Names that analyses add to rows of games and seats, see `balance.analysis.row_tables`; a game has other columns."""
ROUND_COLUMNS = ("game_id", "round", "seat", "lead")
TRACE_COLUMNS = ("game_id", "step", "round", "seat", "kind", "outcome", "label", "options")


def state_type(own: Fields, chance: Sequence[str]) -> np.dtype:
    """Return the type of a game's state: the fields that every state has, then the game's own.

    Each source of `chance` has a stream in the field ``chance``, in this order.
    """
    streams = ("chance", "u8", (max(1, len(chance)),), 0, SECRET)  # a field is never empty
    return record_type([*STATE, streams, *own])


class Columns(NamedTuple):
    """The columns that a game adds to the tables, each as ``(name, type, meaning)``.

    A column is counted where it happens, in ``log.game`` or ``log.seats[seat]``; only those that need a computation at
    the end are filled by `write_result`. With a table of names and meanings instead of a meaning, the field is an array
    of several columns.
    """

    game: Fields = ()
    seat: Fields = ()
    round: Fields = ()  # without ``score``; ``(name, type)`` means the same as the column of seats of this name
    rules: Fields = ()  # of games, fixed by the rule set: ``(name, dotted key, meaning)``

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The names of the columns of each field that is an array."""
        fields = (*self.game, *self.seat)
        return {name: tuple(meaning) for name, _, meaning in fields if isinstance(meaning, Mapping)}

    @property
    def meanings(self) -> dict[str, dict[str, str]]:
        """The meaning of each column, by table and name."""
        seats = _meanings(self.seat, {})
        return {
            "games": _meanings([*self.game, *self.rules], {}),
            "seats": seats,
            "rounds": _meanings(self.round, seats),
        }


def _meanings(fields: Fields, others: Mapping[str, str]) -> dict[str, str]:
    """Return the meanings of columns by name; those without one have the meaning of `others`."""
    found: dict[str, str] = {}
    for name, _, *meaning in fields:
        said = meaning[0] if meaning else others[name]
        found |= said if isinstance(said, Mapping) else {name: said}
    return found


def log_type(columns: Columns, rounds: int, seats: int, entries: int, own: Fields = (), scores: str = "f4") -> np.dtype:
    """Return the type of the log of a game in progress.

    `rounds` and `seats` are the largest numbers, `entries` is the most chance outcomes and outcomes between two
    decisions. `own` are counters of the game that are no columns. `scores` is the type of scores and margins.
    """
    shared: Fields = (
        ("game", _row_type(GAME_ROW, columns.game, scores)),
        ("seats", _row_type(SEAT_ROW, columns.seat, scores), (seats,)),
        ("keep_rounds", "i4"),  # whether `history` is wanted
        ("history", np.dtype([("score", scores), *_column_types(columns.round)]), (rounds, seats)),
        ("keep_chance", "i4"),  # whether chance outcomes are wanted
        ("keep_outcomes", "i4"),  # whether outcomes are wanted; not during a search
        ("entry_count", "i4"),
        ("entry_room", "i4", (), entries),  # an entry beyond it raises IndexError
    )
    return record_type([*shared, *own, ("entries", ENTRY, (entries,))])


def without_entries(log: np.recarray) -> np.recarray:
    """Return a view of a log without its list of entries, its last field, which a new game need not clear."""
    fields: Mapping[str, Any] = log.dtype.fields or {}
    names = [name for name in fields if name != "entries"]
    end = fields["entries"][1]
    formats, offsets = [fields[name][0] for name in names], [fields[name][1] for name in names]
    start: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": end}
    kind: Any = np.dtype(start)
    found: np.recarray = log.view(np.uint8)[:end].view(kind).view(np.recarray)
    return found


def record_type(fields: Fields) -> np.dtype:
    """Return an aligned record type; its metadata have the last entries of its fields, by name."""
    initial = {name: more[1] for name, _, *more in fields if len(more) > 1}
    seen = {name: more[2] for name, _, *more in fields if len(more) > 2}
    return np.dtype([field[:3] for field in fields], align=True, metadata={"initial": initial, "seen": seen})


def _row_type(shared: Fields, own: Fields, scores: str) -> np.dtype:
    """Return the type of a row of a table: the columns of every game, then the game's own."""
    every = [(name, scores if name in ("score", "margin") else kind) for name, kind in shared]
    return np.dtype([*every, *_column_types(own)], align=True)


def _column_types(own: Fields) -> list[tuple[Any, ...]]:
    """Return names and types of a game's columns, with the shape of those that are arrays."""
    return [
        (name, kind, (len(meaning[0]),)) if meaning and isinstance(meaning[0], Mapping) else (name, kind)
        for name, kind, *meaning in own
    ]


def initial_record(dtype: np.dtype) -> np.recarray:
    """One record of a type made by `state_type` or `log_type`, its fields at their initial values."""
    record = blank(1, dtype)
    metadata: dict[str, Any] = dict(dtype.metadata or {})
    for name, value in metadata.get("initial", {}).items():
        record[name] = value
    return record


class NetworkFeatures(NamedTuple):
    """Numbers of features of a game's networks, see `balance.engine.networks`."""

    context: int
    action: int
    heads: int


def network_type(features: NetworkFeatures) -> np.dtype:
    """Return the type of the weights of a network with one hidden layer."""
    contexts, actions, heads = features
    return np.dtype(
        [
            ("context", "f4", (contexts, HIDDEN)),
            ("action", "f4", (heads, actions, HIDDEN)),
            ("bias", "f4", (heads, HIDDEN)),
            ("out", "f4", (heads, HIDDEN)),
        ],
        align=True,
    )


def scratch_type(own: Fields, most_actions: int, position: int, network: NetworkFeatures) -> np.dtype:
    """Return the type of the buffers: actions and their values, features, scores, and the game's own.

    The buffers are fields of one record, not separate arrays, because passing an array costs an atomic reference count
    at every decision (30 % of the time of a random game).

    `position` is the number of features of a position, which `estimate` fills, and `network` has those that `context`
    and `describe_action` fill.
    """
    layers: Fields = (  # first, so that they start with a cache line
        ("summed", "f4", (HIDDEN,)),  # the part of a network's hidden layer that comes from the context
        ("layer", "f4", (HIDDEN,)),
    )
    buffers: Fields = (
        ("head", "i4"),  # kind of the decision that `context` described
        ("context", "f4", (network.context,)),
        ("described", "f4", (MOST_SHORTLISTED, network.action)),
        ("used", "u2", (max(network.context, network.action) + 1,)),  # the features that are not 0
        ("position", "f8", (MAX_SEATS, max(1, position))),
        ("scores", "f8", (MAX_SEATS,)),
        ("standing", "f8", (MAX_SEATS, 1 + MOST_TIE_BREAKS)),
        ("codes", "i4", (most_actions,)),
        ("values", "f8", (most_actions,)),
    )
    return np.dtype([*layers, *own, *buffers], align=True)


def blank(count: int | tuple[int, ...], dtype: np.dtype) -> np.recarray:
    """Return zeroed records whose fields are attributes, compiled or not, from the start of a cache line.

    NumPy starts anywhere; networks then took up to 1.4 times as long, as most of their rows lay in two lines.
    """
    if dtype.hasobject:  # the state of a game in plain Python
        return np.zeros(count, dtype).view(np.recarray)
    size = int(np.prod(count)) * dtype.itemsize
    memory = np.zeros(size + _LINE, np.uint8)
    start = -memory.ctypes.data % _LINE
    found: np.recarray = np.ndarray(count, dtype, memory, start).view(np.recarray)
    return found


def visible_to(state: np.record, seat: int) -> dict[str, np.ndarray]:
    """Return a copy of what a seat sees of a state: the fields that no declaration hides, of others its own element."""
    seen: Mapping[str, str] = dict(state.dtype.metadata or {}).get("seen", {})
    return {
        name: np.array(state[name][seat] if seen.get(name) == OWN else state[name])
        for name in state.dtype.names or ()
        if seen.get(name) != SECRET
    }


def fields_of(dtype: np.dtype) -> list[tuple[str, np.dtype]]:
    """Return names and types of a record's fields."""
    return [(name, dtype[name]) for name in dtype.names or ()]


def flat_rows(rows: np.ndarray, names: Mapping[str, Sequence[str]]) -> np.recarray:
    """Return a view of rows in which each element of a field in `names` is a field of its own."""
    fields: Mapping[str, Any] = rows.dtype.fields or {}
    offsets = [
        offset + number * kind.base.itemsize
        for name, (kind, offset, *_) in fields.items()
        for number in range(len(names.get(name, (name,))))
    ]
    columns = [(each, kind.base) for name, (kind, *_) in fields.items() for each in names.get(name, (name,))]
    flat: Any = {"names": [each for each, _ in columns], "formats": [kind for _, kind in columns], "offsets": offsets}
    kind: Any = np.dtype(flat | {"itemsize": rows.dtype.itemsize})
    found: np.recarray = rows.view(kind).view(np.recarray)
    return found


@compiled
def seat_after(state, number):
    """Return the seat `number` seats after the seat to choose."""
    seat = state.seat + number
    return seat if seat < state.players else seat - state.players


@compiled
def bounded(number, most):
    """Return a number between -1 and 1: `number` / `most`, no larger than that."""
    return max(-most, min(most, number)) / most


@compiled
def set_standing(scratch, seat, points, first=0.0, second=0.0, third=0.0):
    """Write what decides a seat's rank to ``scratch.standing``: its points, then the tie-breaks in their order."""
    standing = scratch.standing[seat]
    standing[0], standing[1], standing[2], standing[3] = points, first, second, third


@compiled
def rank_seats(state, scratch, seats):
    """Fill the rank of every seat from ``scratch.standing``, see `set_standing`; equal standings share a rank."""
    standing = scratch.standing
    for p in range(state.players):
        seats[p].rank = 1
        for other in range(state.players):
            for i in range(standing.shape[1]):  # the first number that differs decides
                if standing[other, i] != standing[p, i]:
                    seats[p].rank += standing[other, i] > standing[p, i]
                    break


@compiled
def forget_chance(state):
    """Set the streams of chance to 0, in place; for a game's `conceal`."""
    for source in range(state.chance.shape[0]):
        state.chance[source] = 0


@compiled
def redraw_chance(state, streams, index):
    """Draw the streams of chance from ``streams[index]``, in place; for a game's `determinize`."""
    for source in range(state.chance.shape[0]):
        state.chance[source] = next_word(streams, index)


@compiled
def _record(state, log, code):
    """Add an entry to the log and return it; IndexError if the log has no room for it, see `log_type`."""
    if log.entry_count >= log.entry_room:
        raise IndexError("more chance outcomes and outcomes between two decisions than LOG has room for")
    entry = log.entries[log.entry_count]
    entry.code = code
    entry.round_number = state.round_number
    log.entry_count += 1
    return entry


@compiled
def record_chance(state, log, code):
    """Record a chance outcome and its round, if the log asks for it."""
    if log.keep_chance:
        _record(state, log, code)


@compiled
def record_outcome(state, log, number, a=0, b=0, c=0, d=0, e=0, f=0, g=0, h=0):
    """Record what the rules made of a decision, if the log asks for it.

    Call it right before the outcome changes the state: a replay shows an outcome with the position in which the next
    one is recorded. `number` is the outcome's place in the game's `OUTCOMES`; `a` to `h` are its parts, in their order
    there.
    """
    if log.keep_outcomes:
        parts = _record(state, log, -1 - number).parts
        parts[0], parts[1], parts[2], parts[3] = a, b, c, d
        parts[4], parts[5], parts[6], parts[7] = e, f, g, h
