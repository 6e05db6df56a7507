"""Endings: how games end, and when; what winners did more of than the rest."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.report.facts import Facts
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written

PLACE = 100
CELL = ["players", "variant"]
ENDINGS = {
    "crown": "a ruler reaches the crown",
    "last": "all others are out",
    "limit": "the last round is over",
}
ENDED = means({name: f"100 * (\"end\" = '{name}')::INT" for name in ENDINGS}, CELL, "seat = 0", top=100)
DEEDS = ("invasions", "joined", "claims", "built", "mustered", "quests", "tithes", "devastated")
DONE = means({name: name for name in DEEDS}, [*CELL, "is_winner"])
TEXT = "Who is out of the game stays out (END-1); the crown and the last round end it for all (END-2, END-3)."


def questions(facts: Facts) -> Sequence[Means]:
    """Shares of the endings, and what winners and the rest did."""
    return [ENDED, DONE]


def write(facts: Facts, answers: Answers) -> Written:
    """A sentence for each variant; endings, and deeds by outcome, as tables."""
    ended = answers[ENDED].rename(columns={"measure": "ending"})
    done = answers[DONE].rename(columns={"measure": "deed"})
    done["seats"] = done["is_winner"].map({1: "winners", 0: "the rest"})
    tables = [
        side_by_side(
            "endings", "How games end, %.", ended.replace({"ending": ENDINGS}), ["variant", "ending"], 1
        ),
        side_by_side("deeds", "What a ruler does, a game and seat.", done, ["variant", "deed", "seats"]),
    ]
    return Written(Section("endings", "How games end", [TEXT], _says(facts, ended), tables=tables))


def _says(facts: Facts, ended: pd.DataFrame) -> list[Said]:
    """How often games end by the crown, with each player count."""
    crowned = facts.of_shown(ended[ended["ending"] == "crown"])
    says = []
    for variant, rows in crowned.groupby("variant", sort=False):
        parts = [f"{write_estimate(row)} % with {row.players} players" for row in rows.itertuples()]
        n = int(rows["n"].min())
        says.append(
            Said(f"{variant}: the crown ends {', '.join(parts)} (n ≥ {n:,} games).", str(variant))
        )
    return says
