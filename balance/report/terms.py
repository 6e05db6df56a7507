"""The meaning of the words in the verdict grid, with the thresholds of the run."""

from __future__ import annotations

from collections.abc import Mapping

from balance.analysis.verdicts import box_minutes
from balance.experiments.measures import seconds_per_choice
from balance.foundation.language import tr, write_number
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.screen import GridQuestion
from balance.report.words import write_limit
from balance.stats.comparisons import ALPHA, LEAST_DECKS
from balance.stats.intervals import fair_share


def terms_of(context: ReportContext, questions: Mapping[str, GridQuestion]) -> list[tuple[str, str]]:
    """Return terms and their meaning, in the order of the grid; `questions` are its rows."""
    terms = [(tr("Intervals"), _intervals(context)), (tr("Seats fair"), _seats(context))]
    if context.has_several_strategies:
        terms.append((tr("Strategies fair"), _strategies(context)))
    terms += [(tr(each.title), tr(each.meaning)) for each in questions.values() if each.meaning]
    if context.has_rounds:
        terms.append((tr("Comebacks"), _comebacks(context)))
    terms += [
        (tr("Length"), _length(context)),
        (
            tr("Luck"),
            tr(
                "Never judged: no amount of luck is right or wrong. 0: drawing this source of chance again changes no "
                "result. 100: it changes results as much as another game does. A source is named only where it is "
                "shown to decide more than each other one."
            ),
        ),
    ]
    if context.plan.experiment.targets:
        terms.append(
            (
                tr("Your targets"),
                tr(
                    "A target is met if the whole interval lies inside its bounds, for every seat or strategy."
                ),
            )
        )
    if len(context.plan.variants) > 1:
        terms.append((tr("Changed"), _changed(context)))
    if context.other_tiers:
        terms.append((tr("Depends on the strategies"), _tiers(context)))
    terms.append((tr("Who played"), f"{who_plays(context.plan)}."))
    return terms


def _intervals(context: ReportContext) -> str:
    words = tr(
        "A word compares an interval with a threshold. The intervals in the grid and the findings are widened so that "
        "all {families} on the page hold together with {confidence:.0f} % confidence. Not enough games: the interval "
        "includes the threshold. Fewer than {least} deals are too few. Intervals in the sections are 95 % each.",
        families=context.sharing,
        confidence=100 * (1 - ALPHA),
        least=LEAST_DECKS,
    )
    words = f"{words} {context.primary_words}".strip()
    strategies = [each for tier in context.plan.tiers for each in tier.strategies]
    if not any(each.uses_networks for each in strategies):
        return words
    differ = tr(
        "Players differ: networks that were trained in the same way, and play equally strongly, lie on both sides of "
        "the threshold, or are too few to show that others would not. More games can't decide this: the figure depends "
        "on how one plays, and not on the rule alone."
    )
    return f"{words} {differ}"


def _seats(context: ReportContext) -> str:
    limits = context.thresholds
    bands = [
        tr("{low:.3g} to {high:.3g} % with {players}", low=fair - limit, high=fair + limit, players=each)
        for each in context.plan.experiment.players
        for fair, limit in [(fair_share(each), limits.seat_limit(each))]
    ]
    return tr(
        "Fair: every seat is within {margin:g} % of a fair share ({bands}; `seat_margin`). Unfair: a seat lies "
        "outside; more than twice as far from fair is marked as a problem. The number is the win share of the seat "
        "furthest from fair.",
        margin=limits.seat_margin,
        bands=", ".join(bands),
    )


def _strategies(context: ReportContext) -> str:
    share = context.thresholds.alive
    return tr(
        "Unfair: a strategy wins less than {low:g} % or more than {high:g} % of a fair share. One strategy off is "
        "marked watch, several are marked problem. The number is the win share of the strategy furthest from fair, "
        "among these strategies.",
        low=100 - share,
        high=100 + share,
    )


def _comebacks(context: ReportContext) -> str:
    limits = context.thresholds
    counts = context.plan.experiment.players
    bands = [
        tr("{low:.3g} to {high:.3g} % with {players}", low=low, high=high, players=each)
        for each in counts
        for low, high in [limits.comeback_band(each)]
    ]
    least, most = limits.comebacks
    return tr(
        "The number is the share of winners who were behind at half time. If the first half did not matter, it would "
        "be {chance} % by chance. Open: from {least:g} to {most:g} % of that chance ({bands}). Runaway: fewer. Late: "
        "more, so the first half hardly matters.",
        chance=listed([write_number(100 - fair_share(each), ".3g") for each in counts]),
        least=least,
        most=most,
        bands=", ".join(bands),
    )


def _length(context: ReportContext) -> str:
    box = box_minutes(context.plan)
    low, high = seconds_per_choice(context.plan)
    words = tr(
        "The estimate assumes {low:g} to {high:g} seconds a choice (`seconds_per_choice`). Choices that players make "
        "at the same time count once.",
        low=low,
        high=high,
    )
    if not box:
        return f"{tr('The game has no stated time.')} {words}"
    fits = tr(
        "Fits: from {low:g} to {high:g} minutes at every pace in the assumed range. By pace: whether it fits depends "
        "on the pace.",
        low=box[0],
        high=box[1],
    )
    return f"{fits} {words}"


def _changed(context: ReportContext) -> str:
    limits = context.thresholds
    return tr(
        "The difference on the same deals is shown, and it either changes the word or is at least {seats} for a seat, "
        "{strategies} for a strategy, {comebacks} for comebacks or {length:g} % of the length. Changes are ranked by "
        "their size divided by this threshold. Direct consequences of the rule are listed under What each variant "
        "changes and are not findings.",
        seats=write_limit(limits.seats),
        strategies=write_limit(limits.strategies),
        comebacks=write_limit(limits.comeback_change),
        length=limits.length_change,
    )


def _tiers(context: ReportContext) -> str:
    tiers = listed([context.plan.tier.name, *context.other_tiers])
    played = tr("{tiers} played the same deals.", tiers=tiers)
    depends = tr(
        "A result that one tier shows and another tier contradicts depends on the strategies, and is not a finding "
        "about the rules. Not enough games with a tier: its result is undecided, which is no contradiction."
    )
    return f"{played} {_who_counts(context)} {depends}"


def _who_counts(context: ReportContext) -> str:
    """Return whose verdicts lead the page, and who may contradict them."""
    if context.reference == context.plan.tier.name:
        return tr("The first screen shows the verdicts of the first tier.")
    return tr(
        "On seats, comebacks and length the first screen shows the verdicts of {tier}, the strongest tier that decides "
        "most of them, or the strongest of all if none does. Weaker tiers do not contradict them, unless their players "
        "make mistakes as novices do.",
        tier=context.reference,
    )
