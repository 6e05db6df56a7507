"""The meaning of the words in the verdict grid, with the thresholds of the run."""

from __future__ import annotations

from collections.abc import Mapping

from balance.analysis.verdicts import box_minutes
from balance.experiments.measures import seconds_per_choice
from balance.foundation.text import amount, listed
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.screen import GridQuestion
from balance.stats.comparisons import ALPHA, LEAST_DECKS
from balance.stats.intervals import fair_share


def terms_of(context: ReportContext, questions: Mapping[str, GridQuestion]) -> list[tuple[str, str]]:
    """Return terms and their meaning, in the order of the grid; `questions` are its rows."""
    terms = [("Intervals", _intervals(context)), ("Seats fair", _seats(context))]
    if context.has_several_strategies:
        terms.append(("Strategies fair", _strategies(context)))
    terms += [(each.title, each.meaning) for each in questions.values() if each.meaning]
    if context.has_rounds:
        terms.append(("Comebacks", _comebacks(context)))
    terms += [
        ("Length", _length(context)),
        ("Luck", "Never judged: no amount of luck is right or wrong."),
    ]
    if context.plan.experiment.targets:
        terms.append(
            (
                "Your targets",
                "A target is met if the whole interval lies inside its bounds, for every seat or strategy.",
            )
        )
    if len(context.plan.variants) > 1:
        terms.append(("Changed", _changed(context)))
    if context.other_tiers:
        terms.append(("Depends on the strategies", _tiers(context)))
    terms.append(("Who played", f"{who_plays(context.plan)}."))
    return terms


def _intervals(context: ReportContext) -> str:
    return (
        "A word compares an interval with a threshold. The intervals in the grid and the findings are widened so that "
        f"all {context.sharing} on the page hold together with {100 * (1 - ALPHA):.0f} % confidence. Not enough "
        f"games: the interval includes the threshold. Fewer than {LEAST_DECKS} deals are too few. Intervals in the "
        "sections are 95 % each."
    )


def _seats(context: ReportContext) -> str:
    limits = context.thresholds
    fair = listed([f"{fair_share(players):.3g}" for players in context.plan.experiment.players])
    beyond = amount(limits.problem_beyond, "point")
    return (
        f"Fair: every seat is within {amount(limits.seats, 'point')} of a fair share ({fair} %). Unfair: a seat is "
        f"further off; more than {beyond} off is marked as a problem. The number is the win share of the seat furthest "
        "from fair."
    )


def _strategies(context: ReportContext) -> str:
    share = context.thresholds.alive
    return (
        f"Unfair: a strategy wins less than {100 - share:g} % or more than {100 + share:g} % of a fair share. One "
        "strategy off is marked watch, several are marked problem. The number is the win share of the strategy "
        "furthest from fair, among these strategies."
    )


def _comebacks(context: ReportContext) -> str:
    limits = context.thresholds
    counts = context.plan.experiment.players
    bands = ", ".join(
        "{:.3g} to {:.3g} % with {}".format(*limits.comeback_band(each), each) for each in counts
    )
    least, most = limits.comebacks
    return (
        "The number is the share of winners who were behind at half time. If the first half did not matter, it would "
        f"be {listed([f'{100 - fair_share(each):.3g}' for each in counts])} % by chance. Open: from {least:g} to "
        f"{most:g} % of that chance ({bands}). Runaway: fewer. Late: more, so the first half hardly matters."
    )


def _length(context: ReportContext) -> str:
    box = box_minutes(context.plan)
    low, high = seconds_per_choice(context.plan)
    words = (
        f"The estimate assumes {low:g} to {high:g} seconds a choice (`seconds_per_choice`). Choices that players make "
        "at the same time count once."
    )
    if not box:
        return f"The game has no stated time. {words}"
    return (
        f"Fits: from {box[0]:g} to {box[1]:g} minutes at every pace in the assumed range. By pace: whether it fits "
        f"depends on the pace. {words}"
    )


def _changed(context: ReportContext) -> str:
    limits = context.thresholds
    return (
        "The difference on the same deals is shown, and it either changes the word or is at least "
        f"{amount(limits.seats, 'point')} for a seat, {amount(limits.strategies, 'point')} for a strategy, "
        f"{amount(limits.comeback_change, 'point')} for comebacks or {limits.length_change:g} % of the length. "
        "Changes are ranked by their size divided by this threshold. Direct consequences of the rule are listed under "
        "What each variant changes and are not findings."
    )


def _tiers(context: ReportContext) -> str:
    tiers = listed([context.plan.tier.name, *context.other_tiers])
    return (
        f"{tiers} played the same deals. {_who_counts(context)} A result that one tier shows and another tier "
        "contradicts depends on the strategies, and is not a finding about the rules. Not enough games with a tier: "
        "its result is undecided, which is no contradiction."
    )


def _who_counts(context: ReportContext) -> str:
    """Return whose verdicts lead the page, and who may contradict them."""
    if context.reference == context.plan.tier.name:
        return "The first screen shows the verdicts of the first."
    return (
        f"On seats, comebacks and length the first screen shows the verdicts of {context.reference}, the strongest "
        "tier that decides most of them. Weaker tiers do not contradict them, unless their players make mistakes as "
        "novices do."
    )
