"""Events in traced games: who drew each card, and its effect on the drawer's win share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from balance.analysis.gather import LEAST_GAMES, Answers, traced_cells
from balance.analysis.holdout import estimate_on_holdout, is_significant, of_all_decks
from balance.analysis.question import Question
from balance.games.korona_piastow.analytics.sections.deeds import CELL, EFFECT, effects_in_halves
from balance.report.context import ReportContext
from balance.report.figures.curves import draw_forest
from balance.report.model import Headline, Section, write_estimate
from balance.report.section import Written, side_by_side, stem
from balance.report.words import by_players
from balance.runs.folder import RunFolder


def read_draws(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Return who drew each event in the traced games; None if too few games were traced.

    The seat that begins a round draws (RND-1, EVN-1). A round is left out if the seat whose turn it is to begin is
    eliminated by the end of that round.

    Returns
    -------
    DataFrame
        One row per draw: ``players``, ``variant``, ``game_id``, ``deal_seed``, ``round``, ``card`` (its name), and the
        ``seat``, ``strategy`` and ``win_share`` (percent) of the drawer.
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        draws = connection.execute(_draws_sql(games, cell.players)).df()
        if draws["game_id"].nunique() >= LEAST_GAMES:
            names = {card.id: card.name for card in cell.variant.rules.events.cards}
            draws["card"] = draws["card"].map(names)
            parts.append(draws.assign(players=cell.players, variant=cell.variant.name))
    return pd.concat(parts, ignore_index=True) if parts else None


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
    rows = [
        {**dict(zip(CELL, key, strict=True)), "card": card, **found}
        for key, group in draws.groupby(CELL, sort=False)
        for card in sorted(group["card"].unique())
        for found in effects_in_halves(
            group.assign(drawn=(group["card"] == card).astype(float)),
            "drawn",
            ["strategy", "seat", "round"],
        )
    ]
    return pd.DataFrame(rows, columns=[*CELL, "card", *EFFECT])


ORDER = 140
TEXT = (
    "The seat that begins a round draws its event card and chooses where it takes effect (EVN-1). The stack is "
    "shuffled, so the drawn card is random: the difference is the effect of the card on the win share of its drawer, "
    "compared with all other cards in that round. The section Components estimates the effect of a card on the other "
    "seats and on the game. From traced games."
)


def questions(context: ReportContext) -> Sequence[Question]:
    """Return nothing: events are in traces, which `read_draws` reads."""
    return []


def write(context: ReportContext, answers: Answers) -> Written | None:
    """Write a forest plot of the effect of each card for each shown variant; None without traces."""
    draws = read_draws(context.run, context.shown)
    if draws is None:
        return None
    found = fortunes(draws)
    whole = of_all_decks(found)
    figures = []
    for number, variant in enumerate(context.shown):
        part = whole[whole["variant"] == variant].rename(columns={"card": "row", "value": "effect"})
        if len(part):
            caption = f"Effect of drawing an event, variant {variant}."
            drawn = draw_forest(
                stem("events", number),
                caption,
                part.assign(threshold=0.0),
                "points of win share",
                False,
                "draws",
            )
            figures.append(replace(drawn, variant=variant))
    sure = whole["value"].abs().where(whole["low"] * whole["high"] > 0, 0.0)
    tables = [
        side_by_side(
            "events",
            f"Effect of drawing an event, points of win share; {len(whole)} comparisons without a correction: "
            f"about {len(whole) // 20} intervals exclude 0 by chance.",
            whole.assign(importance=sure),
            ["variant", "card"],
            1,
        ),
    ]
    says = _says(draws, found)
    return Written(Section("events", "Events", [TEXT], says, figures=figures, tables=tables))


def _says(draws: pd.DataFrame, found: pd.DataFrame) -> list[Headline]:
    """Report the card with the largest effect (selected on half of the deals, measured on the other), or none."""
    size = found["value"].abs().where(is_significant(found))
    most = estimate_on_holdout(found.assign(size=size), ["variant", "players"], ["card"])
    most = most[np.where(most["chosen_value"] > 0, most["low"], -most["high"]) > 0]
    says = []
    for variant, part in draws.groupby("variant", sort=False):
        rows = most[most["variant"] == variant]
        if rows.empty:
            text = f"no card is shown to help or hurt its drawer (n = {len(part):,} draws)"
        else:
            told = by_players(rows, lambda row: f"{row.card} {write_estimate(row)} points")
            n = int(rows["n"].min())
            text = f"the card with the largest effect on its drawer: {told} (n ≥ {n:,} draws on held-out deals)"
        says.append(Headline(f"{variant}: {text}.", str(variant)))
    return says
