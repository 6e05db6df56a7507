"""Battles: how often invasions are won, by the strength of both sides, and what the cards decide. Of traced games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.sums import scale
from balance.games.korona_piastow.analytics.battles import GAMES, RULER, read_battles
from balance.games.korona_piastow.display.words import thing
from balance.report.facts import Facts
from balance.report.figures.bars import draw_rows
from balance.report.figures.curves import Curves, draw_curves
from balance.report.layout import side_by_side, stem
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import by_players
from balance.stats.intervals import ratio_interval, share_interval

PLACE = 120
CELL = ["players", "variant"]
LEAST = 20
"""Invasions, below which nothing is said of what they have in common."""
TEXT = (
    "The lead is the attack less the defence before the cards of both sides are turned up (CMB-1, LOS-1); an attacker "
    "needs more than the defender. Cards turn an invasion where it goes another way than without them: by how much the "
    "attacker's number is larger. Of the first {games} traced games of each."
)


def questions(facts: Facts) -> Sequence[Question]:
    """None that can be added up: invasions are in traces."""
    return []


def write(facts: Facts, answers: Answers) -> Written | None:
    """Curves by lead and bars by whom it goes against, for every variant that is shown; None without traces."""
    battles = read_battles(facts.run, facts.shown)
    if battles is None:
        return None
    battles = battles.assign(
        won=100 * battles["won"],
        turned=100 * ((battles["lead"] > 0) != (battles["won"] > 0)),
        building=battles["building"].map(thing),
    )
    leads, against = shares(battles, "won", ["lead"]), shares(battles, "won", ["against"])
    section = Section("battles", "Invasions", [TEXT.format(games=GAMES)], _says(battles))
    for number, variant in enumerate(facts.shown):
        drawn = _draw(number, variant, leads, against)
        section.figures.extend(replace(figure, variant=variant) for figure in drawn)
    section.tables.extend(_tables(battles, leads, against))
    return Written(section)


def shares(battles: pd.DataFrame, column: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """How often invasions have something, by columns that they differ in.

    Parameters
    ----------
    battles : DataFrame
        Of `read_battles`; `column` holds 0 or 100.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high`` (percent), ``n`` (invasions; `LEAST`
        and more), from cluster intervals of shares, the decks being the clusters.
    """
    keys, rows = [*CELL, *by], []
    for key, group in battles.groupby(keys):
        if len(group) >= LEAST:
            decks = group.groupby("deck_seed")[column].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(decks[:, 0] / 100, decks[:, 1])), 100)
            each = {name: float(getattr(found, name)) for name in ("value", "low", "high")}
            rows.append(dict(zip(keys, key, strict=True)) | each | {"n": len(group)})
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    order = list(dict.fromkeys(battles["variant"]))
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _draw(number: int, variant: str, leads: pd.DataFrame, against: pd.DataFrame) -> list[Figure]:
    """The share won against the lead, and by holder."""
    figures, own = [], leads[leads["variant"] == variant]
    if len(own):
        caption = f"How often invasions are won, by their lead before the cards, variant {variant}."
        how = Curves("lead", ("attack less defence", "% won"))
        curves = own.assign(curve="invasions")
        figures.append(draw_curves(stem("battles", number), caption, curves, how))
    own = against[against["variant"] == variant]
    if len(own):
        caption = f"How often invasions are won, by who holds the fief, variant {variant}."
        figures.append(
            draw_rows(stem("battles-against", number), caption, own, "against", "% won", 100.0)
        )
    return figures


def _tables(battles: pd.DataFrame, leads: pd.DataFrame, against: pd.DataFrame) -> list[Table]:
    won = "% of invasions that are won"
    rows = ["variant", "lead"]
    turned = shares(battles, "turned", ["lead"])
    return [
        side_by_side("battles", f"{won}, by attack less defence before the cards.", leads, rows, 1),
        side_by_side(
            "battles-against", f"{won}, by who holds the fief.", against, ["variant", "against"], 1
        ),
        *(
            side_by_side(
                f"battles-{by}", f"{won}, {words}.", shares(battles, "won", [by]), ["variant", by], 1
            )
            for by, words in (
                ("building", "by the building that counts"),
                ("defends", "by orders to defend that come into force"),
            )
        ),
        side_by_side("battles-turned", "% of invasions that the cards turn, by lead.", turned, rows, 1),
    ]


def _says(battles: pd.DataFrame) -> list[Said]:
    """All invasions, those of rulers; even sums; what the cards turn."""
    groups = (
        ("invasions are won in", "won", battles),
        ("those of other rulers' fiefs in", "won", battles[battles["against"] == RULER]),
        ("those of even strength in", "won", battles[battles["lead"] == 0]),
        ("the cards turn", "turned", battles),
    )
    says = []
    for variant in dict.fromkeys(battles["variant"]):
        parts = []
        for words, column, part in groups:
            found = shares(part[part["variant"] == variant], column)
            if len(found):
                parts.append(
                    f"{words} {by_players(found, _percent)} (n ≥ {int(found['n'].min()):,} invasions)"
                )
        if parts:
            says.append(Said(f"{variant}: {'; '.join(parts)}.", variant))
    return says


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} %"
