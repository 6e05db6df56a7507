"""Tiers side by side: what one set of players shows, held against what others show on the same decks.

Every function makes rows of one form: the keys that name a row, ``value``, ``low``, ``high``, ``n``, ``clusters``,
``threshold`` (NaN where nothing is too small to matter) and ``verdict`` ("" where none is given).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.cells import cell_questions
from balance.analysis.check import read_targets_table, target_questions
from balance.analysis.compare import Pairs, pair_questions, read_pairs
from balance.analysis.fields import LeavingOut, leaving_out_applies
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.runaway import half_time, reached, runaway_question
from balance.analysis.shares import judged_shares, share_question
from balance.analysis.sums import interval_of_frame, scale
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.contract.measure import Measure
from balance.plan.measures import measures_of, share_of
from balance.plan.plan import Plan
from balance.plan.targets import Target
from balance.stats.comparisons import judge, p_value, p_within
from balance.stats.fair import fair_share
from balance.stats.intervals import Interval, difference_from_ends, share_p

KEYS = ["players", "variant", "measure", "group"]
LEADER = "leader"
"""In the place of a measure: the win share of who leads alone after the round that is the group."""
TEMPO = ("decisions", "minutes", "lead_changes", "drama", "decided", "comeback")
"""Measures of length and of how a game goes."""
_ROW = [*KEYS, "value", "low", "high", "n", "clusters", "threshold", "verdict"]
_SIGNS = {
    "favoured": 1, "higher": 1, "slightly higher": 1, "above fair": 1, "pass": 1,
    "balanced": 0, "same": 0,
    "disfavoured": -1, "lower": -1, "slightly lower": -1, "below fair": -1, "fail": -1,
}  # fmt: skip
"""Which side of fair, of no effect or of a target's bounds a verdict shows."""
_BEYOND = frozenset({"favoured", "higher", "disfavoured", "lower"})
_ENDS = ("value", "low", "high", "n", "clusters")
SEATS, EFFECTS, TEMPO_ROWS, TARGETS = "seats", "effects", "tempo", "targets"
"""Kinds of rows that are held against each other, and `LEADER`."""
AGREES, DIFFERS, UNDECIDED = "agrees", "differs", "undecided"


def tier_questions(plan: Plan) -> list[Question]:
    """What is asked of a tier to be held against others."""
    tempo: list[Question] = [*cell_questions(tempo_asked(plan))]
    if plan.has_rounds:
        tempo.append(runaway_question())
    asked = [share_question(share_of(plan, "seat")), Played(), *_pairs(plan), *tempo]
    asked += [LeavingOut()] * leaving_out_applies(plan)
    return [*asked, *target_questions(plan, rule_targets(plan))]


def rule_targets(plan: Plan) -> list[Target]:
    """The targets that speak of the rules alone, and so of every tier: none of a strategy."""
    by = {measure.name: measure.by for measure in measures_of(plan)}
    return [target for target in plan.experiment.targets if by[target.measure] != "strategy"]


def tempo_asked(plan: Plan) -> list[Measure]:
    """The measures of length and tempo that every tier is asked for."""
    return [measure for measure in measures_of(plan) if measure.name in TEMPO]


def _pairs(plan: Plan) -> list[Pairs]:
    if len(plan.variants) < 2:
        return []
    return pair_questions(plan.first_variant.name, measures_of(plan))


def seat_rows(plan: Plan, answers: Answers, families: int) -> pd.DataFrame:
    """Win shares of the seats, with their verdicts."""
    measure = share_of(plan, "seat")
    shares = judged_shares(plan, answers, "seat", families)
    rows = shares.rename(columns={"decks": "clusters", "seat": "group"})
    return rows.assign(measure=measure.name, threshold=measure.threshold)[_ROW]


def effect_rows(plan: Plan, answers: Answers, families: int) -> pd.DataFrame:
    """Paired effects of every variant against the first; those on strategies are of bots, and left out."""
    asked = _pairs(plan)
    if not asked:
        return pd.DataFrame(columns=_ROW)
    measures = {measure.name: measure for measure in measures_of(plan)}
    effects = read_pairs(plan, asked, answers, families)
    rows = effects.rename(columns={"effect": "value", "decks": "clusters"})
    rows["threshold"] = rows["measure"].map({m.name: m.threshold for m in measures.values()})
    kept = [measures[name].by != "strategy" for name in rows["measure"]]
    return rows[kept].astype({"threshold": float})[_ROW].reset_index(drop=True)


def tempo_rows(plan: Plan, answers: Answers) -> pd.DataFrame:
    """Means of length and tempo, without verdicts."""
    found = [answers[question] for question in cell_questions(tempo_asked(plan))]
    return pd.concat(found, ignore_index=True).assign(group="", threshold=np.nan, verdict="")[_ROW]


def leader_rows(plan: Plan, answers: Answers, families: int) -> pd.DataFrame:
    """Win share of who leads alone after the round in the middle, against a fair share."""
    if not plan.has_rounds:
        return pd.DataFrame(columns=_ROW)
    rows = reached(answers[runaway_question()]).rename(columns={"round": "group"})
    middle = rows.groupby(["players", "variant"])["group"].transform(half_time)
    rows = rows[rows["group"] == middle].reset_index(drop=True)
    fair = fair_share(rows["players"].to_numpy())
    found = interval_of_frame(rows.assign(value=rows["value"] - fair))
    apart = share_p(scale(interval_of_frame(rows), 0.01), fair / 100)
    verdict = pd.Series(judge(found, apart, families=families).words, index=rows.index)
    verdict = verdict.replace({"higher": "above fair", "lower": "below fair"})
    rows = rows.assign(measure=LEADER, threshold=np.nan, verdict=verdict, more_games=0)
    return withhold(rows, answers[Played()])[_ROW]


def target_rows(plan: Plan, answers: Answers, families: int) -> pd.DataFrame:
    """Targets that speak of the rules: ``pass``, ``fail`` or ``undecided``; the target is the measure."""
    targets = rule_targets(plan)
    if not targets:
        return pd.DataFrame(columns=_ROW)
    rows = read_targets_table(plan, targets, answers, "targets", families)
    rows = rows.assign(measure=rows["target"], clusters=rows["decks"], threshold=np.nan)
    return rows[_ROW]


def hold_against(
    first: pd.DataFrame, others: Mapping[str, pd.DataFrame], families: int | None
) -> pd.DataFrame:
    """Rows of one tier beside the same rows of others, their differences and how they stand to each other.

    All differences are one family; they are judged as if tiers did not share decks (see
    `balance.stats.intervals.difference_from_ends`).

    Parameters
    ----------
    others : dict of DataFrame
        By tier, rows with the same keys; those that only one has are left out.
    families : int or None
        How many families of verdicts stand on the page; None to judge by the two verdicts alone.

    Returns
    -------
    DataFrame
        `KEYS`, ``tier`` (the other), ``value``, ``low``, ``high``, ``n``, ``verdict`` of the first tier and with
        ``_other`` behind the name of the other's, ``difference`` (other less first), ``difference_low``,
        ``difference_high``, ``difference_verdict`` ("" if none is given), ``relation`` (`AGREES`, `DIFFERS` or
        `UNDECIDED`).
    """
    pairs = [
        first.merge(rows, on=KEYS, suffixes=("", "_other")).assign(tier=tier)
        for tier, rows in others.items()
    ]
    table = pd.concat(pairs, ignore_index=True)
    found, words = _differences(table, families)
    table = table.assign(difference=found.value, difference_low=found.low, difference_high=found.high)
    table["difference_verdict"] = words
    table["relation"] = [
        _relation(row.verdict, row.verdict_other, row.difference_verdict, not np.isnan(row.threshold))
        for row in table.itertuples()
    ]
    return table


def _differences(table: pd.DataFrame, families: int | None) -> tuple[Interval, Sequence[str]]:
    """The other tier less the first, and what is shown of it; nothing of cells that were broken off."""
    of_first, of_other = (
        Interval(*(table[f"{name}{whose}"].to_numpy(float) for name in _ENDS))
        for whose in ("", "_other")
    )
    found = difference_from_ends(of_other, of_first)
    if families is None:
        return found, [""] * len(table)
    within = p_within(found, table["threshold"].to_numpy(float))
    words = judge(found, p_value(found), within, families).words
    held = (table[["verdict", "verdict_other"]] == WITHHELD).any(axis=1)
    return found, np.where(held, WITHHELD, words).tolist()


def _relation(first: str, other: str, difference: str, has_threshold: bool) -> str:
    """Return how two verdicts relate, given what is shown of the difference between the tiers.

    Two verdicts that both hold of one truth are no difference: an effect may be both "not 0" and "within the
    threshold". So tiers differ only where their verdicts have opposite signs, where one passes a target that the
    other fails, or where the difference itself is shown (of what has no threshold, between verdicts that are not
    the same). A difference that is shown to lie within the threshold is agreement.
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
class Asked:
    """A tier and its answers to `tier_questions`."""

    plan: Plan
    answers: Answers


@dataclass(frozen=True)
class Held:
    """Rows of one kind, of every tier, and how the others stand to the first (see `hold_against`)."""

    rows: Mapping[str, pd.DataFrame]
    table: pd.DataFrame


def hold_tiers(asked: Mapping[str, Asked], families: int) -> dict[str, Held]:
    """Every kind of row that all tiers have: `SEATS`, `EFFECTS`, `TEMPO`, `LEADER`, `TARGETS`.

    Parameters
    ----------
    asked : dict
        By tier; the others are held against the one that comes first.
    """
    kinds: dict[str, tuple[Callable[..., pd.DataFrame], bool, int | None]] = {
        SEATS: (seat_rows, True, families),
        EFFECTS: (effect_rows, True, families),
        TEMPO_ROWS: (tempo_rows, False, families),
        LEADER: (leader_rows, True, families),
        TARGETS: (target_rows, True, None),
    }
    found = {}
    for kind, (read, has_verdicts, shared) in kinds.items():
        more = [families] if has_verdicts else []
        rows = {name: read(each.plan, each.answers, *more) for name, each in asked.items()}
        if all(len(table) for table in rows.values()):
            first, *others = rows
            held = hold_against(rows[first], {name: rows[name] for name in others}, shared)
            found[kind] = Held(rows, held)
    return found


def turned(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `hold_against` whose verdicts differ in more than in how much of the same they show."""
    alike = (table["verdict"] == table["verdict_other"]) & table["verdict"].isin(_BEYOND)
    return table[(table["relation"] == DIFFERS) & ~alike]
