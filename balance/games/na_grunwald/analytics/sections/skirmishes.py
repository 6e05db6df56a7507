"""Skirmishes: how many are lost, how many a seat joins, and how much free-riding earns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question, estimates, moments, tally
from balance.analysis.question import means as means_of
from balance.analysis.spread import cell_questions, read_cell_means
from balance.contract.analytics import literal
from balance.foundation.language import N_, tr
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.kit import side_by_side, write_cell_headlines
from balance.report.model import Section
from balance.report.words import label_of, write_percent

ORDER = 110
GAMES = 10_000  # free-riding is estimated from this number of first games of a cell
NAMES = ["skirmishes_won", "skirmishes_lost", "skirmishes_lost_share", "plunder"]


TEXT = N_(
    "All players pay for a lost skirmish, also players who stayed away. Plunder is the sum of the missing strength "
    "over the lost skirmishes of a game; each player gives up this strength (KRZ-5)."
)
AWAY = N_(
    "Free-riding is the score change of seats that stayed away minus that of seats that joined, compared within each "
    "game and round, in the first {games:,} games of each player count and variant. "
    "Above 0, staying away earned more."
)


@dataclass(frozen=True)
class StayingAway(Question):
    """Difference in a round's score change between seats that stay away from the skirmish and seats that join it."""

    variants: tuple[str, ...]

    keys = ("players", "variant", "round")
    needs_rounds = True
    first_games = GAMES

    @property
    def sql(self) -> str:
        cell = "players, variant, deal_seed, round"
        return f"""
            WITH first_rows AS (
                SELECT * FROM round_rows
                WHERE variant IN ({", ".join(map(literal, self.variants))}) AND number < {GAMES}
            ), changes AS (
                SELECT {cell}, game_id, joined, score - score_before AS change
                FROM first_rows JOIN (
                    SELECT game_id, seat, round + 1 AS round, score AS score_before FROM first_rows
                ) USING (game_id, seat, round)
            ), rounds AS (
                SELECT {cell},
                       avg(change) FILTER (joined = 0) - avg(change) FILTER (joined = 1) AS v
                FROM changes GROUP BY {cell}, game_id
            ), deals AS (
                SELECT {cell}, {tally("gain", "v")} FROM rounds GROUP BY ALL
            )
            SELECT {", ".join(self.keys)}, {moments("gain")} FROM deals GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        table = estimates(sums, self.keys, "gain")
        return table[table["n"] > 0].reset_index(drop=True)


JOINED = means_of({"joined": "skirmishes_joined"}, ["players", "variant", "strategy"])


def questions(context: ReportContext) -> Sequence[Question]:
    """Return means of the measures, skirmishes joined and, with a log of rounds, free-riding."""
    away = [StayingAway(tuple(context.shown))] if context.has_rounds else []
    return [*cell_questions(context.whole_measures), JOINED, *away]


def write(context: ReportContext, answers: Answers) -> Section:
    """Write skirmishes lost and joined, and how much staying away earns."""
    means = read_cell_means(answers, context.whole_measures, NAMES)
    lost = means[means["measure"] == "skirmishes_lost"]
    share = context.of_shown(means[means["measure"] == "skirmishes_lost_share"])
    caption, unit = tr("Skirmishes lost in a game."), tr("skirmishes lost, mean per game")
    headlines = write_cell_headlines(
        share, lambda row: tr("{share} of the skirmishes are lost (n = {n:,} games)", share=write_percent(row), n=row.n)
    )
    per_game, joined = tr("Skirmishes per game."), tr("Skirmishes that a seat joins.")
    labels = {each.name: label_of(each) for each in context.whole_measures if each.name in NAMES}
    table = side_by_side("skirmishes", per_game, means, ["variant", "measure"])
    section = Section(
        "skirmishes",
        tr("Skirmishes"),
        [tr(TEXT)],
        headlines,
        figures=[draw_bars("skirmishes", caption, lost, unit, context.colours)],
        tables=[
            replace(table, data=table.data.replace({"measure": labels})),
            side_by_side("skirmishes-joined", joined, answers[JOINED], ["variant", "strategy"]),
        ],
    )
    if context.has_rounds:
        return _write_away(section, context, answers[StayingAway(tuple(context.shown))])
    return section


def _write_away(section: Section, context: ReportContext, away: pd.DataFrame) -> Section:
    """Write what staying away earns, with all variants in one figure."""
    if away.empty:
        return section
    caption = tr("Free-riding: points that staying away earns in a round.")
    even = dict.fromkeys(away["players"].unique(), Guide(0.0))
    how = Curves("round", (tr("round"), tr("points in that round")), palette=context.colours, guides=even)
    return section.plus(
        [tr(AWAY, games=GAMES)],
        figures=[draw_curves("free-riding", caption, away, how)],
        tables=[side_by_side("free-riding", caption, away, ["variant", "round"])],
    )
