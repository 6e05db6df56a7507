"""Findings, at most five: first what the variants change, then the problems of the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from balance.analysis.changes import Change
from balance.analysis.tier_comparison import AGREES, DIFFERS, EFFECTS, ResultKey, TierResult
from balance.analysis.verdicts import COMEBACKS, LENGTH, SEATS, STRATEGIES, Verdict
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.model import Finding
from balance.report.screen import ANCHORS, Dot, Strip, in_short
from balance.report.words import (
    amount,
    capital,
    comebacks_words,
    fair_of,
    ordinal,
    signed,
    span_of,
    with_players,
)
from balance.stats.intervals import fair_share

MOST = 5
_ALSO = 2  # further changes that a finding lists in short
ChangeGroup = tuple[str, str, int, bool]
"""Grid row, variant, better or worse, and whether the effects are positive."""


def find_findings(assessment: Assessment) -> list[Finding]:
    """Return the findings, most important first.

    The importance of a result is its size divided by its threshold. A result that reverses between tiers, or whose
    sign differs between them, is no finding.
    """
    found = [_change_finding(assessment, changes) for changes in _joined_changes(assessment)]
    if len(found) < MOST:
        problems = [
            (size, verdict)
            for place, verdict in assessment.own.items()
            if place.variant == assessment.context.first
            and not assessment.is_doubted(place)
            and (size := _problem_size(assessment, verdict))
        ]
        problems.sort(key=lambda each: -each[0])
        found += [_problem_finding(assessment, verdict) for _, verdict in problems]
    return found[:MOST]


def _joined_changes(assessment: Assessment) -> list[list[Change]]:
    """Group changes that are findings by grid row, variant and direction; the largest first."""
    groups: dict[ChangeGroup, list[Change]] = {}
    for change in assessment.firm_changes:
        results = assessment.other_results.get(_effect_key(change), [])
        results = [each for each in results if each.tier in assessment.doubters]
        if any(each.relation == DIFFERS or each.other.value * change.quoted < 0 for each in results):
            continue
        group = (change.row, change.variant, change.better, change.quoted > 0)
        groups.setdefault(group, []).append(change)
    return [changes for group, changes in groups.items() if not _is_mirrored(group, groups)]


def _is_mirrored(group: ChangeGroup, groups: Mapping[ChangeGroup, Sequence[Change]]) -> bool:
    """Return whether a finding repeats another one: with two seats, one gains what the other loses."""
    row, variant, better, more = group
    mirrored = groups.get((row, variant, better, not more), [])
    counts = [{change.players for change in changes} for changes in (groups[group], mirrored)]
    return not more and row == SEATS and counts == [{2}, {2}]


def _effect_key(change: Change) -> ResultKey:
    return ResultKey(EFFECTS, change.players, change.variant, change.measure, change.group)


def _change_finding(assessment: Assessment, changes: Sequence[Change]) -> Finding:
    """Return a finding about the changes of a row and variant: the largest in full, the next in short."""
    first, *others = changes
    lead = {1: "Better", -1: "Worse"}.get(first.better, "Changed")
    text = f"{_subject(first.row, first.group)}: {_levels(assessment, first)}{_unit(assessment, first)}"
    if others:
        also = [_in_short(assessment, change, first) for change in others[:_ALSO]]
        more = f" and {len(others) - _ALSO} more" if len(others) > _ALSO else ""
        text += f" Also {', '.join(also)}{more}."
    ends, unit = [first.quoted, first.low, first.high], "points"
    if first.row == LENGTH:
        ends, unit = [first.in_percent(end) for end in ends], "%"
    effect, low, high = map(signed, ends)
    evidence = f"{effect} ({low} to {high}) {unit}, n = {first.n:,} pairs on {first.decks:,} deals"
    evidence += _agreement(assessment, first.row, _effect_key(first))
    where = f"{first.variant}, {with_players([first.players])}"
    anchor, strip = ANCHORS.get(first.row, first.row), _strip(assessment, first)
    return Finding(text, anchor, lead, where, evidence, first.better, strip)


def _problem_size(assessment: Assessment, verdict: Verdict) -> float:
    """Return how far a problem is off, in multiples of its threshold; 0 if there is no problem or no verdict."""
    if not verdict.is_problem:
        return 0.0
    limits, fair, value = assessment.context.thresholds, fair_share(verdict.players), verdict.value
    if verdict.row == SEATS:
        return float(abs(value - fair) / limits.seats)
    if verdict.row == STRATEGIES:
        return float(abs(value - fair) / (limits.alive / 100 * fair))
    if verdict.row == COMEBACKS:
        low, high = limits.comeback_band(verdict.players)
        return max(low - value, value - high) / limits.comeback_change
    if verdict.row == LENGTH and assessment.box:
        ends = [value * pace for pace in assessment.pace]
        off = min(abs(end - edge) / edge for end in ends for edge in assessment.box)
        return 100 * off / limits.length_change
    return 0.0


def _problem_finding(assessment: Assessment, verdict: Verdict) -> Finding:
    """Return a finding about a problem of the baseline."""
    row, players, variant = verdict.place
    unit = "minutes" if row == LENGTH else "%"
    evidence = f"{amount(verdict.low)} to {amount(verdict.high)} {unit}, n = {verdict.n:,}"
    if row in (SEATS, STRATEGIES):
        key = ResultKey(SEATS, players, variant, "seat_win_share", verdict.name)
        evidence += _agreement(assessment, row, key)
    else:
        evidence += _agreement_of_words(assessment, verdict)
    where = f"{variant}, {with_players([players])}"
    text = _problem_text(assessment, verdict)
    return Finding(text, ANCHORS.get(row, row), "As it is", where, evidence)


def _problem_text(assessment: Assessment, verdict: Verdict) -> str:
    if verdict.row == COMEBACKS:
        return f"{capital(comebacks_words(verdict))}."
    if verdict.row == LENGTH:
        return f"Games take {span_of(verdict.value, assessment.pace)} minutes: too {verdict.word}."
    wins = f"{_subject(verdict.row, verdict.name)} wins {amount(verdict.value)} % of its"
    fair = fair_of(verdict.players)
    if verdict.row == SEATS:
        return f"{wins} games, fair {fair}: {verdict.word}."
    return f"{wins} seats, fair {fair}."


def _subject(row: str, group: str) -> str:
    if row == SEATS:
        return f"The {ordinal(int(group))} player"
    return {COMEBACKS: "Winners who were behind at half time", LENGTH: "Estimated length"}.get(
        row, group
    )


def _in_short(assessment: Assessment, change: Change, first: Change) -> str:
    """Return a further change of a finding in short."""
    where = "" if change.players == first.players else f" with {with_players([change.players])}"
    whose = f"the {ordinal(int(change.group))}" if change.row == SEATS else change.group
    return f"{whose} {_levels(assessment, change)}{where}".strip()


def _levels(assessment: Assessment, change: Change) -> str:
    if change.row == LENGTH:
        return " → ".join(span_of(each, assessment.pace) for each in (change.baseline, change.level))
    return f"{amount(change.baseline)} → {amount(change.level)}"


def _unit(assessment: Assessment, change: Change) -> str:
    """Return the unit of a change, with the value that is fair or fits."""
    if change.row == LENGTH:
        box = assessment.box
        return f" minutes{f', the box says {box[0]:g} to {box[1]:g}' if box else ''}."
    fair = f"fair {fair_of(change.players)}"
    return {SEATS: f" % of wins, {fair}.", STRATEGIES: f" % of its seats, {fair}."}.get(
        change.row, " %."
    )


def _agreement(assessment: Assessment, row: str, key: ResultKey) -> str:
    """Return which tier shows a result, and what other tiers show; "" if there are none."""
    if not assessment.other_tiers:
        return ""
    results = assessment.other_results.get(key, [])
    if not results:
        return f" · seen with {assessment.whose(row)} only"
    return f", with {assessment.tier}{_agreement_of(results)}"


def _agreement_of(results: Sequence[TierResult]) -> str:
    if all(each.relation == AGREES for each in results):
        return " · all tiers agree"
    unsure = [each.tier for each in results if each.relation not in (AGREES, DIFFERS)]
    other = [each.tier for each in results if each.relation == DIFFERS]
    parts = [f"not enough games with {listed(unsure)}"] if unsure else []
    parts += [f"of another size with {listed(other)}"] if other else []
    return f" · {', '.join(parts)}"


def _agreement_of_words(assessment: Assessment, verdict: Verdict) -> str:
    """Return what other tiers show about comebacks or length, by their verdict words."""
    found = {tier: assessment.verdicts[tier].get(verdict.place) for tier in assessment.other_tiers}
    words = {tier: other.word for tier, other in found.items() if other}
    shown = f", with {assessment.tier}" if words else ""
    unsure = [tier for tier, word in words.items() if word != verdict.word]
    if unsure:
        return f"{shown} · not shown with {listed(unsure)}"
    return f"{shown} · all tiers agree" if words else ""


def _strip(assessment: Assessment, change: Change) -> Strip:
    """Return baseline and variant on a line, with the band of good values."""
    fair, limits = fair_share(change.players), assessment.context.thresholds
    band: tuple[float, float] | None = None  # which minutes fit depends on the pace
    if change.row == SEATS:
        band = fair - limits.seats, fair + limits.seats
    elif change.row == STRATEGIES:
        band = fair * (1 - limits.alive / 100), fair * (1 + limits.alive / 100)
    elif change.row == COMEBACKS:
        band = limits.comeback_band(change.players)
    return draw_strip(change, band, assessment.context.first)


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
    return Strip(dots, shown, "values in the band are good" if band else "", alt)
