"""Stage d: the furious strike, then the fighting; on whom their blows fall (CMB-4, CMB-5)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.combat import conclude, is_decided, kill


@compiled
def _count(state, seat, behaviour):
    """Warriors of a seat who behave so."""
    count = 0
    for i in range(state.fighters[seat]):
        count += state.behaviour[seat, i] == behaviour
    return count


@compiled
def begin_blows(state, strikers):
    """Both sides strike at once: the blows are counted before any falls."""
    state.strikers = strikers
    for seat in range(s.SEATS):
        state.blows[seat] = _count(state, seat, strikers)
    state.striker = state.active
    state.phase = s.STRIKE


@compiled
def strike(rules, state, log):
    """Let the blows of the striker fall until it must choose; then the other's, then the next stage."""
    seat = state.striker
    other = 1 - seat
    while state.blows[seat] > 0 and state.warriors[other, state.here] > 0:
        if state.cushion > 0 and seat == state.active and state.strikers == s.FIGHTING:
            state.cushion -= 1
            state.blows[seat] -= 1
            log.blows_ignored[other] += 1
            continue
        worst = _first_target(state, other)
        if worst == s.STANDING and state.blows[seat] < _count(state, other, s.STANDING):
            state.seat = seat
            state.phase = s.ASK_HIT
            return
        _hit_first(state, log, other, worst)
    if seat == state.active:
        state.striker = other
    elif state.strikers == s.FURIOUS:
        begin_blows(state, s.FIGHTING)
    elif is_decided(state):
        conclude(rules, state, log)
    else:
        state.phase = s.ROLL


@compiled
def _first_target(state, seat):
    """The behaviour of those on whom blows fall first."""
    worst = s.GONE
    for i in range(state.fighters[seat]):
        worst = max(worst, state.behaviour[seat, i])
    return worst


@compiled
def _hit_first(state, log, seat, behaviour):
    """The lowest number of those who behave so dies."""
    for i in range(state.fighters[seat]):
        if state.behaviour[seat, i] == behaviour:
            state.blows[1 - seat] -= 1
            kill(state, log, seat, i)
            return


@compiled
def list_targets(state, codes):
    """The lowest number of each morale among the standing."""
    other = 1 - state.seat
    count = 0
    for i in range(state.fighters[other]):
        if state.behaviour[other, i] != s.STANDING:
            continue
        known = False
        for j in range(i):
            standing = state.behaviour[other, j] == s.STANDING
            known |= standing and state.boost[other, j] == state.boost[other, i]
        if not known:
            codes[count] = a.encode(a.HIT, 0, i)
            count += 1
    return count


@compiled
def hit(state, log, i):
    state.blows[state.seat] -= 1
    kill(state, log, 1 - state.seat, i)
    state.phase = s.STRIKE
