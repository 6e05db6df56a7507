"""The map: reach of a pawn (MOV-1 to MOV-4), and taking markers (MOV-5, MOV-6)."""

from __future__ import annotations

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below, shuffle
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import draw_card


@compiled
def find_ways(rules, state, scratch, seat, steps):
    """Fill `scratch.distance` with the steps to each field that a pawn can stop on or pass, at most `steps`.

    Returns the number of these fields; `scratch.queue` begins with them, the nearest first. A field with a
    marker ends a move; with a marker and a pawn it is closed (MOV-3). A shortest path never visits a field
    twice, so MOV-4 only requires that the pawn leaves its field.
    """
    for field in range(rules.field_count):
        scratch.distance[field] = -1
    start = state.pawn[seat]
    scratch.distance[start] = 0
    scratch.queue[0] = start
    head = 0
    tail = 1
    while head < tail:
        field = scratch.queue[head]
        head += 1
        here = scratch.distance[field]
        if here == steps or (state.marker_on[field] and field != start):
            continue
        for i in range(rules.degree[field]):
            other = rules.neighbours[field, i]
            if scratch.distance[other] >= 0 or (state.marker_on[other] and state.pawns_on[other]):
                continue
            scratch.distance[other] = here + 1
            scratch.queue[tail] = other
            tail += 1
    return tail


@compiled
def can_stop(state, scratch, seat, field):
    """Return whether the pawn may end its move on a field (MOV-2), after `find_ways`."""
    return (scratch.distance[field] > 0) & (state.pawns_on[field] == 0)


@compiled
def list_moves(rules, state, scratch, seat, codes, count):
    """Append the moves that the die allows."""
    find_ways(rules, state, scratch, seat, state.steps)
    for field in range(rules.field_count):
        # Written without a branch, which would be mispredicted half the time.
        codes[count] = a.encode(a.MOVE, 0, field)
        count += can_stop(state, scratch, seat, field)
    return count


@compiled
def go_to(rules, state, log, seat, field):
    """Put the pawn on a field, and take a marker there."""
    state.pawns_on[state.pawn[seat]] -= 1
    state.pawn[seat] = field
    state.pawns_on[field] += 1
    if state.marker_on[field]:
        _take_marker(rules, state, log, seat, field)


@compiled
def _take_marker(rules, state, log, seat, field):
    order = state.taken_of_set
    record_outcome(state, log, a.TAKEN, seat, field, order, rules.cards_per_marker[order])
    state.marker_on[field] = 0
    state.taken_of_set += 1
    log.seats[seat].taken[order] += 1
    for _ in range(rules.cards_per_marker[order]):
        before = state.hand_size[seat]
        draw_card(state, log, seat, a.DRAW)
        log.seats[seat].drawn += state.hand_size[seat] - before
    if state.taken_of_set == rules.markers_out:
        lay_markers(rules, state, log)


@compiled
def lay_markers(rules, state, log):
    """Draw a new set from the markers next to the board; if they are too few, mix all first (MOV-6)."""
    if state.aside_count < rules.markers_out:
        for i in range(rules.location_count):
            state.aside[i] = rules.locations[i]
        state.aside_count = rules.location_count
        shuffle(state.aside, state.aside_count, state.chance, s.MARKERS)
    for _ in range(rules.markers_out):
        pick = draw_below(state.chance, s.MARKERS, state.aside_count)
        field = state.aside[pick]
        state.aside_count -= 1
        state.aside[pick] = state.aside[state.aside_count]
        state.marker_on[field] = 1
        record_chance(state, log, a.encode(a.MARKER, 0, field))
    state.taken_of_set = 0
