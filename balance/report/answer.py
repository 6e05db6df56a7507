"""The question of a run, the sentence that answers it, and the advice that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from balance.analysis.changes import Change, Tradeoff
from balance.analysis.verdicts import FEW_GAMES, GOOD, Verdict
from balance.contract.sides import RIVALS
from balance.experiments.plan import Plan
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.report.assessment import Assessment
from balance.report.findings import RULES, Fact
from balance.report.words import capital, with_players
from balance.stats.comparisons import PLAYERS_DIFFER, UNDECIDED

_CLAUSES = 2
_VARIANTS = 3


def question_of(plan: Plan) -> str:
    """Return the experiment's question, or one built from the run's variants."""
    if plan.experiment.question:
        return plan.experiment.question
    counts = with_players(plan.experiment.players)
    names = [variant.name for variant in plan.variants[1:]]
    if len(plan.points) > 1:
        keys = listed(list(plan.experiment.sweep))
        return tr("Which value of {keys} is best, with {players}?", keys=keys, players=counts)
    if len(names) > 6:
        return trn(
            "What does {n} variant change, with {players}?",
            "What do {n} variants change, with {players}?",
            len(names),
            players=counts,
        )
    if names:
        return trn(
            "What does {names} change, with {players}?",
            "What do {names} change, with {players}?",
            len(names),
            names=listed(names),
            players=counts,
        )
    if not plan.game.sides.allow((RIVALS,)):
        return tr("How hard is {game}, with {players}?", game=plan.game.title, players=counts)
    return tr("Is {game} fair and open, with {players}?", game=plan.game.title, players=counts)


def answer(assessment: Assessment, facts: Sequence[Fact]) -> str:
    """Return the most important facts about people who play well in one sentence: the largest problem and change.

    They come in the order of their ranks. Without a problem it is said which questions are shown to be good.
    """
    facts = [fact for fact in facts if fact.group == RULES]
    problems = [fact.problem for fact in facts if fact.problem]
    differing = [fact.about for fact in facts if isinstance(fact.about, Verdict) and fact.about.differs][:1]
    variants = [variant.name for variant in assessment.context.plan.variants]
    if len(variants) == 1:
        clauses = [place_problem(assessment, problem) for problem in problems[:_CLAUSES]]
        clauses += [_players_differ(assessment, each) for each in differing[: _CLAUSES - len(clauses)]]
        said = f"{'; '.join(clauses)}." if clauses else ""
        return said if problems else _without_problems(assessment, capital(said))
    changes = [fact.change for fact in facts if fact.change]
    changed = {change.variant for change in changes}
    still = [name for name in variants[1:] if name not in (*changed, *assessment.equal)]
    first = [place_problem(assessment, problem) for problem in problems[:1]]
    then = [join_changes(assessment, changes[: _CLAUSES - len(first)])] if changes else []
    clauses = [*then, *first] if facts and facts[0].change else [*first, *then]
    if not clauses:
        clauses += [_players_differ(assessment, each) for each in differing]
    if still and (not changes or len(still) <= _CLAUSES):
        clauses += _no_change(assessment, still, listed(still) if changes else "", problems[:1])
    if equal := listed(list(assessment.equal)):
        values = {"variants": equal, "first": assessment.context.first}
        clauses.append(tr("the games of {variants} are those of {first}", **values))
    said = f"{'; '.join(clauses)}."
    return said if problems else _without_problems(assessment, capital(said))


def _players_differ(assessment: Assessment, verdict: Verdict) -> str:
    """Return what equally strong players disagree about, with the player count."""
    text = assessment.rows[verdict.row].disagreement(verdict)
    if len(assessment.context.plan.experiment.players) > 1:
        text = tr("with {players} {problem}", players=with_players([verdict.players]), problem=text)
    if verdict.variant == assessment.context.first:
        return text
    return tr("in {variant}, {problem}", variant=verdict.variant, problem=text)


def _missing(change: Change) -> str:
    """Return what an open change lacks to be shown."""
    if not change.spread:
        return tr("more games needed")
    if change.spread.beyond((-change.limit, change.limit)):
        return tr("each of {n} equally strong players shows it, too few to be sure", n=change.spread.networks)
    return tr("players differ")


def _no_change(
    assessment: Assessment, variants: Sequence[str], named: str, problems: Sequence[Verdict]
) -> Iterable[str]:
    """Yield that no change is shown, and the largest that was seen: an estimate is not nothing.

    `named` are the variants if others change something. Nothing if the cell with the largest is among the `problems`
    that were said.
    """
    plan = assessment.context.plan
    seen = [
        said.claim
        for said in assessment.effects
        if said.claim.variant in variants
        and not assessment.is_of_styles(said)
        and said.claim.verdict in (UNDECIDED, PLAYERS_DIFFER)
        and said.claim.size >= 1
        and said.claim.limit > 0
    ]
    if not seen:
        if named:
            yield tr("no change that matters is shown for {variants}", variants=named)
        else:
            yield tr("no change that matters is shown")
        return
    largest = max(seen, key=lambda change: change.size)
    if named and largest.place in [problem.place for problem in problems]:
        return
    values = {
        "players": with_players([largest.players]),
        "variant": largest.variant,
        "change": assessment.rows[largest.row].verb(plan, largest),
        "missing": _missing(largest),
    }
    if named:
        yield tr(
            "no change is shown for {variants} (the largest seen: with {players} {variant} {change}; {missing})",
            variants=named,
            **values,
        )
    else:
        yield tr("no change is shown (the largest seen: with {players} {variant} {change}; {missing})", **values)


def join_changes(assessment: Assessment, changes: Sequence[Change]) -> str:
    """Return a clause for each change; name player count and variant once if two changes share them."""
    plan, rows = assessment.context.plan, assessment.rows
    return "; ".join(
        tr(
            "with {players} {variant} {changes}",
            players=with_players([players]),
            variant=variant,
            changes=listed([rows[change.row].verb(plan, change) for change in same]),
        )
        for (players, variant), same in groupby(changes, key=lambda change: change.place[1:])
    )


def place_problem(assessment: Assessment, verdict: Verdict) -> str:
    """Return a problem with player count and variant."""
    plan = assessment.context.plan
    text = assessment.rows[verdict.row].problem(plan, verdict)
    if len(plan.experiment.players) > 1:
        counts = with_players([verdict.players])
        text = tr("with {players} {problem}", players=counts, problem=text)
    if len(plan.variants) == 1:
        return text
    return tr("in {variant}, {problem}", variant=verdict.variant, problem=text)


def _without_problems(assessment: Assessment, said: str) -> str:
    """Return what was `said`, and which questions about the first variant are shown to be good.

    What the others lack follows only if nothing was said; the grid and the note below the findings have it.
    """
    judged: dict[str, set[str]] = {}
    for place, verdict in assessment.own.items():
        if assessment.rows[place.row].has_standard and place.variant == assessment.context.first:
            known = {FEW_GAMES, PLAYERS_DIFFER}
            word = verdict.kind if verdict.word not in known else verdict.word
            judged.setdefault(place.row, set()).add(word)
    titles = {name: tr(row.title).lower() for name, row in assessment.rows.items()}
    good = [titles[row] for row in titles if judged.get(row) == {GOOD}]
    few = [titles[row] for row in titles if FEW_GAMES in judged.get(row, ())]
    differ = [titles[row] for row in titles if PLAYERS_DIFFER in judged.get(row, ())]
    parts = [said] if said else []
    if good:
        parts.append(tr("Shown to be good: {questions}.", questions=listed(good)))
    if few and not said:
        parts.append(tr("Not enough games to judge: {questions}.", questions=listed(few)))
    if differ and not said:
        text = tr("Equally strong players differ, and more games can't decide: {questions}.", questions=listed(differ))
        parts.append(text)
    return " ".join([*_levels(assessment), *parts]) or tr("No verdict is shown.")


def _levels(assessment: Assessment) -> Iterable[str]:
    """Yield what rows without a standard say of the first variant."""
    first = assessment.context.first
    for name, row in assessment.rows.items():
        own = [each for each in assessment.own.values() if each.row == name and each.variant == first]
        if own and (text := row.levels_now(assessment.context.plan, own)):
            yield text


def advice(assessment: Assessment) -> str:
    """Return advice by the targets, or by the variant that is shown to be better and nowhere worse.

    If several variants are better, none is advised: no test says which of them is best. Without advice, return what
    each variant gains and costs; "" if no figure changes, or if the run has one variant.
    """
    for name, row in assessment.rows.items():
        if text := row.advice([each for each in assessment.own.values() if each.row == name]):
            return text
    tradeoffs = assessment.tradeoffs
    moved = [each for each in tradeoffs if each.gains or each.costs]
    if any(assessment.is_doubted(change.place) for each in moved for change in (*each.gains, *each.costs)):
        return ""
    better = [each for each in tradeoffs if each.is_better]
    if len(better) == 1:
        return tr(
            "take {variant}: {gains}. No figure is shown to be worse; all other figures are shown to change by less "
            "than matters, or to stay good.",
            variant=better[0].variant,
            gains=_largest(assessment, better[0].gains),
        )
    others = len(assessment.context.plan.variants) - 1
    if others and len(tradeoffs) == others and all(each.is_worse for each in tradeoffs):
        worse = [
            tr("{variant} is worse in {costs}", variant=each.variant, costs=_largest(assessment, each.costs))
            for each in tradeoffs
        ]
        return tr(
            "keep {variant}: {reasons}. No figure is shown to be better; all other figures are shown to change by less "
            "than matters, or to stay good.",
            variant=assessment.context.first,
            reasons="; ".join(worse),
        )
    return " ".join(gains_and_costs(assessment, each) for each in moved[:_VARIANTS])


def gains_and_costs(assessment: Assessment, each: Tradeoff) -> str:
    """Return what a variant gains and costs in one sentence."""
    variant = each.variant
    gains, costs = (_largest(assessment, side) for side in (each.gains, each.costs))
    if gains and costs:
        text = tr("{variant} is better in {gains}, worse in {costs}", variant=variant, gains=gains, costs=costs)
    elif gains:
        text = tr("{variant} is better in {gains}", variant=variant, gains=gains)
    else:
        text = tr("{variant} is worse in {costs}", variant=variant, costs=costs)
    if few := each.undecided - each.differing:
        text += "; " + tr("{n} of {judged} figures need more games", n=few, judged=each.judged)
    if each.differing:
        text += "; " + tr("players differ on {n} of {judged}", n=each.differing, judged=each.judged)
    return f"{text}."


def _largest(assessment: Assessment, changes: Sequence[Change]) -> str:
    """List the largest changes with their levels, those of the game before those of strategies."""
    plan, rows = assessment.context.plan, assessment.rows
    changes = sorted(changes, key=lambda change: rows[change.row].about_strategies)
    rest = len(changes) - _CLAUSES
    more = [trn("{n} more", "{n} more", rest)] if rest > 0 else []
    return listed([*(rows[each.row].brief(plan, each) for each in changes[:_CLAUSES]), *more])
