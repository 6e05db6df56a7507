"""Invasions in traced games: the strength of both sides, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from balance.analysis.gather import LEAST_GAMES, Answers, traced_cells
from balance.analysis.question import Question, scale
from balance.games.korona_piastow.display.labels import thing
from balance.games.korona_piastow.kernel import state as s
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.figures.curves import Curves, draw_curves
from balance.report.model import Figure, Headline, Section, Table, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import by_players
from balance.runs.folder import RunFolder
from balance.stats.intervals import ratio_interval, share_interval

AGAINST = {s.NOBODY: "nobody", s.FOREIGN_STATES: "foreign states"}
RULER = "a ruler"


def read_battles(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return the invasions in the traced games of these variants; None if too few games were traced.

    Returns
    -------
    DataFrame
        One row per invasion: ``players``, ``variant``, ``deal_seed``, ``game_id``, ``round``, ``seat``, ``against``
        (`AGAINST`, or `RULER`), ``building`` that counts for the defence (or "none"), ``engines`` sent, ``defends``
        (orders to defend that took effect), ``lead`` (attack minus defence, without fate), ``fate`` (the attacker's
        card minus the defender's), ``revenge`` and ``won`` (0 or 1).
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        battles = connection.execute(_sql(games)).df()
        if battles["game_id"].nunique() >= LEAST_GAMES:
            parts.append(battles.assign(players=cell.players, variant=cell.variant.name))
    return pd.concat(parts, ignore_index=True) if parts else None


def _sql(games: str) -> str:
    """Return SQL for the invasions by rulers in the games that ended: units sent, the battle, its result."""
    against = " ".join(f"WHEN {holder} THEN '{words}'" for holder, words in AGAINST.items())
    of_battle, of_fought = "FILTER (outcome = 'battle')", "FILTER (outcome = 'fought')"
    return f"""
        WITH told AS (
            SELECT trace.*, deal_seed,
                   count_if(deed = 'send') OVER (PARTITION BY game_id ORDER BY step) AS number
            FROM trace JOIN games USING (game_id)
            WHERE (deed = 'send' OR (outcome IN ('battle', 'fought') AND player >= 0))
                  AND status <> 'truncated' AND {games}
        ), invasions AS (
            SELECT deal_seed, game_id, number, any_value(round) AS round,
                   any_value(player) {of_battle} AS seat, any_value(holder) {of_battle} AS holder,
                   any_value(building) {of_battle} AS building, any_value(walls) {of_battle} AS walls,
                   any_value(engines) AS engines, any_value(defends) {of_battle} AS defends,
                   any_value(attack - defence) {of_battle} AS lead,
                   any_value(attack - defence) {of_fought} AS lead_with_fate,
                   any_value(revenge) {of_fought} AS revenge, any_value(conquered) {of_fought} AS won
            FROM told GROUP BY ALL
        )
        SELECT deal_seed, game_id, round, seat, CASE holder {against} ELSE '{RULER}' END AS against,
               CASE WHEN walls > 0 THEN building ELSE 'none' END AS building, engines, defends, lead,
               lead_with_fate - lead AS fate, revenge, won
        FROM invasions ORDER BY game_id, number
    """


ORDER = 120
CELL = ["players", "variant"]
LEAST = 20
"""Fewest invasions from which a share is estimated."""
TEXT = (
    "The lead is the attack minus the defence before both sides turn up their cards (CMB-1, LOS-1); the attacker needs "
    "more than the defender. The cards decide an invasion if its result differs from the result without cards. "
    "From traced games."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: invasions are in traces, which `read_battles` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write curves by lead and bars by holder, for each shown variant; None without traces."""
    battles = read_battles(context.run, context.shown)
    if battles is None:
        return None
    battles = battles.assign(
        won=100 * battles["won"],
        turned=100 * ((battles["lead"] > 0) != (battles["won"] > 0)),
        building=battles["building"].map(thing),
    )
    leads, against = shares(battles, "won", ["lead"]), shares(battles, "won", ["against"])
    section = Section("battles", "Invasions", [TEXT], _says(battles))
    for number, variant in enumerate(context.shown):
        drawn = _draw(number, variant, leads, against)
        section.figures.extend(replace(figure, variant=variant) for figure in drawn)
    section.tables.extend(_tables(battles, leads, against))
    return Written(section)


def shares(battles: pd.DataFrame, column: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Return the share of invasions for which a column is 100, by other columns.

    Parameters
    ----------
    battles : DataFrame
        From `read_battles`; `column` holds 0 or 100.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high`` (percent), ``n`` (invasions, at least
        `LEAST`). Intervals of shares are clustered by deal.
    """
    keys, rows = [*CELL, *by], []
    for key, group in battles.groupby(keys):
        if len(group) >= LEAST:
            decks = group.groupby("deal_seed")[column].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(decks[:, 0] / 100, decks[:, 1])), 100)
            each = {name: float(getattr(found, name)) for name in ("value", "low", "high")}
            rows.append(dict(zip(keys, key, strict=True)) | each | {"n": len(group)})
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    order = list(dict.fromkeys(battles["variant"]))
    return table.sort_values("variant", key=lambda names: names.map(order.index), kind="stable")


def _draw(number: int, variant: str, leads: pd.DataFrame, against: pd.DataFrame) -> list[Figure]:
    """Draw the share of invasions that are won, by lead and by holder."""
    figures, own = [], leads[leads["variant"] == variant]
    if len(own):
        caption = f"How often invasions are won, by their lead before the cards, variant {variant}."
        how = Curves("lead", ("attack minus defence", "% won"))
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
        side_by_side("battles", f"{won}, by attack minus defence before the cards.", leads, rows, 1),
        side_by_side(
            "battles-against", f"{won}, by who holds the fief.", against, ["variant", "against"], 1
        ),
        *(
            side_by_side(
                f"battles-{by}", f"{won}, {words}.", shares(battles, "won", [by]), ["variant", by], 1
            )
            for by, words in (
                ("building", "by the building that counts"),
                ("defends", "by orders to defend that take effect"),
            )
        ),
        side_by_side(
            "battles-turned", "% of invasions that the cards decide, by lead.", turned, rows, 1
        ),
    ]


def _says(battles: pd.DataFrame) -> list[Headline]:
    """Report the share won of all invasions, of rulers' fiefs and at even strength, and the share the cards decide."""
    groups = (
        ("invasions won:", "won", battles),
        ("invasions of other rulers' fiefs won:", "won", battles[battles["against"] == RULER]),
        ("invasions of even strength won:", "won", battles[battles["lead"] == 0]),
        ("invasions that the cards decide:", "turned", battles),
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
            says.append(Headline(f"{variant}: {'; '.join(parts)}.", variant))
    return says


def _percent(row: Any) -> str:
    return f"{write_estimate(row)} %"
