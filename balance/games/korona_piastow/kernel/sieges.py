"""Sieges (SGE-1, SGE-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.claims import FREE, casus_belli
from balance.games.korona_piastow.kernel.land import (
    fortress_counts,
    has_fortress,
    has_troops_of,
    holder_of,
    is_besieged,
    is_fortress,
)


@compiled
def list_sieges(rules, state, fief, codes, count):
    """Append the adjoining fiefs that may be besieged from a fief (SGE-1)."""
    seat = state.seat
    if not has_troops_of(state, fief, seat) or not has_fortress(rules, state, seat):
        return count
    for i in range(rules.degree[fief]):
        other = rules.neighbours[fief, i]
        if is_besieged(state, other) or not fortress_counts(rules, state, other, seat):
            continue
        if holder_of(rules, state, other) != seat and casus_belli(rules, state, seat, other) == FREE:
            codes[count] = a.encode(s.ASK_SIEGE, a.SIEGE, other)
            count += 1
    return count


@compiled
def besiege(state, code):
    fief = a.number_of(code)
    state.besieger[fief] = state.seat
    state.siege_round[fief] = state.round_number
    state.phase = s.END_ORDER


@compiled
def lift_sieges(rules, state):
    """SGE-3: the besieger holds the fief or has no units next to it, or the building is gone."""
    for fief in range(rules.fief_count):
        seat = state.besieger[fief]
        if seat == s.NOTHING:
            continue
        near = False
        for i in range(rules.degree[fief]):
            near |= has_troops_of(state, rules.neighbours[fief, i], seat)
        if not near or not is_fortress(state, fief) or holder_of(rules, state, fief) == seat:
            state.besieger[fief] = s.NOTHING
