"""Those who flee leave, or are taken prisoner (CMB-7)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.blows import begin_blows
from balance.games.grody.kernel.board import has_room
from balance.games.grody.kernel.combat import conclude, is_decided, leave


@compiled
def fly(rules, state, log):
    """Let those without a refuge be captured, until somebody has one; after the last, blows."""
    for side in range(s.SEATS):
        seat = state.active if side == 0 else 1 - state.active
        for i in range(state.fighters[seat]):
            if state.behaviour[seat, i] != s.FLEEING:
                continue
            if _has_refuge(rules, state, seat):
                state.seat = seat
                state.runner = i
                state.phase = s.ASK_FLEE
                return
            leave(state, seat, i)
            state.prisoners[1 - seat] += 1
            log.captured[seat] += 1
            log.fled[seat] += 1
    if is_decided(state):
        conclude(rules, state, log)
    else:
        begin_blows(state, s.FURIOUS)


@compiled
def _is_refuge(rules, state, seat, segment):
    if state.owner[segment] != seat or state.warriors[1 - seat, segment] > 0:
        return False
    return has_room(rules, state, seat, segment)


@compiled
def _has_refuge(rules, state, seat):
    found = False
    for i in range(rules.degree[state.here]):
        found |= _is_refuge(rules, state, seat, rules.neighbours[state.here, i])
    return found


@compiled
def list_refuges(rules, state, codes):
    count = 0
    for i in range(rules.degree[state.here]):
        segment = rules.neighbours[state.here, i]
        if _is_refuge(rules, state, state.seat, segment):
            codes[count] = a.encode(a.FLEE, 0, segment)
            count += 1
    return count


@compiled
def flee(state, log, segment):
    seat = state.seat
    leave(state, seat, state.runner)
    state.warriors[seat, segment] += 1
    state.fled_to[seat, segment] += 1
    log.fled[seat] += 1
    state.phase = s.FLY
