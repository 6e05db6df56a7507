"""Beginning and end of a round (section 2), and the flow of a game."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.dealing import deal
from balance.games.na_grunwald.kernel.events import (
    bid,
    buy,
    enter,
    list_bids,
    list_entries,
    list_sendings,
    seek_bidder,
    seek_buyer,
    seek_entrant,
    seek_sender,
    send,
    turn_up_event,
)
from balance.games.na_grunwald.kernel.placement import (
    count_placements,
    list_placements,
    nth_placement,
    place,
    reveal,
    seek_placer,
)
from balance.games.na_grunwald.kernel.resolution import hire, resolve, seek_hirer
from balance.games.na_grunwald.kernel.scoring import (
    army_count,
    list_starving,
    muster,
    score,
    seek_starving,
    starve,
    total_of,
)
from balance.games.na_grunwald.kernel.skirmish import (
    fight,
    give,
    list_fights,
    list_gifts,
    seek_fighter,
    seek_plundered,
)


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
        for rank in range(s.PLACES):
            state.prize[field, rank] = 0
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
    """Log each seat's score if the game ended now, without the weakest unfed knights."""
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


@compiled
def _proceed(rules, state, log, scratch):
    """Play on without decisions until a seat must choose or the game is over."""
    while True:
        phase = state.phase
        asking = False
        if phase == s.ASK_PLACE:
            asking = seek_placer(state)
        elif phase == s.RESOLVE:
            resolve(rules, state, log, scratch)
        elif phase == s.ASK_PLUNDER:
            asking = seek_plundered(state)
        elif phase == s.ASK_FIGHT:
            asking = seek_fighter(rules, state, log)
        elif phase == s.ASK_HIRE:
            asking = seek_hirer(rules, state, log, scratch)
        elif phase == s.ROUND_END:
            end_round(rules, state, log, scratch)
        elif phase == s.ROUND:
            begin_round(rules, state)
        elif phase == s.EVENT:
            turn_up_event(rules, state, log)
        elif phase == s.REVEAL:
            reveal(rules, state, log)
        elif phase == s.ASK_STARVE:
            asking = seek_starving(rules, state)
        elif phase == s.OVER:
            return
        else:
            asking = _seek_in_event(rules, state, log, phase)
        if asking:
            return


@compiled
def _seek_in_event(rules, state, log, phase):
    if phase == s.ASK_BUY:
        return seek_buyer(rules, state)
    if phase == s.ASK_BID:
        return seek_bidder(rules, state, log)
    if phase == s.ASK_SEND:
        return seek_sender(state)
    return seek_entrant(rules, state, log)


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    deal(rules, state, log)
    _proceed(rules, state, log, scratch)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 7)."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        return list_placements(rules, state, codes)
    if phase == s.ASK_PLUNDER:
        return list_gifts(state, codes)
    if phase == s.ASK_FIGHT:
        return list_fights(state, codes)
    if phase == s.ASK_STARVE:
        return list_starving(state, codes)
    if phase == s.ASK_BID:
        return list_bids(state, codes)
    if phase == s.ASK_SEND:
        return list_sendings(rules, state, codes)
    if phase == s.ASK_ENTER:
        return list_entries(state, codes)
    kind = a.HIRE if phase == s.ASK_HIRE else a.BUY
    codes[0] = a.encode(kind, 0, 0, 0)
    codes[1] = a.encode(kind, 0, 0, 1)
    return 2


@compiled_entry
def checkpoint(rules, state):
    """Return the number of rounds that have begun."""
    return state.round_number


@compiled_entry
def count_actions(rules, state, scratch):
    """Return the number of legal actions, without listing the many placements."""
    if state.phase == s.ASK_PLACE:
        return count_placements(rules, state, scratch)
    return legal_actions(rules, state, scratch, scratch.codes)


@compiled_entry
def nth_action(rules, state, scratch, n):
    """Return the legal action number `n`, from 0, of those that `count_actions` has just counted."""
    if state.phase == s.ASK_PLACE:
        return nth_placement(state, scratch, n)
    return scratch.codes[n]


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        place(state, action)
    elif phase == s.ASK_PLUNDER:
        give(state, action)
    elif phase == s.ASK_FIGHT:
        fight(state, action)
    elif phase == s.ASK_HIRE:
        hire(rules, state, action)
    elif phase == s.ASK_STARVE:
        starve(state, log, action)
    elif phase == s.ASK_BUY:
        buy(rules, state, log, action)
    elif phase == s.ASK_BID:
        bid(state, action)
    elif phase == s.ASK_SEND:
        send(rules, state, log, action)
    else:
        enter(state, action)
    _proceed(rules, state, log, scratch)
