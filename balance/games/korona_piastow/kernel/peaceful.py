"""Peaceful orders: muster (MUS), regroup (REG), build (BLD), quest (QST) and tithe (TTH)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import draw_fate
from balance.games.korona_piastow.kernel.court import gain_magnate
from balance.games.korona_piastow.kernel.land import (
    acting_trait,
    add_unit,
    free_fiefs,
    has_room,
    has_troops_of,
    holder_of,
    is_besieged,
    is_occupied,
    is_own,
    is_usable,
    neighbours_of,
    owner_of,
    units_in,
)


@compiled
def begin_muster(rules, state):
    state.left = rules.muster_units
    state.more = 0
    state.phase = s.ASK_MUSTER


@compiled
def list_musters(rules, state, fief, codes, count):
    """Append the units that may be mustered in a fief."""
    seat = state.seat
    if not has_room(rules, state, fief) or not is_usable(state, fief):
        return count
    for kind in range(s.FOREIGN):
        if state.denars[seat] >= rules.cost[kind] and _may_muster(rules, state, seat, fief, kind):
            count = a.append(codes, count, s.ASK_MUSTER, a.MUSTER, kind)
    return count


@compiled
def _may_muster(rules, state, seat, fief, kind):
    """Return whether a unit may be mustered in a fief (MUS-2)."""
    if kind == s.KNIGHT:
        return is_own(rules, state, fief, seat) and free_fiefs(rules, state, seat) > 0
    return kind != s.ENGINE or has_troops_of(state, fief, seat)


@compiled
def muster(rules, state, log, scratch, code):
    """Muster a unit, or end the order; the order also ends when nothing more is possible."""
    if a.verb_of(code) == a.DONE:
        state.phase = s.END_ORDER
        return
    kind = a.number_of(code)
    state.denars[state.seat] -= rules.cost[kind]
    add_unit(state, state.fief, kind, state.seat)
    log.mustered[state.seat, kind] += 1
    state.left -= 1
    state.more = 1
    if state.left == 0 or list_musters(rules, state, state.fief, scratch.codes, 0) == 0:
        state.phase = s.END_ORDER


@compiled
def begin_regroup(rules, state):
    state.left = rules.regroup_moves
    state.more = 0
    state.move_count = 0
    state.phase = s.ASK_REGROUP


@compiled
def list_regroups(rules, state, fief, codes, count):
    """Append the moves out of a fief and into it, by adjoining fief."""
    for other in neighbours_of(rules, fief):
        count = _list_moves(rules, state, fief, other, codes, count)
        count = _list_moves(rules, state, other, fief, codes, count)
    return count


@compiled
def _list_moves(rules, state, source, target, codes, count):
    seat = state.seat
    if not has_troops_of(state, source, seat) or holder_of(rules, state, target) != seat:
        return count
    for kind in range(state.units.shape[1]):
        if kind == s.ENGINE or state.units[source, kind] == 0:
            continue
        if kind != s.FOREIGN or has_troops_of(state, target, seat):
            count = a.append(codes, count, s.ASK_REGROUP, a.MOVE, a.pack(a.pack(source, target), kind))
    return count


@compiled
def regroup(rules, state, scratch, code):
    """Move a unit, or end the order; the order also ends when nothing more is possible."""
    if a.verb_of(code) == a.DONE:
        _end_regroup(rules, state)
        return
    kind = a.second_of(code)
    source, target = a.first_of(a.first_of(code)), a.second_of(a.first_of(code))
    state.units[source, kind] -= 1
    add_unit(state, target, kind, state.seat)
    i = state.move_count
    state.move_from[i] = source
    state.move_to[i] = target
    state.move_unit[i] = kind
    state.move_count += 1
    state.left -= 1
    state.more = 1
    if state.left == 0 or list_regroups(rules, state, state.fief, scratch.codes, 0) == 0:
        _end_regroup(rules, state)


@compiled
def _is_over(rules, state, fief):
    """Return whether a fief or one of its neighbours is over its limit."""
    over = units_in(state, fief) > rules.fief_limit
    for other in neighbours_of(rules, fief):
        over |= units_in(state, other) > rules.fief_limit
    return over


@compiled
def _end_regroup(rules, state):
    """End the order; if a fief is over its limit, take all moves back (REG-2)."""
    if _is_over(rules, state, state.fief):
        for i in range(state.move_count - 1, -1, -1):
            kind = state.move_unit[i]
            state.units[state.move_to[i], kind] -= 1
            add_unit(state, state.move_from[i], kind, state.seat)
    state.move_count = 0
    state.phase = s.END_ORDER


@compiled
def list_builds(rules, state, fief, codes, count):
    """Append the buildings that may be begun in a fief, and hastening."""
    seat = state.seat
    if not is_own(rules, state, fief, seat) or not is_usable(state, fief):
        return count
    for kind in range(rules.building_cost.shape[0]):
        if _is_fit(state, fief, kind) and state.denars[seat] >= rules.building_cost[kind]:
            count = a.append(codes, count, s.ASK_BUILD, a.BUILD, kind)
    if _waits(state, fief):
        count = a.append(codes, count, s.ASK_BUILD, a.HASTEN, 0)
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


@compiled
def do_quest(rules, state, log):
    """Carry out a quest; the sum of both numbers of a fate card decides its result."""
    seat = state.seat
    log.seats[seat].quests += 1
    card = draw_fate(state, log, a.FATE_QUEST)
    total = rules.fate_attack[card] + rules.fate_defence[card]
    found = _found_by_quest(rules, state, total)
    denars = rules.quest_denars if found == a.FOUND_DENARS else 0
    record_outcome(state, log, a.QUEST, seat, state.fief, total, found, denars)
    if found == a.KNIGHT_LOST:
        state.units[state.fief, s.KNIGHT] -= 1
    elif found == a.FOUND_DENARS:
        state.denars[seat] += rules.quest_denars
    elif found == a.FOUND_MAGNATE:
        gain_magnate(state, log, seat)
    elif found == a.FOUND_RELIC:
        state.relics[seat] += 1
    state.phase = s.END_ORDER


@compiled
def _found_by_quest(rules, state, total):
    """Return what a quest finds; an empty bag has no magnate."""
    if total <= rules.quest_lost:
        return a.KNIGHT_LOST
    if total <= rules.quest_nothing:
        return a.FOUND_NOTHING
    if total <= rules.quest_money:
        return a.FOUND_DENARS
    if total <= rules.quest_magnate:
        return a.FOUND_MAGNATE if state.bag.sum() > 0 else a.FOUND_NOTHING
    return a.FOUND_RELIC


@compiled
def take_tithe(rules, state, log):
    state.denars[state.seat] += rules.tithe
    log.seats[state.seat].tithes += 1
    state.phase = s.END_ORDER
