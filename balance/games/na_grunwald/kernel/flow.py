"""Beginning and end of a round (section 2), and the flow of a game."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import dealing, events, placement, resolution, scoring, skirmish
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import choose_secretly, list_knights


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
    state.event_hire_price = -1
    state.phase = s.EVENT if state.round_number > 1 and rules.deck_size[s.EVENT_DECK] > 0 else s.REVEAL


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
    scoring.score(rules, state, scratch, True)
    for p in range(state.players):
        row = log.history[state.round_number - 1, p]
        row.score = scoring.total_of(scratch, p)
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.helpers = state.helpers[p]
        row.crown_count = scratch.army_count[p, s.CROWN]
        row.mercenary_count = scratch.army_count[p, s.MERCENARY]
        row.captive_count = state.captive_count[p]
        row.joined = state.arrival[s.KRZYZACY, p] > 0


@compiled
def _proceed(rules, state, log, scratch):
    """Play on without decisions until a seat must choose or the game is over."""
    while True:
        phase = state.phase
        asking = False
        if phase == s.ASK_PLACE:
            asking = placement.seek_placer(state)
        elif phase == s.RESOLVE:
            resolution.resolve(rules, state, log, scratch)
        elif phase == s.ASK_PLUNDER:
            asking = skirmish.seek_plundered(state)
        elif phase == s.ASK_FIGHT:
            asking = skirmish.seek_fighter(rules, state, log)
        elif phase == s.ASK_HIRE:
            asking = resolution.seek_hirer(rules, state, log, scratch)
        elif phase == s.ROUND_END:
            end_round(rules, state, log, scratch)
        elif phase == s.ROUND:
            begin_round(rules, state)
        elif phase == s.EVENT:
            events.turn_up_event(rules, state, log)
        elif phase == s.REVEAL:
            placement.reveal(rules, state, log)
        elif phase == s.ASK_STARVE:
            asking = scoring.seek_starving(rules, state)
        elif phase == s.OVER:
            return
        else:
            asking = _seek_in_event(rules, state, log, phase)
        if asking:
            return


@compiled
def _seek_in_event(rules, state, log, phase):
    if phase == s.ASK_BUY:
        return events.seek_buyer(rules, state)
    if phase == s.ASK_BID:
        return events.seek_bidder(rules, state, log)
    if phase == s.ASK_SEND:
        return events.seek_next(state)
    return events.seek_entrant(rules, state, log)


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal a game and play on to its first decision; see `balance.contract.modules.KernelModule`."""
    dealing.deal(rules, state, log)
    _proceed(rules, state, log, scratch)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """Write the legal actions of `state.seat` to `codes` (int32) and return their number (section 7)."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        return placement.list_placements(rules, state, codes)
    if phase == s.ASK_PLUNDER:
        return skirmish.list_gifts(state, codes)
    if phase == s.ASK_FIGHT:
        return list_knights(state, a.FIGHT, 1, codes)
    if phase == s.ASK_STARVE:
        return scoring.list_starving(state, codes)
    if phase == s.ASK_BID:
        return events.list_bids(state, codes)
    if phase == s.ASK_SEND:
        return list_knights(state, a.SEND, rules.event_number[state.event], codes)
    if phase == s.ASK_ENTER:
        return list_knights(state, a.ENTER, 1, codes)
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
        return placement.count_placements(rules, state, scratch)
    return legal_actions(rules, state, scratch, scratch.codes)


@compiled_entry
def nth_action(rules, state, scratch, n):
    """Return the legal action number `n`, from 0, of those that `count_actions` has just counted."""
    if state.phase == s.ASK_PLACE:
        return placement.nth_placement(state, scratch, n)
    return scratch.codes[n]


@compiled_entry
def apply(rules, state, log, scratch, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    if phase == s.ASK_PLACE:
        placement.place(state, action)
    elif phase == s.ASK_PLUNDER:
        skirmish.give(state, action)
    elif phase == s.ASK_FIGHT:
        choose_secretly(state, action, s.PEASANT)
    elif phase == s.ASK_HIRE:
        resolution.hire(rules, state, action)
    elif phase == s.ASK_STARVE:
        scoring.starve(state, log, action)
    elif phase == s.ASK_BUY:
        events.buy(rules, state, log, action)
    elif phase == s.ASK_BID:
        events.bid(state, action)
    elif phase == s.ASK_SEND:
        events.send(rules, state, log, action)
    else:
        choose_secretly(state, action, s.NO_CARD)
    _proceed(rules, state, log, scratch)
