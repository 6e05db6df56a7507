"""Train a policy with PPO in ten minutes, and let it play in `balance run`: one file, NumPy alone.

    python train_ppo.py --minutes 10
    balance run --game na-grunwald --players 2 --lineup train_ppo.py:Policy,champion --games 400 --out runs/ppo

The agent plays against `random` and `champion`. The reward comes at the end of a game: the lead in points,
squeezed to -1..1. The policy scores each legal action from the features of the position and of the action. It learns by
proximal policy optimization (Schulman et al. 2017) with the details of CleanRL: generalized advantages, normalized in
each minibatch, clipped ratios, a bonus for entropy, Adam with a falling learning rate.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import balance.envs
from balance.envs import Batch

Arrays = dict[str, np.ndarray]
HIDDEN, VALUE_HIDDEN = 64, 64
GAMES = {"random": 128, "champion": 128}  # side by side, by opponent
STEPS = 64  # decisions of each game in an update
OPTIONS = 96  # legal actions that the policy looks at, the first ones
EPOCHS, MINIBATCH = 3, 1024
RATE, CLIP, ENTROPY, NORM = 1e-3, 0.2, 0.003, 0.5
LEAD = 30.0  # points; the reward is tanh(lead / LEAD)
LAMBDA = 0.97  # of generalized advantages; rewards are not discounted
FILE = Path(__file__).with_name("policy.npz")


def make_network(features: int, option_features: int, rng: np.random.Generator) -> Arrays:
    """Return the weights of the policy (position, option, hidden, score) and of the value (position, value)."""
    shapes = {
        "position": (features, HIDDEN), "option": (option_features, HIDDEN), "hidden": (HIDDEN, HIDDEN),
        "score": (HIDDEN, 1), "seen": (features, VALUE_HIDDEN), "value": (VALUE_HIDDEN, 1),
    }  # fmt: skip
    net = {}
    for name, (rows, columns) in shapes.items():
        scale = 0.1 if name == "score" else 1.4
        net[name] = (rng.normal(size=(rows, columns)) * scale / rows**0.5).astype(np.float32)
        net[f"{name}_bias"] = np.zeros(columns, np.float32)
    return net


def score_options(net: Arrays, seen: np.ndarray, options: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return both hidden layers and the log chance of each option.

    Parameters
    ----------
    options : float32 array (m, option features)
        The options of all decisions, one decision after the other.
    counts : int array (n,)
        The number of options of each decision.
    """
    one = np.repeat(seen @ net["position"] + net["position_bias"], counts, axis=0)
    one += options @ net["option"]
    one = np.maximum(one, 0)
    two = np.maximum(one @ net["hidden"] + net["hidden_bias"], 0)
    scores, starts = (two @ net["score"])[:, 0], np.cumsum(counts) - counts
    scores -= np.repeat(np.maximum.reduceat(scores, starts), counts)
    scores -= np.repeat(np.log(np.add.reduceat(np.exp(scores), starts)), counts)
    return one, two, scores


def value_positions(net: Arrays, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the hidden layer and the value of each position."""
    layer = np.maximum(seen @ net["seen"] + net["seen_bias"], 0)
    return layer, (layer @ net["value"] + net["value_bias"])[:, 0]


def find_gradient(net: Arrays, part: Arrays) -> tuple[Arrays, float]:
    """Return the gradient of PPO's loss on a minibatch, and the mean entropy."""
    counts, starts = part["count"], np.cumsum(part["count"]) - part["count"]
    one, two, logs = score_options(net, part["seen"], part["options"], counts)
    taken, chances = starts + part["taken"], np.exp(logs)
    gain = (part["gain"] - part["gain"].mean()) / (part["gain"].std() + 1e-8)
    ratio = np.exp(logs[taken] - part["log"])
    push = gain * ratio * np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)  # 0 where the ratio is clipped
    entropy = -np.add.reduceat(chances * logs, starts)
    slope = chances * (ENTROPY * (logs + np.repeat(entropy, counts)) + np.repeat(push, counts))
    slope[taken] -= push
    slope = (slope / len(counts)).astype(np.float32)[:, None]
    d_two = slope @ net["score"].T * (two > 0)
    d_one = d_two @ net["hidden"].T * (one > 0)
    d_seen = np.add.reduceat(d_one, starts, axis=0)
    layer, value = value_positions(net, part["seen"])
    d_value = ((value - part["return"]) / len(counts))[:, None]
    d_layer = d_value @ net["value"].T * (layer > 0)
    found = {}
    for name, below, above in (
        ("position", part["seen"], d_seen), ("option", part["options"], d_one), ("hidden", one, d_two),
        ("score", two, slope), ("seen", part["seen"], d_layer), ("value", layer, d_value),
    ):  # fmt: skip
        found[name], found[f"{name}_bias"] = below.T @ above, above.sum(0)
    norm = np.sqrt(sum(float((each**2).sum()) for each in found.values()))
    return {name: each * min(1.0, NORM / (norm + 1e-8)) for name, each in found.items()}, float(entropy.mean())


class Adam:
    """Adam (Kingma and Ba 2015) for named weights, which it changes in place."""

    def __init__(self, net: Arrays) -> None:
        self.net, self.count = net, 0
        self.means = {name: (np.zeros_like(each), np.zeros_like(each)) for name, each in net.items()}

    def step(self, gradient: Arrays, rate: float) -> None:
        """Change the weights against a gradient."""
        self.count += 1
        for name, slope in gradient.items():
            mean, square = self.means[name]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            ahead, around = mean / (1 - 0.9**self.count), square / (1 - 0.999**self.count)
            self.net[name] -= rate * ahead / (np.sqrt(around) + 1e-5)


def look(games: list[Batch]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return positions, options one after the other, their numbers, and how many each decision has."""
    number = np.concatenate([each.seen.option for each in games])
    features = np.concatenate([each.seen.option_features for each in games])
    there = number >= 0
    return (np.concatenate([each.seen.observation for each in games]), features[there], number[there], there.sum(1))


def act(games: list[Batch], actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[list[bool]]]:
    """Take an action in each game; return rewards, which games ended, and which of them were won in each batch."""
    rewards, ended, won = [], [], []
    for batch, part in zip(games, np.split(actions, np.cumsum([each.n for each in games])[:-1]), strict=True):
        rows, seats = np.arange(batch.n), batch.seen.seat.astype(int)
        scores = batch.step(part).reward
        own = scores[rows, seats]
        scores[rows, seats] = -np.inf
        lead, done = own - scores.max(1), batch.seen.done.astype(bool)
        rewards.append(np.where(done, np.tanh(lead / LEAD), 0).astype(np.float32))
        ended.append(done)
        won.append((lead[done] > 0).tolist())
    return np.concatenate(rewards), np.concatenate(ended), won


def collect(net: Arrays, games: list[Batch], rng: np.random.Generator) -> tuple[Arrays, list[list[bool]]]:
    """Play `STEPS` decisions in each game; return them as samples, and the games won in each batch."""
    kept, wins, (seen, options, numbers, counts) = [], [[] for _ in games], look(games)
    for _ in range(STEPS):
        _, _, logs = score_options(net, seen, options, counts)
        starts = np.cumsum(counts) - counts
        noisy = logs - np.log(-np.log(rng.random(len(logs)) + 1e-20))  # the highest is drawn by its chance
        best = noisy == np.repeat(np.maximum.reduceat(noisy, starts), counts)
        chosen = np.flatnonzero(best)
        rewards, ended, won = act(games, numbers[chosen])
        sample = {"seen": seen, "options": options, "count": counts, "taken": chosen - starts, "log": logs[chosen]}
        kept.append({**sample, "value": value_positions(net, seen)[1], "reward": rewards, "ended": ended})
        wins = [old + new for old, new in zip(wins, won, strict=True)]
        seen, options, numbers, counts = look(games)
    later, following = 0.0, value_positions(net, seen)[1]
    for sample in reversed(kept):
        goes_on = ~sample["ended"]
        later = sample["reward"] + following * goes_on - sample["value"] + LAMBDA * later * goes_on
        sample["gain"], following = later.astype(np.float32), sample["value"]
        sample["return"] = sample["gain"] + sample["value"]
    return {name: np.concatenate([sample[name] for sample in kept]) for name in kept[0]}, wins


def cut(samples: Arrays, part: np.ndarray) -> Arrays:
    """Return some of the samples, with their options."""
    starts, counts = np.cumsum(samples["count"]) - samples["count"], samples["count"][part]
    shifts = np.repeat(starts[part] - (np.cumsum(counts) - counts), counts)
    found = {name: each[part] for name, each in samples.items() if name != "options"}
    return {**found, "options": samples["options"][shifts + np.arange(len(shifts))]}


def train(game: str, players: int, minutes: float, updates: int, seed: int, file: Path) -> None:
    """Train until the time is up or the updates are done, and write the policy."""
    rng = np.random.default_rng(seed)
    table = {"players": players, "reward": "score", "described": OPTIONS}
    games = [balance.envs.batch(game, n, opponents=name, **table) for name, n in GAMES.items()]
    for batch in games:
        batch.reset(seed)
    net = make_network(len(games[0].spaces.observation_names), len(games[0].spaces.option_names), rng)
    adam, begun, decisions = Adam(net), time.monotonic(), 0
    for update in range(updates):
        done = max((time.monotonic() - begun) / (60 * minutes), update / updates)
        if done >= 1:
            break
        samples, wins = collect(net, games, rng)
        count = len(samples["count"])
        decisions += count
        for _ in range(EPOCHS):
            for part in np.array_split(rng.permutation(count), max(1, count // MINIBATCH)):
                gradient, entropy = find_gradient(net, cut(samples, part))
                adam.step(gradient, RATE * (1 - done))
        if update % 20 == 0:
            shares = ", ".join(f"{100 * np.mean(each):.1f} % of {len(each)} games" for each in wins if each)
            print(
                f"{time.monotonic() - begun:.0f} s, {decisions:,} decisions: won {shares}; entropy {entropy:.2f}",
                flush=True,
            )
    np.savez(file, game=game, players=players, **net)
    print(f"policy: {file}")


class Policy:
    """The trained policy as a bot: the action with the highest score."""

    def __init__(self) -> None:
        with np.load(FILE) as saved:
            self.net = dict(saved)
        game, players = str(self.net.pop("game")), int(self.net.pop("players"))
        self.spaces = balance.envs.spaces_of(game, players=players)

    def choose(self, observation: object, actions: list[str], simulator: object) -> int:
        """Return the index of the action; what the position shows is the same in each deal of the simulator."""
        deal = simulator.deal()
        options = self.spaces.observe_options(deal)[:OPTIONS]
        _, _, logs = score_options(self.net, self.spaces.observe(deal)[None], options, np.array([len(options)]))
        return int(logs.argmax())


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="na-grunwald")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--updates", type=int, default=100_000, help="stop after this number of updates")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    train(options.game, options.players, options.minutes, options.updates, options.seed, FILE)


if __name__ == "__main__":
    main()
