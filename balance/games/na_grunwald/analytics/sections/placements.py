"""Placements: how popular each field is and what it goes with, by round and by order, of the traced games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import of_all_decks, remeasure
from balance.analysis.question import Question
from balance.games.na_grunwald.analytics.placements import LAST_ORDER, ORDER, ROUND, read_placements
from balance.report.facts import Facts
from balance.report.figures.curves import draw_matrix
from balance.report.layout import matrices, side_by_side, stem
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import by_players

PLACE = 110
TITLES = {"chosen": "How popular each field is", "worth": "What placing on a field goes with"}
UNITS = {"chosen": "% of seats", "worth": "points of win share"}


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: placements are in traces."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Heat maps of fields by round for every variant that is shown, by order as shaded tables; None without traces."""
    halves = read_placements(facts.run, facts.shown)
    if halves.empty:
        return None
    data = of_all_decks(halves)
    text = [
        "Placing on a field at least once in a round, or by a seat's first, second, ... placement of a round. Worth is "
        "the win share of those who place there less that of those who don't, each less the mean of its strategy in "
        "its seat: an association under such bots and no experiment. "
        f"Of the traced games; n ≥ {int(data['n'].min()):,} seats in each cell."
    ]
    figures = [
        figure
        for number, variant in enumerate(facts.shown)
        for figure in _heat_maps(stem("", number), variant, data[data["variant"] == variant])
    ]
    return Written(
        Section("placements", "Placements", text, _says(halves), figures=figures, tables=_tables(data))
    )


def _heat_maps(suffix: str, variant: str, data: pd.DataFrame) -> list[Figure]:
    """Fields against rounds, a panel for each player count: popularity and worth of one variant."""
    figures = []
    for measure, title in TITLES.items():
        part = data[(data["measure"] == measure) & (data["by"] == ROUND)]
        panels = {
            f"{players} players": cell.pivot(index="field", columns="slot", values="value").loc[
                list(dict.fromkeys(cell["field"]))
            ]
            for players, cell in part.groupby("players")
        }
        if panels:
            caption = f"{title}, by round, variant {variant}."
            middle = 0.0 if measure == "worth" else None
            labels = ("field", "round")
            drawn = draw_matrix(
                f"fields-{measure}{suffix}", caption, panels, labels, UNITS[measure], middle
            )
            figures.append(replace(drawn, variant=variant))
    return figures


def _tables(data: pd.DataFrame) -> list[Table]:
    """By order as shaded tables; all figures with their intervals."""
    tables = []
    for measure, title in TITLES.items():
        part = data[data["measure"] == measure]
        order = part[part["by"] == ORDER]
        caption = f"{title}, by a seat's placements of a round ({LAST_ORDER}: that and later), {UNITS[measure]}"
        shown = (0.0, "+.1f") if measure == "worth" else (100 / data["field"].nunique(), ".1f")
        tables += matrices(f"fields-{measure}-order", caption, order, ("field", "slot"), shown)
        rounds = part[part["by"] == ROUND].rename(columns={"slot": "round"})
        rounds = rounds.assign(importance=rounds["value"].abs())
        caption = f"{title}, by round, {UNITS[measure]}."
        tables.append(
            side_by_side(f"fields-{measure}", caption, rounds, ["variant", "field", "round"], 1)
        )
    return tables


def _says(halves: pd.DataFrame) -> list[Said]:
    """Where first placements of a round go most, chosen on half of the decks and measured on the other."""
    first = halves[(halves["by"] == ORDER) & (halves["measure"] == "chosen") & (halves["slot"] == 1)]
    most = remeasure(first.assign(size=first["value"]), ["variant", "players"], ["field"])
    return [
        Said(
            f"{variant}: a seat's first placement of a round goes most often to {by_players(rows, _write)} "
            f"(n ≥ {int(rows['n'].min()):,} on fresh decks).",
            str(variant),
        )
        for variant, rows in most.groupby("variant", sort=False)
    ]


def _write(row: Any) -> str:
    return f"{row.field} ({write_estimate(row)} %)"
