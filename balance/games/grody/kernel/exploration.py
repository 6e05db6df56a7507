"""Turning up terrain: the exchange, who goes back, who appears (MOV-3, MOV-4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.contract.news import announce
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import capacity_of, has_room
from balance.games.grody.kernel.ends import check_conquest
from balance.games.grody.kernel.fate import pick_card


@compiled
def explore_next(rules, state, log):
    """Turn up the next segment that was entered; after the last, the combats."""
    if state.explored == state.entered_count:
        check_conquest(rules, state, log)
        if state.over == 0:
            state.phase = s.NEXT_COMBAT
        return
    seat = state.active
    segment = state.entered[state.explored]
    state.owner[segment] = seat
    log.explored[seat] += 1
    _turn_up(state, log, segment)
    if state.had_first[seat] == 0 or state.scouts > 0:
        state.seat = seat
        state.phase = s.ASK_EXCHANGE
    else:
        _settle(rules, state, log, segment)


@compiled
def _turn_up(state, log, segment):
    """Draw a terrain card for a segment."""
    terrain = pick_card(state.terrain_deck, state.terrain_count, state.chance, s.TERRAIN_DECK)
    state.terrain_deck[terrain] -= 1
    state.terrain_count -= 1
    state.terrain[segment] = terrain
    log.terrains_shown[terrain] += 1
    announce(state, log, a.encode_pair(a.EXPLORE, segment, terrain))


@compiled
def list_exchange(codes):
    codes[0] = a.encode(a.KEEP, 0, 0)
    codes[1] = a.encode(a.EXCHANGE, 0, 0)
    return 2


@compiled
def answer_exchange(rules, state, log, wanted):
    """Keep the terrain, or shuffle it back and turn up another, which stays."""
    seat = state.active
    segment = state.entered[state.explored]
    if wanted:
        state.terrain_deck[state.terrain[segment]] += 1
        state.terrain_count += 1
        _turn_up(state, log, segment)
        log.exchanged[seat] += 1
        if state.had_first[seat]:
            state.scouts -= 1
    state.had_first[seat] = 1
    _settle(rules, state, log, segment)


@compiled
def _settle(rules, state, log, segment):
    """The surplus goes back, the last first; then a "+" brings warriors (MOV-4)."""
    seat = state.active
    log.terrains_taken[seat, state.terrain[segment]] += 1
    while state.warriors[seat, segment] > capacity_of(rules, state, segment):
        state.warriors[seat, segment] -= 1
        origin = state.came_from[state.explored, state.warriors[seat, segment]]
        if has_room(rules, state, seat, origin):
            state.warriors[seat, origin] += 1
        else:
            log.strayed[seat] += 1
    for _ in range(rules.plus[state.terrain[segment]]):
        if has_room(rules, state, seat, segment):
            state.warriors[seat, segment] += 1
            log.joined[seat] += 1
    state.explored += 1
    state.phase = s.EXPLORE
