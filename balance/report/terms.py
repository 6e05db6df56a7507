"""The meaning of the words in the verdict grid, with the thresholds of the run."""

from __future__ import annotations

from collections.abc import Sequence

from balance.foundation.language import tr
from balance.foundation.text import listed
from balance.report.context import ReportContext
from balance.report.doubts import who_plays
from balance.report.row import Row
from balance.report.words import write_limit
from balance.stats.comparisons import ALPHA, LEAST_DECKS


def terms_of(context: ReportContext, rows: Sequence[Row]) -> list[tuple[str, str]]:
    """Return terms and their meaning, in the order of the grid."""
    terms = [(tr("Intervals"), _intervals(context))]
    terms += [(tr(row.title), text) for row in rows if (text := row.term(context))]
    if len(context.plan.variants) > 1:
        terms.append((tr("Changed"), _changed(context)))
    if context.other_tiers:
        terms.append((tr("Who speaks"), _tiers(context)))
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


def _changed(context: ReportContext) -> str:
    limits = context.thresholds
    least = tr(
        "{seats} for a seat or team, {strategies} for a strategy, {comebacks} for comebacks or {length:g} % of the "
        "length",
        seats=write_limit(limits.seats),
        strategies=write_limit(limits.strategies),
        comebacks=write_limit(limits.comeback_change),
        length=limits.length_change,
    )
    if not context.has_rivals:
        won, length = write_limit(limits.won_change), limits.length_change
        least = tr("{won} for games won or {length:g} % of the length", won=won, length=length)
    return tr(
        "The difference on the same deals is shown, and it either changes the word or is at least {least}. Changes "
        "are ranked by their size divided by this threshold. Direct consequences of the rule are listed under What "
        "each variant changes and are not findings.",
        least=least,
    )


def _tiers(context: ReportContext) -> str:
    """Return whose verdicts count, and what a strip shows."""
    order = listed(list(context.speakers.order))
    return tr(
        "{tiers} played the same deals, here from the weakest to the strongest. In each cell the strongest that decide "
        "it speak. Profiles are silent where networks or searchers as strong as they played, and so is a tier if "
        "stronger players are shown to have another number. A strip has the number of each tier, the weakest at the "
        "top, on the band that counts as good; the filled dot speaks. A result depends on who plays if equally strong "
        "players show opposite results; it is then no finding about the rules.",
        tiers=order,
    )
