"""The example in `examples/oh_hell`: its rules, and what a seat may guess."""

import copy
from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.experiments.variants import load_variant
from balance.plain.chance import Chance
from balance.studies.game_checks import check_game

GAME = get_game(str(Path(__file__).resolve().parents[2] / "examples" / "oh_hell"))
PLAY = GAME.author


@pytest.fixture
def state():
    """Return a first round with three players, all bids made."""
    rules = load_variant(GAME, "base", Path()).rules
    found = PLAY.setup(rules, 3, Chance(5))
    for bid in ("bid 1", "bid 2", "bid 0"):
        PLAY.apply(found, bid, Chance(0))
    found.trump = "s"
    found.hands = [["2h", "Ah", "3s"], ["Kh", "4d", "5c"], ["2d", "2s", "9h"]]
    return found


def play(state, *cards):
    for card in cards:
        assert f"play {card}" in PLAY.actions(state)
        PLAY.apply(state, f"play {card}", Chance(0))


@pytest.mark.slow
def test_it_passes_its_suite():
    """A few games of every variant and player count."""
    found = check_game(GAME, seeds=range(1))
    assert found.failures == [] and found.games == 6


def test_the_last_bidder_may_not_make_the_bids_even():
    """In base the bids never sum to the tricks; in free-bids they may."""
    for variant, allowed in (("base", False), ("free-bids", True)):
        state = PLAY.setup(load_variant(GAME, variant, Path()).rules, 3, Chance(1))
        for bid in ("bid 3", "bid 2"):
            PLAY.apply(state, bid, Chance(0))
        assert ("bid 2" in PLAY.actions(state)) is allowed
        assert "bid 1" in PLAY.actions(state)


def test_suit_must_be_followed(state):
    """A player with the suit led plays it; one without may play anything."""
    play(state, "2h")
    assert PLAY.actions(state) == ["play Kh"]
    play(state, "Kh")
    assert PLAY.actions(state) == ["play 9h"]
    state.hands[2] = ["2d", "2s"]
    assert PLAY.actions(state) == ["play 2d", "play 2s"]


def test_trumps_win_then_the_suit_led(state):
    """The highest trump takes the trick, otherwise the highest card of the suit led; the winner leads."""
    play(state, "2h", "Kh", "9h")
    assert state.tricks == [0, 1, 0] and state.seat == 1
    state.hands[2] = ["2d", "2s"]
    play(state, "5c", "2d", "3s")
    assert state.tricks == [1, 1, 0] and state.seat == 0


def test_only_an_exact_bid_scores(state):
    """10 and a point for each trick; the next round has one card less and another first bidder."""
    state.hands = [["Ah"], ["Kh"], ["9h"]]
    state.tricks = [0, 2, 4]
    play(state, "Ah", "Kh", "9h")
    assert state.points == [11, 12, 0] and state.exact == [1, 1, 0]
    assert state.round == 2 and state.seat == 1 and [len(hand) for hand in state.hands] == [6, 6, 6]


def test_a_guess_remembers_the_suits_that_a_player_lacks(state):
    """A player who did not follow hearts holds none in any guess, as long as the cards allow it."""
    state.hands[1] = ["Kd", "4d", "5c"]
    play(state, "2h", "Kd")
    assert state.lacks[1] == ["h"]
    for seed in range(30):
        guess = PLAY.guess(copy.deepcopy(state), 2, Chance(seed))
        assert not any(card[1] == "h" for card in guess.hands[1])
        assert guess.hands[2] == state.hands[2]
