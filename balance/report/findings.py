"""Facts that may lead the page, ranked: problems of the rules as they are, and what variants change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from balance.analysis.changes import Change
from balance.analysis.tier_comparison import AGREES, DIFFERS, EFFECTS, ResultKey, TierResult
from balance.analysis.verdicts import (
    COMEBACKS,
    FACTIONS,
    LENGTH,
    SEATS,
    STRATEGIES,
    TARGETS,
    Place,
    Verdict,
)
from balance.contract.analytics import styles_of
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.model import Finding
from balance.report.screen import Dot, Strip, in_short
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
_ALSO = 2  # further results that a finding lists in short
_OWN = 0.4
"""A problem of the baseline is named rather than a variant's if it is at least this part of its size."""
ChangeGroup = tuple[str, str, int, bool]
"""Grid row, variant, better or worse, and whether the effects are positive."""


@dataclass(frozen=True)
class Fact:
    """A result that may lead the page.

    Attributes
    ----------
    about : Verdict or Change
        The largest of its problems, or of its changes by a variant.
    """

    about: Verdict | Change
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
        """The order on the page: results about the game before those about strategies, problems before a change of the
        length, then by size in multiples of the threshold.
        """
        size = self.about.off if isinstance(self.about, Verdict) else self.about.size
        late = self.change is not None and self.change.row == LENGTH
        return self.about.row == STRATEGIES, late, -size


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
        if verdict.off and place.row != TARGETS and place not in {*assessment.reversals, *changed}:
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
    return [changes for group, changes in groups.items() if not _is_mirrored(group, groups)]


def _is_mirrored(group: ChangeGroup, groups: Mapping[ChangeGroup, Sequence[Change]]) -> bool:
    """Return whether a finding repeats another one: with two seats, one gains what the other loses."""
    row, variant, better, more = group
    mirrored = groups.get((row, variant, better, not more), [])
    counts = [{change.players for change in changes} for changes in (groups[group], mirrored)]
    return not more and row == SEATS and counts == [{2}, {2}]


def _effect_key(change: Change) -> ResultKey:
    return ResultKey(EFFECTS, change.players, change.variant, change.measure, change.group)


# Problems


def _problem_fact(assessment: Assessment, problems: Sequence[Verdict]) -> Fact:
    """Return the problems of a row: the first in full, the next in short."""
    first, *others = problems
    text = f"{capital(problem_words(assessment, first))}."
    if others:
        also = [
            f"{_problem_value(assessment, each)} {_where(assessment, each)}" for each in others[:_ALSO]
        ]
        more = f" and {len(others) - _ALSO} more cells" if len(others) > _ALSO else ""
        text += f" Also {', '.join(also)}{more}."
    evidence = write_ends(first)
    if first.row in (SEATS, STRATEGIES):
        key = ResultKey(SEATS, first.players, first.variant, "seat_win_share", first.name)
        evidence += _agreement(assessment, first.row, key)
    else:
        evidence += _agreement_of_words(assessment, first)
    evidence += f" · {first.off:.1f} times the threshold"
    is_base = first.variant == assessment.context.first
    anchor = assessment.questions[first.row].anchor
    where = f"{first.variant}, {with_players([first.players])}"
    finding = Finding(text, anchor, "As it is" if is_base else "By this variant", where, evidence)
    return Fact(first, finding)


def problem_words(assessment: Assessment, verdict: Verdict) -> str:
    """Return a problem in words, without player count and variant."""
    fair, value = fair_of(verdict.players), amount(verdict.value)
    if verdict.row == SEATS:
        return f"the {ordinal(int(verdict.name))} player wins {value} % of games, fair {fair}"
    if verdict.row == STRATEGIES:
        return f"{_strategy(assessment, verdict.name)} wins {value} % of its seats, fair {fair}"
    if verdict.row == COMEBACKS:
        return comebacks_words(verdict)
    if verdict.row == LENGTH:
        return f"games take {span_of(verdict.value, assessment.pace)} minutes: too {verdict.word}"
    return verdict.words


def write_ends(verdict: Verdict) -> str:
    """Return the interval of a problem and its n, as in "26.4 to 35.0 %, n = 4,200"."""
    unit = "minutes" if verdict.row == LENGTH else "%"
    return f"{amount(verdict.low)} to {amount(verdict.high)} {unit}, n = {verdict.n:,}"


def _problem_value(assessment: Assessment, verdict: Verdict) -> str:
    """Return the number of a problem with the seat, strategy or other thing that it belongs to."""
    if verdict.row == LENGTH:
        return f"{span_of(verdict.value, assessment.pace)} minutes"
    whose = f"the {ordinal(int(verdict.name))}" if verdict.row == SEATS else verdict.name
    return f"{whose} {amount(verdict.value)} %".strip()


def _where(assessment: Assessment, verdict: Verdict) -> str:
    variant = "" if verdict.variant == assessment.context.first else f" ({verdict.variant})"
    return f"with {with_players([verdict.players])}{variant}"


# Changes


def _change_fact(assessment: Assessment, changes: Sequence[Change]) -> Fact:
    """Return the changes of a row and variant: the largest in full, the next in short."""
    first, *others = changes
    lead = {1: "Better", -1: "Worse"}.get(first.better, "Changed")
    text = f"{_subject(assessment, first)}: {_levels(assessment, first)}{_unit(assessment, first)}"
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
    anchor, strip = assessment.questions[first.row].anchor, _strip(assessment, first)
    finding = Finding(text, anchor, lead, where, evidence, first.better, strip)
    return Fact(first, finding)


def _subject(assessment: Assessment, change: Change) -> str:
    if change.row == SEATS:
        return f"The {ordinal(int(change.group))} player"
    if change.row == STRATEGIES:
        more = "stronger" if change.quoted > 0 else "weaker"
        return f"One way of playing gets {more}, {_strategy(assessment, change.group)}"
    if change.row == FACTIONS:
        return change.name
    return {COMEBACKS: "Winners who were behind at half time"}.get(change.row, "Estimated length")


def _strategy(assessment: Assessment, name: str) -> str:
    """Return a strategy with what it does, as in "helpers-first (many helpers)"."""
    style = styles_of(assessment.context.plan.game).get(name)
    return f"{name} ({style.in_short})" if style else name


def _in_short(assessment: Assessment, change: Change, first: Change) -> str:
    """Return a further change of a finding in short."""
    where = "" if change.players == first.players else f" with {with_players([change.players])}"
    whose = f"the {ordinal(int(change.group))}" if change.row == SEATS else change.name
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
    shares = {SEATS: "wins", STRATEGIES: "its seats", FACTIONS: "its games"}
    return f" % of {shares[change.row]}, {fair}." if change.row in shares else " %."


# What tiers agree on


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
    undecided = [each.tier for each in results if each.relation not in (AGREES, DIFFERS)]
    other = [each.tier for each in results if each.relation == DIFFERS]
    parts = [f"not enough games with {listed(undecided)}"] if undecided else []
    parts += [f"of another size with {listed(other)}"] if other else []
    return f" · {', '.join(parts)}"


def _agreement_of_words(assessment: Assessment, verdict: Verdict) -> str:
    """Return what other tiers show about a row without comparisons, by their verdict words."""
    found = {tier: assessment.verdicts[tier].get(verdict.place) for tier in assessment.other_tiers}
    words = {tier: other.word for tier, other in found.items() if other}
    shown = f", with {assessment.tier}" if words else ""
    others = [tier for tier, word in words.items() if word != verdict.word]
    if others:
        return f"{shown} · not shown with {listed(others)}"
    return f"{shown} · all tiers agree" if words else ""


# Strips


def _strip(assessment: Assessment, change: Change) -> Strip:
    """Return baseline and variant on a line, with the band of good values."""
    fair, limits = fair_share(change.players), assessment.context.thresholds
    band: tuple[float, float] | None = None  # which minutes fit depends on the pace
    if change.row in (SEATS, FACTIONS):
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
