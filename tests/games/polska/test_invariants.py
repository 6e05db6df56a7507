"""Properties that hold in every game, for any rules, seed and choices."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.polska import GAME, make_rules
from support.runs import read_rows

from balance.engine.stepper import Stepper, walk

SEEDS = st.integers(0, 2**32 - 1)
PLAYERS = st.sampled_from(GAME.players)
VARIANTS = st.sampled_from(GAME.shipped("variants"))


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(PLAYERS, SEEDS, VARIANTS)
def test_cards_pawns_and_markers_are_conserved(players, seed, variant):
    """Every card is in a hand, a pile or before a player; every marker on the map, aside or taken."""
    rules = make_rules(variant=variant)
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, players, seed)
    deck = GAME.kernel.pack_rules(rules, players).deck[: rules.cards.size].tolist()
    whole = {"cards": sorted(Counter(deck).items()), "pawns": players}
    whole |= {"markers of the set": rules.markers_out, "no marker twice": True, "dice counted": True}
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        state = stepper.state
        assert GAME.display.conserved(rules, state) == whole, step
        crowded = [field for field in range(len(state.pawns_on)) if state.pawns_on[field] > 1]
        assert crowded in ([], [stepper.packed.start])
    assert stepper.state.over in (1, 2)


@pytest.mark.parametrize("players", GAME.players)
def test_parts_of_the_score_add_up(tmp_path, players):
    """Steps by kind of card add up to the marker's way; markers by order add up to all markers."""
    from support.runs import play

    run = play(tmp_path / "run", game="polska", players=[players], strategies=["sprinter", "blocker"], games=60)
    seats = read_rows(run, "seats")
    parts = [column for column, _ in GAME.analytics.SCORE_PARTS]
    assert (seats[parts].sum(axis=1) == seats["score"]).all()
    assert (seats[[f"markers_{i}" for i in range(1, 11)]].sum(axis=1) == seats["markers"]).all()
    assert (seats["score"] <= 30).all()
