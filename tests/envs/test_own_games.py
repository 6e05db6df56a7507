"""Games in plain Python as environments."""

import copy
import pickle
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from support.errors import refused
from support.own_game import PLAINEST, write, write_plainest
from support.runs import play

import balance
import balance.envs
from balance.envs import plain_games
from balance.envs.plain_games import OTHER

KNOWN = Path(__file__).parents[2] / "examples" / "known"


@pytest.fixture(scope="module")
def duel(tmp_path_factory) -> str:
    path = write(tmp_path_factory.mktemp("duel"))
    base = path / "variants" / "base.toml"
    base.write_text(base.read_text().replace("hand = 7", "hand = 3"))
    return str(path)


def steps(games, count: int) -> list[np.ndarray]:
    """Return all that is seen in some random steps."""
    return [each.copy() for _ in range(count) for each in games.step(games.draw_actions())]


def test_its_games_are_those_of_a_run(duel, tmp_path):
    """Random agents play the games of `balance run` with the same seed and line-up."""
    run = play(tmp_path / "run", game=duel, players=[2], strategies=["random"], games=6, seed=4)
    played = balance.open_run(run).query("SELECT score FROM seats ORDER BY game_id, seat").score
    games = balance.envs.batch(duel, 6, players=2)
    games.reset(seed=4)
    scores = np.full((6, 2), np.nan)
    while np.isnan(scores).any():
        first = games.step(games.draw_actions()).done.astype(bool) & np.isnan(scores[:, 0])
        scores[first] = games.rows()[1].score.reshape(6, 2)[first]
    assert scores.ravel().tolist() == played.tolist()


@pytest.mark.slow
def test_a_position_is_restored_copied_and_pickled(duel):
    games = balance.envs.batch(duel, 3, players=3, opponents=["careful", "search-3"], described=2)
    games.reset(seed=1)
    position = games.clone()
    first = steps(games, 8)
    games.restore(position)
    twins = copy.deepcopy(games), pickle.loads(pickle.dumps(games))
    for each in (games, *twins):
        assert all(np.array_equal(a, b) for a, b in zip(steps(each, 8), first, strict=True))


def test_an_action_that_no_random_game_had_is_the_last_one(duel, monkeypatch):
    monkeypatch.setattr(plain_games, "number_labels", lambda game, players: ("play 1", "play 2"))
    games = balance.envs.batch(duel, 4, players=2, opponents="random")
    seen = games.reset(seed=1)
    assert games.spaces.action_names == ["play 1", "play 2", OTHER]
    assert seen.mask[:, 2].all()
    games.step(np.full(4, 2))


def test_observations_hide_what_a_seat_may_not_know(duel):
    """Two deals that differ in hidden cards alone look alike."""
    games = balance.envs.batch(duel, 1, players=2)
    games.reset(seed=1)
    stepper = games.stepper().copy()
    seen = games.spaces.observe(stepper)
    assert np.array_equal(seen, games.seen.observation[0])
    stepper.determinize(5)
    assert np.array_equal(seen, games.spaces.observe(stepper))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim", "kuhn_poker"])
def test_the_libraries_accept_it(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = str(KNOWN / name)
        api_test(pettingzoo.make("aec", "balance/own-game-v0", game=game), num_cycles=40)
        env = gymnasium.make("balance/OwnGame-v0", game=game, illegal="random")
        check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec("balance/OwnGame-v0", num_envs=3, game=game)
    assert many.reset(seed=1)[0].shape[0] == 3


@pytest.fixture(scope="module")
def scored(tmp_path_factory) -> str:
    """Return a game for one player that has only a score."""
    path = write_plainest(tmp_path_factory.mktemp("scored"))
    text = PLAINEST.replace("players = (2, 3)", 'players = (1,)\n    GOAL = "score"')
    text = text.replace("def scores(self, state):", "def outcome(self, state):").replace(
        "state.points\n", "state.points[0]\n"
    )
    (path / "game.py").write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("reward", ["win", "rank"])
def test_no_reward_is_missing_where_only_points_count(scored, reward):
    """Each reward was NaN, and an agent would have learned from it."""
    with refused(f"reward={reward!r} does not apply", "write reward='score'"):
        balance.envs.batch(scored, 2, reward=reward)


def test_a_score_is_a_reward(scored):
    games = balance.envs.batch(scored, 4, reward="score")
    games.reset(seed=1)
    ended = [games.step(games.draw_actions()).reward.copy() for _ in range(6)]
    assert np.isfinite(ended).all() and np.any(ended)
