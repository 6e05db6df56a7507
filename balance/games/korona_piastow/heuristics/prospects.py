"""What networks know of the map at a decision, computed once: strengths, tokens, and the best invasions.

`survey` fills the fields of the scratch record; the other functions read them. They use no hidden information.
"""

from __future__ import annotations

from balance.contract.records import Fields
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.heuristics.situation import (
    SITUATION,
    UNKNOWN,
    note_situation,
    points_of,
    strength_of,
    way_to,
)
from balance.games.korona_piastow.heuristics.warfare import attack_from, chance_of
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.combat import strength_of_fief
from balance.games.korona_piastow.kernel.invading import NEVER
from balance.games.korona_piastow.kernel.land import has_troops_of, is_zakon, neighbours_of
from balance.games.korona_piastow.rules.tables import MOST_FIEFS

SCRATCH: Fields = (
    *SITUATION,
    ("best_other", "i4"),  # best score of the other seats
    ("orders", "i1", (MOST_FIEFS,)),  # tokens of the seat to choose
    ("invasions", "i1", (MOST_FIEFS,)),  # those of them that invade
    ("rival_orders", "i1", (MOST_FIEFS,)),  # tokens of others, once they lie on the map
    ("best_target", "i1", (MOST_FIEFS,)),  # from a fief, or NOTHING; UNKNOWN: not computed yet
)


@compiled
def are_orders_hidden(state):
    """Return whether the seat gives orders now and sees no token of others (DEC-4)."""
    return state.phase == s.ASK_FIEF or state.phase == s.ASK_ORDER


@compiled
def survey(rules, state, scratch):
    """Fill the fields of `SCRATCH`."""
    note_situation(rules, state, scratch)
    for fief in range(rules.fief_count):
        strength_of(rules, state, scratch, fief)  # for those who read `scratch.strength`
        scratch.orders[fief] = 0
        scratch.invasions[fief] = 0
        scratch.rival_orders[fief] = 0
        scratch.best_target[fief] = UNKNOWN
    scratch.best_other = 0
    for p in range(state.players):
        points = points_of(rules, state, scratch, p)
        if p != state.seat:
            scratch.best_other = max(scratch.best_other, points)
    _count_tokens(state, scratch)


@compiled
def _count_tokens(state, scratch):
    """Count the tokens on each fief that the seat to choose sees."""
    seat = state.seat
    for i in range(state.token_count[seat]):
        scratch.orders[state.token_fief[seat, i]] += 1
        scratch.invasions[state.token_fief[seat, i]] += state.token_kind[seat, i] == s.INVADE
    if are_orders_hidden(state):
        return
    for p in range(state.players):
        if p != seat:
            for i in range(state.token_count[p]):
                scratch.rival_orders[state.token_fief[p, i]] += 1


@compiled
def rival_orders_near(rules, scratch, fief):
    """Return the number of others' tokens next to a fief."""
    count = 0
    for other in neighbours_of(rules, fief):
        count += scratch.rival_orders[other]
    return count


@compiled
def scale_denars(count):
    """Return denars as a feature; above 80 it stays the same."""
    return min(80, count) / 20


@compiled
def counts_for(rules, state, seat, district):
    """Return whether fiefs of a district count in a seat's score if they are of its state (END-2)."""
    return rules.piast[district] == 1 or is_zakon(rules, state, seat)


@compiled
def share_then(rules, scratch, seat, target):
    """Return the share of the target's district that units of the seat hold once they hold the target."""
    district = rules.district_of[target]
    return (scratch.held[seat, district] + 1) / rules.district_size[district]


@compiled
def points_won(rules, state, scratch, seat, target):
    """Return the points that a seat gains at once when it conquers a fief."""
    district = rules.district_of[target]
    if not counts_for(rules, state, seat, district):
        return 0
    if state.owner[district] == seat:
        return 1
    return rules.district_size[district] if share_then(rules, scratch, seat, target) == 1.0 else 0


@compiled
def points_taken(rules, state, scratch, target):
    """Return the points that the holder of a fief loses at once when another ruler conquers it."""
    district, holder = rules.district_of[target], scratch.holder[target]
    own = holder >= 0 and state.owner[district] == holder
    return int(own and counts_for(rules, state, holder, district))


@compiled
def _promise_of(rules, state, scratch, seat, target):
    """Return roughly how many points a conquest is worth: those that change at once, and progress to a district."""
    district = rules.district_of[target]
    value = 0.1 + points_won(rules, state, scratch, seat, target)
    value += points_taken(rules, state, scratch, target)
    if state.owner[district] != seat and counts_for(rules, state, seat, district):
        share = share_then(rules, scratch, seat, target)
        value += share * share
    return value


@compiled
def best_target(rules, state, scratch, seat, source):
    """Return the target with the best chance, times its worth, for all units of a fief; NOTHING if there is none."""
    if scratch.best_target[source] != UNKNOWN:
        return scratch.best_target[source]
    found, best = s.NOTHING, 0.0
    if has_troops_of(state, source, seat):
        for target in neighbours_of(rules, source):
            if way_to(rules, state, scratch, target) == NEVER:
                continue
            margin = attack_from(rules, state, seat, source, target)
            margin -= strength_of_fief(rules, state, target, seat)
            value = chance_of(margin) * _promise_of(rules, state, scratch, seat, target)
            if value > best:
                found, best = int(target), value
    scratch.best_target[source] = found
    return found
