"""What reports show of Polska alone: markers, cards, dice, blocked turns."""

from __future__ import annotations

import pandas as pd

from balance.report.figures import draw_bars
from balance.report.layout import side_by_side
from balance.report.model import Finding, Section, write_estimate
from balance.runfolder import RunFolder


def write_sections(
    run: RunFolder, answers: dict[str, pd.DataFrame]
) -> tuple[list[Section], list[Finding]]:
    """The game's own sections, and what stands out in them."""
    found: list[Finding] = []
    return [_markers(run, answers), _cards(run, answers, found), _dice(run, answers, found)], found


def _markers(run: RunFolder, answers: dict[str, pd.DataFrame]) -> Section:
    variant = run.plan.variants[0].name
    by_strategy = answers["markers"].rename(columns={"measure": "order"})
    by_outcome = answers["markers won"].rename(columns={"measure": "order"})
    by_outcome["seats"] = by_outcome["won"].map({1: "winners", 0: "the rest"})
    caption = f"Markers taken as first, second, ... of a set, a game and seat, variant {variant}."
    text = ["The first markers of a set give most cards, so being early is worth more than being often."]
    tables = [
        side_by_side("markers-won", caption, by_outcome, ["seats", "order"]),
        side_by_side("markers", caption, by_strategy, ["strategy", "order"]),
    ]
    return Section("markers", "Markers", text, tables=tables)


def _cards(run: RunFolder, answers: dict[str, pd.DataFrame], found: list[Finding]) -> Section:
    variant = run.plan.variants[0].name
    played = answers["played"].rename(columns={"measure": "card"})
    worth = answers["worth"].rename(columns={"measure": "card"})
    by_strategy = answers["played strategy"].rename(columns={"measure": "card"})
    tables = [
        side_by_side("played", "Cards played, a game and seat.", played, ["variant", "card"]),
        side_by_side(
            "worth",
            f"Steps that a card makes when it is played, variant {variant}.",
            worth,
            ["strategy", "card"],
        ),
        side_by_side(
            "played-strategy",
            f"Cards played by strategy, variant {variant}.",
            by_strategy,
            ["strategy", "card"],
        ),
    ]
    grey = worth[(worth["card"] == "grey") & (worth["n"] > 0)]
    for players, cell in grey.groupby("players"):
        row = next(cell.loc[[cell["value"].idxmax()]].itertuples())
        text = (
            f"{variant}: with {players} players {row.strategy} gets most out of grey cards, "
            f"{write_estimate(row, 2)} steps each (n = {row.n:,} seats)."
        )
        found.append(Finding(text, "cards", 0.3))
    return Section("cards", "Cards", [], tables=tables)


def _dice(run: RunFolder, answers: dict[str, pd.DataFrame], found: list[Finding]) -> Section:
    variant = run.plan.variants[0].name
    dice, blocked = answers["dice"], answers["blocked"]
    first = dice[dice["variant"] == variant]
    figure_data = first.assign(variant=[f"seat {seat}" for seat in first["seat"]])
    figures = []
    if first["players"].nunique() == 1:  # seats of one player count, as bars
        figures.append(draw_bars("dice", "Dice left to choose from.", figure_data, "dice, mean a turn"))
    tables = [
        side_by_side(
            "dice", "Dice left when a seat takes its own, mean a turn.", dice, ["variant", "seat"]
        ),
        side_by_side(
            "blocked",
            f"Turns lost to stop cards, % of a seat's turns, variant {variant}.",
            blocked,
            ["strategy"],
        ),
    ]
    text = [
        "All dice are used up before the next roll, so whose turn it is to roll moves on. Where the number of "
        "players divides the number of dice, it does not: then the same seat always has the first choice."
    ]
    for players, cell in first.groupby("players"):
        gap = cell["value"].max() - cell["value"].min()
        row = next(cell.loc[[cell["value"].idxmax()]].itertuples())
        text_of = (
            f"{variant}: with {players} players seat {row.seat} has most dice to choose from, "
            f"{write_estimate(row, 2)} a turn (n = {row.n:,} games)."
        )
        found.append(Finding(text_of, "dice", float(gap)))
    return Section("dice", "Dice and stops", text, figures=figures, tables=tables)
