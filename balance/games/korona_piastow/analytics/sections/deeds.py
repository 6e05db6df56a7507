"""What rulers do in traced games: how often, and how the win share differs with doing it early."""

from __future__ import annotations

from functools import partial

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import is_significant, of_all_decks
from balance.analysis.traced import CELL, EFFECT, effects_in_halves, ratios, read_traced
from balance.experiments.plan import Cell
from balance.foundation.language import N_, tr, trc
from balance.games.korona_piastow.display.names import thing
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, UNITS
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_forest
from balance.report.kit import (
    figures_by_variant,
    largest_on_holdout,
    name_largest,
    side_by_side,
    uncorrected_table,
    write_headlines,
)
from balance.report.model import Figure, Headline, Section
from balance.report.words import by_players, smallest_n, write_points

FAMILIES = {
    "order": N_("orders given"),
    "build": N_("buildings begun"),
    "muster": N_("units mustered"),
    "magnate": N_("court"),
    "ruler": "court",
    "grant": "court",
    "victory": N_("conquests"),
}
"""Family of deeds by kind of decision."""
DEEDS = {
    "orders given": ORDERS,
    "buildings begun": (*BUILDINGS, N_("hasten")),
    "units mustered": UNITS[:-1],
    "court": (N_("raise"), N_("repair"), N_("collect"), N_("ride"), N_("grant"), N_("nothing")),
    "conquests": (N_("occupy"), N_("devastate")),
}


def read_deeds(cell: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
    """Return what each seat of the traced games did, for `balance.analysis.traced.read_traced`.

    Returns
    -------
    DataFrame
        One row per game, seat and deed of `DEEDS`: ``game_id``, ``deal_seed``, ``seat``, ``strategy``, ``win_share``
        (percent), ``family``, ``deed``, ``times`` (in the game), ``early`` (times in the first third of the rounds that
        the rules allow).
    """
    seats = connection.execute(_seats_sql(games)).df()
    done = connection.execute(_deeds_sql(games, cell.variant.rules.rounds_to_play // 3)).df()
    every = [(family, deed) for family, deeds in DEEDS.items() for deed in deeds]
    rows = seats.merge(pd.DataFrame(every, columns=["family", "deed"]), how="cross")
    rows = rows.merge(done, how="left", on=["game_id", "seat", "family", "deed"])
    return rows.fillna({"times": 0, "early": 0})


def _seats_sql(games: str) -> str:
    return f"""
        SELECT game_id, deal_seed, seat, strategy, 100 * win_share AS win_share
        FROM seats JOIN games USING (game_id) WHERE status <> 'truncated' AND {games} ORDER BY game_id, seat
    """


def _deeds_sql(games: str, early: int) -> str:
    families = " ".join(f"WHEN '{kind}' THEN '{family}'" for kind, family in FAMILIES.items())
    return f"""
        SELECT game_id, seat, CASE kind {families} END AS family,
               CASE deed WHEN 'none' THEN 'nothing' WHEN 'order' THEN order_kind WHEN 'build' THEN building
                         WHEN 'muster' THEN unit ELSE deed END AS deed,
               count(*) AS times, count_if(round <= {early}) AS early
        FROM trace WHERE kind IN ({", ".join(f"'{kind}'" for kind in FAMILIES)}) AND {games} GROUP BY ALL
    """


def action_effects(deeds: pd.DataFrame) -> pd.DataFrame:
    """Return the difference in win share, in points, with doing each deed once more early, at equal strategy and seat.

    Every deed has its own model (see `balance.stats.regression.within_effects`): the difference is for doing the deed
    once more instead of the seat's other deeds.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``family``, ``deed``, ``half`` (0 or 1 of the deals, or `WHOLE`), ``value``, ``low``,
        ``high``, ``n`` (seats that do it early), ``clusters``, ``error``; no rows for deeds that too few seats do.
    """
    keys = [*CELL, "family", "deed"]
    deeds = deeds.assign(alike=deeds.groupby(["strategy", "seat"]).ngroup())
    rows = [
        dict(zip(keys, key, strict=True)) | found
        for key, group in deeds.groupby(keys, sort=False)
        for found in effects_in_halves(group, "early", ["alike"])
    ]
    return pd.DataFrame(rows, columns=[*keys, *EFFECT])


ORDER = 130
TEXT = N_(
    "Orders count when they are given, buildings when they are begun. The worth of a deed is the difference in win "
    "share with doing it once more in the first third of the rounds, when few games are over. Each deed is compared "
    "separately, among seats with the same strategy in the same seat. These are associations under these strategies, "
    "not experiments; the section Components estimates the effect of a building or a unit. From traced games."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a forest plot of the worth of early deeds for each shown variant, and tables; None without traces."""
    deeds = read_traced(context.run, context.shown, read_deeds)
    if deeds is None:
        return None
    rows = ["variant", N_("family"), N_("deed")]
    used = _named(ratios(deeds, ["family", "deed"], "times"))
    worth = _named(action_effects(deeds))
    whole = of_all_decks(worth)
    caption = tr("Worth of doing a deed once more early")
    figures = figures_by_variant(context, "deeds", caption, whole, _draw)
    points = tr("Worth of doing a deed once more early, points of win share")
    tables = [
        side_by_side("deeds-used", tr("How often a seat does each deed in a game."), used, rows),
        uncorrected_table("deeds-worth", points, whole, rows),
    ]
    headlines = _most_and_least(worth)
    return Section("use", tr("What rulers do"), [tr(TEXT)], headlines, figures=figures, tables=tables)


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with deeds by their display names."""
    return table.assign(deed=table["deed"].map(thing))


def _draw(name: str, caption: str, whole: pd.DataFrame) -> Figure:
    """Draw the effect of every deed, a mark for each player count, sorted by family."""
    order = [f"{tr(family)}: {tr(thing(deed))}" for family, deeds in DEEDS.items() for deed in deeds]
    rows = whole["family"].map(tr) + ": " + whole["deed"].map(tr)
    data = whole.assign(row=rows, effect=whole["value"], threshold=0.0)
    data = data.sort_values("row", key=lambda names: names.map(order.index), kind="stable")
    return draw_forest(name, caption, data, tr("points of win share"), False, "seats")


def _most_and_least(worth: pd.DataFrame) -> list[Headline]:
    """Return the deeds of most and of least worth, selected on half of the deals and measured on the other."""
    headlines: list[Headline] = []
    for words, sign in (
        (N_("worth most when done once more early: {deeds} ({n} on held-out deals)"), 1),
        (N_("worth least when done once more early: {deeds} ({n} on held-out deals)"), -1),
    ):
        size = (sign * worth["value"]).where(is_significant(worth) & (sign * worth["value"] > 0))
        best = largest_on_holdout(worth, ["family", "deed"], size)
        best = best[np.where(sign > 0, best["low"], -best["high"]) > 0]
        headlines += write_headlines(best, partial(_worth, words))
    return headlines


def _worth(words: str, rows: pd.DataFrame) -> str:
    deeds = by_players(rows, lambda row: f"{name_largest(row, 'deed')} ({tr(row.family)}) {write_points(row)}")
    return tr(words, deeds=deeds, n=smallest_n(rows, trc("n ≥", "seats")))
