"""Properties that hold in every game, for any rules, seed and choices."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.grody import GAME, make_rules, s
from support.runs import play

from balance.contract.records import CHANCE
from balance.engine.stepper import Stepper, walk
from balance.games.grody.rules import BUILDINGS, CARDS, TERRAINS

SEEDS = st.integers(0, 2**32 - 1)
VARIANTS = st.sampled_from(GAME.shipped("variants"))
RULES = st.fixed_dictionaries(
    {
        "between": st.integers(1, 5),
        "rows": st.sampled_from([3, 5, 7]),
        "corners": st.booleans(),
        "grod_capacity": st.integers(2, 8),
        "unexplored_capacity": st.integers(1, 8),
        "hand_start": st.integers(0, 6),
        "hand_limit": st.integers(1, 12),
        "draw": st.integers(0, 4),
        "morale": st.integers(1, 6),
        "leader_at": st.integers(1, 9),
        "cushion_per": st.sampled_from(["combat", "round"]),
        "grod_cushion": st.integers(0, 4),
        "build_warriors": st.integers(0, 4),
        "bridge_capacity": st.integers(1, 8),
        "recruits": st.integers(0, 4),
        "ransoms": st.integers(0, 3),
        "prophecy_draw": st.integers(0, 4),
        "dominance_at": st.sampled_from(["round", "start", "end"]),
        "turn_limit": st.integers(1, 30),
    }
)


def hold_pieces(rules, state) -> None:
    """Assert that cards, terrains and buildings are complete, and every warrior is in an allowed place."""
    segments = range(len(rules.board.names))
    cards = state.pile + state.hand.sum(axis=0) + state.discards.sum(axis=0)
    assert cards.tolist() == [getattr(rules.cards, card) for card in CARDS]
    assert state.hand_size.tolist() == state.hand.sum(axis=1).tolist()
    turned = Counter(int(state.terrain[i]) for i in segments)
    left = [int(state.terrain_deck[i]) + turned[i] for i in range(len(TERRAINS))]
    assert left == [rules.terrain_named(name).cards for name in TERRAINS]
    built = Counter(int(state.building[i]) for i in segments)
    found = [int(state.tokens[i]) + built[i] for i in range(len(BUILDINGS))]
    assert found == [getattr(rules.buildings, kind) for kind in BUILDINGS]
    assert (state.warriors >= 0).all() and (state.prisoners >= 0).all()
    assert (state.warriors <= 8).all()


def hold_peace(rules, state) -> None:
    """Assert that between turns the sides are apart, every warrior is on own land, and hands are within the limit."""
    for i in range(len(rules.board.names)):
        assert not (state.warriors[0, i] and state.warriors[1, i])
        for seat in range(2):
            assert not state.warriors[seat, i] or state.owner[i] == seat
    assert (state.hand_size <= rules.hand_limit).all()


def check_game(rules, seed: int) -> None:
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, 2, seed)
    turns = 0
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        state = stepper.state
        if step.seat == CHANCE:
            continue
        hold_pieces(rules, state)
        assert len(step.options) > 1, step  # DEC-1
        if state.turns > turns and state.phase == s.ASK_MOVE:
            turns = int(state.turns)
            if not state.entered_count and not state.attack_count:
                hold_peace(rules, state)
        warriors_in = state.warriors[state.active]
        if state.phase == s.ASK_MOVE:
            assert (state.fresh + state.once <= warriors_in).all()
    assert state.over in (1, 2)
    game, seats = stepper.result()
    assert sorted(seats["rank"].tolist()) == ([1, 1] if state.over == 2 else [1, 2])
    assert game.turns <= 2 * rules.turn_limit
    hold_columns(seats)


def hold_columns(seats) -> None:
    """Assert that one side's gains are the other's losses; warriors come and go only in the counted ways."""
    for one, other in ((seats[0], seats[1]), (seats[1], seats[0])):
        assert one.attacks == other.defences
        assert one.attacks_won + other.defences_won <= one.attacks
        assert one.captured <= one.fled
        assert one.captured - one.ransomed - one.freed == other.prisoners
        played = sum(int(one[f"played_{card}"]) for card in CARDS)
        assert one.drawn - one.discarded - one.ransomed - played == one.hand


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SEEDS, VARIANTS)
def test_shipped_variants(seed, variant):
    """Every shipped variant conserves its pieces."""
    check_game(make_rules(variant=variant), seed)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SEEDS, RULES)
def test_any_rules(seed, changes):
    """Random rule sets conserve their pieces."""
    check_game(make_rules(changes), seed)


@st.composite
def small_decks(draw) -> dict[str, int]:
    """Return a deck of one to ten fate cards."""
    cards = draw(st.lists(st.sampled_from(CARDS), min_size=1, max_size=10))
    return {card: cards.count(card) for card in CARDS}


def decide_eagerly(options: list[str]) -> int:
    """Play a card whenever one can be played."""
    return next((i for i, label in enumerate(options) if label.startswith("play")), 0)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SEEDS, small_decks(), st.integers(0, 4), st.integers(1, 12))
def test_games_end_with_small_decks_of_fate(seed, cards, prophecy_draw, hand_limit):
    """CRD-6: every card phase ends, though every card is played as soon as possible."""
    rules = make_rules(
        {"cards": cards, "prophecy_draw": prophecy_draw, "hand_limit": hand_limit, "turn_limit": 10}
    )
    stepper = Stepper.deal(GAME, rules, 2, seed)
    for count, _ in enumerate(walk(stepper, lambda _, options: decide_eagerly(options))):
        assert count < 2_000
    assert stepper.state.over in (1, 2)


def test_champions_end_every_game_with_one_fate_card(tmp_path):
    """CRD-6: a deck of one `wieszczba`, which draws itself."""
    cards = dict.fromkeys(CARDS, 0) | {"wieszczba": 1}
    lines = ['title = "One card"', 'description = "It draws itself."', 'extends = "base"', "[cards]"]
    lines += [f"{card} = {count}" for card, count in cards.items()]
    variant = tmp_path / "one-card.toml"
    variant.write_text("\n".join(lines))
    keys = {"game": "grody", "players": [2], "strategies": ["champion"], "games": 10}
    run = play(tmp_path / "run", variants=[str(variant)], **keys)
    games = pd.read_parquet(run / "games")
    assert len(games) == 10
    assert set(games["status"]) <= {"finished", "draw"}


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SEEDS, VARIANTS)
def test_warriors_are_accounted_for(seed, variant):
    """Warriors who came, less those lost, captured, dead of thirst or strayed, are on the board."""
    rules = make_rules(variant=variant)
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, 2, seed)
    for _ in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        pass
    for seat, row in enumerate(stepper.result()[1]):
        start = rules.first_warriors if seat == 0 else rules.second_warriors
        came = start + row.recruited + row.joined + row.ransomed + row.freed
        assert came - row.lost - row.captured - row.thirst - row.strayed == row.warriors
