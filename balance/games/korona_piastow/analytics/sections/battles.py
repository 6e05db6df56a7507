"""Invasions in traced games: the strength of both sides, and who wins."""

from __future__ import annotations

import duckdb
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.traced import read_traced, shares
from balance.experiments.plan import Cell
from balance.foundation.language import N_, tr, trc
from balance.games.korona_piastow.display.names import thing
from balance.games.korona_piastow.kernel import state as s
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_rows
from balance.report.figures.curves import Curves, draw_curves
from balance.report.kit import figures_by_variant, in_variant_order, side_by_side, write_headlines
from balance.report.model import Section, Table
from balance.report.words import by_players, write_percent

AGAINST = {s.NOBODY: N_("nobody"), s.FOREIGN_STATES: N_("foreign states")}
RULER = N_("a ruler")


def read_battles(cell: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
    """Return the invasions in traced games, for `balance.analysis.traced.read_traced`.

    Returns
    -------
    DataFrame
        One row per invasion: ``deal_seed``, ``game_id``, ``round``, ``seat``, ``against`` (`AGAINST`, or `RULER`),
        ``building`` that counts for the defence (or "none"), ``engines`` sent, ``defends`` (orders to defend that took
        effect), ``lead`` (attack minus defence, without fate), ``fate`` (the attacker's card minus the defender's),
        ``revenge``, ``won`` and ``turned`` (whether the cards decided it; each 0 or 1).
    """
    battles = connection.execute(_sql(games)).df()
    return battles.assign(turned=((battles["lead"] > 0) != (battles["won"] > 0)).astype(int))


def _sql(games: str) -> str:
    """Return SQL for the invasions by rulers in the games that ended: units sent, the battle, its result."""
    against = " ".join(f"WHEN {holder} THEN '{words}'" for holder, words in AGAINST.items())
    of_battle, of_fought = "FILTER (outcome = 'battle')", "FILTER (outcome = 'fought')"
    return f"""
        WITH outcomes AS (
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
            FROM outcomes GROUP BY ALL
        )
        SELECT deal_seed, game_id, round, seat, CASE holder {against} ELSE '{RULER}' END AS against,
               CASE WHEN walls > 0 THEN building ELSE 'none' END AS building, engines, defends, lead,
               lead_with_fate - lead AS fate, revenge, won
        FROM invasions ORDER BY game_id, number
    """


ORDER = 120
TEXT = N_(
    "The lead is the attack minus the defence before both sides turn up their cards (CMB-1, LOS-1); the attacker needs "
    "more than the defender. The cards decide an invasion if its result differs from the result without cards. "
    "From traced games."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write curves by lead and bars by holder, for each shown variant; None without traces."""
    battles = read_traced(context.run, context.shown, read_battles)
    if battles is None:
        return None
    battles = battles.assign(building=battles["building"].map(thing))
    by_lead, by_holder = shares(battles, ["lead"], "won"), shares(battles, ["against"], "won")
    how = Curves("lead", (tr("attack minus defence"), tr("% won")))
    caption = tr("How often invasions are won, by their lead before the cards")
    figures = figures_by_variant(context, "battles", caption, by_lead, draw_curves, how)
    caption = tr("How often invasions are won, by who holds the fief")
    figures += figures_by_variant(
        context, "battles-against", caption, _name_holders(by_holder), draw_rows, "against", tr("% won"), 100.0
    )
    return Section(
        "battles", tr("Invasions"), [tr(TEXT)], write_headlines(battles, _write_shares),
        figures=in_variant_order(context, figures), tables=_tables(battles, by_lead, by_holder),
    )  # fmt: skip


_BY = {
    "battles": (N_("lead"), N_("% of invasions that are won, by attack minus defence before the cards.")),
    "battles-against": (N_("against"), N_("% of invasions that are won, by who holds the fief.")),
    "battles-building": (N_("building"), N_("% of invasions that are won, by the building that counts.")),
    "battles-defends": (N_("defends"), N_("% of invasions that are won, by orders to defend that take effect.")),
    "battles-turned": ("lead", N_("% of invasions that the cards decide, by lead.")),
}
"""Tables of invasions, with their column and caption."""


def _tables(battles: pd.DataFrame, by_lead: pd.DataFrame, by_holder: pd.DataFrame) -> list[Table]:
    found = {
        "battles": by_lead,
        "battles-against": by_holder,
        "battles-building": shares(battles, ["building"], "won"),
        "battles-defends": shares(battles, ["defends"], "won"),
        "battles-turned": shares(battles, ["lead"], "turned"),
    }
    return [
        side_by_side(name, tr(caption), found[name], ["variant", by], 1, words=_name_holders)
        for name, (by, caption) in _BY.items()
    ]


def _name_holders(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with holders in the language in use: elsewhere the column has names of strategies."""
    return table.assign(against=table["against"].map(tr)) if "against" in table else table


def _write_shares(battles: pd.DataFrame) -> str:
    """Return the share won of all invasions, of rulers' fiefs and at even strength, and the share the cards decide."""
    of_rulers, even = battles[battles["against"] == RULER], battles[battles["lead"] == 0]
    groups = {
        N_("invasions won: {shares}"): shares(battles, [], "won"),
        N_("invasions of other rulers' fiefs won: {shares}"): shares(of_rulers, [], "won"),
        N_("invasions of even strength won: {shares}"): shares(even, [], "won"),
        N_("invasions that the cards decide: {shares}"): shares(battles, [], "turned"),
    }
    return "; ".join(
        tr(words, shares=by_players(rows, write_percent, trc("n ≥", "invasions")))
        for words, rows in groups.items()
        if len(rows)
    )
