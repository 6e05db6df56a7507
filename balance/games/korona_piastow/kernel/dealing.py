"""How a game begins (SET-1 to SET-7), and the components that studies count, give and remove."""

from __future__ import annotations

import numpy as np

from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import draw_below, shuffle
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.court import draw_magnate, gain_magnate
from balance.games.korona_piastow.kernel.land import add_unit, fiefs_of, has_room, has_troops_of, is_own
from balance.games.korona_piastow.rules.tables import BUILDINGS, MOST_CARDS, TRAITS, UNITS


@compiled
def _draw_line(rules, state, log, seat, piast_alone):
    """Return a line from the pool, drawn or in the order of the rule set (SET-1, SET-4)."""
    eligible = 0
    for i in range(rules.line_count):
        eligible += _is_left(rules, state, rules.lines[i], piast_alone)
    pick = draw_below(state.chance, s.LINES, eligible) if rules.lines_drawn else 0
    for i in range(rules.line_count):
        district = rules.lines[i]
        if _is_left(rules, state, district, piast_alone):
            if pick == 0:
                if rules.lines_drawn:
                    what = a.SECOND if piast_alone else a.LINE
                    a.record_draw(state, log, what, a.pack(seat, district))
                return district
            pick -= 1
    return s.NOTHING


@compiled
def _is_left(rules, state, line, piast_alone):
    """Return whether no ruler has a line of the pool yet."""
    left = not piast_alone or rules.piast[line] == 1
    for p in range(state.players):
        left &= state.capital[p] != line and state.second[p] != line
    return left


@compiled
def lay_out(rules, state):
    """Lay out the map without rulers, fill the bag of magnates, and shuffle the stack."""
    state.players = rules.players
    state.round_number = 1
    state.rounds_before = rules.rounds_before
    for district in range(rules.district_count):
        state.owner[district] = s.NOBODY if rules.piast[district] else s.FOREIGN_STATES
    for trait in range(state.bag.shape[0]):
        state.bag[trait] = rules.magnate_tokens
    for card in range(rules.card_count):
        state.stack[card] = card
    state.stack_count = rules.card_count
    shuffle(state.stack, state.stack_count, state.chance, s.CARDS)


@compiled
def seek_line(rules, state, log):
    """Give the next ruler a line; return True if it chooses. Deal the rest when all have one (SET-1)."""
    if state.offset == rules.players:
        state.offset = 0
        if rules.scenario:
            _take_position(rules, state)
            state.phase = s.BEGIN_ROUND
        else:
            _deal(rules, state, log)
            state.phase = s.PLACE
        return False
    state.seat = state.offset
    if rules.lines_chosen:
        state.phase = s.ASK_LINE
        return True
    _give_line(rules, state, _draw_line(rules, state, log, state.seat, False))
    return False


@compiled
def list_lines(rules, state, codes):
    """List the lines that are left, in the order of the rule set."""
    count = 0
    for i in range(rules.line_count):
        if _is_left(rules, state, rules.lines[i], False):
            count = a.append(codes, count, s.ASK_LINE, a.CHOOSE_LINE, rules.lines[i])
    return count


@compiled
def choose_line(rules, state, code):
    _give_line(rules, state, a.number_of(code))
    state.phase = s.TAKE_LINE


@compiled
def _give_line(rules, state, line):
    """Make the seat rule a line from its capital district."""
    seat = state.seat
    state.capital[seat] = line
    state.stands[seat] = line
    state.owner[line] = seat
    state.offset += 1


@compiled
def _deal(rules, state, log):
    """Deal denars, second lines, magnates and garrisons (SET-2, SET-4 to SET-6)."""
    for p in range(rules.players):
        state.denars[p] = max(0, rules.start_denars[p] + rules.line_denars[state.capital[p]])
    if rules.second_lines:
        for p in range(rules.players):
            state.second[p] = _draw_line(rules, state, log, p, True)
            state.owner[state.second[p]] = p
    _deal_magnates(rules, state, log)
    for fief in range(rules.fief_count):
        _garrison(rules, state, fief)


@compiled
def _garrison(rules, state, fief):
    """Put foreign units into a fief of the foreign states (SET-5)."""
    if state.owner[rules.district_of[fief]] == s.FOREIGN_STATES:
        state.units[fief, s.FOREIGN] = min(rules.foreign_garrison, rules.fief_limit)


@compiled
def _ruler_of(state, line):
    """Return the seat that rules a line, or NOTHING."""
    for p in range(state.players):
        if state.capital[p] == line:
            return p
    return s.NOTHING


@compiled
def _take_position(rules, state):
    """Set up the written position of the rulers in the game (SET-7)."""
    for district in range(rules.district_count):
        seat = _ruler_of(state, rules.written_owner[district])
        if seat != s.NOTHING and state.owner[district] < 0:
            state.owner[district] = seat
            trait = rules.written_magnate[district]
            if trait != s.NOTHING:
                state.magnate[district] = trait
                state.bag[trait] -= 1
    for p in range(state.players):
        line = state.capital[p]
        state.denars[p] = rules.written_denars[line]
        state.relics[p] = rules.written_relics[line]
        if state.owner[rules.written_stands[line]] == p:
            state.stands[p] = rules.written_stands[line]
        for trait in range(state.bag.shape[0]):
            state.free_magnates[p, trait] = rules.written_free[line, trait]
            state.bag[trait] -= rules.written_free[line, trait]
    for fief in range(rules.fief_count):
        if rules.written[fief]:
            _take_fief(rules, state, fief)
        else:
            _garrison(rules, state, fief)


@compiled
def _take_fief(rules, state, fief):
    """Set up a written fief; units of a ruler who is not in the game are left out."""
    state.lord[fief] = _ruler_of(state, rules.written_lord[fief])
    state.units[fief, s.FOREIGN] = rules.written_units[fief, s.FOREIGN]
    if state.lord[fief] != s.NOTHING:
        for kind in range(s.FOREIGN):
            state.units[fief, kind] = rules.written_units[fief, kind]
    state.building[fief] = rules.written_building[fief]
    state.damage[fief] = rules.written_damage[fief]
    state.rising[fief] = rules.written_site[fief]
    state.time_left[fief] = rules.written_time[fief]
    state.devastated[fief] = rules.written_devastated[fief]


@compiled
def _deal_magnates(rules, state, log):
    """Deal free magnates, and the magnate granted to a second line (SET-2, SET-6)."""
    for p in range(rules.players):
        for _ in range(max(0, rules.start_magnates[p] + rules.line_magnates[state.capital[p]])):
            gain_magnate(state, log, p)
        if state.second[p] != s.NOTHING:
            state.magnate[state.second[p]] = draw_magnate(state, log, p)


@compiled
def _first_units(rules, state, seat, kind):
    """Return how many units of a kind a seat has for its capital district (SET-3, SET-6)."""
    return max(0, rules.start_units[seat, kind] + rules.line_units[state.capital[seat], kind])


@compiled
def _next_unit(rules, state, seat, step):
    """Return the kind of the unit that a seat places after `step` others; a second line has infantry."""
    for kind in range(s.ENGINE):
        count = _first_units(rules, state, seat, kind)
        if step < count:
            return kind
        step -= count
    return s.INFANTRY


@compiled
def _where_to_place(rules, state):
    """Return the district for the seat's next unit; NOTHING when it has placed all units."""
    first = 0
    for kind in range(s.ENGINE):
        first += _first_units(rules, state, state.offset, kind)
    if state.step < first:
        return state.capital[state.offset]
    if state.second[state.offset] != s.NOTHING and state.step < first + rules.second_infantry:
        return state.second[state.offset]
    return s.NOTHING


@compiled
def seek_placer(rules, state):
    """Find the next seat with a unit to place and room for it; return False when all units are placed."""
    while state.offset < rules.players:
        district = _where_to_place(rules, state)
        if district == s.NOTHING:
            state.offset += 1
            state.step = 0
            continue
        for fief in fiefs_of(rules, district):
            if has_room(rules, state, fief):
                state.seat = state.offset
                state.phase = s.ASK_PLACE
                return True
        state.step += 1  # a unit without room is lost
    state.phase = s.BEGIN_ROUND
    return False


@compiled
def list_places(rules, state, codes):
    district = _where_to_place(rules, state)
    kind = _next_unit(rules, state, state.offset, state.step)
    count = 0
    for fief in fiefs_of(rules, district):
        if has_room(rules, state, fief):
            count = a.append(codes, count, s.ASK_PLACE, a.PLACE, a.pack(kind, fief))
    return count


@compiled
def place(state, code):
    add_unit(state, a.second_of(code), a.first_of(code), state.seat)
    state.step += 1
    state.phase = s.PLACE


# The numbers of a kind's components begin here.
BUILT = len(TRAITS)


RAISED = BUILT + len(BUILDINGS)


EVENTS = RAISED + len(UNITS) - 1  # no ruler musters foreign units


MOST_COMPONENTS = EVENTS + MOST_CARDS


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken`: magnates drawn and granted, buildings, units, events.

    Units count as shown once per game, after placing; a seat that musters a kind takes it.
    """
    counts.shown[:] = 0
    begun = state.phase != s.ASK_PLACE and state.phase != s.ASK_LINE
    for unit in range(s.FOREIGN):
        counts.shown[RAISED + unit] = begun
    for p in range(s.SEATS):
        for trait in range(state.bag.shape[0]):
            counts.shown[trait] += log.magnates_drawn[p, trait]
            counts.taken[p, trait] = log.magnates_granted[p, trait]
        for kind in range(rules.building_cost.shape[0]):
            counts.shown[BUILT + kind] += log.built[p, kind]
            counts.taken[p, BUILT + kind] = log.built[p, kind]
        for unit in range(s.FOREIGN):
            counts.taken[p, RAISED + unit] = log.mustered[p, unit]
        for card in range(rules.card_count):
            counts.shown[EVENTS + card] += log.events_drawn[p, card]
            counts.taken[p, EVENTS + card] = log.events_drawn[p, card]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Give a free magnate, or a building or unit in an own fief; return False if no fief has room for it."""
    if state.out_round[seat] > 0 or component >= EVENTS:
        return False
    if component < BUILT:
        state.free_magnates[seat, component] += 1
        return True
    if component < RAISED:
        fief = _find_site(rules, state, seat)
        if fief != s.NOTHING:
            state.building[fief] = component - BUILT
            state.damage[fief] = 0
        return fief != s.NOTHING
    fief = _find_camp(rules, state, seat, component - RAISED)
    if fief != s.NOTHING:
        add_unit(state, fief, component - RAISED, seat)
    return fief != s.NOTHING


@compiled
def _find_site(rules, state, seat):
    """Return an own fief without devastation and building (BLD-2), or NOTHING."""
    for fief in range(rules.fief_count):
        empty = state.building[fief] == s.NOTHING and state.rising[fief] == s.NOTHING
        if empty and state.devastated[fief] == 0 and is_own(rules, state, fief, seat):
            return fief
    return s.NOTHING


@compiled
def _find_camp(rules, state, seat, unit):
    """Return an own fief with room, if possible with other units of the ruler: an engine needs them (UNT-1)."""
    found = s.NOTHING
    for fief in range(rules.fief_count):
        if is_own(rules, state, fief, seat) and has_room(rules, state, fief):
            if has_troops_of(state, fief, seat):
                return fief
            if found == s.NOTHING and unit != s.ENGINE:
                found = fief
    return found


def remove_component(packed: np.record, component: int) -> None:
    """Remove an event's effect in place; its numbers of fate stay."""
    card = component - EVENTS
    packed.effect[card] = s.GAIN
    packed.card_number[card] = 0
