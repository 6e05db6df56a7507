"""Holders and owners on the map (section 1), active buildings, traits, and scores (END-2)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import state as s


@compiled
def neighbours_of(rules, fief):
    """Return the adjoining fiefs."""
    return rules.neighbours[fief, : rules.degree[fief]]


@compiled
def fiefs_of(rules, district):
    return rules.fiefs_of[district, : rules.district_size[district]]


@compiled
def troops_in(state, fief):
    """Return the number of infantry, cavalry and knights, the units that hold a fief (MAP-4)."""
    return state.units[fief, s.INFANTRY] + state.units[fief, s.CAVALRY] + state.units[fief, s.KNIGHT]


@compiled
def fighters_in(state, fief):
    """Return the number of units without engines but with allies, which are lost one by one (CMB-4)."""
    return troops_in(state, fief) + state.units[fief, s.FOREIGN]


@compiled
def units_in(state, fief):
    """Return the number of all units, which the limit counts (MAP-2)."""
    return fighters_in(state, fief) + state.units[fief, s.ENGINE]


@compiled
def has_room(rules, state, fief):
    return units_in(state, fief) < rules.fief_limit


@compiled
def has_troops_of(state, fief, seat):
    return state.lord[fief] == seat and troops_in(state, fief) > 0


@compiled
def holder_of(rules, state, fief):
    """Return the seat that holds a fief, NOBODY or FOREIGN_STATES (MAP-4)."""
    if troops_in(state, fief) > 0:
        return state.lord[fief]
    if state.units[fief, s.FOREIGN] > 0:
        return s.FOREIGN_STATES
    return state.owner[rules.district_of[fief]]


@compiled
def owner_of(rules, state, fief):
    """Return the owner of a fief's district: a seat, NOBODY or FOREIGN_STATES."""
    return state.owner[rules.district_of[fief]]


@compiled
def is_occupied(rules, state, fief):
    return holder_of(rules, state, fief) != owner_of(rules, state, fief)


@compiled
def is_own(rules, state, fief, seat):
    return owner_of(rules, state, fief) == seat and holder_of(rules, state, fief) == seat


@compiled
def add_unit(state, fief, kind, seat):
    """Add a unit; a foreign unit has no lord, or becomes an ally of the units there."""
    state.units[fief, kind] += 1
    if kind != s.FOREIGN:
        state.lord[fief] = seat


@compiled
def clear_units(state, fief):
    state.units[fief, :] = 0
    state.lord[fief] = s.NOTHING


@compiled
def devastate(state, fief):
    """Devastate a fief; a construction there is lost (MAP-5)."""
    state.devastated[fief] = 1
    state.rising[fief] = s.NOTHING


@compiled
def is_besieged(state, fief):
    return state.besieger[fief] != s.NOTHING


@compiled
def is_usable(state, fief):
    """Return whether units and buildings may appear: neither devastated nor besieged (MUS-1, BLD-1, CRT-1)."""
    return state.devastated[fief] == 0 and not is_besieged(state, fief)


@compiled
def is_fortress(state, fief):
    return state.building[fief] == s.GROD or state.building[fief] == s.CASTLE


@compiled
def fortress_counts(rules, state, fief, seat):
    """Return whether a gród or castle counts against a seat, or the foreign states (CMB-2)."""
    if not is_fortress(state, fief) or state.damage[fief] > 0:
        return False
    waited = state.round_number - state.siege_round[fief]
    return state.besieger[fief] != seat or seat < 0 or waited < rules.siege_rounds


@compiled
def is_active(rules, state, fief, seat):
    """Return whether a building is finished, undamaged and in an own fief of the seat (TRB-2)."""
    standing = state.building[fief] != s.NOTHING and state.damage[fief] == 0
    return standing and is_own(rules, state, fief, seat)


@compiled
def count_active(rules, state, seat, building):
    count = 0
    for fief in range(rules.fief_count):
        count += state.building[fief] == building and is_active(rules, state, fief, seat)
    return count


@compiled
def has_active(rules, state, seat, building):
    return count_active(rules, state, seat, building) > 0


@compiled
def has_fortress(rules, state, seat):
    """Return whether the state has an active gród or castle (ORD-3, SGE-1)."""
    return has_active(rules, state, seat, s.GROD) or has_active(rules, state, seat, s.CASTLE)


@compiled
def is_diocese(rules, state, district):
    """Return whether a district has a finished cathedral (BLD-7)."""
    found = False
    for fief in fiefs_of(rules, district):
        found |= state.building[fief] == s.CATHEDRAL
    return found


@compiled
def acting_trait(rules, state, district, trait):
    """Return the value of a trait of a district's ruler or magnate there (TRT-2)."""
    owner = state.owner[district]
    if owner < 0:
        return 0
    if state.stands[owner] == district:
        return rules.ruler[trait]
    return rules.magnate[trait] if state.magnate[district] == trait else 0


@compiled
def count_knights(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        if state.lord[fief] == seat:
            count += state.units[fief, s.KNIGHT]
    return count


@compiled
def free_fiefs(rules, state, seat):
    """Return the number of a seat's free fiefs (TRB-1)."""
    count = 0
    for fief in range(rules.fief_count):
        count += state.devastated[fief] == 0 and is_own(rules, state, fief, seat)
    return max(0, count - count_knights(rules, state, seat))


@compiled
def is_zakon(rules, state, seat):
    """Return whether a seat rules a foreign line."""
    return rules.piast[state.capital[seat]] == 0


@compiled
def has_knight(state, fief, seat):
    return has_troops_of(state, fief, seat) and state.units[fief, s.KNIGHT] > 0


@compiled
def allows_tithe(rules, state, seat, fief):
    """Return whether a tithe is possible in a fief (TTH-1)."""
    if state.devastated[fief] or not is_own(rules, state, fief, seat):
        return False
    diocese = is_diocese(rules, state, rules.district_of[fief])
    return diocese and has_active(rules, state, seat, s.CATHEDRAL)


@compiled
def _is_protected(rules, state, district):
    """Return whether a diocese has its owner's magnate or ruler (BLD-7)."""
    present = state.magnate[district] != s.NOTHING or state.stands[state.owner[district]] == district
    return present and is_diocese(rules, state, district)


@compiled
def score_of(rules, state, seat):
    """Return a ruler's score (END-2)."""
    if state.out_round[seat] > 0:
        return 0
    zakon = is_zakon(rules, state, seat)
    count = 0
    for district in range(rules.district_count):
        if state.owner[district] == seat and (zakon or rules.piast[district] == 1):
            protected = _is_protected(rules, state, district)
            for fief in fiefs_of(rules, district):
                count += protected or holder_of(rules, state, fief) == seat
    return max(0, count + rules.crown - rules.zakon_crown) if zakon else count


@compiled
def count_units(rules, state, seat):
    """Return the number of units that obey a ruler, including allies."""
    count = 0
    for fief in range(rules.fief_count):
        if state.lord[fief] == seat:
            count += units_in(state, fief)
    return count


@compiled
def count_own_fiefs(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += is_own(rules, state, fief, seat)
    return count
