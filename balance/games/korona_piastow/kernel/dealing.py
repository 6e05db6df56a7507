"""Set-up of a game: lines, magnates, garrisons (SET-1 to SET-5), and placing units (SET-3)."""

from __future__ import annotations

from balance.contract.records import record_chance
from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below, shuffle
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.court import draw_magnate, gain_magnate
from balance.games.korona_piastow.kernel.land import add_unit, has_room


@compiled
def _take_line(rules, state, log, scratch, seat, piast_alone):
    """Return a line from the pool, drawn or in the order of the rule set (SET-1, SET-4)."""
    eligible = 0
    for i in range(rules.line_count):
        eligible += _may_have(rules, scratch, i, piast_alone)
    pick = draw_below(state.chance, s.LINES, eligible) if rules.lines_drawn else 0
    for i in range(rules.line_count):
        if _may_have(rules, scratch, i, piast_alone):
            if pick == 0:
                district = scratch.pool[i]
                scratch.pool[i] = s.NOTHING
                if rules.lines_drawn:
                    what = a.SECOND if piast_alone else a.LINE
                    record_chance(state, log, a.encode(a.CHANCE_KIND, what, a.pack(seat, district)))
                return district
            pick -= 1
    return s.NOTHING


@compiled
def _may_have(rules, scratch, i, piast_alone):
    line = scratch.pool[i]
    return line != s.NOTHING and (not piast_alone or rules.piast[line] == 1)


@compiled
def deal(rules, state, log, scratch):
    """Deal a game and shuffle the stack (SET-1, SET-2, SET-4, SET-5); placing units comes next."""
    state.players = rules.players
    state.round_number = 1
    for district in range(rules.district_count):
        state.owner[district] = s.NOBODY if rules.piast[district] else s.FOREIGN_STATES
    for trait in range(state.bag.shape[0]):
        state.bag[trait] = rules.magnate_tokens
    for p in range(rules.players):
        state.denars[p] = rules.start_denars[p]
    for i in range(rules.line_count):
        scratch.pool[i] = rules.lines[i]
    for p in range(rules.players):
        state.capital[p] = _take_line(rules, state, log, scratch, p, False)
        state.stands[p] = state.capital[p]
        state.owner[state.capital[p]] = p
    if rules.second_lines:
        for p in range(rules.players):
            state.second[p] = _take_line(rules, state, log, scratch, p, True)
            state.owner[state.second[p]] = p
    _deal_magnates(rules, state, log)
    for fief in range(rules.fief_count):
        if state.owner[rules.district_of[fief]] == s.FOREIGN_STATES:
            state.units[fief, s.FOREIGN] = min(rules.foreign_garrison, rules.fief_limit)
    for card in range(rules.card_count):
        state.stack[card] = card
    state.stack_count = rules.card_count
    shuffle(state.stack, state.stack_count, state.chance, s.CARDS)


@compiled
def _deal_magnates(rules, state, log):
    """Deal free magnates, and the magnate granted to a second line (SET-2)."""
    for p in range(rules.players):
        for _ in range(rules.start_magnates[p]):
            gain_magnate(state, log, p)
        if state.second[p] != s.NOTHING:
            state.magnate[state.second[p]] = draw_magnate(state, log, p)


@compiled
def _next_unit(rules, seat, step):
    """Return the kind of the unit that a seat places after `step` others; ENGINE when all are placed."""
    for kind in range(s.ENGINE):
        if step < rules.start_units[seat, kind]:
            return kind
        step -= rules.start_units[seat, kind]
    return s.ENGINE


@compiled
def _count_starting(rules, seat):
    """Return the number of units of a seat for its capital district."""
    count = 0
    for kind in range(s.ENGINE):
        count += rules.start_units[seat, kind]
    return count


@compiled
def _where_to_place(rules, state):
    """Return the district for the seat's next unit; NOTHING when it has placed all units."""
    first = _count_starting(rules, state.offset)
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
        for i in range(rules.district_size[district]):
            if has_room(rules, state, rules.fiefs_of[district, i]):
                state.seat = state.offset
                return True
        state.step += 1  # a unit without room is lost
    return False


@compiled
def list_places(rules, state, codes):
    district = _where_to_place(rules, state)
    kind = _next_unit(rules, state.offset, state.step)
    if kind == s.ENGINE:
        kind = s.INFANTRY  # units of a second line
    count = 0
    for i in range(rules.district_size[district]):
        fief = rules.fiefs_of[district, i]
        if has_room(rules, state, fief):
            codes[count] = a.encode(s.ASK_PLACE, a.PLACE, a.pack(kind, fief))
            count += 1
    return count


@compiled
def place(state, code):
    add_unit(state, a.second_of(code), a.first_of(code), state.seat)
    state.step += 1
    state.phase = s.PLACE
