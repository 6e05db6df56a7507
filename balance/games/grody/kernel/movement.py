"""Movement: one warrior, one step a decision (MOV-1, MOV-2, MOV-5 to MOV-7)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import has_room, take_segment


@compiled
def begin_movement(rules, state):
    """Every warrior of A may move."""
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
    """Place of an unexplored segment among those entered this turn, -1 if it is none of them."""
    place = -1
    for i in range(state.entered_count):
        if state.entered[i] == segment:
            place = i
    return place


@compiled
def may_enter(rules, state, segment):
    """Whether a warrior of A next to a segment may enter it (MOV-2, MOV-6)."""
    if not has_room(rules, state, state.active, segment):
        return False
    if state.terrain[segment] != s.UNEXPLORED or state.entered_count < state.terrain_count:
        return True
    return place_entered(state, segment) >= 0


@compiled
def list_moves(rules, state, codes):
    codes[0] = a.encode(a.DONE, 0, 0)
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
    """Note where the warrior came from (MOV-4)."""
    place = place_entered(state, goal)
    if place < 0:
        place = state.entered_count
        state.entered[place] = goal
        state.entered_count += 1
    state.came_from[place, state.warriors[state.active, goal] - 1] = start


@compiled
def _attack(state, goal):
    """Note a segment that is attacked, once."""
    for i in range(state.attack_count):
        if state.attacks[i] == goal:
            return
    state.attacks[state.attack_count] = goal
    state.attack_count += 1


@compiled
def move(rules, state, log, start, goal):
    """A warrior takes a step; one that has not moved yet where there is one (MOV-7)."""
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
        _attack(state, goal)
    else:
        take_segment(rules, state, log, seat, goal)
        state.once[goal] += first and goal != rules.grod[1 - seat]
