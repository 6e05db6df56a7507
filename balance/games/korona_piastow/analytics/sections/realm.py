"""Fiefs, income and units by round, and how often the leader in each wins; needs a log of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import reached
from balance.analysis.question import Question, interval_columns, intervals_of, means, moments, tally
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.model import Figure, Headline, Section, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import by_players
from balance.stats.intervals import fair_share

ORDER = 115
OF = ("fiefs", "income", "units", "denars")
WHO = {1: "winners", 0: "the others"}
BY_ROUND = means(
    {name: name for name in OF}, ["players", "variant", "round", "is_winner"], table="round_rows"
)
LED = ("score", *OF)
TEXT = (
    "Income is the tribute of a round (TRB-2). Winners are the winners at the end of the game. The leader is the only "
    "seat with the highest value after the round. Rounds with a shared lead don't count, and neither do games that "
    "have ended by then."
)


@dataclass(frozen=True)
class Leads(Question):
    """Win share, in percent, of the sole leader in a quantity after a round."""

    @property
    def keys(self) -> tuple[str, ...]:
        return ("players", "variant", "round")

    @property
    def needs_rounds(self) -> bool:
        return True

    @property
    def sql(self) -> str:
        table = "PARTITION BY game_id, round"
        marks = ", ".join(
            f"rank() OVER ({table} ORDER BY {name} DESC) = 1 AND count(*) OVER ({table}, {name}) = 1 AS {name}_led"
            for name in LED
        )
        inner = ", ".join(tally(name, f"CASE WHEN {name}_led THEN 100 * win_share END") for name in LED)
        return f"""
            WITH led AS (
                SELECT players, variant, round, deal_seed, win_share, {marks} FROM round_rows WHERE round < rounds
            ), decks AS (
                SELECT players, variant, round, deal_seed, {inner} FROM led GROUP BY ALL
            )
            SELECT {", ".join(self.keys)}, {", ".join(map(moments, LED))} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        parts = [
            sums[list(self.keys)].assign(
                measure=name, **interval_columns(intervals_of(sums, name, 100.0))
            )
            for name in LED
        ]
        table = pd.concat(parts, ignore_index=True)
        return table[table["n"] > 0].sort_values("round", kind="stable", ignore_index=True)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return what winners and the others have after each round, and how often the leader wins."""
    return [BY_ROUND, Leads()] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write curves of fiefs, income and leaders' win shares for each shown variant; None without a log of rounds."""
    if not context.has_rounds:
        return None
    data = reached(answers[BY_ROUND].sort_values("is_winner", ascending=False, kind="stable"))
    data = data.assign(seats=data["is_winner"].map(WHO))
    leads = reached(answers[Leads()])
    figures = [
        replace(figure, variant=variant)
        for number, variant in enumerate(context.shown)
        for figure in _draw(number, variant, data, leads)
    ]
    tables = [
        side_by_side(
            "leads",
            "How often the sole leader after a round wins, %.",
            leads,
            ["variant", "measure", "round"],
            1,
        ),
        side_by_side(
            "realm",
            "What a seat has after a round, mean.",
            data,
            ["variant", "measure", "seats", "round"],
            1,
        ),
    ]
    says = _says(context, leads)
    return Written(Section("realm", "Fiefs and income", [TEXT], says, figures=figures, tables=tables))


def _draw(number: int, variant: str, data: pd.DataFrame, leads: pd.DataFrame) -> list[Figure]:
    """Draw fiefs and income of winners and the others, and how often the leader wins."""
    own = data[data["variant"] == variant]
    figures = []
    for name, unit in (("fiefs", "own fiefs, mean"), ("income", "denars per round, mean")):
        part = own[own["measure"] == name]
        if len(part):
            caption = f"{name.capitalize()} by round, variant {variant}."
            how = Curves("round", ("round", unit))
            figures.append(
                draw_curves(
                    stem(f"realm-{name}", number), caption, part.assign(curve=part["seats"]), how
                )
            )
    part = leads[leads["variant"] == variant]
    if len(part):
        fair = {players: Guide(fair_share(players)) for players in part["players"].unique()}
        caption = f"How often the sole leader after a round wins, variant {variant}."
        how = Curves("round", ("round", "% won"), guides=fair)
        figures.append(
            draw_curves(stem("leads", number), caption, part.assign(curve=part["measure"]), how)
        )
    return figures


def _says(context: ReportContext, leads: pd.DataFrame) -> list[Headline]:
    """Report how often the leader in score and in fiefs wins, after one third and two thirds of the rounds."""
    says = []
    for variant in context.plan.variants:
        if variant.name not in context.shown:
            continue
        for number in (variant.rules.rounds // 3, 2 * variant.rules.rounds // 3):
            parts = []
            for name, words in (("score", "score"), ("fiefs", "fiefs")):
                rows = leads[
                    (leads["variant"] == variant.name)
                    & (leads["round"] == number)
                    & (leads["measure"] == name)
                ]
                if len(rows):
                    wins = by_players(rows, lambda row: f"{write_estimate(row)} %")
                    parts.append(
                        f"the sole leader in {words} wins {wins} (n ≥ {int(rows['n'].min()):,} games)"
                    )
            if parts:
                says.append(
                    Headline(f"{variant.name}: after round {number} {'; '.join(parts)}.", variant.name)
                )
    return says
