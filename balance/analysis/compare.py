"""What a variant changes: paired differences from a baseline on the same games, measure by measure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from balance.analysis.gather import (
    Question,
    Report,
    gather,
    in_plan_order,
    interval_columns,
    interval_of,
    intervals_of,
    moments_sql,
    quote,
    require_spread,
)
from balance.analysis.measures import Measure, choose_measures, measures_of
from balance.errors import BalanceError, unknown
from balance.experiments import Plan
from balance.runfolder import RunFolder
from balance.stats.comparisons import holm, judge, more_needed, p_value

COLUMNS = (
    "players", "variant", "measure", "group", "unit", "baseline", "effect", "low", "high", "p",
    "verdict", "more_games", "n", "decks", "gain",
)  # fmt: skip


def compare_variants(
    run: RunFolder,
    baseline: str,
    measures: Sequence[str] | None = None,
    report: Report = lambda done, planned: None,
) -> pd.DataFrame:
    """Effects of every other variant of a run on measures, at each player count.

    Games are paired with the baseline's of the same deck, line-up and seeds. Intervals are 95 % and
    cluster-robust on the deck; p-values are corrected by Holm's method over the whole table.

    Parameters
    ----------
    measures : sequence of str or None
        Names of measures; None for all that the run has.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``measure``, ``group`` (seat or strategy, or ""), ``unit``,
        ``baseline`` (its mean), ``effect``, ``low``, ``high``, ``p`` (corrected), ``verdict`` (see
        `balance.stats.comparisons.judge`), ``more_games`` (that would decide what is undecided, 0 where
        nothing can be said), ``n`` (pairs), ``decks``, ``gain`` (how many times as many games would be
        needed unpaired).

    Raises
    ------
    BalanceError
        The run has no such variant or measure, no other variant, or too few games.
    """
    check_baseline(run.plan, baseline, str(run.path))
    questions = pair_questions(run.plan, baseline, choose_measures(run.plan, measures))
    table = read_pairs(run.plan, gather(run, questions, report))
    require_spread(run, table["decks"])
    return table


def check_baseline(plan: Plan, baseline: str, where: str) -> None:
    """Refuse a baseline that a run does not have, and a run with nothing to compare."""
    names = [variant.name for variant in plan.variants]
    if baseline not in names:
        raise unknown("baseline", baseline, names, where)
    if len(names) == 1:
        raise BalanceError(f"{where} has one variant only ({baseline}): there is nothing to compare")


def pair_questions(plan: Plan, baseline: str, measures: Sequence[Measure]) -> dict[str, Question]:
    """The questions of a comparison: one for all measures that are split alike."""

    def kind(measure: Measure) -> tuple[str, bool]:
        return measure.by, measure.per_game

    found = {}
    for (by, per_game), group in groupby(sorted(measures, key=kind), kind):
        found[f"pairs {by} {per_game}"] = _pairs(list(group), by, per_game, baseline)
    return found


def _pairs(measures: Sequence[Measure], by: str, per_game: bool, baseline: str) -> Question:
    """Differences of pairs are what the clusters are made of; both arms are summed beside them."""
    quoted = quote(baseline)
    values = ", ".join(f"({m.scaled})::DOUBLE AS v{i}" for i, m in enumerate(measures))
    split = f"{by}::VARCHAR" if by else "''"
    both = [f"a.v{i} IS NOT NULL AND b.v{i} IS NOT NULL" for i in range(len(measures))]
    sums = ", ".join(
        f"count_if({both[i]})::DOUBLE AS n{i}, "
        + ", ".join(
            f"coalesce(sum({value}) FILTER ({both[i]}), 0) AS {arm}{i}"
            for arm, value in (("d", f"a.v{i} - b.v{i}"), ("x", f"a.v{i}"), ("y", f"b.v{i}"))
        )
        for i in range(len(measures))
    )
    outer = ", ".join(
        moments_sql(f"{arm}{i}", f"n{i}", f"_{arm}{i}") for i in range(len(measures)) for arm in "dxy"
    )
    sql = f"""
        WITH v AS (
            SELECT players, variant, number, seat, deck_seed, {split} AS "group", {values}
            FROM rows WHERE {"seat = 0" if per_game else "true"}
        ), decks AS (
            SELECT a.players, a.variant, a."group", a.deck_seed, {sums}
            FROM v a JOIN v b USING (players, number, seat)
            WHERE b.variant = {quoted} AND a.variant <> {quoted} GROUP BY ALL
        )
        SELECT players, variant, "group", {outer} FROM decks GROUP BY ALL
    """
    return Question(sql, ("players", "variant", "group"), lambda frame: _read(frame, measures))


def _read(frame: pd.DataFrame, measures: Sequence[Measure]) -> pd.DataFrame:
    parts = []
    for i, measure in enumerate(measures):
        paired, variant, base = (intervals_of(frame, f"_{arm}{i}") for arm in "dxy")
        with np.errstate(divide="ignore", invalid="ignore"):
            gain = (variant.error**2 + base.error**2) / paired.error**2
        part = frame[["players", "variant", "group"]].assign(
            measure=measure.name,
            unit=measure.unit,
            threshold=measure.threshold,
            per_game=measure.per_game,
            baseline=base.value,
            gain=np.where(paired.error > 0, gain, np.inf),
            **interval_columns(paired),
        )
        parts.append(part[part["n"] > 0])
    return pd.concat(parts, ignore_index=True)


def read_pairs(plan: Plan, answers: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """One table of effects from the answers to `pair_questions`; others are left alone."""
    parts = [answer for name, answer in answers.items() if name.startswith("pairs ")]
    table = pd.concat(parts, ignore_index=True)
    order = {measure.name: number for number, measure in enumerate(measures_of(plan))}
    table["order"] = table["measure"].map(order)
    table = in_plan_order(plan, table, ["players", "variant", "order", "group"])
    raw = [float(p_value(interval_of(row))) for row in table.itertuples()]
    table["p"] = holm(raw)
    table["verdict"] = [
        judge(interval_of(row), row.p, _threshold(row.threshold)) for row in table.itertuples()
    ]
    games = table.groupby(["players", "variant", "measure"])["n"].transform("sum")
    games = games / np.where(table["per_game"], 1, table["players"])
    table["more_games"] = [
        round(more_needed(interval_of(row), _threshold(row.threshold), p, row.p) * of / row.n)
        if row.verdict == "undecided"
        else 0
        for row, p, of in zip(table.itertuples(), raw, games, strict=True)
    ]
    return table.rename(columns={"value": "effect", "clusters": "decks"})[list(COLUMNS)]


def _threshold(value: float) -> float | None:
    return None if value is None or np.isnan(value) else value
