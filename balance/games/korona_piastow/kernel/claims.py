"""Casus belli: whom a ruler may invade and at what price (CSB-1, CSB-2); scores, on which it hangs (END-2)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import have_peace, is_under_interdict
from balance.games.korona_piastow.kernel.land import (
    holder_of,
    is_diocese,
    is_zakon,
    owner_of,
)

FREE, PAID, NEVER = range(3)  # how a ruler may invade a fief


@compiled
def _is_protected(rules, state, district):
    """BLD-7: a diocese with its owner's magnate or ruler."""
    present = state.magnate[district] != s.NOTHING or (state.stands[state.owner[district]] == district)
    return present and is_diocese(rules, state, district)


@compiled
def score_of(rules, state, seat):
    """END-2."""
    if state.out_round[seat] > 0:
        return 0
    zakon = is_zakon(rules, state, seat)
    count = 0
    for fief in range(rules.fief_count):
        district = rules.district_of[fief]
        if state.owner[district] == seat and (zakon or rules.piast[district] == 1):
            held = holder_of(rules, state, fief) == seat
            count += held or _is_protected(rules, state, district)
    return max(0, count + rules.crown - rules.zakon_crown) if zakon else count


@compiled
def _wrongs(rules, state, seat, other):
    """Whether `other` occupies a fief of the seat's state, or is the Zakon and has a Piast fief (CSB-2)."""
    greedy = is_zakon(rules, state, other)
    for fief in range(rules.fief_count):
        owner, holder = owner_of(rules, state, fief), holder_of(rules, state, fief)
        if owner == seat and holder == other:
            return True
        piast = rules.piast[rules.district_of[fief]] == 1
        if greedy and piast and (owner == other or holder == other):
            return True
    return False


@compiled
def _has_feud(rules, state, seat, other):
    """Whether `other` has invaded a fief held by the seat lately (CSB-2)."""
    last = state.feud[other, seat]
    return last > 0 and last > state.round_number - rules.feud_rounds


@compiled
def has_cause(rules, state, seat, other):
    """CSB-2: whether the seat may invade another without a claim."""
    return (
        is_zakon(rules, state, seat)
        or _has_feud(rules, state, seat, other)
        or is_under_interdict(state, other)
        or _wrongs(rules, state, seat, other)
        or score_of(rules, state, other) >= rules.crown - rules.pretender_gap
    )


@compiled
def casus_belli(rules, state, seat, fief):
    """CSB-1: FREE, PAID or NEVER for a fief that the seat doesn't hold."""
    holder = holder_of(rules, state, fief)
    if holder == s.NOBODY:
        return FREE
    if holder == s.FOREIGN_STATES:
        near = rules.piast[rules.district_of[fief]] == 1 or owner_of(rules, state, fief) == seat
        return FREE if near or is_zakon(rules, state, seat) else PAID
    if have_peace(state, seat, holder):
        return NEVER
    return FREE if has_cause(rules, state, seat, holder) else PAID
