"""Estimates for networks: what a move can reach, and how far cards can carry a marker."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.polska.heuristics.features import FAR, MOST_STEPS, best_steps
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps
from balance.games.polska.kernel.moving import can_stop, find_ways
from balance.games.polska.kernel.turns import allowed_steps
from balance.games.polska.rules.components import MOST_CITIES

# Columns of `scratch.within`, for a move of at most this number of steps:
MARKERS = 0  # markers that it can take
CITY = 1  # 1 if it can end in the city of a card in hand
BOTH = 2  # 1 if it can take a marker in such a city
AFTER = 3  # fewest steps to an open marker after a move that takes none
FOLLOWING = 4  # fewest steps to the next open marker after a move that takes one


@compiled
def note_markers(rules, state, scratch):
    """Write the fields of the open markers to `scratch.open_markers`."""
    count = 0
    for i in range(rules.location_count):
        field = rules.locations[i]
        if state.marker_on[field] and state.pawns_on[field] == 0:
            scratch.open_markers[count] = field
            count += 1
    scratch.open_count = count


@compiled
def nearest_markers(rules, scratch, field):
    """Return the steps from a field to the two nearest open markers that are not on it, and the nearest of them."""
    first = second = FAR
    nearest = -1
    for i in range(scratch.open_count):
        marker = scratch.open_markers[i]
        if marker == field:
            continue
        steps = rules.steps_between[marker, field]
        if steps < first:
            first, second, nearest = steps, first, marker
        elif steps < second:
            second = steps
    return first, second, nearest


@compiled
def is_city_in_hand(scratch, field):
    """Return 1 if the hand has a card of this field's city, else 0; after `note_cities`."""
    return (scratch.cities >> field) & 1 if field < MOST_CITIES else 0


@compiled
def steps_to_city(rules, state, seat, field):
    """Return the steps from a field to the nearest city of a card in hand; `FAR` without such a card."""
    found = FAR
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        if rules.face_kind[face] == s.CITY:
            found = min(found, rules.steps_between[rules.face_value[face], field])
    return found


@compiled
def note_reach(rules, state, scratch, seat):
    """Fill `scratch.within` for every number of steps that a die or a coach may allow."""
    most = min(MOST_STEPS, max(allowed_steps(rules, 1), s.SIDES + s.COACH_ADDS))
    for steps in range(most + 1):
        for column in range(AFTER):
            scratch.within[steps, column] = 0
        scratch.within[steps, AFTER] = FAR
        scratch.within[steps, FOLLOWING] = FAR
    for i in range(1, find_ways(rules, state, scratch, seat, most)):
        field = scratch.queue[i]
        if not can_stop(state, scratch, seat, field):
            continue
        row = scratch.within[scratch.distance[field]]
        city = is_city_in_hand(scratch, field)
        row[CITY] = max(row[CITY], city)
        if state.marker_on[field]:
            row[MARKERS] += 1
            row[BOTH] = max(row[BOTH], city)
            row[FOLLOWING] = min(row[FOLLOWING], nearest_markers(rules, scratch, field)[0])
        else:
            row[AFTER] = min(row[AFTER], scratch.to_marker[field])
    for steps in range(1, most + 1):
        row, before = scratch.within[steps], scratch.within[steps - 1]
        row[MARKERS] += before[MARKERS]
        row[CITY] = max(row[CITY], before[CITY])
        row[BOTH] = max(row[BOTH], before[BOTH])
        row[AFTER] = min(row[AFTER], before[AFTER])
        row[FOLLOWING] = min(row[FOLLOWING], before[FOLLOWING])


@compiled
def _steps_at(rules, state, seat, i, position, field):
    """Return the steps that card `i` of a hand makes with the marker at a position and the pawn on a field."""
    face = state.hand[seat, i]
    if rules.face_kind[face] == s.CITY and rules.face_value[face] != field:
        return 0
    return card_steps(rules, state, seat, face, min(position, rules.track_length - 1))


@compiled
def best_run(rules, state, seat, position, field, cards, without):
    """Return the most steps that cards can make one after another, each judged from where the marker then stands.

    At most `cards` cards, and at most three; `without` is the index of a card that is left out, or -1.
    """
    best = 0
    size = state.hand_size[seat]
    if cards <= 0:
        return best
    for i in range(size):
        one = 0 if i == without else _steps_at(rules, state, seat, i, position, field)
        if one == 0:
            continue
        best = max(best, one)
        if cards == 1:
            continue
        for j in range(size):
            out = j == i or without == j
            more = 0 if out else _steps_at(rules, state, seat, j, position + one, field)
            if more == 0:
                continue
            two = one + more
            best = max(best, two)
            if cards == 2:
                continue
            for k in range(size):
                if k != i and k != j and k != without:
                    three = two + _steps_at(rules, state, seat, k, position + two, field)
                    best = max(best, three)
    return best


@compiled
def index_of(state, seat, face):
    """Return the index of a face in a hand."""
    found = -1
    for i in range(state.hand_size[seat]):
        if state.hand[seat, i] == face and found < 0:
            found = i
    return found


@compiled
def potential(rules, state, seat, position, without):
    """Return the steps of a hand's cards, each at its best time from a position on; without one card, or -1."""
    total = 0
    for i in range(state.hand_size[seat]):
        if i != without:
            total += best_steps(rules, state, seat, state.hand[seat, i], position)
    return total


@compiled
def count_matches(rules, state, seat, position, without):
    """Return how many grey cards in hand have the date of a field of the track; without one card, or -1."""
    total = 0
    if position >= rules.track_length:
        return total
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        if i != without and rules.face_kind[face] == s.GREY:
            total += rules.face_value[face] == rules.track_year[position]
    return total
