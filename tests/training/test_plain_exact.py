"""What a perfect opponent gains against learned players, computed by trying all that may happen."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from support.own_game import write

from balance.contract.game import get_game
from balance.experiments.variants import load_variant
from balance.plain.inputs import Inputs
from balance.plain.learned import LearnedPlayer
from balance.runs.workers import Threads
from balance.training.arena import Arena
from balance.training.network_files import as_learned
from balance.training.plain_exact import perfect_gains
from balance.training.plain_inputs import find_inputs
from balance.training.plain_play import Board
from balance.training.plain_selfplay import learn_against

KNOWN = Path(__file__).parents[2] / "examples" / "known"


def gains(folder: Path, scale: float, draws: bool) -> list[float]:
    """Return the gains against a player whose weights are drawn and multiplied by `scale`."""
    game = get_game(str(folder))
    rules = load_variant(game, "base", Path()).rules
    inputs = Inputs(find_inputs(game, rules, 2), 2)
    drawn = Board(game, rules, 2, inputs).first_weights(np.random.default_rng(1))
    weights = {name: np.float32(scale) * each for name, each in drawn.items()}
    return perfect_gains(game, rules, 2, [LearnedPlayer(inputs, weights)], draws)


def test_it_is_the_best_response_of_kuhn_poker():
    """A player with equal scores bets and calls with half of its cards; the truth is computed by another program."""
    truth = runpy.run_path(str(KNOWN / "kuhn_poker" / "truth.py"))["gain_of_best_response"]
    rules = load_variant(get_game(str(KNOWN / "kuhn_poker")), "base", Path()).rules.model_dump()
    expected = [truth(rules, lambda card, faces: 0.5, seat) for seat in range(2)]
    assert gains(KNOWN / "kuhn_poker", 0.0, True) == pytest.approx(expected)


@pytest.mark.slow
def test_a_player_trained_against_others_finds_most_of_it():
    """In Kuhn poker, after some 50,000 games, against an untrained player: 98 % of the gain was found."""
    game = get_game(str(KNOWN / "kuhn_poker"))
    rules = load_variant(game, "base", Path()).rules
    schema = find_inputs(game, rules, 2)
    inputs, workers = Inputs(schema, 2), Threads(1)
    untrained = Board(game, rules, 2, inputs).first_weights(np.random.default_rng(1))
    trained = learn_against(game, rules, 2, schema, [untrained], 30, 5, workers)
    players = [as_learned(game, 2, schema, [net], name) for net, name in ((trained, "trained"), (untrained, "target"))]
    arena = Arena(game, rules, 2, players, [1], None, workers)
    scores = [arena.probe(number, 4_000, 3)[0].score.astype(float).mean() for number in range(2)]
    perfect = np.mean(perfect_gains(game, rules, 2, [LearnedPlayer(inputs, untrained)], True))
    assert 0.9 * perfect < scores[0] - scores[1] < perfect + 0.05


def test_it_wins_every_won_game_of_nim():
    """The first seat can win: an untrained player loses one of the seats to itself, and there all can be gained."""
    assert sorted(gains(KNOWN / "nim", 1.0, False)) == [0.0, 1.0]


def test_a_large_game_has_none(tmp_path):
    """Its deck may be shuffled in too many ways."""
    assert gains(write(tmp_path), 1.0, True) == []
