"""Events in traced games: who drew each card, and its effect on the drawer's win share."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.holdout import is_significant, of_all_decks
from balance.analysis.traced import CELL, EFFECT, effects_in_halves, read_traced
from balance.experiments.plan import Cell
from balance.foundation.language import N_, tr, trc, trn
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_forest
from balance.report.kit import figures_by_variant, largest_on_holdout, name_largest, uncorrected_table, write_headlines
from balance.report.model import Figure, Section
from balance.report.words import by_players, smallest_n, write_points


def read_draws(cell: Cell, connection: duckdb.DuckDBPyConnection, games: str) -> pd.DataFrame:
    """Return who drew each event in traced games, for `balance.analysis.traced.read_traced`.

    The seat that begins a round draws (RND-1, EVN-1). A round is left out if the seat whose turn it is to begin is
    eliminated by the end of that round.

    Returns
    -------
    DataFrame
        One row per draw: ``game_id``, ``deal_seed``, ``round``, ``card`` (its name), and the ``seat``, ``strategy`` and
        ``win_share`` (percent) of the drawer.
    """
    draws = connection.execute(_draws_sql(games, cell.players)).df()
    names = {card.id: card.name for card in cell.variant.rules.events.cards}
    return draws.assign(card=draws["card"].map(names))


def _draws_sql(games: str, players: int) -> str:
    return f"""
        SELECT game_id, deal_seed, trace.round AS round, card, s.seat AS seat,
               strategy, 100 * win_share AS win_share
        FROM trace JOIN games USING (game_id)
             JOIN seats s ON s.game_id = trace.game_id AND s.seat = (trace.round - 1) % {players}
        WHERE deed = 'event' AND status <> 'truncated' AND {games}
              AND (out_round = 0 OR out_round > trace.round)
    """


def fortunes(draws: pd.DataFrame) -> pd.DataFrame:
    """Return the effect of drawing a card instead of another, in points of win share; the stack's order is random.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``card``, ``half``, ``value``, ``low``, ``high``, ``n`` (draws of the card),
        ``clusters``, ``error``. Draws are compared in the same round by the same strategy in the same seat.
    """
    rows = []
    draws = draws.assign(alike=draws.groupby(["strategy", "seat", "round"]).ngroup())
    for key, group in draws.groupby(CELL, sort=False):
        for card in sorted(group["card"].unique()):
            marked = group.assign(drawn=(group["card"] == card).astype(float))
            for found in effects_in_halves(marked, "drawn", ["alike"]):
                rows.append({**dict(zip(CELL, key, strict=True)), "card": card, **found})
    return pd.DataFrame(rows, columns=[*CELL, "card", *EFFECT])


ORDER = 140
TEXT = N_(
    "The seat that begins a round draws its event card and chooses where it takes effect (EVN-1). The stack is "
    "shuffled, so the drawn card is random: the difference is the effect of the card on the win share of its drawer, "
    "compared with all other cards in that round. The section Components estimates the effect of a card on the other "
    "seats and on the game. From traced games."
)


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write a forest plot of the effect of each card for each shown variant; None without traces."""
    draws = read_traced(context.run, context.shown, read_draws)
    if draws is None:
        return None
    found = fortunes(draws)
    whole = of_all_decks(found)
    caption = tr("Effect of drawing an event")
    figures = figures_by_variant(context, "events", caption, whole, _draw)
    points = tr("Effect of drawing an event, points of win share")
    tables = [uncorrected_table("events", points, whole, ["variant", N_("card")])]
    most = largest_on_holdout(found, ["card"], found["value"].abs().where(is_significant(found)))
    most = most[np.where(most["chosen_value"] > 0, most["low"], -most["high"]) > 0]
    headlines = write_headlines(draws, lambda rows: _largest_effect(rows, most))
    return Section("events", tr("Events"), [tr(TEXT)], headlines, figures=figures, tables=tables)


def _draw(name: str, caption: str, whole: pd.DataFrame) -> Figure:
    data = whole.rename(columns={"card": "row", "value": "effect"}).assign(threshold=0.0)
    return draw_forest(name, caption, data, tr("points of win share"), False, N_("cards drawn"))


def _largest_effect(draws: pd.DataFrame, most: pd.DataFrame) -> str:
    """Return the cards of a variant with the largest effect, which were selected on half of the deals; or none."""
    rows = most[most["variant"] == draws["variant"].iloc[0]]
    if rows.empty:
        return trn(
            "no card is shown to help or hurt its drawer (n = {n:,} draw)",
            "no card is shown to help or hurt its drawer (n = {n:,} draws)",
            len(draws),
        )
    return tr(
        "the card with the largest effect on its drawer: {cards} ({n} on held-out deals)",
        cards=by_players(rows, lambda row: f"{name_largest(row, 'card')} {write_points(row)}"),
        n=smallest_n(rows, trc("n ≥", "draws")),
    )
