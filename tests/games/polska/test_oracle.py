"""The compiled rules against the plain oracle: legal sets, hands, outcome and columns agree."""

from pathlib import Path

import numpy as np
import pytest
from support.oracles import polska as oracle

from balance.contract.game import get_game
from balance.experiments.variants import load_variant, read_extended
from balance.foundation.toml import merge
from balance.games.polska.display.names import names_of
from balance.testing.oracle import agree

GAME = get_game("polska")
GAMES = 20  # of each variant and player count


def choose_from(rng: np.random.Generator, judge: oracle.Game, options: list[str]) -> int:
    """Prefer markers and cards, so that games end and every card is met."""
    rides = [i for i, label in enumerate(options) if label.split()[-1] in judge.markers]
    cards = [i for i, label in enumerate(options) if label.startswith("play") and "train" not in label]
    for wanted in (rides, cards):
        if wanted and rng.random() < 0.7:
            return int(rng.choice(wanted))
    return int(rng.integers(len(options)))


def watch(stepper, judge, step) -> None:
    """Compare pawns, markers and hands before every decision."""
    fields, faces = names_of(stepper.rules)
    state = stepper.state
    for p, mine in enumerate(judge.players):
        assert fields[state.pawn[p]] == mine.pawn, step
        assert state.position[p] == mine.marker, step
        hand = state.hand[p][: state.hand_size[p]]
        assert sorted(faces[face] for face in hand) == sorted(mine.hand), step


def play_both(rules, players: int, seed: int) -> str:
    """Play one game with both, comparing every step; returns how it ended."""
    stepper, judge = agree(GAME, rules, players, seed, oracle.play, choose_from, watch)
    assert stepper.result()[0].turns == judge.turns
    return "won" if stepper.state.over == 1 else "drawn"


def test_the_base_rules_agree():
    """The rules agree at every player count; games are won."""
    rules = load_variant(GAME, "base", Path()).rules
    assert "won" in [play_both(rules, players, seed) for players in GAME.players for seed in range(2)]


@pytest.mark.long
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
def test_every_variant_agrees(variant):
    """All rules, tables and player counts agree; games are won, and a few reach the limit."""
    rules = load_variant(GAME, variant, Path()).rules
    ends = [play_both(rules, players, seed) for players in GAME.players for seed in range(GAMES)]
    assert ends.count("won") > 10


ODD_RULES = [
    {"hand_limit": 1, "cards_per_turn": 1, "dice": 1},
    {"markers_out": 1, "cards_per_marker": [6], "hand_limit": 8, "cards_per_turn": 5},
    {"turn_limit": 10},
    {"hand_start": [0, 8, 2, 1], "turn_limit": 40},
    {"hand_start": {"2": [0, 3], "3": 2, "4": [8], "5": [1, 2], "6": 8}, "hand_limit": 2},
    {"markers_out": 10, "cards_per_marker": [0, 6, 0, 6, 0, 6, 0, 6, 0, 6], "one_allows": 20},
    {"steps": {"grey_other": 0, "city": 9}, "turn_limit": 60},
]


@pytest.mark.long
@pytest.mark.parametrize("changes", ODD_RULES)
def test_rules_of_a_designers_own_agree(changes):
    """Values that no shipped variant has agree: a deck that runs out, draws, empty markers."""
    data = merge(read_extended(GAME, GAME.folder / "variants" / "base.toml"), changes)
    rules = GAME.rules.load_rules(data, "test", Path())
    for players in GAME.players:
        for seed in range(8):
            play_both(rules, players, seed)
