"""Where a round begins and ends (section 2)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.scoring import army_count, muster, score, total_of


@compiled
def begin_round(rules, state):
    """Start the next round with an empty board and no event."""
    state.round_number += 1
    for field in range(s.FIELD_COUNT):
        state.closed[field] = 0
        state.supply[field] = 0
        for p in range(s.SEATS):
            state.officer_on[field, p] = 0
            state.helpers_on[field, p] = 0
            state.stake[field, p] = 0
            state.arrival[field, p] = 0
        for place in range(s.PLACES):
            state.prize[field, place] = 0
    state.event = -1
    state.krzyzacy_bonus = rules.krzyzacy_bonus
    state.officer_strength = rules.officer_strength
    state.hire_price = -1
    state.phase = s.EVENT if state.round_number > 1 and rules.event_count > 0 else s.REVEAL


@compiled
def end_round(rules, state, log, scratch):
    """Pass the starting-player token; after the last round feed the armies (END-1)."""
    if log.keep_rounds:
        _keep_round(rules, state, log, scratch)
    state.start = (state.start + 1) % state.players
    state.asked = 0
    state.phase = s.ROUND if state.round_number < rules.rounds else s.ASK_STARVE


@compiled
def _keep_round(rules, state, log, scratch):
    """Remember what each seat would score if the game ended now, the weakest knights unfed."""
    muster(rules, state, scratch, True)
    score(rules, state, scratch)
    for p in range(state.players):
        row = log.history[state.round_number - 1, p]
        row.score = total_of(scratch, p)
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.helpers = state.helpers[p]
        row.crown_count = army_count(scratch, p, s.CROWN)
        row.mercenary_count = army_count(scratch, p, s.MERCENARY)
        row.captive_count = state.captive_count[p]
        row.joined = state.arrival[s.KRZYZACY, p] > 0
