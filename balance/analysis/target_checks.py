"""Checks of a designer's targets against a run: each is met, missed or undecided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from balance.analysis.chances import followed_means
from balance.analysis.ended import Played, notes_on_games, require_spread, withhold
from balance.analysis.gather import Answers, gather
from balance.analysis.question import Means, interval_of_frame, measure_means, scale
from balance.analysis.shares import withhold_unmixed
from balance.analysis.traced import option_means
from balance.contract.analytics import Measure
from balance.experiments.measures import apart_measures, named_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import check_targets_fit
from balance.experiments.targets import Target, name_targets
from balance.foundation.errors import unknown
from balance.foundation.language import N_
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.stats.comparisons import ALPHA, LEAST_DECKS, NEXT_LOOK, UNDECIDED, more_to_place, place_in_bands
from balance.stats.intervals import Interval, share_error, share_interval, student_quantile

COLUMNS = (
    "target", "measure", "players", "variant", "group", "value", "low", "high", "least", "most", "n", "decks",
    "verdict", "more_games", "networks", "apart",
)  # fmt: skip


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
        ``fail``: it lies outside; ``undecided``; ``players differ``: equally strong networks disagree, and more games
        can't decide; ``too few deals`` to judge), ``more_games`` to settle it, ``n``,
        ``decks``.
    """
    check_targets_fit(run.plan, targets, where, apart_measures(run.plan.game))
    known = named_measures(run.plan)
    answers = answer_targets(run, [known[target.measure] for target in targets], progress)
    table = read_targets_table(run.plan, targets, answers, where, run.plan.look_families)
    require_spread(run, table["decks"], answers[Played()])
    for note in notes_on_games(run.plan, answers[Played()]):
        progress.tell(note)
    return table


def target_questions(plan: Plan, targets: Sequence[Target]) -> list[Means]:
    """Return the questions for targets that fit the plan."""
    measures = named_measures(plan)
    return [target_question(measures[target.measure]) for target in targets]


def answer_targets(run: RunFolder, measures: Sequence[Measure], progress: Progress = SILENCE) -> Answers:
    """Return the answers to `target_question` about measures, those of `apart_measures` too, and to `Played`."""
    asked = [target_question(measure) for measure in measures if not measure.is_apart]
    answers = gather(run, [*asked, Played()], progress)
    answers |= {target_question(each): answer_apart(run, each) for each in measures if each.is_apart}
    return answers


def answer_apart(run: RunFolder, measure: Measure) -> pd.DataFrame:
    """Return the answer to `target_question` about a measure that is no SQL over rows."""
    return option_means(run) if measure.is_traced else followed_means(run, measure.name)


def target_question(measure: Measure) -> Means:
    """Return the question about a measure's means in every cell and group."""
    return measure_means([measure], ["players", "variant", *([measure.by] if measure.by else [])])


def read_targets_table(
    plan: Plan, targets: Sequence[Target], answers: Answers, where: str, families: int = 1
) -> pd.DataFrame:
    """Return the table of `check_targets` from the answers to its questions.

    `families` is the number of families of verdicts on the page, which share its error evenly.
    """
    known = named_measures(plan)
    measures = [known[target.measure] for target in targets]
    parts = [
        rows_of_target(plan, target, measure, answers[target_question(measure)], where)
        for target, measure in zip(targets, measures, strict=True)
    ]
    level = 1 - ALPHA / families / max(1, sum(map(len, parts)))
    parts = [
        _judge(part, measure, level).assign(target=name)
        for name, part, measure in zip(name_targets(targets), parts, measures, strict=True)
    ]
    table = pd.concat(parts, ignore_index=True).rename(columns={"clusters": "decks"})
    table = withhold_unmixed(table[list(COLUMNS)], plan, [known[name].by for name in table["measure"]])
    return withhold(table, answers[Played()])


def widen(found: Interval, measure: Measure, level: float) -> Interval:
    """Return intervals (arrays) at another level, computed as shares if the measure is one."""
    endless = np.full(np.shape(found.value), np.inf)
    if measure.is_share:
        plain = scale(replace(found, low=-endless, high=endless), 1 / measure.scale)
        return scale(share_interval(plain, level), measure.scale)
    few = (found.freedom < 1) | ((found.error == 0) & (found.clusters < LEAST_DECKS))
    reach = np.where(few, endless, -student_quantile(found.freedom, (1 - level) / 2) * found.error)
    return replace(found, low=found.value - reach, high=found.value + reach)


def rows_of_target(plan: Plan, target: Target, measure: Measure, answer: pd.DataFrame, where: str) -> pd.DataFrame:
    """Return the rows of an answer to `target_question` to which a target applies, with its bounds."""
    group = answer[measure.by].astype(str) if measure.by else ""
    rows = answer.assign(group=group, measure=measure.name)
    per_game = 1 if measure.per_game else plan.game.sides.count_shares(measure.by, rows["players"])
    rows["games"] = rows.groupby(["players", "variant"])["n"].transform("sum") / per_game
    if target.players:
        rows = rows[rows["players"].isin(target.players)]
    if target.variants:
        rows = rows[rows["variant"].isin(target.variants)]
    if target.groups:
        known = sorted(rows["group"].unique())
        for name in target.groups:
            if name not in known:
                raise unknown("faction" if measure.groups else measure.by or "group", name, known, where)
        rows = rows[rows["group"].isin(target.groups)]
    bounds = [target.bounds(plan.fair_share(players)) for players in rows["players"]]
    return rows.assign(least=[low for low, _ in bounds], most=[high for _, high in bounds])


def _judge(rows: pd.DataFrame, measure: Measure, level: float) -> pd.DataFrame:
    """Return the checks of one target with their intervals at this level, verdicts and the games they still need."""
    found = interval_of_frame(rows)
    wide = widen(found, measure, level)
    least, most = rows["least"].to_numpy(float), rows["most"].to_numpy(float)
    lasting, words = widen(found.of_networks, measure, level), (N_("pass"), N_("fail"), N_("fail"))
    verdict = place_in_bands(wide, lasting, least, most, words)
    if measure.is_share:
        share = scale(found, 1 / measure.scale)
        error = measure.scale * share_error(share.value, share.error, share.clusters)
        found = replace(found, error=error)
    more = games_to_settle(replace(found, n=rows["games"].to_numpy()), least, most, level)
    # More games of a run are not traced.
    more = np.where((verdict == UNDECIDED) & (not measure.is_traced), more, 0).astype(np.int64)
    return rows.assign(low=wide.low, high=wide.high, verdict=verdict, more_games=more)


def games_to_settle(found: Interval, least: np.ndarray, most: np.ndarray, level: float) -> np.ndarray:
    """Return the games that show each mean to lie within its bounds, or beyond one, with 80 % probability."""
    both = np.isfinite(least) & np.isfinite(most)
    with np.errstate(invalid="ignore"):
        middle = np.where(both, (least + most) / 2, np.where(np.isfinite(least), least, most))
        # With a single bound, the mean lies above or below it.
        reach = np.where(both, (most - least) / 2, 0.0)
    away = replace(found, value=found.value - middle)
    return np.asarray(more_to_place(away, reach, NEXT_LOOK * (1 - level)))


def exit_status(table: pd.DataFrame) -> int:
    """Return 0 if all checks pass, 1 if one fails, 3 if none fails and one is open."""
    verdicts = set(table["verdict"])
    return 1 if "fail" in verdicts else 0 if verdicts == {"pass"} else 3
