"""How often attackers win combats, and what changes it; who holds which part of the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from balance.analysis.sums import scale
from balance.games.grody.analytics.combats import SIDES, TAKE_PART
from balance.games.grody.display.words import BUILDINGS, CARDS, TERRAINS
from balance.games.grody.rules import vocabulary
from balance.stats.effects import within_effects
from balance.stats.intervals import Interval, ratio_interval, share_interval

CELL = ["players", "variant"]
LEAST = 20
"""Combats, below which nothing is said of what was there in them."""


def _columns(found: Interval) -> dict[str, float]:
    return {name: float(getattr(found, name)) for name in ("value", "low", "high", "n")}


def shares_won(combats: pd.DataFrame, by: Sequence[str] = ()) -> pd.DataFrame:
    """How often the attacker wins, in percent, by columns of the combats.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high``, ``n`` (combats; `LEAST` and more),
        from cluster intervals of shares, the decks being the clusters.
    """
    keys, rows = [*CELL, *by], []
    for key, group in combats.groupby(keys, sort=False):
        if len(group) >= LEAST:
            decks = group.groupby("deck_seed")["won"].agg(["sum", "count"]).to_numpy(float)
            found = scale(share_interval(ratio_interval(*decks.T)), 100)
            rows.append(dict(zip(keys, key, strict=True)) | _columns(found))
    table = pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n"])
    return table.sort_values(keys, kind="stable", ignore_index=True)


def changes(combats: pd.DataFrame) -> pd.DataFrame:
    """What goes with the attacker's chance to win where as many meet as many, in points.

    Terrains against a plain, buildings against none, a card against none of it: all in one model (see
    `balance.stats.effects.within_effects`) of combats with the same numbers on both sides.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``what``, ``value``, ``low``, ``high``, ``n`` (combats that have it).
    """
    rows = []
    for key, group in combats.groupby(CELL, sort=False):
        causes = pd.DataFrame(dict(_causes(group)), index=group.index)
        data = group[["deck_seed", "attackers", "defenders"]].join(causes).assign(won=100 * group["won"])
        names = [name for name in causes if LEAST <= causes[name].sum() <= len(causes) - LEAST]
        found = within_effects(data, "won", names, ["attackers", "defenders"], "deck_seed")
        for what, effect in found.items():
            there = {"n": int(causes[what].sum())}
            rows.append(dict(zip(CELL, key, strict=True)) | {"what": what} | _columns(effect) | there)
    return pd.DataFrame(rows, columns=[*CELL, "what", "value", "low", "high", "n"])


def _causes(combats: pd.DataFrame) -> Iterator[tuple[str, pd.Series]]:
    """What may change a combat: 1 where it is there."""
    for name in (*vocabulary.TERRAINS[1:], "grod"):
        yield TERRAINS[name], (combats["terrain"] == name).astype(float)
    for name in vocabulary.BUILDINGS:
        yield BUILDINGS[name], (combats["building"] == name).astype(float)
    for card in TAKE_PART:
        for side in SIDES:
            name = vocabulary.CARDS[card]
            yield f"{CARDS[name]}, {side}", (combats[f"{side} {name}"] > 0).astype(float)


def holdings(board: pd.DataFrame) -> pd.DataFrame:
    """Who holds each segment, and how much it is fought for.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``segment``, ``column``, ``row``, ``measure`` (``held``: rounds that it is the first
        player's less those that it is the second's, percent of all; ``combats``: a game), ``value``, ``low``,
        ``high``, ``n`` (rounds, or games).
    """
    place = ["segment", "column", "row"]
    rows = []
    for key, group in board.groupby([*CELL, *place], sort=False):
        cell = dict(zip([*CELL, *place], key, strict=True))
        sums = (
            group.assign(held=group["first"] - group["second"], games=1).groupby("deck_seed").sum(True)
        )
        held = ratio_interval(sums["held"].to_numpy(float), sums["rounds"].to_numpy(float))
        fought = ratio_interval(sums["combats"].to_numpy(float), sums["games"].to_numpy(float))
        rows.append(cell | {"measure": "held"} | _columns(scale(held, 100)))
        rows.append(cell | {"measure": "combats"} | _columns(fought))
    return pd.DataFrame(rows)
