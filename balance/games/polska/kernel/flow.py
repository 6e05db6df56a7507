"""The flow of a game: its set-up, the legal actions of each phase, and their effects."""

from __future__ import annotations

from balance.foundation.compiling import compiled_entry
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.dealing import deal
from balance.games.polska.kernel.turns import (
    act,
    add_to_die,
    begin_turn,
    end_turn,
    list_acts,
    list_cards,
    list_dice,
    list_discards,
    take_die,
    throw_away,
)


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision; see `balance.contract.modules.KernelModule`."""
    deal(rules, state, log)
    begin_turn(rules, state, log)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 6)."""
    phase = state.phase
    if phase == s.ASK_DIE:
        return list_dice(state, codes)
    if phase == s.ASK_ACT or phase == s.ASK_COACHED:
        return list_acts(rules, state, scratch, codes)
    if phase == s.ASK_MORE:
        codes[0] = a.encode(a.NOTHING, 1, 0)
        return list_cards(rules, state, codes, 1, 1)
    if phase == s.ASK_DISCARD:
        return list_discards(state, codes)
    for more in range(s.COACH_ADDS + 1):
        codes[more] = a.encode(a.ADD, 0, more)
    return s.COACH_ADDS + 1


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    going = False
    if phase == s.ASK_DIE:
        going = take_die(rules, state, log, a.second_of(action))
    elif phase == s.ASK_COACH:
        add_to_die(rules, state, a.second_of(action))
        going = True
    elif phase == s.ASK_DISCARD:
        throw_away(state, log, a.second_of(action))
    else:
        going = act(rules, state, log, action)
    if not going:
        end_turn(rules, state, log)


@compiled_entry
def checkpoint(rules, state):
    """Return the number of finished turns."""
    return state.turns
