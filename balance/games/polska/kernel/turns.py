"""A turn from its die to its discards (TRN-1 to TRN-4): legal actions of each phase, and their effects."""

from __future__ import annotations

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import discard, drop_from_hand, is_first
from balance.games.polska.kernel.playing import act, list_acts, list_cards


@compiled
def begin_turn(rules, state, log):
    """Roll if no die is left."""
    state.played = 0
    state.phase = s.ASK_DIE
    log.seats[state.seat].own_turns += 1
    if state.dice_left == 0:
        for _ in range(rules.dice):
            state.dice_showing[1 + draw_below(state.chance, s.DICE, s.SIDES)] += 1
        state.dice_left = rules.dice
        record_chance(state, log, a.encode(a.ROLL, 0, _write_roll(state)))
    log.dice_seen[state.seat] += state.dice_left


@compiled
def _write_roll(state):
    """Log the sorted dice as one number: base 7, the smallest first, 0 for no die."""
    code = 0
    for side in range(1, s.SIDES + 1):
        for _ in range(state.dice_showing[side]):
            code = 7 * code + side
    return code


@compiled
def list_dice(state, codes):
    count = 0
    for side in range(1, s.SIDES + 1):
        if state.dice_showing[side] > 0:
            codes[count] = a.encode(a.TAKE_DIE, 0, side)
            count += 1
    return count


@compiled
def allowed_steps(rules, side):
    """Return the steps that a die allows; a 1 allows more (MOV-1)."""
    return rules.one_allows if side == 1 else side


@compiled
def take_die(rules, state, log, side):
    """Take a die; return True if the turn continues, False if a stop card ends it (TRN-3)."""
    seat = state.seat
    state.dice_showing[side] -= 1
    state.dice_left -= 1
    state.die = side
    state.steps = allowed_steps(rules, side)
    state.phase = s.ASK_ACT
    if state.stops[seat] == 0:
        return True
    record_outcome(state, log, a.STOPPED, seat)
    state.stops[seat] -= 1
    log.seats[seat].blocked += 1
    discard(state, state.stop_face)
    return False


@compiled
def add_to_die(rules, state, more):
    """Add to the die by the coach (section 4): 1 + 0 still allows the steps of a 1, 1 + 1 allows two."""
    state.steps = allowed_steps(rules, state.die) if more == 0 else state.die + more
    state.phase = s.ASK_COACHED


@compiled
def list_discards(state, codes):
    count = 0
    for i in range(state.hand_size[state.seat]):
        if is_first(state, state.seat, i):
            codes[count] = a.encode(a.DISCARD, 0, state.hand[state.seat, i])
            count += 1
    return count


@compiled
def throw_away(state, log, face):
    drop_from_hand(state, state.seat, face)
    discard(state, face)
    log.seats[state.seat].thrown += 1


@compiled
def end_turn(rules, state, log):
    """Ask for discards over the limit; then the next player, or the end (TRN-4, END-2)."""
    if state.over == 0 and state.hand_size[state.seat] > rules.hand_limit:
        state.phase = s.ASK_DISCARD
        return
    state.turns += 1
    if state.over == 0 and state.turns == rules.turn_limit:
        record_outcome(state, log, a.END, -1, a.LIMIT)
        state.over = 2
    if state.over or state.turns % state.players == 0:
        _keep_round(state, log)
    if state.over:
        state.phase = s.OVER
        return
    state.seat = (state.seat + 1) % state.players
    state.round_number = 1 + state.turns // state.players
    begin_turn(rules, state, log)


@compiled
def _keep_round(state, log):
    if not log.keep_rounds:
        return
    for p in range(state.players):
        row = log.history[state.round_number - 1, p]
        row.score = state.position[p]
        row.hand = state.hand_size[p]
        taken = 0
        for order in range(s.SET_SIZE):
            taken += log.seats[p].taken[order]
        row.taken = taken


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
