"""States are copied as by `copy.deepcopy`, whatever they are made of."""

import copy
import enum
from collections import Counter, deque, namedtuple
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.plain.chance import Chance
from balance.plain.copying import copy_state
from balance.plain.faults import PlainGameError, copy_as_data
from balance.plain.hidden import HIDDEN, as_data
from balance.plain.interface import PlainGame

Card = namedtuple("Card", "rank suit")


class Suit(enum.Enum):
    HEARTS = 1


@dataclass
class Player:
    name: str
    hand: list = field(default_factory=list)
    left: Any = None


@dataclass(frozen=True)
class Frozen:
    numbers: list


@dataclass(slots=True)
class Slotted:
    numbers: list


class Own(list):
    pass


class Counted:
    def __init__(self, numbers):
        self.numbers = numbers

    def __deepcopy__(self, memo):
        return Counted([*copy.deepcopy(self.numbers, memo), "copied"])


class Made:
    def __new__(cls, number=7):
        made = super().__new__(cls)
        made.number = number
        return made


THINGS = [
    [1, "a", None, 2.5, b"x", True], {"a": [1], (1, 2): {"b": []}}, (1, ([], 2)), {1, 2}, frozenset({"a"}),
    Card("A", ["h"]), [Suit.HEARTS], Player("a", [Card(1, 2)]), Frozen([1, [2]]), Slotted([1, [2]]), Own([1, [2]]),
    Counter("abba"), deque([[1], 2], maxlen=3), Counted([1, [2]]), Made(9), HIDDEN, np.arange(3), range(3), len,
    Player, [[1, [2, [3]]]], {Card(1, 2): 3}, 10**30, 1j,
]  # fmt: skip


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_a_copy_is_that_of_deepcopy(thing):
    """It has the same type and content, and shares with the original what a deep copy shares."""
    state = Player("x", [thing, {"k": thing}])
    mine, theirs = copy_state(state), copy.deepcopy(state)
    assert type(mine.hand[0]) is type(theirs.hand[0]) is type(thing)
    assert repr(as_data(mine)) == repr(as_data(theirs))
    assert (mine.hand[0] is thing) is (theirs.hand[0] is thing)
    assert mine.hand[0] is mine.hand[1]["k"]


def test_what_is_shared_stays_shared_and_circles_end():
    """Two names of one list name one list in the copy; neighbours may refer to each other."""
    first, second = Player("a"), Player("b")
    first.left, second.left = second, first
    first.hand = second.hand = [1]
    one = copy_state([first, second, first.hand])
    assert one[0].left is one[1] and one[1].left is one[0]
    assert one[0].hand is one[1].hand is one[2] and one[2] is not first.hand


def test_states_of_the_examples_are_copied_alike():
    """A changed copy leaves the state as it was."""
    from balance.experiments.variants import load_variant
    from balance.plain.chance import Chance

    game = get_game(str(Path(__file__).resolve().parents[2] / "examples" / "oh_hell"))
    state = game.author.setup(load_variant(game, "base", Path()).rules, 3, Chance(1))
    copied = game.author.clone(state)
    assert copied == state and copied.rules is state.rules
    before = repr(state)
    for _ in range(20):
        game.author.apply(copied, game.author.actions(copied)[0], Chance(2))
    assert repr(state) == before


class Odd(PlainGame):
    def setup(self, rules, players, chance):
        """Return no state: it is called by its name only."""


def test_a_state_may_have_nan_arrays_and_methods_of_the_game():
    """A copy is equal to it, although NaN is not equal to itself and a method belongs to the game."""
    game = Odd()
    state = Player("Ada", [np.full(2, np.nan), np.float64("nan"), {Suit.HEARTS}], game.kind)
    assert copy_as_data(game, state) == as_data(state)


@pytest.mark.parametrize(
    ("odd", "says"),
    [
        (iter([1, 2]), "list_iterator object"),
        ((each for each in "ab"), "cannot pickle 'generator' object"),
        (Chance(1), "a state can't keep chance"),
        ([object()], "object object at"),
    ],
)
def test_what_can_not_be_copied_is_named(odd, says):
    """Searchers, checks and other processes copy a state: one line names the attribute, not a method."""
    with pytest.raises(PlainGameError, match=rf"test_copying.py:\d+: state.left .*{says}"):
        copy_as_data(Odd(), Player("Ada", [], odd))


def test_a_state_that_contains_itself_is_refused():
    """A player that refers back to the state has no end as data."""
    state = Player("table")
    state.left = Player("Ada", left=state)
    with pytest.raises(PlainGameError, match=r"state.left .*contains itself: refer to a thing by its number"):
        copy_as_data(Odd(), state)
