"""After the combats: fate cards, building, recruits, ransom (section 4)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_segments, room_at_home
from balance.games.grody.kernel.fate import begin_discards, draw_cards, give_up, list_hand


@compiled
def draw_for_turn(rules, state, log):
    """DRW-1: more for who won a combat as attacker."""
    wanted = rules.draw_won if state.attacks_won > 0 else rules.draw
    draw_cards(state, log, state.active, wanted)
    begin_discards(state, state.active, s.ASK_BUILD)


@compiled
def _is_battlefield(state, segment):
    """Whether a combat was fought on a segment this turn."""
    found = False
    for i in range(state.attack_count):
        found |= state.attacks[i] == segment
    return found


@compiled
def may_build(rules, state, seat, segment):
    """Whether the seat whose turn it is may build there (BLD-1)."""
    if state.owner[segment] != seat or state.building[segment] != s.NOTHING:
        return False
    kind = rules.allows[state.terrain[segment]]
    if kind == s.NOTHING or state.tokens[kind] == 0:
        return False
    if state.warriors[seat, segment] < rules.build_warriors:
        return False
    return not _is_battlefield(state, segment)


@compiled
def list_buildings(rules, state, codes):
    codes[0] = a.encode(a.BUILD_NOTHING, 0, 0)
    count = 1
    for segment in range(rules.segment_count):
        if may_build(rules, state, state.seat, segment):
            kind = rules.allows[state.terrain[segment]]
            codes[count] = a.encode_pair(a.BUILD, kind, segment)
            count += 1
    return count


@compiled
def build(state, log, kind, segment):
    state.building[segment] = kind
    state.tokens[kind] -= 1
    log.built[state.active, kind] += 1


@compiled
def recruit(rules, state, log):
    """REC-1; then ransom is asked."""
    seat = state.active
    coming = rules.recruits
    if count_segments(rules, state, seat) >= rules.recruits_segments:
        coming += rules.recruits_more
    coming = min(coming, room_at_home(rules, state, seat))
    state.warriors[seat, rules.grod[seat]] += coming
    log.recruited[seat] += coming
    state.ransomed = 0
    state.seat = seat
    state.phase = s.ASK_RANSOM


@compiled
def list_ransoms(rules, state, codes):
    """REC-2: a card of one's choice for a prisoner."""
    seat = state.seat
    codes[0] = a.encode(a.RANSOM_NOBODY, 0, 0)
    possible = state.prisoners[1 - seat] > 0 and room_at_home(rules, state, seat) > 0
    if not possible or state.ransomed == rules.ransoms:
        return 1
    return list_hand(state, codes, 1, a.RANSOM)


@compiled
def bring_home(rules, state, seat, count):
    """Prisoners return to the gród of their seat."""
    state.prisoners[1 - seat] -= count
    state.warriors[seat, rules.grod[seat]] += count


@compiled
def ransom(rules, state, log, card):
    give_up(state, state.seat, card)
    bring_home(rules, state, state.seat, 1)
    state.ransomed += 1
    log.ransomed[state.seat] += 1
