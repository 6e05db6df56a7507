"""Playing a card, answering it, and what it does (CRD-1 to CRD-4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import room_at_home
from balance.games.grody.kernel.combat import behave, conclude, is_decided, kill
from balance.games.grody.kernel.drawing import bring_home
from balance.games.grody.kernel.fate import begin_discards, draw_cards, lay_off
from balance.games.grody.kernel.movement import begin_movement
from balance.games.grody.kernel.windows import decline


@compiled
def pass_by(rules, state):
    """Decline; after two declines in a row the turn goes on."""
    if not decline(state):
        return
    if state.window == s.START:
        begin_movement(rules, state)
    elif state.window == s.BEFORE:
        state.phase = s.ROLL
    elif state.window == s.DURING:
        state.phase = s.FLY
    elif state.window == s.AFTER:
        state.phase = s.NEXT_COMBAT
    else:
        state.phase = s.END_TURN


@compiled
def play(state, log, card, aim):
    """Lay a card on the discard pile; the other may answer it (CRD-2, CRD-3)."""
    seat = state.seat
    lay_off(state, seat, card)
    log.played[seat, card] += 1
    state.played = card
    state.aim = aim
    state.played_by = seat
    state.counters = 0
    state.seat = 1 - seat
    state.phase = s.ASK_ANSWER


@compiled
def list_answers(state, codes):
    codes[0] = a.encode(a.ACCEPT, 0, 0)
    codes[1] = a.encode(a.COUNTER, 0, 0)
    return 2 if state.hand[state.seat, s.WIZARD] > 0 else 1


@compiled
def counter(state, log):
    """Answer with a czarodziej, which may be answered in turn."""
    lay_off(state, state.seat, s.WIZARD)
    log.played[state.seat, s.WIZARD] += 1
    state.counters += 1
    state.seat = 1 - state.seat


@compiled
def accept(rules, state, log):
    """The card takes effect unless it was cancelled; then the turn in the phase is the seat's that accepts."""
    state.next_seat = state.seat
    state.declines = 0
    state.phase = s.ASK_CARD
    if state.counters % 2 == 1:
        log.cancelled[state.played_by] += 1
    elif state.window == s.BEFORE or state.window == s.DURING:
        _take_effect_in_combat(rules, state, log, state.played_by)
    else:
        _take_effect(rules, state, log, state.played_by)


@compiled
def _take_effect_in_combat(rules, state, log, seat):
    card = state.played
    i = state.aim
    if card == s.SURE:
        state.boost[seat, i] += rules.sure_morale
    elif card == s.SONG:
        state.songs[seat] += 1
    elif card == s.AMBUSH:
        kill(state, log, 1 - seat, i)
        if is_decided(state):
            conclude(rules, state, log)
    elif card == s.WOLF_PIT:
        state.roll[1 - seat, i] += 1
        behave(rules, state, 1 - seat, i)
    elif card == s.MANOEUVRE:
        state.behaviour[seat, i] += 1
        state.roll[seat, i] = 0
    else:
        for j in range(state.fighters[seat]):
            if state.behaviour[seat, j] != s.GONE:
                state.behaviour[seat, j] = s.FLEEING
                state.roll[seat, j] = 0


@compiled
def _prophesy(rules, state, log, seat):
    """Draw; a card of the same kind is set aside (CRD-6)."""
    before = state.hand[seat, s.PROPHECY]
    draw_cards(state, log, seat, rules.prophecy_draw)
    state.aside[seat] += state.hand[seat, s.PROPHECY] - before
    begin_discards(state, seat, s.ASK_CARD)


@compiled
def _take_effect(rules, state, log, seat):
    card = state.played
    segment = state.aim
    if card == s.PURSUIT:
        state.warriors[1 - seat, segment] -= 1
        state.fled_to[1 - seat, segment] -= 1
        log.lost[1 - seat] += 1
    elif card == s.FORCED_MARCH:
        state.marches += 1
    elif card == s.SCOUTING:
        state.scouts += 1
    elif card == s.VOLUNTEERS:
        state.warriors[seat, segment] += 1
        log.joined[seat] += 1
    elif card == s.SABOTAGE:
        state.tokens[state.building[segment]] += 1
        state.building[segment] = s.NOTHING
    elif card == s.RANSOM_ALL:
        freed = min(state.prisoners[1 - seat], room_at_home(rules, state, seat))
        bring_home(rules, state, seat, freed)
        log.freed[seat] += freed
    else:
        _prophesy(rules, state, log, seat)
