"""NumPy record types that all games share, and how a game adds its own fields to them.

A game is played in four records: its rules, the *state* (the game and no more: what a search copies),
a *log* (history and counters that only tables read) and *scratch* (room to work in; nothing in it
outlives a call, but what `count_actions` notes for the functions that are asked right after it). Rows
of the tables are made from the log and the state at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MAX_SEATS = 6
CHANCE = -1  # the seat of a chance outcome in the trace

BOTS, PLAYERS = SHARED_SOURCES = ("bots", "players")
"""What every game's outcome hangs on beside its own sources of chance: the bots' random streams, and who
sits where."""

STATUSES = ("finished", "draw", "truncated")
FINISHED, DRAW, TRUNCATED = range(3)

Fields = Sequence[tuple[Any, ...]]

STATE: Fields = (
    ("players", "i4"),
    ("round_number", "i4"),  # `round` is a method of NumPy records
    ("seat", "i4"),  # who must choose
    ("over", "i4"),  # 1: the game has ended, 2: in a draw
)
NEWS = np.dtype([("code", "i4"), ("round_number", "i4")])
GAME_ROW: Fields = (
    ("game_id", "i8"),
    ("deck_seed", "u8"),
    ("seed", "u8"),
    ("rounds", "i2"),
    ("decisions", "i4"),
    ("choices", "i4"),  # decisions with more than one option
    ("choice_blocks", "i4"),  # choices, those that people make together counted once
    ("options", "f4"),  # mean number of options of the choices
    ("status", "i1"),
    ("winners", "i1"),
    ("margin", "f4"),
)
SEAT_ROW: Fields = (
    ("seat", "i1"),
    ("strategy", "i2"),
    ("score", "f4"),
    ("rank", "i1"),
    ("win_share", "f4"),
)


# Columns that every table of that name has, those of the rows above and those that the writer adds.
CELL = ("tier", "variant", "players")
GAME_COLUMNS = (
    *(field[0] for field in GAME_ROW), *CELL, "lineup", "lead_changes", "drama", "decided", "comeback",
)  # fmt: skip
SEAT_COLUMNS = (*(field[0] for field in SEAT_ROW), "game_id", *CELL)
ROUND_COLUMNS = ("game_id", "round", "seat", "lead")


def state_type(own: Fields, chance: Sequence[str]) -> np.dtype:
    """The state of a game: what every state has, then the game's own fields.

    Parameters
    ----------
    chance : sequence of str
        The game's sources of chance; each has a stream in the field ``chance``, in this order.
    """
    streams = ("chance", "u8", (max(1, len(chance)),))  # a field is never empty
    return np.dtype([*STATE, streams, *own], align=True)


def log_type(round_row: np.dtype, rounds: int, seats: int, news: int, own: Fields) -> np.dtype:
    """The log of a game under way.

    Parameters
    ----------
    round_row : dtype
        What is kept of a round and seat; ``score`` among it.
    rounds, seats : int
        The most there can be.
    news : int
        The most chance outcomes between two decisions.
    own : fields
        The game's counters.
    """
    shared: Fields = (
        ("keep_rounds", "i4"),  # whether `history` is wanted
        ("history", round_row, (rounds, seats)),
        ("keep_news", "i4"),  # whether chance outcomes are wanted; a search wants none
        ("news", NEWS, (news,)),  # chance outcomes since the last decision
        ("news_count", "i4"),
    )
    return np.dtype([*shared, *own], align=True)


def scratch_type(own: Fields, most_actions: int, position: int) -> np.dtype:
    """Room to work in: a list of actions and their values, features of a position and scores, the game's own.

    The buffers are fields of the record, and not arrays beside it, because passing an array costs an
    atomic reference count at every decision (30 % of the time of a random game).

    Parameters
    ----------
    position : int
        Features of a position that `estimate` fills.
    """
    buffers: Fields = (
        ("position", "f8", (MAX_SEATS, max(1, position))),
        ("scores", "f8", (MAX_SEATS,)),
        ("codes", "i4", (most_actions,)),
        ("values", "f8", (most_actions,)),
    )
    return np.dtype([*own, *buffers], align=True)


def blank(count: int, dtype: np.dtype) -> np.recarray:
    """`count` zeroed records, their fields readable as attributes compiled or not."""
    return np.zeros(count, dtype).view(np.recarray)


def fields_of(dtype: np.dtype) -> list[tuple[str, np.dtype]]:
    """Names and types of a record's fields."""
    return [(name, dtype[name]) for name in dtype.names or ()]


def game_row_type(own: np.dtype) -> np.dtype:
    """A row of the games table: what every game has, then the game's own columns."""
    return np.dtype([*GAME_ROW, *fields_of(own)], align=True)


def seat_row_type(own: np.dtype) -> np.dtype:
    """A row of the seats table."""
    return np.dtype([*SEAT_ROW, *fields_of(own)], align=True)
