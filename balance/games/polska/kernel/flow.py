"""The flow of a turn: which actions are legal in a phase, and what carries one out."""

from __future__ import annotations

from balance.compiling.jit import compiled_entry
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.playing import act, list_acts, list_cards
from balance.games.polska.kernel.turns import (
    add_to_die,
    end_turn,
    list_dice,
    list_discards,
    take_die,
    throw_away,
)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32), returning how many (section 6)."""
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
