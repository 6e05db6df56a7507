"""Properties that hold in every game, for any rules, seed and choices."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.na_grunwald import GAME, make_rules

from balance.engine.stepper import Stepper, walk
from balance.games.na_grunwald.kernel import state as s

PLAYERS = st.sampled_from([2, 3, 4])
SEEDS = st.integers(0, 2**62)
CHANGES = st.fixed_dictionaries(
    {
        "start": st.fixed_dictionaries(
            {
                "ducats": st.integers(0, 9) | st.lists(st.integers(0, 9), min_size=1, max_size=4),
                "provisions": st.integers(0, 9),
                "helpers": st.integers(0, 5),
            }
        ),
        "event_deck": st.sampled_from(["base", "none", "calm", "harsh", "market"]),
        "rounds": st.integers(1, 8),
        "tie_rule": st.sampled_from(["first-placed", "last-placed"]),
    }
)


def knights_held(state) -> Counter:
    """Return all knights of all players, those on the table included."""
    held: Counter = Counter()
    for p in range(state.players):
        for kind in range(2):
            for strength in range(s.STRENGTHS):
                held[kind, strength] += int(
                    state.hand[p, kind, strength] + state.camp[p, kind, strength]
                )
        on_table = state.phase == s.ASK_PLUNDER and state.card_kind[p] >= 0
        if on_table:
            held[int(state.card_kind[p]), int(state.card_strength[p])] += 1
    return held


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(PLAYERS, SEEDS, CHANGES)
def test_cards_ducats_and_provisions_are_conserved(players, seed, changes):
    """No decision creates a knight, ducat or provision beyond those from board, bank or event."""
    rules = make_rules(changes)
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, players, seed)
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        state = stepper.state
        assert min(state.ducats[:players]) >= 0
        assert min(state.provisions[:players]) >= 0
        assert max(state.helpers[:players]) <= rules.pawns.most_helpers
        for (kind, strength), count in knights_held(state).items():
            if strength:
                cards = rules.cards.crown if kind == s.CROWN else rules.cards.mercenaries
                assert count <= Counter(cards.strengths)[strength]
        for p in range(players):
            hand_and_camp = int(state.hand[p].sum() + state.camp[p].sum())
            assert state.knights[p] == hand_and_camp
            assert state.captive_count[p] == state.captives[p].sum()
        if step.kind == "place":
            for p in range(players):
                on_board = state.helpers_on[:, p].sum()
                assert on_board + state.helpers_free[p] == state.helpers[p]
                assert state.officer_on[:, p].sum() + state.officer_free[p] == 1
    assert stepper.state.over == 1
    assert stepper.state.round_number == rules.rounds
    for deck, cards in (
        (stepper.state.crown_deck, rules.cards.crown),
        (stepper.state.krzyzacy_deck, rules.cards.krzyzacy),
    ):
        assert Counter(deck[: len(cards.strengths)].tolist()) == Counter(cards.strengths)


@settings(max_examples=40, deadline=None)
@given(PLAYERS, SEEDS)
def test_placing_moves_ducats_and_makes_none(players, seed):
    """PLC-5, RES-4: in the placement phase purses and stakes together stay the same."""
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, make_rules(), players, seed)
    total, current = 0, 0
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        state = stepper.state
        now = int(state.ducats[:players].sum() + state.stake[:, :players].sum())
        if step.kind == "place" and step.round == current:
            assert now == total
        total, current = now, step.round if step.kind == "place" else 0
