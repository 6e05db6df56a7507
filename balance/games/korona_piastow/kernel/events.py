"""The event of a round (EVN-1): the effects of cards, and the choices of the drawer."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.cards import discard, draw_card, let_event_stay
from balance.games.korona_piastow.kernel.combat import raid, rebel
from balance.games.korona_piastow.kernel.court import gain_magnate
from balance.games.korona_piastow.kernel.land import (
    add_unit,
    devastate,
    has_room,
    has_troops_of,
    holder_of,
    is_own,
    neighbours_of,
    troops_in,
)
from balance.games.korona_piastow.kernel.orders import beginner
from balance.games.korona_piastow.kernel.peaceful import pass_time_everywhere


@compiled
def begin_event(rules, state, log, scratch):
    """Draw the card, and carry it out or wait for its drawer's choice."""
    drawer = beginner(state)
    if drawer == s.NOTHING:  # all rulers went out in one round: no card is drawn
        state.phase = s.END_EVENT
        return
    state.seat = drawer
    card = draw_card(state, log)
    a.record_draw(state, log, a.EVENT, card)
    state.event = card
    log.events_drawn[drawer, card] += 1
    state.phase = s.END_EVENT
    effect = rules.effect[card]
    if effect == s.GAIN or effect == s.PAY:
        _move_denars(rules, state, log, card)
    elif effect == s.HEIR:
        gain_magnate(state, log, state.seat)
    elif effect == s.WORKS:
        pass_time_everywhere(rules, state, log, 1, rules.works_everywhere > 0)
    elif list_choices(rules, state, scratch.codes) > 0:
        state.phase = s.ASK_CHOOSE


@compiled
def _is_meant(rules, state, seat, who):
    """Return whether a card makes a ruler gain or pay."""
    if state.out_round[seat] > 0:
        return False
    if who == s.ALL:
        return True
    if who == s.DRAWER:
        return seat == state.seat
    for other in range(rules.players):
        if state.out_round[other] == 0:
            more = state.denars[other] - state.denars[seat]
            if (who == s.POOREST and more < 0) or (who == s.RICHEST and more > 0):
                return False
    return True


@compiled
def _move_denars(rules, state, log, card):
    """Gain or pay denars; the poorest or richest are found before any denars move."""
    who, number = rules.card_who[card], rules.card_number[card]
    meant = 0
    for seat in range(rules.players):
        meant |= _is_meant(rules, state, seat, who) << seat
    for seat in range(rules.players):
        if (meant >> seat) & 1:
            change = number if rules.effect[card] == s.GAIN else -min(number, state.denars[seat])
            record_outcome(state, log, a.MONEY_MOVED, seat, change)
            state.denars[seat] += change


@compiled
def _is_raided(rules, state, card, fief):
    """Return whether a raid may strike a fief."""
    district = rules.district_of[fief]
    if state.owner[rules.card_origin[card]] >= 0:
        return False
    if rules.piast[district] == 0 and state.owner[district] < 0:
        return False
    if holder_of(rules, state, fief) == s.FOREIGN_STATES:
        return False
    near = False
    for other in neighbours_of(rules, fief):
        near |= rules.district_of[other] == rules.card_origin[card]
    return near


@compiled
def _is_chosen_from(rules, state, card, fief):
    """Return whether a card's effect is possible in a fief."""
    effect = rules.effect[card]
    if effect == s.PLAGUE:
        return state.devastated[fief] == 0 and holder_of(rules, state, fief) >= 0
    if effect == s.SETTLE:
        return state.devastated[fief] == 1
    if effect == s.FIRE:
        return state.building[fief] != s.NOTHING
    if effect == s.REBELLION:
        return troops_in(state, fief) > 0
    if effect == s.RAID:
        return _is_raided(rules, state, card, fief)
    if not has_room(rules, state, fief):
        return False
    if effect == s.ALLIES:
        return has_troops_of(state, fief, state.seat)
    return is_own(rules, state, fief, state.seat)


@compiled
def list_choices(rules, state, codes):
    """List the fiefs or seats that the drawer may choose (`choose X`)."""
    card = state.event
    count = 0
    if rules.effect[card] == s.PEACE or rules.effect[card] == s.INTERDICT:
        for seat in range(rules.players):
            if seat != state.seat and state.out_round[seat] == 0:
                count = a.append(codes, count, s.ASK_CHOOSE, a.CHOOSE_SEAT, seat)
        return count
    for fief in range(rules.fief_count):
        if _is_chosen_from(rules, state, card, fief):
            count = a.append(codes, count, s.ASK_CHOOSE, a.CHOOSE_FIEF, fief)
    return count


@compiled
def choose(rules, state, log, code):
    """Carry out the card on the fief or seat that its drawer chose."""
    card, place = state.event, a.number_of(code)
    effect, number = rules.effect[card], rules.card_number[card]
    state.phase = s.END_EVENT
    if effect == s.PEACE:
        let_event_stay(state, number, state.seat, place)
    elif effect == s.INTERDICT:
        let_event_stay(state, number, place, s.NOTHING)
    elif effect == s.PLAGUE:
        devastate(state, place)
    elif effect == s.SETTLE:
        state.devastated[place] = 0
    elif effect == s.FIRE:
        state.damage[place] += number
    elif effect == s.REBELLION:
        rebel(state, place)
    elif effect == s.RAID:
        raid(rules, state, log, place)
    else:
        kind = s.FOREIGN if effect == s.ALLIES else s.INFANTRY
        for _ in range(number):
            if has_room(rules, state, place):
                add_unit(state, place, kind, state.seat)


@compiled
def put_event_away(state):
    """Discard the card, unless it stays with a ruler."""
    if state.event != s.NOTHING:
        discard(state, state.event)
        state.event = s.NOTHING
