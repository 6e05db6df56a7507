"""Differences between two runs that can't be pooled, each with its own deals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.compare import COLUMNS, by_measure
from balance.analysis.ended import Played, none_ended, withhold
from balance.analysis.gather import gather
from balance.analysis.question import interval_columns, interval_of_frame
from balance.analysis.target_checks import target_question
from balance.contract.analytics import Measure
from balance.experiments.measures import choose_measures
from balance.foundation.errors import BalanceError
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.stats.comparisons import judge, p_value, p_within
from balance.stats.intervals import difference_from_ends

_KEYS = ["players", "variant", "measure", "group"]


class NothingSharedError(BalanceError):
    """Two runs have nothing to compare; the message says what is missing."""


def compare_runs(
    one: RunFolder, other: RunFolder, measures: Sequence[str] | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Return the means of `other` less the means of `one`, at the player counts that both have.

    Variants with the same name are compared. If the runs share no name, every variant of `other` is compared with
    the first of `one`. No games are paired: the runs count as independent (if they share deals, the intervals are
    wider than necessary). Verdicts of both kinds are corrected together over the whole table, and for each
    extension of a run.

    Parameters
    ----------
    measures : sequence of str or None
        Names of measures; None for all that both runs have.

    Returns
    -------
    DataFrame
        As from `balance.analysis.compare.compare_variants`; ``n`` and ``decks`` are the smaller of the two runs,
        ``more_games`` is 0 and ``gain`` is missing, because nothing is paired.

    Raises
    ------
    NothingSharedError
        The runs have different games, share no player count or group, or one has no finished game.
    BalanceError
        A measure is unknown.
    """
    _check_shared(one, other)
    chosen = choose_measures(one.plan, measures)
    there = {measure.name for measure in choose_measures(other.plan, measures)}
    chosen = [measure for measure in chosen if measure.name in there]
    tables = [_means(run, chosen, progress) for run in (one, other)]
    names = [[variant.name for variant in run.plan.variants] for run in (one, other)]
    if not set(names[0]) & set(names[1]):
        own = tables[0][tables[0]["variant"] == names[0][0]]
        tables[0] = own.drop(columns="variant").merge(pd.Series(names[1], name="variant"), how="cross")
    table = tables[1].merge(tables[0], on=_KEYS, suffixes=("", "_one"))
    if table.empty:
        raise NothingSharedError(
            f"no finished games of {one.path} and {other.path} have player count, variant and group in common: "
            f"nothing can be compared"
        )
    return _judged(table, {measure.name: measure for measure in chosen}, one, other)


def _check_shared(one: RunFolder, other: RunFolder) -> None:
    if one.plan.game.name != other.plan.game.name:
        raise NothingSharedError(
            f"{one.path} has games of {one.plan.game.name}, {other.path} of {other.plan.game.name}: they can't be "
            "compared"
        )
    if not set(one.plan.experiment.players) & set(other.plan.experiment.players):
        raise NothingSharedError(
            f"{one.path} and {other.path} share no player count: nothing can be compared"
        )


def _means(run: RunFolder, measures: Sequence[Measure], progress: Progress) -> pd.DataFrame:
    """Return every measure in every cell and group: `_KEYS`, an estimate, and `WITHHELD` if games were broken off."""
    answers = gather(run, [*(target_question(measure) for measure in measures), Played()], progress)
    if none_ended(answers[Played()]):
        raise NothingSharedError(f"no game of {run.path} was finished: nothing can be compared")
    parts = []
    for measure in measures:
        answer = answers[target_question(measure)]
        group = answer[measure.by].astype(str) if measure.by else ""
        parts.append(answer.assign(measure=measure.name, group=group))
    table = by_measure(run.plan, pd.concat(parts, ignore_index=True), ["group"])
    return withhold(table.assign(verdict="", more_games=0), answers[Played()])


def _judged(
    table: pd.DataFrame, measures: dict[str, Measure], one: RunFolder, other: RunFolder
) -> pd.DataFrame:
    """Return the differences of merged rows with their verdicts."""
    before = table[[f"{name}_one" for name in ("value", "low", "high", "n", "clusters", "error")]]
    before.columns = before.columns.str.removesuffix("_one")
    found = difference_from_ends(interval_of_frame(table), interval_of_frame(before))
    thresholds = table["measure"].map(lambda name: measures[name].threshold).astype(float).to_numpy()
    families = max(one.plan.look_families, other.plan.look_families)
    judged = judge(found, p_value(found), p_within(found, thresholds), families)
    held = table["verdict"].where(table["verdict"] != "", table["verdict_one"])
    fewer = {name: np.minimum(table[name], before[name]) for name in ("n", "clusters")}
    table = table.assign(
        baseline_error=before["error"],
        level_error=table["error"],
        **{**interval_columns(found), **fewer},
        unit=table["measure"].map(lambda name: measures[name].unit),
        baseline=before["value"],
        p=judged.p,
        verdict=held.where(held != "", judged.words),
        gain=np.nan,
    )
    return table.rename(columns={"value": "effect", "clusters": "decks"})[list(COLUMNS)]
