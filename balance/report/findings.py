"""Facts that may lead the page, ranked: problems, what variants change, and what depends on who plays."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.analysis.changes import Change
from balance.analysis.verdicts import BAD, Figure, Place, Verdict
from balance.experiments.command import join_names
from balance.experiments.plan import Plan
from balance.experiments.rule_keys import has_keys
from balance.foundation.language import N_, tr, trn, write_number
from balance.report.assessment import Assessment
from balance.report.row import Row
from balance.report.screen import Finding, draw_strip
from balance.report.speakers import Said, figures_of
from balance.report.words import amount, capital, signed, with_players

_ALSO = 2  # further results that a finding lists in short
_OWN = 0.4
"""A problem of the baseline is named rather than a variant's if it is at least this part of its size."""
RULES, WEAK, STYLES = "rules", "weak", "styles"
"""Who a fact is about: people who play well, only weaker players, or the ways of playing that were chosen by hand."""
STEADY, GROWS, FADES, REVERSES = (
    N_("Players of every strength show this."),
    N_("The effect grows as players get better."),
    N_("The effect fades as players get better."),
    N_("The effect reverses as players get better."),
)
"""How a result depends on the strength of players."""
ChangeGroup = tuple[str, str, int, bool]
"""Grid row, variant, better or worse, and whether the effects are positive."""


@dataclass(frozen=True)
class Fact:
    """A result that may lead the page."""

    row: Row
    about: Verdict | Change  # the largest of its problems, or of its changes by a variant
    finding: Finding
    group: str = RULES  # or `WEAK` or `STYLES`

    @property
    def problem(self) -> Verdict | None:
        """The problem, if it is one."""
        return self.about if isinstance(self.about, Verdict) and self.about.is_problem else None

    @property
    def change(self) -> Change | None:
        """The change, if it is one."""
        return self.about if isinstance(self.about, Change) else None

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """The order on the page: results about the game before those about strategies, what is shown before what
        players differ on, problems before a change of the length, then by size in multiples of the threshold.
        """
        size = self.about.off if isinstance(self.about, Verdict) else self.about.size
        late = self.row.changes_last and bool(self.change)
        return self.row.about_strategies, self.about.differs, late, -size


def find_facts(assessment: Assessment) -> list[Fact]:
    """Return all facts, the most important of each group first.

    A result that equally strong players contradict is no fact.
    """
    changed = _joined_changes(assessment)
    found = [_change_fact(assessment, changes) for changes in changed]
    named = {said.claim.place for changes in changed for said in changes}
    found += [_problem_fact(assessment, each) for each in _joined(assessment, _problems(assessment, named))]
    found += [_weak_fact(assessment, each) for each in _joined(assessment, _of_the_weak(assessment))]
    found += [_differing_fact(assessment, each) for each in _differing(assessment)]
    return sorted(found, key=lambda fact: fact.rank)


def _group(assessment: Assessment, said: Said[Any]) -> str:
    """Return who a result that counts is about."""
    return STYLES if assessment.is_of_styles(said) else RULES


# Problems


def _problems(assessment: Assessment, changed: set[Place]) -> Iterable[Said[Verdict]]:
    """Yield the problems that count, in all variants; not those at the places `changed`, where the change is named."""
    for place, said in assessment.cells.items():
        if said.claim.off and place not in {*assessment.reversals, *changed}:
            yield said


def _of_the_weak(assessment: Assessment) -> Iterable[Said[Verdict]]:
    """Yield problems of weaker players that those who speak do not show too."""
    for place, said in assessment.cells.items():
        row, weaker = assessment.rows[place.row], assessment.context.speakers.weaker(said.tier)
        band, spread = row.band(assessment.context.plan, place.players), said.claim.spread
        if row.about_strategies or (spread and spread.beyond(band)):
            continue  # what all equally strong players show is a finding of its own
        found = [
            tier
            for tier in weaker
            if (each := said.by_tier.get(tier)) and each.off and not _shares(row, assessment, said.claim, each)
        ]
        if found:
            largest = max(found, key=lambda tier: said.by_tier[tier].off)
            yield Said(largest, said.by_tier)


def _shares(row: Row, assessment: Assessment, strong: Verdict, weak: Verdict) -> bool:
    """Return whether those who speak have a problem with the same thing, which is then told with all numbers."""
    band, there = row.band(assessment.context.plan, weak.players), strong.figure_of(weak.name)
    if strong.off and (strong.name == weak.name or not band or not there):
        return True
    return there is not None and there.side(band) == weak.figure.side(band) != 0


def _joined(assessment: Assessment, problems: Iterable[Said[Verdict]]) -> Iterable[list[Said[Verdict]]]:
    """Yield the problems of each row of the grid, the one to name first."""
    rows: dict[str, list[Said[Verdict]]] = {}
    for said in problems:
        rows.setdefault(said.claim.row, []).append(said)
    first = assessment.context.first
    for found in rows.values():
        found.sort(key=lambda each: -each.claim.off)
        least = _OWN * found[0].claim.off
        near = [each for each in found if each.claim.variant == first and each.claim.off >= least][:1]
        yield near + [each for each in found if each not in near]


def _problem_fact(assessment: Assessment, problems: Sequence[Said[Verdict]]) -> Fact:
    """Return the problems of a row: the first in full, the next in short."""
    said = problems[0]
    first, row = said.claim, assessment.rows[said.claim.row]
    band = row.band(assessment.context.plan, first.players)
    others = figures_of(said, first.name)
    trend = trend_of(said.tier, others, band)
    text = _sentences(
        f"{capital(row.problem(assessment.context.plan, first))}.", _also(assessment, row, problems[1:]), tr(trend)
    )
    evidence = _evidence(row.ends(assessment.context.plan, first), _levels(others), said)
    good = row.good(assessment.context.plan, first.players)
    evidence = " · ".join(filter(None, (evidence, good)))
    lead = tr("Problem") if first.kind == BAD else tr("Watch")
    finding = _finding(assessment, row, first, text, lead, evidence, said.tier, others, band)
    return Fact(row, first, finding, _group(assessment, said))


def _weak_fact(assessment: Assessment, problems: Sequence[Said[Verdict]]) -> Fact:
    """Return problems of weaker players, with what the stronger ones show."""
    said = problems[0]
    first, row, plan = said.claim, assessment.rows[said.claim.row], assessment.context.plan
    band = row.band(assessment.context.plan, first.players)
    others = figures_of(said, first.name)
    heard = assessment.cells[first.place]
    slots = {"tier": said.tier, "problem": row.problem(plan, first), "strong": heard.tier}
    if strong := others.get(heard.tier):
        value = row.write_number(plan, strong.value, first.players)
        becomes = _what_becomes_of_it(first, strong, heard, band)
        both = tr("With {tier} {problem}; with {strong} {value}.", value=value, **slots)
    else:
        both, becomes = tr("With {tier} {problem}; this is not shown with {strong}.", **slots), ""
    text = _sentences(both, _also(assessment, row, problems[1:]), becomes)
    evidence = _evidence(row.ends(plan, first), _levels(others), said)
    finding = _finding(assessment, row, first, text, "", evidence, heard.tier, others, band)
    return Fact(row, first, finding, WEAK)


def _what_becomes_of_it(weak: Verdict, strong: Figure, heard: Said[Verdict], band: tuple[float, float] | None) -> str:
    """Return whether a problem of weaker players fades, reverses, or is open as players get better."""
    if strong.side(band) == -weak.figure.side(band) != 0:
        return tr(REVERSES)
    if strong.excludes(weak.figure):
        return tr(FADES)
    if heard.claim.differs:
        return tr("Whether good players meet it too is open: equally strong ones differ.")
    return tr("Whether good players meet it too is open: there are not enough games with {tier}.", tier=heard.tier)


def _differing(assessment: Assessment) -> Iterable[list[Said[Verdict]]]:
    """Yield for each row the places where all equally strong players lie beyond the band, the farthest first.

    Then, for each row, those of the first variant where they disagree about it, the widest first.
    """
    beyond: dict[str, list[tuple[float, Said[Verdict]]]] = {}
    disagree: dict[str, list[tuple[float, Said[Verdict]]]] = {}
    for place, said in assessment.cells.items():
        spread, row = said.claim.spread, assessment.rows[place.row]
        band = row.band(assessment.context.plan, place.players)
        if not spread or not band or place in assessment.reversals:
            continue
        if far := spread.beyond(band):
            beyond.setdefault(place.row, []).append((far / (band[1] - band[0]), said))
        elif place.variant == assessment.context.first and (spread.low < band[0] or spread.high > band[1]):
            disagree.setdefault(place.row, []).append((spread.high - spread.low, said))
    for found in [*beyond.values(), *disagree.values()]:
        yield [said for _, said in sorted(found, key=lambda each: each[0], reverse=True)]


def _differing_fact(assessment: Assessment, found: Sequence[Said[Verdict]]) -> Fact:
    """Return where equally strong players disagree: how one plays matters more there than the rules."""
    said = found[0]
    first, row = said.claim, assessment.rows[said.claim.row]
    assert first.spread is not None
    band = row.band(assessment.context.plan, first.players)
    slots = {"question": tr(row.title), "range": row.write_spread(first)}
    if is_beyond := first.spread.beyond(band) > 0:
        text = tr("{question}: {range}. All are outside the good range, but too few to show it for others.", **slots)
    else:
        text = tr("{question}: {range}. The figure depends on how one plays, and more games can't decide.", **slots)
    also = [f"{row.write_spread_in_short(each.claim)} {_where(assessment, each.claim)}" for each in found[1:]]
    others = figures_of(said, first.spread.name)
    text = _sentences(text, _write_also(also))
    evidence = _evidence(f"n = {write_number(first.n, ',')}", _levels(others), said)
    lead = tr("All outside") if is_beyond else tr("Players differ")
    finding = _finding(assessment, row, first, text, lead, evidence, said.tier, others, band)
    return Fact(row, first, finding, _group(assessment, said))


def _also(assessment: Assessment, row: Row, others: Sequence[Said[Verdict]]) -> str:
    """Return further problems of a row in short; "" for none."""
    plan = assessment.context.plan
    return _write_also([row.problem_in_short(plan, each.claim, _where(assessment, each.claim)) for each in others])


def _write_also(others: Sequence[str]) -> str:
    """Return a sentence that lists some of these, and counts the others; "" for none."""
    if not others:
        return ""
    also, rest = ", ".join(others[:_ALSO]), len(others) - _ALSO
    if rest > 0:
        return trn("Also {also} and {n} more cell.", "Also {also} and {n} more cells.", rest, also=also)
    return tr("Also {also}.", also=also)


def _sentences(*parts: str) -> str:
    return " ".join(filter(None, parts))


def write_where(variant: str, players: int) -> str:
    """Return a cell of the run as a clause, as in "base, 2 players"."""
    return tr("{variant}, {players}", variant=variant, players=with_players([players]))


def _with_players(players: int) -> str:
    """Return a player count as in "with 2 players"."""
    return tr("with {players}", players=with_players([players]))


def _where(assessment: Assessment, verdict: Verdict) -> str:
    variant = "" if verdict.variant == assessment.context.first else f" ({verdict.variant})"
    return _with_players(verdict.players) + variant


# Changes


def _joined_changes(assessment: Assessment) -> list[list[Said[Change]]]:
    """Group changes that are facts by grid row, variant and direction; the largest first."""
    groups: dict[ChangeGroup, list[Said[Change]]] = {}
    for said in assessment.changes:
        change = said.claim
        group = (change.row, change.variant, change.better, change.effect > 0)
        groups.setdefault(group, []).append(said)
    return [
        changes
        for group, changes in groups.items()
        if not (assessment.rows[group[0]].mirrored and _is_mirrored(assessment, group, groups))
    ]


def _is_mirrored(
    assessment: Assessment, group: ChangeGroup, groups: Mapping[ChangeGroup, Sequence[Said[Change]]]
) -> bool:
    """Return whether a finding repeats another one: of two seats or teams, one gains what the other loses."""
    row, variant, better, more = group
    mirrored = groups.get((row, variant, better, not more), [])
    fair = assessment.context.plan.fair_share
    shares = [{fair(said.claim.players) for said in changes} for changes in (groups[group], mirrored)]
    return not more and shares == [{50.0}, {50.0}]


def _change_fact(assessment: Assessment, changes: Sequence[Said[Change]]) -> Fact:
    """Return the changes of a row and variant: the largest in full, the next in short."""
    said, *others = changes
    first, plan = said.claim, assessment.context.plan
    row = assessment.rows[first.row]
    lead = {1: tr("Better"), -1: tr("Worse")}.get(first.better, tr("Changed"))
    also = ", ".join(_change_in_short(row, plan, each.claim, first) for each in others[:_ALSO])
    rest = len(others) - _ALSO
    more = tr("Also {also} and {n} more.", also=also, n=rest) if rest > 0 else tr("Also {also}.", also=also)
    sizes = {tier: each.figure for tier, each in said.by_tier.items()}
    trend = trend_of(said.tier, sizes, (0.0, 0.0))
    text = _sentences(capital(row.change(plan, first)), more if others else "", tr(trend))
    shown = ", ".join(f"{tier} {signed(each.value)}" for tier, each in sizes.items())
    evidence = _evidence(row.effect(plan, first), shown, said)
    band = (-first.limit, first.limit)
    finding = _finding(assessment, row, first, text, lead, evidence, said.tier, sizes, band)
    return Fact(row, first, finding, _group(assessment, said))


def _change_in_short(row: Row, plan: Plan, change: Change, first: Change) -> str:
    """Return a further change of a finding in short."""
    text = row.change_in_short(plan, change)
    if change.players == first.players:
        return text
    return f"{text} {_with_players(change.players)}"


# What players of other strength show


def trend_of(tier: str, figures: Mapping[str, Figure], band: tuple[float, float] | None) -> str:
    """Return how a result depends on the strength of players: `STEADY`, `GROWS`, `REVERSES`; "" if not shown.

    `figures` are the numbers of all tiers for the same thing, the weakest first; `tier` speaks. A tier shows the same
    if its interval lies on the same side of the band.
    """
    own, side = figures[tier], figures[tier].side(band)
    if len(figures) < 2 or not side:
        return ""
    order = list(figures)
    weaker = [figures[each] for each in order[: order.index(tier)]]
    if any(each.side(band) == -side for each in weaker):
        return REVERSES
    if all(each.side(band) == side for each in figures.values()):
        return STEADY
    grows = any(each.excludes(own) and side * (own.value - each.value) > 0 for each in weaker)
    return GROWS if grows else ""


def _levels(others: Mapping[str, Figure]) -> str:
    """Return the numbers of all tiers, the weakest first; "" if there is only one."""
    return ", ".join(f"{tier} {amount(each.value)}" for tier, each in others.items())


def _evidence(own: str, levels: str, said: Said[Any]) -> str:
    """Return the interval of a result, who shows it, and the numbers of all tiers."""
    if len(said.by_tier) < 2:
        return own
    return f"{own}, {tr('with {tier}', tier=said.tier)} · {levels}"


def _finding(
    assessment: Assessment, row: Row, about: Verdict | Change, text: str, lead: str, evidence: str, tier: str,
    figures: Mapping[str, Figure], band: tuple[float, float] | None,
) -> Finding:  # fmt: skip
    """Return a finding with its strip and the command that looks for a change."""
    better = about.better if isinstance(about, Change) else 0
    strip = draw_strip(figures, tier, band, signed if isinstance(about, Change) else amount)
    command = _look_for_change(assessment, row, about, tier)
    where = write_where(about.variant, about.players)
    return Finding(text, row.anchor, lead, where, evidence, better, strip, command)


def _look_for_change(assessment: Assessment, row: Row, about: Verdict | Change, tier: str) -> str:
    """Return the command that shows what moves the measure of a row; "" for a row without one.

    It can name the variants and the players of an experiment, but not a value of a sweep or a line-up.
    """
    plan = assessment.context.plan
    (played,) = [each for each in plan.tiers if each.name == tier]
    (keys,) = [each for each in plan.experiment.every_tier if each.name == tier]
    measure = row.aim(about.name)
    if (
        not measure
        or not has_keys(plan.game)
        or row.about_strategies
        or not keys.strategies
        or plan.points
        or plan.members
    ):
        return ""
    names = [variant.name for variant in plan.variants]
    variant = plan.experiment.variants[names.index(about.variant)]  # a name or a path
    words = ["balance", "sensitivity", "--game", plan.experiment.game, "--variant", variant]
    if not played.iterations:  # searchers would need hours for all steps; without a name the expert plays
        words += ["--strategies", join_names(keys.strategies)]
    return shlex.join([*words, "--players", str(about.players), "--measure", measure])
