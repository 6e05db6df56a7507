"""Resolution phase (RES-1 to RES-4) of the fields other than `krzyzacy` (CRN, PRV, DUC, MRC, HLP)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.components import ducat_card, provision_card
from balance.games.na_grunwald.kernel.resources import note_peaks
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
def rank_field(rules, state, scratch, field):
    """Sort the seats with pawns on a field into `scratch.order`, winner first, and return their number.

    Ties go to the seat whose first pawn was placed earlier (RES-2), or later if the rule set says so.
    """
    count = 0
    for p in range(state.players):
        if state.arrival[field, p] == 0:
            continue
        strength = field_strength(rules, state, field, p)
        key = 1024 * (strength + 1) + rules.tie_sign * state.arrival[field, p]
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
def _award(rules, state, log, scratch, field):
    """Give each place its prize; stakes that won go to the bank, others return to their players (RES-4)."""
    count = rank_field(rules, state, scratch, field)
    for place in range(count):
        seat = scratch.order[place]
        prize = state.prize[field, place] if place < s.PLACES else 0
        stake = state.stake[field, seat]
        state.stake[field, seat] = 0
        if prize == 0:
            state.ducats[seat] += stake
        elif field == s.CROWN_FIELD:
            state.hand[seat, s.CROWN, prize] += 1
            state.knights[seat] += 1
            log.taken[seat, s.CROWN_KNIGHTS + prize] += 1
        elif field == s.MERCENARY_FIELD:
            state.hand[seat, s.MERCENARY, prize] += 1
            state.knights[seat] += 1
            log.taken[seat, s.MERCENARIES + prize] += 1
        elif field == s.PROVISIONS:
            state.provisions[seat] += prize
            # The card counts for the seat with its largest prize.
            log.taken[seat, provision_card(state)] += place == 0
        else:
            state.ducats[seat] += prize
            log.taken[seat, ducat_card(state)] += place == 0
    note_peaks(state, log)


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
    if place > 0 and state.hire_price >= 0:
        return state.hire_price
    return rules.hire_price[state.helpers[seat]]


@compiled
def seek_hirer(rules, state, scratch):
    """Give the first its free helper; find a payer who must decide (HLP-1, HLP-2)."""
    count = rank_field(rules, state, scratch, s.HELPERS)
    while state.asked < min(count, s.PLACES):
        place = state.asked
        seat = scratch.order[place]
        if state.prize[s.HELPERS, place] > 0 and state.helpers[seat] < rules.most_helpers:
            if place == 0 and rules.first_pays == 0:
                state.helpers[seat] += 1
            elif state.ducats[seat] >= hire_price(rules, state, seat, place):
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
