"""Strategies: shares in the mixed pool, head to head, equilibrium, dominated and dead ones."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.meetings import Meetings, find_dead, find_equilibria, head_to_head, matrix_of
from balance.analysis.question import Question
from balance.analysis.shares import halves_question, judge_shares, remeasure_best, share_question
from balance.analysis.unfinished import WITHHELD, Played, withhold, without_broken
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.figures.curves import draw_matrix
from balance.report.layout import share_table, side_by_side
from balance.report.model import Figure, Finding, Section, Table, write_estimate
from balance.report.section import Written
from balance.stats.comparisons import TOO_FEW
from balance.stats.fair import fair_share

PLACE = 50


def judges(facts: Facts) -> int:
    """Every strategy against a fair share, and the strategies against each other."""
    return 2 * facts.has_several_strategies


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares, in halves of the decks too, and meetings."""
    if not facts.has_several_strategies:
        return []
    measure = facts.strategy_share
    return [share_question(measure), halves_question(measure), Meetings(), Played()]


TEXT = [
    "n counts seats: a strategy that holds two seats of a game counts twice. Head to head counts in how "
    "many of its games the row strategy ends above the column strategy, ties half.",
    "The equilibrium is the mixture of strategies that no other does better against, in the pairwise game "
    "of the matrix (with more than two players an approximation). A strategy that wins against every other "
    "for sure crushes the rest and is the equilibrium alone. Else decks are drawn anew many times: what has a "
    "part in 95 % of the draws or more is in it for sure, in 5 % or less out of it; between the others these "
    "games can't tell.",
]


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares in the mixed pool, head to head, equilibrium, dominated and dead ones."""
    played = facts.plan.tier.strategies
    profiles = [f"{s.name}: {s.profile.description}" for s in played if s.profile]
    if not facts.has_several_strategies:
        text = ["One strategy sits on every seat, so there is nothing to compare."]
        return Written(Section("strategies", "Strategies", text, notes=profiles))
    measure = facts.strategy_share
    shares = withhold(
        judge_shares(answers[share_question(measure)], measure, families=facts.families),
        answers[Played()],
    )
    halves = answers[halves_question(measure)]
    bags = facts.of_first(answers[Meetings()])
    meetings = head_to_head(bags)
    equilibria = find_equilibria(without_broken(bags, answers[Played()]), facts.families)
    dead = find_dead(equilibria, shares)
    caption = "Win share by strategy, a share for each seat that it held."
    limit = measure.threshold or 0
    figures = [draw_intervals("strategies", caption, shares, "strategy", limit, facts.colours)]
    caption = f"Head to head, variant {facts.first}."
    figures += _draw_meetings(meetings, caption)
    tables = [
        share_table("strategies", "Win share by strategy.", shares, "strategy", facts.shared),
        _meetings_table(meetings, caption),
        _equilibrium_table(equilibria, facts.first),
        _best_table(halves),
    ]
    section = Section("strategies", "Strategies", TEXT, notes=profiles, figures=figures, tables=tables)
    findings = _best_findings(facts, shares, halves)
    return Written(section, findings + _equilibrium_findings(facts.first, equilibria, dead))


def _draw_meetings(meetings: pd.DataFrame, caption: str) -> list[Figure]:
    """The matrix of every player count; none where nobody met."""
    matrices = {
        f"{players} players, n ≥ {int(cell['n'].min()):,}": 100 * matrix_of(cell)
        for players, cell in meetings.groupby("players")
    }
    if not matrices:
        return []
    labels = ("this strategy", "ends above this one")
    return [draw_matrix("head-to-head", caption, matrices, labels, "meetings won, %", 50.0)]


def _meetings_table(meetings: pd.DataFrame, caption: str) -> Table:
    shown = meetings.rename(columns={"row_strategy": "strategy", "column_strategy": "against"}).copy()
    for column in ("value", "low", "high"):
        shown[column] *= 100
    table = side_by_side(
        "head-to-head", f"{caption} Meetings that the strategy wins, %.", shown, ["strategy", "against"]
    )
    return Table(table.name, table.caption, table.data, {}, meetings)


def _equilibrium_table(equilibria: pd.DataFrame, variant: str) -> Table:
    shown = equilibria.rename(columns={"share": "value"})
    frame = shown[["players", "strategy"]].copy()
    frame["share of the equilibrium, %"] = [write_estimate(row) for row in shown.itertuples()]
    frame["in it, % of draws"] = shown["alive"]
    frame["part"] = shown["part"]
    frame["dominated by"] = shown["dominated_by"]
    frame["meetings"] = shown["n"]
    caption = (
        f"Equilibrium of the pairwise meta-game, variant {variant}: means over decks drawn anew 200 times, in "
        "brackets the middle 95 % of the draws."
    )
    return Table(
        "equilibrium", caption, frame, {"in it, % of draws": ".0f", "meetings": ","}, equilibria
    )


def _best_table(halves: pd.DataFrame) -> Table:
    best = remeasure_best(halves, "strategy")
    frame = best[["players", "variant", "strategy"]].copy()
    frame["where it was chosen, %"] = best["chosen_value"]
    frame["on fresh decks, %"] = [write_estimate(row, 2) for row in best.itertuples()]
    frame["n"] = best["n"]
    caption = (
        "The best strategy of each cell, chosen on half of the decks and measured on the other half."
    )
    return Table("best", caption, frame, {"where it was chosen, %": ".2f", "n": ","}, best)


def _best_findings(facts: Facts, shares: pd.DataFrame, halves: pd.DataFrame) -> list[Finding]:
    variant = facts.first
    best = remeasure_best(facts.of_first(halves), "strategy")
    found = []
    for row in best.itertuples():
        cell = shares[(shares["players"] == row.players) & (shares["variant"] == variant)].set_index(
            "strategy"
        )
        away = row.value - fair_share(row.players)
        verdict = cell.loc[row.strategy, "verdict"]
        if verdict in (TOO_FEW, WITHHELD):
            continue
        found.append(
            Finding(
                f"{variant}: with {row.players} players {row.strategy} wins most of its seats, "
                f"{write_estimate(row)} % on fresh decks (n = {row.n:,}; fair is {fair_share(row.players):.1f} %), "
                f"and is {verdict}.",
                "strategies",
                abs(away) / 3,
            )
        )
    return found


def _equilibrium_findings(variant: str, equilibria: pd.DataFrame, dead: pd.DataFrame) -> list[Finding]:
    """What lives and what is dead, a sentence for all player counts of which the same is true."""
    same: dict[tuple[str, tuple[str, ...]], list[pd.DataFrame]] = {}
    for players, cell in equilibria.groupby("players"):
        gone = dead[(dead["players"] == players) & (dead["variant"] == variant)]["strategy"]
        same.setdefault((_alive(cell), tuple(sorted(gone))), []).append(cell)
    found = []
    for (alive, gone), cells in same.items():
        counts = ", ".join(str(cell["players"].iloc[0]) for cell in cells)
        text = f"{variant}: with {counts} players {alive}"
        text += f"; out of it and below a fair share: {', '.join(gone)}." if gone else "."
        text += f" n ≥ {min(int(cell['n'].min()) for cell in cells):,} meetings a strategy."
        found.append(Finding(text, "strategies", 3.0 if "alone" in set(cells[0]["part"]) else 1.5))
    return found


def _alive(cell: pd.DataFrame) -> str:
    """Who is in the equilibrium, as far as the games tell."""
    alone, sure, possible = (
        ", ".join(cell[cell["part"] == part]["strategy"]) for part in ("alone", "sure", "possible")
    )
    if alone:
        return f"{alone} wins against every other strategy, and is the meta-game's equilibrium alone"
    if not possible:
        return f"the meta-game's equilibrium is made of {sure} alone, as far as these games tell"
    certain = f"has {sure} for sure and" if sure else "has"
    return (
        f"the meta-game's equilibrium {certain} some of {possible}, which these games can't tell apart"
    )
