"""Endings: how games end and in which round, and what winners and the rest did."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.korona_piastow.rules.tables import ENDINGS
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side
from balance.report.words import by_players

ORDER = 100
CELL = ["players", "variant"]
WORDS = {
    "crown": "a ruler reaches the crown",
    "last": "all others are out",
    "limit": "the last round is over",
}
ENDED = means({name: f"100 * (\"end\" = '{name}')::INT" for name in ENDINGS}, CELL, "seat = 0", top=100)
WHEN = means({"round": "rounds"}, [*CELL, "end"], "seat = 0")
DEEDS = ("invasions", "joined", "claims", "built", "mustered", "quests", "tithes", "devastated")
DONE = means({name: name for name in DEEDS}, [*CELL, "is_winner"])
TEXT = (
    "An eliminated ruler stays out of the game (END-1). The crown and the last round end the game for all players "
    "(END-2, END-3)."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return shares of the endings, their last rounds, crowns won by each round, and what winners and the rest did."""
    return [ENDED, WHEN, _by_round(context), DONE]


def _by_round(context: ReportContext) -> Means:
    limit = max(variant.rules.rounds for variant in context.plan.variants)
    values = {
        str(number): f"100 * (\"end\" = 'crown' AND rounds <= {number})::INT"
        for number in range(1, limit + 1)
    }
    return means(values, CELL, "seat = 0", top=100)


def write(context: ReportContext, answers: Answers) -> Written:
    """Write curves of crowns won; endings, their last rounds, and deeds by outcome as tables."""
    ended = answers[ENDED].rename(columns={"measure": "ending"})
    when = answers[WHEN].rename(columns={"end": "ending"})
    crowned = answers[_by_round(context)].rename(columns={"measure": "round"})
    crowned = crowned.assign(round=crowned["round"].astype(int))
    done = answers[DONE].rename(columns={"measure": "deed"})
    done["seats"] = done["is_winner"].map({1: "winners", 0: "the rest"})
    shown = context.of_shown(crowned)
    how = Curves("round", ("round", "% of games"), palette=context.colours)
    figure = draw_curves(
        "endings",
        "Games in which a ruler has won the crown by each round.",
        shown.assign(curve=shown["variant"]),
        how,
    )
    rows = ["variant", "ending"]
    tables = [
        side_by_side("endings", "How games end, %.", ended.replace({"ending": WORDS}), rows, 1),
        side_by_side(
            "endings-when",
            "Mean last round of the games with each ending.",
            when.replace({"ending": WORDS}),
            rows,
            1,
        ),
        side_by_side(
            "endings-by-round",
            "Games in which a ruler has won the crown by each round, %.",
            crowned,
            ["variant", "round"],
            1,
        ),
        side_by_side(
            "deeds", "What a ruler does, per game and seat.", done, ["variant", "deed", "seats"]
        ),
    ]
    says = _says(context.of_shown(ended), when)
    return Written(Section("endings", "How games end", [TEXT], says, figures=[figure], tables=tables))


def _says(ended: pd.DataFrame, when: pd.DataFrame) -> list[Headline]:
    """Report how often the crown ends a game, and the mean last round, for each player count."""
    says = []
    for variant, rows in ended[ended["ending"] == "crown"].groupby("variant", sort=False):
        rounds = when[(when["variant"] == variant) & (when["ending"] == "crown")]
        text = f"{variant}: games that end by the crown: {by_players(rows, lambda row: f'{write_estimate(row)} %')}"
        if len(rounds):
            text += f"; their last round is {by_players(rounds, write_estimate)} on average"
        says.append(Headline(f"{text} (n ≥ {int(rows['n'].min()):,} games).", str(variant)))
    return says
