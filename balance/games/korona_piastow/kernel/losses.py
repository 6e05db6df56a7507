"""Losses of units, one by one in their order (CMB-4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import fighters_in


@compiled
def _sent_count(state):
    """Units sent, engines left out."""
    count = 0
    for kind in s.LOSSES:
        count += state.sent[kind]
    return count


@compiled
def lose_sent_worth(rules, state, worth):
    """The units sent lose at least so much attack; one of them is kept (CMB-3)."""
    left = _sent_count(state)
    for kind in s.LOSSES:
        while worth > 0 and left > 1 and state.sent[kind] > 0:
            state.sent[kind] -= 1
            worth -= rules.attack[kind]
            left -= 1


@compiled
def lose_sent(rules, state):
    """The units sent lose a share of their number, rounded up (CMB-6)."""
    count = (_sent_count(state) * rules.loser_loss + 99) // 100
    for kind in s.LOSSES:
        while count > 0 and state.sent[kind] > 0:
            state.sent[kind] -= 1
            count -= 1


@compiled
def lose_worth(rules, state, fief, worth):
    """The units in a fief lose at least so much defence; one of them is kept (CMB-6)."""
    left = fighters_in(state, fief)
    for kind in s.LOSSES:
        while worth > 0 and left > 1 and state.units[fief, kind] > 0:
            state.units[fief, kind] -= 1
            worth -= rules.defence[kind]
            left -= 1


@compiled
def rebel(state, fief):
    """Half of a fief's units, rounded up, are lost in their order; engines aren't counted."""
    count = (fighters_in(state, fief) + 1) // 2
    for kind in s.LOSSES:
        while count > 0 and state.units[fief, kind] > 0:
            state.units[fief, kind] -= 1
            count -= 1
