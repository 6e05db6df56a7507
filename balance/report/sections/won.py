"""Games won where all players win or lose together: how often, how close, by player count and by strategy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from balance.analysis.ended import WITHHELD, Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.question import Means, Question, interval_columns, interval_of_frame, means
from balance.analysis.shares import halves_question, remeasure_best, share_question
from balance.analysis.target_checks import target_question
from balance.contract.sides import SCORED, TABLE, WINS
from balance.foundation.language import N_, tr
from balance.report.context import Family, ReportContext
from balance.report.figures.bars import draw_bars
from balance.report.kit import CELL, side_by_side, write_cell_headlines
from balance.report.model import Headline, Section, Table
from balance.report.words import count_players, write_change, write_estimate
from balance.stats.comparisons import TOO_FEW, judge, p_value, p_within
from balance.stats.intervals import difference_from_ends

ORDER = 40
NEEDS = (TABLE, WINS)
COUNTS = "games won by player count"
"""The family of verdicts on each player count, compared with the smallest."""
_HARD = {
    "higher": N_("easier"), "slightly higher": N_("slightly easier"), "same": N_("as hard"),
    "slightly lower": N_("slightly harder"), "lower": N_("harder"),
}  # fmt: skip
_CLAUSES = {
    "easier": N_("easier than with {least}: {change} points of games won"),
    "slightly easier": N_("slightly easier than with {least}: {change} points of games won"),
    "as hard": N_("as hard as with {least}: {change} points of games won"),
    "slightly harder": N_("slightly harder than with {least}: {change} points of games won"),
    "harder": N_("harder than with {least}: {change} points of games won"),
}
_OPEN = N_("not shown whether it is as hard as with {least}: {change} points of games won")
_GAMES = {1: N_("won"), 0: N_("lost")}
CLOSENESS = means({"score": "score", "rounds": "rounds"}, [*CELL, "is_winner"], "seat = 0")


def families(context: ReportContext) -> list[Family]:
    """Return the family of comparisons of player counts."""
    return [Family(COUNTS, context.plan.tier.name)] if len(context.plan.experiment.players) > 1 else []


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions how often players win, with each strategy, and how games end that are won and lost."""
    asked: list[Question] = [_won(context), CLOSENESS, Played()]
    if context.has_several_strategies:
        asked += [share_question(context.strategy_share), halves_question(context.strategy_share)]
    return asked


def _won(context: ReportContext) -> Means:
    return target_question(context.measures["won"])


def write(context: ReportContext, answers: Answers) -> Section:
    """Write how often players win, by player count, by strategy, and how close it is."""
    won, caption = answers[_won(context)], tr("Games that the players win.")
    text = tr(
        "All players win or lose together, so there is no fair share, and seats are not compared. The figures hold for "
        "these strategies; people may win more or less often."
    )
    figure = draw_bars("won", caption, won, tr("games won, %"), context.colours, context.thresholds.won)  # type: ignore[arg-type]
    tables = [side_by_side("won", caption, won, ["variant"])]
    headlines = write_cell_headlines(
        context.of_shown(won),
        lambda row: tr("players win {share} % of {n:,} games", share=write_estimate(row), n=row.n),
    )
    if families(context):
        compared = compare_counts(context, won, answers[Played()])
        headlines += _count_headlines(context.of_shown(compared))
        tables.append(_count_table(compared))
    tables += _closeness(context, answers[CLOSENESS])
    if context.has_several_strategies:
        shares = answers[share_question(context.strategy_share)]
        caption = tr("Games won by strategy, per seat played.")
        tables.append(side_by_side("won-strategies", caption, shares, ["variant", "strategy"]))
        headlines += _best(context, answers)
    return Section("won", tr("Games won"), [text], headlines, figures=[figure], tables=tables)


def compare_counts(context: ReportContext, won: pd.DataFrame, played: pd.DataFrame) -> pd.DataFrame:
    """Return how much more often players win at each player count than at the smallest, in points.

    The deals of player counts are independent. The columns are ``players``, ``variant``, ``than`` (the smallest),
    ``value``, ``low``, ``high``, ``n``, ``verdict``, ``more_games`` (0).
    """
    least = min(context.plan.experiment.players)
    first = won[won["players"] == least]
    pairs = won[won["players"] > least].merge(first, on="variant", suffixes=("", "_least"))
    names = [name.removesuffix("_least") for name in pairs if name.endswith("_least")]
    of_least = pairs[[f"{name}_least" for name in names]].set_axis(names, axis="columns")
    found = difference_from_ends(interval_of_frame(pairs), interval_of_frame(of_least))
    limit = context.thresholds.won_change
    judged = judge(found, p_value(found), p_within(found, limit), context.family(COUNTS), limit)
    words = [_HARD.get(word, word) for word in judged.words]
    table = pairs[CELL].assign(than=least, **interval_columns(found), verdict=words, more_games=0)
    broken = withhold(table.assign(players=least), played)["verdict"] == WITHHELD
    return withhold(table, played).assign(verdict=lambda own: own["verdict"].mask(broken, WITHHELD))


def _count_headlines(compared: pd.DataFrame) -> list[Headline]:
    told = compared[~compared["verdict"].isin([TOO_FEW, WITHHELD])]
    return write_cell_headlines(
        told, lambda row: tr(_CLAUSES.get(row.verdict, _OPEN), least=count_players(row.than), change=write_change(row))
    )


def _count_table(compared: pd.DataFrame) -> Table:
    frame = compared[["players", "variant"]].copy()
    frame[N_("compared with")] = [count_players(each) for each in compared["than"]]
    frame[N_("games won, points")] = [write_change(row) for row in compared.itertuples()]
    frame["verdict"], frame["n"] = compared["verdict"], compared["n"]
    caption = tr("Is it as hard with more players? 95 % intervals each; verdicts corrected together.")
    return Table("won-counts", caption, frame, {"n": ","}, compared)


def _closeness(context: ReportContext, answer: pd.DataFrame) -> Iterable[Table]:
    """Yield how games end that are won and lost, if that says more than who won."""
    shown = ["score"] * context.plan.game.sides.allow((SCORED,))
    if answer.loc[answer["measure"] == "rounds", "value"].nunique() > 1:
        shown.append("rounds")
    rows = answer[answer["measure"].isin(shown) & (answer["n"] > 0)]
    rows = rows.assign(games=rows["is_winner"].map(_GAMES))
    if len(rows):
        caption = tr("How close it is: the means of games won and lost.")
        yield side_by_side("won-closeness", caption, rows, ["variant", "measure", "games"])


def _best(context: ReportContext, answers: Answers) -> list[Headline]:
    """Return the strategy that wins most, chosen on half of the deals."""
    halves = context.of_shown(answers[halves_question(context.strategy_share)])
    return write_cell_headlines(
        remeasure_best(halves, "strategy"),
        lambda row: tr(
            "{strategy} wins most: {share} % of its seats' games on held-out deals (n = {n:,})",
            strategy=row.strategy,
            share=write_estimate(row),
            n=row.n,
        ),
    )
