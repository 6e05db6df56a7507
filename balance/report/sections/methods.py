"""Methods and limits: how figures are computed, and the table of measures."""

from __future__ import annotations

import pandas as pd

from balance.analysis.gather import Answers
from balance.foundation.text import amount
from balance.report.context import ReportContext
from balance.report.model import Section, Table
from balance.stats.comparisons import ALPHA, LEAST_DECKS

ORDER = 900


def write(context: ReportContext, answers: Answers) -> Section:
    """Write the methods, the limits and the table of measures."""
    kinds = {
        "random": "random (uniform over legal actions)",
        "profile": "profiles (greedy, or less so at a temperature; they see the current position only)",
        "search": f"searchers, which look ahead ({_iterations(context)} playouts a decision)",
        "network": "networks (they combine features of the current position with those of an action)",
        "custom": "your own bots",
    }
    limits = context.thresholds
    names = {strategy.kind for strategy in context.plan.tier.strategies}
    played = [kinds[name] for name in sorted(names, key=list(kinds).index)]
    rows = [(m.name, m.label, m.unit, m.meaning) for m in context.measures.values()]
    text = [
        "Intervals are 95 % and cluster-robust on the deal (linearised variance of a ratio of cluster "
        "totals, Student's t), because games on one deal are alike and deals are independent. Intervals of shares are "
        "Wilson's on the effective number of games, or exact if an event is rare, so they stay within 0 to 100 %. "
        "n is the number of observations; deals (decks in the CSV) are the independent clusters.",
        f"Verdicts: a seat is balanced if it is shown to lie within {amount(limits.seats, 'point')} of fair, a "
        f"strategy within {limits.alive:g} % of a fair share. It is favoured or disfavoured if it is shown "
        "to lie beyond, and otherwise undecided, with the number of extra games that settle it with a "
        "probability of 80 %, averaged over where the true value may lie given the figure. With fewer than "
        f"{LEAST_DECKS} deals there is no verdict. {_error(context)}",
        "Effects of variants are mean differences of pairs: games with the same deal, line-up and seeds.",
        "If a section names the most, the largest or the best of several, it was chosen on half of the deals and is "
        "measured on the other half (held-out deals). The answer, the grid and the findings also select figures for "
        "their size. Their figures are from all deals and are shrunk towards a fair share or no change, by an amount "
        "estimated from all figures of their kind (adaptive shrinkage, Stephens 2017), so they may differ a little "
        "from the sections. Their intervals hold for all figures together, whichever are selected.",
        f"All players are bots: {', '.join(played)}. The results hold for how these "
        "strategies play; people may play better, or less aggressively.",
    ]
    text += _networks(context)
    if not context.has_rounds:
        text.append(
            "Scores after each round were not logged, so lead changes, the winner's deficit, comebacks, "
            "runaway leaders and early choices are missing. To see them, play with log level rounds."
        )
    measures = pd.DataFrame(rows, columns=["name", "label", "unit", "meaning"])
    tables = [Table("measures", "Measures.", measures)]
    return Section("methods", "Methods and limits", text, tables=tables, rest=True)


def _networks(context: ReportContext) -> list[str]:
    """Return what the intervals of tiers of networks include."""
    found, players = [], context.plan.experiment.players
    for tier in context.plan.tiers:
        if not tier.plays_networks:
            continue
        words = "no other training of the same strategy, so its intervals hold for this one only."
        if len(tier.strategies) == 1 and not tier.has_single_network(players):
            count = min(tier.strategies[0].networks(each) for each in players)
            words = f"{count}; intervals of means and effects include how far they differ."
            words += " More games do not narrow this part."
        found.append(f"Networks that are trained again play differently. {tier.name} has {words}")
    return found


def _iterations(context: ReportContext) -> str:
    """Return the budgets of the searchers."""
    budgets = {s.search.switches.iterations for s in context.plan.tier.strategies if s.search}
    return ", ".join(f"{each:,}" for each in sorted(budgets))


def _error(context: ReportContext) -> str:
    """Describe the error of all verdicts on the page together."""
    if context.families == 1:
        return "All verdicts are corrected together: with 95 % confidence none of them is wrong."
    each = 100 * ALPHA / context.families
    halved = (
        "Extending a run until it shows a result would find too many. So each extension is tested at half the "
        f"previous error rate, and all pages of this run together hold with {100 * (1 - 2 * ALPHA):.0f} %. "
        if context.plan.looks > 1
        else ""
    )
    return (
        f"The page has {context.sharing} of both kinds (shown to differ, shown to be alike). {halved}"
        f"Each family is corrected as a whole for an error of {each:.2g} %, so with 95 % confidence no verdict on the "
        "page is wrong. Intervals are 95 % each."
    )
