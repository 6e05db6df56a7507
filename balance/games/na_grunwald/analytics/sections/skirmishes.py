"""Skirmishes: how many are lost, who joins, what free-riding earns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.question import means as means_of
from balance.analysis.sums import interval_columns, intervals_of, literal, moments, tally
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 110
GAMES = 10_000  # of a cell, the first, for free-riding
NAMES = ["skirmishes_won", "skirmishes_lost", "skirmishes_lost_share", "plunder"]


@dataclass(frozen=True)
class StayingAway(Question):
    """What a seat's score gains in a round by staying away from the skirmish that others join."""

    variants: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "round")

    @property
    def needs_rounds(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        cell = "players, variant, deck_seed, round"
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
            ), decks AS (
                SELECT {cell}, {tally("gain", "v")} FROM rounds GROUP BY ALL
            )
            SELECT {", ".join(self.keys)}, {moments("gain")} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        table = sums[list(self.keys)].assign(**interval_columns(intervals_of(sums, "gain")))
        return table[table["n"] > 0].reset_index(drop=True)


JOINED = means_of({"joined": "skirmishes_joined"}, ["players", "variant", "strategy"])


def questions(facts: Facts) -> Sequence[Question]:
    """Means of the measures, skirmishes joined and, where rounds were logged, free-riding."""
    away = [StayingAway(tuple(facts.shown))] if facts.has_rounds else []
    return [*cell_questions(facts.whole_measures), JOINED, *away]


def write(facts: Facts, answers: Answers) -> Written:
    """Skirmishes lost and joined, and what staying away earns."""
    means = read_cell_means(answers, facts.whole_measures, NAMES)
    lost = means[means["measure"] == "skirmishes_lost"]
    caption, unit = "Skirmishes lost in a game.", "skirmishes lost, mean a game"
    section = Section("skirmishes", "Skirmishes", [TEXT], _says(facts, means))
    section.figures.append(draw_bars("skirmishes", caption, lost, unit, facts.colours))
    caption = "Skirmishes that a seat joins."
    section.tables.append(
        side_by_side("skirmishes", "Skirmishes a game.", means, ["variant", "measure"])
    )
    section.tables.append(
        side_by_side("skirmishes-joined", caption, answers[JOINED], ["variant", "strategy"])
    )
    if facts.has_rounds:
        _write_away(section, facts, answers[StayingAway(tuple(facts.shown))])
    return Written(section)


TEXT = (
    "A lost skirmish is paid by everybody, those who stayed away too. Plunder is the sum of all that was "
    "lacking in the lost skirmishes of a game."
)
AWAY = (
    "Free-riding compares, within each game and round, the change of the score that those had who stayed "
    f"away with that of those who joined, in the first {GAMES:,} games of each player count and variant. "
    "Above 0, staying away earned more."
)


def _write_away(section: Section, facts: Facts, away: pd.DataFrame) -> None:
    """What staying away earns, all variants in one figure."""
    if away.empty:
        return
    caption, axes = "Free-riding: what staying away earns.", ("round", "points in that round")
    curves = away.assign(curve=away["variant"])
    even = dict.fromkeys(away["players"].unique(), Guide(0.0))
    how = Curves("round", axes, palette=facts.colours, guides=even)
    drawn = draw_curves("free-riding", caption, curves, how)
    section.figures.append(drawn)
    caption += " Points in that round."
    section.tables.append(side_by_side("free-riding", caption, away, ["variant", "round"]))
    section.paragraphs.append(AWAY)


def _says(facts: Facts, means: pd.DataFrame) -> list[Said]:
    shown = facts.of_shown(means)
    return [
        Said(
            f"{row.variant}: with {row.players} players {write_estimate(row)} % of the skirmishes are lost "
            f"(n = {row.n:,} games).",
            row.variant,
        )
        for row in shown[shown["measure"] == "skirmishes_lost_share"].itertuples()
    ]
