"""Deeds: how often each order, building, unit and court action is used, and what it goes with. Of traced games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import differs_for_sure, of_all_decks, remeasure
from balance.analysis.question import Question
from balance.contract.words import listed
from balance.games.korona_piastow.analytics.deeds import DEEDS, read_deeds, uses, worths
from balance.games.korona_piastow.display.words import thing
from balance.report.facts import Facts
from balance.report.figures.curves import draw_forest
from balance.report.layout import side_by_side, stem
from balance.report.model import Figure, Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import by_players

PLACE = 130
RARE = 0.1
"""Times a seat and game: what is done less often is hardly used."""
TEXT = (
    "Counted are orders when they are given, buildings when they are begun. What one more goes with is asked of the "
    "first third of the rounds, when few games are over: points of win share, each deed alone, among seats of one "
    "strategy in one seat. These are associations under such bots and no experiments; what a building or a unit adds "
    "is tried under Components. Of the traced games."
)


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: deeds are in traces."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """What early deeds go with as a forest, for every variant that is shown; both as tables. None without traces."""
    deeds = read_deeds(facts.run, facts.shown)
    if deeds is None:
        return None
    used = _named(uses(deeds))
    worth = _named(worths(deeds))
    whole = of_all_decks(worth)
    figures = [
        replace(
            _draw(stem("deeds", number), variant, whole[whole["variant"] == variant]), variant=variant
        )
        for number, variant in enumerate(facts.shown)
        if (whole["variant"] == variant).any()
    ]
    rows = ["variant", "family", "deed"]
    sure = whole["value"].abs().where(whole["low"] * whole["high"] > 0, 0.0)
    tables = [
        side_by_side("deeds-used", "What a seat does in a game, times.", used, rows),
        side_by_side(
            "deeds-worth",
            f"What one more early goes with, points of win share; {len(whole)} comparisons, each by itself, so that "
            f"about {len(whole) // 20} look sure by chance.",
            whole.assign(importance=sure),
            rows,
            1,
        ),
    ]
    says = [*_used_said(used), *_worth_said(worth)]
    return Written(Section("use", "What rulers do", [TEXT], says, figures=figures, tables=tables))


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Deeds as they are written."""
    return table.assign(deed=table["deed"].map(thing))


def _draw(name: str, variant: str, whole: pd.DataFrame) -> Figure:
    """Every deed's effect, a mark for each player count; families together."""
    rows = whole["family"] + ": " + whole["deed"]
    order = [f"{family}: {thing(deed)}" for family, deeds in DEEDS.items() for deed in deeds]
    data = whole.assign(row=rows, effect=whole["value"], threshold=0.0)
    data = data.sort_values("row", key=lambda names: names.map(order.index), kind="stable")
    caption = f"What doing a thing once more early goes with, variant {variant}."
    return draw_forest(name, caption, data, "points of win share", False, "seats")


def _used_said(used: pd.DataFrame) -> list[Said]:
    """What is hardly used with any player count."""
    says = []
    for variant, rows in used.groupby("variant", sort=False):
        says_of = []
        for family, part in rows.groupby("family", sort=False):
            most = part.groupby("deed", sort=False)["high"].max()
            if rare := [str(deed) for deed, high in most.items() if high < RARE]:
                says_of.append(f"{family}: {listed(rare)}")
        if says_of:
            text = f"{variant}: hardly used, less than {RARE:g} times a seat and game, are {'; '.join(says_of)}"
            says.append(Said(f"{text} (n ≥ {int(rows['n'].min()):,} seats).", str(variant)))
    return says


def _worth_said(worth: pd.DataFrame) -> list[Said]:
    """The deeds that go with winning and losing most: chosen on half of the decks, measured on the other."""
    says = []
    for words, sign in (("winning", 1), ("losing", -1)):
        size = (sign * worth["value"]).where(differs_for_sure(worth) & (sign * worth["value"] > 0))
        best = remeasure(worth.assign(size=size), ["variant", "players"], ["family", "deed"])
        best = best[np.where(sign > 0, best["low"], -best["high"]) > 0]
        for variant, rows in best.groupby("variant", sort=False):
            told = by_players(
                rows, lambda row: f"{row.deed} ({row.family}) {write_estimate(row)} points"
            )
            text = f"{variant}: once more early, goes with {words} most: {told}"
            says.append(
                Said(f"{text} (n ≥ {int(rows['n'].min()):,} seats on fresh decks).", str(variant))
            )
    return says
