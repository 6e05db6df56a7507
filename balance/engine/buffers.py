"""Record types and buffers of the compiled loop and of its searchers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from balance.contract.game import Records
from balance.contract.records import MAX_SEATS, MOST_PARTS, MOST_SHORTLISTED, blank, initial_record
from balance.foundation.compiling import compiled

RANDOM, GREEDY, EXTERNAL, SEARCH, NETWORK = range(5)  # kinds of strategy
STRATEGY = np.dtype(
    [
        ("kind", "i4"),
        ("restriction", "i4"),  # its number, from 1, see `balance.engine.restricting`; 0: none
        ("at_most", "i4"),  # how many of its actions the strategy may take in a game
        ("temperature", "f8"),
    ],
    align=True,
)

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


@compiled
def count_winners(seats, players):
    """Return how many seats share the first rank; fill the win share of each, in place."""
    winners = 0
    for p in range(players):
        winners += seats[p].rank == 1
    for p in range(players):
        seats[p].win_share = 1.0 / winners if seats[p].rank == 1 else 0.0
    return winners


DEPTH = 256  # most decisions on the way from the root to a leaf
STAGES = 4  # of a game, for the weights of an estimate

WIN_CHANCE, SCORE_LEAD = range(2)  # rewards
BY_VISITS, BY_VALUE = range(2)  # final choices
OWN_DEALS, SHARED_DEALS = range(2)  # a deal for each iteration, or one for the n-th try of every action

SEARCHER = np.dtype(
    [
        ("iterations", "i4"),
        ("exploration", "f8"),
        ("prior_temperature", "f8"),
        ("shortlist", "i4"),
        ("group_limit", "i4"),  # most actions of a shortlist that differ only in an amount
        ("horizon", "i4"),  # checkpoints ahead; 0: to the end
        ("reward", "i4"),
        ("final", "i4"),
        ("deals", "i4"),
        ("network_prior", "i4"),  # whether the strategy's network gives the prior
        ("network_playouts", "i4"),  # whether it plays the rollouts
        ("networks", "i4"),  # of this strategy, searcher or not; the deal decides which one plays
    ],
    align=True,
)

NODE = np.dtype(
    [
        ("seat", "i4"),
        ("count", "i4"),  # actions on its shortlist
        ("visits", "i4"),
        ("code", "i4", (MOST_SHORTLISTED,)),
        ("prior", "f8", (MOST_SHORTLISTED,)),
        ("tried", "i4", (MOST_SHORTLISTED,)),
        ("won", "f8", (MOST_SHORTLISTED,)),  # sum of the rewards of the seat
        ("child", "i4", (MOST_SHORTLISTED,)),  # -1: none yet
    ],
    align=True,
)


SEARCH_SCRATCH = np.dtype(
    [
        ("deal", "u8"),  # the seed of the game's deal
        ("uses_all", "i4"),  # whether a search continues when its choice is certain, for those who read its visits
        ("nodes", "i4"),  # used
        ("depth", "i4"),
        ("way", "i4", (DEPTH,)),  # nodes from the root on
        ("picked", "i4", (DEPTH,)),  # which of their actions
        ("reward", "f8", (MAX_SEATS,)),
        ("streams", "u8", (MAX_SEATS,)),
    ],
    align=True,
)


def table_type(features: int) -> np.dtype:
    """Return the type of an estimate's weights, by player count, stage of the game and feature."""
    return np.dtype([("weights", "f8", (MAX_SEATS + 1, STAGES, max(1, features)))], align=True)


class SearchBuffers(NamedTuple):
    """The buffers of a worker's searchers and networks; empty arrays if none plays."""

    known: np.recarray  # (1,) the state at the root, without what the seat can't see
    state: np.recarray  # (1,) the current state
    log: np.recarray  # (1,)
    game: np.recarray  # (1,) a row, for games that end in the search
    seats: np.recarray  # (MAX_SEATS,)
    desk: np.recarray  # (1,)
    nodes: np.recarray  # NODE (n,)
    shortlist: np.recarray  # NODE (1,), of a network's decision
    searchers: np.recarray  # SEARCHER (strategies,)
    playouts: np.recarray  # (strategies,) of the game's weights
    tables: np.recarray  # (strategies,) of `table_type`
    networks: np.recarray  # (strategies, most networks) of `balance.contract.records.network_type`


def sample_type(features: int) -> np.dtype:
    """Return the type of a position at a checkpoint: the game's index and the values of `estimate`."""
    position = ("position", "f8", (MAX_SEATS, max(1, features)))
    return np.dtype([("game", "i8"), ("progress", "f8"), position], align=True)


class Searchers(NamedTuple):
    """The switches and tables of searchers, and networks, by the number of their strategy."""

    switches: np.recarray  # SEARCHER (strategies,)
    playouts: np.recarray  # (strategies,) of the game's weights
    tables: np.recarray  # (strategies,) of `table_type`
    networks: np.recarray  # (strategies, most networks) of `balance.contract.records.network_type`


def make_search_buffers(records: Records, searchers: Searchers | None) -> SearchBuffers:
    """Return new buffers for these searchers, with enough nodes for the largest one."""
    if searchers is None:
        features = records.scratch["position"].shape[1]
        tables = blank(0, table_type(features))
        networks = blank((0, 1), records.network)
        searchers = Searchers(blank(0, SEARCHER), blank(0, records.weights), tables, networks)
    switches = searchers.switches
    nodes = int(switches.iterations.max()) + DEPTH if len(switches) else 0
    return SearchBuffers(
        blank(1, records.state),
        blank(1, records.state),
        initial_record(records.log),
        blank(1, records.game_row),
        blank(MAX_SEATS, records.seat_row),
        blank(1, SEARCH_SCRATCH),
        blank(nodes, NODE),
        blank(1, NODE),
        *searchers,
    )


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
    known_codes: np.ndarray  # int64 (n,), see `balance.engine.restricting`


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
            ("trace_kept", "i8"),  # of it, by finished games
            ("unknown", "i4"),  # actions of the decision at which the loop stopped, see `restricting`
            ("streams", "u8", (MAX_SEATS,)),
            ("numbers", "i4", (MAX_SEATS,)),  # which strategy sits there
            ("restricted", "i4", (MAX_SEATS,)),  # actions taken that the seat's restriction counts
            ("bots", STRATEGY, (MAX_SEATS,)),
            ("weights", weights, (MAX_SEATS,)),
            ("first_state", state),  # what each game begins with
            ("first_log", log),
        ],
        align=True,
    )
