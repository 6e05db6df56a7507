"""What of a game's records and bounds is not as the contract wants it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from balance.contract.modules import QUICKER
from balance.contract.records import (
    GAME_COLUMNS,
    MAX_SEATS,
    ROUND_COLUMNS,
    SEAT_COLUMNS,
    SHARED_SOURCES,
    log_type,
    state_type,
)

if TYPE_CHECKING:
    from balance.contract.modules import AnalyticsModule, HeuristicsModule, KernelModule


def find_faults(
    players: Sequence[int],
    kernel: KernelModule,
    heuristics: HeuristicsModule,
    analytics: AnalyticsModule,
) -> list[str]:
    """Every fault of a game's player counts, record fields and bounds, in words; none if all is well."""
    faults = _players(players) + _records(kernel, heuristics)
    if not faults:
        faults = _history(kernel.LOG, max(players))
    return faults + _columns(kernel, analytics)


def _players(counts: Sequence[int]) -> list[str]:
    if not counts or min(counts) < 2 or max(counts) > MAX_SEATS:
        return [f"players must be 2 to {MAX_SEATS}, got {counts}"]
    return []


def _records(kernel: KernelModule, heuristics: HeuristicsModule) -> list[str]:
    log = log_type(np.dtype([("score", "f4")]), 1, 1, 1, [])
    flags = np.dtype([(name, log[name]) for name in log.names or () if log[name].subdtype is None])
    faults = _chance(kernel.CHANCE)
    faults += _compare("STATE", kernel.STATE, state_type([], kernel.CHANCE), "state_type")
    faults += _compare("LOG", kernel.LOG, flags, "log_type")
    names = [field[0] for field in (*kernel.SCRATCH, *heuristics.SCRATCH)]
    faults += [f"SCRATCH has {name} twice" for name in dict.fromkeys(names) if names.count(name) > 1]
    both = set(heuristics.FEATURES) & set(heuristics.SETTINGS)
    faults += [f"{name} is both a feature and a setting" for name in sorted(both)]
    if not heuristics.FEATURES:
        faults.append("FEATURES is empty: a profile needs something to weigh")
    if kernel.MOST_ACTIONS < 1:
        faults.append(f"MOST_ACTIONS must be at least 1, got {kernel.MOST_ACTIONS}")
    return faults + _quicker(kernel, heuristics)


def _quicker(kernel: KernelModule, heuristics: HeuristicsModule) -> list[str]:
    """The functions that do without a list rely on each other."""
    lacking = [name for name in QUICKER if not (hasattr(kernel, name) or hasattr(heuristics, name))]
    if len(lacking) in (0, len(QUICKER)):
        return []
    return [f"{', '.join(QUICKER)}: all or none, and {', '.join(lacking)} is lacking"]


def _chance(names: Sequence[str]) -> list[str]:
    """What is wrong with the names of the sources of chance."""
    faults = [f"CHANCE has {name}, which every game has" for name in SHARED_SOURCES if name in names]
    return faults + [
        f"CHANCE has {name} twice" for name in dict.fromkeys(names) if names.count(name) > 1
    ]


def _compare(what: str, record: np.dtype, shared: np.dtype, maker: str) -> list[str]:
    """Fields of `shared` that a record lacks or has with another type."""
    return [
        f"{what} lacks {name} ({shared[name]}): make it with {maker}"
        for name in shared.names or ()
        if name not in (record.names or ()) or record[name] != shared[name]
    ]


def _history(log: np.dtype, players: int) -> list[str]:
    """What is wrong with the room for rounds and chance outcomes."""
    names = log.names or ()
    if not {"history", "news"} <= set(names) or len(log["history"].shape) != 2:
        return ["LOG lacks history or news: make it with log_type"]
    rows = log["history"]
    faults = []
    if rows.shape[1] < players:
        faults.append(f"LOG has room for {rows.shape[1]} seats, fewer than {players}")
    columns = set(rows.base.names or ())
    if "score" not in columns:
        faults.append("LOG: what is kept of a round lacks score")
    return faults + _taken("what LOG keeps of a round", columns, ROUND_COLUMNS)


def _columns(kernel: KernelModule, analytics: AnalyticsModule) -> list[str]:
    """Columns that the tables have anyway, and score parts that are no columns."""
    games, seats = kernel.GAME_COLUMNS.names or (), kernel.SEAT_COLUMNS.names or ()
    faults = _taken("GAME_COLUMNS", games, GAME_COLUMNS) + _taken("SEAT_COLUMNS", seats, SEAT_COLUMNS)
    return faults + [
        f"SCORE_PARTS: SEAT_COLUMNS lacks {column}"
        for column, _ in analytics.SCORE_PARTS
        if column not in seats
    ]


def _taken(what: str, own: Iterable[str], shared: Iterable[str]) -> list[str]:
    return [f"{what} has {name}, which every game has" for name in sorted(set(own) & set(shared))]
