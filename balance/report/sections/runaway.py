"""Runaway leaders: how often the leader after a round wins, which deficit loses, who leads before the last round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

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
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.model import Figure, Headline, Section, Table, write_estimate
from balance.report.section import Written, side_by_side
from balance.report.words import by_players
from balance.stats.intervals import fair_share

ORDER = 80
CELL = ["players", "variant", "round"]
LEADER = "Runaway leader: how often the sole leader after a round wins."


def judges(context: ReportContext) -> int:
    """Return one family of verdicts (does the race stay open?) if rounds were logged."""
    return int(context.has_rounds)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about the sole leader, deficits and the last lead; none without logged rounds."""
    return [runaway_question(), Deficits(), LastLead()] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Written | None:
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
    says = _says(context, data, lost, lead)
    return Written(Section("runaway", "Runaway leader", text, says, figures=figures, tables=tables))


def draw_leader(data: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw the win share of the sole leader, a curve for each variant; `data` answers `runaway_question`."""
    fair = {players: Guide(fair_share(players)) for players in data["players"].unique()}
    how = Curves("round", ("round", "win share of the leader, %"), palette=palette, guides=fair)
    return draw_curves("runaway", LEADER, data.assign(curve=data["variant"]), how)


def draw_lost(lost: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw the deficit that loses, a curve for each variant; `lost` is from `lost_by_round`."""
    caption = f"Deficit that loses: points behind the leader at which a seat wins only {LOST:.0f} % of the games."
    how = Curves("round", ("round", "points behind"), palette=palette)
    return draw_curves("lost", caption, lost.assign(curve=lost["variant"]), how)


def _tables(lost: pd.DataFrame, chance: pd.DataFrame, lead: pd.DataFrame) -> list[Table]:
    """Return tables of the deficit that loses, the win share by deficit, and the lead before the last round."""
    caption = f"Points behind the leader at which a seat wins only {LOST:.0f} % of the games."
    tables = [side_by_side("lost", caption, lost, ["variant", "round"], 1)] if len(lost) else []
    caption = "Win share by points behind the leader at half time, %; 0 is a shared lead. The CSV has every round."
    half = chance[
        chance["round"] == chance.groupby(["players", "variant"])["round"].transform(half_time)
    ]
    behind = side_by_side("behind", caption, half, ["variant", "behind"], 1)
    tables.append(replace(behind, raw=chance))
    if len(lead):
        words = {"lost": "the leader loses", "shared": "the lead is shared"}
        named = lead.assign(measure=lead["measure"].map(words))
        caption = "The leader before the last round, % of the games."
        tables.append(side_by_side("last-lead", caption, named, ["variant", "measure"], 1))
    return tables


def _says(
    context: ReportContext, data: pd.DataFrame, lost: pd.DataFrame, lead: pd.DataFrame
) -> list[Headline]:
    """Return three sentences for each variant: the leader at half time, the deficit that loses, the last leader."""
    half = data.groupby(["players", "variant"], as_index=False)["round"].agg(half_time)
    at_half, too_far = data.merge(half), lost.merge(half)
    says = []
    for variant in context.shown:
        leader, behind, last = (part[part["variant"] == variant] for part in (at_half, too_far, lead))
        if len(leader):
            text = (
                f"the sole leader at half time wins {by_players(leader, _percent)} ({_n(leader)} games)"
            )
            says.append(Headline(f"{variant}: {text}.", variant))
        if len(behind):
            text = f"at half time, a player wins one game in {100 / LOST:.0f} when behind by "
            text += f"{by_players(behind, _points)} ({_n(behind)} seats)"
            says.append(Headline(f"{variant}: {text}.", variant))
        if len(last := last[last["measure"] == "lost"]):
            text = (
                f"the leader before the last round loses {by_players(last, _percent)} ({_n(last)} games)"
            )
            says.append(Headline(f"{variant}: {text}.", variant))
    return says


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} %"


def _points(row: Any) -> str:
    return f"{write_estimate(row)} points"


def _n(rows: pd.DataFrame) -> str:
    return f"n ≥ {int(rows['n'].min()):,}"
