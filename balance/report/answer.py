"""The question of a run, the sentence that answers it, and the advice that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from balance.analysis.changes import Change, Tradeoff
from balance.analysis.verdicts import (
    COMEBACKS,
    FACTIONS,
    GOOD,
    LENGTH,
    SEATS,
    STRATEGIES,
    TARGETS,
    Verdict,
)
from balance.experiments.plan import Plan
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.findings import Fact, problem_words
from balance.report.screen import LUCK
from balance.report.words import amount, fair_of, ordinal, with_players

_CLAUSES = 2
_VARIANTS = 3
_LIMITS = "all other figures are shown to change by less than matters, or to stay good"


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


def answer(assessment: Assessment, facts: Sequence[Fact]) -> str:
    """Return the most important facts in one sentence: the largest problem and change, in the order of their ranks."""
    problems = [fact.problem for fact in facts if fact.problem]
    variants = [variant.name for variant in assessment.context.plan.variants]
    if len(variants) == 1:
        clauses = [place_problem(assessment, problem) for problem in problems[:_CLAUSES]]
        return f"{'; '.join(clauses)}." if clauses else _without_problems(assessment)
    changes = [fact.change for fact in facts if fact.change]
    changed = {change.variant for change in changes}
    still = [name for name in variants[1:] if name not in changed]
    first = [place_problem(assessment, problem) for problem in problems[:1]]
    then = [join_changes(changes[: _CLAUSES - len(first)])] if changes else []
    clauses = [*then, *first] if facts and facts[0].change else [*first, *then]
    if not changes:
        clauses.append("no change that matters is shown in seats, strategies, comebacks or length")
    elif 0 < len(still) <= _CLAUSES:
        clauses.append(f"no change that matters is shown for {listed(still)}")
    return f"{'; '.join(clauses)}."


def join_changes(changes: Sequence[Change]) -> str:
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
        return f"{'strengthens' if more else 'weakens'} {change.name} ({levels} % of its seats)"
    if change.row == FACTIONS:
        share = f"{levels} % of its games, fair {fair_of(change.players)}"
        return f"{'strengthens' if more else 'weakens'} {change.name} ({share})"
    if change.row == COMEBACKS:
        return f"lets {'more' if more else 'fewer'} winners come from behind ({levels} %)"
    percent = abs(change.in_percent(change.quoted))
    return f"{'lengthens' if more else 'shortens'} games by {percent:.0f} %"


def place_problem(assessment: Assessment, verdict: Verdict) -> str:
    """Return a problem with player count and variant."""
    plan = assessment.context.plan
    where = f"with {with_players([verdict.players])} " if len(plan.experiment.players) > 1 else ""
    base = verdict.variant == assessment.context.first
    whose = "" if len(plan.variants) == 1 else "as it is, " if base else f"by {verdict.variant}, "
    return f"{whose}{where}{problem_words(assessment, verdict)}"


def _without_problems(assessment: Assessment) -> str:
    """Return the questions that are shown to be good."""
    judged: dict[str, set[str]] = {}
    for place, verdict in assessment.own.items():
        if place.row not in (LUCK, TARGETS):
            judged.setdefault(place.row, set()).add(verdict.kind)
    titles = {name: each.title.lower() for name, each in assessment.questions.items()}
    good = [titles[row] for row in titles if judged.get(row) == {GOOD}]
    if good:
        return f"Shown to be good: {listed(good)}. The other questions need more games."
    return "Not enough games: no verdict is shown."


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
    return " ".join(map(gains_and_costs, moved[:_VARIANTS]))


def gains_and_costs(each: Tradeoff) -> str:
    """Return what a variant gains and costs in one sentence."""
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
    """List the largest changes with their levels, those of the game before those of strategies."""
    changes = sorted(changes, key=lambda change: change.row == STRATEGIES)
    more = [f"{len(changes) - _CLAUSES} more"] if len(changes) > _CLAUSES else []
    return listed([*map(_in_brief, changes[:_CLAUSES]), *more])


def _in_brief(change: Change) -> str:
    players = f"with {with_players([change.players])}"
    if change.row == LENGTH:
        percent = f"{change.in_percent(change.effect):+.0f} %".replace("-", "−")
        return f"length {players} ({percent})"
    what = f"wins of {change.name}"
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
