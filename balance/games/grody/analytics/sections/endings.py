"""Endings: how games end, and in which round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr
from balance.games.grody.rules.ruleset import ENDINGS
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import CELL, share_of_games, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import write_estimate, write_percent

ORDER = 100
POINTS = 20  # approximate number of points of a curve
ENDED = share_of_games({ending: f"ended_by = '{ending}'" for ending in ENDINGS})
WHEN = means({"round": "rounds"}, [*CELL, "ended_by"], "seat = 0")
TEXT = N_(
    "A game ends by conquest when a player takes the enemy's gród (END-1), by dominance when a player leads in points "
    "and land by enough (END-2), or else at the limit of turns, where points decide (END-3)."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return shares of the endings, their last rounds, and the share of games with each ending by each round."""
    return [ENDED, WHEN, _by_round(context)]


def _by_round(context: ReportContext) -> Means:
    limit = max(variant.rules.turn_limit for variant in context.plan.variants)
    rounds = sorted({*range(1, limit + 1, max(1, limit // POINTS)), limit})
    return share_of_games(
        {
            f"{ending} {number}": f"ended_by = '{ending}' AND rounds <= {number}"
            for ending in ENDINGS
            for number in rounds
        }
    )


def write(context: ReportContext, answers: Answers) -> Section:
    """Write a curve for each ending; shares and rounds as tables."""
    ended = _by_variant(context, answers[ENDED].rename(columns={"measure": N_("ending")}))
    when = answers[WHEN].rename(columns={"ended_by": "ending"})
    split = answers[_by_round(context)]["measure"].str.split(" ", expand=True)
    by_round = answers[_by_round(context)].assign(ending=split[0], round=split[1].astype(int))
    by_round = _by_variant(context, by_round)
    # The limit is always the last round.
    drawn = context.of_shown(by_round[by_round["ending"] != "limit"])
    labels = tr("round"), tr("% of games")
    how = Curves("round", labels, panel="ending", palette=context.colours)
    caption = tr("Games that have ended by each round, by ending.")
    figure = draw_curves("endings", caption, drawn, how)
    rows, last = ["variant", "ending"], tr("Mean last round of the games with each ending.")
    share = tr("Games that have ended by each round, by ending, %.")
    tables = [
        side_by_side("endings", tr("How games end, %."), ended, rows, 1),
        side_by_side("endings-when", last, when, rows, 1),
        side_by_side("endings-by-round", share, by_round, [*rows, "round"], 1),
    ]
    means_of = {(row.variant, row.ending): row for row in when.itertuples()}
    headlines = write_headlines(context.of_shown(ended), lambda rows: _endings(rows, means_of))
    return Section("endings", tr("How games end"), [tr(TEXT)], headlines, figures=[figure], tables=tables)


def _by_variant(context: ReportContext, table: pd.DataFrame) -> pd.DataFrame:
    """Sort rows by variant, in the order of the plan."""
    order = [variant.name for variant in context.plan.variants]
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _endings(rows: pd.DataFrame, last_rounds: Mapping[tuple[str, str], Any]) -> str:
    """Return the share of each ending in a variant, with the mean last round of its games."""
    parts = []
    for row in rows.itertuples():
        if row.ending == "limit":
            parts.append(tr("at the limit {share}", share=write_percent(row)))
        elif found := last_rounds.get((row.variant, row.ending)):
            words, when = _BY[row.ending], write_estimate(found)
            parts.append(tr(words, share=write_percent(row), when=when))
    return tr("games end {ways} (n = {n:,} games)", ways="; ".join(parts), n=int(rows["n"].min()))


_BY = {
    "conquest": N_("by conquest {share}, in round {when} on average"),
    "dominance": N_("by dominance {share}, in round {when} on average"),
}
