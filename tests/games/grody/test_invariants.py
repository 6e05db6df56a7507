"""Properties that hold in every game, for any rules, seed and choices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.grody import GAME, make_rules, s
from support.oracles.grody.base import RANGES
from support.runs import play, read_rows

from balance.contract.records import CHANCE
from balance.engine.stepper import Stepper, walk
from balance.games.grody.rules.ruleset import CARDS, TERRAINS

SEEDS = st.integers(0, 2**32 - 1)
VARIANTS = st.sampled_from(GAME.shipped("variants"))
FIXED = {"first_warriors", "second_warriors", "dominance_lead", "dominance_segments"}
RULES = st.fixed_dictionaries(
    {
        **{
            key: st.integers(min(values), max(values))
            for key, values in RANGES.items()
            if type(values[-1]) is int and key not in FIXED
        },
        "rows": st.sampled_from([3, 5, 7]),
        "corners": st.booleans(),
        "hand_start": st.integers(0, 6),
        "cushion_per": st.sampled_from(["combat", "round"]),
        "dominance_at": st.sampled_from(["round", "start", "end"]),
        "turn_limit": st.integers(1, 30),
    }
)


def hold_pieces(rules, state) -> None:
    """Assert that cards, terrains and buildings are those of the rule set, and the conditions of `conserved` hold."""
    found = GAME.display.conserved(rules, state)
    assert [name for name, value in found.items() if value is False] == []
    assert found["fate cards"] == rules.cards.model_dump()
    assert found["terrains"] == {name: rules.terrain_named(name).cards for name in TERRAINS}
    assert found["buildings"] == rules.buildings.model_dump()
    assert found["grody"] == (2, 0, 1)
    assert (state.warriors <= 8).all()


def hold_land(rules, state) -> None:
    """Assert that sides meet only where a combat waits; elsewhere warriors are on own land, or have just entered it."""
    in_combat = state.phase in (s.ASK_HIT, s.ASK_FLEE) or state.window in (s.BEFORE, s.DURING)
    first = max(0, state.fought - in_combat)
    waiting = {int(segment) for segment in state.attacks[first : state.attack_count]}
    entered = set(state.entered[: state.entered_count].tolist())
    for i in set(range(len(rules.board.names))) - waiting:
        assert not state.warriors[:, i].all()
        if state.terrain[i] != s.GROD:
            owners = {seat for seat in range(2) if state.warriors[seat, i]}
            assert owners <= {int(state.owner[i])} or i in entered


def play_randomly(rules, seed: int):
    """Yield the stepper of a random game at every decision."""
    rng = np.random.default_rng(seed)
    stepper = Stepper.deal(GAME, rules, 2, seed)
    for step in walk(stepper, lambda _, options: int(rng.integers(len(options)))):
        if step.seat != CHANCE:
            assert len(step.options) > 1, step  # DEC-1
            yield stepper


def check_game(rules, seed: int) -> None:
    turns = 0
    for stepper in play_randomly(rules, seed):
        state = stepper.state
        hold_pieces(rules, state)
        hold_land(rules, state)
        if state.phase == s.ASK_MOVE:
            assert (state.fresh + state.once <= state.warriors[state.active]).all()
            if state.turns > turns:
                turns = int(state.turns)
                assert (state.hand_size <= rules.hand_limit).all()
    assert state.over in (1, 2)
    game, seats = stepper.result()
    assert sorted(seats["rank"].tolist()) == ([1, 1] if state.over == 2 else [1, 2])
    assert game.turns <= 2 * rules.turn_limit
    hold_columns(rules, seats)


def hold_columns(rules, seats) -> None:
    """Assert that one side's gains are the other's losses; warriors come and go only in the counted ways."""
    starts = (rules.first_warriors, rules.second_warriors)
    for one, other, start in ((seats[0], seats[1], starts[0]), (seats[1], seats[0], starts[1])):
        assert one.attacks == other.defences
        assert one.attacks_won + other.defences_won <= one.attacks
        assert one.captured <= one.fled
        assert one.captured - one.ransomed - one.freed == other.prisoners
        played = sum(int(one[f"played_{card}"]) for card in CARDS)
        assert one.drawn - one.discarded - one.ransomed - played == one.hand
        came = start + one.recruited + one.joined + one.ransomed + one.freed
        assert came - one.lost - one.captured - one.thirst - one.strayed == one.warriors


@pytest.mark.long
@settings(max_examples=20, deadline=None)
@given(SEEDS, VARIANTS)
def test_shipped_variants(seed, variant):
    check_game(make_rules(variant=variant), seed)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
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
@settings(max_examples=25, deadline=None)
@given(SEEDS, small_decks(), st.integers(0, 4), st.integers(1, 12))
def test_games_end_with_small_decks_of_fate(seed, cards, prophecy_draw, hand_limit):
    """CRD-6: every card phase ends, though every card is played as soon as possible."""
    rules = make_rules({"cards": cards, "prophecy_draw": prophecy_draw, "hand_limit": hand_limit, "turn_limit": 10})
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
    games = read_rows(run, "games")
    assert len(games) == 10
    assert set(games["status"]) <= {"finished", "draw"}
