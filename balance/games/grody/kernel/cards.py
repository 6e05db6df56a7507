"""Fate cards: when and on whom they may be played, answers, and effects (CRD-1 to CRD-4)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import adjacent_force, has_room, room_at_home
from balance.games.grody.kernel.combat import behave, conclude, is_decided, kill
from balance.games.grody.kernel.drawing import begin_discards, bring_home, draw_cards, lay_off
from balance.games.grody.kernel.movement import begin_movement


@compiled
def list_cards(rules, state, codes):
    """List declining, then every way to play a card of the hand in this card phase."""
    codes[0] = a.encode(a.DECLINE, 0)
    if state.window == s.START:
        return _list_start(state, codes)
    if state.window == s.BEFORE:
        return _list_before(state, codes)
    if state.window == s.DURING:
        return _list_during(state, codes)
    if state.window == s.AFTER:
        return _list_segments(rules, state, codes, 1, s.PURSUIT)
    return _list_end(rules, state, codes)


@compiled
def _list_start(state, codes):
    count = 1
    if state.seat == state.active:
        count = _list_plain(state, codes, count, s.FORCED_MARCH)
        count = _list_plain(state, codes, count, s.SCOUTING)
    return _list_plain(state, codes, count, s.PROPHECY)


@compiled
def _list_before(state, codes):
    count = _list_warriors(state, codes, 1, s.SURE, state.seat)
    count = _list_plain(state, codes, count, s.SONG)
    if state.seat != state.active:
        count = _list_warriors(state, codes, count, s.AMBUSH, state.active)
    return count


@compiled
def _list_during(state, codes):
    seat = state.seat
    count = _list_warriors(state, codes, 1, s.WOLF_PIT, 1 - seat)
    count = _list_warriors(state, codes, count, s.MANOEUVRE, seat)
    for i in range(state.fighters[seat]):
        if state.behaviour[seat, i] > s.FLEEING:
            return _list_plain(state, codes, count, s.RETREAT)
    return count


@compiled
def _list_end(rules, state, codes):
    seat = state.seat
    count = _list_segments(rules, state, codes, 1, s.VOLUNTEERS)
    count = _list_segments(rules, state, codes, count, s.SABOTAGE)
    if state.prisoners[1 - seat] > 0 and room_at_home(rules, state, seat) > 0:
        count = _list_plain(state, codes, count, s.RANSOM_ALL)
    return _list_plain(state, codes, count, s.PROPHECY)


@compiled
def _add(codes, count, card, aim):
    codes[count] = a.encode_pair(a.PLAY, card, aim)
    return count + 1


@compiled
def _list_plain(state, codes, count, card):
    """Append a card without an aim if the seat holds one that is not set aside (CRD-6)."""
    aside = state.aside[state.seat] if card == s.PROPHECY else 0
    if state.hand[state.seat, card] > aside:
        return _add(codes, count, card, 0)
    return count


@compiled
def _list_warriors(state, codes, count, card, owner):
    """Append a card for each warrior of `owner` on which it may be played."""
    if state.hand[state.seat, card] > 0:
        for i in range(state.fighters[owner]):
            if _fits_warrior(state, card, owner, i):
                count = _add(codes, count, card, i)
    return count


@compiled
def _fits_warrior(state, card, owner, i):
    """Return whether a card may be played on warrior `i` of `owner`."""
    behaviour = state.behaviour[owner, i]
    if card == s.WOLF_PIT:
        fits = behaviour != s.FLEEING and state.roll[owner, i] > 0
    else:
        fits = card != s.MANOEUVRE or behaviour != s.FURIOUS
    return fits and behaviour != s.GONE and _is_lowest(state, owner, i)


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
def _list_segments(rules, state, codes, count, card):
    """Append a card for each segment on which it may be played."""
    if state.hand[state.seat, card] > 0:
        for segment in range(rules.segment_count):
            if _fits_segment(rules, state, card, segment):
                count = _add(codes, count, card, segment)
    return count


@compiled
def _fits_segment(rules, state, card, segment):
    """Return whether the seat may play a card on a segment."""
    seat = state.seat
    if card == s.PURSUIT:
        return seat == state.victor and state.fled_to[1 - seat, segment] > 0
    if card == s.SABOTAGE:
        built = state.owner[segment] == 1 - seat and state.building[segment] != s.NOTHING
        return built and adjacent_force(rules, state, seat, segment) > 0
    terrain = state.terrain[segment]
    suits = terrain == s.FOREST or terrain == s.GROD
    return suits and state.owner[segment] == seat and has_room(rules, state, seat, segment)


@compiled
def pass_by(rules, state):
    """Decline; two declines in a row end the card phase (CRD-1)."""
    state.declines += 1
    state.seat = 1 - state.seat
    if state.declines < s.SEATS:
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
    codes[0] = a.encode(a.ACCEPT, 0)
    codes[1] = a.encode(a.COUNTER, 0)
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
