"""Games in which components are given: each time one turns up, the game also continues with one more of it for a seat.

The game as dealt and the game with the gift share all earlier moves, the deals and the bots' random streams.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from balance.contract.game import Game
from balance.contract.records import MAX_SEATS, TRUNCATED, blank
from balance.engine.buffers import Buffers, count_winners
from balance.foundation.compiling import compiled
from balance.foundation.streams import derive, draw_below

if TYPE_CHECKING:
    from balance.engine.joined import begin, count_components, finish, give_component, give_once, play_on, write_result

GIFT_STREAM = 128  # number of the stream that draws the seat of a gift

SIGHT = np.dtype(
    [
        ("shown", "i2"),  # how often it turned up
        ("first", "i2"),  # bit p: seat p was the first to take one; 0: no seat took one
        ("taken", "i2", (MAX_SEATS,)),
    ],
    align=True,
)
GIFT = np.dtype(
    [
        ("game", "i4"),  # its position among the jobs
        ("component", "i2"),
        ("seat", "i1"),
        ("over", "i1"),  # whether the game ended
        ("changed", "i1"),  # whether the winners differ from the game as dealt
        ("win_share", "f4"),  # minus that of the game as dealt
        ("score", "f4"),  # minus that of the game as dealt
        ("winners", "i4"),  # bit p: seat p won
    ],
    align=True,
)


class Kept(NamedTuple):
    """A saved game at the time when a component turned up, one record each, and rows of the game with the gift."""

    state: np.recarray
    log: np.recarray
    episode: np.recarray
    desk: np.recarray
    game: np.recarray
    seats: np.recarray  # (MAX_SEATS,)


class Watch(NamedTuple):
    """Notes taken while games are played; `counts` are the current and the previous ones."""

    counts: np.recarray  # (2,), see `counts_type`
    given: np.ndarray  # bool (components,)
    lots: np.ndarray  # uint64 (1,)
    sights: np.recarray  # SIGHT (games, components)
    gifts: np.recarray  # GIFT (n,)
    used: np.ndarray  # int64 (1,): gifts in use


def counts_type(seats: int, components: int) -> np.dtype:
    """Return the type of counts: how often each component has turned up, and how often each seat has taken it."""
    return np.dtype([("shown", "i4", (components,)), ("taken", "i4", (seats, components))], align=True)


def make_kept(game: Game, room: Buffers) -> Kept:
    """Return buffers to save a game that is played in `room`."""
    kinds = game.records
    return Kept(
        blank(1, kinds.state),
        blank(1, room.log_start.dtype),
        blank(1, room.episode.dtype),
        blank(1, room.thinking.desk.dtype),
        blank(1, kinds.game_row),
        blank(MAX_SEATS, kinds.seat_row),
    )


def make_watch(games: int, given: np.ndarray, gifts: int, components: int) -> Watch:
    """Return buffers for notes on `games` games and `gifts` gifts; `given` says which components are given."""
    flags = np.zeros(components, bool)
    flags[: len(given)] = given
    return Watch(
        blank(2, counts_type(MAX_SEATS, components)),
        flags,
        np.zeros(1, np.uint64),
        np.zeros((games, components), SIGHT).view(np.recarray),
        blank(gifts, GIFT),
        np.zeros(1, np.int64),
    )


@compiled
def save_game(room, kept):
    """Save the game that is being played."""
    kept.state[0] = room.state[0]
    kept.log[0] = room.log_start[0]
    kept.episode[0] = room.episode[0]
    kept.desk[0] = room.thinking.desk[0]


@compiled
def load_game(room, kept):
    """Continue the saved game."""
    room.state[0] = kept.state[0]
    room.log_start[0] = kept.log[0]
    room.episode[0] = kept.episode[0]
    room.thinking.desk[0] = kept.desk[0]


# As in `balance.engine.loop`, functions with a leading underscore and no decorator call a game's, and the
# loop's, by names that are bound when they are joined.


def _give_once(rules, room, rows, kept, gift, seat, limit):
    """Give the component of `gift`, play to the end, record the result, and restore the game."""
    state, log = room.state[0], room.log[0]
    save_game(room, kept)
    possible = give_component(rules, state, log, gift.component, seat)
    if possible:
        play_on(rules, room, rows.trace, limit, -1)
        write_result(rules, state, log, room.scratch[0], kept.game[0], kept.seats)
        count_winners(kept.seats, rules.players)
        gift.seat = seat
        gift.over = state.over != 0
        gift.win_share = kept.seats[seat].win_share
        gift.score = kept.seats[seat].score
        gift.winners = 0
        for p in range(rules.players):
            gift.winners |= np.int64(kept.seats[p].rank == 1) << p
    load_game(room, kept)
    return possible


@compiled
def _note_taken(players, now, before, sights):
    """Record which seats have just taken a component first."""
    for component in range(now.shown.shape[0]):
        sight = sights[component]
        sight.shown = now.shown[component]
        untaken = sight.first == 0
        for p in range(players):
            sight.taken[p] = now.taken[p, component]
            if untaken and now.taken[p, component] > before.taken[p, component]:
                sight.first |= np.int64(1) << p


@compiled
def _settle_gifts(gifts, first, last, seats, players, status):
    """Turn the results of games with a gift into differences from the game as dealt, `seats`."""
    winners = np.int64(0)
    for p in range(players):
        winners |= np.int64(seats[p].rank == 1) << p
    for i in range(first, last):
        gift = gifts[i]
        gift.over = gift.over and status != TRUNCATED
        gift.changed = gift.winners != winners
        gift.win_share -= seats[gift.seat].win_share
        gift.score -= seats[gift.seat].score


def _give_each(rules, room, jobs, rows, kept, watch, limit):
    """Play `jobs` as dealt, writing rows, and the games with gifts; return the number of finished games.

    It stops early if another game's gifts might not fit; `watch.used` gifts belong to the finished games.
    """
    state, log, episode = room.state[0], room.log[0], room.episode[0]
    now, before = watch.counts[0], watch.counts[1]
    episode.keep_rounds = 0
    episode.tracing = 0
    watch.used[0] = 0
    for number in range(jobs.shape[0]):
        begin(rules, room, jobs[number])
        watch.lots[0] = derive(jobs[number].seed, np.uint64(GIFT_STREAM))
        first = watch.used[0]
        before.shown[:] = 0
        before.taken[:, :] = 0
        while state.over == 0 and episode.decisions < limit:
            count_components(rules, state, log, now)
            for component in range(now.shown.shape[0]):
                more = now.shown[component] - before.shown[component]
                if more > 0 and watch.given[component]:
                    if watch.used[0] == watch.gifts.shape[0]:
                        watch.used[0] = first
                        return number
                    gift = watch.gifts[watch.used[0]]
                    gift.game = number
                    gift.component = component
                    seat = draw_below(watch.lots, 0, rules.players)
                    watch.used[0] += give_once(rules, room, rows, kept, gift, seat, limit)
            _note_taken(rules.players, now, before, watch.sights[number])
            watch.counts[1] = watch.counts[0]
            play_on(rules, room, rows.trace, episode.decisions + 1, -1)
        count_components(rules, state, log, now)
        _note_taken(rules.players, now, before, watch.sights[number])
        finish(rules, room, jobs[number], rows, number)
        seats = rows.seats[number * rules.players : (number + 1) * rules.players]
        status = rows.games[number].status
        _settle_gifts(watch.gifts, first, watch.used[0], seats, rules.players, status)
    return jobs.shape[0]


JOINED = (_give_once, _give_each)
"""The functions joined to a game with components, in the order in which they refer to each other."""
