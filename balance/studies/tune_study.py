"""The Optuna study of a tuning study: the record of all candidates, on disk, and NSGA-II as a source of new ones."""

from __future__ import annotations

import logging
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from balance.experiments.parameters import Parameter, Settings
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.streams import derive_many
from balance.foundation.toml import write_value

NAME = "tune"  # of the study
OBJECTIVES = ("distance", "changed values", "steps")
_POPULATION = 48
_GENERATION = "NSGAIISampler:generation"  # Optuna's own attribute, see `optuna.samplers._ga`


def check_optuna() -> None:
    """Refuse to tune without Optuna, which is an optional dependency."""
    try:
        with warnings.catch_warnings():  # tqdm misses widgets that nothing here shows
            warnings.simplefilter("ignore")
            import optuna  # noqa: F401
    except ModuleNotFoundError:
        raise BalanceError(tr("balance tune needs Optuna: pip install 'game-balance[tune]'")) from None


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
                tr(
                    "{file}: this study is about other rules, targets or settings; tune into another folder",
                    file=file,
                )
            )

    def report(self, settings: Settings, distance: float, steps: int, batch: int) -> None:
        """Record a candidate; one that the game refuses (distance NaN) is a failed trial."""
        refused = not np.isfinite(distance)
        state = self._optuna.trial.TrialState
        changed = dict(settings)
        trial = self._optuna.trial.create_trial(
            state=state.FAIL if refused else state.COMPLETE,
            values=None if refused else [distance, float(len(settings)), float(steps)],
            params={
                name: _stored(changed.get(name, each.start)) for name, each in self._parameters.items()
            },
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
