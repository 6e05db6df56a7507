"""Cards: drawing, discards, and the steps of each (section 4)."""

from __future__ import annotations

from balance.contract.records import record_chance
from balance.foundation.compiling import compiled
from balance.foundation.streams import shuffle
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s


@compiled
def draw_card(state, log, seat, what):
    """Draw a card into a hand; an empty pile is renewed from the discards; without any cards do nothing."""
    if state.draw_count == 0:
        if state.discard_count == 0:
            return
        for i in range(state.discard_count):
            state.draw_pile[i] = state.discards[i]
        state.draw_count = state.discard_count
        state.discard_count = 0
        shuffle(state.draw_pile, state.draw_count, state.chance, s.CARDS)
        log.game.reshuffles += 1
        record_chance(state, log, a.encode(a.RESHUFFLE, 0, 0))
    state.draw_count -= 1
    face = state.draw_pile[state.draw_count]
    state.hand[seat, state.hand_size[seat]] = face
    state.hand_size[seat] += 1
    log.turned_up[face] += 1
    record_chance(state, log, a.encode(what, seat, face))


@compiled
def discard(state, face):
    state.discards[state.discard_count] = face
    state.discard_count += 1


@compiled
def drop_from_hand(state, seat, face):
    """Remove one card of a face from a hand; the others keep their order."""
    found = False
    for i in range(state.hand_size[seat]):
        if found:
            state.hand[seat, i - 1] = state.hand[seat, i]
        elif state.hand[seat, i] == face:
            found = True
    state.hand_size[seat] -= 1


@compiled
def is_first(state, seat, i):
    """Return whether no earlier card of the hand has the face of card `i`: each face is one option."""
    first = True
    for j in range(i):
        first &= state.hand[seat, j] != state.hand[seat, i]
    return first


@compiled
def card_steps(rules, state, seat, face, position):
    """Return the steps that a card moves a marker from a position (section 4); 0 for stop, train and coach."""
    kind = rules.face_kind[face]
    year = rules.track_year[position]
    if kind == s.GREY:
        return rules.grey_same if rules.face_value[face] == year else rules.grey_other
    if kind == s.BLUE:
        return rules.blue_past if rules.face_value[face] <= year else rules.blue_future
    if kind == s.CITY:
        return rules.city_steps
    return rules.eagle_steps if kind == s.EAGLE else 0


@compiled
def is_playable(rules, state, seat, face):
    """Return whether a card that moves the marker may be played now; a city card needs the pawn in its city."""
    kind = rules.face_kind[face]
    if kind == s.CITY:
        return state.pawn[seat] == rules.face_value[face]
    return kind == s.GREY or kind == s.BLUE or kind == s.EAGLE
