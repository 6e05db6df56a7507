"""Endings: how games end and in which round, and what winners and the rest did."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Means, means
from balance.foundation.language import N_, tr, trc
from balance.games.korona_piastow.rules.tables import ENDINGS
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import CELL, name_winners, share_of_games, side_by_side, write_headlines
from balance.report.model import Section
from balance.report.words import by_players, smallest_n, write_estimate, write_percent

ORDER = 100
_WAYS = {
    "crown": N_("a ruler reaches the crown"),
    "last": N_("all others are out"),
    "limit": N_("the last round is over"),
}
ENDED = share_of_games({name: f"\"end\" = '{name}'" for name in ENDINGS})
WHEN = means({"round": "rounds"}, [*CELL, "end"], "seat = 0")
DEEDS = (
    N_("invasions"), N_("joined"), N_("claims"), N_("built"), N_("mustered"), N_("quests"), N_("tithes"),
    N_("devastated"),
)  # fmt: skip
DONE = means({name: name for name in DEEDS}, [*CELL, "is_winner"])
TEXT = N_(
    "An eliminated ruler stays out of the game (END-1). The crown and the last round end the game for all players "
    "(END-2, END-3)."
)


def questions(context: ReportContext) -> Sequence[Means]:
    """Return shares of the endings, their last rounds, crowns won by each round, and what winners and the rest did."""
    return [ENDED, WHEN, _by_round(context), DONE]


def _by_round(context: ReportContext) -> Means:
    limit = max(variant.rules.rounds_to_play for variant in context.plan.variants)
    return share_of_games({str(each): f"\"end\" = 'crown' AND rounds <= {each}" for each in range(1, limit + 1)})


def write(context: ReportContext, answers: Answers) -> Section:
    """Write curves of crowns won; endings, their last rounds, and deeds by outcome as tables."""
    ended = answers[ENDED].rename(columns={"measure": "ending"})
    when = answers[WHEN].rename(columns={"end": "ending"})
    crowned = answers[_by_round(context)].rename(columns={"measure": "round"})
    crowned = crowned.assign(round=crowned["round"].astype(int))
    done = name_winners(answers[DONE].rename(columns={"measure": "deed"}), N_("the rest"))
    how = Curves("round", (tr("round"), tr("% of games")), palette=context.colours)
    caption = tr("Games in which a ruler has won the crown by each round.")
    figure = draw_curves("endings", caption, context.of_shown(crowned), how)
    named, named_when = (table.replace({"ending": _WAYS}) for table in (ended, when))
    rows, last = ["variant", "ending"], tr("Mean last round of the games with each ending.")
    share = tr("Games in which a ruler has won the crown by each round, %.")
    does = tr("What a ruler does, per game and seat.")
    tables = [
        side_by_side("endings", tr("How games end, %."), named, rows, 1),
        side_by_side("endings-when", last, named_when, rows, 1),
        side_by_side("endings-by-round", share, crowned, ["variant", "round"], 1),
        side_by_side("deeds", does, done, ["variant", "deed", "seats"]),
    ]
    crowns = when[when["ending"] == "crown"]
    shown = context.of_shown(ended[ended["ending"] == "crown"])
    headlines = write_headlines(shown, lambda rows: _crowns(rows, crowns))
    return Section("endings", tr("How games end"), [tr(TEXT)], headlines, figures=[figure], tables=tables)


def _crowns(rows: pd.DataFrame, last_rounds: pd.DataFrame) -> str:
    """Return how often the crown ends a game of a variant, and the mean last round, for each player count."""
    n, share = smallest_n(rows, trc("n ≥", "games")), by_players(rows, write_percent)
    own = last_rounds[last_rounds["variant"] == rows["variant"].iloc[0]]
    if own.empty:
        return tr("games that end by the crown: {share} ({n})", share=share, n=n)
    return tr(
        "games that end by the crown: {share}; their last round is {last} on average ({n})",
        share=share, last=by_players(own, write_estimate), n=n,
    )  # fmt: skip
