"""Methods and limits: how figures are computed, and the table of measures."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import MOST_ROUND_GAMES
from balance.experiments.measures import measures_of
from balance.experiments.strategies import Strategy
from balance.foundation.catalogues import using
from balance.foundation.language import N_, SOURCE, tr, write_number
from balance.report.context import ReportContext
from balance.report.model import Section, Table
from balance.report.words import by_players
from balance.stats.comparisons import ALPHA, LEAST_DECKS

ORDER = 900
INTERVALS = N_(
    "Intervals are 95 % and cluster-robust on the deal (linearised variance of a ratio of cluster totals, "
    "Student's t), because games on one deal are alike and deals are independent. Intervals of shares are "
    "Wilson's on the effective number of games, or exact if an event is rare, so they stay within 0 to 100 %. "
    "n is the number of observations; deals (decks in the CSV) are the independent clusters."
)
EFFECTS = N_("Effects of variants are mean differences of pairs: games with the same deal, line-up and seeds.")
HELD_OUT = N_(
    "If a section names the most, the largest or the best of several, it was chosen on half of the deals and "
    "is measured on the other half (held-out deals). The answer, the grid and the findings also select figures "
    "for their size. These are the figures of the sections, measured on all deals: on average a selected one is a "
    "little too large. Their intervals hold for all figures together, whichever are selected. What is selected is "
    "ranked by its size after shrinkage (Stephens 2017), so that no figure leads by its noise."
)


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the methods, the limits and the table of measures."""
    text = [tr(INTERVALS), _verdicts(context), tr(EFFECTS), tr(HELD_OUT), _players(context)]
    text += [*_networks(context), *_rounds(context)]
    with using(SOURCE):
        raw = _measures(context)
    tables = [Table("measures", tr("Measures."), _measures(context), raw=raw)]
    return Section("methods", tr("Methods and limits"), text, tables=tables, rest=True)


def _verdicts(context: ReportContext) -> str:
    """Return when there is a verdict, and the error of all verdicts on the page."""
    limits = context.thresholds
    if not context.has_rivals:
        return _error(context)
    words = tr(
        "Verdicts: a seat or team is balanced if it is shown to lie within {margin:g} % of a fair share, a strategy "
        "within {alive:g} %. It is favoured or disfavoured if it is shown to lie beyond. Otherwise it is undecided, "
        "with the number of extra games that settle it with a probability of 80 %, given the games so far; or players "
        "differ: equally strong networks disagree, and no number of games settles it. With fewer than {least} deals "
        "there is no verdict.",
        margin=limits.seat_margin,
        alive=limits.alive,
        least=LEAST_DECKS,
    )
    return f"{words} {_error(context)}"


def _players(context: ReportContext) -> str:
    """Return what kinds of bots played."""
    kinds = {
        "random": tr("random (uniform over legal actions)"),
        "profile": tr("profiles (greedy, or less so at a temperature; they see the current position only)"),
        "search": tr("searchers, which look ahead ({iterations} playouts a decision)", iterations=_iterations(context)),
        "network": tr("networks (they combine features of the current position with those of an action)"),
        "custom": tr("your own bots"),
    }
    names = {strategy.kind for strategy in context.plan.tier.strategies}
    return tr(
        "All players are bots: {bots}. The results hold for how these strategies play; people may play better, or "
        "less aggressively.",
        bots=", ".join(kinds[name] for name in sorted(names, key=list(kinds).index)),
    )


def _rounds(context: ReportContext) -> list[str]:
    """Return which games the figures by round are from, or that there are none."""
    if not context.has_rounds:
        return [
            tr(
                "Scores after each round were not logged, so lead changes, the winner's deficit, comebacks, runaway "
                "leaders and early choices are missing. To see them, play with log level rounds."
            )
        ]
    if context.plan.tier.most_games <= MOST_ROUND_GAMES:
        return []
    return [
        tr(
            "Figures by round are from the first {games:,} games of each player count and variant.",
            games=MOST_ROUND_GAMES,
        )
    ]


def _measures(context: ReportContext) -> pd.DataFrame:
    """Return the measures of the run with their meaning; one has numbers, in the language in use."""
    rows = [(m.name, m.label, m.unit, m.meaning) for m in measures_of(context.plan)]
    return pd.DataFrame(rows, columns=[N_("name"), N_("label"), N_("unit"), N_("meaning")])


def _networks(context: ReportContext) -> list[str]:
    """Return what the intervals of tiers of networks include."""
    found, players = [], context.plan.experiment.players
    for tier in context.plan.tiers:
        if not any(strategy.uses_networks for strategy in tier.strategies):
            continue
        words = tr(
            "Networks that are trained again play differently. {tier} has no other training of the same strategy, so "
            "its intervals hold for this one only.",
            tier=tier.name,
        )
        if len(tier.strategies) == 1 and not tier.has_single_network(players):
            words = tr(
                "Networks that are trained again play differently. {tier} has {n}; intervals of means and effects "
                "include how far they differ. More games do not narrow this part.",
                tier=tier.name,
                n=_count_networks(tier.strategies[0], players),
            )
        found.append(words)
    return found


def _count_networks(strategy: Strategy, players: Sequence[int]) -> str:
    """Return the number of networks of a strategy, by player count where it differs."""
    counts = pd.DataFrame({"players": players, "n": [strategy.networks(each) for each in players]})
    return by_players(counts, lambda row: str(row.n)) if counts["n"].nunique() > 1 else str(counts["n"][0])


def _iterations(context: ReportContext) -> str:
    """Return the budgets of the searchers."""
    budgets = {s.search.switches.iterations for s in context.plan.tier.strategies if s.search}
    return ", ".join(write_number(each, ",") for each in sorted(budgets))


def _error(context: ReportContext) -> str:
    """Describe the error of all verdicts on the page together."""
    own = context.primary_words
    if context.families == 1:
        words = tr("All verdicts are corrected together: with 95 % confidence none of them is wrong.")
        return f"{words} {own}".strip()
    parts = [
        tr(
            "The page has {families}, on results that are shown to differ or shown to be alike.",
            families=context.sharing,
        )
    ]
    if context.plan.looks > 1:
        parts.append(
            tr(
                "A run that is extended until it shows a result would show some by chance. So each extension is tested "
                "at half the previous error rate, and all pages of this run together hold with {share:.0f} %.",
                share=100 * (1 - 2 * ALPHA),
            )
        )
    parts.append(
        tr(
            "Each family is corrected as a whole for an error of {error:.2g} %, so with 95 % confidence none of "
            "their verdicts is wrong. Intervals are 95 % each.",
            error=100 * ALPHA / context.families,
        )
    )
    return " ".join([*parts, own]).strip()
