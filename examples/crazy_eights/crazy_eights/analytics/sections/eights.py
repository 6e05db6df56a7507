"""Eights: how many winners and the others play."""

from balance.analysis.question import means
from balance.report.kit import CELL, name_winners, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import by_players, write_estimate

ORDER = 110  # the place on the page, from 100 to 199
# Names and SQL expressions, grouped by columns.
EIGHTS = means({"eights": "eights"}, [*CELL, "is_winner"])


def questions(context):
    return [EIGHTS]


def write(context, answers):
    eights = name_winners(answers[EIGHTS])
    winners = context.of_shown(eights[eights["seats"] == "winners"])
    headlines = write_headlines(winners, lambda rows: f"eights of winners: {by_players(rows, write_estimate, 'seats')}")
    table = side_by_side("eights", "Eights of a seat in a game.", eights, ["variant", "seats"])
    return Section("eights", "Eights", headlines=headlines, tables=[table])
