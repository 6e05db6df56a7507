"""What of a game's records and bounds is not as the contract wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from balance.contract.records import GAME_ROW, MAX_SEATS, SEAT_ROW, Fields, log_type, state_type

if TYPE_CHECKING:
    from balance.contract.game import Game


def find_faults(game: Game) -> list[str]:
    """Every fault of a game's player counts, record fields and bounds, in words; none if all is well."""
    return [*_players(game), *_records(game), *_columns(game), *_files(game)]


def _players(game: Game) -> list[str]:
    counts = game.players
    if not counts or min(counts) < 2 or max(counts) > MAX_SEATS:
        return [f"players must be 2 to {MAX_SEATS}, got {counts}"]
    return []


def _records(game: Game) -> list[str]:
    kernel, heuristics = game.kernel, game.heuristics
    faults = _compare("STATE", kernel.STATE, state_type([]), "state_type")
    shared = log_type(np.dtype([("score", "f4")]), 1, 1, 1, [])
    faults += [
        f"LOG lacks {name}: make it with log_type"
        for name in shared.names or ()
        if name not in (kernel.LOG.names or ())
    ]
    if not faults:
        rows = kernel.LOG["history"]
        if rows.shape[1] < max(game.players, default=0):
            faults.append(f"LOG has room for {rows.shape[1]} seats, fewer than {max(game.players)}")
        if "score" not in (rows.base.names or ()):
            faults.append("LOG: what is kept of a round lacks score")
    names = [field[0] for field in (*kernel.SCRATCH, *heuristics.SCRATCH)]
    faults += [f"SCRATCH has {name} twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    both = set(heuristics.FEATURES) & set(heuristics.SETTINGS)
    faults += [f"{name} is both a feature and a setting" for name in sorted(both)]
    if not heuristics.FEATURES:
        faults.append("FEATURES is empty: a profile needs something to weigh")
    if kernel.MOST_ACTIONS < 1:
        faults.append(f"MOST_ACTIONS must be at least 1, got {kernel.MOST_ACTIONS}")
    return faults


def _compare(what: str, record: np.dtype, shared: np.dtype, maker: str) -> list[str]:
    """Fields of `shared` that a record lacks or has with another type."""
    return [
        f"{what} lacks {name} ({shared[name]}): make it with {maker}"
        for name in shared.names or ()
        if name not in (record.names or ()) or record[name] != shared[name]
    ]


def _columns(game: Game) -> list[str]:
    """Columns that the tables have anyway, and score parts that are no columns."""
    faults = []
    for what, own, row in (
        ("GAME_COLUMNS", game.kernel.GAME_COLUMNS, GAME_ROW),
        ("SEAT_COLUMNS", game.kernel.SEAT_COLUMNS, SEAT_ROW),
    ):
        faults += [
            f"{what} has {name}, which every game has" for name in _names(row) & set(own.names or ())
        ]
    columns = game.kernel.SEAT_COLUMNS.names or ()
    return faults + [
        f"SCORE_PARTS: SEAT_COLUMNS lacks {column}"
        for column, _ in game.analytics.SCORE_PARTS
        if column not in columns
    ]


def _names(fields: Fields) -> set[str]:
    return {field[0] for field in fields}


def _files(game: Game) -> list[str]:
    return [] if "base" in game.shipped("variants") else ["variants/base.toml is missing"]
