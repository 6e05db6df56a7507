"""The example that trains a policy: its gradient, a short training, and the policy as a bot in a run."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from balance.run import Run

SCRIPT = Path(__file__).resolve().parents[2] / "examples" / "train_ppo.py"


@pytest.fixture
def ppo():
    spec = importlib.util.spec_from_file_location("train_ppo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_samples(rng):
    """Return ten decisions with two to five options each."""
    count = rng.integers(2, 6, 10)
    options, seen = rng.normal(size=(count.sum(), 3)), rng.normal(size=(10, 4))
    near = -np.log(count) + rng.normal(size=10) * 0.1  # so that few ratios are clipped
    return {
        "count": count, "options": options, "seen": seen, "taken": rng.integers(0, count), "log": near,
        "gain": rng.normal(size=10), "return": rng.normal(size=10),
    }  # fmt: skip


def loss_of(ppo, net, part):
    """Return PPO's loss, written decision by decision."""
    gain = (part["gain"] - part["gain"].mean()) / part["gain"].std()
    ends, total = np.cumsum(part["count"]), 0.0
    _, value = ppo.value_positions(net, part["seen"])
    for i, (end, count) in enumerate(zip(ends, part["count"], strict=True)):
        hidden = part["seen"][i] @ net["position"] + net["position_bias"]
        one = np.maximum(hidden + part["options"][end - count : end] @ net["option"], 0)
        scores = np.maximum(one @ net["hidden"] + net["hidden_bias"], 0) @ net["score"][:, 0]
        chances = np.exp(scores) / np.exp(scores).sum()
        ratio = chances[part["taken"][i]] / np.exp(part["log"][i])
        clipped = np.clip(ratio, 1 - ppo.CLIP, 1 + ppo.CLIP)
        entropy = -(chances * np.log(chances)).sum()
        total += -min(gain[i] * ratio, gain[i] * clipped) - ppo.ENTROPY * entropy
        total += 0.5 * (value[i] - part["return"][i]) ** 2
    return total / len(ends)


def test_the_gradient_is_that_of_the_loss(ppo, monkeypatch):
    """Each weight's slope equals the loss's difference quotient; the norm is not cut here."""
    monkeypatch.setattr(ppo, "NORM", 1e9)
    rng = np.random.default_rng(3)
    net = {name: each.astype(float) for name, each in ppo.make_network(4, 3, rng).items()}
    part = make_samples(rng)
    gradient, _ = ppo.find_gradient(net, part)
    for name, weights in net.items():
        if name in ("option_bias", "score_bias"):  # no function of them: the position has a bias, scores are relative
            continue
        for place in zip(*(rng.integers(0, size, 4) for size in weights.shape), strict=True):
            kept, slopes = weights[place], []
            for step in (1e-5, -1e-5):
                weights[place] = kept + step
                slopes.append(loss_of(ppo, net, part))
            weights[place] = kept
            expected = (slopes[0] - slopes[1]) / 2e-5
            assert np.isclose(gradient[name][place], expected, rtol=1e-3, atol=1e-6), name


@pytest.mark.long
@pytest.mark.slow
def test_a_trained_policy_plays_in_a_run(tmp_path, monkeypatch, cli):
    """Two updates of training write a policy; as a bot it plays legal actions, the same each time, also in a ladder."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(SCRIPT, tmp_path)
    done = subprocess.run([sys.executable, SCRIPT.name, "--updates", "2"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "16,384 decisions" in done.stdout
    lineup = "--lineup train_ppo.py:Policy,champion"
    for out in ("one", "two"):
        cli(f"run --quiet --game na-grunwald --players 2 {lineup} --games 4 --out {out}", status=0)
    one, two = (Run(tmp_path / out).seats() for out in ("one", "two"))
    assert one.equals(two)
    games = "--players 2 --games 20 --duels 10 --trace 0 --quiet --against search-2"
    strategies = "--strategies train_ppo.py:Policy,champion,random"
    told = cli(f"ladder --game na-grunwald {games} {strategies}", status=0).output
    assert re.search(r"^Policy +\d", told, re.M)  # as its rows are named
    assert set(one.strategy) == {"Policy", "champion"}
