"""Checks of a designer's targets against a run: each is met, missed or undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from balance.analysis.ended import Played, withhold
from balance.analysis.gather import Answers, gather
from balance.analysis.question import Means, measure_means, require_spread, scale
from balance.contract.analytics import Measure
from balance.experiments.measures import measures_of
from balance.experiments.plan import Plan
from balance.experiments.planning import check_targets_fit
from balance.experiments.targets import Target, name_targets
from balance.foundation.errors import unknown
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.stats.comparisons import ALPHA, LEAST_DECKS, NEXT_LOOK, TOO_FEW, more_to_place
from balance.stats.intervals import Interval, share_error, share_interval


def check_targets(
    run: RunFolder, targets: Sequence[Target], where: str = "targets", progress: Progress = SILENCE
) -> pd.DataFrame:
    """Check every target in every cell and group that it applies to.

    Intervals are widened for the number of checks (Bonferroni), so that with 95 % confidence no verdict
    of the table is wrong.

    Returns
    -------
    DataFrame
        ``target`` (its unique name), ``measure``, ``players``, ``variant``, ``group``, ``value``,
        ``low``, ``high``, ``least``, ``most`` (the bounds), ``verdict`` (``pass``: the whole interval lies inside;
        ``fail``: it lies outside; ``undecided``; ``too few decks`` to judge), ``more_games`` to settle it, ``n``,
        ``decks``.

    Raises
    ------
    BalanceError
        A target names a measure, player count, variant or group that the run does not have, or it has
        too few games.
    """
    check_targets_fit(run.plan, targets, where)
    answers = gather(run, [*target_questions(run.plan, targets), Played()], progress)
    table = read_targets_table(run.plan, targets, answers, where, run.plan.look_families)
    require_spread(run, table["decks"])
    return table


def target_questions(plan: Plan, targets: Sequence[Target]) -> list[Means]:
    """Return the questions for targets that fit the plan."""
    measures = {measure.name: measure for measure in measures_of(plan)}
    return [target_question(measures[target.measure]) for target in targets]


def target_question(measure: Measure) -> Means:
    """Return the question about a measure's means in every cell and group."""
    return measure_means([measure], ["players", "variant", *([measure.by] if measure.by else [])])


def read_targets_table(
    plan: Plan, targets: Sequence[Target], answers: Answers, where: str, families: int = 1
) -> pd.DataFrame:
    """Return the table of `check_targets` from the answers to its questions.

    `families` is the number of families of verdicts on the page, which share its error evenly.
    """
    measures = {measure.name: measure for measure in measures_of(plan)}
    parts = [
        _rows(
            target, measures[target.measure], answers[target_question(measures[target.measure])], where
        )
        for target in targets
    ]
    for name, part in zip(name_targets(targets), parts, strict=True):
        part.insert(0, "target", name)
    table = pd.concat(parts, ignore_index=True)
    level = 1 - ALPHA / families / max(1, len(table))
    rows = list(zip(table.itertuples(), table["measure"].map(measures), strict=True))
    wide = [widen(row, measure, level) for row, measure in rows]
    table["low"], table["high"] = [each.low for each in wide], [each.high for each in wide]
    table["verdict"] = [_judge(row) for row in table.itertuples()]
    table["error"] = [_error(row, measure) for row, measure in rows]
    more = _more_games(table, level)
    table["more_games"] = np.where(table["verdict"] == "undecided", more, 0).astype(np.int64)
    return withhold(table.drop(columns=["error", "games"]), answers[Played()])


def widen(row: Any, measure: Measure, level: float) -> Interval:
    """Return a row's interval at another level, computed as a share if the measure is one."""
    plain = Interval(row.value, np.nan, np.nan, row.n, row.decks, row.error)
    if measure.is_share:
        ends = replace(plain, low=-np.inf, high=np.inf)
        return scale(share_interval(scale(ends, 1 / measure.scale), level), measure.scale)
    if row.decks < 2 or (row.error == 0 and row.decks < LEAST_DECKS):
        return replace(plain, low=-np.inf, high=np.inf)
    reach = stats.t.isf((1 - level) / 2, row.decks - 1) * row.error
    return replace(plain, low=row.value - reach, high=row.value + reach)


def _rows(target: Target, measure: Measure, answer: pd.DataFrame, where: str) -> pd.DataFrame:
    group = answer[measure.by].astype(str) if measure.by else ""
    rows = answer.assign(group=group, measure=measure.name)
    per_game = 1 if measure.per_game else rows["players"]
    rows["games"] = rows.groupby(["players", "variant"])["n"].transform("sum") / per_game
    if target.players:
        rows = rows[rows["players"].isin(target.players)]
    if target.variants:
        rows = rows[rows["variant"].isin(target.variants)]
    if target.groups:
        known = sorted(rows["group"].unique())
        for name in target.groups:
            if name not in known:
                raise unknown(measure.by or "group", name, known, where)
        rows = rows[rows["group"].isin(target.groups)]
    bounds = [target.bounds(players) for players in rows["players"]]
    rows = rows.assign(least=[low for low, _ in bounds], most=[high for _, high in bounds])
    columns = [
        "measure",
        "players",
        "variant",
        "group",
        "value",
        "low",
        "high",
        "least",
        "most",
    ]
    return rows.rename(columns={"clusters": "decks"})[[*columns, "n", "decks", "error", "games"]]


def _judge(row: Any) -> str:
    low, high = row.low, row.high
    if row.decks < LEAST_DECKS:
        return TOO_FEW
    if row.least <= low and high <= row.most:
        return "pass"
    if high < row.least or low > row.most:
        return "fail"
    return "undecided"


def _error(row: Any, measure: Measure) -> float:
    """Return the standard error behind a row's interval."""
    if not measure.is_share:
        return float(row.error)
    plain = (row.value / measure.scale, row.error / measure.scale, row.decks)
    return measure.scale * float(share_error(*plain))


def _more_games(table: pd.DataFrame, level: float) -> np.ndarray:
    """Return the games that show each row's mean to lie within its bounds, or beyond one, with 80 % probability."""
    least, most, error = (table[name].to_numpy(float) for name in ("least", "most", "error"))
    both = np.isfinite(least) & np.isfinite(most)
    middle = np.where(both, (least + most) / 2, np.where(np.isfinite(least), least, most))
    away = table["value"].to_numpy(float) - middle
    found = Interval(away, np.nan, np.nan, table["games"].to_numpy(), table["decks"].to_numpy(), error)
    # With a single bound, the mean lies above or below it.
    reach = np.where(both, (most - least) / 2, 0.0)
    return np.asarray(more_to_place(found, reach, NEXT_LOOK * (1 - level)))


def exit_status(table: pd.DataFrame) -> int:
    """Return 0 if all checks pass, 1 if one fails, 3 if none fails and one is undecided or has too few deals."""
    verdicts = set(table["verdict"])
    return 1 if "fail" in verdicts else 0 if verdicts <= {"pass"} else 3
