"""Set-up of a game: lines, magnates, garrisons (SET-1 to SET-5), and placing one's units (SET-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.compiling.streams import draw_below, shuffle
from balance.contract.news import announce
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import add_unit, clear_units, has_room
from balance.games.korona_piastow.kernel.magnates import draw_magnate, gain_magnate
from balance.games.korona_piastow.kernel.tokens import remove_all_tokens


@compiled
def _clear_flow(rules, state):
    state.players = rules.players
    state.seat = 0
    state.over = 0
    state.round_number = 1
    state.phase = s.PLACE
    state.offset = 0
    state.step = 0
    state.left = 0
    state.more = 0
    state.fief = 0
    state.target = 0
    state.avenging = 0
    state.district = 0
    state.event = s.NOTHING
    state.ended_by = s.LIMIT
    state.move_count = 0
    for kind in range(state.sent.shape[0]):
        state.sent[kind] = 0


@compiled
def _clear_map(rules, state):
    for fief in range(rules.fief_count):
        clear_units(state, fief)
        state.building[fief] = s.NOTHING
        state.rising[fief] = s.NOTHING
        state.time_left[fief] = 0
        state.damage[fief] = 0
        state.devastated[fief] = 0
        state.besieger[fief] = s.NOTHING
        state.siege_round[fief] = 0
        state.defended[fief] = 0
        state.fief_kinds[fief] = 0
    for district in range(rules.district_count):
        state.owner[district] = s.NOBODY if rules.piast[district] else s.FOREIGN_STATES
        state.magnate[district] = s.NOTHING


@compiled
def _clear_seats(rules, state):
    for trait in range(state.bag.shape[0]):
        state.bag[trait] = rules.magnate_tokens
    for p in range(s.SEATS):
        state.second[p] = s.NOTHING
        state.out_round[p] = 0
        state.denars[p] = rules.start_denars[p]
        state.relics[p] = 0
        state.open_kinds[p] = 0
        state.spied[p] = s.NOTHING
        for other in range(s.SEATS):
            state.feud[p, other] = 0
        for trait in range(state.bag.shape[0]):
            state.free_magnates[p, trait] = 0
        for kind in range(state.shown.shape[1]):
            state.shown[p, kind] = 0
    remove_all_tokens(state)


@compiled
def _clear_log(log):
    log.reshuffles = 0
    log.attack = 0
    log.defence = 0
    log.walls = 0
    log.defends = 0
    for p in range(s.SEATS):
        log.orders_given[p] = 0
        log.dropped[p] = 0
        log.invasions[p] = 0
        log.won[p] = 0
        log.repelled[p] = 0
        log.lost_fiefs[p] = 0
        log.joined[p] = 0
        log.claims[p] = 0
        log.spies[p] = 0
        log.devastated[p] = 0
        log.tribute[p] = 0
        log.quests[p] = 0
        log.tithes[p] = 0
        log.income[p] = 0
    log.mustered[:, :] = 0
    log.built[:, :] = 0
    log.magnates_drawn[:, :] = 0
    log.magnates_granted[:, :] = 0
    log.events_drawn[:, :] = 0


@compiled
def _take_line(rules, state, log, scratch, seat, piast_alone):
    """A line from the pool, drawn or in the order of the rule set (SET-1, SET-4)."""
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
                    announce(state, log, a.encode(a.CHANCE_KIND, what, a.pack(seat, district)))
                return district
            pick -= 1
    return s.NOTHING


@compiled
def _may_have(rules, scratch, i, piast_alone):
    line = scratch.pool[i]
    return line != s.NOTHING and (not piast_alone or rules.piast[line] == 1)


@compiled
def deal(rules, state, log, scratch):
    """SET-1, SET-2, SET-4, SET-5 and the shuffled stack; units are placed next."""
    _clear_flow(rules, state)
    _clear_map(rules, state)
    _clear_seats(rules, state)
    _clear_log(log)
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
    state.discard_count = 0
    state.stay_count = 0
    shuffle(state.stack, state.stack_count, state.chance, s.CARDS)


@compiled
def _deal_magnates(rules, state, log):
    """SET-2: free magnates, and that of a second line, which is granted there."""
    for p in range(rules.players):
        for _ in range(rules.start_magnates[p]):
            gain_magnate(state, log, p)
        if state.second[p] != s.NOTHING:
            state.magnate[state.second[p]] = draw_magnate(state, log, p)


@compiled
def _next_unit(rules, seat, step):
    """The kind of the unit that a seat places after `step` others, ENGINE when all are placed."""
    for kind in range(s.ENGINE):
        if step < rules.start_units[seat, kind]:
            return kind
        step -= rules.start_units[seat, kind]
    return s.ENGINE


@compiled
def _count_starting(rules, seat):
    """Units of a seat for its capital district."""
    count = 0
    for kind in range(s.ENGINE):
        count += rules.start_units[seat, kind]
    return count


@compiled
def _where_to_place(rules, state):
    """The district for the next unit of the seat, NOTHING when it has placed all."""
    first = _count_starting(rules, state.offset)
    if state.step < first:
        return state.capital[state.offset]
    if state.second[state.offset] != s.NOTHING and state.step < first + rules.second_infantry:
        return state.second[state.offset]
    return s.NOTHING


@compiled
def seek_placer(rules, state):
    """Go on to the next seat with a unit to place and room for it; False when all is placed."""
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
        kind = s.INFANTRY  # of a second line
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
