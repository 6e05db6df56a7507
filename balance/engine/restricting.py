"""Restricted seats: a strategy that may not take some actions, or only a few times a game.

Which actions a restriction concerns is a question about labels, which only Python can read. So the loop keeps a table
of the actions that it knows, with the restrictions that concern each. At an action that is not in the table the loop
stops, Python adds the actions of that decision, and the loop continues from there.

The table is a `balance.engine.code_table`; a number in it has bit n - 1 for restriction number n.

The functions with a leading underscore and no decorator are joined to a game's, see `balance.engine.loop`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np

from balance.contract.defaults import first_best
from balance.engine.buffers import NETWORK, RANDOM
from balance.engine.code_table import find_slot, make_word, number_of
from balance.foundation.compiling import compiled
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.streams import add_noise, draw_below

if TYPE_CHECKING:
    from balance.engine.joined import (
        ask_network_free,
        choose,
        count_actions,
        evaluate,
        legal_actions,
        nth_action,
        weigh_free,
    )

MOST_RESTRICTIONS = 31
"""The most restrictions in one loop: the bits of a number in the table."""
UNKNOWN = -1  # instead of an action: Python must add the actions of the decision to the table first
_SLOTS = 1 << 18
_MOST_CODES = _SLOTS // 2  # with more, the table becomes slow

Classify = Callable[[int], int]
"""Returns the restrictions that concern an action, by its code, as bits."""


class KnownCodes:
    """The table of known actions of a loop, and how to add to it.

    Attributes
    ----------
    words : int64 array
        The table; with a single, unused word if no strategy is restricted.
    """

    def __init__(self, classify: Classify | None) -> None:
        self._classify = classify
        self._count = 0
        self.words = np.zeros(_SLOTS if classify else 1, np.int64)

    def add(self, codes: Iterable[int]) -> None:
        """Add actions; those in the table stay unchanged."""
        assert self._classify is not None, "only a restricted seat meets unknown actions"
        for code in codes:
            slot = find_slot(self.words, code)
            if not self.words[slot]:
                self._count += 1
                self.words[slot] = make_word(code, self._classify(code))
        if self._count > _MOST_CODES:
            raise BalanceError(tr("restrictions need a game with at most {most:,} different actions", most=_MOST_CODES))


@compiled
def concerns(words, restriction, code):
    """Return whether a restriction, by its number, concerns a known action."""
    return (number_of(words, code) >> (restriction - 1)) & 1


@compiled
def _count_free(words, restriction, codes, count):
    """Return how many of the actions a restriction does not concern; `UNKNOWN` if one is not in the table."""
    free = 0
    for i in range(count):
        bits = number_of(words, codes[i])
        if bits < 0:
            return UNKNOWN
        free += 1 - ((bits >> (restriction - 1)) & 1)
    return free


@compiled
def _nth_free(words, restriction, codes, count, n):
    """Return action number `n`, from 0, of those that a restriction does not concern."""
    for i in range(count):
        if not concerns(words, restriction, codes[i]):
            if n == 0:
                return codes[i]
            n -= 1
    return codes[0]


def _weigh_free(rules, room, restriction, count):
    """Return the action of the seat's profile among those of `scratch.codes[:count]` that it may take."""
    state, scratch, episode = room.state[0], room.scratch[0], room.episode[0]
    seat, values = state.seat, scratch.values
    evaluate(rules, state, scratch, episode.weights[seat], scratch.codes, count, values)
    temperature = episode.bots[seat].temperature
    if temperature > 0:
        add_noise(values, count, temperature, episode.streams, seat)
    for i in range(count):
        if concerns(room.known_codes, restriction, scratch.codes[i]):
            values[i] = -np.inf
    return scratch.codes[first_best(values, count)]


def _choose_restricted(rules, room):
    """Return the action of a restricted seat, and count it if the restriction concerns it; or `UNKNOWN`.

    If the restriction concerns all legal actions, all of them stay allowed.
    """
    state, scratch, episode = room.state[0], room.scratch[0], room.episode[0]
    seat, words = state.seat, room.known_codes
    bot = episode.bots[seat]
    restriction = bot.restriction
    count = legal_actions(rules, state, scratch, scratch.codes)
    free = _count_free(words, restriction, scratch.codes, count)
    if free < 0:
        episode.unknown = count
        return UNKNOWN
    if free == 0 or free == count or episode.restricted[seat] < bot.at_most:
        count = count_actions(rules, state, scratch)
        code = nth_action(rules, state, scratch, 0) if count == 1 else choose(rules, room, count)
    elif bot.kind == RANDOM:
        pick = draw_below(episode.streams, seat, free)
        code = _nth_free(words, restriction, scratch.codes, count, pick)
    elif bot.kind == NETWORK:
        code = ask_network_free(rules, room, episode.numbers[seat], restriction, count)
    else:
        code = weigh_free(rules, room, restriction, count)
    episode.restricted[seat] += concerns(words, restriction, code)
    return code


SHARED, JOINED = (_weigh_free,), (_choose_restricted,)
"""The functions joined to a game: once for the loops of all levels, and for each loop."""
