"""What is hidden in a view, and guesses of it."""

import copy
import pickle
from collections import Counter, deque
from dataclasses import dataclass, field, make_dataclass
from types import SimpleNamespace

import pytest

from balance.plain.chance import Chance
from balance.plain.hidden import HIDDEN, Hidden, as_data, fill_hidden, hide


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
