"""Records of the compiled loop: strategies, jobs, the current episode, rows of the trace."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.contract.records import MAX_SEATS, MOST_PARTS
from balance.engine.search.records import SearchBuffers

RANDOM, GREEDY, EXTERNAL, SEARCH = range(4)  # kinds of strategy
STRATEGY = np.dtype([("kind", "i4"), ("temperature", "f8")], align=True)

JOB = np.dtype(
    [
        ("game_id", "i8"),
        ("deal_seed", "u8"),
        ("seed", "u8"),  # of the bots
        ("lineup", "i2", (MAX_SEATS,)),
        ("reseeded", "i4"),  # number of a source of chance, from 1, that `other_seed` seeds; 0: none
        ("other_seed", "u8"),
    ],
    align=True,
)
TRACE = np.dtype(
    [
        ("game_id", "i8"),
        ("step", "i4"),
        ("code", "i4"),
        ("options", "i4"),
        ("round", "i2"),
        ("seat", "i1"),
        ("parts", "i4", (MOST_PARTS,)),  # of an outcome, whose code is below 0
    ],
    align=True,
)


class Rows(NamedTuple):
    """Buffers for rows; an empty `rounds` or `trace` means that these are not logged."""

    games: np.recarray  # (n,)
    seats: np.recarray  # (n * players,)
    rounds: np.ndarray  # (n or 0, rounds, seats) of the rows of the game's log
    trace: np.ndarray  # TRACE (m,)


class Buffers(NamedTuple):
    """Buffers of one worker: one record each, and the strategies that it plays."""

    state: np.recarray  # (1,)
    log: np.recarray  # (1,)
    scratch: np.recarray  # (1,)
    log_start: np.recarray  # (1,) the log's memory without its entries
    episode: np.recarray  # (1,), see `episode_type`
    strategies: np.ndarray  # STRATEGY (k,)
    weights: np.ndarray  # (k,) of the game's weights, read by greedy strategies and searchers
    thinking: SearchBuffers  # buffers of searchers


def episode_type(weights: np.dtype, state: np.dtype, log: np.dtype) -> np.dtype:
    """Return the type of the current game: strategies by seat, their weights and streams, and counts."""
    return np.dtype(
        [
            ("game_id", "i8"),
            ("decisions", "i4"),
            ("choices", "i4"),
            ("choice_blocks", "i4"),
            ("block", "i4"),  # of the last decision, see `choice_block` of a game
            ("block_seat", "i4"),
            ("block_counted", "i4"),
            ("options", "i8"),
            ("step", "i4"),
            ("keep_rounds", "i4"),
            ("tracing", "i4"),
            ("trace_full", "i4"),
            ("trace_used", "i8"),
            ("streams", "u8", (MAX_SEATS,)),
            ("numbers", "i4", (MAX_SEATS,)),  # which strategy sits there
            ("bots", STRATEGY, (MAX_SEATS,)),
            ("weights", weights, (MAX_SEATS,)),
            ("first_state", state),  # what each game begins with
            ("first_log", log),
        ],
        align=True,
    )
