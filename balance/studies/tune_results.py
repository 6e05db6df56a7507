"""The results of a tuning study: targets before and after, what else moved, conflicts, and the variant as a file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from textwrap import wrap

import numpy as np
import pandas as pd

from balance.analysis.compare import compare_variants
from balance.experiments.parameters import Settings
from balance.experiments.variants import nest_changes, write_variant
from balance.foundation.files import replace_file
from balance.foundation.toml import KeyPath, list_leaves
from balance.stats.comparisons import SHOWN
from balance.studies.tune import TuneResults
from balance.studies.tune_goals import Goals
from balance.studies.tune_search import PROMISING, Ranking

_CONFLICT = 0.05  # chance below which no candidate meets both targets
VARIANTS = "variants"  # folder of the finalists' files


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
        if min(best[one], best[other]) >= PROMISING
        and (chances[:, one] * chances[:, other]).max() < _CONFLICT
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


def write_variants(results: TuneResults, out: Path) -> list[Path]:
    """Write each finalist as a variant file that extends the start variant, a comment for each change."""
    folder = out.absolute() / VARIANTS
    paths = []
    for number, settings in enumerate(results.finalists):
        name = "recommended" if number == results.recommended else f"finalist-{number + 1}"
        path = folder / f"{name}.toml"
        folder.mkdir(exist_ok=True)
        replace_file(path, _write_variant(results, settings, path).encode("utf-8"))
        paths.append(path)
    return paths


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
