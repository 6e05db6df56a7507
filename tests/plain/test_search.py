"""The searcher for games in plain Python."""

import tomllib
from pathlib import Path

import pytest
from support.own_game import write
from support.runs import play
from support.shapes import write_shape

import balance
from balance.contract.game import get_game
from balance.engine.search.thinker import Thinker
from balance.engine.stepper import Stepper
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.experiments.variants import load_variant


@pytest.fixture(scope="module")
def duel(tmp_path_factory) -> Path:
    """Return the folder of the draft."""
    return write(tmp_path_factory.mktemp("games"))


@pytest.mark.long
@pytest.mark.slow
def test_it_beats_random_play(duel, tmp_path):
    """With 60 iterations a decision it wins clearly more than half."""
    path = play(tmp_path / "run", game=str(duel), players=[2], strategies=["search-60", "random"], games=60)
    shares = balance.open_run(path).query(
        "SELECT strategy, avg(win_share) AS won, count(*) AS n FROM seats GROUP BY ALL"
    )
    own = shares.set_index("strategy")
    assert own.n["search-60"] == 60
    assert own.won["search-60"] > 0.62


def test_what_is_hidden_does_not_change_its_choice(duel):
    """After the hidden cards are dealt again, it thinks the same with the same stream."""
    game = get_game(str(duel))
    thinker, rules = _thinker(game, "search-30")
    for seed in range(6):
        stepper = Stepper.deal(game, rules, 2, seed)
        for _ in range(seed):
            stepper.options()
            stepper.take(0)
        label, thoughts = thinker.think(stepper, 5)
        before = stepper.state["position"]
        stepper.determinize(seed + 1)
        assert stepper.state["position"] != before
        assert repr(thinker.think(stepper, 5)) == repr((label, thoughts))  # nan is not equal to itself
        assert sum(each.visits for each in thoughts) == 30


@pytest.mark.parametrize("reward", ["win", "lead"])
def test_it_finds_the_only_good_move(reward, tmp_path):
    """Without a profile: 6 beats the 5 on the table, and only then the last round can be lost without harm."""
    path = write(tmp_path)
    for profile in (path / "profiles").iterdir():
        profile.unlink()
    game = get_game(str(path))
    (tmp_path / "own.toml").write_text(f'kind = "search"\niterations = 100\nreward = "{reward}"\n')
    thinker, rules = _thinker(game, str(tmp_path / "own.toml"))
    stepper = Stepper.deal(game, rules, 2, 1)
    position = stepper.state["position"]
    position.hands, position.deck, position.table, position.first = [[4, 6], [7]], [], [5], 1
    label, thoughts = thinker.think(stepper, 1)
    assert label == "play 6"
    values = {each.label: each.value for each in thoughts}
    assert values["play 6"] == 0.5 and values["play 4"] < 0.5


def _thinker(game, name):
    rules = load_variant(game, "base", Path()).rules
    _, weights, searchers = pack_strategies(game, [load_strategy(game, name, Path())], 2)
    return Thinker(game, weights, searchers), rules


VALUED = """    POSITION = {"points": "points of the seat so far"}

    def position(self, state, seat):
        return {"points": state.points[seat]}

    def progress(self, state):
        return (state.round - 1) / state.rules.hand

    def features("""


@pytest.mark.long
@pytest.mark.slow
def test_a_value_stops_rollouts_at_the_horizon(tmp_path, cli):
    """A fitted value favours points; a searcher with it and a horizon of one round plays better than random."""
    path = write(tmp_path, ("    def features(", VALUED))
    value, search = tmp_path / "v.toml", tmp_path / "near.toml"
    cli(f"train value --game {path} --players 2 --strategies careful,random --games 600 --out {value}", status=0)
    weights = tomllib.loads(value.read_text())["weights"]["2"]["points"]
    assert weights[-1] > weights[0] > 0
    search.write_text(f'kind = "search"\niterations = 30\nhorizon = 1\nvalue = "{value}"\ndeals = "shared"\n')
    thinker, rules = _thinker(get_game(str(path)), str(search))
    stepper = Stepper.deal(get_game(str(path)), rules, 2, 1)
    position = stepper.state["position"]
    position.hands, position.table, position.first = [[4, 6, 1], [7, 8]], [5], 1
    label, thoughts = thinker.think(stepper, 1)
    assert label == "play 6"
    assert repr(thinker.think(stepper, 1)) == repr((label, thoughts))
    keys = {"game": str(path), "players": [2], "games": 40, "strategies": [str(search), "random"]}
    shares = balance.open_run(play(tmp_path / "run", **keys)).query(
        "SELECT strategy, avg(win_share) AS won FROM seats GROUP BY ALL"
    )
    assert shares.set_index("strategy").won["near"] > 0.6


def test_searchers_of_a_game_without_chance_play_different_games(tmp_path):
    """Rollouts have chance: with greedy ones, two searchers would play one game again and again."""
    path = write_shape(tmp_path, die=1)
    (tmp_path / "own.toml").write_text('kind = "search"\niterations = 8\nprior = "least"\n')
    run = play(tmp_path / "run", game=str(path), players=[2], strategies=[str(tmp_path / "own.toml")], games=20)
    assert balance.open_run(run).games().moves_hash.nunique() > 1
