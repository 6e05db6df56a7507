"""Fate cards: when and on whom they may be played, answers, and effects (CRD-1 to CRD-4)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import has_room, is_next_to_own, room_at_home
from balance.games.grody.kernel.combat import behave, conclude, decline, is_decided, kill
from balance.games.grody.kernel.drawing import begin_discards, bring_home, draw_cards, lay_off
from balance.games.grody.kernel.movement import begin_movement


@compiled
def _add(codes, count, card, aim):
    codes[count] = a.encode_pair(a.PLAY, card, aim)
    return count + 1


@compiled
def list_cards(rules, state, codes):
    """List declining, then every way to play a card of the hand in this card phase."""
    codes[0] = a.encode(a.DECLINE, 0, 0)
    if state.window == s.START:
        return _list_start(state, codes)
    if state.window == s.BEFORE:
        return _list_before(state, codes)
    if state.window == s.DURING:
        return _list_during(state, codes)
    if state.window == s.AFTER:
        return _list_after(rules, state, codes)
    return _list_end(rules, state, codes)


@compiled
def _list_start(state, codes):
    hand = state.hand[state.seat]
    count = 1
    if state.seat == state.active:
        if hand[s.FORCED_MARCH] > 0:
            count = _add(codes, count, s.FORCED_MARCH, 0)
        if hand[s.SCOUTING] > 0:
            count = _add(codes, count, s.SCOUTING, 0)
    if hand[s.PROPHECY] > state.aside[state.seat]:
        count = _add(codes, count, s.PROPHECY, 0)
    return count


@compiled
def _is_lowest(state, seat, i):
    """Return whether no lower-numbered warrior of the side has the same morale, behaviour and roll."""
    lowest = True
    for j in range(i):
        same = state.behaviour[seat, j] == state.behaviour[seat, i]
        same &= state.boost[seat, j] == state.boost[seat, i]
        lowest &= not (same and state.roll[seat, j] == state.roll[seat, i])
    return lowest


@compiled
def _is_aim(state, card, owner, i):
    """Return whether a card may be played on warrior `i` of `owner`."""
    behaviour = state.behaviour[owner, i]
    if card == s.WOLF_PIT:
        fits = behaviour != s.FLEEING and state.roll[owner, i] > 0
    elif card == s.MANOEUVRE:
        fits = behaviour != s.FURIOUS
    else:
        fits = True
    return fits and behaviour != s.GONE and _is_lowest(state, owner, i)


@compiled
def _list_aims(state, codes, count, card, owner):
    if state.hand[state.seat, card] > 0:
        for i in range(state.fighters[owner]):
            if _is_aim(state, card, owner, i):
                count = _add(codes, count, card, i)
    return count


@compiled
def _list_before(state, codes):
    count = _list_aims(state, codes, 1, s.SURE, state.seat)
    if state.hand[state.seat, s.SONG] > 0:
        count = _add(codes, count, s.SONG, 0)
    if state.seat != state.active:
        count = _list_aims(state, codes, count, s.AMBUSH, state.active)
    return count


@compiled
def _list_during(state, codes):
    seat = state.seat
    count = _list_aims(state, codes, 1, s.WOLF_PIT, 1 - seat)
    count = _list_aims(state, codes, count, s.MANOEUVRE, seat)
    if state.hand[seat, s.RETREAT] > 0:
        for i in range(state.fighters[seat]):
            if state.behaviour[seat, i] > s.FLEEING:
                return _add(codes, count, s.RETREAT, 0)
    return count


@compiled
def _list_after(rules, state, codes):
    count = 1
    if state.seat == state.victor and state.hand[state.seat, s.PURSUIT] > 0:
        for segment in range(rules.segment_count):
            if state.fled_to[1 - state.seat, segment] > 0:
                count = _add(codes, count, s.PURSUIT, segment)
    return count


@compiled
def _list_end(rules, state, codes):
    hand = state.hand[state.seat]
    seat = state.seat
    count = 1
    for segment in range(rules.segment_count):
        if hand[s.VOLUNTEERS] > 0 and _takes_volunteers(rules, state, seat, segment):
            count = _add(codes, count, s.VOLUNTEERS, segment)
    for segment in range(rules.segment_count):
        if hand[s.SABOTAGE] > 0 and _can_be_sabotaged(rules, state, seat, segment):
            count = _add(codes, count, s.SABOTAGE, segment)
    freed = state.prisoners[1 - seat] > 0 and room_at_home(rules, state, seat) > 0
    if hand[s.RANSOM_ALL] > 0 and freed:
        count = _add(codes, count, s.RANSOM_ALL, 0)
    if hand[s.PROPHECY] > state.aside[state.seat]:
        count = _add(codes, count, s.PROPHECY, 0)
    return count


@compiled
def _takes_volunteers(rules, state, seat, segment):
    """Return whether a segment is the seat's gród or an owned forest, with room."""
    if state.owner[segment] != seat or not has_room(rules, state, seat, segment):
        return False
    return state.terrain[segment] == s.FOREST or state.terrain[segment] == s.GROD


@compiled
def _can_be_sabotaged(rules, state, seat, segment):
    if state.owner[segment] != 1 - seat or state.building[segment] == s.NOTHING:
        return False
    return is_next_to_own(rules, state, seat, segment)


@compiled
def pass_by(rules, state):
    """Decline; two declines in a row end the card phase."""
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
    """Put a card on the discard pile; the other player may answer it (CRD-2, CRD-3)."""
    seat = state.seat
    lay_off(state, seat, card)
    log.seats[seat].played[card] += 1
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
    log.seats[state.seat].played[s.WIZARD] += 1
    state.counters += 1
    state.seat = 1 - state.seat


@compiled
def accept(rules, state, log):
    """Carry out the card unless it was cancelled; then it is the accepting seat's turn in the phase."""
    state.next_seat = state.seat
    state.declines = 0
    state.phase = s.ASK_CARD
    record_outcome(state, log, a.CARD, state.played_by, state.played, state.counters % 2 == 0)
    if state.counters % 2 == 1:
        log.seats[state.played_by].cancelled += 1
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
    """Draw cards; a card of the same kind is set aside (CRD-6)."""
    before = state.hand[seat, s.PROPHECY]
    draw_cards(state, log, seat, rules.prophecy_draw)
    state.aside[seat] += state.hand[seat, s.PROPHECY] - before
    begin_discards(state, seat, s.ASK_CARD)


@compiled
def _take_effect(rules, state, log, seat):
    card = state.played
    segment = state.aim
    if card == s.PURSUIT:
        record_outcome(state, log, a.WARRIOR, 1 - seat, segment, a.KILLED)
        state.warriors[1 - seat, segment] -= 1
        state.fled_to[1 - seat, segment] -= 1
        log.seats[1 - seat].lost += 1
    elif card == s.FORCED_MARCH:
        state.marches += 1
    elif card == s.SCOUTING:
        state.scouts += 1
    elif card == s.VOLUNTEERS:
        state.warriors[seat, segment] += 1
        log.seats[seat].joined += 1
    elif card == s.SABOTAGE:
        state.tokens[state.building[segment]] += 1
        state.building[segment] = s.NOTHING
    elif card == s.RANSOM_ALL:
        freed = min(state.prisoners[1 - seat], room_at_home(rules, state, seat))
        bring_home(rules, state, seat, freed)
        log.seats[seat].freed += freed
    else:
        _prophesy(rules, state, log, seat)
