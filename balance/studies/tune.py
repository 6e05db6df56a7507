"""Tuning: find the smallest change of the rules that brings every target of an experiment into range."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from textwrap import wrap

import numpy as np
import pandas as pd

from balance.analysis.chances import Lesson
from balance.analysis.compare import compare_variants, pair_questions, read_pairs
from balance.analysis.ended import Played
from balance.analysis.gather import Answers, gather
from balance.analysis.target_checks import check_targets, rows_of_target, target_question
from balance.contract.analytics import Measure
from balance.contract.game import Game
from balance.experiments.experiment import make_experiment, read_experiment
from balance.experiments.measures import APART, OPTION_USE, apart_measures, find_measure, named_measures
from balance.experiments.parameters import RuleSpace, Settings, read_space
from balance.experiments.plan import Plan
from balance.experiments.planning import check_targets_fit, make_plan, name_of, pack_for
from balance.experiments.strategies import Strategy
from balance.experiments.targets import Target, Tune, name_targets
from balance.experiments.variants import Variant, nest_changes, write_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import make_folder, replace_file
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.foundation.toml import KeyPath, list_leaves, validate
from balance.runs.batches import check_followed
from balance.runs.folder import RunFolder
from balance.runs.workers import Workers
from balance.stats.comparisons import SHOWN
from balance.studies.closer import MOST_TRACED, Closer, look_closer
from balance.studies.following import MOST_GAMES as FOLLOWED_GAMES
from balance.studies.playing import play_or_resume
from balance.studies.reruns import follow_chances
from balance.studies.settings import TuneLimits
from balance.studies.tune_search import LENGTH, PROMISING, Budget, Goals, Ranking, Search, TuneStudy, check_optuna

_START_GAMES = 0.1  # share of the search's games that the start variant has at each player count
START_HEAT = 99  # number of its deals
_MET = 0.95  # a start variant that meets all targets with this chance is not searched from
STUDY_FILE = "study.db"


@dataclass(frozen=True)
class Tuning:
    """A tuning study: what may change, who plays, and the targets."""

    plan: Plan  # the held-out games: the experiment's own, of its start variant alone
    targets: Sequence[Target]  # also those on measures that need a closer look, which the plan does not have
    space: RuleSpace
    tune: Tune
    folder: Path  # of relative paths in the experiment

    @property
    def game(self) -> Game:
        """The game."""
        return self.plan.game

    @cached_property
    def measures(self) -> list[Measure]:
        """The measure of each target."""
        known = named_measures(self.plan)
        return [known[target.measure] for target in self.targets]

    @property
    def apart(self) -> list[Measure]:
        """The measures that need a closer look."""
        return [measure for measure in self.measures if measure.is_apart]

    @cached_property
    def length(self) -> Measure:
        """The estimated minutes of a game."""
        return find_measure(self.plan, "minutes")

    @property
    def watched(self) -> list[Measure]:
        """The measures that the search reads: those of the targets, and the length."""
        return [*self.measures, *([] if self.length in self.measures else [self.length])]

    @property
    def counts(self) -> list[int]:
        """The player counts for which a target must hold."""
        experiment = self.plan.experiment
        every = [count for target in self.targets for count in target.players or experiment.players]
        return [count for count in experiment.players if count in every]

    @property
    def fingerprint(self) -> str:
        """A hash of all that affects the search."""
        told = [
            *pack_for(self.game, self.plan.first_variant, self.counts),
            json.dumps([each.__dict__ for each in self.space.parameters], default=str).encode(),
            json.dumps(self.tune.model_dump(), default=str).encode(),
            json.dumps([each.model_dump() for each in self.targets]).encode(),
            json.dumps([each.describe() for each in self.searchers], default=str).encode(),
            str(self.plan.experiment.seed).encode(),
        ]
        return hashlib.sha256(b"\0".join(told)).hexdigest()[:16]

    @cached_property
    def searchers(self) -> list[Strategy]:
        """The strategies that play the search."""
        return list(self.search_plan(self.counts[0], 100, 0).strategies)

    def search_plan(self, players: int, games: int, heat: int) -> Plan:
        """Return the plan of the search's games of the start variant at a player count."""
        experiment = self.plan.experiment
        tiers = self.plan.quick_tiers
        quick = max(tiers, key=lambda tier: tier.assumed_strength, default=self.plan.tier)
        named = next(keys for keys in experiment.every_tier if keys.name == quick.name)
        pool = self.tune.strategies or named.strategies
        who = {"strategies": pool} if pool else {"lineups": named.lineups}
        data = {
            "game": experiment.game, "players": [players], "variants": experiment.variants, **who,
            "games": -(-games // players) * players, "log": experiment.log,
            "decision_limit": experiment.decision_limit, "rotate": experiment.rotate,
            "seed": int(derive_many(experiment.seed, heat, players)[0] % 2**62),
        }  # fmt: skip
        where = "tune"
        plan = make_plan(make_experiment(data, where), self.folder, where)
        return replace(plan, networks_fixed=True)


def read_tuning(path: Path, asked: TuneLimits = TuneLimits()) -> Tuning:  # noqa: B008 - frozen
    """Read and check an experiment with targets and a `[tune]` table; without the table, all its defaults hold."""
    check_optuna()
    experiment, where = read_experiment(path), str(path)
    experiment = experiment.scaled(asked.scale, where) if asked.scale else experiment
    targets = experiment.targets
    if not targets:
        raise BalanceError(tr("{where}: targets: balance tune needs at least one [[targets]] to meet", where=where))
    if len(experiment.variants) > 1 or experiment.sweep:
        raise BalanceError(
            tr("{where}: balance tune starts from one variant: leave out the others and [sweep]", where=where)
        )
    plain = [target for target in targets if target.measure not in APART]
    if any(target.measure == OPTION_USE.name for target in targets):
        experiment = experiment.model_copy(update={"trace": max(experiment.trace, MOST_TRACED)})
    plan = make_plan(experiment.model_copy(update={"targets": plain}), path.parent, where)
    check_targets_fit(plan, targets, f"{where}: targets", apart_measures(plan.game))
    given = {"games": asked.games, "changes": asked.changes}
    own = (experiment.tune or Tune()).model_dump(exclude_unset=True)
    own |= {name: value for name, value in given.items() if value is not None}
    tune = validate(Tune, own, f"{where}: tune")
    (start,) = experiment.variants
    space = read_space(plan.game, start, experiment.players, tune, f"{where}: tune", path.parent)
    tuning = Tuning(plan, targets, space, tune, path.parent)
    if any(measure.is_followed for measure in tuning.apart):
        for tier in plan.tiers:
            check_followed(plan.in_tier(tier.name, where))
    _check_seats_rotate(tuning, where)
    _ = tuning.searchers  # reports a wrong name before the first game
    return tuning


def _check_seats_rotate(tuning: Tuning, where: str) -> None:
    """Refuse targets on seats or strategies that can't be told apart: no candidate could be shown to meet them."""
    split = [measure for measure in tuning.measures if measure.by in ("seat", "strategy")]
    if split and any(tuning.plan.in_tier(tier.name, where).unmixed for tier in tuning.plan.tiers):
        raise BalanceError(
            tr(
                "{where}: targets: {measure} can't be judged, because each strategy keeps its seat; leave out "
                "rotate = false",
                where=where,
                measure=split[0].name,
            )
        )


@dataclass(frozen=True)
class Cell:
    """A cell of the goals: a measure at a player count, of a group."""

    players: int
    measure: str
    group: str


class _Table:
    """Plays the search's games: the start variant, then candidates on the same deals as the start variant."""

    def __init__(self, tuning: Tuning, folder: Path, progress: Progress, workers: Workers | None) -> None:
        self._tuning, self._folder, self._progress, self._workers = tuning, folder, progress, workers
        self._calls = 0
        self._lessons: dict[int, Lesson] = {}  # of the start variant, by player count
        self.cells: list[Cell] = []

    def start(self) -> Goals:
        """Play the start variant; return the goals with its means."""
        tuning, rows = self._tuning, []
        targets = tuning.targets
        games = int(_START_GAMES * tuning.tune.games / len(tuning.counts))
        for count in tuning.counts:
            run = self._play(tuning.search_plan(count, games, START_HEAT), f"start-{count}")
            plain = [measure for measure in tuning.watched if not measure.is_apart]
            answers = {**gather(run, map(target_question, plain), self._progress), **self._learn(run.plan, count)}
            for number, (target, measure) in enumerate(zip(targets, tuning.measures, strict=True)):
                if target.players and count not in target.players:
                    continue
                found = rows_of_target(tuning.plan, target, measure, answers[target_question(measure)], "targets")
                rows.append(found.assign(target=number))
            if tuning.length not in tuning.measures:
                rows.append(self._length(answers[target_question(tuning.length)]))
        table = pd.concat(rows, ignore_index=True)
        self._check_measured(table)
        self.cells = [Cell(row.players, row.measure, str(row.group)) for row in table.itertuples()]
        return Goals(
            table["target"].to_numpy(), table["least"].to_numpy(float), table["most"].to_numpy(float),
            table["value"].to_numpy(float), table["error"].to_numpy(float),
            name_targets(targets),
        )  # fmt: skip

    def _learn(self, plan: Plan, count: int) -> Answers:
        """Return what a closer look at the start variant's games shows, and keep what they teach for the search."""
        apart, start = self._tuning.apart, plan.first_variant.name
        looks = look_closer(plan, apart, self._workers, self._progress)
        closer = Closer(plan, looks, start)
        if closer.why_missing:
            raise BalanceError("; ".join(closer.why_missing))
        if looks.followed:
            self._lessons[count] = looks.followed[count, start].lesson
        return closer.levels(apart)

    def _length(self, answer: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of the length, without bounds: the search prefers candidates that keep it.

        There is none for games without choices, whose length is not estimated.
        """
        bounds = {"least": -np.inf, "most": np.inf}
        return answer[answer["n"] > 0].assign(group="", measure=self._tuning.length.name, target=LENGTH, **bounds)

    def _check_measured(self, table: pd.DataFrame) -> None:
        """Refuse a target on a measure that no game of the start variant has: no candidate has a distance to it."""
        for row in table[table["value"].isna()].itertuples():
            raise BalanceError(
                tr(
                    "targets: no game of {rules} has the measure {measure}; take another measure",
                    rules=self._tuning.plan.first_variant.name,
                    measure=row.measure,
                )
            )

    def play(self, candidates: Sequence[Settings], heat: int, games: int) -> tuple[np.ndarray, np.ndarray]:
        """Play candidates; see `balance.studies.tune_search.Play`."""
        self._calls += 1
        variants = [self._tuning.space.variant(each, f"v{number}") for number, each in enumerate(candidates)]
        effects = np.zeros((len(candidates), len(self.cells)))
        errors = np.zeros_like(effects)
        refused = [variant is None for variant in variants]
        effects[refused] = errors[refused] = np.nan
        for count in self._tuning.counts:
            self._play_count(variants, count, (heat, games), effects, errors)
        return effects, errors

    def _play_count(
        self, variants: Sequence[Variant | None], count: int, how: tuple[int, int],
        effects: np.ndarray, errors: np.ndarray,
    ) -> None:  # fmt: skip
        """Fill the cells of a player count; the same rules are played once, those of the start variant never."""
        heat, games = how
        plan = self._tuning.search_plan(count, games, heat)
        start = pack_for(plan.game, plan.first_variant, [count])
        rules = {number: pack_for(plan.game, variant, [count]) for number, variant in enumerate(variants) if variant}
        first = {packed: number for number, packed in reversed(rules.items()) if packed != start}
        played = sorted(first.values())
        if not played:
            return
        own = [variant for number in played if (variant := variants[number])]
        plan = replace(plan, variants=[plan.first_variant, *own])
        run = self._play(plan, f"{self._calls:03d}-{count}")
        table = self._read_effects(run, plan.first_variant.name, count)
        for number, packed in rules.items():
            if packed == start:
                continue
            name = f"v{first[packed]}"
            for column, cell in enumerate(self.cells):
                if cell.players == count:
                    effects[number, column], errors[number, column] = table.get(
                        (name, cell.measure, cell.group), (np.nan, np.nan)
                    )

    def _read_effects(self, run: RunFolder, start: str, count: int) -> dict[tuple[str, str, str], tuple[float, float]]:
        """Return effect and error by variant, measure and group."""
        chosen = {measure.name: measure for measure in self._tuning.watched}
        questions = pair_questions(start, list(chosen.values()))
        answers = gather(run, [*(each for each in questions if not each.is_apart), Played()])
        looks = look_closer(run.plan, self._tuning.apart, self._workers, self._progress)
        answers |= Closer(run.plan, looks, start, self._lessons).answers(questions)
        table = read_pairs(run.plan, questions, answers)
        return {(row.variant, row.measure, str(row.group)): (row.effect, row.error) for row in table.itertuples()}

    def _play(self, plan: Plan, name: str) -> RunFolder:
        run = play_or_resume(plan, self._folder / name, self._progress, self._workers)
        run.plan = replace(run.plan, networks_fixed=True)
        return run


@dataclass(frozen=True)
class TuneResults:
    """What a tuning study found."""

    tuning: Tuning
    goals: Goals
    ranking: Ranking | None  # all candidates of the search; None if the start variant meets all targets
    finalists: list[Settings]  # the candidates that were played on held-out deals, the best first
    run: RunFolder  # the held-out games
    checks: pd.DataFrame  # `balance.analysis.target_checks.check_targets` for each ``tier`` of them

    @property
    def names(self) -> list[str]:
        """The names of the finalists as variants."""
        return [name_of(dict(each)) for each in self.finalists]

    def verdict_of(self, variant: str) -> str:
        """Return ``pass`` if a variant meets all targets in all tiers, ``fail`` if it misses one, or ``undecided``."""
        found = set(self.checks.loc[self.checks["variant"] == variant, "verdict"])
        return "pass" if found == {"pass"} else "fail" if "fail" in found else "undecided"

    @property
    def start(self) -> str:
        """The name of the start variant."""
        return self.run.plan.first_variant.name

    @cached_property
    def recommended(self) -> int | None:
        """The finalist to take, see `choose`; None if every finalist misses a target."""
        return choose([self.verdict_of(name) for name in self.names])


def choose(verdicts: Sequence[str]) -> int | None:
    """Return the first finalist that meets all targets, or else the first that is not shown to miss one.

    The order is that of the search, not of the held-out games, so that their figures are hardly biased.
    """
    return next((verdicts.index(wanted) for wanted in ("pass", "undecided") if wanted in verdicts), None)


def play_tuning(
    tuning: Tuning, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> TuneResults:
    """Search, and play the finalists on held-out deals; in a folder with a stopped study, resume it.

    The folder gets the study's file and a run for every batch; a finished run is only read.
    """
    make_folder(folder)
    study = TuneStudy(tuning.space.parameters, tuning.plan.experiment.seed, folder / STUDY_FILE, tuning.fingerprint)
    table = _Table(tuning, folder, progress, workers)
    goals = table.start()
    none = np.zeros((1, len(goals.start)))
    ranking, finalists = None, []
    if goals.chance_of_all(none, none)[0] < _MET:
        budget = Budget(
            tuning.tune.games, len(tuning.counts), tuning.tune.changes, tuning.tune.finalists,
            tuning.plan.experiment.seed, tuning.plan.experiment.thresholds.length_change,
        )  # fmt: skip
        ranking = Search(tuning.space.parameters, goals, table.play, study, budget).run()
        finalists = [ranking.settings[number] for number in ranking.shortlist(tuning.tune.finalists)]
    run = _play_held_out(tuning, finalists, folder / "held-out", progress, workers)
    if any(measure.is_followed for measure in tuning.apart):
        for tier in run.plan.tiers:
            follow_chances(run.in_tier(tier.name), FOLLOWED_GAMES, workers, progress)
    checks = check_tiers(run, tuning.targets, progress)
    return TuneResults(tuning, goals, ranking, finalists, run, checks)


def _play_held_out(
    tuning: Tuning, finalists: Sequence[Settings], folder: Path, progress: Progress, workers: Workers | None
) -> RunFolder:
    """Play the start variant and the finalists with all tiers of the experiment, on deals new to them."""
    variants = [tuning.space.variant(each, name_of(dict(each))) for each in finalists]
    plan = replace(tuning.plan, variants=[tuning.plan.first_variant, *filter(None, variants)])
    return play_or_resume(plan, folder, progress, workers)


def check_tiers(run: RunFolder, targets: Sequence[Target], progress: Progress = SILENCE) -> pd.DataFrame:
    """Check targets in every tier of a run."""
    parts = [
        check_targets(run.in_tier(tier.name), targets, "targets", progress).assign(tier=tier.name)
        for tier in run.plan.tiers
    ]
    return pd.concat(parts, ignore_index=True)


_CONFLICT = 0.05  # chance below which no candidate meets both targets
_VARIANTS = "variants"  # folder of the finalists' files


def before_after(results: TuneResults, number: int) -> pd.DataFrame:
    """Return every check of a finalist with the start variant's figures.

    Returns
    -------
    DataFrame
        The columns of `TuneResults.checks`, and ``before``, ``before_low``, ``before_high``, ``before_verdict``.
    """
    checks, keys = results.checks, ["tier", "target", "measure", "players", "group"]
    after = checks[checks["variant"] == results.names[number]]
    before = checks.loc[checks["variant"] == results.start, [*keys, "value", "low", "high", "verdict"]]
    renamed = {"value": "before", **{each: f"before_{each}" for each in ("low", "high", "verdict")}}
    return after.merge(before.rename(columns=renamed), on=keys, how="left")


def missed(results: TuneResults, number: int) -> pd.DataFrame:
    """Return the checks that a finalist is shown to fail on held-out deals."""
    found = before_after(results, number)
    return found[found["verdict"] == "fail"]


def moved_else(results: TuneResults, number: int) -> pd.DataFrame:
    """Return shown effects of a finalist on measures without a target, in the first tier, largest first.

    The verdicts are corrected over all finalists and measures.
    """
    run, targets = results.run, {measure.name for measure in results.tuning.measures}
    table = compare_variants(run, results.start)
    mine = table[(table["variant"] == results.names[number]) & ~table["measure"].isin(targets)]
    shown = mine[mine["verdict"].isin(SHOWN)]
    with np.errstate(divide="ignore", invalid="ignore"):
        size = (shown["effect"].abs() / shown["error"]).fillna(np.inf)
    return shown.loc[size.sort_values(ascending=False, kind="stable").index].reset_index(drop=True)


def find_conflicts(goals: Goals, ranking: Ranking) -> list[tuple[str, str]]:
    """Return pairs of targets that no candidate meets together, although some candidate meets each of them."""
    chances = _chances(goals, ranking)
    best = chances.max(0)
    return [
        (goals.names[one], goals.names[other])
        for one, other in combinations(range(len(goals.names)), 2)
        if min(best[one], best[other]) >= PROMISING and (chances[:, one] * chances[:, other]).max() < _CONFLICT
    ]


def _chances(goals: Goals, ranking: Ranking) -> np.ndarray:
    """Return the chance of every candidate, and last of the start variant, to meet each target."""
    start = np.zeros((1, len(goals.start)))
    effects, errors = np.vstack([ranking.effects, start]), np.vstack([ranking.errors, start])
    return goals.chances_by_target(effects, errors)


def find_unreachable(goals: Goals, ranking: Ranking) -> list[str]:
    """Return the targets that no candidate is likely to meet, whatever the others."""
    best = _chances(goals, ranking).max(0)
    return [name for name, chance in zip(goals.names, best, strict=True) if chance < _CONFLICT]


def nearest(results: TuneResults) -> int:
    """Return the finalist that is nearest to the targets by the search's games; there must be one."""
    assert results.ranking is not None
    settings = results.ranking.settings
    distances = [results.ranking.distance[settings.index(each)] for each in results.finalists]
    return int(np.argmin(distances))


def is_nearer(results: TuneResults, number: int) -> bool:
    """Return whether a finalist is nearer to the targets than the start variant by the search's games."""
    assert results.ranking is not None
    found = results.ranking.distance[results.ranking.settings.index(results.finalists[number])]
    return bool(found < results.goals.distances(np.zeros((1, len(results.goals.start))))[0])


def front_table(results: TuneResults) -> pd.DataFrame:
    """Return the Pareto front of the search: the start variant, then the nearest candidate with each number of changes.

    Returns
    -------
    DataFrame
        ``changes``, ``steps``, ``distance`` (of the worst target; 1 for the start variant), ``chance`` (percent) to
        meet all targets, ``rules`` (the changes in words).
    """
    start = {"changes": 0, "steps": 0, "distance": 1.0, "chance": 0.0, "rules": results.start}
    rows = [start]
    ranking = results.ranking
    if ranking is not None:
        none = np.zeros((1, len(results.goals.start)))
        start["distance"] = float(results.goals.distances(none)[0])
        start["chance"] = 100 * float(results.goals.chance_of_all(none, none)[0])
        rows += [
            {
                "changes": int(ranking.changes[number]),
                "steps": int(ranking.steps[number]),
                "distance": float(ranking.distance[number]),
                "chance": 100 * float(ranking.chance[number]),
                "rules": results.tuning.space.write(ranking.settings[number]),
            }
            for number in ranking.front()
            if ranking.distance[number] < start["distance"]
        ]
    return pd.DataFrame(rows)


def variant_files(results: TuneResults) -> list[str]:
    """Return the finalists' files in the folder of the page."""
    names = (
        "recommended" if number == results.recommended else f"finalist-{number + 1}"
        for number in range(len(results.finalists))
    )
    return [f"{_VARIANTS}/{name}.toml" for name in names]


def write_variants(results: TuneResults, out: Path) -> None:
    """Write each finalist as a variant file that extends the start variant, a comment for each change."""
    for name, settings in zip(variant_files(results), results.finalists, strict=True):
        path = out.absolute() / name
        path.parent.mkdir(exist_ok=True)
        replace_file(path, _write_variant(results, settings, path).encode("utf-8"))


def _write_variant(results: TuneResults, settings: Settings, path: Path) -> str:
    tuning, space = results.tuning, results.tuning.space
    told = {"title": "Tuned rules", "description": f"{results.start} with {space.write(settings)}"}
    own = nest_changes(space.game, space.change_keys(settings), "tune")
    comments = {key: [*_comments(results, settings, key)] for key, _ in list_leaves(own)}
    return write_variant(space.game, path, (space.start, tuning.folder), told, own, comments)


def _comments(results: TuneResults, settings: Settings, path: KeyPath) -> Iterator[str]:
    """Yield lines about each change of the key at a path: its meaning, and the values."""
    space = results.tuning.space
    for name, value in settings:
        parameter = space.by_name[name]
        own = parameter.key.split(".")
        if list(path[: len(own)]) == own and path[len(own) :] in ((), (str(parameter.count),)):
            meaning = space.keys[parameter.key].meaning
            yield from wrap(f"{meaning}: {space.write(((name, value),))}", 100)
