"""Training of networks: gradients, advantages, what is learnt, and a training that is killed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.errors import refused
from support.networks import GAME, drawn_weights, plain_scores, write_drawn

from balance.experiments.networks import ARRAYS, find_network
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.runs.workers import Threads
from balance.training import network
from balance.training.arena import Arena
from balance.training.network import label_gradient, train_network
from balance.training.network_files import join_networks, write_network
from balance.training.network_fit import Adam, Batch, Lessons, chances_of, gradient, make_batch
from balance.training.network_play import Sampled, Table, advantages
from balance.training.settings import NetworkTraining

SMALL = NetworkTraining("na-grunwald", "base", (2,), "champion", ("champion",), 2, 20, 4, steps=2, seed=3)


def some_batch(rng: np.random.Generator) -> Batch:
    kind = GAME.records.network
    return Batch(
        np.repeat([4, 5, 7], 4).astype("i1"),
        np.full(12, 6, "i1"),
        rng.normal(size=(12, kind["context"].shape[0])).astype("f4"),
        rng.normal(size=(12, 10, kind["action"].shape[1])).astype("f4"),
    )


def some_targets(rng: np.random.Generator) -> np.ndarray:
    wanted = rng.dirichlet(np.ones(10), 12).astype("f4")
    wanted[:, 6:] = 0
    return wanted / wanted.sum(1, keepdims=True)


def test_chances_are_those_of_the_scores():
    """The softmax of scores computed with NumPy alone."""
    batch, weights = some_batch(np.random.default_rng(2)), drawn_weights()
    raised = np.exp(plain_scores(weights, batch))
    assert chances_of(weights, batch) == pytest.approx(raised / raised.sum(1, keepdims=True), abs=1e-5)


def test_a_gradient_is_the_slope_of_the_loss():
    """Each array's gradient agrees with finite differences of the cross-entropy."""
    rng = np.random.default_rng(1)
    batch, wanted = some_batch(rng), some_targets(rng)
    kind = GAME.records.network
    weights = {name: rng.normal(0, 0.2, kind[name].shape).astype("f4") for name in ARRAYS}

    def loss() -> float:
        exact = {name: each.astype("f8") for name, each in weights.items()}
        raised = np.exp(plain_scores(exact, batch)[:, :6])
        return float(-(wanted[:, :6] * np.log(raised / raised.sum(1, keepdims=True))).sum())

    found = gradient(weights, batch, Lessons(wanted, np.ones(12, "f4"), np.zeros(12, "f4")))
    for name in ARRAYS:
        index = np.unravel_index(np.abs(found[name]).argmax(), found[name].shape)
        step, kept = 1e-2, weights[name][index]
        weights[name][index] = kept + step
        above = loss()
        weights[name][index] = kept - step
        slope = (above - loss()) / (2 * step)
        weights[name][index] = kept
        assert found[name][index] == pytest.approx(slope, rel=0.02), name


@pytest.mark.parametrize(("before", "learnt"), [(1.0, True), (1 / 1.3, False), (1.3, True)])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_action_is_pushed_no_further_than_a_fifth(before, learnt, sign):
    """A gain teaches nothing once the chance is a fifth higher, a loss nothing once it is a fifth lower."""
    rng, weights = np.random.default_rng(3), drawn_weights()
    batch = some_batch(rng)
    target = np.zeros((12, 10), "f4")
    target[:, 0] = 1
    chance = chances_of(weights, batch)[:, 0]
    old = chance * (before if sign > 0 else 1 / before)
    found = gradient(weights, batch, Lessons(target, np.full(12, sign, "f4"), old.astype("f4")))
    assert bool(np.abs(found["bias"]).sum() > 0) == learnt


def test_advantages_are_gains_of_win_chance():
    """A game of three checkpoints: what a round gains belongs to its choices, later rounds fade by half."""
    samples = np.zeros(3, [("game", "i4"), ("checkpoint", "i2"), ("seat", "i1")])
    samples["checkpoint"] = [0, 1, 2]
    values = np.array([[[0.5, 0.5], [0.6, 0.4], [0.4, 0.6], [1.0, 0.0]]], "f4")
    found = advantages(Sampled(samples, values), 0.5**3)
    assert found == pytest.approx([0.1 + 0.5 * (-0.2 + 0.5 * 0.6), -0.2 + 0.5 * 0.6, 0.6])


def test_labels_are_visits_of_the_searcher():
    """Every choice is labelled with its visits, and values of checkpoints are win chances."""
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 2)
    strategies = load_strategies(GAME, ["champion", "search-6"], Path())
    found = table.sample(strategies, np.array([[0, 1]] * 60), 1, 0.25)
    visits = found.samples["visits"]
    assert len(found.samples) > 4000 and (visits.sum(1) > 0).mean() > 0.9
    assert (visits.sum(1) == 6).mean() > 0.5  # all iterations; less if an action is on the searcher's shortlist alone
    assert set(found.samples["strategy"]) == {0, 1}
    assert found.values.sum(2) == pytest.approx(np.ones(found.values.shape[:2]), abs=1e-5)
    assert np.isin(found.values[:, -1], [0, 0.5, 1]).all()
    again = Table(GAME, table.rules, 2, Threads(1)).sample(strategies, np.array([[0, 1]] * 60), 1, 0.25)
    assert np.array_equal(again.samples, found.samples)


def test_a_planted_choice_is_learnt():
    """Labels that prefer the last action of every shortlist: the fit finds it."""
    table = Table(GAME, load_variant(GAME, "base", Path()).rules, 2)
    strategies = load_strategies(GAME, ["champion", "search-1"], Path())
    labels = table.sample(strategies, np.zeros((40, 2), int), 1, 0.0).samples
    labels["visits"] = 0
    labels["visits"][np.arange(len(labels)), labels["count"] - 1] = 10
    rng, fitted = np.random.default_rng(1), Adam(drawn_weights())
    for _ in range(150):
        fitted.step(label_gradient(fitted.weights, labels, rng, 256), 8e-3)
    best = plain_scores(fitted.mean, make_batch(labels)).argmax(1)
    assert (best == labels["count"] - 1).mean() > 0.9


def test_the_mean_of_the_weights_wanders_less_than_they_do():
    """Two hundred weights around 0 with noisy gradients: the mean's distance is less than half as large."""
    rng, fitted = np.random.default_rng(1), Adam({"out": np.ones(200, "f4")})
    for _ in range(8000):
        fitted.step({"out": fitted.weights["out"] + rng.normal(0, 1, 200).astype("f4")}, 4e-3)
    assert np.abs(fitted.mean["out"]).mean() < 0.5 * np.abs(fitted.weights["out"]).mean()


@pytest.mark.long
@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_result(tmp_path, monkeypatch):
    """Killed in each of its stages; the work folder is gone at the end, and a changed training is refused."""
    train_network(SMALL, tmp_path / "one.toml")
    whole = (tmp_path / "one.npz").read_bytes()
    for stage in ("fit", "take_step"):
        with monkeypatch.context() as patched:

            def kill(*_: object) -> None:
                raise KeyboardInterrupt

            patched.setattr(network.Course, stage, kill)
            with pytest.raises(KeyboardInterrupt):
                train_network(SMALL, tmp_path / "two.toml")
    other = NetworkTraining(**{**vars(SMALL), "seed": 4})
    with pytest.raises(BalanceError, match="belongs to another training"):
        train_network(other, tmp_path / "two.toml")
    train_network(SMALL, tmp_path / "two.toml")
    assert (tmp_path / "two.npz").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.npz", "one.toml", "two.npz", "two.toml"]


STARTED = replace(SMALL, games=2, iterations=1, steps=0, networks=3, start="./start.toml")


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Write a start of two networks, in the working directory."""
    monkeypatch.chdir(tmp_path)
    return write_drawn(tmp_path / "start.toml", (2, 3), networks=2)


def test_self_play_begins_with_the_weights_of_a_start(start):
    """Without a step of self-play the result is the start: its networks in turn, for each player count and round."""
    train_network(replace(STARTED, players=(2, 3)), Path("out.toml"))
    assert find_network(GAME, "./out.toml", Path()).training["start"] == "start.toml"  # no folder
    given, found = (find_network(GAME, f"./{name}.toml", Path()).weights for name in ("start", "out"))
    assert found == {count: [own[0], own[1], own[0]] for count, own in given.items()}


def test_a_step_of_self_play_changes_a_start_a_little(start):
    """One step with labels, each of whose updates moves a weight by at most about the step size."""
    train_network(replace(STARTED, rounds=1, steps=1, networks=1), Path("out.toml"))
    with np.load("start.npz") as before, np.load("out.npz") as after:
        moved = np.abs(after["2/context"][0] - before["2/context"][0].astype("f4"))
    assert 0 < moved.max() < network.MOST_STEPS * network.SELF_RATE


def test_a_changed_start_is_refused_on_resuming(start, monkeypatch):
    """Its file may have the same name."""
    with monkeypatch.context() as patched:
        patched.setattr(network.Course, "play_itself", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            train_network(STARTED, Path("out.toml"))
    write_drawn(start, (2, 3))
    with pytest.raises(BalanceError, match=r"another training \(changed: start network \./start\.toml\)"):
        train_network(STARTED, Path("out.toml"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"start": "exprt"}, "unknown na-grunwald network 'exprt'; did you mean 'expert'"),
        ({"players": (2, 4)}, "start: ./start.toml: no weights for 4 players (there are: 2, 3)"),
        ({"profile": "treasurer"}, "start: ./start.toml does not score the best actions of treasurer"),
        ({"start": "./plain.toml"}, "not a network"),
        ({"game": "grody", "players": ()}, "'start' is for na-grunwald, not for grody"),
    ],
)
def test_a_start_that_does_not_fit_is_one_line(start, changes, words):
    Path("plain.toml").write_text('title = "T"\ndescription = "d"\n[weights]\nhelper = 1\n')
    before = sorted(Path().iterdir())
    with refused(words):
        train_network(replace(STARTED, **changes), Path("out.toml"))
    assert sorted(Path().iterdir()) == before


@pytest.mark.long
def test_a_trained_network_beats_the_profile_that_it_began_with(tmp_path):
    """A minute of training: it wins more than half of its games against the champion."""
    training = NetworkTraining("na-grunwald", "base", (2,), "champion", ("champion",), 2, 1000, 50, steps=20, seed=1)
    train_network(training, tmp_path / "net.toml")
    strategies = load_strategies(GAME, [str(tmp_path / "net.toml"), "champion"], tmp_path)
    arena = Arena(GAME, load_variant(GAME, "base", Path()).rules, 2, strategies, lineup=[1])
    assert arena.probe(0, 1000, 5).win_share.mean() > 0.55


def test_networks_trained_apart_are_joined_by_player_count(tmp_path, monkeypatch):
    """In the order of the files, with how each was trained; a joined file can be joined again."""
    monkeypatch.chdir(tmp_path)
    write_drawn(Path("one.toml"), (2, 3), seed=1)
    write_drawn(Path("two.toml"), (4,), networks=2, seed=2)
    write_network(Path("three.toml"), GAME, "champion", {2: [drawn_weights(99)]}, {"seed": 3})
    assert join_networks(GAME, ["./one.toml", "./two.toml"], Path("all.toml")) == {2: 1, 3: 1, 4: 2}
    assert join_networks(GAME, ["./all.toml", "./three.toml"], Path("more.toml")) == {2: 2, 3: 1, 4: 2}
    one, three, more = (find_network(GAME, f"./{name}.toml", tmp_path) for name in ("one", "three", "more"))
    assert more.weights["2"] == one.weights["2"] + three.weights["2"]
    assert more.profile == one.profile
    assert "rules" not in more.training
    for name, rules in (("one", "a"), ("three", "a"), ("two", "b")):
        path = Path(f"{name}.toml")
        path.write_text(path.read_text().replace("[training]", f'[training]\nrules = "{rules}"'))
    for name, rules in (("three", "a"), ("two", None)):
        join_networks(GAME, ["./one.toml", f"./{name}.toml"], Path("joined.toml"))
        assert find_network(GAME, "./joined.toml", tmp_path).training.get("rules") == rules
    assert [more.training[f"network_{number}"]["seed"] for number in (1, 2, 3)] == [1, 2, 3]


def test_a_strategy_has_at_most_nine_networks_of_one_profile(tmp_path, monkeypatch):
    """And none of them twice: it would count as two trainings."""
    monkeypatch.chdir(tmp_path)
    write_drawn(Path("nine.toml"), (2,), networks=9)
    write_network(Path("one.toml"), GAME, "champion", {2: [drawn_weights(99)]}, {})
    text = Path("one.toml").read_text().replace('profile = "champion"', 'profile = "treasurer"')
    Path("other.toml").write_text(text)
    for names, words in (
        (["nine", "one"], "10 networks, but a strategy can have at most 9"),
        (["nine", "other"], "different profiles can't be one strategy: champion and treasurer"),
        (["one", "one"], "./one.toml: it has a network that another one of these files has too"),
    ):
        with refused(words):
            join_networks(GAME, [f"./{name}.toml" for name in names], Path("all.toml"))
    assert not Path("all.toml").exists()
