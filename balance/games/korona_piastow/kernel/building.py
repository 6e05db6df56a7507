"""Buildings: begin, hasten, finish, damage (BLD-1 to BLD-5)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    is_besieged,
    is_occupied,
    is_own,
    is_usable,
    owner_of,
)


@compiled
def list_builds(rules, state, fief, codes, count):
    """Append the buildings that may be begun in a fief, and hastening."""
    seat = state.seat
    if not is_own(rules, state, fief, seat) or not is_usable(state, fief):
        return count
    for kind in range(rules.building_cost.shape[0]):
        if _is_fit(state, fief, kind) and state.denars[seat] >= rules.building_cost[kind]:
            codes[count] = a.encode(s.ASK_BUILD, a.BUILD, kind)
            count += 1
    if _waits(state, fief):
        codes[count] = a.encode(s.ASK_BUILD, a.HASTEN, 0)
        count += 1
    return count


@compiled
def _is_fit(state, fief, kind):
    """Return whether a fief has no building and no construction, or a castle replaces a gród (BLD-2)."""
    if state.rising[fief] != s.NOTHING:
        return False
    standing = state.building[fief]
    return standing == s.NOTHING or (standing == s.GROD and kind == s.CASTLE)


@compiled
def _waits(state, fief):
    """Return whether a building in a fief is under construction or damaged."""
    return state.rising[fief] != s.NOTHING or state.damage[fief] > 0


@compiled
def build(rules, state, log, code):
    """Begin a building, its time reduced by the time trait acting there (BLD-3), or hasten one."""
    fief = state.fief
    if a.verb_of(code) == a.HASTEN:
        pass_time(rules, state, log, fief, rules.hasten_units)
    else:
        kind = a.number_of(code)
        state.denars[state.seat] -= rules.building_cost[kind]
        state.rising[fief] = kind
        shorter = acting_trait(rules, state, rules.district_of[fief], s.TIME)
        state.time_left[fief] = max(1, rules.building_time[kind] - shorter)
    state.phase = s.END_ORDER


@compiled
def pass_time(rules, state, log, fief, units):
    """Reduce the time units of a construction, or else of a damage (BLD-4)."""
    if state.rising[fief] != s.NOTHING:
        state.time_left[fief] -= min(units, state.time_left[fief])
        if state.time_left[fief] == 0:
            owner = owner_of(rules, state, fief)
            record_outcome(state, log, a.BUILT, owner, fief, state.rising[fief])
            state.building[fief] = state.rising[fief]
            state.rising[fief] = s.NOTHING
            state.damage[fief] = 0
            if owner >= 0:
                log.built[owner, state.building[fief]] += 1
    elif state.damage[fief] > 0:
        state.damage[fief] -= min(units, state.damage[fief])


@compiled
def pass_time_everywhere(rules, state, log, units, hindered):
    """Reduce the time units of all buildings (BLD-4); `hindered` includes occupied and besieged fiefs."""
    for fief in range(rules.fief_count):
        if not _waits(state, fief):
            continue
        if hindered or not (is_besieged(state, fief) or is_occupied(rules, state, fief)):
            pass_time(rules, state, log, fief, units)
