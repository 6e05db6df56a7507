"""Fate cards: which may be played, and on whom (CRD-4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import has_room, is_next_to_own, room_at_home


@compiled
def _add(codes, count, card, aim):
    codes[count] = a.encode_pair(a.PLAY, card, aim)
    return count + 1


@compiled
def list_cards(rules, state, codes):
    """Declining, then every way to play a card of the hand in this card phase."""
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
    """Whether no lower number of the side is alike in morale, behaviour and roll."""
    lowest = True
    for j in range(i):
        same = state.behaviour[seat, j] == state.behaviour[seat, i]
        same &= state.boost[seat, j] == state.boost[seat, i]
        lowest &= not (same and state.roll[seat, j] == state.roll[seat, i])
    return lowest


@compiled
def _is_aim(state, card, owner, i):
    """Whether a card may be played on warrior `i` of `owner`."""
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
    """The own gród or a forest owned, with room."""
    if state.owner[segment] != seat or not has_room(rules, state, seat, segment):
        return False
    return state.terrain[segment] == s.FOREST or state.terrain[segment] == s.GROD


@compiled
def _can_be_sabotaged(rules, state, seat, segment):
    if state.owner[segment] != 1 - seat or state.building[segment] == s.NOTHING:
        return False
    return is_next_to_own(rules, state, seat, segment)
