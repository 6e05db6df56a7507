"""Steps are undone and done again; a new one forgets what was undone."""

import pytest

from balance.foundation.errors import BalanceError
from balance.foundation.steps import Steps


def test_steps_go_back_and_forth():
    steps = Steps([0])
    assert steps.add(1) and steps.add(2) and not steps.add(2), "the same state is no step"
    assert steps.earlier() == 1 and steps.state == 2, "asking does not move"
    steps.go(-1)
    assert steps.later() == 2 and steps.can_redo
    steps.add(3)
    assert steps.states == (0, 1, 3) and not steps.can_redo


def test_a_state_that_continues_another_takes_its_place():
    steps = Steps([0])
    for number, state in enumerate((5, 6, 7)):
        steps.add(state, continues=number > 0)
    assert steps.states == (0, 7)
    steps.replace(8)
    assert steps.states == (0, 8) and steps.frozen().states == (8,)


def test_there_is_an_end_on_both_sides():
    steps = Steps([0])
    for go, text in ((steps.earlier, "undo: nothing was changed"), (steps.later, "redo: nothing was undone")):
        with pytest.raises(BalanceError, match=text):
            go()


def test_the_earliest_are_forgotten():
    steps = Steps([0])
    for state in range(1, 500):
        steps.add(state)
    assert steps.states[-1] == 499 == steps.state and len(steps.states) == 200
