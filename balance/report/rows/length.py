"""Length: do games fit their stated time?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.changes import Change
from balance.analysis.question import Question
from balance.analysis.spread import cell_questions
from balance.analysis.verdicts import (
    BY_PACE,
    FEW_GAMES,
    FITS,
    GOOD,
    IF_QUICK,
    IF_SLOW,
    LONG,
    NO_TARGET,
    NONE,
    OPEN,
    SHORT,
    WATCH,
    Mark,
    Verdict,
    mark_band,
    mean_verdicts,
)
from balance.experiments.measures import seconds_per_choice
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr, write_number
from balance.report.context import Evidence, ReportContext
from balance.report.row import Row
from balance.report.words import amount, signed, write_range


class Length(Row):
    """Do games fit their time, at every pace of players? The number is in minutes."""

    name = "length"
    title = N_("Length")
    order = 70
    anchor = "length"
    measure = "minutes"
    changes_last = True
    number_unit = N_("minutes")

    def questions(self, evidence: Evidence) -> Sequence[Question]:
        """Return the means of all measures that are not split."""
        return cell_questions(evidence.measures)

    def verdicts(self, evidence: Evidence) -> Iterable[Verdict]:
        """Yield whether games fit their time."""
        plan = evidence.plan

        def off(players: int, minutes: float) -> float:
            """Return how far the nearest pace is from the time that fits, in thresholds of a change."""
            ends = [minutes * pace for pace in pace_range(plan, players)]
            box = box_minutes(plan) or ()
            parts = (abs(end - edge) / edge for end in ends for edge in box)
            return 100 * min(parts, default=0.0) / plan.experiment.thresholds.length_change

        return mean_verdicts(
            self.name, self.measure, evidence.measures, evidence.answers, evidence.family,
            lambda *cell: self.judge(plan, *cell), off,
        )  # fmt: skip

    def judge(self, plan: Plan, players: int, low: float, high: float) -> Mark:
        """Return whether games fit their time at every pace in the assumed range."""
        if (box := box_minutes(plan)) is None:
            return Mark(NONE, NO_TARGET)
        words = Mark(GOOD, FITS), Mark(WATCH, SHORT), Mark(WATCH, LONG)
        quick, slow = (mark_band(low * pace, high * pace, box, *words) for pace in pace_range(plan, players))
        if quick == slow:
            return quick
        if FITS in (quick.word, slow.word):
            return Mark(OPEN, IF_QUICK if quick.word == FITS else IF_SLOW)
        return Mark(OPEN, FEW_GAMES if FEW_GAMES in (quick.word, slow.word) else BY_PACE)

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        return thresholds.length_change / 100 * abs(baseline)

    def good(self, plan: Plan, players: int) -> str:
        if not (box := box_minutes(plan)):
            return ""
        return tr("the box says {low:g} to {high:g} minutes", low=box[0], high=box[1])

    def unit(self, plan: Plan) -> str:
        box, (low, high) = box_minutes(plan), _all_seconds(plan)
        fits = "; " + tr("fits {low:g}–{high:g}", low=box[0], high=box[1]) if box else ""
        return tr("minutes at {low:g}–{high:g} s a choice", low=low, high=high) + fits

    def term(self, context: ReportContext) -> str:
        box, (low, high) = box_minutes(context.plan), _all_seconds(context.plan)
        words = tr(
            "The estimate assumes {low:g} to {high:g} seconds a choice (`seconds_per_choice`). Choices that players "
            "make at the same time count once.",
            low=low,
            high=high,
        )
        if not box:
            return f"{tr('The game has no stated time.')} {words}"
        fits = tr(
            "Fits: from {low:g} to {high:g} minutes at every pace in the assumed range. Fits if quick, or if slow: at "
            "one end of the range only.",
            low=box[0],
            high=box[1],
        )
        return f"{fits} {words}"

    def write_value(self, plan: Plan, verdict: Verdict) -> str:
        return _span(plan, verdict.players, verdict.value)

    def write_number(self, plan: Plan, value: float, players: int) -> str:
        return tr("{minutes} minutes", minutes=_span(plan, players, value))

    def problem(self, plan: Plan, verdict: Verdict) -> str:
        """Return whether games are too short or too long."""
        minutes = _span(plan, verdict.players, verdict.value)
        if verdict.word == SHORT:
            return tr("games take {minutes} minutes: too short", minutes=minutes)
        return tr("games take {minutes} minutes: too long", minutes=minutes)

    def problem_in_short(self, plan: Plan, verdict: Verdict, where: str) -> str:
        return tr("{value} minutes {where}", value=_span(plan, verdict.players, verdict.value), where=where)

    def ends(self, plan: Plan, verdict: Verdict) -> str:
        return tr("{low} to {high} minutes, n = {n:,}", **self.slots(plan, verdict))

    def doubt_of_word(self, plan: Plan, verdict: Verdict) -> str:
        slots = self.slots(plan, verdict)
        return tr("{word}, {value} minutes ({low} to {high}, n = {n:,})", **slots)

    def levels(self, plan: Plan, change: Change) -> str:
        return " → ".join(_span(plan, change.players, each) for each in (change.baseline, change.level))

    def change(self, plan: Plan, change: Change) -> str:
        slots, box = self.change_slots(plan, change), box_minutes(plan)
        if not box:
            return tr("Estimated length: {levels} minutes.", **slots)
        slots |= {"low": box[0], "high": box[1]}
        return tr("Estimated length: {levels} minutes, the box says {low:g} to {high:g}.", **slots)

    def effect(self, plan: Plan, change: Change) -> str:
        """Return the size in percent of the length."""
        ends = (change.effect, change.low, change.high)
        sizes, (unit, *_) = zip(*(_in_percent(change, end) for end in ends), strict=True)
        slots = self.change_slots(plan, change)
        slots["effect"] = f"{write_range(*map(signed, sizes))} {tr(unit)}"
        return tr("{effect}, n = {n:,} pairs on {decks:,} deals", **slots)

    def verb(self, plan: Plan, change: Change) -> str:
        size, unit = _in_percent(change, abs(change.effect))
        if change.effect > 0:
            return tr("lengthens games by {size:.0f} {unit}", size=size, unit=tr(unit))
        return tr("shortens games by {size:.0f} {unit}", size=size, unit=tr(unit))

    def brief(self, plan: Plan, change: Change) -> str:
        effect, unit = _in_percent(change, change.effect)
        size = write_number(effect, "+.0f").replace("-", "−")
        slots = self.change_slots(plan, change) | {"size": size, "unit": tr(unit)}
        return tr("length with {players} ({size} {unit})", **slots)


def box_minutes(plan: Plan) -> tuple[float, float] | None:
    """Return the shortest and longest time that fit: the experiment's, or the time on the box; None without."""
    own = plan.experiment.thresholds.minutes
    found = own or getattr(plan.game.analytics, "BOX_MINUTES", None)
    return (float(found[0]), float(found[1])) if found else None


def _all_seconds(plan: Plan) -> tuple[float, float]:
    """Return the shortest and the longest time of a choice at any player count."""
    lows, highs = zip(*seconds_per_choice(plan).values(), strict=True)
    return min(lows), max(highs)


def pace_range(plan: Plan, players: int) -> tuple[float, float]:
    """Return the factors on estimated minutes at the shortest and at the longest time for a choice."""
    low, high = seconds_per_choice(plan)[players]
    return 2 * low / (low + high), 2 * high / (low + high)


def _span(plan: Plan, players: int, minutes: float) -> str:
    """Return estimated minutes from the quickest to the slowest pace, as in "44–89"."""
    quick, slow = (amount(minutes * each) for each in pace_range(plan, players))
    return quick if quick == slow else f"{quick}–{slow}"


def _in_percent(change: Change, effect: float) -> tuple[float, str]:
    """Return an effect in percent of the baseline's length, which the pace does not move, and its unit.

    If the baseline's games have no choices, and so no estimated length, it is in minutes (min).
    """
    return (100 * effect / abs(change.baseline), "%") if change.baseline else (effect, N_("min"))


ROW = Length()
