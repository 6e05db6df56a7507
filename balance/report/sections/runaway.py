"""Runaway leaders: how often who leads after a round wins."""

from __future__ import annotations

from collections.abc import Sequence

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.runaway import LEAST_SHARE, half_time, reached, runaway_question
from balance.analysis.tiers import LEADER
from balance.report.facts import Facts
from balance.report.figures.curves import draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.report.section import Written
from balance.stats.fair import fair_share

PLACE = 80


def questions(facts: Facts) -> Sequence[Question]:
    """Win share of the sole leader, where rounds were logged."""
    return [runaway_question()] if facts.has_rounds else []


def write(facts: Facts, answers: Answers) -> Written | None:
    if not facts.has_rounds:
        return None
    data = reached(answers[runaway_question()]).rename(columns={"clusters": "decks"})
    caption = "Runaway leader: how often the seat that leads alone after a round wins."
    figure = draw_curves(
        "runaway",
        caption,
        data.assign(curve=data["variant"]),
        "round",
        ("round", "win share of the leader, %"),
        palette=facts.colours,
    )
    table = side_by_side("runaway", f"{caption} Percent.", data, ["variant", "round"])
    text = [
        "The leader has the best score if the game ended then. A curve that is high early tells of a game that "
        "is decided before it ends; one that stays at the fair share, of scores that mean little until the end. "
        f"Rounds that fewer than {100 * LEAST_SHARE:.0f} % of the games reach are left out.",
    ]
    found = []
    for players, cell in facts.of_first(data).groupby("players"):
        half = half_time(cell["round"])
        row = next(cell[cell["round"] == half].itertuples(), None)
        if row is not None:
            fair = fair_share(players)
            text_of = (
                f"{facts.first}: with {players} players the sole leader after round {half} wins "
                f"{write_estimate(row)} % (n = {row.n:,} games; fair is {fair:.1f} %)."
            )
            about = ("leader", players, facts.first, LEADER, half)
            found.append(Finding(text_of, "runaway", (row.value - fair) / 25, about))
    return Written(Section("runaway", "Runaway leader", text, figures=[figure], tables=[table]), found)
