"""Endings: how games end, and by which round; what winners did more of than the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.games.korona_piastow.rules.vocabulary import ENDINGS
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.report.words import by_players

PLACE = 100
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
TEXT = "Who is out of the game stays out (END-1); the crown and the last round end it for all (END-2, END-3)."


def questions(facts: Facts) -> Sequence[Means]:
    """Shares of the endings, their rounds, crowns won by each round, and what winners and the rest did."""
    return [ENDED, WHEN, _by_round(facts), DONE]


def _by_round(facts: Facts) -> Means:
    limit = max(variant.rules.rounds for variant in facts.plan.variants)
    values = {
        str(number): f"100 * (\"end\" = 'crown' AND rounds <= {number})::INT"
        for number in range(1, limit + 1)
    }
    return means(values, CELL, "seat = 0", top=100)


def write(facts: Facts, answers: Answers) -> Written:
    """Curves of the crown; endings, their rounds, and deeds by outcome as tables."""
    ended = answers[ENDED].rename(columns={"measure": "ending"})
    when = answers[WHEN].rename(columns={"end": "ending"})
    crowned = answers[_by_round(facts)].rename(columns={"measure": "round"})
    crowned = crowned.assign(round=crowned["round"].astype(int))
    done = answers[DONE].rename(columns={"measure": "deed"})
    done["seats"] = done["is_winner"].map({1: "winners", 0: "the rest"})
    shown = facts.of_shown(crowned)
    how = Curves("round", ("round", "% of games"), palette=facts.colours)
    figure = draw_curves(
        "endings",
        "Games in which the crown is won by a round.",
        shown.assign(curve=shown["variant"]),
        how,
    )
    rows = ["variant", "ending"]
    tables = [
        side_by_side("endings", "How games end, %.", ended.replace({"ending": WORDS}), rows, 1),
        side_by_side(
            "endings-when",
            "The last round of games that end so, mean.",
            when.replace({"ending": WORDS}),
            rows,
            1,
        ),
        side_by_side(
            "endings-by-round",
            "Games in which the crown is won by a round, %.",
            crowned,
            ["variant", "round"],
            1,
        ),
        side_by_side("deeds", "What a ruler does, a game and seat.", done, ["variant", "deed", "seats"]),
    ]
    says = _says(facts.of_shown(ended), when)
    return Written(Section("endings", "How games end", [TEXT], says, figures=[figure], tables=tables))


def _says(ended: pd.DataFrame, when: pd.DataFrame) -> list[Said]:
    """How often the crown ends a game and in which round, with each player count."""
    says = []
    for variant, rows in ended[ended["ending"] == "crown"].groupby("variant", sort=False):
        rounds = when[(when["variant"] == variant) & (when["ending"] == "crown")]
        text = f"{variant}: games that the crown ends: {by_players(rows, lambda row: f'{write_estimate(row)} %')}"
        if len(rounds):
            text += f"; their last round is {by_players(rounds, write_estimate)} on average"
        says.append(Said(f"{text} (n ≥ {int(rows['n'].min()):,} games).", str(variant)))
    return says
