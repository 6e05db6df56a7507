"""Effects of variants: paired differences from a baseline on the same deals, measure by measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import pandas as pd

from balance.analysis.ended import Played, withhold
from balance.analysis.gather import Answers, gather, in_plan_order
from balance.analysis.holdout import of_all_decks, with_all_decks
from balance.analysis.question import (
    STRATUM,
    Question,
    column,
    interval_columns,
    interval_of_frame,
    intervals_of,
    join_strata,
    literal,
    moments,
    require_spread,
)
from balance.contract.analytics import Measure
from balance.experiments.measures import choose_measures, measures_of
from balance.experiments.plan import Plan
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.stats.comparisons import NEXT_LOOK, judge, more_needed, p_value, p_within, widen_alike

COLUMNS = (
    "players", "variant", "measure", "group", "unit", "baseline", "effect", "low", "high", "p",
    "verdict", "more_games", "n", "decks", "gain", "error", "baseline_error", "level_error",
)  # fmt: skip
ARMS = ("effect", "variant", "base")  # the difference of a pair, and its two sides
NEGLIGIBLE = 1e-9  # a baseline mean that counts as 0, so that no percentages of it are shown


def compare_variants(
    run: RunFolder,
    baseline: str,
    measures: Sequence[str] | None = None,
    progress: Progress = SILENCE,
) -> pd.DataFrame:
    """Return the effects of every other variant of a run on measures, at each player count.

    Games are paired with the baseline's games of the same deal, line-up and seeds. Intervals are 95 % and
    cluster-robust on the deal. Verdicts of both kinds (different, the same within a threshold) are corrected together
    over the whole table, and for each extension of the run (`balance.experiments.plan.Plan.look_families`).

    Parameters
    ----------
    measures : sequence of str or None
        Names of measures; None for all measures of the run.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``measure``, ``group`` (seat or strategy, or ""), ``unit``,
        ``baseline`` (its mean), ``effect``, ``low``, ``high``, ``p`` of the verdict (corrected),
        ``verdict`` (see `balance.stats.comparisons.Verdicts`), ``more_games`` (to settle an undecided row; 0 if
        unknown), ``n`` (pairs), ``decks``, ``gain`` (how many times as many unpaired games give the same interval),
        ``error``, ``baseline_error``, ``level_error`` (standard errors of the effect, of the baseline's mean and of
        the variant's).

    Raises
    ------
    BalanceError
        The run has no such variant or measure, no other variant, or too few games.
    """
    check_baseline(run.plan, baseline, str(run.path))
    questions = pair_questions(baseline, choose_measures(run.plan, measures))
    answers = gather(run, [*questions, Played()], progress)
    table = read_pairs(run.plan, questions, answers, run.plan.look_families)
    require_spread(run, table["decks"])
    return table


def check_baseline(plan: Plan, baseline: str, where: str) -> None:
    """Raise if a run lacks the baseline or has nothing to compare."""
    names = [variant.name for variant in plan.variants]
    if baseline not in names:
        raise unknown("baseline", baseline, names, where)
    if len(names) == 1:
        raise BalanceError(f"{where} has one variant only ({baseline}): there is nothing to compare")


def pair_questions(baseline: str, measures: Sequence[Measure]) -> list[Pairs]:
    """Return the questions of a comparison: one for all measures with the same split."""

    def kind(measure: Measure) -> tuple[str, bool]:
        return measure.by, measure.per_game

    groups = groupby(sorted(measures, key=kind), kind)
    return [Pairs(tuple(alike), by, per_game, baseline) for (by, per_game), alike in groups]


@dataclass(frozen=True)
class Pairs(Question):
    """Differences between pairs of games, clustered by deal, stratified by line-up, with the sums of both arms.

    The answer has each ``half`` of the deals, and all deals (`balance.analysis.holdout.WHOLE`).

    Attributes
    ----------
    measures : tuple of Measure
        Measures that are all split by `by`, and all or none `per_game`.
    """

    measures: tuple[Measure, ...]
    by: str
    per_game: bool
    baseline: str

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "group", "half", STRATUM)

    @property
    def sql(self) -> str:
        values = ", ".join(f"({m.scaled})::DOUBLE AS {column(m.name)}" for m in self.measures)
        split = f"{self.by}::VARCHAR" if self.by else "''"
        decks = ", ".join(_pair_sums(measure.name) for measure in self.measures)
        outer = ", ".join(
            moments(f"{m.name} {arm}", column(m.name, arm), column(m.name, "pairs"))
            for m in self.measures
            for arm in ARMS
        )
        base = literal(self.baseline)
        return f"""
            WITH v AS (
                SELECT players, variant, number, seat, deal_seed, half, {STRATUM}, {split} AS "group", {values}
                FROM seat_rows WHERE {"seat = 0" if self.per_game else "true"}
            ), decks AS (
                SELECT a.players, a.variant, a."group", a.deal_seed, any_value(a.half) AS half,
                       a.{STRATUM}, {decks}
                FROM v a JOIN v b USING (players, number, seat)
                WHERE b.variant = {base} AND a.variant <> {base} GROUP BY ALL
            )
            SELECT players, variant, "group", half, {STRATUM}, {outer} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        keys = ["players", "variant", "group", "half"]
        sums = join_strata(with_all_decks(sums, ["players", "variant", "group", STRATUM]), keys)
        parts = []
        for measure in self.measures:
            paired, variant, base = (intervals_of(sums, f"{measure.name} {arm}") for arm in ARMS)
            paired = widen_alike(paired)
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = (variant.error**2 + base.error**2) / paired.error**2
            part = sums[keys].assign(
                measure=measure.name,
                unit=measure.unit,
                threshold=measure.threshold,
                per_game=measure.per_game,
                baseline=base.value,
                baseline_error=base.error,
                level_error=variant.error,
                gain=np.where(paired.error > 0, gain, np.inf),
                **interval_columns(paired),
            )
            parts.append(part[part["n"] > 0])
        return pd.concat(parts, ignore_index=True)


def _pair_sums(name: str) -> str:
    """Return SQL for the number of a deal's pairs with a measure on both sides, and its sums over them."""
    a, b = f"a.{column(name)}", f"b.{column(name)}"
    both = f"{a} IS NOT NULL AND {b} IS NOT NULL"
    arms = dict(zip(ARMS, (f"{a} - {b}", a, b), strict=True))
    return f"count_if({both})::DOUBLE AS {column(name, 'pairs')}, " + ", ".join(
        f"coalesce(sum({value}) FILTER ({both}), 0) AS {column(name, arm)}"
        for arm, value in arms.items()
    )


def read_pairs(
    plan: Plan, questions: Sequence[Pairs], answers: Answers, families: int = 1
) -> pd.DataFrame:
    """Return one table of effects from the answers to `pair_questions` and `Played`, over all deals.

    Verdicts on cells with too many broken games are withheld. `families` is the number of families of verdicts on
    the page, see `balance.stats.comparisons.judge`.
    """
    table = of_all_decks(_in_order(plan, questions, answers))
    effects, threshold = interval_of_frame(table), table["threshold"].to_numpy()
    judged = judge(effects, p_value(effects), p_within(effects, threshold), families)
    table["p"], table["verdict"] = judged.p, judged.words
    games = table.groupby(["players", "variant", "measure"])["n"].transform("sum")
    games = games / np.where(table["per_game"], 1, table["players"])
    more = more_needed(effects, threshold, judged.level * NEXT_LOOK) * games / table["n"]
    table["more_games"] = np.where(table["verdict"] == "undecided", np.round(more), 0).astype(np.int64)
    table = table.rename(columns={"value": "effect", "clusters": "decks"})[list(COLUMNS)]
    return withhold(table, answers[Played()], questions[0].baseline)


def _in_order(plan: Plan, questions: Sequence[Pairs], answers: Answers) -> pd.DataFrame:
    table = pd.concat([answers[question] for question in questions], ignore_index=True)
    table["threshold"] = table["threshold"].astype(float)
    return by_measure(plan, table, ["group", "half"])


def by_measure(plan: Plan, table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Sort rows by player count and variant, then by measure in the order of the plan, then by `keys`."""
    order = {measure.name: number for number, measure in enumerate(measures_of(plan))}
    table = table.assign(order=table["measure"].map(order))
    return in_plan_order(plan, table, ["players", "variant", "order", *keys])


def sort_effects(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Sort the effects at each player count; equal rows keep their order.

    Parameters
    ----------
    by : str
        ``effect``: the furthest from 0 first, in half-widths of the interval (with equal numbers of deals, this
        orders by standard errors); an interval of width 0 comes first, an infinite one last. ``measure``: effects on
        a measure and group together. ``variant``: effects of a variant together.
    """
    players, variant, measure, group = (
        pd.factorize(table[name])[0] for name in ("players", "variant", "measure", "group")
    )
    order = {"effect": [-_sizes(table)], "measure": [group, measure], "variant": [variant]}
    return table.iloc[np.lexsort([*order[by], players])].reset_index(drop=True)


def _sizes(table: pd.DataFrame) -> np.ndarray:
    """Return how far each effect is from 0, in half-widths of its interval; 0 if both are 0."""
    effect, half = table["effect"].abs().to_numpy(), (table["high"] - table["low"]).to_numpy() / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        sizes: np.ndarray = effect / half
    return np.where(np.isnan(sizes), 0.0, sizes)


def pairing_gains(effects: pd.DataFrame) -> pd.DataFrame:
    """Return the gain from pairing by measure: ``measure``, ``median``, ``least``, ``most``, ``rows`` (effects)."""
    finite = effects[np.isfinite(effects["gain"])]
    gains = finite.groupby("measure", sort=False)["gain"].agg(["median", "min", "max", "count"])
    names = {"min": "least", "max": "most", "count": "rows"}
    return gains.rename(columns=names).reset_index()
