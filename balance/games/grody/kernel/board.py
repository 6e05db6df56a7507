"""The board: room on a segment, and what a seat owns (SET-4, END-4)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s


@compiled
def capacity_of(rules, state, segment):
    """Return the most warriors of a side on a segment (MOV-2)."""
    terrain = state.terrain[segment]
    if terrain == s.UNEXPLORED:
        return rules.unexplored_capacity
    if state.building[segment] == s.BRIDGE:
        return rules.bridge_capacity
    return rules.capacity[terrain]


@compiled
def has_room(rules, state, seat, segment):
    return state.warriors[seat, segment] < capacity_of(rules, state, segment)


@compiled
def room_at_home(rules, state, seat):
    """Return the room for warriors in a seat's gród; never below 0."""
    grod = rules.grod[seat]
    return max(0, rules.capacity[s.GROD] - state.warriors[seat, grod])


@compiled
def adjacent_force(rules, state, seat, segment):
    """Return the number of a seat's warriors on the neighbours of a segment."""
    force = 0
    for i in range(rules.degree[segment]):
        force += state.warriors[seat, rules.neighbours[segment, i]]
    return force


@compiled
def is_attacked(state, segment):
    """Return whether A has attacked a segment this turn."""
    found = False
    for i in range(state.attack_count):
        found |= state.attacks[i] == segment
    return found


@compiled
def count_points(rules, state, seat):
    """Return a seat's victory points (END-4)."""
    points = 0
    for segment in range(rules.segment_count):
        if state.owner[segment] == seat:
            points += rules.points[state.terrain[segment]]
    return points


@compiled
def count_segments(rules, state, seat):
    """Return the number of segments owned, without the gród (SET-4)."""
    count = -1
    for segment in range(rules.segment_count):
        count += state.owner[segment] == seat
    return count


@compiled
def count_warriors(rules, state, seat):
    """Return the number of a seat's warriors on the board."""
    count = 0
    for segment in range(rules.segment_count):
        count += state.warriors[seat, segment]
    return count


@compiled_entry
def look_at_land(rules, state, points, segments):
    """Write the victory points and the number of segments of each seat to int arrays, for displays."""
    for seat in range(s.SEATS):
        points[seat] = count_points(rules, state, seat)
        segments[seat] = count_segments(rules, state, seat)


@compiled
def own_segment(state, log, seat, segment):
    if state.owner[segment] != seat:
        record_outcome(state, log, a.OWNER, seat, segment, state.owner[segment])
        state.owner[segment] = seat


@compiled
def take_segment(rules, state, log, seat, segment):
    """Make a seat the owner of a segment, unless it is a gród (MOV-5, CMB-8)."""
    if state.terrain[segment] != s.GROD:
        log.seats[seat].taken += state.owner[segment] == 1 - seat
        own_segment(state, log, seat, segment)
