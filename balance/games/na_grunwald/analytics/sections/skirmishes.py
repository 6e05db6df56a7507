"""Skirmishes: how many are lost, who joins, what free-riding earns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.gather import Answers
from balance.analysis.question import Means, Question
from balance.analysis.question import means as means_of
from balance.analysis.sums import interval_columns, intervals_of, literal, moments, tally
from balance.report.facts import Facts
from balance.report.figures.bars import draw_bars
from balance.report.figures.curves import draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written

PLACE = 110
NAMES = ["skirmishes_won", "skirmishes_lost", "skirmishes_lost_share", "plunder"]


@dataclass(frozen=True)
class StayingAway(Question):
    """What a seat's score gains in a round by staying away from the skirmish that others join."""

    variant: str

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "round")

    @property
    def needs_rounds(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        return f"""
            WITH changes AS (
                SELECT players, game_id, deck_seed, round, joined,
                       score - lag(score) OVER (PARTITION BY game_id, seat ORDER BY round) AS change
                FROM round_rows WHERE variant = {literal(self.variant)}
            ), rounds AS (
                SELECT players, deck_seed, round,
                       avg(change) FILTER (joined = 0) - avg(change) FILTER (joined = 1) AS v
                FROM changes GROUP BY players, game_id, deck_seed, round
            ), decks AS (
                SELECT players, round, deck_seed, {tally("gain", "v")}
                FROM rounds GROUP BY ALL
            )
            SELECT players, round, {moments("gain")} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        table = sums[list(self.keys)].assign(**interval_columns(intervals_of(sums, "gain")))
        return table[table["n"] > 0].reset_index(drop=True)


def _joined(facts: Facts) -> Means:
    first = f"variant = {literal(facts.first)}"
    return means_of({"joined": "skirmishes_joined"}, ["players", "strategy"], first)


def questions(facts: Facts) -> Sequence[Question]:
    """Means of the measures, skirmishes joined and, where rounds were logged, free-riding."""
    away = [StayingAway(facts.first)] if facts.has_rounds else []
    return [*cell_questions(facts.whole_measures), _joined(facts), *away]


def write(facts: Facts, answers: Answers) -> Written:
    """Skirmishes lost and joined, and what staying away earns."""
    means = read_cell_means(answers, facts.whole_measures, NAMES)
    lost = means[means["measure"] == "skirmishes_lost"]
    caption, unit = "Skirmishes lost in a game.", "skirmishes lost, mean a game"
    figures = [draw_bars("skirmishes", caption, lost, unit, facts.colours)]
    caption = f"Skirmishes that a seat joins, variant {facts.first}."
    tables = [
        side_by_side("skirmishes", "Skirmishes a game.", means, ["variant", "measure"]),
        side_by_side("skirmishes-joined", caption, answers[_joined(facts)], ["strategy"]),
    ]
    text = [
        "A lost skirmish is paid by everybody, those who stayed away too. Plunder is the sum of all that was "
        "lacking in the lost skirmishes of a game."
    ]
    if facts.has_rounds and len(away := answers[StayingAway(facts.first)]):
        caption = f"Free-riding: what staying away earns, variant {facts.first}."
        curve = away.assign(curve="stayed away less joined")
        axes = ("round", "points in that round")
        figures.append(draw_curves("free-riding", caption, curve, "round", axes))
        tables.append(side_by_side("free-riding", f"{caption} Points in that round.", away, ["round"]))
        text.append(
            "Free-riding compares, within each game and round, the change of the score that those had who stayed "
            "away with that of those who joined. Above 0, staying away earned more."
        )
    section = Section("skirmishes", "Skirmishes", text, figures=figures, tables=tables)
    return Written(section, _findings(facts, means))


def _findings(facts: Facts, means: pd.DataFrame) -> list[Finding]:
    first = facts.of_first(means)
    return [
        Finding(
            f"{facts.first}: with {row.players} players {write_estimate(row)} % of the skirmishes are lost "
            f"(n = {row.n:,} games).",
            "skirmishes",
            0.5,
        )
        for row in first[first["measure"] == "skirmishes_lost_share"].itertuples()
    ]
