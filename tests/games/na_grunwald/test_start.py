"""What a player starts with: the same for all, or by seat."""

from __future__ import annotations

import pytest
from support.na_grunwald import make_rules

from balance.contract.game import get_game
from balance.engine.stepper import Stepper
from balance.errors import BalanceError

GAME = get_game("na-grunwald")


@pytest.mark.parametrize(
    ("start", "players", "ducats", "helpers"),
    [
        ({}, 3, [3, 3, 3], [2, 2, 2]),
        ({"ducats": [3, 4]}, 2, [3, 4], [2, 2]),
        ({"ducats": [3, 4]}, 4, [3, 4, 4, 4], [2, 2, 2, 2]),
        ({"ducats": [1, 2, 3, 4], "helpers": [0, 1]}, 3, [1, 2, 3], [0, 1, 1]),
    ],
)
def test_each_seat_starts_with_its_own(start, players, ducats, helpers):
    """In the order of seats; the last number said goes on, what is beyond the table is for nobody."""
    stepper = Stepper.deal(GAME, make_rules({"start": start}), players, 1)
    assert stepper.state.ducats[:players].tolist() == ducats
    assert stepper.state.helpers[:players].tolist() == helpers
    assert stepper.log.peak_ducats == sum(ducats)


@pytest.mark.parametrize("amount", ["x", True, [], [3, 51], [3, "4"], [1, 2, 3, 4, 5], -1, 51])
def test_what_nobody_can_start_with(amount):
    """One line that says what it should be."""
    with pytest.raises(
        BalanceError, match=r"start.ducats: should be a whole number from 0 to 50, or a list"
    ):
        make_rules({"start": {"ducats": amount}})


def test_more_helpers_than_there_may_be():
    """Of whichever seat."""
    with pytest.raises(BalanceError, match=r"start.helpers is 6, more than pawns.most_helpers \(5\)"):
        make_rules({"start": {"helpers": [2, 6]}})
