"""A turn (TRN-1 to TRN-4): its die, a move or cards one after another (section 4), discards; and the end."""

from __future__ import annotations

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps, discard, drop_from_hand, is_first, is_playable
from balance.games.polska.kernel.moving import go_to, list_moves
from balance.games.polska.kernel.scoring import keep_round


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
        keep_round(state, log)
    if state.over:
        state.phase = s.OVER
        return
    state.seat = (state.seat + 1) % state.players
    state.round_number = 1 + state.turns // state.players
    begin_turn(rules, state, log)
