"""Properties that hold in every game, for any rules, seed and choices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.na_grunwald import GAME, make_rules

from balance.engine.stepper import Stepper, walk
from balance.games.na_grunwald.display import conserved

PLAYERS = st.sampled_from([2, 3, 4])
SEEDS = st.integers(0, 2**62)
DUCATS = st.integers(0, 9) | st.lists(st.integers(0, 9), min_size=1, max_size=4)
START = {"ducats": DUCATS, "provisions": st.integers(0, 9), "helpers": st.integers(0, 5)}
CHANGES = st.fixed_dictionaries(
    {
        "start": st.fixed_dictionaries(START),
        "event_deck": st.sampled_from(["base", "none", "calm", "harsh", "market"]),
        "rounds": st.integers(1, 8),
        "tie_rule": st.sampled_from(["first-placed", "last-placed"]),
    }
)


def walk_at_random(stepper, seed):
    rng = np.random.default_rng(seed)
    return walk(stepper, lambda _, options: int(rng.integers(len(options))))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(PLAYERS, SEEDS, CHANGES)
def test_cards_ducats_and_provisions_are_conserved(players, seed, changes):
    """No decision creates a knight, ducat or provision beyond those from board, bank or event."""
    rules = make_rules(changes)
    stepper = Stepper.deal(GAME, rules, players, seed)
    at_first = conserved(rules, stepper.state)
    assert at_first["crown cards"] == sorted(rules.cards.crown.strengths)
    assert at_first["Krzyżacy"] == sorted(rules.cards.krzyzacy.strengths)
    assert all(value for value in at_first.values() if isinstance(value, bool))
    for _ in walk_at_random(stepper, seed):
        assert conserved(rules, stepper.state) == at_first
        assert max(stepper.state.helpers[:players]) <= rules.pawns.most_helpers
    assert stepper.state.over == 1
    assert stepper.state.round_number == rules.rounds


@settings(max_examples=20, deadline=None)
@given(PLAYERS, SEEDS)
def test_placing_moves_ducats_and_makes_none(players, seed):
    """PLC-5, RES-4: in the placement phase purses and stakes together stay the same."""
    stepper = Stepper.deal(GAME, make_rules(), players, seed)
    total, current = 0, 0
    for step in walk_at_random(stepper, seed):
        state = stepper.state
        now = int(state.ducats[:players].sum() + state.stake[:, :players].sum())
        if step.kind == "place" and step.round == current:
            assert now == total
        total, current = now, step.round if step.kind == "place" else 0
