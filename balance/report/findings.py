"""Facts that may lead the page, ranked: problems of the rules as they are, and what variants change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.changes import Change
from balance.analysis.tier_comparison import AGREES, DIFFERS, EFFECTS, ResultKey, TierResult
from balance.analysis.verdicts import BAD, Place, Verdict
from balance.experiments.plan import Plan
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.row import Row
from balance.report.screen import Dot, Finding, Strip, in_short
from balance.report.words import amount, capital, with_players

MOST = 5
_ALSO = 2  # further results that a finding lists in short
_OWN = 0.4
"""A problem of the baseline is named rather than a variant's if it is at least this part of its size."""
ChangeGroup = tuple[str, str, int, bool]
"""Grid row, variant, better or worse, and whether the effects are positive."""


@dataclass(frozen=True)
class Fact:
    """A result that may lead the page."""

    row: Row
    about: Verdict | Change  # the largest of its problems, or of its changes by a variant
    finding: Finding

    @property
    def problem(self) -> Verdict | None:
        """The problem, if it is one."""
        return self.about if isinstance(self.about, Verdict) else None

    @property
    def change(self) -> Change | None:
        """The change, if it is one."""
        return self.about if isinstance(self.about, Change) else None

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """The order on the page: results about the game before those about strategies, problems before a change
        of the length, then by size in multiples of the threshold.
        """
        size = self.about.off if isinstance(self.about, Verdict) else self.about.size
        return self.row.about_strategies, self.row.changes_last and bool(self.change), -size


def find_facts(assessment: Assessment) -> list[Fact]:
    """Return all facts, the most important first.

    A result that reverses between tiers, or whose sign differs between them, is no fact.
    """
    changed = _joined_changes(assessment)
    found = [_change_fact(assessment, changes) for changes in changed]
    named = {change.place for changes in changed for change in changes}
    found += [_problem_fact(assessment, problems) for problems in _joined_problems(assessment, named)]
    return sorted(found, key=lambda fact: fact.rank)


def _joined_problems(assessment: Assessment, changed: set[Place]) -> Iterable[list[Verdict]]:
    """Yield the problems of each row of the grid, the one to name first; all variants count.

    A variant's problem is left out where its change is named, at the places `changed`.
    """
    rows: dict[str, list[Verdict]] = {}
    for place, verdict in assessment.own.items():
        if verdict.off and place not in {*assessment.reversals, *changed}:
            rows.setdefault(place.row, []).append(verdict)
    first = assessment.context.first
    for problems in rows.values():
        problems.sort(key=lambda each: -each.off)
        near = [
            each for each in problems if each.variant == first and each.off >= _OWN * problems[0].off
        ]
        yield list(dict.fromkeys([*near[:1], *problems]))


def _joined_changes(assessment: Assessment) -> list[list[Change]]:
    """Group changes that are facts by grid row, variant and direction; the largest first."""
    groups: dict[ChangeGroup, list[Change]] = {}
    for change in assessment.firm_changes:
        results = assessment.other_results.get(_effect_key(change), [])
        results = [each for each in results if each.tier in assessment.doubters]
        if any(each.relation == DIFFERS or each.other.value * change.quoted < 0 for each in results):
            continue
        group = (change.row, change.variant, change.better, change.quoted > 0)
        groups.setdefault(group, []).append(change)
    return [
        changes
        for group, changes in groups.items()
        if not (assessment.rows[group[0]].mirrored and _is_mirrored(group, groups))
    ]


def _is_mirrored(group: ChangeGroup, groups: Mapping[ChangeGroup, Sequence[Change]]) -> bool:
    """Return whether a finding repeats another one: with two seats, one gains what the other loses."""
    row, variant, better, more = group
    mirrored = groups.get((row, variant, better, not more), [])
    counts = [{change.players for change in changes} for changes in (groups[group], mirrored)]
    return not more and counts == [{2}, {2}]


def _effect_key(change: Change) -> ResultKey:
    return ResultKey(EFFECTS, change.players, change.variant, change.measure, change.group)


# Problems


def _problem_fact(assessment: Assessment, problems: Sequence[Verdict]) -> Fact:
    """Return the problems of a row: the first in full, the next in short."""
    first, *others = problems
    plan, row = assessment.context.plan, assessment.rows[first.row]
    text = f"{capital(row.problem(plan, first))}."
    if others:
        also = ", ".join(
            row.problem_in_short(plan, each, _where(assessment, each)) for each in others[:_ALSO]
        )
        rest = len(others) - _ALSO
        text += " " + (
            trn("Also {also} and {n} more cell.", "Also {also} and {n} more cells.", rest, also=also)
            if rest > 0
            else tr("Also {also}.", also=also)
        )
    evidence = row.ends(plan, first)
    if row.every_tier and not row.compares_numbers:
        evidence += _agreement_of_words(assessment, first)
    else:
        key = ResultKey(row.kind, first.players, first.variant, row.measure, first.name)
        evidence += _agreement(assessment, row, key)
    evidence += " · " + tr("{times:.1f} times the threshold", times=first.off)
    where = write_where(first.variant, first.players)
    lead = tr("Problem") if first.kind == BAD else tr("Watch")
    return Fact(row, first, Finding(text, row.anchor, lead, where, evidence))


def write_where(variant: str, players: int) -> str:
    """Return a cell of the run as a clause, as in "base, 2 players"."""
    return tr("{variant}, {players}", variant=variant, players=with_players([players]))


def _where(assessment: Assessment, verdict: Verdict) -> str:
    variant = "" if verdict.variant == assessment.context.first else f" ({verdict.variant})"
    return tr("with {players}", players=with_players([verdict.players])) + variant


# Changes


def _change_fact(assessment: Assessment, changes: Sequence[Change]) -> Fact:
    """Return the changes of a row and variant: the largest in full, the next in short."""
    first, *others = changes
    plan, row = assessment.context.plan, assessment.rows[first.row]
    lead = {1: tr("Better"), -1: tr("Worse")}.get(first.better, tr("Changed"))
    text = capital(row.change(plan, first))
    if others:
        also = ", ".join(_change_in_short(row, plan, change, first) for change in others[:_ALSO])
        rest = len(others) - _ALSO
        text += " " + (
            tr("Also {also} and {n} more.", also=also, n=rest)
            if rest > 0
            else tr("Also {also}.", also=also)
        )
    evidence = row.effect(plan, first) + _agreement(assessment, row, _effect_key(first))
    where = write_where(first.variant, first.players)
    band = row.band(assessment.context.thresholds, first.players)
    strip = draw_strip(first, band, assessment.context.first)
    return Fact(row, first, Finding(text, row.anchor, lead, where, evidence, first.better, strip))


def _change_in_short(row: Row, plan: Plan, change: Change, first: Change) -> str:
    """Return a further change of a finding in short."""
    text = row.change_in_short(plan, change)
    if change.players == first.players:
        return text
    return f"{text} {tr('with {players}', players=with_players([change.players]))}"


# What tiers agree on


def _agreement(assessment: Assessment, row: Row, key: ResultKey) -> str:
    """Return which tier shows a result, and what other tiers show; "" if there are none."""
    if not assessment.other_tiers:
        return ""
    results = assessment.other_results.get(key, [])
    if not results:
        return " · " + tr("seen with {tier} only", tier=row.answered_by(assessment.context))
    return f", {tr('with {tier}', tier=assessment.tier)} · {_agreement_of(results)}"


def _agreement_of(results: Sequence[TierResult]) -> str:
    if all(each.relation == AGREES for each in results):
        return tr("all tiers agree")
    undecided = [each.tier for each in results if each.relation not in (AGREES, DIFFERS)]
    other = [each.tier for each in results if each.relation == DIFFERS]
    parts = [tr("undecided with {tiers}", tiers=listed(undecided))] if undecided else []
    parts += [tr("of another size with {tiers}", tiers=listed(other))] if other else []
    return ", ".join(parts)


def _agreement_of_words(assessment: Assessment, verdict: Verdict) -> str:
    """Return what other tiers show about a row without comparisons, by their verdict words."""
    found = {tier: assessment.verdicts[tier].get(verdict.place) for tier in assessment.other_tiers}
    words = {tier: other.word for tier, other in found.items() if other}
    if not words:
        return ""
    others = [tier for tier, word in words.items() if word != verdict.word]
    agree = tr("not shown with {tiers}", tiers=listed(others)) if others else tr("all tiers agree")
    return f", {tr('with {tier}', tier=assessment.tier)} · {agree}"


# Strips


def draw_strip(change: Change, band: tuple[float, float] | None, baseline: str) -> Strip:
    """Return a change as two dots on a line, long enough for both, the interval and the nearer edge of the band."""
    base, level = change.baseline, change.level
    values = [base, level, base + change.low, base + change.high]
    middle, reach = float(np.mean(values[:2])), max(abs(change.quoted), 1e-9)
    if band:
        values.append(min(band, key=lambda end: abs(end - middle)))
    low, high = min(values) - 0.35 * reach, max(values) + 0.35 * reach

    def at(value: float) -> float:
        return round(float(np.clip(100 * (value - low) / (high - low), 0, 100)), 1)

    ends = at(base + change.low), at(base + change.high)
    dots = [
        Dot(f"{baseline} {amount(base)}", at(base), at(base), at(base), False),
        Dot(f"{in_short(change.variant)} {amount(level)}", at(level), *ends, True),
    ]
    shown = (at(band[0]), at(band[1])) if band else None
    alt = f"{baseline} {amount(base)}, {change.variant} {amount(level)}"
    return Strip(dots, shown, tr("values in the band are good") if band else "", alt)
