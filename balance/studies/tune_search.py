"""The search of a tuning study: single steps, batches of candidates, and a race of the promising ones.

Half of a batch is proposed by an additive model of the effects (`balance.stats.response_surface`), drawn from its
distribution for each candidate (Thompson sampling), half by Optuna's NSGA-II. Both learn from all candidates. The race
plays the promising candidates on more deals (successive halving). The goals, and the record of all candidates on disk,
are here too.
"""

from __future__ import annotations

import logging
import sqlite3
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy import special

from balance.experiments.parameters import Parameter, Settings
from balance.foundation.errors import BalanceError, from_extra
from balance.foundation.language import tr
from balance.foundation.streams import derive_many
from balance.foundation.toml import write_value
from balance.stats.response_surface import ResponseSurface, fit_surface

LENGTH = -1
TOLERANCE = 0.05  # of a bound, where a target has only one


@dataclass(frozen=True)
class Goals:
    """The bounds of each target at each player count and for each group (seat, strategy or faction).

    Distances are in units: how far the start variant is from the bounds or, where it meets them, half the width of the
    bounds (5 % of a single bound).
    """

    # int (cells,): number of the target; `LENGTH` for the length of the game, which has no bounds unless a target
    # gives it some.
    target: np.ndarray
    least: np.ndarray  # float (cells,): lower bound of the mean, may be infinite
    most: np.ndarray  # float (cells,): upper bound, may be infinite
    start: np.ndarray  # float (cells,): mean of the start variant
    error: np.ndarray  # float (cells,): its standard error
    names: Sequence[str]  # of the targets

    @property
    def unit(self) -> np.ndarray:
        """The distance that counts as 1 in each cell."""
        width = (self.most - self.least) / 2
        bound = np.where(np.isfinite(self.least), self.least, self.most)
        tolerance = np.where(np.isfinite(width), width, TOLERANCE * np.abs(bound))
        tolerance = np.where(np.isfinite(tolerance), tolerance, 1.0)  # no bounds
        return np.asarray(np.maximum(np.maximum(tolerance, self._beyond(self.start)), 1e-9))

    def only(self, number: int) -> Goals:
        """Return the goals of one target, as if there were no others."""
        own = self.target == number
        least, most = np.where(own, self.least, -np.inf), np.where(own, self.most, np.inf)
        return replace(self, least=least, most=most)

    def _beyond(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(np.maximum(self.least - values, values - self.most), 0.0))

    def misses(self, effects: np.ndarray) -> np.ndarray:
        """Return how far means are outside the bounds (n, cells), in units, from effects (n, cells)."""
        return np.asarray(self._beyond(self.start + effects) / self.unit)

    def distances(self, effects: np.ndarray) -> np.ndarray:
        """Return the worst distance to a target (n,), in units."""
        return np.asarray(self.misses(effects).max(-1))

    def depths(self, effects: np.ndarray) -> np.ndarray:
        """Return the worst distance to a bound (n,), below 0 inside of all bounds."""
        values = self.start + effects
        beyond = np.maximum(self.least - values, values - self.most) / self.unit
        return np.asarray(beyond.max(-1))

    def longer(self, effects: np.ndarray) -> np.ndarray:
        """Return the largest change of the length at any player count (n,), in percent of the start variant's."""
        own = self.target == LENGTH
        effects, start = np.abs(effects[:, own]), np.abs(self.start[own])
        return np.asarray((100 * effects / start).max(-1, initial=0.0))

    def chances(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that each cell is within its bounds (n, cells), for normal errors of the effects."""
        spread = np.maximum(np.hypot(errors, self.error), 1e-12)
        values = self.start + effects
        above, below = ((end - values) / spread for end in (self.most, self.least))
        inside = special.ndtr(above) - special.ndtr(below)
        return np.asarray(inside)

    def chance_of_all(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that every target is met (n,), with cells as if independent."""
        return np.asarray(self.chances(effects, errors).prod(-1))

    def chances_by_target(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that each target is met in all its cells (n, targets)."""
        each = self.chances(effects, errors)
        numbers = range(len(self.names))
        return np.stack([each[:, self.target == number].prod(-1) for number in numbers], -1)


NAME = "tune"  # of the study
OBJECTIVES = ("distance", "changed values", "steps")
_POPULATION = 48
_GENERATION = "NSGAIISampler:generation"  # Optuna's own attribute, see `optuna.samplers._ga`


def check_optuna() -> None:
    """Refuse to tune without Optuna, which is an optional dependency."""
    with from_extra("tune"), warnings.catch_warnings():  # tqdm misses widgets that nothing here shows
        warnings.simplefilter("ignore")
        import optuna  # noqa: F401


class TuneStudy:
    """All candidates with their distance, changed values and steps; those of a stopped study are read from its file.

    The file is an SQLite database for optuna-dashboard; None keeps nothing. A file with another `fingerprint`,
    about something else, is an error.
    """

    def __init__(
        self, parameters: Sequence[Parameter], seed: int, file: Path | None = None, fingerprint: str = ""
    ) -> None:
        import optuna

        optuna.logging.set_verbosity(logging.ERROR)
        self._optuna, self._seed = optuna, seed
        self._spaces = {each.name: _distribution(optuna, each) for each in parameters}
        self._parameters = {each.name: each for each in parameters}
        self._reported: list[Any] = []
        self._file = file
        with _storing(file):
            self._kept = optuna.create_study(
                storage=_open(optuna, file) if file else None,
                study_name=NAME,
                directions=["minimize"] * len(OBJECTIVES),
                load_if_exists=True,
            )
            about = self._kept.user_attrs.get("about", fingerprint)
            self._old = {trial.user_attrs["number"] for trial in self._kept.trials}
            if about == fingerprint:
                self._kept.set_user_attr("about", fingerprint)
                self._kept.set_user_attr("objectives", [*OBJECTIVES])
        if about != fingerprint:
            raise BalanceError(
                tr("{file}: this study is about other rules, targets or settings; tune into another folder", file=file)
            )

    def report(self, settings: Settings, distance: float, steps: int, batch: int) -> None:
        """Record a candidate; one that the game refuses (distance NaN) is a failed trial."""
        refused = not np.isfinite(distance)
        state = self._optuna.trial.TrialState
        changed = dict(settings)
        trial = self._optuna.trial.create_trial(
            state=state.FAIL if refused else state.COMPLETE,
            values=None if refused else [distance, float(len(settings)), float(steps)],
            params={name: _stored(changed.get(name, each.start)) for name, each in self._parameters.items()},
            distributions=self._spaces,
            user_attrs={"number": len(self._reported), "batch": batch},
            system_attrs={_GENERATION: 0},
        )
        if len(self._reported) not in self._old:
            with _storing(self._file):
                self._kept.add_trial(trial)
        self._reported.append(trial)

    def ask(self, batch: int) -> Iterator[Settings]:
        """Yield new candidates for ever, bred from the best of all candidates so far by NSGA-II."""
        done = [trial for trial in self._reported if trial.values]
        size = max(2, min(_POPULATION, len(done)))
        seed = int(derive_many(self._seed, batch)[0] % 2**32)
        sampler = self._optuna.samplers.NSGAIISampler(population_size=size, seed=seed)
        study = self._optuna.create_study(directions=["minimize"] * len(OBJECTIVES), sampler=sampler)
        study.add_trials(done)
        while True:
            found = study.ask(self._spaces).params
            values = ((each, _loaded(each, found[name])) for name, each in self._parameters.items())
            yield tuple((each.name, value) for each, value in values if value != each.start)


def _open(optuna: Any, file: Path) -> Any:
    """Return an SQLite file as storage; not every version of SQLAlchemy can write every path as an address."""
    from sqlalchemy.pool import NullPool

    engine = {"creator": partial(sqlite3.connect, file), "poolclass": NullPool}
    return optuna.storages.RDBStorage("sqlite://", engine_kwargs=engine)


@contextmanager
def _storing(file: Path | None) -> Iterator[None]:
    """Report a file that can't be read or written, such as a damaged one or one on a full disk, in one line."""
    from optuna.exceptions import StorageInternalError
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (StorageInternalError, SQLAlchemyError) as error:
        cause = error.__cause__ or error
        says = str(getattr(cause, "orig", None) or cause).partition("\n")[0]
        raise BalanceError(tr("{file}: can't keep the study: {why}", file=file, why=says)) from None


def _distribution(optuna: Any, parameter: Parameter) -> Any:
    values = parameter.values
    if not parameter.is_number:
        return optuna.distributions.CategoricalDistribution([*map(_stored, values)])
    ends = values[0], values[-1], values[1] - values[0]
    if all(isinstance(value, int) for value in values):
        return optuna.distributions.IntDistribution(ends[0], ends[1], step=ends[2])
    return optuna.distributions.FloatDistribution(*map(float, ends[:2]), step=float(ends[2]))


def _stored(value: Any) -> Any:
    """Return a value as Optuna stores it: lists and tables as text."""
    return value if isinstance(value, (bool, int, float, str)) else write_value(value)


def _loaded(parameter: Parameter, stored: Any) -> Any:
    """Return the value of a parameter that is stored like this."""
    if parameter.is_number:
        return min(parameter.values, key=lambda value: abs(value - stored))
    return next(value for value in parameter.values if _stored(value) == stored)


BATCH = 24  # candidates
_FEWEST, _MOST = 60, 4000  # games of a candidate at each player count, before the race
_SHARES = {"steps": 0.25, "batches": 0.45, "race": 0.3}  # of the games
_BATCHES = 6
_RACE = (12, 6)  # candidates of each heat
_BEAM = 8
PROMISING = 0.5  # chance to meet all targets

Play = Callable[[Sequence[Settings], int, int], tuple[np.ndarray, np.ndarray]]
"""Plays candidates: (candidates, heat, games) to effects and their errors (candidates, cells).

Heat 0 has the same deals in every call, each further heat deals of its own. Rows of candidates that the game refuses
are NaN.
"""


@dataclass(frozen=True)
class Budget:
    """How much a search plays and may change."""

    games: int  # in all
    counts: int  # player counts
    changes: int  # most values that change
    finalists: int
    seed: int
    length_change: float  # percent: candidates that change the length more come after the others


@dataclass
class Candidates:
    """All candidates that were played, with their pooled measurements."""

    settings: list[Settings] = field(default_factory=list)
    sums: list[np.ndarray] = field(default_factory=list)  # (cells,): effects times precisions
    weights: list[np.ndarray] = field(default_factory=list)  # (cells,): precisions

    def add(self, settings: Sequence[Settings], effects: np.ndarray, errors: np.ndarray) -> None:
        """Add measurements; those of a candidate that is known are pooled."""
        for each, effect, error in zip(settings, effects, errors, strict=True):
            weight = np.where(np.isfinite(error), 1 / np.maximum(error, 1e-9) ** 2, 0.0)
            total = np.where(weight > 0, effect, 0.0) * weight
            if each in self.settings:
                number = self.settings.index(each)
                self.sums[number] = self.sums[number] + total
                self.weights[number] = self.weights[number] + weight
            elif np.isfinite(effect).any():
                self.settings.append(each)
                self.sums.append(total)
                self.weights.append(weight)

    @property
    def measured(self) -> tuple[np.ndarray, np.ndarray]:
        """Effects and their errors (candidates, cells); NaN for what was not measured."""
        sums, weights = np.array(self.sums), np.array(self.weights)
        with np.errstate(divide="ignore", invalid="ignore"):
            known = weights > 0
            return np.where(known, sums / weights, np.nan), np.where(known, 1 / np.sqrt(weights), np.nan)


@dataclass(frozen=True)
class Ranking:
    """What the search knows of every candidate (n,) at one time."""

    settings: list[Settings]
    effects: np.ndarray  # float (n, cells): from the model and the candidate's own games
    errors: np.ndarray  # float (n, cells)
    distance: np.ndarray  # float (n,): worst distance to a target
    chance: np.ndarray  # float (n,): probability that all targets are met
    changes: np.ndarray  # int (n,): changed values
    steps: np.ndarray  # int (n,): steps of all changed values
    keeps_length: np.ndarray  # bool (n,): the game's length changes by less than the threshold

    def order(self) -> list[int]:
        """Return candidates, the best first.

        Promising ones come first: those that keep the length, then those with the fewest changes. Then the nearest.
        """
        promising = self.chance >= PROMISING
        changes = np.where(promising, self.changes, 0)
        away = np.where(promising, 0.0, self.distance)
        longer = promising & ~self.keeps_length
        return list(np.lexsort((self.distance, -self.chance, self.steps, changes, away, longer, ~promising)))

    def shortlist(self, most: int) -> list[int]:
        """Return the best candidates in order: half the best of all, and the best with each number of changes."""
        order = self.order()
        nearest = np.lexsort((self.steps, -self.chance, self.distance))
        chosen = order[: max(1, most // 2)]
        for _ in range(most):
            for changes in np.unique(self.changes):
                left = (i for i in nearest if self.changes[i] == changes and i not in chosen)
                number = next(left, None)
                if number is not None and len(chosen) < most:
                    chosen.append(int(number))
        return [number for number in order if number in chosen]

    def front(self) -> list[int]:
        """Return the candidates that no other beats in both distance and changes, fewest changes first."""
        found: list[int] = []
        best = np.inf
        for number in np.lexsort((self.steps, self.distance, self.changes)):
            if self.distance[number] < best:
                found.append(int(number))
                best = self.distance[number]
        return found


class Space:
    """The parameters of a search, their single steps and the design of candidates."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self._columns: dict[tuple[str, object], int] = {}
        for each in parameters:
            marks: Sequence[object] = (-1, 1) if each.is_number else each.values
            for mark in marks:
                if each.is_number or mark != each.start:
                    self._columns[each.name, _key(mark)] = len(self._columns)
        self.options = [(each.name, value) for each in parameters for value in each.values if value != each.start]
        self._by_name = {each.name: each for each in parameters}
        self._order = {each.name: number for number, each in enumerate(parameters)}

    @property
    def size(self) -> int:
        """The number of parameters, and so the most changes of a candidate."""
        return len(self._by_name)

    def singles(self) -> list[Settings]:
        """Return every parameter one step down and up, or at each of its choices."""
        return [((name, value),) for name, value in self.options if abs(self._steps(name, value)) == 1]

    def _steps(self, name: str, value: object) -> int:
        return self._by_name[name].steps_to(value)

    def steps(self, settings: Settings) -> int:
        """Return how many steps a candidate is from the start variant."""
        return sum(abs(self._steps(name, value)) for name, value in settings)

    def smaller(self, settings: Settings) -> Iterator[Settings]:
        """Yield a candidate without each of its changes, and with each change one step smaller."""
        for number, (name, value) in enumerate(settings):
            before, after = settings[:number], settings[number + 1 :]
            yield before + after
            parameter = self._by_name[name]
            steps = parameter.steps_to(value)
            if parameter.is_number and abs(steps) > 1:
                nearer = parameter.values[parameter.values.index(value) - (1 if steps > 0 else -1)]
                yield (*before, (name, nearer), *after)

    def design(self, candidates: Sequence[Settings]) -> np.ndarray:
        """Return the steps of candidates by parameter and direction (n, columns)."""
        found = np.zeros((len(candidates), len(self._columns)))
        for row, settings in zip(found, candidates, strict=True):
            for name, value in settings:
                steps = self._steps(name, value)
                mark = (1 if steps > 0 else -1) if self._by_name[name].is_number else value
                row[self._columns[name, _key(mark)]] += abs(steps)
        return found

    def sort(self, settings: Settings) -> Settings:
        """Return changes in the order of the parameters."""
        return tuple(sorted(settings, key=lambda change: self._order[change[0]]))


def _key(mark: object) -> object:
    return mark if isinstance(mark, (bool, int, float, str)) else repr(mark)


class Search:
    """Search for the smallest change that meets all goals."""

    def __init__(
        self, parameters: Sequence[Parameter], goals: Goals, play: Play, study: TuneStudy, budget: Budget
    ) -> None:
        self.space, self.goals, self.budget = Space(parameters), goals, budget
        self._play, self._study = play, study
        self.candidates = Candidates()

    def run(self) -> Ranking:
        """Play the search; return all candidates, ranked after the race."""
        singles = self.space.singles()
        self._try(singles, self._games(_SHARES["steps"], len(singles)), 0)
        if not self.candidates.settings:
            raise BalanceError(
                tr("tune: the game refuses every step of these keys; name other keys, or other values of them")
            )
        games = self._games(_SHARES["batches"], _BATCHES * BATCH)
        for batch in range(1, 1 + _BATCHES):
            self._try(self._propose(batch), games, batch)
        for heat, entrants in enumerate(_RACE, 1):
            self._try(self._refine(), games, _BATCHES + heat)
            chosen = self.rank().shortlist(max(entrants, self.budget.finalists))
            settings = [self.candidates.settings[number] for number in chosen]
            each = self._games(_SHARES["race"] / len(_RACE), len(settings), most=None)
            self.candidates.add(settings, *self._play(settings, heat, each))
        return self.rank()

    def _games(self, share: float, candidates: int, most: int | None = _MOST) -> int:
        """Return the games of each candidate at each player count for a share of the budget."""
        games = int(share * self.budget.games / (candidates * self.budget.counts))
        return int(np.clip(games, _FEWEST, most))

    def rank(self) -> Ranking:
        """Return what is known of all candidates."""
        return self._rank(self._surface())

    def _rank(self, surface: ResponseSurface) -> Ranking:
        settings = self.candidates.settings
        effects, errors = surface.estimate(self.space.design(settings), *self.candidates.measured)
        return Ranking(
            list(settings), effects, errors, self.goals.distances(effects),
            self.goals.chance_of_all(effects, errors), np.array([len(each) for each in settings]),
            np.array([self.space.steps(each) for each in settings]),
            self.goals.longer(effects) < self.budget.length_change,
        )  # fmt: skip

    def _surface(self) -> ResponseSurface:
        return fit_surface(self.space.design(self.candidates.settings), *self.candidates.measured)

    def _try(self, settings: Sequence[Settings], games: int, batch: int) -> None:
        """Play a batch and report it to Optuna."""
        if not settings:
            return
        effects, errors = self._play(settings, 0, games)
        self.candidates.add(settings, effects, errors)
        distances = self.goals.distances(effects)
        for each, distance in zip(settings, distances, strict=True):
            self._study.report(each, float(distance), self.space.steps(each), batch)

    def _refine(self) -> list[Settings]:
        """Return new candidates: the best ones with less of one change, and the nearest to all and to each target."""
        surface = self._surface()
        ranking = self._rank(surface)
        best = [ranking.settings[number] for number in ranking.shortlist(_RACE[0])]
        parts = [part for each in best for part in self.space.smaller(each)]
        for goals in (self.goals, *map(self.goals.only, range(len(self.goals.names)))):
            parts += self.find_nearest(surface.means, goals)
        known = {(), *self.candidates.settings}
        return list(dict.fromkeys(part for part in parts if part not in known))

    def _propose(self, batch: int) -> list[Settings]:
        """Return new candidates, half of the model, half of NSGA-II."""
        known, found = set(self.candidates.settings), []
        rng = np.random.default_rng(derive_many(self.budget.seed, batch))
        for settings in self._proposals(batch, rng):
            if settings and settings not in known and len(settings) <= self.budget.changes:
                known.add(settings)
                found.append(settings)
            if len(found) == BATCH:
                break
        return found

    def _proposals(self, batch: int, rng: np.random.Generator) -> Iterator[Settings]:
        surface = self._surface()
        asked = self._study.ask(batch)
        yield from self.find_nearest(surface.means, self.goals)
        for _ in range(4 * BATCH):
            yield from self.find_nearest(surface.draw(rng), self.goals)
            yield self.space.sort(next(asked))

    def find_nearest(self, means: np.ndarray, goals: Goals) -> list[Settings]:
        """Return the nearest candidate with each number of changes if effects add up, by beam search.

        The last one is the first that meets all goals. `means` are effects of one step (columns, cells).
        """
        effects = self.space.design([(option,) for option in self.space.options]) @ means
        beam: list[tuple[Settings, np.ndarray]] = [((), np.zeros(effects.shape[1]))]
        found = []
        for _ in range(min(self.budget.changes, self.space.size)):
            beam = self._extend(beam, effects, goals)
            found.append(beam[0][0])
            if goals.distances(beam[0][1][None])[0] <= 0:
                break
        return found

    def _extend(
        self, beam: Sequence[tuple[Settings, np.ndarray]], effects: np.ndarray, goals: Goals
    ) -> list[tuple[Settings, np.ndarray]]:
        """Return the best candidates with one change more, the best first."""
        found: dict[Settings, tuple[float, np.ndarray]] = {}
        for settings, effect in beam:
            names = {name for name, _ in settings}
            totals = effect + effects
            score = goals.depths(totals)
            free = (n for n in np.argsort(score) if self.space.options[n][0] not in names)
            for number in islice(free, _BEAM):
                option = self.space.options[number]
                found[self.space.sort((*settings, option))] = (score[number], totals[number])
        best = sorted(found.items(), key=lambda each: each[1][0])[:_BEAM]
        return [(settings, effect) for settings, (_, effect) in best]
