"""Events in the games that were traced: who drew which, and what that brought."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.games.korona_piastow.analytics.deeds import CELL, EFFECT, effects_in_halves
from balance.log.folder import RunFolder


def read_draws(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """Who drew which event in the traced games; None where too few were traced.

    The beginner of a round draws (RND-1, EVN-1); rounds whose first beginner is out by the end of them are left out.

    Returns
    -------
    DataFrame
        A row a draw: ``players``, ``variant``, ``game_id``, ``deck_seed``, ``round``, ``card`` (its name), ``seat``,
        ``strategy`` and ``win_share`` (percent) of who drew it.
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
        SELECT game_id, deck_seed, trace.round AS round, split_part(label, ' ', 2) AS card, s.seat AS seat,
               strategy, 100 * win_share AS win_share
        FROM trace JOIN games USING (game_id)
             JOIN seats s ON s.game_id = trace.game_id AND s.seat = (trace.round - 1) % {players}
        WHERE label LIKE 'event %' AND status <> 'truncated' AND {games}
              AND (out_round = 0 OR out_round > trace.round)
    """


def fortunes(draws: pd.DataFrame) -> pd.DataFrame:
    """Points of win share that drawing a card, and no other, brings: the order of the stack is a lot.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``card``, ``half``, ``value``, ``low``, ``high``, ``n`` (draws of the card),
        ``clusters``, ``error``; compared are draws in the same round by the same strategy in the same seat.
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
