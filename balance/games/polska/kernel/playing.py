"""Actions of a turn: nothing, a move, or cards one after another (TRN-2, section 4)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps, discard, drop_from_hand, is_first, is_playable
from balance.games.polska.kernel.moving import go_to, list_moves


@compiled
def list_cards(rules, state, codes, count, more):
    """Append the cards that may be played; `more` is 1 after the first."""
    seat = state.seat
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        kind = rules.face_kind[face]
        if not is_first(state, seat, i):
            continue
        if kind == s.STOP:
            for other in range(state.players):
                if other != seat:
                    codes[count] = a.encode(a.STOP, more, other)
                    count += 1
        elif is_playable(rules, state, seat, face):
            codes[count] = a.encode(a.PLAY, more, face)
            count += 1
        elif more == 0 and kind == s.TRAIN:
            count = _list_rides(rules, state, codes, count)
        elif more == 0 and kind == s.COACH:
            codes[count] = a.encode(a.COACH, 0, 0)
            count += 1
    return count


@compiled
def _list_rides(rules, state, codes, count):
    """List train rides to any field without a pawn."""
    for field in range(rules.field_count):
        if state.pawns_on[field] == 0:
            codes[count] = a.encode(a.TRAIN, 0, field)
            count += 1
    return count


@compiled
def list_acts(rules, state, scratch, codes):
    codes[0] = a.encode(a.NOTHING, 0, 0)
    count = list_moves(rules, state, scratch, state.seat, codes, 1)
    if state.phase == s.ASK_COACHED:
        return count
    return list_cards(rules, state, codes, count, 0)


@compiled
def _spend(rules, state, log, face):
    """Remove a card from the hand and count it by its kind."""
    drop_from_hand(state, state.seat, face)
    log.seats[state.seat].played[rules.face_kind[face]] += 1
    log.faces_played[state.seat, face] += 1
    state.played += 1


@compiled
def _face_of(rules, kind):
    """Return the face of a kind that has only one face."""
    for face in range(rules.face_count):
        if rules.face_kind[face] == kind:
            return face
    return -1


@compiled
def act(rules, state, log, action):
    """Carry out an action; return True if the turn continues with another decision."""
    kind = a.kind_of(action)
    seat = state.seat
    if kind == a.NOTHING:
        log.seats[seat].idle += state.played == 0
        return False
    if kind == a.MOVE:
        go_to(rules, state, log, seat, a.second_of(action))
        return False
    if kind == a.TRAIN:
        face = _face_of(rules, s.TRAIN)
        _spend(rules, state, log, face)
        discard(state, face)
        go_to(rules, state, log, seat, a.second_of(action))
        return False
    if kind == a.COACH:
        face = _face_of(rules, s.COACH)
        _spend(rules, state, log, face)
        discard(state, face)
        state.phase = s.ASK_COACH
        return True
    if kind == a.STOP:
        _spend(rules, state, log, _face_of(rules, s.STOP))
        state.stops[a.second_of(action)] += 1
    else:
        _play(rules, state, log, a.second_of(action))
        if state.over:
            return False
    state.phase = s.ASK_MORE
    return state.played < rules.cards_per_turn


@compiled
def _play(rules, state, log, face):
    """Move the marker; a player who reaches the last field has won (END-1)."""
    seat = state.seat
    steps = card_steps(rules, state, seat, face, state.position[seat])
    steps = min(steps, rules.track_length - 1 - state.position[seat])
    _spend(rules, state, log, face)
    discard(state, face)
    record_outcome(state, log, a.STEPS, seat, face, steps, state.position[seat] + steps)
    state.position[seat] += steps
    log.seats[seat].steps[rules.face_kind[face]] += steps
    if state.position[seat] == rules.track_length - 1:
        record_outcome(state, log, a.END, seat, a.REACHED)
        state.over = 1
