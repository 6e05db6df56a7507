"""How figures were made, what they are called and where they end."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.report.facts import Facts
from balance.report.model import Section, Table
from balance.report.section import Written
from balance.stats.comparisons import ALPHA, LEAST_DECKS

PLACE = 900


def questions(facts: Facts) -> Sequence[Question]:
    """Nothing."""
    return []


def write(facts: Facts, answers: Answers) -> Written:
    """How figures were made, what they are called and where they end."""
    kinds = {
        "random": "random (uniform over legal actions)",
        "profile": "profiles (greedy or, at a temperature, less so; looking at the present position only)",
        "search": f"searchers, which look ahead ({_iterations(facts)} playouts a decision)",
        "custom": "custom bots of yours",
    }
    limits = facts.thresholds
    names = {strategy.kind for strategy in facts.plan.tier.strategies}
    rows = [(m.name, m.label, m.unit, m.meaning) for m in facts.measures.values()]
    text = [
        "Intervals are 95 % and cluster-robust on the deck (linearised variance of a ratio of cluster "
        "totals, Student's t): games on one deck are alike, decks are independent. Intervals of shares are "
        "Wilson's on the effective number of games, and the exact one where an event is rare, so that none "
        "leaves 0 to 100 %. n is the number of observations; deals (decks in the CSV) are the independent clusters.",
        f"Verdicts: a seat is balanced if it is shown to lie within {limits.seats:g} points of fair, a strategy within "
        f"{limits.alive:g} % of a fair share; favoured or disfavoured if it is shown to lie beyond; else undecided, "
        "with the number of games more that decide it with a chance of 80 %, averaged over where the truth may lie "
        f"given the figure. Below {LEAST_DECKS} decks nothing is judged. {_error(facts)}",
        "Effects of variants are differences of pairs: games with the same deck, line-up and seeds.",
        "What a section calls the most, the largest or the best of several was chosen on half of the deals and is "
        "measured on the other half (held-out deals). The answer, the grid and the findings select figures for their "
        "size, too. Their figures are from all deals, and shrunk towards a fair share or no change, by as much as all "
        "figures of their kind call for (adaptive shrinkage, Stephens 2017), so they may differ a little from those in "
        "the sections. Their intervals hold for all figures at once, whichever are selected.",
        f"Players here are bots: {', '.join(kinds[k] for k in kinds if k in names)}. They show what such play "
        "does to the rules; people may find stronger or kinder play.",
    ]
    if not facts.has_rounds:
        text.append(
            "Scores after each round were not logged, so lead changes, drama, comebacks, runaway leaders and "
            "early choices are not shown: play with log level rounds."
        )
    table = Table(
        "measures", "Measures.", pd.DataFrame(rows, columns=["name", "label", "unit", "meaning"])
    )
    return Written(Section("methods", "Methods and limits", text, tables=[table]))


def _iterations(facts: Facts) -> str:
    """The budgets of the searchers."""
    budgets = {s.search.switches.iterations for s in facts.plan.tier.strategies if s.search}
    return ", ".join(f"{each:,}" for each in sorted(budgets))


def _error(facts: Facts) -> str:
    """How sure the verdicts of the page are, all together."""
    if facts.families == 1:
        return "All verdicts are corrected together: with 95 % none of them is wrong."
    each = 100 * ALPHA / facts.families
    halved = (
        "Whoever makes a run longer until it says something is told too much: each look has half the error of the one "
        f"before, so that all pages of this run together hold with {100 * (1 - 2 * ALPHA):.0f} %. "
        if facts.plan.looks > 1
        else ""
    )
    return (
        f"The page gives {facts.sharing} of both kinds: different, and shown to be alike. {halved}"
        f"Each is corrected as a whole for an error of {each:.2g} %, so that with 95 % no verdict on the page is "
        "wrong. Intervals are 95 % each."
    )
