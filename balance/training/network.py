"""Train a network in rounds: a searcher labels choices, a network is fitted to its labels and improves by self-play.

In the first round searchers and profiles play, and a searcher is asked about every choice. In later rounds the last
round's network plays, and a searcher with it as prior is asked about every choice but not followed (DAgger: Ross,
Gordon and Bagnell 2011). This searcher is stronger than the one before (expert iteration: Anthony, Tian and Barber
2017), so a new network is fitted to its labels alone.

The next player count starts from the network of the count before and leaves out the first round. A training with a
start begins every count with the weights of the start for this count, and fits no network: each round plays on with
the weights that it has.

In self-play the network meets itself, older versions and profiles, and learns from results (a policy gradient with
clipped ratios: Schulman et al. 2017). A share of labels keeps it from forgetting.

A best response is trained in the same way, but only against given strategies and without labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from balance.contract.game import Game, get_game
from balance.experiments.networks import (
    ARRAYS,
    Network,
    check_network_plays,
    encode_weights,
    find_network,
    pack_networks,
)
from balance.experiments.profiles import Profile, check_has_weights, load_profile
from balance.experiments.searchers import GUIDED, default_search
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_file
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.workers import Workers
from balance.training.diary import hash_contents, hash_sources_of, hash_starts
from balance.training.evolution import Budget
from balance.training.network_files import Stages, write_network
from balance.training.network_fit import Adam, Arrays, Lessons, chances_of, first_weights, gradient, make_batch, under
from balance.training.network_play import Table, advantages, narrow_type
from balance.training.profile import check_compiled, counts_of
from balance.training.settings import NetworkTraining

SEARCHED = 0.75  # share of the seats of the first round that search
DRAWN = 0.25  # share of their moves that are drawn by visits
WARM = 0.7  # temperature of the network in later rounds
BATCH, SELF_BATCH, SELF_LABELS = 512, 2048, 128  # choices of a step, and labels of a step of self-play
FIT_RATE, SELF_RATE = 8e-3, 4e-3  # first step sizes; they fall to 0
EPOCHS = 6
SELF_CHOICES = 60_000  # of a step of self-play, about
LEAST_GAMES, SELF_GAMES = 100, 400  # the least and most games of a step
AGAINST = 0.2  # share of games of self-play with profiles and older versions
OLD_EVERY, MOST_OLD = 15, 4  # steps between two older versions, and how many are kept
FADED = 0.12  # what is left of a gain for the choices of a whole game before it
LABELLED = 0.05  # share of labels in self-play
SELF_EPOCHS = 3  # how often a choice of self-play is learnt
MOST_STEPS = 60  # of the weights, in a step of self-play
LABELLED_GAMES = 200  # whose choices are in memory at a time
(_LINEUPS, _GAMES, _SHUFFLE, _FIRST, _STEP) = range(5)  # streams of the seed


def train_network(
    training: NetworkTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> None:
    """Train and write a network: `out` (TOML) and its weights beside it (.npz).

    A folder next to `out` keeps finished stages, so a killed training resumes with the same result; it is removed once
    the network is written. Workers of a cluster play only the labelled games.
    """
    here = Path.cwd()
    check_file(out)
    game = get_game(training.game)
    if not game.network_functions:
        raise BalanceError(tr("{game} has no features for networks (see docs/networks.md)", game=game.name))
    rules = load_variant(game, training.variant, here).rules
    profile = load_profile(game, training.profile, here)
    against = load_strategies(game, training.against, here)
    check_compiled(against, "against: ")
    players = counts_of(game, training.players)
    check_has_weights(profile, players, training.profile)
    start = _find_start(game, training, players, profile)
    told = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "against": ", ".join(each.name for each in against),
        "rounds": training.rounds,
        "games": training.games,
        "iterations": training.iterations,
        "steps": training.steps,
        "seed": training.seed,
        "networks": training.networks,
        **({"start": Path(training.start).name} if start else {}),  # no folders of this machine
    }
    starts: dict[str, Profile | Network] = {training.profile: profile}
    if start:
        starts[f"network {training.start}"] = start
    contents = hash_contents(against) | hash_starts(starts) | hash_sources_of(game)
    kept = Stages(out, {**told, "game": game.name, **contents})
    weights: dict[int, list[Arrays]] = {count: [] for count in players}
    for seed in range(training.seed, training.seed + training.networks):
        own, learnt = replace(training, seed=seed), None
        for count in players:
            table = Table(game, rules, count, workers)
            course = Course(table, profile, against, own, kept, progress)
            own_start = pick_start(start, game, count, seed - training.seed) if start else None
            learnt = course.run(learnt, own_start)
            weights[count].append(learnt)
    write_network(out, game, training.profile, weights, told)
    kept.remove()


def _find_start(game: Game, training: NetworkTraining, players: Sequence[int], profile: Profile) -> Network | None:
    """Return the network of `training.start`; None without a start."""
    if not training.start:
        return None
    found = find_network(game, training.start, Path.cwd())
    check_network_plays(found, players, f"start: {training.start}")
    if found.profile != profile:
        raise BalanceError(
            tr(
                "start: {start} does not score the best actions of {profile}; set --profile to the profile that the "
                "file of {start} names",
                start=training.start,
                profile=training.profile,
            )
        )
    return found


def encode(weights: Arrays) -> str:
    """Return weights as the text that `Network` stores."""
    return encode_weights([weights[each] for each in ARRAYS])


def as_strategy(
    game: Game, profile: Profile, players: int, weights: Arrays, temperature: float = 0.0, name: str = "network"
) -> Strategy:
    """Return weights as a strategy at a player count."""
    network = Network(
        game=game.name, title=name, profile=profile, temperature=temperature, weights={str(players): [encode(weights)]}
    )
    return Strategy(name, "network", network=network)


def pick_start(start: Network, game: Game, players: int, number: int) -> Arrays:
    """Return the weights from which the network with this number starts: those of a start are used in turn."""
    rows = pack_networks(game, [start], players)[0]
    row = rows[number % len(rows)]
    return {each: row[each].copy() for each in ARRAYS}


@dataclass
class Course:
    """The training at one player count."""

    table: Table
    profile: Profile
    against: list[Strategy]
    training: NetworkTraining
    kept: Stages
    progress: Progress
    # Numbers of the strategies of `against` in the seats after that of the network, which learns to beat them; empty:
    # self-play.
    targets: tuple[int, ...] = ()

    def run(self, learnt: Arrays | None, start: Arrays | None = None) -> Arrays:
        """Return the trained weights.

        With `learnt`, the weights of another player count, the first round is left out. With `start`, self-play starts
        from these weights instead of those fitted to labels, and `learnt` is not used.
        """
        kind = narrow_type(self.table.game)
        first = 1 if learnt is None or start else 2
        learnt = start or learnt
        for number in range(first, max(first, self.training.rounds) + 1):
            label = partial(self._label, number, learnt)
            labels = self.kept.listed(self._stage("labels", number), kind, label)
            fitted = learnt
            if start is None or fitted is None:
                fitted = self.kept.once(self._stage("net", number), partial(self.fit, number, labels))
            learnt = self._play(number, fitted, labels)
        assert learnt is not None
        return learnt

    def play_on(self, start: Arrays) -> Arrays:
        """Return the weights after self-play from a start, or after games against the targets, without labels."""
        return self._play(1, start, None)

    def _play(self, number: int, weights: Arrays, labels: np.ndarray | None) -> Arrays:
        """Return the weights of a round after self-play, played if it is not finished."""
        play = partial(self.play_itself, number, weights, labels)
        return self.kept.once(self._stage("played", number), play)

    def _stage(self, what: str, number: int) -> str:
        """Return the name of a stage of a round."""
        return f"{self.training.seed}-{self.table.players}-{what}-{number}"

    def _seed(self, *numbers: int) -> int:
        return int(derive_many(self.training.seed, self.table.players, *numbers)[0])

    def _rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng(self._seed(*numbers))

    def network(self, weights: Arrays, temperature: float, name: str = "network") -> Strategy:
        """Return weights as a strategy."""
        return as_strategy(self.table.game, self.profile, self.table.players, weights, temperature, name)

    @cached_property
    def judge(self) -> Strategy:
        """A searcher whose value judges the positions of self-play."""
        return self.searcher(1)

    def searcher(self, iterations: int, weights: Arrays | None = None) -> Strategy:
        """Return the game's searcher with the profile's shortlist and, with weights, a network as prior."""
        found = default_search(self.table.game, iterations).model_copy(update={"prior": self.profile})
        if weights is not None:
            switches = found.switches.model_copy(update=GUIDED)
            network = self.network(weights, 0.0).network
            found = found.model_copy(update={"switches": switches, "network": network})
        return Strategy("searcher", "search", search=found)

    def _label(self, number: int, weights: Arrays | None) -> Iterator[np.ndarray]:
        """Play the games of a round and ask the searcher about every choice; yield the choices of some games."""
        count, games = self.table.players, self.training.games
        self.progress.note(
            trn(
                "round {round} with {n} player: {games:,} games labelled by search",
                "round {round} with {n} players: {games:,} games labelled by search",
                count, round=number, games=games,
            )
        )  # fmt: skip
        strategies = list(self.against)
        if weights is not None:
            strategies.append(self.network(weights, WARM))
        strategies.append(self.searcher(self.training.iterations, weights))
        rng = self._rng(_LINEUPS, number)
        first_player = len(self.against)  # the searcher; in later rounds the network
        others = rng.integers(0, len(self.against), (games, count))
        lineups = np.where(rng.random((games, count)) < SEARCHED, first_player, others)
        for first in range(0, games, LABELLED_GAMES):
            seed = self._seed(_GAMES, number, first)
            own = lineups[first : first + LABELLED_GAMES]
            yield self.table.sample(strategies, own, seed, DRAWN).samples
            self.progress.advance(first + len(own), games)

    def fit(self, number: int, labels: np.ndarray) -> Arrays:
        """Fit new weights to labels."""
        self.progress.note(tr("round {round}: fitting {choices:,} choices", round=number, choices=len(labels)))
        rng = self._rng(_SHUFFLE, number)
        fitted = Adam(first_weights(self.table.game.records.network, self._rng(_FIRST, number)))
        steps = EPOCHS * max(1, len(labels) // BATCH)
        for step in range(steps):
            rate = FIT_RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            fitted.step(label_gradient(fitted.weights, labels, rng, BATCH), rate)
        return fitted.seen()

    def play_itself(self, number: int, weights: Arrays, labels: np.ndarray | None) -> Arrays:
        """Improve the weights of a round by self-play."""
        name, steps = self._stage("playing", number), self.training.steps
        games = self._games_of_step(labels)
        values = {"players": self.table.players, "steps": steps}
        self.progress.note(
            tr("a best response with {players} players, steps: {steps}", **values)
            if self.targets
            else tr("self-play with {players} players, steps: {steps}", **values)
        )
        fitted, begun = Adam({each: weights[each].copy() for each in ARRAYS}), 0
        old: list[Arrays] = []
        if (found := self.kept.recall(name)) is not None:
            fitted, old, begun = _restore(found)
        for step in range(begun, steps):
            if step % OLD_EVERY == 0:
                old = [*old, {each: values.copy() for each, values in fitted.mean.items()}][-MOST_OLD:]
                self.kept.keep(name, _store(fitted, old, step))
            rate = SELF_RATE * (1 - step / steps)
            self.take_step(fitted, old, labels, rate, self._rng(_STEP, number, step))
            self.progress.advance((step + 1) * games, steps * games)
        return fitted.mean

    def _games_of_step(self, labels: np.ndarray | None) -> int:
        """Return the games of a step of self-play: fewer if the labelled games have many choices."""
        if labels is None:
            return SELF_GAMES
        in_a_game = len(labels) / self.training.games
        return int(np.clip(SELF_CHOICES / in_a_game, LEAST_GAMES, SELF_GAMES))

    def take_step(
        self, fitted: Adam, old: list[Arrays], labels: np.ndarray | None, rate: float, rng: np.random.Generator
    ) -> None:
        """Play some games and learn from their results."""
        others = [*self.against, *(self.network(each, 0.5, f"old {n}") for n, each in enumerate(old))]
        strategies = [self.network(fitted.weights, 1.0), *others, self.judge]
        lineups = self.draw_lineups(len(others), self._games_of_step(labels), rng)
        sampled = self.table.sample(strategies, lineups, int(rng.integers(2**63)))
        own = np.flatnonzero((sampled.samples["strategy"] == 0) & (sampled.samples["taken"] >= 0))
        gains = advantages(sampled, FADED).astype("f4")[own]
        gains /= gains.std() + 1e-6
        learn_from_results(fitted, sampled.samples, own, gains, labels, rng, rate)

    def draw_lineups(self, others: int, games: int, rng: np.random.Generator) -> np.ndarray:
        """Return the strategies (games, players), 0 for the network that learns, then all others."""
        count = self.table.players
        if self.targets:
            around = np.array([0, *(1 + number for number in self.targets)])
            seats = rng.integers(0, count, (games, 1))
            return np.asarray(around[(np.arange(count) - seats) % count])
        drawn = rng.integers(1, others + 1, (games, count))
        lineups = np.where(rng.random((games, 1)) < AGAINST, drawn, 0)
        lineups[np.arange(games), rng.integers(0, count, games)] = 0
        return lineups


def play_on(
    table: Table, start: Network, against: Sequence[Strategy], budget: Budget, kept: Stages,
    progress: Progress = SILENCE, targets: Sequence[int] = (), number: int = 0,
) -> Arrays:  # fmt: skip
    """Return the weights of a network after self-play without labels, in which `against` also play.

    A step of the budget has `SELF_GAMES` games. With `targets` the network learns to beat these strategies only, see
    `Course`; `number` is which network of the start plays on.
    """
    steps = max(1, budget.games // SELF_GAMES)
    training = NetworkTraining(table.game.name, "", (table.players,), rounds=1, steps=steps, seed=budget.seed + number)
    course = Course(table, start.profile, list(against), training, kept, progress, tuple(targets))
    return course.play_on(pick_start(start, table.game, table.players, number))


def label_gradient(
    weights: Arrays, labels: np.ndarray, rng: np.random.Generator, size: int, scale: float = 1.0
) -> Arrays:
    """Return the gradient of the cross-entropy with squared visits, for choices drawn at random."""
    drawn = labels[np.sort(rng.integers(0, len(labels), size))]  # a file is read from front to back
    wanted = drawn["visits"].astype("f4") ** 2
    wanted /= np.maximum(wanted.sum(1, keepdims=True), 1e-9)
    weight = np.full(size, scale / size, "f4")
    return gradient(weights, make_batch(drawn), Lessons(wanted, weight, np.zeros(size, "f4")))


def learn_from_results(
    fitted: Adam, samples: np.ndarray, own: np.ndarray, gains: np.ndarray, labels: np.ndarray | None,
    rng: np.random.Generator, rate: float,
) -> None:  # fmt: skip
    """Take steps that make actions with a gain more likely, and a share of steps towards labels, if there are any.

    `own` are the numbers of the samples to learn from, and `gains` has one value for each of them.
    """
    taken, weight = samples["taken"][own], gains / SELF_BATCH
    # The features of all at once would be copied.
    parts = np.array_split(own, max(1, len(own) // SELF_BATCH))
    chances = np.concatenate([chances_of(fitted.weights, make_batch(samples, part)) for part in parts])
    before = np.maximum(chances[np.arange(len(own)), taken], 1e-6)
    actions = np.arange(samples["visits"].shape[1])
    for drawn in _shuffled(len(own), rng):
        target = (taken[drawn, None] == actions).astype("f4")
        lessons = Lessons(target, weight[drawn], before[drawn])
        slope = gradient(fitted.weights, make_batch(samples, own[drawn]), lessons)
        if labels is not None:
            for name, more in label_gradient(fitted.weights, labels, rng, SELF_LABELS, LABELLED).items():
                slope[name] += more
        fitted.step(slope, rate)


def _shuffled(count: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield the numbers of the samples in batches, several times in another order, but at most `MOST_STEPS` batches."""
    each = count // SELF_BATCH
    for number in range(min(MOST_STEPS, SELF_EPOCHS * each)):
        if number % each == 0:
            shuffled = rng.permutation(count)
        first = number % each * SELF_BATCH
        yield shuffled[first : first + SELF_BATCH]


def _store(fitted: Adam, old: list[Arrays], step: int) -> Arrays:
    """Return the state of self-play before a step as arrays."""
    found = {"step": np.array(step), **fitted.state()}
    for number, each in enumerate(old):
        found |= {f"old{number}/{name}": values for name, values in each.items()}
    return found


def _restore(found: Arrays) -> tuple[Adam, list[Arrays], int]:
    """Return the state of self-play from `_store`; the last older version is added again by the step."""
    old = [each for number in range(MOST_OLD) if (each := under(found, f"old{number}/"))]
    return Adam.restored(found), old[:-1], int(found["step"])
