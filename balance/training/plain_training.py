"""Train players of a game in plain Python from its rules alone, and measure how strong they are.

No feature is written: `balance.training.plain_inputs` finds what players see, and they learn by self-play
(`balance.training.plain_play`, `balance.training.plain_fit`). A training is cut into segments. Each is kept until the
file is written, so that a killed training resumes, and shows how strong the players are by then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.sides import SEAT
from balance.experiments.learned import INPUTS, name_in_files
from balance.experiments.networks import EXPLOITER, PERFECT, Gain, Network
from balance.experiments.profiles import NO_PROFILE, RANDOM_NAME
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.files import check_file, make_folder
from balance.foundation.language import N_, tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.foundation.text import listed
from balance.plain.inputs import Inputs
from balance.plain.interface import counts_score
from balance.plain.learned import ARRAYS, Arrays, LearnedPlayer, encode
from balance.report.words import write_gain, write_weakness
from balance.runs.workers import Workers, kept_threads
from balance.stats.intervals import fair_share, ratio_interval
from balance.training.arena import Arena, interval_of
from balance.training.diary import hash_sources_of, head_lines
from balance.training.network_files import Stages, stack_networks, write_with_arrays
from balance.training.network_fit import Adam, copy_arrays, under
from balance.training.plain_exact import perfect_gains
from balance.training.plain_fit import Learner, Pace
from balance.training.plain_inputs import NoChoiceError, find_inputs
from balance.training.plain_play import Board, new_learner
from balance.training.profile import counts_of
from balance.training.settings import LearnedTraining

SEGMENTS = 10
CHOICES, LEAST_GAMES = 4_000, 100  # choices of a step, about; games at least
RATE, LAST_RATE = 4e-3, 0.1  # the first step size, and the share of it at the end
ENTROPY, LAST_ENTROPY = 0.05, 0.003
PULL, FOLLOW = 0.5, 0.05  # towards the magnet, and how fast it follows
FADED = (8, 25), (0.95, 0.8)
"""What is left of a gain a choice of the seat earlier, by the number of choices of a seat in a game. In a long game all
that comes later drowns what a choice is worth: in Pig, with 25 choices, players win 47.4 % against hold-20 with 0.95
(45.1 to 49.8) and 52.3 % with 0.8 (50.7 to 53.9)."""
MOST_OLD, AGAINST_OLD = 4, 0.1  # older versions, and the share of games with one
EXPLOITER_STEPS = 0.3  # of those of the training
# Games; fewer with a searcher where games are long.
MEASURED, MEASURED_SEARCH, GLIMPSED = 2_000, 200, 200
SHORT, LEAST_SEARCH = 15, 20  # choices of a short game, and the fewest games with a searcher
ITERATIONS = 50  # of the searcher that is met
EXPLOITED, EXPLOITED_SCORE = 5.0, 0.1
"""Players are weak if an exploiter gains more: points above a fair share or, where the score counts, this part of the
score's standard deviation."""
(_FIRST, _GAMES, _LINEUPS, _EXPLOIT, _MEET) = range(5)  # streams of the seed


@dataclass(frozen=True)
class Strength:
    """What is known of the players at a player count."""

    met: list[Gain]
    exploiter: Gain  # of a player that was trained against them, or of a perfect one
    perfect: tuple[float, ...]  # what a perfect opponent gains in each seat; empty if the game is too large
    # Largest difference between networks in the win share of a seat (in its score, if no seat wins), in points; None
    # for one network.
    spread: float | None
    bar: float

    @property
    def weak(self) -> list[Gain]:
        """What shows that the players are weak: the exploiter's gain, and profiles and random that beat them."""
        found = [self.exploiter] if self.exploiter.value > self.bar else []
        return found + [each for each in self.met if each.high < 0 and not each.who.startswith("search-")]


WEAK = N_("These players are weak: verdicts about seats are not shown as the rules'. Why: {reasons}.")


def write_strength(players: int, strength: Strength, together: bool = False) -> list[str]:
    """Return lines that say how strong the players are; `together`: seats win as teams or all together."""
    unit = tr("score above their mean") if strength.exploiter.is_score else tr("points above a fair share")
    if players == 1:
        unit = tr("score above theirs") if strength.exploiter.is_score else tr("points of wins above theirs")
    elif together:
        unit = tr("what one of them adds to the score or to the points of win share of the others")
    lines = [
        trn("{n} player, {unit}:", "{n} players, {unit}:", players, unit=unit),
        *(tr("- against {who}: {gain}", who=each.who, gain=write_gain(each)) for each in strength.met),
        _write_exploiter(strength),
    ]
    if strength.spread is not None:
        lines.append(tr("- the networks differ by up to {spread:.1f} points in a seat", spread=strength.spread))
    if strength.weak:
        lines.append(tr(WEAK, reasons=listed([write_weakness(each) for each in strength.weak])))
    return lines


def _write_exploiter(strength: Strength) -> str:
    """Return a line about the player that knows how they play."""
    gain = strength.exploiter
    if not strength.perfect:
        return tr("- a player trained against them: {gain}", gain=write_gain(gain))
    seats = ", ".join(f"{each:+.{3 if gain.is_score else 1}f}" for each in strength.perfect)
    return tr("- a perfect opponent: {gain}; by seat {seats}", gain=write_gain(gain), seats=seats)


def train_learned(
    training: LearnedTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> dict[int, Strength]:
    """Train and write players: `out` (TOML) and their weights beside it (.npz); return how strong they are.

    A folder next to `out` keeps finished segments until the players are written.
    """
    game = get_game(training.game)
    if out.resolve().is_relative_to(game.folder.resolve()):
        make_folder(out.parent)  # such as `networks`, which a new game lacks
    check_file(out)
    rules = load_variant(game, training.variant, Path.cwd()).rules
    counts = counts_of(game, training.players)
    told: dict[str, Any] = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "steps": training.steps,
        "seed": training.seed,
        "networks": training.networks,
    }
    kept = Stages(out, {**told, "game": game.name, "players": list(counts), **hash_sources_of(game)})
    weights: dict[int, list[Arrays]] = {}
    inputs: dict[int, dict[str, Any]] = {}
    strengths: dict[int, Strength] = {}
    for players in counts:
        progress.note(trn("finding what {n} player sees", "finding what {n} players see", players))
        try:
            inputs[players] = find_inputs(game, rules, players)
        except NoChoiceError as error:
            if not inputs and players == counts[-1]:
                raise
            progress.tell(str(error))
            continue
        course = Course(game, rules, players, inputs[players], training, kept, progress, workers or kept_threads())
        weights[players] = course.train()
        strengths[players] = course.measure(weights[players])
    told["strength"] = {str(players): _describe(each) for players, each in strengths.items()}
    write_learned(out, game, inputs, weights, told)
    kept.remove()
    return strengths


def _describe(strength: Strength) -> dict[str, Any]:
    """Return a strength as stored in a file, see `balance.experiments.networks.Network.weak`."""
    return {
        "unit": "score" if strength.exploiter.is_score else "points",
        "gains": {
            each.who: [*(round(end, 4) for end in (each.value, each.low, each.high)), int(each.n)]
            for each in (*strength.met, strength.exploiter)
        },
        "perfect": [round(each, 4) for each in strength.perfect],
        "weak": [each.who for each in strength.weak],
        **({} if strength.spread is None else {"spread": round(strength.spread, 2)}),
    }


def write_learned(
    out: Path,
    game: Game,
    inputs: Mapping[int, Any],
    weights: Mapping[int, Sequence[Arrays]],
    told: dict[str, Any],
    text: str = "Players trained by self-play from the rules alone.",
) -> None:
    """Write the file of learned players, and their inputs and weights by player count beside it."""
    arrays = stack_networks(weights, ARRAYS)
    for players, schema in inputs.items():
        arrays[f"{players}/{INPUTS}"] = np.frombuffer(json.dumps(schema).encode(), "u1")
    beside = out.with_suffix(".npz").name
    keys: dict[str, Any] = {"kind": "network", "game": name_in_files(game), "weights": beside}
    keys["temperature"] = temperature_of(next(iter(inputs.values())))
    write_with_arrays(out, head_lines(out.stem, text, told, **keys), arrays)


def temperature_of(schema: Mapping[str, Any]) -> float:
    """Return the temperature of players: where something is hidden, they draw from what they learned."""
    return 0.0 if schema["open"] else 1.0


def as_strategy(game: Game, players: int, schema: Mapping[str, Any], nets: Sequence[Arrays], name: str) -> Strategy:
    """Return weights as a strategy."""
    network = Network(
        game=name_in_files(game),
        title=name,
        profile=NO_PROFILE,
        temperature=temperature_of(schema),
        weights={str(players): [encode([net[each] for each in ARRAYS]) for net in nets]},
        inputs={str(players): dict(schema)},
    )
    return Strategy(name, "network", network=network)


@lru_cache(maxsize=4)
def _board(game: Game, players: int, schema: str, rules: str) -> Board:
    """Return a board, which a process keeps for all segments."""
    model = game.rules.Rules.model_validate_json(rules)
    return Board(game, model, players, Inputs(json.loads(schema), players))


@dataclass(frozen=True)
class _Task:
    """A segment of a training, for another process."""

    game: Game
    players: int
    schema: str
    rules: str
    seed: int
    first: int  # step
    last: int
    steps: int  # of the whole training
    targets: tuple[Arrays, ...] = ()  # players to be exploited; empty: self-play

    @property
    def board(self) -> Board:
        return _board(self.game, self.players, self.schema, self.rules)

    def rng(self, *numbers: int) -> np.random.Generator:
        return np.random.default_rng(self.derive(*numbers))

    def derive(self, *numbers: int) -> int:
        return int(derive_many(self.seed, self.players, bool(self.targets), *numbers)[0])


def _run(task: tuple[_Task, Arrays | None]) -> Arrays:
    """Play the steps of a segment, and return the state after them."""
    own, found = task
    learner, old, length, scale = _restore(own, found)
    board = own.board
    for step in range(own.first, own.last):
        part = step / own.steps
        if not own.targets and step % max(1, own.steps // SEGMENTS) == 0:
            old = [*old, {name: each.copy() for name, each in learner.player.mean.items()}][-MOST_OLD:]
        rng = own.rng(_LINEUPS, step)
        games = _games_of_step(length)
        others = list(own.targets) or old
        lineups = _lineups(games, own.players, len(others), bool(own.targets), rng)
        openings = 0.8 * length if board.is_open and not own.targets else 0.0
        greedy = 1 if board.is_open and own.targets else len(others) + 1
        played = board.play([learner.player.weights, *others], lineups, own.derive(_GAMES, step), openings, greedy)
        learner.learn(played, _pace(board, part, bool(own.targets), length), scale)
        learner.follow(FOLLOW)
    return _store(learner, old, length, scale)


def _pace(board: Board, part: float, exploits: bool, length: float) -> Pace:
    """Return the pace at a part of the training, in games with this number of choices."""
    entropy = ENTROPY * (LAST_ENTROPY / ENTROPY) ** part
    pull = 0.0 if board.is_open or exploits else PULL
    faded = float(np.interp(length / board.players, *FADED))
    return Pace(RATE * (1 - (1 - LAST_RATE) * part), entropy, pull, faded)


def _lineups(games: int, players: int, others: int, exploits: bool, rng: np.random.Generator) -> np.ndarray:
    """Return numbers of players by seat: 0 is the learner; with one of the others in all seats but one."""
    found = np.zeros((games, players), int)
    count = games if exploits else int(AGAINST_OLD * games)
    found[:count] = rng.integers(1, others + 1, (count, 1))
    found[np.arange(count), rng.integers(0, players, count)] = 0
    return found


def _store(learner: Learner, old: Sequence[Arrays], length: float, scale: float) -> Arrays:
    """Return the state of a training as arrays."""
    found: Arrays = {"numbers": np.array([length, scale])}
    for what, adam in (("player", learner.player), ("value", learner.value)):
        found |= {f"{what}/{name}": each for name, each in adam.state().items()}
    found |= {f"magnet/{name}": each for name, each in learner.magnet.items()}
    for number, each in enumerate(old):
        found |= {f"old{number}/{name}": values for name, values in each.items()}
    return found


def _restore(task: _Task, found: Arrays | None) -> tuple[Learner, list[Arrays], float, float]:
    """Return the state of a training: learner, older versions, choices of a game, and the size of rewards."""
    board = task.board
    if found is None:
        start = task.targets[0] if task.targets else None
        learner = new_learner(board, start, task.derive(_FIRST))
        alone = np.zeros((LEAST_GAMES, task.players), int)
        played = board.play([board.first_weights(task.rng(_FIRST))], alone, task.derive(_FIRST))
        scale = float(played.rewards.std()) if counts_score(board.game.author) else 1.0  # type: ignore[attr-defined]
        return learner, [], played.length, scale or 1.0
    player, value = (Adam.restored(under(found, f"{what}/")) for what in ("player", "value"))
    magnet, rng = copy_arrays(under(found, "magnet/")), task.rng(_FIRST, task.first)
    old = [each for n in range(MOST_OLD) if (each := under(found, f"old{n}/"))]
    length, scale = found["numbers"].tolist()
    return Learner(player, value, magnet, rng), old, length, scale


@dataclass
class Course:
    """The training and measuring at a player count."""

    game: Game
    rules: Any
    players: int
    schema: dict[str, Any]
    training: LearnedTraining
    kept: Stages
    progress: Progress
    workers: Workers
    length: float = 1.0  # choices of a game, once players are trained

    def _task(self, seed: int, steps: int, part: int, targets: Sequence[Arrays] = ()) -> _Task:
        first, last = (steps * each // SEGMENTS for each in (part, part + 1))
        schema, rules = json.dumps(self.schema), self.rules.model_dump_json()
        return _Task(self.game, self.players, schema, rules, seed, first, last, steps, tuple(targets))

    def train(self) -> list[Arrays]:
        """Return the weights of each network."""
        seeds = range(self.training.seed, self.training.seed + self.training.networks)
        states: list[Arrays | None] = [None for _ in seeds]
        said = ""
        for part in range(SEGMENTS):
            self.progress.note(
                trn(
                    "{n} player learns by self-play{strength}", "{n} players learn by self-play{strength}",
                    self.players, strength=said,
                )
            )  # fmt: skip
            states = self._segment(part, list(seeds), states)
            self.progress.advance(part + 1, SEGMENTS)
            said = self._glimpse(_mean_of(states[0]))
        assert states[0] is not None
        self.length = max(1.0, float(states[0]["numbers"][0]))
        return [_mean_of(each) for each in states]

    def _segment(self, part: int, seeds: Sequence[int], states: Sequence[Arrays | None]) -> list[Arrays | None]:
        """Return the states after a segment, of each seed; they are trained at the same time."""
        names = [f"{seed}-{self.players}-{part}" for seed in seeds]
        found: list[Arrays | None] = [self.kept.recall(name) for name in names]
        missing = [number for number, each in enumerate(found) if each is None]
        tasks = [(self._task(seeds[n], self.training.steps, part), states[n]) for n in missing]
        for n, state in zip(missing, self.workers.map(self.game, _run, tasks), strict=True):
            self.kept.keep(names[n], state)
            found[n] = state
        return found

    def _strategy(self, nets: Sequence[Arrays], name: str = "expert") -> Strategy:
        return as_strategy(self.game, self.players, self.schema, nets, name)

    def _glimpse(self, net: Arrays) -> str:
        """Return how a network does so far against the first profile or random, as text."""
        rival = next(iter(self.game.shipped("profiles")), RANDOM_NAME)
        (strategy,) = load_strategies(self.game, [rival], Path.cwd())
        gain = self._gain(self._strategy([net]), strategy, GLIMPSED, 0.0)
        return tr("; {gain} against {rival}", gain=write_gain(gain), rival=rival)

    @property
    def is_score(self) -> bool:
        """Whether the score counts, not who wins."""
        return counts_score(self.game.author)  # type: ignore[attr-defined]

    def _gain(self, own: Strategy, rival: Strategy, games: int, fair: float, stream: int = 0) -> Gain:
        """Return what a strategy gains alone among copies of another, above a fair share or the score `fair`.

        Where seats win together, it is the gain over these copies alone: they have no fair share in every seat.
        """
        arena = Arena(self.game, self.rules, self.players, [own, rival], [1] * (self.players - 1), None, self.workers)
        seed = int(derive_many(self.training.seed, _MEET, stream)[0])
        deals = max(2, games // self.players)
        rows = arena.probe(0, deals, seed)[0]
        if self.game.sides.kind != SEAT:
            name, factor = ("score", 1.0) if self.is_score else ("win_share", 100.0)
            alone = arena.probe(1, deals, seed)[0]
            more, fair = (rows[name].astype(float) - alone[name]).sum(1), 0.0
            found = ratio_interval(more, np.full(deals, float(self.players)))
        elif self.is_score:
            scores = np.asarray(rows.score, float)
            found, factor = ratio_interval(scores.sum(1), np.full(len(scores), float(self.players))), 1.0
        else:
            found, factor, fair = interval_of(rows.win_share), 100.0, float(fair_share(self.players))
        value, low, high = (factor * float(each) - fair for each in (found.value, found.low, found.high))
        return Gain(rival.name, value, low, high, rows.size, self.is_score)

    def measure(self, nets: Sequence[Arrays]) -> Strength:
        """Return how strong the networks are."""
        own = self._strategy(nets)
        self.progress.note(tr("measuring against random, profiles and a searcher"))
        scores, spread = self._mirror(nets)
        fair, bar = (float(scores.mean()), EXPLOITED_SCORE * float(scores.std()) if self.is_score else EXPLOITED)
        names = [RANDOM_NAME, *self.game.shipped("profiles")]
        searched = max(LEAST_SEARCH, min(MEASURED_SEARCH, round(MEASURED_SEARCH * (SHORT / self.length) ** 2)))
        rivals = [(name, MEASURED) for name in names] + [(f"search-{ITERATIONS}", searched)]
        met = []
        for number, (name, games) in enumerate(rivals, 1):
            (rival,) = load_strategies(self.game, [name], Path.cwd())
            met.append(self._gain(own, rival, games, fair, number))
        if (half := self._half()) is not None:
            met.append(self._gain(own, self._strategy(half, OLDER), MEASURED, fair, 99))
        if perfect := self._perfect(nets):
            mean = sum(perfect) / len(perfect)
            return Strength(met, Gain(PERFECT, mean, mean, mean, 0, self.is_score), perfect, spread, bar)
        self.progress.note(tr("training a player against them"))
        exploiter = self._strategy([self._exploit(nets)], EXPLOITER)
        exploited = self._gain(exploiter, own, MEASURED, fair, 100)._replace(who=EXPLOITER)
        return Strength(met, exploited, (), spread, bar)

    def _perfect(self, nets: Sequence[Arrays]) -> tuple[float, ...]:
        """Return what a perfect opponent gains in each seat; empty if the game has too many positions."""
        inputs = Inputs(self.schema, self.players)
        if not inputs.rows:  # random games found too many
            return ()
        self.progress.note(tr("computing what a perfect opponent gains"))
        learned = [LearnedPlayer(inputs, net) for net in nets]
        draws = temperature_of(self.schema) > 0
        scale = 1.0 if self.is_score else 100.0
        gains = perfect_gains(self.game, self.rules, self.players, learned, draws)
        return tuple(scale * each for each in gains)

    def _half(self) -> list[Arrays] | None:
        """Return the networks half way through the training."""
        seeds = range(self.training.seed, self.training.seed + self.training.networks)
        states = [self.kept.recall(f"{seed}-{self.players}-{SEGMENTS // 2 - 1}") for seed in seeds]
        found = [_mean_of(each) for each in states if each is not None]
        return found if len(found) == len(states) else None

    def _mirror(self, nets: Sequence[Arrays]) -> tuple[np.ndarray, float | None]:
        """Return the scores of games of each network alone, and how far networks differ in a seat, see `Strength`."""
        means, scores = [], []
        for net in nets:
            arena = Arena(self.game, self.rules, self.players, [self._strategy([net])], (), None, self.workers)
            lineups = np.zeros((MEASURED // 2, self.players), int)
            seeds = derive_many(self.training.seed, _MEET, 7, np.arange(len(lineups)))
            rows = arena.play(np.zeros((0, len(arena.names))), lineups, seeds, seeds + np.uint64(1))
            means.append(100 * rows.win_share.mean(0) if self.game.sides.has_wins else rows.score.mean(0))
            scores.append(np.asarray(rows.score, float))
        spread = float(np.ptp(means, axis=0).max()) if len(nets) > 1 else None
        return np.concatenate(scores), spread

    def _exploit(self, nets: Sequence[Arrays]) -> Arrays:
        """Return a player that was trained against the networks, from the first of them."""
        steps = max(SEGMENTS, round(EXPLOITER_STEPS * self.training.steps))
        seed = int(derive_many(self.training.seed, _EXPLOIT)[0] >> np.uint64(2))
        table = self.game, self.rules, self.players, self.schema
        return self.kept.once(
            f"exploiter-{self.players}", lambda: learn_against(*table, nets, steps, seed, self.workers)
        )


OLDER = "themselves half way"


def learn_against(
    game: Game, rules: Any, players: int, schema: Mapping[str, Any], nets: Sequence[Arrays], steps: int,
    seed: int, workers: Workers,
) -> Arrays:  # fmt: skip
    """Return the weights of a player that has learned against networks, from the first of them."""
    task = _Task(game, players, json.dumps(schema), rules.model_dump_json(), seed, 0, steps, steps, tuple(nets))
    (state,) = workers.map(game, _run, [(task, None)])
    return _mean_of(state)


def steps_of(board: Board, net: Arrays, games: int) -> int:
    """Return the steps of learning in which about this number of games is played, at least `SEGMENTS`."""
    alone = np.zeros((LEAST_GAMES, board.players), int)
    return max(SEGMENTS, round(games / _games_of_step(board.play([net], alone, 0).length)))


def _games_of_step(length: float) -> int:
    """Return the games of a step, in a game with this number of choices."""
    return max(LEAST_GAMES, round(CHOICES / max(1.0, length)))


def _mean_of(state: Arrays | None) -> Arrays:
    """Return the mean weights of a state as a file keeps them."""
    assert state is not None
    return {name: each.astype("f2").astype("f4") for name, each in under(state, "player/mean/").items()}
