"""The court: magnates (TRT-3), grants, and the ruler (CRT-1 to CRT-3)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, fiefs_of, has_room, is_own, is_usable
from balance.games.korona_piastow.kernel.orders import seek_seat


@compiled
def draw_magnate(state, log, seat):
    """Take a token out of the bag and return its trait, or NOTHING from an empty bag."""
    count = state.bag.sum()
    if count == 0:
        return s.NOTHING
    pick = draw_below(state.chance, s.MAGNATES, count)
    trait = 0
    while pick >= state.bag[trait]:
        pick -= state.bag[trait]
        trait += 1
    state.bag[trait] -= 1
    log.magnates_drawn[seat, trait] += 1
    a.record_draw(state, log, a.MAGNATE, a.pack(seat, trait))
    return trait


@compiled
def gain_magnate(state, log, seat):
    """Draw a free magnate."""
    trait = draw_magnate(state, log, seat)
    if trait != s.NOTHING:
        state.free_magnates[seat, trait] += 1


@compiled
def dismiss_magnate(state, district):
    """Return a district's magnate to the bag."""
    if state.magnate[district] != s.NOTHING:
        state.bag[state.magnate[district]] += 1
        state.magnate[district] = s.NOTHING


@compiled
def dismiss_free(state, seat):
    """Return all free magnates of a ruler to the bag."""
    for trait in range(state.bag.shape[0]):
        state.bag[trait] += state.free_magnates[seat, trait]
        state.free_magnates[seat, trait] = 0


GRANTING, RULING = 1, 2  # values of `left` for the active seat; 0: its magnates act


@compiled
def seek_courtier(rules, state):
    """Find the next magnate, grant or ruler to decide; return False when the court is over."""
    while seek_seat(state):
        if state.left == 0:
            while state.step < rules.district_count:
                if _is_granted(state, state.step):
                    state.district = state.step
                    state.phase = s.ASK_MAGNATE
                    return True
                state.step += 1
            state.left = GRANTING
        if state.left == GRANTING:
            if state.free_magnates[state.seat].sum() > 0 and _has_vacancy(rules, state):
                state.phase = s.ASK_GRANT
                return True
            state.left = RULING
        state.district = state.stands[state.seat]
        state.phase = s.ASK_RULER
        return True
    state.phase = s.EVENT
    return False


@compiled
def _is_granted(state, district):
    """Return whether the seat has a magnate in a district who still has an action (CRT-1)."""
    own = state.owner[district] == state.seat and state.magnate[district] != s.NOTHING
    return own and state.stands[state.seat] != district


@compiled
def _is_vacant(state, district):
    """Return whether the seat may grant a district (CRT-2)."""
    seat = state.seat
    free = state.owner[district] == seat and state.magnate[district] == s.NOTHING
    return free and state.capital[seat] != district


@compiled
def _has_vacancy(rules, state):
    found = False
    for district in range(rules.district_count):
        found |= _is_vacant(state, district)
    return found


@compiled
def _list_works(rules, state, kind, codes, count):
    """Append the repairs and the raising that a magnate or ruler may do in a district."""
    seat = state.seat
    for fief in fiefs_of(rules, state.district):
        if not is_own(rules, state, fief, seat):
            continue
        if state.devastated[fief] and state.denars[seat] >= rules.repair_cost:
            count = a.append(codes, count, kind, a.REPAIR, fief)
        usable = has_room(rules, state, fief) and is_usable(state, fief)
        if usable and state.denars[seat] >= rules.raise_cost:
            count = a.append(codes, count, kind, a.RAISE, fief)
    return count


@compiled
def list_magnate(rules, state, codes):
    count = a.append(codes, 0, s.ASK_MAGNATE, a.NONE, 0)
    return _list_works(rules, state, s.ASK_MAGNATE, codes, count)


@compiled
def list_grants(rules, state, codes):
    count = a.append(codes, 0, s.ASK_GRANT, a.NONE, 0)
    for trait in range(state.bag.shape[0]):
        if state.free_magnates[state.seat, trait] == 0:
            continue
        for district in range(rules.district_count):
            if _is_vacant(state, district):
                count = a.append(codes, count, s.ASK_GRANT, a.GRANT, a.pack(trait, district))
    return count


@compiled
def list_ruler(rules, state, codes):
    count = a.append(codes, 0, s.ASK_RULER, a.NONE, 0)
    seat = state.seat
    if state.stands[seat] == state.capital[seat]:
        count = a.append(codes, count, s.ASK_RULER, a.COLLECT, 0)
    for district in range(rules.district_count):
        if state.owner[district] == seat and state.stands[seat] != district:
            count = a.append(codes, count, s.ASK_RULER, a.RIDE, district)
    return _list_works(rules, state, s.ASK_RULER, codes, count)


@compiled
def _do_work(rules, state, code):
    """Repair or raise."""
    verb, fief, seat = a.verb_of(code), a.number_of(code), state.seat
    if verb == a.REPAIR:
        state.denars[seat] -= rules.repair_cost
        state.devastated[fief] = 0
    elif verb == a.RAISE:
        state.denars[seat] -= rules.raise_cost
        add_unit(state, fief, s.INFANTRY, seat)


@compiled
def use_magnate(rules, state, code):
    _do_work(rules, state, code)
    state.step += 1
    state.phase = s.COURT


@compiled
def grant(state, log, code):
    if a.verb_of(code) == a.NONE:
        state.left = RULING
    else:
        trait = a.first_of(code)
        state.free_magnates[state.seat, trait] -= 1
        state.magnate[a.second_of(code)] = trait
        log.magnates_granted[state.seat, trait] += 1
    state.phase = s.COURT


@compiled
def use_ruler(rules, state, code):
    verb = a.verb_of(code)
    if verb == a.COLLECT:
        state.denars[state.seat] += rules.collect
    elif verb == a.RIDE:
        state.stands[state.seat] = a.number_of(code)
    else:
        _do_work(rules, state, code)
    state.offset += 1
    state.step = 0
    state.left = 0
    state.phase = s.COURT
