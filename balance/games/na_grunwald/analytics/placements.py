"""Where pawns are placed and what that goes with, by round and by order; of the games that were traced."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.halves import with_all_decks
from balance.analysis.sums import interval_columns, intervals_of, moments
from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.games.na_grunwald.rules.vocabulary import FIELDS
from balance.log.folder import RunFolder
from balance.stats.intervals import difference_of

ROUND, ORDER = "round", "order"
"""What placements are told apart by: the round, or which of its placements in a round a seat makes there."""
LAST_ORDER = 4
"""Later placements of a seat in a round count as this one."""
LEAST_DECKS = 20
"""On both sides, below which nothing is said of what a field is worth."""


def read_placements(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame:
    """How often seats place on each field, and how their chance to win differs from that of those who don't.

    By round: of the seats, how many place there at least once. By order: of a seat's first, second, ... placements of
    a round, how many go there. The chance to win is a seat's win share less the mean of its strategy in its seat, so
    that who plays a field is not taken for what the field gives; these are still associations.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``by`` (`ROUND` or `ORDER`), ``slot``, ``field``, ``half`` (0 or 1 of the decks, or
        all), ``measure`` (``chosen``: percent, or ``worth``: points of win share), ``value``, ``low``, ``high``, ``n``,
        ``decks``; no rows where too few games were traced. What too few decks tell of is left out.
    """
    parts = []
    for cell, connection, games in traced_cells(run, variants):
        ended = f"SELECT count(*) FROM games WHERE status <> 'truncated' AND {games}"
        if connection.execute(ended).fetchall()[0][0] >= LEAST_GAMES:
            sums = connection.execute(_sql(games)).df()
            parts.append(_estimates(sums).assign(players=cell.players, variant=cell.variant.name))
    columns = [
        "players",
        "variant",
        "by",
        "slot",
        "field",
        "half",
        "measure",
        "value",
        "low",
        "high",
        "n",
        "decks",
    ]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


def _sql(games: str) -> str:
    """Sums over decks by field and place in the game; `games` says which."""
    fields = ", ".join(f"'{field}'" for field in FIELDS)
    sums = ", ".join(
        (
            moments("chosen", "100 * there", "seats"),
            moments("with", "won_there", "there"),
            moments("without", "won_elsewhere", "(seats - there)"),
        )
    )
    return f"""
        WITH chances AS (
            SELECT game_id, seat, deck_seed,
                   100 * (win_share - avg(win_share) OVER (PARTITION BY strategy, seat)) AS chance
            FROM seats JOIN games USING (game_id) WHERE status <> 'truncated' AND {games}
        ), placed AS (
            SELECT game_id, round, seat, split_part(label, ' ', 2) AS field,
                   row_number() OVER (PARTITION BY game_id, round, seat ORDER BY step) AS turn
            FROM trace WHERE kind = 'place' AND label <> 'pass' AND {games}
        ), places AS (
            SELECT game_id, seat, '{ROUND}' AS "by", round AS slot, list(field) AS fields FROM placed GROUP BY ALL
            UNION ALL
            SELECT game_id, seat, '{ORDER}', least(turn, {LAST_ORDER}), [field] FROM placed
        ), decks AS (
            SELECT "by", slot, f.field AS field, (deck_seed % 2)::INT AS half, deck_seed, count(*)::DOUBLE AS seats,
                   count_if(list_contains(fields, f.field))::DOUBLE AS there,
                   coalesce(sum(chance) FILTER (list_contains(fields, f.field)), 0)::DOUBLE AS won_there,
                   coalesce(sum(chance) FILTER (NOT list_contains(fields, f.field)), 0)::DOUBLE AS won_elsewhere
            FROM places JOIN chances USING (game_id, seat), (SELECT unnest([{fields}]) AS field) f GROUP BY ALL
        )
        SELECT "by", slot, field, half, {sums} FROM decks GROUP BY ALL
    """


def _estimates(sums: pd.DataFrame) -> pd.DataFrame:
    """Shares and differences with their intervals."""
    sums = with_all_decks(sums, ["by", "slot", "field"])
    keys = sums[["by", "slot", "field", "half"]]
    chosen = intervals_of(sums, "chosen", 100)
    worth = difference_of(intervals_of(sums, "with"), intervals_of(sums, "without"))
    enough = np.minimum(sums["with.clusters"], sums["without.clusters"]) >= LEAST_DECKS
    parts = [
        keys.assign(measure="chosen", **interval_columns(chosen)),
        keys.assign(measure="worth", **interval_columns(worth))[enough],
    ]
    table = pd.concat(parts, ignore_index=True).rename(columns={"clusters": "decks"})
    order = table["field"].map(list(FIELDS).index)
    return table.assign(order=order).sort_values(["by", "measure", "order", "slot"], ignore_index=True)
