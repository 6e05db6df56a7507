"""Endings: how games end, and in which round."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.grody.rules import ENDINGS
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side

ORDER = 100
POINTS = 20  # approximate number of points of a curve
CELL = ["players", "variant"]
ENDED = means(
    {ending: f"100 * (ended_by = '{ending}')::INT" for ending in ENDINGS}, CELL, "seat = 0", top=100
)
WHEN = means({"round": "rounds"}, [*CELL, "ended_by"], "seat = 0")
TEXT = (
    "A game ends by conquest when a player takes the enemy's gród (END-1), by dominance when a player leads in points "
    "and land by enough (END-2), or else at the limit of turns, where points decide (END-3)."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return shares of the endings, their last rounds, and the share of games with each ending by each round."""
    return [ENDED, WHEN, _by_round(context)]


def _by_round(context: ReportContext) -> Means:
    limit = max(variant.rules.turn_limit for variant in context.plan.variants)
    rounds = sorted({*range(1, limit + 1, max(1, limit // POINTS)), limit})
    values = {
        f"{ending} {number}": f"100 * (ended_by = '{ending}' AND rounds <= {number})::INT"
        for ending in ENDINGS
        for number in rounds
    }
    return means(values, CELL, "seat = 0", top=100)


def write(context: ReportContext, answers: Answers) -> Written:
    """Write a curve for each ending; shares and rounds as tables."""
    ended = _by_variant(context, answers[ENDED].rename(columns={"measure": "ending"}))
    when = answers[WHEN].rename(columns={"ended_by": "ending"})
    split = answers[_by_round(context)]["measure"].str.split(" ", expand=True)
    by_round = answers[_by_round(context)].assign(ending=split[0], round=split[1].astype(int))
    by_round = _by_variant(context, by_round)
    # The limit is always the last round.
    drawn = context.of_shown(by_round[by_round["ending"] != "limit"])
    drawn = drawn.assign(curve=drawn["variant"])
    how = Curves("round", ("round", "% of games"), panel="ending", palette=context.colours)
    figure = draw_curves("endings", "Games that have ended by each round, by ending.", drawn, how)
    rows = ["variant", "ending"]
    tables = [
        side_by_side("endings", "How games end, %.", ended, rows, 1),
        side_by_side("endings-when", "Mean last round of the games with each ending.", when, rows, 1),
        side_by_side(
            "endings-by-round",
            "Games that have ended by each round, by ending, %.",
            by_round,
            [*rows, "round"],
            1,
        ),
    ]
    says = _says(context.of_shown(ended), when)
    return Written(Section("endings", "How games end", [TEXT], says, figures=[figure], tables=tables))


def _by_variant(context: ReportContext, table: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by variant, in the order of the plan."""
    order = [variant.name for variant in context.plan.variants]
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _says(ended: pd.DataFrame, when: pd.DataFrame) -> list[Headline]:
    """Report the share of each ending, with the mean last round of its games."""
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
        says.append(
            Headline(f"{variant}: games end {'; '.join(parts)} (n = {n:,} games).", str(variant))
        )
    return says
