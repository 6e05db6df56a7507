"""Event phase (RND-1, `na-grunwald-events.md`): turn up a card and carry it out."""

from __future__ import annotations

import numpy as np

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import asked_seat, clear_table, note_peaks, reveal_cards, seat_in_order
from balance.games.na_grunwald.kernel.skirmish import begin_plunder


@compiled
def turn_up_event(rules, state, log):
    """Turn up this round's event and set the phase that carries it out."""
    event = state.decks[s.EVENT_DECK, state.round_number - 2]
    effect = rules.event_effect[event]
    number = rules.event_number[event]
    record_chance(state, log, a.encode(a.SEE_EVENT, 0, 0, event))
    state.event = event
    log.game.events_seen |= np.int64(1) << np.int64(event)
    state.asked = 0
    state.phase = s.REVEAL
    if effect == s.GAIN:
        for p in range(state.players):
            _gain(rules, state, log, p, rules.event_bundle[event, 0])
    elif effect == s.PAY:
        for p in range(state.players):
            _pay(state, p, rules.event_bundle[event, 0])
    elif effect == s.PLUNDER:
        begin_plunder(state, number, s.REVEAL)
    elif effect == s.BUY:
        state.phase = s.ASK_BUY
    elif effect == s.AUCTION:
        state.highest_bid = 0
        state.highest_bidder = -1
        state.phase = s.ASK_BID
    elif effect == s.TASK:
        state.phase = s.ASK_SEND
    elif effect == s.CONTEST:
        state.phase = s.ASK_ENTER
    else:
        _change_round(rules, state, effect, number)


@compiled
def _gain(rules, state, log, seat, bundle):
    """Give a bundle of provisions, ducats and helpers; a helper above the limit is lost."""
    state.provisions[seat] += bundle[0]
    state.ducats[seat] += bundle[1]
    state.helpers[seat] = min(rules.most_helpers, state.helpers[seat] + bundle[2])
    note_peaks(state, log)


@compiled
def _pay(state, seat, bundle):
    """Take a bundle, or as much of it as the seat has."""
    state.provisions[seat] = max(0, state.provisions[seat] - bundle[0])
    state.ducats[seat] = max(0, state.ducats[seat] - bundle[1])
    state.helpers[seat] = max(0, state.helpers[seat] - bundle[2])


@compiled
def _reward(rules, state, log, seat, place):
    """Give a seat the event's lot or reward: the first, or in a contest the second."""
    _gain(rules, state, log, seat, rules.event_bundle[state.event, place])
    log.taken[seat, s.EVENT_CARDS + state.event] += 1


@compiled
def _change_round(rules, state, effect, number):
    """Apply effects that last for the round and need no decision."""
    field = rules.event_field[state.event]
    if effect == s.BONUS:
        state.krzyzacy_bonus += number
    elif effect == s.TRUCE:
        state.closed[s.KRZYZACY] = 1
    elif effect == s.CLOSE:
        state.closed[field] = 1
    elif effect == s.OFFICER:
        state.officer_strength = number
    elif effect == s.SUPPLY:
        state.supply[field] = number
    elif effect == s.HIRE:
        state.event_hire_price = number


@compiled
def seek_next(state):
    """Find the next seat, once around; return False when all have had their turn, and the phase is over."""
    if state.asked < state.players:
        state.seat = asked_seat(state)
        return True
    state.phase = s.REVEAL
    return False


# EVT-buy


@compiled
def seek_buyer(rules, state):
    """Find the next seat that can pay; return False when all have had their turn."""
    while seek_next(state):
        if state.ducats[state.seat] >= rules.event_price[state.event]:
            return True
        state.asked += 1
    return False


@compiled
def buy(rules, state, log, action):
    if a.third_of(action) == 1:
        state.ducats[state.seat] -= rules.event_price[state.event]
        _reward(rules, state, log, state.seat, 0)
    state.asked += 1


# EVT-auction


@compiled
def seek_bidder(rules, state, log):
    """Find the next seat to bid, once around; then the highest bidder pays and takes the lot."""
    if seek_next(state):
        return True
    bidder = state.highest_bidder
    record_outcome(state, log, a.AUCTION, bidder, state.highest_bid)
    if bidder >= 0:
        state.ducats[bidder] -= state.highest_bid
        _reward(rules, state, log, bidder, 0)
    return False


@compiled
def list_bids(state, codes):
    codes[0] = a.encode(a.BID, 0, 0, 0)
    count = 1
    for bid in range(state.highest_bid + 1, state.ducats[state.seat] + 1):
        codes[count] = a.encode(a.BID, 0, 0, bid)
        count += 1
    return count


@compiled
def bid(state, action):
    if a.third_of(action) > 0:
        state.highest_bid = a.third_of(action)
        state.highest_bidder = state.seat
    state.asked += 1


# EVT-task


@compiled
def send(rules, state, log, action):
    kind = a.second_of(action) - 1
    if kind >= 0:
        strength = a.third_of(action)
        state.hand[state.seat, kind, strength] -= 1
        state.camp[state.seat, kind, strength] += 1
        _reward(rules, state, log, state.seat, 0)
    state.asked += 1


# EVT-contest


@compiled
def seek_entrant(rules, state, log):
    """Find the next seat to enter a knight; then reveal all, and reward the two strongest."""
    if seek_next(state):
        return True
    reveal_cards(state)
    first = _strongest_entrant(state, -1)
    strength = state.card_strength[first] if first >= 0 else 0
    record_outcome(state, log, a.CONTEST, first, 0, strength)
    if first >= 0:
        _reward(rules, state, log, first, 0)
        second = _strongest_entrant(state, first)
        if second >= 0:
            record_outcome(state, log, a.CONTEST, second, 1, state.card_strength[second])
            _reward(rules, state, log, second, 1)
    clear_table(state)
    return False


@compiled
def _strongest_entrant(state, winner):
    """Return the seat with the strongest card, except `winner`, or -1; ties go to the earlier in turn order."""
    best = -1
    strength = 0
    for number in range(state.players):
        p = seat_in_order(state, number)
        if p != winner and state.card_strength[p] > strength:
            best = p
            strength = state.card_strength[p]
    return best
