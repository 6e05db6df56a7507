"""Endings: how games end, and by which round."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.grody.rules.vocabulary import ENDINGS
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 100
POINTS = 20  # of a curve, about
CELL = ["players", "variant"]
ENDED = means(
    {ending: f"100 * (ended_by = '{ending}')::INT" for ending in ENDINGS}, CELL, "seat = 0", top=100
)
WHEN = means({"round": "rounds"}, [*CELL, "ended_by"], "seat = 0")
TEXT = (
    "By conquest a gród is taken (END-1), by dominance a player is so far ahead in points and land that the game is "
    "over (END-2); games that go on to the limit of turns are counted out (END-3)."
)


def questions(facts: Facts) -> Sequence[Means]:
    """Shares of the endings, their rounds, and how many games have ended so by each round."""
    return [ENDED, WHEN, _by_round(facts)]


def _by_round(facts: Facts) -> Means:
    limit = max(variant.rules.turn_limit for variant in facts.plan.variants)
    rounds = sorted({*range(1, limit + 1, max(1, limit // POINTS)), limit})
    values = {
        f"{ending} {number}": f"100 * (ended_by = '{ending}' AND rounds <= {number})::INT"
        for ending in ENDINGS
        for number in rounds
    }
    return means(values, CELL, "seat = 0", top=100)


def write(facts: Facts, answers: Answers) -> Written:
    """Curves of every way to end a game; shares and rounds as tables."""
    ended = _by_variant(facts, answers[ENDED].rename(columns={"measure": "ending"}))
    when = answers[WHEN].rename(columns={"ended_by": "ending"})
    split = answers[_by_round(facts)]["measure"].str.split(" ", expand=True)
    by_round = answers[_by_round(facts)].assign(ending=split[0], round=split[1].astype(int))
    by_round = _by_variant(facts, by_round)
    drawn = facts.of_shown(by_round[by_round["ending"] != "limit"])  # all of those in the last round
    drawn = drawn.assign(curve=drawn["variant"])
    how = Curves("round", ("round", "% of games"), panel="ending", palette=facts.colours)
    figure = draw_curves("endings", "Games that have ended so by a round.", drawn, how)
    rows = ["variant", "ending"]
    tables = [
        side_by_side("endings", "How games end, %.", ended, rows, 1),
        side_by_side("endings-when", "The last round of games that end so, mean.", when, rows, 1),
        side_by_side(
            "endings-by-round",
            "Games that have ended so by a round, %.",
            by_round,
            [*rows, "round"],
            1,
        ),
    ]
    says = _says(facts.of_shown(ended), when)
    return Written(Section("endings", "How games end", [TEXT], says, figures=[figure], tables=tables))


def _by_variant(facts: Facts, table: pd.DataFrame) -> pd.DataFrame:
    """The rows of each variant together."""
    order = [variant.name for variant in facts.plan.variants]
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _says(ended: pd.DataFrame, when: pd.DataFrame) -> list[Said]:
    """Shares of the endings, each with the round of its games."""
    rounds = {(row.variant, row.ending): row for row in when.itertuples()}
    says = []
    for variant, rows in ended.groupby("variant", sort=False):
        parts = []
        for row in rows.itertuples():
            if row.ending == "limit":
                parts.append(f"at the limit {write_estimate(row)} %")
            elif found := rounds.get((variant, row.ending)):
                at = f", in round {write_estimate(found)} on average"
                parts.append(f"by {row.ending} {write_estimate(row)} %{at}")
        n = int(rows["n"].min())
        says.append(Said(f"{variant}: games end {'; '.join(parts)} (n = {n:,} games).", str(variant)))
    return says
