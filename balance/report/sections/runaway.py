"""Runaway leaders: how often who leads after a round wins, how far behind is lost, who leads before the last round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.deficits import GAMES, LOST, Deficits, LastLead, chances, lost_by_round
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.runaway import LEAST_SHARE, half_time, reached, runaway_question
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, Guide, draw_curves
from balance.report.layout import side_by_side
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import by_players
from balance.stats.fair import fair_share

PLACE = 80
CELL = ["players", "variant", "round"]
LEADER = "Runaway leader: how often the seat that leads alone after a round wins."


def judges(facts: Facts) -> int:
    """Whether the race stays open, where rounds were logged."""
    return int(facts.has_rounds)


def questions(facts: Facts) -> Sequence[Question]:
    """Win share of the sole leader, chances of those behind, and the last lead, where rounds were logged."""
    return [runaway_question(), Deficits(), LastLead()] if facts.has_rounds else []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Win share of who leads alone after each round, and how far behind is lost, of every variant."""
    if not facts.has_rounds:
        return None
    data = reached(answers[runaway_question()]).rename(columns={"clusters": "decks"})
    figure = draw_leader(data, facts.colours)
    table = side_by_side("runaway", f"{LEADER} Percent.", data, ["variant", "round"])
    text = [
        "The leader has the best score if the game ended then. A curve that is high early tells of a game that "
        "is decided before it ends; one that stays at the fair share, of scores that mean little until the end. "
        f"Rounds that fewer than {100 * LEAST_SHARE:.0f} % of the games reach are left out. A seat counts as lost "
        f"where it wins less than one game in {100 / LOST:.0f}, by a logistic curve through the first {GAMES:,} games "
        "of each player count and variant.",
    ]
    sums = answers[Deficits()].merge(data[CELL])
    lost, lead = lost_by_round(sums), answers[LastLead()]
    figures = [figure] if lost.empty else [figure, draw_lost(lost, facts.colours)]
    tables = [table, *_tables(lost, chances(sums), lead)]
    says = _says(facts, data, lost, lead)
    return Written(Section("runaway", "Runaway leader", text, says, figures=figures, tables=tables))


def draw_leader(data: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Win share of who leads alone, a curve for each variant; `data` is that of `runaway_question`."""
    fair = {players: Guide(fair_share(players)) for players in data["players"].unique()}
    how = Curves("round", ("round", "win share of the leader, %"), palette=palette, guides=fair)
    return draw_curves("runaway", LEADER, data.assign(curve=data["variant"]), how)


def draw_lost(lost: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """How far behind is lost, a curve for each variant; `lost` is that of `lost_by_round`."""
    caption = f"How far behind is lost: points behind the leader at which a seat wins {LOST:.0f} % of the games."
    how = Curves("round", ("round", "points behind"), palette=palette)
    return draw_curves("lost", caption, lost.assign(curve=lost["variant"]), how)


def _tables(lost: pd.DataFrame, chance: pd.DataFrame, lead: pd.DataFrame) -> list[Table]:
    """How far behind is lost, the chances that were counted, and the lead before the last round."""
    caption = f"Points behind the leader at which a seat wins {LOST:.0f} %."
    tables = [side_by_side("lost", caption, lost, ["variant", "round"], 1)] if len(lost) else []
    caption = "Win share by points behind the leader at half time, %; 0 is a shared lead; the CSV has every round."
    half = chance[
        chance["round"] == chance.groupby(["players", "variant"])["round"].transform(half_time)
    ]
    behind = side_by_side("behind", caption, half, ["variant", "behind"], 1)
    tables.append(replace(behind, raw=chance))
    if len(lead):
        words = {"lost": "the leader loses", "shared": "the lead is shared"}
        named = lead.assign(measure=lead["measure"].map(words))
        caption = "Who leads before the last round, % of the games."
        tables.append(side_by_side("last-lead", caption, named, ["variant", "measure"], 1))
    return tables


def _says(facts: Facts, data: pd.DataFrame, lost: pd.DataFrame, lead: pd.DataFrame) -> list[Said]:
    """Of each variant: the leader at half time, how far behind is lost then, and the leader before the last round."""
    half = data.groupby(["players", "variant"], as_index=False)["round"].agg(half_time)
    at_half, too_far = data.merge(half), lost.merge(half)
    says = []
    for variant in facts.shown:
        leader, behind, last = (part[part["variant"] == variant] for part in (at_half, too_far, lead))
        if len(leader):
            text = (
                f"the sole leader at half time wins {by_players(leader, _percent)} ({_n(leader)} games)"
            )
            says.append(Said(f"{variant}: {text}.", variant))
        if len(behind):
            text = f"lost at half time is who is behind by {by_players(behind, _points)} ({_n(behind)} seats)"
            says.append(Said(f"{variant}: {text}.", variant))
        if len(last := last[last["measure"] == "lost"]):
            text = (
                f"the leader before the last round loses {by_players(last, _percent)} ({_n(last)} games)"
            )
            says.append(Said(f"{variant}: {text}.", variant))
    return says


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} %"


def _points(row: Any) -> str:
    return f"{write_estimate(row)} points"


def _n(rows: pd.DataFrame) -> str:
    return f"n ≥ {int(rows['n'].min()):,}"
