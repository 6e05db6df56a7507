"""Effects of variants, measure by measure: paired differences on the same deals, and differences between two runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import groupby

import numpy as np
import pandas as pd

from balance.analysis.chances import told_chances
from balance.analysis.ended import Played, none_ended, notes_on_games, require_spread, withhold
from balance.analysis.gather import Answers, gather, in_plan_order
from balance.analysis.holdout import WHOLE, of_all_decks, with_all_decks
from balance.analysis.question import (
    STRATUM,
    Question,
    column,
    interval_columns,
    interval_of_frame,
    intervals_of,
    join_strata,
    moments,
)
from balance.analysis.shares import withhold_unmixed
from balance.analysis.target_checks import answer_apart, answer_targets, target_question
from balance.contract.analytics import Measure, literal
from balance.contract.sides import TEAM
from balance.experiments.measures import APART, FOLLOWED, apart_measures, choose_measures, named_measures
from balance.experiments.plan import Plan
from balance.experiments.planning import equal_cells
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.runs.sidecar import CHANCES
from balance.runs.strength import read_tier_rows
from balance.stats.comparisons import (
    ALPHA,
    EQUAL,
    NEXT_LOOK,
    UNDECIDED,
    judge,
    more_needed,
    p_value,
    p_within,
    shrink,
    widen_alike,
)
from balance.stats.intervals import LEVEL, Interval, difference_from_ends, t_ratio

COLUMNS = (
    "players", "variant", "measure", "group", "unit", "baseline", "effect", "low", "high", "p",
    "verdict", "more_games", "n", "decks", "gain", "error", "baseline_error", "level_error", "networks", "apart",
)  # fmt: skip
KEYS = ["players", "variant", "measure", "group"]
ARMS = ("effect", "variant", "base")  # the difference of a pair, and its two sides
NEGLIGIBLE = 1e-9  # a baseline mean that counts as 0, so that no percentages of it are shown


def compare_variants(
    run: RunFolder, baseline: str, measures: Sequence[str] | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Return the effects of every other variant of a run on measures, at each player count.

    Games are paired with the baseline's games of the same deal, line-up and seeds. Intervals are 95 % and
    cluster-robust on the deal. Verdicts of both kinds (different, the same within a threshold) are corrected together
    over the whole table, and for each extension of the run (`balance.experiments.plan.Plan.look_families`).

    `measures` are names, those of followed and traced games too (`unpaired_differences`); None stands for all that the
    run has, without those of traced games.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``measure``, ``group`` (seat, strategy, faction, option or ""), ``unit``,
        ``baseline`` (its mean), ``effect``, ``low``, ``high``, ``p`` of the verdict (corrected),
        ``verdict`` (see `balance.stats.comparisons.Verdicts`), ``more_games`` (to settle an undecided row; 0 if
        unknown), ``n`` (pairs), ``decks``, ``gain`` (how many times as many unpaired games give the same interval),
        ``error``, ``baseline_error``, ``level_error`` (standard errors of the effect, of the baseline's mean and of
        the variant's), ``networks``, ``apart`` (see `balance.stats.intervals.Interval`).
    """
    check_baseline(run.plan, baseline, str(run.path))
    chosen = choose_measures(run.plan, measures, apart=True)
    questions = pair_questions(baseline, chosen if measures else [*chosen, *_followed_by_all(run)])
    answers = gather(run, [*(each for each in questions if not each.is_apart), Played()], progress)
    for each in questions:
        if each.is_apart:
            parts = [unpaired_differences(one, answer_apart(run, one), baseline) for one in each.measures]
            answers[each] = pd.concat(parts, ignore_index=True)
    table = read_pairs(run.plan, questions, answers, run.plan.look_families)
    require_spread(run, table["decks"], answers[Played()])
    for note in notes_on_games(run.plan, answers[Played()]):
        progress.tell(note)
    return table


def unpaired_differences(measure: Measure, means: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Return the differences of a measure that is no SQL over rows, as `Pairs.read` returns them.

    Their intervals leave out that all variants play the same deals, and are wider for that.

    Parameters
    ----------
    means : DataFrame
        The answer to `balance.analysis.target_checks.target_question`.
    """
    means = means.assign(group=means[measure.by].astype(str) if measure.by else "")
    others, bases = means[means["variant"] != baseline], means[means["variant"] == baseline]
    rows = others.merge(bases, on=["players", "group"], suffixes=("", "_base"))
    before, found = _subtract(rows, "_base")
    return rows[["players", "variant", "group"]].assign(
        measure=measure.name, unit=measure.unit, threshold=float("nan"), half=WHOLE, per_game=measure.per_game,
        baseline=before["value"], baseline_error=before["error"], level_error=rows["error"], gain=float("nan"),
        **{**interval_columns(found), "n": rows["n"], "clusters": np.minimum(rows["clusters"], before["clusters"])},
    )  # fmt: skip


def _subtract(rows: pd.DataFrame, suffix: str) -> tuple[pd.DataFrame, Interval]:
    """Return the second estimates of merged rows, whose columns have the suffix, and the first less the second."""
    second = rows[[f"{field.name}{suffix}" for field in fields(Interval)]]
    second.columns = second.columns.str.removesuffix(suffix)
    return second, difference_from_ends(interval_of_frame(rows), interval_of_frame(second))


def check_baseline(plan: Plan, baseline: str, where: str) -> None:
    """Raise if a run lacks the baseline or has nothing to compare."""
    names = [variant.name for variant in plan.variants]
    if baseline not in names:
        raise unknown("baseline", baseline, names, where)
    if len(names) == 1:
        raise BalanceError(
            tr("{run} has one variant only ({variant}): there is nothing to compare", run=where, variant=baseline)
        )


def pair_questions(baseline: str, measures: Sequence[Measure]) -> list[Pairs]:
    """Return the questions of a comparison: one for all measures with the same split.

    Those about measures that are no SQL over rows are answered by `balance.studies.closer`.
    """

    def kind(measure: Measure) -> tuple[str, bool, bool, bool]:
        return measure.by, measure.per_game, measure.is_followed, measure.is_traced

    groups = groupby(sorted(measures, key=kind), kind)
    return [Pairs(tuple(alike), by, per_game, baseline) for (by, per_game, *_), alike in groups]


@dataclass(frozen=True)
class Pairs(Question):
    """Differences between pairs of games, clustered by deal, stratified by line-up, with the sums of both arms.

    The answer has each ``half`` of the deals, and all deals (`balance.analysis.holdout.WHOLE`).

    The measures are all split by `by`, and all or none `per_game`. Both seats of a pair are in the same group: if a
    variant draws other factions, those seats don't count.
    """

    measures: tuple[Measure, ...]
    by: str
    per_game: bool
    baseline: str

    keys = ("players", "variant", "group", "half", STRATUM)

    @property
    def is_followed(self) -> bool:
        """Whether it is about measures of followed games."""
        return self.measures[0].is_followed

    @property
    def is_traced(self) -> bool:
        """Whether it is about measures of traced games."""
        return self.measures[0].is_traced

    @property
    def is_apart(self) -> bool:
        """Whether it is about measures that are no SQL over rows."""
        return self.measures[0].is_apart

    @property
    def sql(self) -> str:
        values = ", ".join(f"({m.scaled})::DOUBLE AS {column(m.name)}" for m in self.measures)
        decks = ", ".join(_pair_sums(measure.name) for measure in self.measures)
        outer = ", ".join(
            moments(f"{m.name} {arm}", column(m.name, arm), column(m.name, "pairs"))
            for m in self.measures
            for arm in ARMS
        )
        base = literal(self.baseline)
        return f"""
            WITH v AS (
                SELECT players, variant, number, seat, deal_seed, half, {STRATUM}, is_repeat,
                       {self.by or 0} AS "group", {values}
                FROM ended_rows WHERE {"seat = 0" if self.per_game else "true"}
            ), decks AS (
                SELECT a.players, a.variant, a."group", a.deal_seed, any_value(a.half) AS half,
                       a.{STRATUM}, {decks}
                FROM v a JOIN v b USING (players, number, seat, "group")
                WHERE b.variant = {base} AND a.variant <> {base} AND NOT (a.is_repeat AND b.is_repeat) GROUP BY ALL
            )
            SELECT players, variant, "group", half, {STRATUM}, {outer} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        keys = ["players", "variant", "group", "half"]
        sums = sums.assign(group=sums["group"].astype(str) if self.by else "")
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
    arms = zip(ARMS, (f"{a} - {b}", f"if({b} IS NULL, NULL, {a})", f"if({a} IS NULL, NULL, {b})"), strict=True)
    return f"count({a} - {b})::DOUBLE AS {column(name, 'pairs')}, " + ", ".join(
        f"coalesce(sum({value}), 0) AS {column(name, arm)}" for arm, value in arms
    )


def read_pairs(plan: Plan, questions: Sequence[Pairs], answers: Answers, families: int = 1) -> pd.DataFrame:
    """Return one table of effects from the answers to `pair_questions` and `Played`, over all deals.

    Verdicts on cells with too many broken games are withheld, and those on seats and strategies that can't be told
    apart; `EQUAL` is the verdict of a measure that is the same in all pairs of games. `families` is the number of
    families of verdicts on the page, see `balance.stats.comparisons.judge`.
    """
    baseline = questions[0].baseline
    table = pd.concat([answers[question] for question in questions], ignore_index=True)
    table = by_measure(plan, table.astype({"threshold": float}), ["group", "half"])
    table = of_all_decks(table)
    effects, threshold = interval_of_frame(table), table["threshold"].to_numpy()
    judged = judge(effects, p_value(effects), p_within(effects, threshold), families, threshold)
    table["p"], table["verdict"] = judged.p, judged.words
    games = table.groupby(["players", "variant", "measure"])["n"].transform("sum")
    split = {measure.name: measure.by for asked in questions for measure in asked.measures}
    by_team = table["measure"].map(split) == TEAM
    shares = np.where(by_team, plan.game.sides.count_shares(TEAM, table["players"]), table["players"])
    games = games / np.where(table["per_game"], 1, shares)
    more = more_needed(effects, threshold, judged.level * NEXT_LOOK) * games / table["n"]
    settled = (table["verdict"] != UNDECIDED) | table["measure"].isin(APART)  # more games are not looked at closer
    table["more_games"] = np.where(settled, 0, np.round(more)).astype(np.int64)
    table = table.rename(columns={"value": "effect", "clusters": "decks"})[list(COLUMNS)]
    table = withhold_unmixed(table, plan, [split[name] for name in table["measure"]])
    table = _say_equal(table, equal_cells(plan, baseline))
    return withhold(table, answers[Played()], baseline)


def _say_equal(table: pd.DataFrame, cells: set[tuple[int, str]]) -> pd.DataFrame:
    """Replace by `EQUAL` the verdicts of cells, and of open effects without a difference in any pair of games."""
    equal = pd.MultiIndex.from_frame(table[["players", "variant"]]).isin(cells)
    equal |= (table["verdict"] == UNDECIDED) & (table["effect"] == 0) & (table["error"] == 0)
    verdict, more = table["verdict"].mask(equal, EQUAL), table["more_games"].mask(equal, 0)
    return table.assign(verdict=verdict, more_games=more)


def widen_effects(effects: pd.DataFrame, families: int = 1) -> pd.DataFrame:
    """Return the effects of `read_pairs` with intervals that all hold together with 95 % confidence (Bonferroni)."""
    level = 1 - ALPHA / families / max(1, len(effects))
    ratio, middle = t_ratio(level, independent_units(effects), LEVEL), effects["effect"]
    ends = {end: middle + ratio * (effects[end] - middle) for end in ("low", "high")}
    return effects.assign(**ends)


def independent_units(effects: pd.DataFrame) -> np.ndarray:
    """Return the number of independent units of each effect of `read_pairs`: networks, or deals where none differ."""
    decks = effects["decks"].to_numpy()
    networks = effects["networks"].to_numpy() if "networks" in effects else np.zeros(len(effects))
    return np.where(networks > 0, networks, decks)


def shrink_effects(effects: pd.DataFrame) -> np.ndarray:
    """Return effects shrunk for selection by size (`balance.stats.comparisons.shrink`), each measure apart.

    Shrinkage assumes effects of one kind, and how common large effects are differs between measures: most rules move
    the length of a game, and few move who wins.
    """
    quoted = np.zeros(len(effects))
    for rows in effects.groupby("measure").indices.values():
        part = effects.iloc[rows]
        quoted[rows] = shrink(part["effect"].to_numpy(float), part["error"].to_numpy(float))
    return quoted


def size_in_deviations(effects: pd.DataFrame, quoted: np.ndarray) -> np.ndarray:
    """Return quoted effects in standard deviations of the baseline between deals, without their sign."""
    with np.errstate(divide="ignore", invalid="ignore"):
        size: np.ndarray = np.abs(quoted) / (effects["baseline_error"] * np.sqrt(effects["decks"])).to_numpy()
    return size


def by_measure(plan: Plan, table: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Sort rows by player count and variant, then by measure in the order of the plan, then by `keys`."""
    order = {name: number for number, name in enumerate(named_measures(plan))}
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

    `measures` are names, those of followed games too; None stands for all that both runs have.

    Returns
    -------
    DataFrame
        As from `compare_variants`; ``n`` and ``decks`` are the smaller of the two runs,
        ``more_games`` is 0 and ``gain`` is missing, because nothing is paired.

    Raises
    ------
    NothingSharedError
        The runs have different games, share no player count or group, or one has no finished game.
    """
    _check_shared(one, other)
    apart = apart_measures(one.plan.game)
    plain = measures and [name for name in measures if name not in apart]
    chosen, there = ([] if plain == [] else choose_measures(run.plan, plain) for run in (one, other))
    chosen = [measure for measure in chosen if measure.name in {each.name for each in there}]
    chosen += [apart[name] for name in measures if name in apart] if measures else _followed_by_all(one, other)
    tables = [_read_means(run, chosen, progress) for run in (one, other)]
    names = [[variant.name for variant in run.plan.variants] for run in (one, other)]
    if not set(names[0]) & set(names[1]):
        own = tables[0][tables[0]["variant"] == names[0][0]]
        tables[0] = own.drop(columns="variant").merge(pd.Series(names[1], name="variant"), how="cross")
    table = tables[1].merge(tables[0], on=KEYS, suffixes=("", "_one"))
    if table.empty:
        raise NothingSharedError(
            tr(
                "no finished games of {one} and {other} have player count, variant and group in common: nothing can be "
                "compared",
                one=one.path,
                other=other.path,
            )
        )
    return _judge_differences(table, {measure.name: measure for measure in chosen}, one, other)


def _followed_by_all(*runs: RunFolder) -> list[Measure]:
    """Return the measures of followed games that all these runs have of their active tiers."""
    found = [told_chances(read_tier_rows(run, CHANCES)) for run in runs]
    own = [rows[rows["tier"] == run.plan.tier.name] for run, rows in zip(runs, found, strict=True)]
    shared = set.intersection(*(set(rows["measure"]) for rows in own))
    return [measure for name, measure in FOLLOWED.items() if name in shared]


def _check_shared(one: RunFolder, other: RunFolder) -> None:
    if one.plan.game.name != other.plan.game.name:
        raise NothingSharedError(
            tr(
                "{one} has games of {game}, {other} of {another}: they can't be compared",
                one=one.path,
                game=one.plan.game.name,
                other=other.path,
                another=other.plan.game.name,
            )
        )
    if not set(one.plan.experiment.players) & set(other.plan.experiment.players):
        raise NothingSharedError(
            tr("{one} and {other} share no player count: nothing can be compared", one=one.path, other=other.path)
        )


def _read_means(run: RunFolder, measures: Sequence[Measure], progress: Progress) -> pd.DataFrame:
    """Return every measure in every cell and group: `KEYS`, an estimate, and `WITHHELD` if games were broken off."""
    answers = answer_targets(run, measures, progress)
    if none_ended(answers[Played()]):
        raise NothingSharedError(tr("no game of {run} was finished: nothing can be compared", run=run.path))
    for note in notes_on_games(run.plan, answers[Played()]):
        progress.tell(f"{run.path.name}: {note}")
    parts = []
    for measure in measures:
        answer = answers[target_question(measure)]
        group = answer[measure.by].astype(str) if measure.by else ""
        parts.append(answer.assign(measure=measure.name, group=group))
    table = by_measure(run.plan, pd.concat(parts, ignore_index=True), ["group"])
    return withhold(table.assign(verdict="", more_games=0), answers[Played()])


def _judge_differences(
    table: pd.DataFrame, measures: dict[str, Measure], one: RunFolder, other: RunFolder
) -> pd.DataFrame:
    """Return the differences of merged rows with their verdicts."""
    before, found = _subtract(table, "_one")
    thresholds = table["measure"].map(lambda name: measures[name].threshold).astype(float).to_numpy()
    families = max(one.plan.look_families, other.plan.look_families)
    judged = judge(found, p_value(found), p_within(found, thresholds), families, thresholds)
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
