"""Holders, scores and ways to invade, computed once a decision and read for each action; nothing hidden is used."""

from __future__ import annotations

from balance.contract.records import Fields
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import attack_of
from balance.games.korona_piastow.kernel.invading import NEVER, PAID, casus_belli
from balance.games.korona_piastow.kernel.land import holder_of, score_of, troops_in
from balance.games.korona_piastow.rules.tables import MOST_DISTRICTS, MOST_FIEFS

SITUATION: Fields = (
    ("holder", "i1", (MOST_FIEFS,)),
    ("strength", "i4", (MOST_FIEFS,)),  # attack of the units that hold a fief for a ruler, see `strength_of`
    ("held", "i1", (s.SEATS, MOST_DISTRICTS)),  # fiefs of a district held by units of a seat
    ("points", "i4", (s.SEATS,)),  # scores, see `points_of`
    ("way", "i1", (s.SEATS,)),  # how the seat to choose may invade a ruler; UNKNOWN: not computed yet
)
UNKNOWN = -3


@compiled
def strength_of(rules, state, scratch, fief):
    """Return the attack of the units that hold a fief for a ruler; computed at the first call of a decision."""
    if scratch.strength[fief] == UNKNOWN:
        held = troops_in(state, fief) > 0
        scratch.strength[fief] = attack_of(rules, state.units[fief]) if held else 0
    return scratch.strength[fief]


@compiled
def forget_strengths(rules, scratch):
    """Let `strength_of` compute every strength again."""
    for fief in range(rules.fief_count):
        scratch.strength[fief] = UNKNOWN


@compiled
def note_situation(rules, state, scratch):
    """Fill the fields of `SITUATION`."""
    forget_strengths(rules, scratch)
    for p in range(state.players):
        scratch.way[p] = UNKNOWN
        scratch.points[p] = UNKNOWN
        for district in range(rules.district_count):
            scratch.held[p, district] = 0
    for fief in range(rules.fief_count):
        scratch.holder[fief] = holder_of(rules, state, fief)
        if troops_in(state, fief) > 0:
            scratch.held[state.lord[fief], rules.district_of[fief]] += 1


@compiled
def points_of(rules, state, scratch, seat):
    """Return a seat's score, which is computed at the first call of a decision."""
    if scratch.points[seat] == UNKNOWN:
        scratch.points[seat] = score_of(rules, state, seat)
    return scratch.points[seat]


@compiled
def way_to(rules, state, scratch, target):
    """Return FREE, PAID or NEVER for an invasion by the seat to choose, NEVER if it can't pay the claim."""
    seat, holder = state.seat, scratch.holder[target]
    if holder == seat:
        return NEVER
    way = scratch.way[holder] if holder >= 0 else UNKNOWN
    if way == UNKNOWN:
        way = casus_belli(rules, state, seat, target)
        if holder >= 0:  # then only the holder decides
            scratch.way[holder] = way
    return NEVER if way == PAID and state.denars[seat] < rules.claim_cost else way
