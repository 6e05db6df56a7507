"""Strategies: shares in the mixed pool, head to head, equilibrium, dominated and dead ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.meetings import Meetings, find_dead, find_equilibria, head_to_head
from balance.analysis.question import Question
from balance.analysis.shares import halves_question, judged_shares, remeasure_best, share_question
from balance.analysis.unfinished import WITHHELD, Played, without_broken
from balance.report.facts import Facts
from balance.report.figures.bars import draw_intervals
from balance.report.layout import matrices, share_table, side_by_side
from balance.report.model import Said, Section, Table, write_estimate
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

MEETINGS = "Head to head: meetings in which a strategy ends above the other, %"


def write(facts: Facts, answers: Answers) -> Written:
    """Win shares in the mixed pool, head to head, equilibrium, dominated and dead ones."""
    played = facts.plan.tier.strategies
    profiles = [f"{s.name}: {s.profile.description}" for s in played if s.profile]
    if not facts.has_several_strategies:
        text = ["One strategy sits on every seat, so there is nothing to compare."]
        return Written(Section("strategies", "Strategies", text, notes=profiles))
    measure = facts.strategy_share
    shares = judged_shares(facts.plan, answers, "strategy", facts.families)
    halves = facts.of_shown(answers[halves_question(measure)])
    bags = facts.of_shown(answers[Meetings()])
    meetings = head_to_head(bags)
    equilibria = find_equilibria(without_broken(bags, answers[Played()]), facts.families)
    dead = find_dead(equilibria, shares)
    caption = "Win share by strategy, a share for each seat that it held."
    figures = [draw_intervals("strategies", caption, shares, "strategy", facts.colours)]
    percent = _in_percent(meetings)
    away = (percent["value"] - 50.0).abs()
    percent = percent.assign(importance=away.where(percent["strategy"] != percent["against"], 0.0))
    long = side_by_side("head-to-head", f"{MEETINGS}.", percent, ["variant", "strategy", "against"])
    tables = [
        share_table("strategies", "Win share by strategy.", shares, "strategy", facts.shared),
        *matrices("head-to-head", MEETINGS, percent, ("strategy", "against"), (50.0, ".0f")),
        replace(long, raw=meetings),
        _equilibrium_table(equilibria),
        _best_table(halves),
    ]
    says = [*_best_said(shares, halves), *_equilibrium_said(equilibria, dead)]
    section = Section(
        "strategies", "Strategies", TEXT, says, notes=profiles, figures=figures, tables=tables
    )
    return Written(replace(section, longer=facts.longer(shares)))


def _in_percent(meetings: pd.DataFrame) -> pd.DataFrame:
    shown = meetings.rename(columns={"row_strategy": "strategy", "column_strategy": "against"})
    return shown.assign(**{name: 100 * shown[name] for name in ("value", "low", "high")})


def _equilibrium_table(equilibria: pd.DataFrame) -> Table:
    shown = equilibria.rename(columns={"share": "value"})
    frame = shown[["players", "variant", "strategy"]].copy()
    frame["share of the equilibrium, %"] = [write_estimate(row) for row in shown.itertuples()]
    frame["in it, % of draws"] = shown["alive"]
    frame["part"] = shown["part"]
    frame["dominated by"] = shown["dominated_by"]
    frame["meetings"] = shown["n"]
    caption = (
        "Equilibrium of the pairwise meta-game: means over decks drawn anew 200 times, in brackets the middle 95 % of "
        "the draws."
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


def _best_said(shares: pd.DataFrame, halves: pd.DataFrame) -> list[Said]:
    best = remeasure_best(halves, "strategy")
    verdicts = shares.set_index(["players", "variant", "strategy"])["verdict"]
    return [
        Said(
            f"{row.variant}: with {row.players} players {row.strategy} wins most of its seats, "
            f"{write_estimate(row)} % on fresh decks (n = {row.n:,}; fair is {fair_share(row.players):.1f} %), "
            f"and is {verdict}.",
            row.variant,
        )
        for row in best.itertuples()
        if (verdict := verdicts[row.players, row.variant, row.strategy]) not in (TOO_FEW, WITHHELD)
    ]


def _equilibrium_said(equilibria: pd.DataFrame, dead: pd.DataFrame) -> list[Said]:
    """What lives and what is dead, a sentence for all player counts of which the same is true."""
    same: dict[tuple[str, str, tuple[str, ...]], list[pd.DataFrame]] = {}
    for (variant, players), cell in equilibria.groupby(["variant", "players"], sort=False):
        gone = dead[(dead["players"] == players) & (dead["variant"] == variant)]["strategy"]
        same.setdefault((str(variant), _alive(cell), tuple(sorted(gone))), []).append(cell)
    found = []
    for (variant, alive, gone), cells in same.items():
        counts = ", ".join(str(cell["players"].iloc[0]) for cell in cells)
        text = f"{variant}: with {counts} players {alive}"
        text += f"; out of it and below a fair share: {', '.join(gone)}." if gone else "."
        text += f" n ≥ {min(int(cell['n'].min()) for cell in cells):,} meetings a strategy."
        found.append(Said(text, variant))
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
