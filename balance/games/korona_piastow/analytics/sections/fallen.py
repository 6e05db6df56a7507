"""Eliminated rulers: how often and how early they are out, and how long they wait for the end of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, Question, estimates_of, moments, tally
from balance.foundation.language import N_, tr, trc
from balance.foundation.text import nth
from balance.games.korona_piastow.display.names import written
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import CELL, share_of_seats, side_by_side
from balance.report.model import Headline, Section
from balance.report.words import by_players, write_estimate, write_percent

ORDER = 110
OUT, ROUND, WAIT = (
    N_("somebody is out, % of games"),
    N_("round in which the first is out"),
    N_("rounds it then waits"),
)
TEXT = N_(
    "A ruler that holds no fief of its capital district is out (END-1) and waits for the end of the game. A ruler that "
    "is out in the last round waits 0 rounds. The waiting time is that of the first ruler who is out."
)


@dataclass(frozen=True)
class FirstOut(Question):
    """Whether any ruler of a game is out, the round in which the first is out, and the rounds played after it."""

    keys = ("players", "variant")

    @property
    def sql(self) -> str:
        values = {OUT: "100 * (fell IS NOT NULL)::INT", ROUND: "fell", WAIT: "rounds - fell"}
        inner = ", ".join(tally(name, value) for name, value in values.items())
        return f"""
            WITH one AS (
                SELECT players, variant, deal_seed, game_id, any_value(rounds) AS rounds,
                       min(out_round) FILTER (out_round > 0) AS fell
                FROM seat_rows GROUP BY ALL
            ), deals AS (
                SELECT players, variant, deal_seed, {inner} FROM one GROUP BY ALL
            )
            SELECT players, variant, {", ".join(moments(name) for name in values)} FROM deals GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        table = estimates_of(sums, self.keys, {OUT: 100, ROUND: None, WAIT: None})
        return table[table["n"] > 0].reset_index(drop=True)


BY = {name: share_of_seats({"out": "out_round > 0"}, [*CELL, name]) for name in ("line", "strategy", "seat")}


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the seats that are out by each round, by line, strategy and seat, and the first of a game."""
    return [FirstOut(), _by_round(context), *BY.values()]


def _by_round(context: ReportContext) -> Means:
    limit = max(variant.rules.rounds_to_play for variant in context.plan.variants)
    return share_of_seats({str(number): f"out_round BETWEEN 1 AND {number}" for number in range(1, limit + 1)})


def write(context: ReportContext, answers: Answers) -> Section:
    """Write curves of the seats that are out, if any are, and tables by line, strategy and seat."""
    games, rounds = answers[FirstOut()], answers[_by_round(context)].rename(columns={"measure": "round"})
    rounds = rounds.assign(round=rounds["round"].astype(int))
    shown = context.of_shown(rounds)
    by_round = tr("Rulers out by each round, %.")
    tables = [
        side_by_side("fallen", tr("The first ruler who is out."), games, ["variant", "measure"], 1),
        side_by_side("fallen-by-round", by_round, rounds, ["variant", "round"], 1),
    ]
    for name, question in BY.items():
        caption, words = tr(_BY_WORDS[name]), _WORDS.get(name)
        tables.append(side_by_side(f"fallen-{name}", caption, answers[question], ["variant", name], 1, words=words))
    headlines, figures = _headlines(context, games, shown), []
    if len(drawn := shown[shown["value"] > 0]):
        how = Curves("round", (tr("round"), tr("% of seats")), palette=context.colours)
        figures.append(draw_curves("fallen", tr("Rulers who are out by each round."), drawn, how))
    return Section("fallen", tr("Who is out"), [tr(TEXT)], headlines, figures=figures, tables=tables)


def _name_lines(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(line=table["line"].map(written))


def _name_seats(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(seat=table["seat"].map(nth))


_WORDS = {"line": _name_lines, "seat": _name_seats}
_BY_WORDS = {
    "line": N_("Rulers who are out, % by line."),
    "strategy": N_("Rulers who are out, % by strategy."),
    "seat": N_("Rulers who are out, % by seat."),
}


def _headlines(context: ReportContext, games: pd.DataFrame, rounds: pd.DataFrame) -> list[Headline]:
    """Return how often a ruler is out, how many are out by half of the rounds, and how long the first waits."""
    headlines = []
    for variant in context.plan.variants:
        of = dict(iter(context.of_shown(games[games["variant"] == variant.name]).groupby("measure")))
        if OUT not in of:
            continue
        half = max(1, variant.rules.rounds_to_play // 2)
        early = rounds[(rounds["variant"] == variant.name) & (rounds["round"] == half)]
        text = tr(
            "games in which a ruler is out: {games}; rulers out by round {round}: {rulers}",
            games=by_players(of[OUT], write_percent, trc("n ≥", "games")),
            round=half,
            rulers=by_players(early, write_percent),
        )
        if WAIT in of:
            waited = by_players(of[WAIT], write_estimate, trc("n ≥", "games"))
            text += "; " + tr("rounds that the first ruler out waits: {rounds}", rounds=waited)
        headlines.append(Headline(f"{variant.name}: {text}.", variant.name))
    return headlines
