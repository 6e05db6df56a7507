"""The example that loads a game in OpenSpiel: its values against played games, `balance exploit` against exact ones."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import balance.envs
from balance.foundation.errors import BalanceError
from balance.studies.exploit import find_exploits
from balance.studies.settings import Exploit

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python.algorithms.expected_game_score import policy_value  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAMES = 4000


@pytest.fixture(scope="module")
def bridge():
    spec = importlib.util.spec_from_file_location("open_spiel_game", EXAMPLES / "open_spiel_game.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # OpenSpiel makes states again by the module's name
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.fixture(scope="module")
def variant(tmp_path_factory):
    """One round of the tiny variant."""
    path = tmp_path_factory.mktemp("variants") / "tiny-round.toml"
    text = (EXAMPLES / "tiny-grunwald.toml").read_text(encoding="utf-8")
    path.write_text(text.replace("rounds = 2", "rounds = 1"), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def game(bridge, variant):
    return pyspiel.load_game("balance", {"game": "na-grunwald", "variant": variant})


def test_open_spiel_plays_the_game(game):
    rng, state = np.random.default_rng(1), game.new_initial_state()
    while not state.is_terminal():
        actions = state.legal_actions()
        copied, action = state.clone(), int(rng.choice(actions))
        assert len({state.action_to_string(each) for each in actions}) == len(actions) > 1
        state.apply_action(action)
        assert copied.legal_actions() == actions and copied.child(action).history() == state.history()
    assert sum(state.returns()) == 0 and len(state.history()) <= game.max_game_length()


def test_a_set_holds_all_deals_that_look_alike(game):
    """Twelve deals: three cards of provisions and two of ducats in any order; the first of each is face up."""
    first = game.tree.root.children.values()
    assert len(first) == 12
    assert len({node.information for node in first}) == 3 * 2


@pytest.mark.parametrize("seat", [0, 1])
def test_values_are_those_of_played_games(bridge, game, variant, seat):
    """Random play against the champion wins its exact share, within four standard errors."""
    policies = [bridge.make_policy(game, name) for name in ("random", "champion")]
    value = policy_value(game.new_initial_state(), policies if seat == 0 else policies[::-1])[seat]
    games = balance.envs.batch("na-grunwald", 200, players=2, variant=variant, opponents="champion", seat=seat)
    games.reset(seed=3)
    won: list[float] = []
    while len(won) < GAMES:
        seen = games.step(games.draw_actions())
        won.extend(seen.reward[seen.done == 1, seat])
    error = np.std(won) / len(won) ** 0.5
    assert abs(np.mean(won) - 0.5 - value) < 4 * error + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("target", ["random", "champion"])
def test_exploit_gains_no_more_than_an_exact_best_response(bridge, game, variant, target):
    """Both opponents of `balance exploit` are lower bounds; in a game this small the searcher's is nearly exact."""
    exact = bridge.find_gain(game, bridge.make_policy(game, target))
    asked = Exploit("na-grunwald", variant, (2,), (target,), ("champion",), 100, 10_000, 0)
    found = find_exploits(asked)[2]
    assert found.response.low <= exact and found.probe.low <= exact
    assert found.probe.high >= exact - 1


@pytest.mark.slow
def test_counterfactual_regret_solves_the_game(bridge, variant, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["", "--variant", variant, "--cfr", "50", "random"])
    bridge.main()
    size, random, solved = capsys.readouterr().out.splitlines()
    assert size == "12 deals, 541 nodes, 48 information sets"
    assert float(random.split()[-6]) > 40 and float(solved.split()[-6]) < 0.2


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("na-grunwald", "more than 3,000 deals; choose a variant with fewer cards"),
        pytest.param("grody", "grody draws after the deal", marks=pytest.mark.slow),
    ],
)
def test_a_game_with_too_much_chance_is_refused(bridge, name, says):
    with pytest.raises(BalanceError, match=says):
        bridge.Tree(name, "base")


def test_a_strategy_without_a_table_of_choices_is_refused(bridge, game):
    with pytest.raises(BalanceError, match=r"^search-10: name random, or a profile"):
        bridge.make_policy(game, "search-10")
