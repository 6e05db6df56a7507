"""Reveal (RND-2) and placement phase (PLC-1 to PLC-6)."""

from __future__ import annotations

from balance.contract.records import record_chance
from balance.foundation.compiling import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s


@compiled
def _set_prizes(rules, state, field, values, shown):
    """Write the prize of each place; `values[:shown]` are the values on the cards, highest first.

    An award is the rank of a shown value, from the highest (1, 2, 3) or, if negative, from the
    lowest (-1, -2, -3); an award beyond the shown values wins nothing.
    """
    for place in range(s.PLACES):
        award = rules.awards[field, place]
        index = award - 1 if award > 0 else shown + award
        if award != 0 and 0 <= index < shown:
            state.prize[field, place] = values[index] + state.supply[field]


@compiled
def _turn_up_pair(rules, state, log, deck, place, see):
    """Turn up a card from each of a deck's two stacks; return their strengths, the stronger first."""
    first = state.decks[deck, place]
    second = state.decks[deck, rules.deck_size[deck] // 2 + place]
    record_chance(state, log, a.encode(see, 0, first, second))
    return max(first, second), min(first, second)


@compiled
def reveal(rules, state, log):
    """Turn up the round's cards (RND-2), lay out the fields and begin the placement phase."""
    number = state.round_number - 1
    if state.round_number < rules.first_krzyzacy:
        state.closed[s.KRZYZACY] = 1
    if not state.closed[s.CROWN_FIELD]:
        pair = _turn_up_pair(rules, state, log, s.CROWN_DECK, number, a.SEE_CROWN)
        _set_prizes(rules, state, s.CROWN_FIELD, pair, 2)
    if not state.closed[s.PROVISIONS]:
        card = rules.provision_values[state.decks[s.PROVISION_DECK, number]]
        record_chance(state, log, a.encode(a.SEE_PROVISIONS, 0, card[0], card[1]))
        _set_prizes(rules, state, s.PROVISIONS, card, 2 if card[1] > 0 else 1)
    if not state.closed[s.DUCATS]:
        card = rules.ducat_values[state.decks[s.DUCAT_DECK, number]]
        record_chance(state, log, a.encode(a.SEE_DUCATS, card[0], card[1], card[2]))
        _set_prizes(rules, state, s.DUCATS, card, 3)
    if not state.closed[s.MERCENARY_FIELD]:
        pair = _turn_up_pair(rules, state, log, s.MERCENARY_DECK, number, a.SEE_MERCENARIES)
        _set_prizes(rules, state, s.MERCENARY_FIELD, pair, 2)
    if not state.closed[s.KRZYZACY]:
        skirmish = state.round_number - rules.first_krzyzacy
        pair = _turn_up_pair(rules, state, log, s.KRZYZACY_DECK, skirmish, a.SEE_KRZYZACY)
        state.prize[s.KRZYZACY, 0], state.prize[s.KRZYZACY, 1] = pair
    _open_board(rules, state)


@compiled
def _open_board(rules, state):
    """Give out the pawns and begin the placement phase."""
    for field in range(s.FIELD_COUNT):
        state.never_shown[field] |= state.closed[field] << (state.round_number - 1)
    for place in range(s.PLACES):
        state.prize[s.HELPERS, place] = rules.awards[s.HELPERS, place]
    for p in range(state.players):
        state.officer_free[p] = 1
        state.helpers_free[p] = state.helpers[p]
        state.passed[p] = 0
    state.placements = 0
    state.next_placer = state.start
    state.phase = s.ASK_PLACE


@compiled
def _after(state, seat):
    """Return the seat to the left."""
    return seat + 1 if seat + 1 < state.players else 0


@compiled
def seek_placer(state):
    """Find the next seat clockwise that has not passed and has a pawn left (PLC-1)."""
    seat = state.next_placer
    for _ in range(state.players):
        if state.passed[seat] == 0 and state.officer_free[seat] + state.helpers_free[seat] > 0:
            state.seat = seat
            state.next_placer = _after(state, seat)
            return True
        seat = _after(state, seat)
    state.field = s.KRZYZACY
    state.phase = s.RESOLVE
    return False


@compiled
def fewest_pawns(state):
    """Return the smallest set of pawns that the seat may place; 0 means the officer."""
    return 1 - state.officer_free[state.seat]


@compiled
def sets_on(rules, state, field):
    """Return the number of sets of pawns that the seat may place on a field (PLC-2 to PLC-5), from the smallest."""
    seat = state.seat
    most = 0 if state.helpers_on[field, seat] > 0 else state.helpers_free[seat]
    shut = state.closed[field] != 0
    if field == s.HELPERS:
        shut |= state.helpers[seat] >= rules.most_helpers
    if field == s.KRZYZACY or field == s.MERCENARY_FIELD:
        shut |= state.arrival[field, seat] > 0
        most = min(most, 1)
    return 0 if shut else max(0, most + 1 - fewest_pawns(state))


@compiled
def least_stake(field):
    """Return the fewest ducats that a set of pawns needs."""
    return 1 if field == s.MERCENARY_FIELD else 0


@compiled
def stakes_on(state, field):
    """Return how many different stakes of ducats may go with each set of pawns."""
    stakes = state.ducats[state.seat] + 1 - least_stake(field)
    return stakes if field == s.PROVISIONS or field == s.MERCENARY_FIELD else 1


@compiled
def list_placements(rules, state, codes):
    """List all placements, field by field in the order of the rule page."""
    codes[0] = a.encode(a.PASS, 0, 0, 0)
    count = 1
    for field in range(s.FIELD_COUNT):
        stakes = stakes_on(state, field)
        for more in range(sets_on(rules, state, field)):
            code = a.encode(a.PLACE, field, fewest_pawns(state) + more, least_stake(field))
            for i in range(stakes):
                codes[count + i] = code + i
            count += stakes
    return count


@compiled
def count_placements(rules, state, scratch):
    """Return the number of placements that `list_placements` lists."""
    count = 1
    for field in range(s.FIELD_COUNT):
        count += sets_on(rules, state, field) * stakes_on(state, field)
        scratch.listed[field] = count
    return count


@compiled
def nth_placement(state, scratch, n):
    """Return the placement that `list_placements` lists as number `n`, from 0."""
    if n == 0:
        return a.encode(a.PASS, 0, 0, 0)
    field = 0
    before = 1
    for each in range(s.FIELD_COUNT - 1):
        past = n >= scratch.listed[each]
        field += past
        before = scratch.listed[each] if past else before
    stakes = stakes_on(state, field)
    more = (n - before) // stakes
    least = least_stake(field) + n - before - more * stakes
    return a.encode(a.PLACE, field, fewest_pawns(state) + more, least)


@compiled
def place(state, action):
    """Carry out a placement, or a pass."""
    seat = state.seat
    if a.kind_of(action) == a.PASS:
        state.passed[seat] = 1
        return
    field = a.first_of(action)
    pawns = a.second_of(action)
    ducats = a.third_of(action)
    # Sums and selected values instead of branches: pawns and fields are hard to predict.
    state.officer_free[seat] -= pawns == 0
    state.officer_on[field, seat] += pawns == 0
    state.helpers_free[seat] -= pawns
    state.helpers_on[field, seat] += pawns
    state.ducats[seat] -= ducats
    state.stake[field, seat] += ducats
    state.placements += 1
    arrival = state.arrival[field, seat]
    state.arrival[field, seat] = state.placements if arrival == 0 else arrival
