"""What is hidden in a view, and guesses of it."""

import copy
import pickle
from collections import Counter, deque
from dataclasses import dataclass, field, make_dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from balance.plain.chance import Chance
from balance.plain.hidden import HIDDEN, Hidden, Thing, as_data, fill_hidden, hide


@dataclass
class State:
    hands: list = field(default_factory=lambda: [["a"], ["b", "c"], ["d"]])
    bids: dict = field(default_factory=lambda: {"x": 1, "y": 2, "z": 3})
    top: str = "e"


def test_a_guess_shuffles_what_is_hidden_among_its_places():
    """What is seen stays; hidden cards keep their number and never mix with bids."""
    found = Counter()
    for seed in range(200):
        state = State()
        view = copy.deepcopy(state)
        view.hands[1], view.hands[2] = hide(view.hands[1]), hide(view.hands[2])
        view.top = HIDDEN
        view.bids["y"] = view.bids["z"] = Hidden("bid")
        guess = fill_hidden(view, state, Chance(seed).shuffle)
        assert guess.hands[0] == ["a"] and guess.bids["x"] == 1
        assert [len(hand) for hand in guess.hands] == [1, 2, 1]
        assert sorted([*guess.hands[1], *guess.hands[2], guess.top]) == ["b", "c", "d", "e"]
        assert sorted(guess.bids.values()) == [1, 2, 3]
        assert state == State()
        found[guess.top] += 1
    assert len(found) == 4


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hands": [["a"], [HIDDEN], ["d"]]}, r"keep the length of state.hands\[1\], 2, but it has 1"),
        ({"hands": {}}, "have the shape of the state, but state.hands is a dict, not a list"),
    ],
)
def test_a_view_of_another_shape_can_not_be_filled(change, says):
    with pytest.raises(ValueError, match=says):
        fill_hidden(State(**change), State(), Chance(1).shuffle)


@pytest.mark.parametrize("how", [{"slots": True}, {"frozen": True}, {"slots": True, "frozen": True}, {}])
def test_a_guess_fills_states_of_every_make(how):
    """Attributes may be slots or frozen, and cards may lie in a deque."""
    kind = make_dataclass("Kind", ["cards"], **how)
    state, view = kind(kind(deque("ab"))), kind(kind(deque([HIDDEN, HIDDEN])))
    assert sorted(fill_hidden(view, state, Chance(1).shuffle).cards.cards) == ["a", "b"]
    assert as_data(view) == SimpleNamespace(cards=SimpleNamespace(cards=deque("ab")))
    assert as_data(kind(HIDDEN)) == SimpleNamespace(cards="?")


def test_what_is_hidden_in_a_tuple_is_refused():
    """It can't be replaced there, and a guess would keep the mark in place of a card."""
    with pytest.raises(ValueError, match=r"state.hands is a tuple, and what is hidden in it"):
        fill_hidden(State(hands=(HIDDEN,)), State(hands=("a",)), Chance(1).shuffle)


def test_a_mark_survives_copies():
    """A view may be copied and sent to another process."""
    assert copy.deepcopy([HIDDEN])[0] is HIDDEN
    assert pickle.loads(pickle.dumps(HIDDEN)) == HIDDEN


def test_a_view_as_data_has_no_classes_of_the_game():
    """Bots read attributes; "?" is hidden."""
    state = State(hands=[[("a", HIDDEN)]], top=HIDDEN)
    data = as_data(state)
    assert data == SimpleNamespace(hands=[[("a", "?")]], bids={"x": 1, "y": 2, "z": 3}, top="?")


class Suit(Enum):
    RED = "♥"


class Rank(IntEnum):
    KING = 13


@dataclass(frozen=True)
class Card:
    rank: Rank
    suit: Suit = Suit.RED


class Pile(list):
    """A list that says whose it is."""

    def __init__(self, owner, cards):
        super().__init__(cards)
        self.owner = owner


KING = SimpleNamespace(rank="KING", suit="RED")


@pytest.mark.parametrize(
    ("thing", "data"),
    [
        (Suit.RED, "RED"),
        (Card(Rank.KING), KING),
        ({Suit.RED: 2, (1, Suit.RED): 3}, {"RED": 2, (1, "RED"): 3}),
        (Pile("Ada", [Suit.RED]), ["RED"]),
        (np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (np.array([HIDDEN, Suit.RED]), ["?", "RED"]),
        ([np.int64(2), np.bool_(True)], [2, True]),
        ([Fraction(1, 2)], [Fraction(1, 2)]),
    ],
)
def test_cards_enumerations_and_arrays_are_plain_data(thing, data):
    """A player reads their names and numbers; another process reads them without the game's classes."""
    found = as_data(thing)
    assert found == data and type(found) in (str, list, dict, Thing)
    assert pickle.loads(pickle.dumps(found)) == found


def test_objects_stay_in_sets_and_keys():
    """They had a place there because they can be hashed."""
    (card,) = as_data({Card(Rank.KING), Card(Rank.KING)})
    assert card == KING and as_data({Card(Rank.KING): "Ada"}) == {card: "Ada"}
