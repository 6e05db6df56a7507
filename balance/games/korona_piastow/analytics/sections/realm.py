"""Fiefs, income and units by round, and how often the leader in each wins; needs a log of rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import reached
from balance.analysis.question import Question, estimates_of, means, moments, tally
from balance.foundation.language import N_, tr, trc
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves, fair_guides
from balance.report.kit import figures_by_variant, in_variant_order, name_winners, side_by_side
from balance.report.model import Headline, Section
from balance.report.words import by_players, write_percent

ORDER = 115
OF = (N_("fiefs"), N_("income"), N_("units"), N_("denars"))
KEYS = ["players", "variant", "round", "is_winner"]
BY_ROUND = means({name: name for name in OF}, KEYS, table="round_rows")
LED = (N_("score"), *OF)
CURVES = (
    ("fiefs", N_("own fiefs, mean"), N_("Fiefs by round")),
    ("income", N_("denars per round, mean"), N_("Income by round")),
)
TEXT = N_(
    "Income is the tribute of a round (TRB-2). Winners are the winners at the end of the game. The leader is the only "
    "seat with the highest value after the round. Rounds with a shared lead don't count, and neither do games that "
    "have ended by then."
)


@dataclass(frozen=True)
class Leads(Question):
    """Win share, in percent, of the sole leader in a quantity after a round."""

    keys = ("players", "variant", "round")
    needs_rounds = True

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
            ), deals AS (
                SELECT players, variant, round, deal_seed, {inner} FROM led GROUP BY ALL
            )
            SELECT {", ".join(self.keys)}, {", ".join(map(moments, LED))} FROM deals GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        table = estimates_of(sums, self.keys, dict.fromkeys(LED, 100))
        return table[table["n"] > 0].sort_values("round", kind="stable", ignore_index=True)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return what winners and the others have after each round, and how often the leader wins."""
    return [BY_ROUND, Leads()] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write curves of fiefs, income and leaders' win shares for each shown variant; None without a log of rounds."""
    if not context.has_rounds:
        return None
    data = reached(answers[BY_ROUND].sort_values("is_winner", ascending=False, kind="stable"))
    data, leads = name_winners(data), reached(answers[Leads()])
    figures = []
    for name, unit, caption in CURVES:
        how = Curves("round", (tr("round"), tr(unit)), curve="seats")
        part = data[data["measure"] == name]
        figures += figures_by_variant(context, f"realm-{name}", tr(caption), part, draw_curves, how)
    fair = fair_guides(leads["players"].unique())
    how = Curves("round", (tr("round"), tr("% won")), curve="measure", guides=fair)
    caption = tr("How often the sole leader after a round wins")
    figures += figures_by_variant(context, "leads", caption, leads, draw_curves, how)
    has, rows = tr("What a seat has after a round, mean."), ["variant", "measure", "seats", "round"]
    share = tr("How often the sole leader after a round wins, %.")
    tables = [
        side_by_side("leads", share, leads, ["variant", "measure", "round"], 1),
        side_by_side("realm", has, data, rows, 1),
    ]
    return Section(
        "realm", tr("Fiefs and income"), [tr(TEXT)], _headlines(context, leads),
        figures=in_variant_order(context, figures), tables=tables,
    )  # fmt: skip


_LEADERS = {
    "score": N_("the sole leader in score wins {shares}"),
    "fiefs": N_("the sole leader in fiefs wins {shares}"),
}


def _headlines(context: ReportContext, leads: pd.DataFrame) -> list[Headline]:
    """Return how often the leader in score and in fiefs wins, after one third and two thirds of the rounds."""
    headlines = []
    for variant in context.plan.variants:
        own = context.of_shown(leads[leads["variant"] == variant.name])
        for number in (variant.rules.rounds_to_play // 3, 2 * variant.rules.rounds_to_play // 3):
            after = own[own["round"] == number]
            parts = [
                tr(words, shares=by_players(rows, write_percent, trc("n ≥", "games")))
                for name, words in _LEADERS.items()
                if len(rows := after[after["measure"] == name])
            ]
            if parts:
                text = tr("after round {round} {leaders}", round=number, leaders="; ".join(parts))
                headlines.append(Headline(f"{variant.name}: {text}.", variant.name))
    return headlines
