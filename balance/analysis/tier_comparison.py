"""Comparison of tiers: the results of one set of players and of others on the same deals.

Every function returns rows of one form: the keys that name a row, ``value``, ``low``, ``high``, ``n``, ``clusters``,
``threshold`` (NaN for none) and ``verdict`` ("" for none).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import pandas as pd

from balance.analysis.compare import KEYS, Pairs, pair_questions, read_pairs
from balance.analysis.ended import WITHHELD, Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.leads import half_time, reached, runaway_question
from balance.analysis.question import Question, interval_of_frame, scale
from balance.analysis.shares import (
    SEATS,
    CountFamilies,
    LeavingOut,
    judged_seats,
    leaving_out_applies,
    seat_wins_question,
    share_question,
)
from balance.analysis.spread import cell_questions
from balance.analysis.target_checks import read_targets_table, target_questions
from balance.contract.analytics import Measure
from balance.contract.sides import RIVALS, SEAT
from balance.experiments.measures import choose_measures, measures_of, share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Target
from balance.foundation.language import N_
from balance.stats.comparisons import EQUAL, UNDECIDED, judge, p_value, p_within
from balance.stats.intervals import Interval, difference_from_ends, share_p

LEADER = "leader"
"""Name of a measure: the win share of the sole leader after a round, which is the group."""


class CountTierFamilies(Protocol):
    """`balance.analysis.shares.CountFamilies` of every tier; "": of the differences between tiers."""

    def __call__(self, name: str, tier: str) -> int:
        """Return the number of families that share an error rate with the one of a tier."""


ReadRows = Callable[[Plan, Answers, CountFamilies], pd.DataFrame]
TEMPO = ("won", "decisions", "minutes", "lead_changes", "winner_deficit", "decided", "comeback")
"""Measures of length and tempo, and the games won where all players win together."""
_ENDS = ("value", "low", "high", "n", "clusters", "networks", "apart")
_ROW = [*KEYS, *_ENDS, "threshold", "verdict"]
_SIGNS = {
    "favoured": 1, "higher": 1, "slightly higher": 1, "above fair": 1, "pass": 1,
    "balanced": 0, "same": 0, EQUAL: 0,
    "disfavoured": -1, "lower": -1, "slightly lower": -1, "below fair": -1, "fail": -1,
}  # fmt: skip
"""The side of fair, of no effect or of a target's bounds that a verdict shows."""
SEAT_ROWS, EFFECTS, TEMPO_ROWS, TARGET_ROWS = SEATS, "effects", "tempo", "targets"
"""Kinds of rows that are compared, in addition to `LEADER`; each is also a family of verdicts."""
AGREES, DIFFERS = N_("agrees"), N_("differs")


def tier_questions(plan: Plan) -> list[Question]:
    """Return the questions that every tier answers for the comparison."""
    tempo: list[Question] = [*cell_questions(tempo_asked(plan))]
    if leaders_apply(plan):
        tempo.append(runaway_question())
    asked = [Played(), *_pairs(plan), *tempo]
    if plan.game.sides.allow((RIVALS,)):
        asked.append(share_question(share_of(plan, plan.game.sides.kind)))
    asked += [seat_wins_question()] * plan.game.sides.allow((SEAT,))
    asked += [LeavingOut()] * leaving_out_applies(plan)
    return [*asked, *target_questions(plan, rule_targets(plan))]


def leaders_apply(plan: Plan) -> bool:
    """Return whether the leader after a round can be followed: scores were logged, and there are rivals."""
    return plan.has_rounds and plan.game.sides.allow((RIVALS,))


def rule_targets(plan: Plan) -> list[Target]:
    """Return the targets that apply to every tier: all except those on strategies."""
    by = {measure.name: measure.by for measure in measures_of(plan)}
    return [target for target in plan.experiment.targets if by[target.measure] != "strategy"]


def tempo_asked(plan: Plan) -> list[Measure]:
    """Return the measures of length and tempo that every tier is asked for."""
    return [measure for measure in measures_of(plan) if measure.name in TEMPO]


def _pairs(plan: Plan) -> list[Pairs]:
    if len(plan.variants) < 2:
        return []
    return pair_questions(plan.first_variant.name, choose_measures(plan, None))


def seat_rows(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Return the win shares of the seats or teams, with their verdicts."""
    sides = plan.game.sides
    if not sides.allow((RIVALS,)):
        return pd.DataFrame(columns=_ROW)
    measure = share_of(plan, sides.kind)
    shares = judged_seats(plan, answers, family)
    rows = shares.rename(columns={"decks": "clusters", sides.kind: "group"})
    return rows.assign(measure=measure.name, threshold=measure.threshold)[_ROW]


def effect_rows(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Return the paired effects of every variant compared with the first, except effects on strategies."""
    asked = _pairs(plan)
    if not asked:
        return pd.DataFrame(columns=_ROW)
    measures = {measure.name: measure for measure in measures_of(plan)}
    effects = read_pairs(plan, asked, answers, family(EFFECTS))
    rows = effects.rename(columns={"effect": "value", "decks": "clusters"})
    rows["threshold"] = rows["measure"].map({m.name: m.threshold for m in measures.values()})
    kept = [measures[name].by != "strategy" for name in rows["measure"]]
    return rows[kept].astype({"threshold": float})[_ROW].reset_index(drop=True)


def tempo_rows(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Return the means of length and tempo, without verdicts, so that `family` is not asked."""
    found = [answers[question] for question in cell_questions(tempo_asked(plan))]
    return pd.concat(found, ignore_index=True).assign(group="", threshold=np.nan, verdict="")[_ROW]


def leader_rows(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Return the win share of the sole leader at half time, compared with a fair share."""
    if not leaders_apply(plan):
        return pd.DataFrame(columns=_ROW)
    rows = reached(answers[runaway_question()]).rename(columns={"round": "group"})
    middle = rows.groupby(["players", "variant"])["group"].transform(half_time)
    rows = rows[rows["group"] == middle].reset_index(drop=True)
    fair = plan.fair_share(rows["players"].to_numpy())
    found = interval_of_frame(rows.assign(value=rows["value"] - fair))
    apart = share_p(scale(interval_of_frame(rows), 0.01), fair / 100)
    verdict = pd.Series(judge(found, apart, families=family(LEADER)).words, index=rows.index)
    verdict = verdict.replace({"higher": N_("above fair"), "lower": N_("below fair")})
    rows = rows.assign(measure=LEADER, threshold=np.nan, verdict=verdict, more_games=0)
    return withhold(rows, answers[Played()])[_ROW]


def target_rows(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Return verdicts on `rule_targets`: ``pass``, ``fail`` or ``undecided``; the target is the measure."""
    targets = rule_targets(plan)
    if not targets:
        return pd.DataFrame(columns=_ROW)
    rows = read_targets_table(plan, targets, answers, "targets", family(TARGET_ROWS))
    rows = rows.assign(measure=rows["target"], clusters=rows["decks"], threshold=np.nan)
    return rows[_ROW]


def compare_tier(first: pd.DataFrame, others: Mapping[str, pd.DataFrame], families: int | None) -> pd.DataFrame:
    """Compare the rows of one tier with the same rows of other tiers.

    All differences are one family. They are judged as if the tiers did not share deals (see
    `balance.stats.intervals.difference_from_ends`). Rows that only one tier has are left out. `families` is the number
    of families of verdicts on the page; None: the two verdicts alone decide.

    Returns
    -------
    DataFrame
        `KEYS`, ``tier`` (the other), ``value``, ``low``, ``high``, ``n``, ``verdict`` of the first tier, the same
        columns of the other tier with the suffix ``_other``, ``difference`` (other less first), ``difference_low``,
        ``difference_high``, ``difference_verdict`` ("" for none), ``relation`` (`AGREES`, `DIFFERS` or `UNDECIDED`).
    """
    pairs = [first.merge(rows, on=KEYS, suffixes=("", "_other")).assign(tier=tier) for tier, rows in others.items()]
    table = pd.concat(pairs, ignore_index=True)
    found, words = _differences(table, families)
    table = table.assign(difference=found.value, difference_low=found.low, difference_high=found.high)
    table["difference_verdict"] = words
    columns = (table["verdict"], table["verdict_other"], words, table["threshold"].notna())
    table["relation"] = [_relation(*row) for row in zip(*columns, strict=True)]
    return table


def _differences(table: pd.DataFrame, families: int | None) -> tuple[Interval, Sequence[str]]:
    """Return the other tier less the first, with verdicts, which are withheld for cells with too many broken games."""
    of_first, of_other = (interval_of_frame(own.astype(float)) for own in _sides(table))
    found = difference_from_ends(of_other, of_first)
    if families is None:
        return found, [""] * len(table)
    threshold = table["threshold"].to_numpy(float)
    words = judge(found, p_value(found), p_within(found, threshold), families, threshold).words
    withheld = (table[["verdict", "verdict_other"]] == WITHHELD).any(axis=1)
    return found, np.where(withheld, WITHHELD, words).tolist()


def _sides(table: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the intervals of the first tier and those of the other, in columns of the same names."""
    return [
        table.filter(items=[f"{name}{whose}" for name in _ENDS]).rename(
            columns=lambda name, end=whose: name.removesuffix(end)
        )
        for whose in ("", "_other")
    ]


def _relation(first: str, other: str, difference: str, has_threshold: bool) -> str:
    """Return how two verdicts relate, given the verdict on the difference between the tiers.

    Two verdicts that can both be true do not differ: an effect may be "not 0" and "within the threshold". So tiers
    differ only if their verdicts have opposite signs, if one passes a target that the other fails, or if the
    difference itself is shown (without a threshold, only between different verdicts). A difference that is shown to
    lie within the threshold is agreement.
    """
    if difference in ("same", "slightly higher", "slightly lower"):
        return AGREES
    shown = difference in ("higher", "lower")
    if first not in _SIGNS or other not in _SIGNS:
        return DIFFERS if shown else UNDECIDED
    if _SIGNS[first] * _SIGNS[other] < 0:
        return DIFFERS
    if shown and (has_threshold or first != other):
        return DIFFERS
    return AGREES if _SIGNS[first] == _SIGNS[other] else UNDECIDED


@dataclass(frozen=True)
class TierAnswers:
    """A tier and its answers to `tier_questions`."""

    plan: Plan
    answers: Answers


@dataclass(frozen=True)
class TierComparison:
    """The rows of one kind for every tier, and the comparison of the others with the first (see `compare_tier`)."""

    rows: Mapping[str, pd.DataFrame]
    table: pd.DataFrame


def compare_tiers(
    asked: Mapping[str, TierAnswers], family: CountTierFamilies, reference: str
) -> dict[str, TierComparison]:
    """Compare every kind of row that all tiers have: see `SEAT_ROWS`.

    The other tiers are compared with `reference`, which comes first in the result. `family` returns the number of
    families that share the page's error with one: of a kind of rows in a tier, or of the differences of this kind ("").
    """
    asked = {reference: asked[reference], **asked}
    kinds: list[tuple[str, ReadRows, bool]] = [  # with whether the differences are judged
        (SEAT_ROWS, seat_rows, True),
        (EFFECTS, effect_rows, True),
        (TEMPO_ROWS, tempo_rows, True),
        (LEADER, leader_rows, True),
        (TARGET_ROWS, target_rows, False),
    ]
    found = {}
    for kind, read, is_judged in kinds:
        rows = {name: read(each.plan, each.answers, partial(family, tier=name)) for name, each in asked.items()}
        if all(len(table) for table in rows.values()):
            first, *others = rows
            shared = family(kind, "") if is_judged else None
            table = compare_tier(rows[first], {name: rows[name] for name in others}, shared)
            found[kind] = TierComparison(rows, table)
    return found
