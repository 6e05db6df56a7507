"""The question of a run, the sentence that answers it, and the advice that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.changes import Change, Tradeoff
from balance.analysis.verdicts import (
    COMEBACKS,
    GOOD,
    LENGTH,
    SEATS,
    STRATEGIES,
    TARGETS,
    WORSE,
    Verdict,
)
from balance.experiments.plan import Plan
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.screen import TITLES
from balance.report.words import amount, comebacks_words, fair_of, ordinal, span_of, with_players

_CLAUSES = 2
_VARIANTS = 3
_LIMITS = "all other figures are shown to change by less than matters, or to stay good"
_ROWS = (SEATS, STRATEGIES, COMEBACKS, LENGTH)


def question_of(plan: Plan) -> str:
    """Return the experiment's question, or one built from the run's variants."""
    if plan.experiment.question:
        return plan.experiment.question
    counts = with_players(plan.experiment.players)
    names = [variant.name for variant in plan.variants[1:]]
    if plan.points:
        return f"Which value of {listed(list(plan.experiment.sweep))} is best, with {counts}?"
    if len(names) > 6:
        return f"What do {len(names)} variants change, with {counts}?"
    if names:
        return f"What {'do' if len(names) > 1 else 'does'} {listed(names)} change, with {counts}?"
    return f"Is {plan.game.title} fair and open, with {counts}?"


def answer(assessment: Assessment) -> str:
    """Return one sentence: the largest shown changes, or the problems if there is only one variant."""
    variants = [variant.name for variant in assessment.context.plan.variants]
    if len(variants) == 1:
        return _problems(assessment)
    changes = assessment.firm_changes
    if not changes:
        return "No change that matters is shown in seats, strategies, comebacks or length."
    largest: dict[tuple[str, str], Change] = {}
    for change in changes:
        largest.setdefault((change.variant, change.row), change)
    changed = {change.variant for change in changes}
    still = [name for name in variants[1:] if name not in changed]
    end = f"; no change that matters is shown for {listed(still)}" if 0 < len(still) <= 2 else ""
    return f"{_joined(list(largest.values())[:_CLAUSES])}{end}."


def _joined(changes: Sequence[Change]) -> str:
    """Return a clause for each change; name player count and variant once if two changes share them."""
    text = ""
    for number, change in enumerate(changes):
        same = number and change.place[1:] == changes[0].place[1:]
        start = f"with {with_players([change.players])} {change.variant}"
        text += " and " if same else f"{'; ' if number else ''}{start} "
        text += _verb(change)
    return text


def _verb(change: Change) -> str:
    """Describe a change, with its levels."""
    more = change.quoted > 0
    levels = f"{amount(change.baseline)} → {amount(change.level)}"
    if change.row == SEATS:
        fair = fair_of(change.players)
        whom = f"the {ordinal(int(change.group))} player {'more' if more else 'fewer'} wins"
        return f"gives {whom} ({levels} %, fair {fair})"
    if change.row == STRATEGIES:
        return f"{'strengthens' if more else 'weakens'} {change.group} ({levels} % of its seats)"
    if change.row == COMEBACKS:
        return f"lets {'more' if more else 'fewer'} winners come from behind ({levels} %)"
    percent = abs(change.in_percent(change.quoted))
    return f"{'lengthens' if more else 'shortens'} games by {percent:.0f} %"


def _problems(assessment: Assessment) -> str:
    """Return the two largest problems; without problems, the questions that are shown to be good."""
    verdicts = [
        verdict
        for place, verdict in assessment.own.items()
        if place.row in _ROWS and not assessment.is_doubted(place)
    ]
    problems = [verdict for verdict in verdicts if verdict.is_problem]
    problems.sort(key=lambda verdict: (-WORSE[verdict.kind], _ROWS.index(verdict.row)))
    if problems:
        chosen: dict[str, Verdict] = {}
        for verdict in problems:
            chosen.setdefault(verdict.row, verdict)
        clauses = [_problem(verdict, assessment.pace) for verdict in chosen.values()]
        return f"{'; '.join(clauses[:_CLAUSES])}."
    kinds = {row: {verdict.kind for verdict in verdicts if verdict.row == row} for row in _ROWS}
    good = [TITLES[row].lower() for row in _ROWS if kinds[row] == {GOOD}]
    if good:
        return f"Shown to be good: {listed(good)}. The other questions need more games."
    return "Not enough games: no verdict is shown."


def _problem(verdict: Verdict, pace: tuple[float, float]) -> str:
    counts, value = with_players([verdict.players]), amount(verdict.value)
    fair = fair_of(verdict.players)
    if verdict.row == SEATS:
        player = f"the {ordinal(int(verdict.name))} player"
        return f"with {counts} {player} wins {value} % of games (fair {fair})"
    if verdict.row == STRATEGIES:
        return f"with {counts} {verdict.name} wins {value} % of its seats (fair {fair})"
    if verdict.row == COMEBACKS:
        return f"with {counts} {comebacks_words(verdict)}"
    return f"games with {counts} are {verdict.word}, {span_of(verdict.value, pace)} minutes"


def advice(assessment: Assessment) -> str:
    """Return advice by the targets, or by the variant that is shown to be better and nowhere worse.

    If several variants are better, none is advised: no test says which of them is best. Without advice, return what
    each variant gains and costs; "" if no figure changes.
    """
    targets = [verdict for place, verdict in assessment.own.items() if place.row == TARGETS]
    if targets:
        return _by_targets(targets)
    tradeoffs = assessment.tradeoffs
    moved = [each for each in tradeoffs if each.gains or each.costs]
    if any(
        assessment.is_doubted(change.place) for each in moved for change in (*each.gains, *each.costs)
    ):
        return ""
    better = [each for each in tradeoffs if each.is_better]
    if len(better) == 1:
        shown = _largest(better[0].gains)
        return f"take {better[0].variant}: {shown}. No figure is shown to be worse; {_LIMITS}."
    others = len(assessment.context.plan.variants) - 1
    if len(tradeoffs) == others and all(each.is_worse for each in tradeoffs):
        worse = "; ".join(f"{each.variant} is worse in {_largest(each.costs)}" for each in tradeoffs)
        keep = f"keep {assessment.context.first}: {worse}"
        return f"{keep}. No figure is shown to be better; {_LIMITS}."
    return " ".join(map(_gains_and_costs, moved[:_VARIANTS]))


def _gains_and_costs(each: Tradeoff) -> str:
    parts = [
        f"{word} in {_largest(changes)}"
        for word, changes in (("better", each.gains), ("worse", each.costs))
        if changes
    ]
    text = f"{each.variant} is {', '.join(parts)}"
    if each.undecided:
        text += f"; {each.undecided} of {each.judged} figures need more games"
    return f"{text}."


def _largest(changes: Sequence[Change]) -> str:
    """List the largest changes with their levels."""
    more = [f"{len(changes) - _CLAUSES} more"] if len(changes) > _CLAUSES else []
    return listed([*map(_in_brief, changes[:_CLAUSES]), *more])


def _in_brief(change: Change) -> str:
    players = f"with {with_players([change.players])}"
    if change.row == LENGTH:
        percent = f"{change.in_percent(change.effect):+.0f} %".replace("-", "−")
        return f"length {players} ({percent})"
    what = f"wins of {change.group}"
    if change.row == SEATS:
        what = f"wins of the {ordinal(int(change.group))} player"
    elif change.row == COMEBACKS:
        what = "winners from behind"
    return f"{what} {players} ({amount(change.baseline)} → {amount(change.level)} %)"


def _by_targets(verdicts: Iterable[Verdict]) -> str:
    kinds: dict[str, set[str]] = {}
    for verdict in verdicts:
        kinds.setdefault(verdict.variant, set()).add(verdict.kind)
    good = [variant for variant, found in kinds.items() if found == {GOOD}]
    if good:
        return f"{listed(good)} meet{'s' if len(good) == 1 else ''} all targets at every player count."
    return "no variant is shown to meet all targets at every player count."
