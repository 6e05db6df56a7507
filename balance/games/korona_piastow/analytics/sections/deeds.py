"""What rulers do in traced games: how often, and how the win share differs with doing it early."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, Answers, traced_cells
from balance.analysis.holdout import WHOLE, estimate_on_holdout, is_significant, of_all_decks
from balance.analysis.question import Question
from balance.foundation.text import listed
from balance.games.korona_piastow.display.labels import thing
from balance.games.korona_piastow.rules.tables import BUILDINGS, ORDERS, UNITS
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_forest
from balance.report.model import Figure, Headline, Section, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import by_players
from balance.runs.folder import RunFolder
from balance.stats.intervals import Interval, ratio_interval
from balance.stats.regression import within_effects

CELL = ["players", "variant"]
KINDS = {
    "order": "orders given",
    "build": "buildings begun",
    "muster": "units mustered",
    "magnate": "court",
    "ruler": "court",
    "grant": "court",
    "victory": "conquests",
}
"""Family of deeds by kind of decision."""
DEEDS = {
    "orders given": ORDERS,
    "buildings begun": (*BUILDINGS, "hasten"),
    "units mustered": UNITS[:-1],
    "court": ("raise", "repair", "collect", "ride", "grant", "nothing"),
    "conquests": ("occupy", "devastate"),
}
LEAST = 30
"""Fewest seats that did a deed early, or draws of a card, from which an effect is estimated."""
EFFECT = ("half", "value", "low", "high", "n", "clusters", "error")
"""Columns of `effects_in_halves`."""


def read_deeds(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return what each seat of the traced games did; None if too few games were traced.

    Returns
    -------
    DataFrame
        One row per game, seat and deed of `DEEDS`: ``players``, ``variant``, ``game_id``, ``deal_seed``, ``seat``,
        ``strategy``, ``win_share`` (percent), ``family``, ``deed``, ``times`` (in the game), ``early`` (times in the
        first third of the rounds that the rules allow).
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        seats = connection.execute(_seats_sql(games)).df()
        if seats["game_id"].nunique() < LEAST_GAMES:
            continue
        done = connection.execute(_deeds_sql(games, cell.variant.rules.rounds // 3)).df()
        every = pd.DataFrame(
            [(family, deed) for family, deeds in DEEDS.items() for deed in deeds],
            columns=["family", "deed"],
        )
        rows = seats.merge(every, how="cross").merge(
            done, how="left", on=["game_id", "seat", "family", "deed"]
        )
        rows[["times", "early"]] = rows[["times", "early"]].fillna(0)
        parts.append(rows.assign(players=cell.players, variant=cell.variant.name))
    return pd.concat(parts, ignore_index=True) if parts else None


def _seats_sql(games: str) -> str:
    return f"""
        SELECT game_id, deal_seed, seat, strategy, 100 * win_share AS win_share
        FROM seats JOIN games USING (game_id) WHERE status <> 'truncated' AND {games} ORDER BY game_id, seat
    """


def _deeds_sql(games: str, early: int) -> str:
    families = " ".join(f"WHEN '{kind}' THEN '{family}'" for kind, family in KINDS.items())
    return f"""
        SELECT game_id, seat, CASE kind {families} END AS family,
               CASE deed WHEN 'none' THEN 'nothing' WHEN 'order' THEN order_kind WHEN 'build' THEN building
                         WHEN 'muster' THEN unit ELSE deed END AS deed,
               count(*) AS times, count_if(round <= {early}) AS early
        FROM trace WHERE kind IN ({", ".join(f"'{kind}'" for kind in KINDS)}) AND {games} GROUP BY ALL
    """


def uses(deeds: pd.DataFrame) -> pd.DataFrame:
    """Return how often a seat does each deed in a game.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``family``, ``deed``, ``value``, ``low``, ``high``, ``n`` (seats).
    """
    rows = []
    keys = [*CELL, "family", "deed"]
    for key, group in deeds.groupby(keys, sort=False):
        decks = group.groupby("deal_seed")["times"].agg(["sum", "count"]).to_numpy(float)
        rows.append(dict(zip(keys, key, strict=True)) | _columns(ratio_interval(*decks.T)))
    return pd.DataFrame(rows)


def action_effects(deeds: pd.DataFrame) -> pd.DataFrame:
    """Return the difference in win share, in points, with doing each deed once more early, at equal strategy and seat.

    Every deed has its own model (see `balance.stats.regression.within_effects`): the difference is for doing the deed
    once more instead of the seat's other deeds.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``family``, ``deed``, ``half`` (0 or 1 of the deals, or `WHOLE`), ``value``, ``low``,
        ``high``, ``n`` (seats that do it early), ``clusters``, ``error``; deeds with ``n`` below `LEAST` are left out.
    """
    keys = [*CELL, "family", "deed"]
    rows = [
        dict(zip(keys, key, strict=True)) | found
        for key, group in deeds.groupby(keys, sort=False)
        for found in effects_in_halves(group, "early", ["strategy", "seat"])
    ]
    return pd.DataFrame(rows, columns=[*keys, *EFFECT])


def effects_in_halves(data: pd.DataFrame, cause: str, same: list[str]) -> Iterator[dict[str, object]]:
    """Yield the effect of a cause on the win share, on all deals and on each half of them, as rows of `EFFECT`.

    ``n`` counts the rows that have the cause; there is no effect if ``n`` is below `LEAST`.
    """
    odd = (data["deal_seed"] % 2).to_numpy()
    for half in (WHOLE, 0, 1):
        part = data if half == WHOLE else data[odd == half]
        having = int((part[cause] > 0).sum())
        if having < LEAST:
            continue
        if found := within_effects(part, "win_share", [cause], same, "deal_seed"):
            yield {"half": half, **vars(found[cause]), "n": having}


def _columns(found: Interval) -> dict[str, object]:
    return {name: getattr(found, name) for name in ("value", "low", "high", "n")}


ORDER = 130
RARE = 0.1
"""Deeds done less often than this per seat and game are hardly used."""
TEXT = (
    "Orders count when they are given, buildings when they are begun. The worth of a deed is the difference in win "
    "share with doing it once more in the first third of the rounds, when few games are over. Each deed is compared "
    "separately, among seats with the same strategy in the same seat. These are associations under these strategies, "
    "not experiments; the section Components estimates the effect of a building or a unit. From traced games."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: deeds are in traces, which `read_deeds` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write a forest plot of the worth of early deeds for each shown variant, and tables; None without traces."""
    deeds = read_deeds(context.run, context.shown)
    if deeds is None:
        return None
    used = _named(uses(deeds))
    worth = _named(action_effects(deeds))
    whole = of_all_decks(worth)
    figures = [
        replace(
            _draw(stem("deeds", number), variant, whole[whole["variant"] == variant]), variant=variant
        )
        for number, variant in enumerate(context.shown)
        if (whole["variant"] == variant).any()
    ]
    rows = ["variant", "family", "deed"]
    sure = whole["value"].abs().where(whole["low"] * whole["high"] > 0, 0.0)
    tables = [
        side_by_side("deeds-used", "How often a seat does each deed in a game.", used, rows),
        side_by_side(
            "deeds-worth",
            f"Worth of doing a deed once more early, points of win share; {len(whole)} comparisons without a "
            f"correction: about {len(whole) // 20} intervals exclude 0 by chance.",
            whole.assign(importance=sure),
            rows,
            1,
        ),
    ]
    says = [*_used_said(used), *_worth_said(worth)]
    return Written(Section("use", "What rulers do", [TEXT], says, figures=figures, tables=tables))


def _named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with deeds by their display names."""
    return table.assign(deed=table["deed"].map(thing))


def _draw(name: str, variant: str, whole: pd.DataFrame) -> Figure:
    """Draw the effect of every deed, a mark for each player count, sorted by family."""
    rows = whole["family"] + ": " + whole["deed"]
    order = [f"{family}: {thing(deed)}" for family, deeds in DEEDS.items() for deed in deeds]
    data = whole.assign(row=rows, effect=whole["value"], threshold=0.0)
    data = data.sort_values("row", key=lambda names: names.map(order.index), kind="stable")
    caption = f"Worth of doing a deed once more early, variant {variant}."
    return draw_forest(name, caption, data, "points of win share", False, "seats")


def _used_said(used: pd.DataFrame) -> list[Headline]:
    """Report deeds that are hardly used at every player count."""
    says = []
    for variant, rows in used.groupby("variant", sort=False):
        says_of = []
        for family, part in rows.groupby("family", sort=False):
            most = part.groupby("deed", sort=False)["high"].max()
            if rare := [str(deed) for deed, high in most.items() if high < RARE]:
                says_of.append(f"{family}: {listed(rare)}")
        if says_of:
            text = f"{variant}: hardly used (less than {RARE:g} times per seat and game): {'; '.join(says_of)}"
            says.append(Headline(f"{text} (n ≥ {int(rows['n'].min()):,} seats).", str(variant)))
    return says


def _worth_said(worth: pd.DataFrame) -> list[Headline]:
    """Report the deeds of most and of least worth, selected on half of the deals and measured on the other."""
    says = []
    for words, sign in (("most", 1), ("least", -1)):
        size = (sign * worth["value"]).where(is_significant(worth) & (sign * worth["value"] > 0))
        best = estimate_on_holdout(worth.assign(size=size), ["variant", "players"], ["family", "deed"])
        best = best[np.where(sign > 0, best["low"], -best["high"]) > 0]
        for variant, rows in best.groupby("variant", sort=False):
            told = by_players(
                rows, lambda row: f"{row.deed} ({row.family}) {write_estimate(row)} points"
            )
            text = f"{variant}: worth {words} when done once more early: {told}"
            says.append(
                Headline(f"{text} (n ≥ {int(rows['n'].min()):,} seats on held-out deals).", str(variant))
            )
    return says
