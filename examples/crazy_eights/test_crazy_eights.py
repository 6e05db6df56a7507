"""The contract suite for Crazy Eights, and tests that name its rules (docs/rules/crazy-eights.md)."""

from pathlib import Path

import numpy as np
import pytest
from crazy_eights import GAME
from crazy_eights.display import CARDS

from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.testing import GameContract


class TestCrazyEights(GameContract):
    game = GAME


def deal(variant="base", players=2, **hands):
    """Return a game with given cards in hand and on the table, e.g. ``top="7h", seat_0="8c 7d"``; Tc is the stock."""
    stepper = Stepper.deal(GAME, load_variant(GAME, variant, Path()).rules, players, 1)
    state = stepper.state
    state.top = CARDS.index(hands.pop("top"))
    state.suit = state.top // 13
    state.hand[:], state.hand_size[:] = 0, 0
    for place, cards in hands.items():
        seat = int(place.removeprefix("seat_"))
        held = [CARDS.index(card) for card in cards.split()]
        state.hand[seat, held], state.hand_size[seat] = 1, len(held)
    state.stock[0], state.stock_count = CARDS.index("Tc"), 1
    return stepper


def take(stepper, *labels):
    for label in labels:
        stepper.take(stepper.options().index(label))
    return stepper


def test_a_card_matches_by_suit_or_rank():
    """TRN-1 and TRN-4: an eight always matches and names a suit."""
    stepper = deal(top="7h", seat_0="2h 7d 2c 8s", seat_1="3c")
    eights = [f"play 8s {suit}" for suit in ("clubs", "diamonds", "hearts", "spades")]
    assert sorted(stepper.options()) == sorted(["play 2h", "play 7d", *eights, "draw"])
    assert take(stepper, "play 8s clubs").observe(1).suit == "clubs"


def test_the_turn_continues_after_a_draw():
    """TRN-2 and TRN-3: the card drawn may be played; who can't draw any more passes."""
    stepper = take(deal(top="7h", seat_0="2c", seat_1="3c"), "draw")
    assert stepper.seat == 0
    assert stepper.options() == ["pass"]
    assert stepper.observe(0).hand == ["2c", "Tc"]


def test_a_queen_skips_the_next_player():
    """TRN-5: only where the rules say so."""
    for variant, seat in (("base", 1), ("skips", 2)):
        stepper = take(deal(variant, 3, top="7h", seat_0="Qh 2c", seat_1="3c", seat_2="4c"), "play Qh")
        assert stepper.seat == seat


@pytest.mark.parametrize(("label", "scores"), [("play 7d", [61, 0]), ("play 2h", [0, 0])])
def test_the_first_without_cards_scores_the_hands_of_others(label, scores):
    """END-1 and END-2: an eight 50, a king 10, an ace 1."""
    stepper = deal(top="7h", seat_0="7d" if label == "play 7d" else "2h 3s", seat_1="8c Kc Ac")
    assert [player.score for player in take(stepper, label).observe(0).seats] == scores


def test_a_blocked_deal_goes_to_the_lightest_hand():
    """END-1 and END-3: when all pass in a row; the points of the hand are subtracted from each other hand."""
    stepper = deal(top="7h", seat_0="2c", seat_1="3c Kc")
    stepper.state.stock_count = 0
    take(stepper, "pass", "pass")
    assert [player.score for player in stepper.observe(0).seats] == [11, 0]


def test_the_beginner_changes_and_may_get_more_cards():
    """SET-2 and SET-4: amounts go from the beginner on, who is the next player in each deal."""
    stepper = deal("beginner-pays", top="7h", seat_0="7d", seat_1="3c")
    assert [player.cards for player in take(stepper, "play 7d").observe(0).seats] == [7, 8]
    assert stepper.seat == 1


def test_equal_points_are_decided_by_deals_won():
    """END-4."""
    stepper = deal(top="7h", seat_0="7d", seat_1="3c")
    state = stepper.state
    state.round_number, state.score[:2], state.deals_won[:2] = 4, [0, 3], [1, 1]
    _, seats = take(stepper, "play 7d").result()
    assert np.array_equal(seats["rank"], [1, 2])
    assert np.array_equal(seats["score"], [3, 3])
