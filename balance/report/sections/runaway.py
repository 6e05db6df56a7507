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
from balance.contract.sides import RIVALS
from balance.foundation.language import N_, tr, trc
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, draw_curves, fair_guides
from balance.report.kit import side_by_side
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import by_players, write_percent, write_points

ORDER = 80
NEEDS = (RIVALS,)
CELL = ["players", "variant", "round"]
LEADER = N_("Runaway leader: how often the sole leader after a round wins.")


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about the sole leader, deficits and the last lead; none without logged rounds."""
    return [runaway_question(), Deficits(), LastLead()] if context.has_rounds else []


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write the win share of the sole leader after each round, and the deficit that loses, for every variant."""
    if not context.has_rounds:
        return None
    data = reached(answers[runaway_question()]).rename(columns={"clusters": "decks"})
    if data.empty:
        return None
    table = side_by_side("runaway", f"{tr(LEADER)} {tr('Percent.')}", data, ["variant", "round"])
    text = [
        tr(
            "The leader would have the best score if the game ended then. A curve that is high early shows a game that "
            "is decided before it ends. A curve that stays at the fair share shows scores that mean little until the "
            "end. Rounds that fewer than {least:.0f} % of the games reach are left out. A seat counts as lost if it "
            "wins less than one game in {lost:.0f}, by a logistic curve through the first {games:,} games of each "
            "player count and variant.",
            least=100 * LEAST_SHARE,
            lost=100 / LOST,
            games=GAMES,
        )
    ]
    sums = answers[Deficits()].merge(data[CELL])
    lost, lead = lost_by_round(sums), answers[LastLead()]
    figures = [draw_leader(data, context)]
    figures += [draw_lost(lost, context.colours)] if len(lost) else []
    tables = [table, *_tables(lost, chances(sums), lead)]
    headlines = _headlines(context, data, lost, lead)
    return Section("runaway", tr("Runaway leader"), text, headlines, figures=figures, tables=tables)


def draw_leader(data: pd.DataFrame, context: ReportContext) -> Figure:
    """Draw the win share of the sole leader, a curve for each variant; `data` answers `runaway_question`."""
    fair = fair_guides(data["players"].unique(), context.plan.fair_share)
    labels = tr("round"), tr("win share of the leader, %")
    how = Curves("round", labels, palette=context.colours, guides=fair)
    return draw_curves("runaway", tr(LEADER), data, how)


def draw_lost(lost: pd.DataFrame, palette: Mapping[str, str]) -> Figure:
    """Draw the deficit that loses, a curve for each variant; `lost` is from `lost_by_round`."""
    caption = tr(
        "Deficit that loses: points behind the leader at which a seat wins only {lost:.0f} % of the games.", lost=LOST
    )
    how = Curves("round", (tr("round"), tr("points behind")), palette=palette)
    return draw_curves("lost", caption, lost, how)


def _tables(lost: pd.DataFrame, chance: pd.DataFrame, lead: pd.DataFrame) -> list[Table]:
    """Return tables of the deficit that loses, the win share by deficit, and the lead before the last round."""
    caption = tr("Points behind the leader at which a seat wins only {lost:.0f} % of the games.", lost=LOST)
    tables = [side_by_side("lost", caption, lost, ["variant", "round"], 1)] if len(lost) else []
    caption = tr("Win share by points behind the leader at half time, %; 0 is a shared lead. The CSV has every round.")
    middle = chance.groupby(["players", "variant"])["round"].transform(half_time)
    half = chance[chance["round"] == middle]
    half = half.assign(behind=half["behind"].map(_class_in_words))
    if len(half):
        behind = side_by_side("behind", caption, half, ["variant", N_("behind")], 1)
        tables.append(replace(behind, raw=chance))
    if len(lead):
        words = {"lost": N_("the leader loses"), "shared": N_("the lead is shared")}
        named = lead.assign(measure=lead["measure"].map(words))
        caption = tr("The leader before the last round, % of the games.")
        tables.append(side_by_side("last-lead", caption, named, ["variant", "measure"], 1))
    return tables


def _class_in_words(text: str) -> str:
    """Return a class of points behind (see `balance.analysis.leads.chances`) in the language in use."""
    first, _, last = text.partition(" to ")
    if last:
        return tr("{first} to {last}", first=first, last=last)
    open_end = text.removesuffix(" and more")
    return text if open_end == text else tr("{first} and more", first=open_end)


def _headlines(context: ReportContext, data: pd.DataFrame, lost: pd.DataFrame, lead: pd.DataFrame) -> list[Headline]:
    """Return three sentences for each variant: the leader at half time, the deficit that loses, the last leader."""
    half = data.groupby(["players", "variant"], as_index=False)["round"].agg(half_time)
    games = trc("n ≥", "games")
    sentences = (
        (N_("{variant}: the sole leader at half time wins {shares}."), data.merge(half), write_percent, games),
        (
            N_("{variant}: at half time, a player wins one game in {lost:.0f} when behind by {shares}."),
            lost.merge(half),
            write_points,
            trc("n ≥", "seats"),
        ),
        (
            N_("{variant}: the leader before the last round loses {shares}."),
            lead[lead["measure"] == "lost"],
            write_percent,
            games,
        ),
    )
    return [
        Headline(tr(text, variant=variant, shares=by_players(rows, write, things), lost=100 / LOST), variant)
        for variant in context.shown
        for text, table, write, things in sentences
        if len(rows := table[table["variant"] == variant])
    ]
