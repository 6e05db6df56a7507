"""Resolution phase (RES-1 to RES-4) of the fields other than `krzyzacy` (CRN, PRV, DUC, MRC, HLP)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import gain_knight, note_peaks
from balance.games.na_grunwald.kernel.skirmish import begin_skirmish


@compiled
def field_strength(rules, state, field, seat):
    """Return the strength of a seat on a field (RES-1); on `mercenaries` only the ducats count."""
    if field == s.MERCENARY_FIELD:
        return state.stake[field, seat]
    return (
        state.officer_on[field, seat] * state.officer_strength
        + state.helpers_on[field, seat] * rules.helper_strength
        + state.stake[field, seat]
    )


@compiled
def _claim_key(rules, state, field, seat):
    """Return the claim of a seat with pawns on a field as a number: the larger comes first (RES-1, RES-2)."""
    strength = field_strength(rules, state, field, seat)
    return 1024 * (strength + 1) + rules.tie_sign * state.arrival[field, seat]


@compiled_entry
def look_at_claims(rules, state, strength, place):
    """Write the strength of each claim, and its rank on its field from 0, for displays.

    Parameters
    ----------
    strength, place : int array (`state.FIELD_COUNT`, `state.SEATS`)
        Overwritten where a seat has pawns.
    """
    for field in range(s.FIELD_COUNT):
        for p in range(state.players):
            if state.arrival[field, p] == 0:
                continue
            strength[field, p] = field_strength(rules, state, field, p)
            place[field, p] = 0
            for other in range(state.players):
                if state.arrival[field, other] > 0:
                    ahead = _claim_key(rules, state, field, other) > _claim_key(rules, state, field, p)
                    place[field, p] += ahead


@compiled
def rank_field(rules, state, scratch, field):
    """Sort the seats with pawns on a field into `scratch.order`, winner first, and return their number.

    Ties go to the seat whose first pawn was placed earlier (RES-2), or later if the rule set says so.
    """
    count = 0
    for p in range(state.players):
        if state.arrival[field, p] == 0:
            continue
        key = _claim_key(rules, state, field, p)
        at = count
        while at > 0 and key > scratch.order_key[at - 1]:
            scratch.order[at] = scratch.order[at - 1]
            scratch.order_key[at] = scratch.order_key[at - 1]
            at -= 1
        scratch.order[at] = p
        scratch.order_key[at] = key
        count += 1
    return count


@compiled
def _record_award(rules, state, log, scratch, field, place, count, prize):
    """Record what the seat in this place wins, and whether another claim is as strong."""
    if not log.keep_outcomes:
        return
    seat = scratch.order[place]
    strength = field_strength(rules, state, field, seat)
    tied = 0
    for other in range(count):
        same = field_strength(rules, state, field, scratch.order[other]) == strength
        tied |= same and other != place
    record_outcome(state, log, a.AWARD, seat, field, place, strength, prize, tied)


@compiled
def _award(rules, state, log, scratch, field):
    """Give each place its prize; stakes that won go to the bank, others return to their players (RES-4)."""
    count = rank_field(rules, state, scratch, field)
    if count == 0:
        record_outcome(state, log, a.EMPTY, field)
    for place in range(count):
        prize = state.prize[field, place] if place < s.PLACES else 0
        _record_award(rules, state, log, scratch, field, place, count, prize)
        _gain_prize(state, log, scratch.order[place], field, place, prize)
    for place in range(count):
        seat = scratch.order[place]
        if place >= s.PLACES or state.prize[field, place] == 0:
            state.ducats[seat] += state.stake[field, seat]
        state.stake[field, seat] = 0
    note_peaks(state, log)


@compiled
def _gain_prize(state, log, seat, field, place, prize):
    """Give a seat its prize; 0 is none."""
    if prize == 0:
        return
    number = state.round_number - 1  # a card of the round counts for the seat with its largest prize
    if field == s.CROWN_FIELD:
        gain_knight(state, seat, s.CROWN, prize)
        log.taken[seat, s.CROWN_KNIGHTS + prize] += 1
    elif field == s.MERCENARY_FIELD:
        gain_knight(state, seat, s.MERCENARY, prize)
        log.taken[seat, s.MERCENARIES + prize] += 1
    elif field == s.PROVISIONS:
        state.provisions[seat] += prize
        log.taken[seat, s.PROVISION_CARDS + state.decks[s.PROVISION_DECK, number]] += place == 0
    else:
        state.ducats[seat] += prize
        log.taken[seat, s.DUCAT_CARDS + state.decks[s.DUCAT_DECK, number]] += place == 0


@compiled
def resolve(rules, state, log, scratch):
    """Resolve fields in their order until one needs a decision or all are done."""
    while state.phase == s.RESOLVE:
        field = state.field
        state.field += 1
        if field > s.HELPERS:
            state.phase = s.ROUND_END
        elif state.closed[field]:
            continue
        elif field == s.KRZYZACY:
            begin_skirmish(rules, state)
        elif field == s.HELPERS:
            state.asked = 0
            state.phase = s.ASK_HIRE
        else:
            _award(rules, state, log, scratch, field)


@compiled
def hire_price(rules, state, seat, place):
    """Return the price of a helper for the seat in this place on `helpers` (HLP-1, EVT-hire)."""
    if place == 0 and rules.first_pays == 0:
        return 0
    if place > 0 and state.event_hire_price >= 0:
        return state.event_hire_price
    return rules.helper_prices[state.helpers[seat]]


@compiled
def seek_hirer(rules, state, log, scratch):
    """Give the first its free helper; find a payer who must decide (HLP-1, HLP-2)."""
    count = rank_field(rules, state, scratch, s.HELPERS)
    if count == 0:
        record_outcome(state, log, a.EMPTY, s.HELPERS)
    while state.asked < count:
        place = state.asked
        seat = scratch.order[place]
        won = place < s.PLACES and state.prize[s.HELPERS, place] > 0
        if not (won and state.helpers[seat] < rules.most_helpers):
            _record_award(rules, state, log, scratch, s.HELPERS, place, count, 0)
        elif place == 0 and rules.first_pays == 0:
            _record_award(rules, state, log, scratch, s.HELPERS, place, count, 1)
            state.helpers[seat] += 1
        else:
            price = hire_price(rules, state, seat, place)
            strength = field_strength(rules, state, s.HELPERS, seat)
            record_outcome(state, log, a.OFFER, seat, s.HELPERS, place, strength, price, state.ducats[seat])
            if state.ducats[seat] >= price:
                state.seat = seat
                return True
        state.asked += 1
    state.phase = s.RESOLVE
    return False


@compiled
def hire(rules, state, action):
    if a.third_of(action) == 1:
        state.ducats[state.seat] -= hire_price(rules, state, state.seat, state.asked)
        state.helpers[state.seat] += 1
    state.asked += 1
