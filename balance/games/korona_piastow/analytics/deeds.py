"""What rulers do in the games that were traced: how often, and what doing it early goes with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from balance.analysis.halves import WHOLE
from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.games.korona_piastow.rules.vocabulary import BUILDINGS, ORDERS, UNITS
from balance.log.folder import RunFolder
from balance.stats.effects import within_effects
from balance.stats.intervals import Interval, ratio_interval

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
"""Decisions that are counted, and the family that they belong to."""
DEEDS = {
    "orders given": ORDERS,
    "buildings begun": (*BUILDINGS, "hasten"),
    "units mustered": UNITS[:-1],
    "court": ("raise", "repair", "collect", "ride", "grant", "nothing"),
    "conquests": ("occupy", "devastate"),
}
LEAST = 30
"""Seats that did a thing early, or draws of a card, below which nothing is said of what it goes with."""
EFFECT = ("half", "value", "low", "high", "n", "clusters", "error")
"""Columns of `effects_in_halves`."""


def read_deeds(run: RunFolder, variants: Sequence[str]) -> pd.DataFrame | None:
    """What each seat of the traced games did; None where too few were traced.

    Returns
    -------
    DataFrame
        A row a game, seat and deed of `DEEDS`: ``players``, ``variant``, ``game_id``, ``deck_seed``, ``seat``,
        ``strategy``, ``win_share`` (percent), ``family``, ``deed``, ``times`` in the game, ``early``: of these in the
        first third of the rounds that the rules allow.
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
        SELECT game_id, deck_seed, seat, strategy, 100 * win_share AS win_share
        FROM seats JOIN games USING (game_id) WHERE status <> 'truncated' AND {games} ORDER BY game_id, seat
    """


def _deeds_sql(games: str, early: int) -> str:
    families = " ".join(f"WHEN '{kind}' THEN '{family}'" for kind, family in KINDS.items())
    named = "label LIKE 'order %' OR label LIKE 'build %' OR label LIKE 'muster %'"
    return f"""
        SELECT game_id, seat, CASE kind {families} END AS family,
               CASE WHEN label = 'none' THEN 'nothing'
                    ELSE split_part(label, ' ', CASE WHEN {named} THEN 2 ELSE 1 END) END AS deed,
               count(*) AS times, count_if(round <= {early}) AS early
        FROM trace WHERE kind IN ({", ".join(f"'{kind}'" for kind in KINDS)}) AND {games} GROUP BY ALL
    """


def uses(deeds: pd.DataFrame) -> pd.DataFrame:
    """How often a seat does each thing in a game.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``family``, ``deed``, ``value``, ``low``, ``high``, ``n`` (seats).
    """
    rows = []
    keys = [*CELL, "family", "deed"]
    for key, group in deeds.groupby(keys, sort=False):
        decks = group.groupby("deck_seed")["times"].agg(["sum", "count"]).to_numpy(float)
        rows.append(dict(zip(keys, key, strict=True)) | _columns(ratio_interval(*decks.T)))
    return pd.DataFrame(rows)


def worths(deeds: pd.DataFrame) -> pd.DataFrame:
    """Points of win share that doing each thing once more early goes with, strategy and seat held.

    Each alone (see `balance.stats.effects.within_effects`): once more instead of whatever else a seat does.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``family``, ``deed``, ``half`` (0 or 1 of the decks, or `WHOLE`), ``value``, ``low``,
        ``high``, ``n`` (seats that do it early), ``clusters``, ``error``; what hardly anybody does early is left out.
    """
    keys = [*CELL, "family", "deed"]
    rows = [
        dict(zip(keys, key, strict=True)) | found
        for key, group in deeds.groupby(keys, sort=False)
        for found in effects_in_halves(group, "early", ["strategy", "seat"])
    ]
    return pd.DataFrame(rows, columns=[*keys, *EFFECT])


def effects_in_halves(data: pd.DataFrame, cause: str, same: list[str]) -> Iterator[dict[str, object]]:
    """The effect of a cause on the win share on all decks and on each half of them, as rows of `EFFECT`.

    ``n`` counts the rows that have it; where fewer than `LEAST` do nothing is said.
    """
    odd = (data["deck_seed"] % 2).to_numpy()
    for half in (WHOLE, 0, 1):
        part = data if half == WHOLE else data[odd == half]
        having = int((part[cause] > 0).sum())
        if having < LEAST:
            continue
        if found := within_effects(part, "win_share", [cause], same, "deck_seed"):
            yield {"half": half, **vars(found[cause]), "n": having}


def _columns(found: Interval) -> dict[str, object]:
    return {name: getattr(found, name) for name in ("value", "low", "high", "n")}
