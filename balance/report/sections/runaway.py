"""Runaway leaders: how often who leads after a round wins."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.runaway import LEAST_SHARE, half_time, reached, runaway_question
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Said, Section, write_estimate
from balance.report.section import Written
from balance.stats.fair import fair_share

PLACE = 80


def judges(facts: Facts) -> int:
    """Whether the race stays open, where rounds were logged."""
    return int(facts.has_rounds)


def questions(facts: Facts) -> Sequence[Question]:
    """Win share of the sole leader, where rounds were logged."""
    return [runaway_question()] if facts.has_rounds else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Win share of who leads alone after each round, of every variant."""
    if not facts.has_rounds:
        return None
    data = reached(answers[runaway_question()]).rename(columns={"clusters": "decks"})
    caption = "Runaway leader: how often the seat that leads alone after a round wins."
    figure = draw_curves(
        "runaway",
        caption,
        data.assign(curve=data["variant"]),
        Curves(
            "round",
            ("round", "win share of the leader, %"),
            palette=facts.colours,
            guides={players: Guide(fair_share(players)) for players in data["players"].unique()},
        ),
    )
    table = side_by_side("runaway", f"{caption} Percent.", data, ["variant", "round"])
    text = [
        "The leader has the best score if the game ended then. A curve that is high early tells of a game that "
        "is decided before it ends; one that stays at the fair share, of scores that mean little until the end. "
        f"Rounds that fewer than {100 * LEAST_SHARE:.0f} % of the games reach are left out.",
    ]
    says = []
    for (variant, players), cell in facts.of_shown(data).groupby(["variant", "players"], sort=False):
        half = half_time(cell["round"])
        row = next(cell[cell["round"] == half].itertuples(), None)
        if row is not None:
            text_of = (
                f"{variant}: with {players} players the sole leader after round {half} wins "
                f"{write_estimate(row)} % (n = {row.n:,} games; fair is {fair_share(players):.1f} %)."
            )
            says.append(Said(text_of, variant))
    return Written(Section("runaway", "Runaway leader", text, says, figures=[figure], tables=[table]))
