"""Event phase (RND-1, `na-grunwald-events.md`): turn up a card and carry it out."""

from __future__ import annotations

import numpy as np

from balance.contract.records import record_chance, record_outcome
from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import (
    asked_seat,
    choose_secretly,
    clear_table,
    gain,
    list_knights,
    pay,
    reveal_cards,
    seat_in_order,
)


@compiled
def turn_up_event(rules, state, log):
    """Turn up this round's event and set the phase that carries it out."""
    event = state.event_deck[state.round_number - 2]
    effect = rules.event_effect[event]
    number = rules.event_number[event]
    record_chance(state, log, a.encode(a.SEE_EVENT, 0, 0, event))
    state.event = event
    log.game.events_seen |= np.int64(1) << np.int64(event)
    state.asked = 0
    state.phase = s.REVEAL
    if effect == s.GAIN or effect == s.PAY:
        _give_or_take(rules, state, log, effect, rules.event_bundle[event, 0])
    elif effect == s.PLUNDER:
        state.plunder = number
        state.plunder_left = number
        state.after_plunder = s.REVEAL
        state.phase = s.ASK_PLUNDER
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
def _give_or_take(rules, state, log, effect, bundle):
    for p in range(state.players):
        if effect == s.GAIN:
            gain(rules, state, log, p, bundle)
        else:
            pay(state, p, bundle)


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
        state.hire_price = number


# EVT-buy


@compiled
def seek_buyer(rules, state):
    """Find the next seat that can pay; return False when all have had their turn."""
    while state.asked < state.players:
        state.seat = asked_seat(state)
        if state.ducats[state.seat] >= rules.event_price[state.event]:
            return True
        state.asked += 1
    state.phase = s.REVEAL
    return False


@compiled
def buy(rules, state, log, action):
    if a.third_of(action) == 1:
        state.ducats[state.seat] -= rules.event_price[state.event]
        gain(rules, state, log, state.seat, rules.event_bundle[state.event, 0])
        log.taken[state.seat, s.EVENT_CARD + state.event] += 1
    state.asked += 1


# EVT-auction


@compiled
def seek_bidder(rules, state, log):
    """Find the next seat to bid, once around; then the highest bidder pays and takes the lot."""
    if state.asked < state.players:
        state.seat = asked_seat(state)
        return True
    record_outcome(state, log, a.AUCTION, state.highest_bidder, state.highest_bid)
    if state.highest_bidder >= 0:
        state.ducats[state.highest_bidder] -= state.highest_bid
        gain(rules, state, log, state.highest_bidder, rules.event_bundle[state.event, 0])
        log.taken[state.highest_bidder, s.EVENT_CARD + state.event] += 1
    state.phase = s.REVEAL
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
def seek_sender(state):
    """Find the next seat to send a knight or none."""
    if state.asked < state.players:
        state.seat = asked_seat(state)
        return True
    state.phase = s.REVEAL
    return False


@compiled
def list_sendings(rules, state, codes):
    codes[0] = a.encode(a.SEND, 0, 0, 0)
    return list_knights(state, state.seat, rules.event_number[state.event], a.SEND, codes, 1)


@compiled
def send(rules, state, log, action):
    kind = a.second_of(action) - 1
    if kind >= 0:
        strength = a.third_of(action)
        state.hand[state.seat, kind, strength] -= 1
        state.camp[state.seat, kind, strength] += 1
        gain(rules, state, log, state.seat, rules.event_bundle[state.event, 0])
        log.taken[state.seat, s.EVENT_CARD + state.event] += 1
    state.asked += 1


# EVT-contest


@compiled
def seek_entrant(rules, state, log):
    """Find the next seat to enter a knight; then reveal all, and reward the two strongest."""
    if state.asked < state.players:
        state.seat = asked_seat(state)
        return True
    reveal_cards(state)
    for place in range(2):
        best = -1
        for number in range(state.players):  # ties go to the earlier seat in turn order
            p = seat_in_order(state, number)
            if state.card_strength[p] > 0 and (
                best < 0 or state.card_strength[p] > state.card_strength[best]
            ):
                best = p
        if best >= 0 or place == 0:
            strength = state.card_strength[best] if best >= 0 else 0
            record_outcome(state, log, a.CONTEST, best, place, strength)
        if best >= 0:
            gain(rules, state, log, best, rules.event_bundle[state.event, place])
            log.taken[best, s.EVENT_CARD + state.event] += 1
            state.card_strength[best] = -state.card_strength[best]  # a seat wins only one place
    for p in range(state.players):
        state.card_strength[p] = abs(state.card_strength[p])
    clear_table(state)
    state.phase = s.REVEAL
    return False


@compiled
def list_entries(state, codes):
    codes[0] = a.encode(a.ENTER, 0, 0, 0)
    return list_knights(state, state.seat, 1, a.ENTER, codes, 1)


@compiled
def enter(state, action):
    kind = a.second_of(action) - 1
    choose_secretly(state, state.seat, kind if kind >= 0 else s.NO_CARD, a.third_of(action))
    state.asked += 1
