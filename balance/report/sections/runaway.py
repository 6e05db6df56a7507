"""Runaway leaders: how often the leader after a round wins, which deficit loses, who leads before the last round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.leads import (
    GAMES,
    LEAST_SHARE,
    LOST,
    Deficits,
    LastLead,
    chances,
    half_time,
    lost_by_round,
    reached,
    runaway_question,
)
from balance.analysis.question import Question
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves, fair_guides
from balance.report.kit import side_by_side
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import by_players, write_percent, write_points

ORDER = 80
CELL = ["players", "variant", "round"]
LEADER = "Runaway leader: how often the sole leader after a round wins."


def judges(context: ReportContext) -> int:
    """Return one family of verdicts (does the race stay open?) if rounds were logged."""
    return int(context.has_rounds)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about the sole leader, deficits and the last lead; none without logged rounds."""
    return [runaway_question(), Deficits(), LastLead()] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the win share of the sole leader after each round, and the deficit that loses, for every variant."""
    if not context.has_rounds:
        return None
    data = reached(answers[runaway_question()]).rename(columns={"clusters": "decks"})
    figure = draw_leader(data, context.colours)
    table = side_by_side("runaway", f"{LEADER} Percent.", data, ["variant", "round"])
    text = [
        "The leader would have the best score if the game ended then. A curve that is high early shows a game that "
        "is decided before it ends. A curve that stays at the fair share shows scores that mean little until the end. "
        f"Rounds that fewer than {100 * LEAST_SHARE:.0f} % of the games reach are left out. A seat counts as lost "
        f"if it wins less than one game in {100 / LOST:.0f}, by a logistic curve through the first {GAMES:,} games "
        "of each player count and variant.",
    ]
    sums = answers[Deficits()].merge(data[CELL])
    lost, lead = lost_by_round(sums), answers[LastLead()]
    figures = [figure] if lost.empty else [figure, draw_lost(lost, context.colours)]
    tables = [table, *_tables(lost, chances(sums), lead)]
    headlines = _headlines(context, data, lost, lead)
    return Section("runaway", "Runaway leader", text, headlines, figures=figures, tables=tables)


def draw_leader(data: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw the win share of the sole leader, a curve for each variant; `data` answers `runaway_question`."""
    fair = fair_guides(data["players"].unique())
    how = Curves("round", ("round", "win share of the leader, %"), palette=palette, guides=fair)
    return draw_curves("runaway", LEADER, data, how)


def draw_lost(lost: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw the deficit that loses, a curve for each variant; `lost` is from `lost_by_round`."""
    caption = f"Deficit that loses: points behind the leader at which a seat wins only {LOST:.0f} % of the games."
    how = Curves("round", ("round", "points behind"), palette=palette)
    return draw_curves("lost", caption, lost, how)


def _tables(lost: pd.DataFrame, chance: pd.DataFrame, lead: pd.DataFrame) -> list[Table]:
    """Return tables of the deficit that loses, the win share by deficit, and the lead before the last round."""
    caption = f"Points behind the leader at which a seat wins only {LOST:.0f} % of the games."
    tables = [side_by_side("lost", caption, lost, ["variant", "round"], 1)] if len(lost) else []
    caption = "Win share by points behind the leader at half time, %; 0 is a shared lead. The CSV has every round."
    middle = chance.groupby(["players", "variant"])["round"].transform(half_time)
    half = chance[chance["round"] == middle]
    behind = side_by_side("behind", caption, half, ["variant", "behind"], 1)
    tables.append(replace(behind, raw=chance))
    if len(lead):
        words = {"lost": "the leader loses", "shared": "the lead is shared"}
        named = lead.assign(measure=lead["measure"].map(words))
        caption = "The leader before the last round, % of the games."
        tables.append(side_by_side("last-lead", caption, named, ["variant", "measure"], 1))
    return tables


def _headlines(
    context: ReportContext, data: pd.DataFrame, lost: pd.DataFrame, lead: pd.DataFrame
) -> list[Headline]:
    """Return three sentences for each variant: the leader at half time, the deficit that loses, the last leader."""
    half = data.groupby(["players", "variant"], as_index=False)["round"].agg(half_time)
    sentences = (
        ("the sole leader at half time wins", data.merge(half), write_percent, "games"),
        (
            f"at half time, a player wins one game in {100 / LOST:.0f} when behind by",
            lost.merge(half),
            write_points,
            "seats",
        ),
        (
            "the leader before the last round loses",
            lead[lead["measure"] == "lost"],
            write_percent,
            "games",
        ),
    )
    return [
        Headline(f"{variant}: {words} {by_players(rows, write, things)}.", variant)
        for variant in context.shown
        for words, table, write, things in sentences
        if len(rows := table[table["variant"] == variant])
    ]
