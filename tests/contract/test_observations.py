"""Fields of an observation are read from the state as they are declared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from balance.contract.observations import Of, read_fields, see, see_each
from balance.contract.records import OWN, SECRET, initial_record, state_type, visible_to

STATE = state_type(
    [
        ("coins", "i4", (2,)),
        ("open", "i1", (2,)),
        ("house", "i4", (2,), -1),
        ("hand", "i4", (2, 3), 0, OWN),
        ("deck", "i4", (4,), 0, SECRET),
    ],
    ("deck",),
)


@dataclass(frozen=True)
class Player:
    coins: int
    open: bool
    home: Annotated[str, Of("house", ("hut", "castle"))]
    cards: Annotated[list[str], Of("hand", ("red", "blue", "green"))]
    numbers: Annotated[dict[str, int], Of("hand", ("red", "blue", "green"))]
    name: str


@dataclass(frozen=True)
class Cards:
    copies: Annotated[int, Of("hand")]


@dataclass(frozen=True)
class Table:
    players: int
    coins: tuple[int, int]
    open: tuple[bool, bool]
    deck: list[int]


@pytest.fixture
def state():
    record = initial_record(STATE)[0]
    record.players, record.coins[:], record.open[1], record.house[1] = 2, [4, 7], 1, 1
    record.hand[1] = [2, 0, 1]
    return record


def test_an_object_has_the_values_at_its_place(state):
    """Numbers become Python's own, words, or a word for each card."""
    seen = see(Player, read_fields(state), 1, name="Ada")
    assert seen == Player(
        coins=7, open=True, home="castle", cards=["red", "red", "green"], numbers={"red": 2, "blue": 0, "green": 1},
        name="Ada",
    )  # fmt: skip
    assert type(seen.coins) is int


def test_a_number_without_a_word_is_empty(state):
    assert see(Player, read_fields(state), 0, name="").home == ""


def test_objects_of_arrays_are_those_that_each_place_gives(state):
    """Given values are columns; a place selects from arrays of more dimensions, and a wrong number of values fails."""
    fields = read_fields(state)
    both = see_each(Player, fields, 2, name=["Ada", "Bea"])
    assert both == [see(Player, fields, 0, name="Ada"), see(Player, fields, 1, name="Bea")]
    assert see_each(Cards, fields, 2, 1) == [Cards(2), Cards(0)]
    with pytest.raises(ValueError, match="shorter"):
        see_each(Player, fields, 2, name=["Ada"])


def test_fields_are_numbers_of_python_and_arrays_of_the_record(state):
    fields = read_fields(state)
    assert type(fields.players) is int
    fields.coins[0] = 5
    assert state.coins[0] == 5


def test_the_whole_state_has_no_place(state):
    assert see(Table, read_fields(state)) == Table(2, (4, 7), (False, True), [0, 0, 0, 0])


def test_a_seat_sees_what_no_declaration_hides(state):
    """Of a field of its own kind it sees its element; secret fields and future chance it never sees."""
    seen = visible_to(state, 1)
    assert {"deck", "chance"}.isdisjoint(seen)
    assert seen["hand"].tolist() == [2, 0, 1]
    assert np.array_equal(seen["coins"], [4, 7])
