"""Movement, one step per decision (MOV-1 to MOV-7), and turning up terrain."""

from __future__ import annotations

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import capacity_of, has_room, is_attacked, own_segment, take_segment
from balance.games.grody.kernel.drawing import pick_card
from balance.games.grody.kernel.scoring import check_conquest


@compiled
def explore_next(rules, state, log):
    """Turn up the next segment that was entered; after the last, begin the combats."""
    if state.explored == state.entered_count:
        check_conquest(rules, state, log)
        if state.over == 0:
            state.phase = s.NEXT_COMBAT
        return
    seat = state.active
    segment = state.entered[state.explored]
    own_segment(state, log, seat, segment)
    log.seats[seat].explored += 1
    _turn_up(state, log, segment)
    if state.had_first[seat] == 0 or state.scouts > 0:
        state.seat = seat
        state.phase = s.ASK_EXCHANGE
    else:
        _settle(rules, state, log, segment)


@compiled
def _turn_up(state, log, segment):
    """Draw a terrain card for a segment."""
    terrain = pick_card(state.terrain_deck, state.terrain_count, state.chance, s.TERRAIN_DECK)
    state.terrain_deck[terrain] -= 1
    state.terrain_count -= 1
    state.terrain[segment] = terrain
    log.terrains_shown[terrain] += 1
    record_chance(state, log, a.encode_pair(a.EXPLORE, segment, terrain))


@compiled
def list_exchange(codes):
    codes[0] = a.encode(a.KEEP, 0)
    codes[1] = a.encode(a.EXCHANGE, 0)
    return 2


@compiled
def answer_exchange(rules, state, log, wanted):
    """Keep the terrain, or shuffle it back and turn up another, which stays."""
    seat = state.active
    segment = state.entered[state.explored]
    if wanted:
        state.terrain_deck[state.terrain[segment]] += 1
        state.terrain_count += 1
        _turn_up(state, log, segment)
        log.seats[seat].exchanged += 1
        if state.had_first[seat]:
            state.scouts -= 1
    state.had_first[seat] = 1
    _settle(rules, state, log, segment)


@compiled
def _settle(rules, state, log, segment):
    """Move the surplus warriors back, the last first; then a "+" adds warriors (MOV-4)."""
    seat = state.active
    log.terrains_taken[seat, state.terrain[segment]] += 1
    while state.warriors[seat, segment] > capacity_of(rules, state, segment):
        state.warriors[seat, segment] -= 1
        origin = state.came_from[state.explored, state.warriors[seat, segment]]
        if has_room(rules, state, seat, origin):
            state.warriors[seat, origin] += 1
        else:
            record_outcome(state, log, a.WARRIOR, seat, segment, a.STRAYED)
            log.seats[seat].strayed += 1
    for _ in range(rules.plus[state.terrain[segment]]):
        if has_room(rules, state, seat, segment):
            state.warriors[seat, segment] += 1
            log.seats[seat].joined += 1
    state.explored += 1
    state.phase = s.EXPLORE


@compiled
def begin_movement(rules, state):
    """Let every warrior of A move."""
    for segment in range(rules.segment_count):
        state.fresh[segment] = state.warriors[state.active, segment]
        state.once[segment] = 0
    state.entered_count = 0
    state.explored = 0
    state.attack_count = 0
    state.fought = 0
    state.attacks_won = 0
    state.seat = state.active
    state.phase = s.ASK_MOVE


@compiled
def place_entered(state, segment):
    """Return the index of an unexplored segment among those entered this turn, or -1."""
    place = -1
    for i in range(state.entered_count):
        if state.entered[i] == segment:
            place = i
    return place


@compiled
def may_enter(rules, state, segment):
    """Return whether a warrior of A next to a segment may enter it (MOV-2, MOV-6)."""
    if not has_room(rules, state, state.active, segment):
        return False
    if state.terrain[segment] != s.UNEXPLORED or state.entered_count < state.terrain_count:
        return True
    return place_entered(state, segment) >= 0


@compiled
def list_moves(rules, state, codes):
    codes[0] = a.encode(a.DONE, 0)
    count = 1
    for segment in range(rules.segment_count):
        if state.fresh[segment] == 0 and (state.marches == 0 or state.once[segment] == 0):
            continue
        for i in range(rules.degree[segment]):
            other = rules.neighbours[segment, i]
            if may_enter(rules, state, other):
                codes[count] = a.encode_pair(a.MOVE, segment, other)
                count += 1
    return count


@compiled
def _enter_unexplored(state, start, goal):
    """Record the segment that the warrior came from (MOV-4)."""
    place = place_entered(state, goal)
    if place < 0:
        place = state.entered_count
        state.entered[place] = goal
        state.entered_count += 1
    state.came_from[place, state.warriors[state.active, goal] - 1] = start


@compiled
def move(rules, state, log, start, goal):
    """Move a warrior one step, if possible one that has not moved yet (MOV-7)."""
    seat = state.active
    first = state.fresh[start] > 0
    if first:
        state.fresh[start] -= 1
    else:
        state.once[start] -= 1
        state.marches -= 1
    state.warriors[seat, start] -= 1
    state.warriors[seat, goal] += 1
    if state.terrain[goal] == s.UNEXPLORED:
        _enter_unexplored(state, start, goal)
    elif state.warriors[1 - seat, goal] > 0:
        if not is_attacked(state, goal):
            state.attacks[state.attack_count] = goal
            state.attack_count += 1
    else:
        take_segment(rules, state, log, seat, goal)
        state.once[goal] += first and goal != rules.grod[1 - seat]
