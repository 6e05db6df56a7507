"""Does a run meet a designer's targets? Each is met, missed or undecided."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from balance.analysis.gather import Question, Report, gather, measure_means, require_spread
from balance.analysis.measures import Measure, measures_of
from balance.errors import BalanceError, unknown
from balance.experiments import Plan
from balance.runfolder import RunFolder
from balance.targets import Target

ALPHA = 0.05


def check_targets(
    run: RunFolder,
    targets: Sequence[Target],
    where: str = "targets",
    report: Report = lambda done, planned: None,
) -> pd.DataFrame:
    """Hold every target against every cell and group that it speaks of.

    Intervals are widened for the number of checks (Bonferroni), so that with 95 % confidence no verdict
    of the table is wrong.

    Returns
    -------
    DataFrame
        ``target``, ``measure``, ``players``, ``variant``, ``group``, ``value``, ``low``, ``high``,
        ``least``, ``most`` (the bounds), ``verdict`` (``pass``: the whole interval lies inside;
        ``fail``: it lies outside; ``undecided``), ``more_games`` that would decide it, ``n``, ``decks``.

    Raises
    ------
    BalanceError
        A target names a measure, player count, variant or group that the run does not have, or it has
        too few games.
    """
    questions = target_questions(run.plan, targets, where)
    table = read_targets_table(run.plan, targets, gather(run, questions, report), where)
    require_spread(run, table["decks"])
    return table


def target_questions(plan: Plan, targets: Sequence[Target], where: str) -> dict[str, Question]:
    """The questions that targets ask of a run."""
    measures = {measure.name: measure for measure in measures_of(plan)}
    questions = {}
    for target in targets:
        if target.measure not in measures:
            raise unknown("measure", target.measure, list(measures), where)
        measure = measures[target.measure]
        by = ["players", "variant", *([measure.by] if measure.by else [])]
        questions[f"target {measure.name}"] = measure_means([measure], by)
        _check_cells(plan, target, where)
    return questions


def _check_cells(plan: Plan, target: Target, where: str) -> None:
    for players in target.players:
        if players not in plan.experiment.players:
            raise BalanceError(f"{where}: {target.measure}: the run has no {players}-player games")
    names = [variant.name for variant in plan.variants]
    for name in target.variants:
        if name not in names:
            raise unknown("variant", name, names, where)


def read_targets_table(
    plan: Plan, targets: Sequence[Target], answers: dict[str, pd.DataFrame], where: str
) -> pd.DataFrame:
    """The table of `check_targets` from the answers to its questions."""
    measures = {measure.name: measure for measure in measures_of(plan)}
    parts = [
        _rows(target, measures[target.measure], answers[f"target {target.measure}"], where)
        for target in targets
    ]
    table = pd.concat(parts, ignore_index=True)
    with np.errstate(invalid="ignore"):
        reach = stats.t.isf(ALPHA / (2 * max(1, len(table))), table["decks"] - 1) * table["error"]
    reach = pd.Series(reach).where(table["decks"] > 1, np.inf)
    table["low"], table["high"] = table["value"] - reach, table["value"] + reach
    table["verdict"] = [_judge(row) for row in table.itertuples()]
    table["more_games"] = [_more(row) if row.verdict == "undecided" else 0 for row in table.itertuples()]
    return table.drop(columns=["error", "games"])


def _rows(target: Target, measure: Measure, answer: pd.DataFrame, where: str) -> pd.DataFrame:
    group = answer[measure.by].astype(str) if measure.by else ""
    rows = answer.assign(group=group, target=target.describe(), measure=measure.name)
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
        "target",
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


def _judge(row: object) -> str:
    low, high = row.low, row.high  # type: ignore[attr-defined]
    if row.least <= low and high <= row.most:  # type: ignore[attr-defined]
        return "pass"
    if high < row.least or low > row.most:  # type: ignore[attr-defined]
        return "fail"
    return "undecided"


def _more(row: object) -> int:
    """Games until the interval would clear the nearest bound, if the mean stays where it is."""
    half = (row.high - row.low) / 2  # type: ignore[attr-defined]
    gap = min(abs(row.value - row.least), abs(row.value - row.most))  # type: ignore[attr-defined]
    if not math.isfinite(half) or gap == 0:
        return 0
    games: float = row.games  # type: ignore[attr-defined]
    return math.ceil(games * max(0.0, float(half / gap) ** 2 - 1))


def exit_status(table: pd.DataFrame) -> int:
    """0 all pass, 1 one fails, 3 none fails and one is undecided."""
    verdicts = set(table["verdict"])
    return 1 if "fail" in verdicts else 3 if "undecided" in verdicts else 0
