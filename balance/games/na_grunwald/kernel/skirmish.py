"""The field `krzyzacy`: a shared skirmish (KRZ-1 to KRZ-9), and giving up goods (KRZ-5 to KRZ-7, EVT-plunder)."""

from __future__ import annotations

from balance.contract.records import record_outcome
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import asked_seat, clear_table, reveal_cards


@compiled
def begin_plunder(state, strength, after):
    """Ask all seats to give up this strength, and continue with the phase `after`."""
    state.plunder = strength
    state.plunder_left = strength
    state.asked = 0
    state.after_plunder = after
    state.phase = s.ASK_PLUNDER


@compiled
def _has_anything(state, seat):
    return state.provisions[seat] + state.knights[seat] + state.captive_count[seat] > 0


@compiled
def seek_plundered(state):
    """Find the next seat that must and can still give up something (KRZ-6); then clear the table."""
    while state.asked < state.players:
        state.seat = asked_seat(state)
        if state.plunder_left > 0 and _has_anything(state, state.seat):
            return True
        state.asked += 1
        state.plunder_left = state.plunder
    clear_table(state)
    state.phase = state.after_plunder
    return False


@compiled
def list_gifts(state, codes):
    """List one action for a provision and for each distinct card, in the order of the rule page."""
    seat = state.seat
    count = 0
    if state.provisions[seat] > 0:
        codes[count] = a.encode(a.GIVE, a.FROM_PROVISIONS, 0, 1)
        count += 1
    if state.knights[seat] + state.captive_count[seat] == 0:
        return count
    for source in range(a.FROM_HAND_CROWN, a.FROM_CAPTIVES):
        kind = (source - a.FROM_HAND_CROWN) % 2
        for strength in range(1, s.STRENGTHS):
            # Written without a branch, which would be mispredicted half the time.
            codes[count] = a.encode(a.GIVE, source, 0, strength)
            in_hand, in_camp = state.hand[seat, kind, strength], state.camp[seat, kind, strength]
            count += (in_hand if source < a.FROM_CAMP_CROWN else in_camp) > 0
    for strength in range(1, s.STRENGTHS):
        codes[count] = a.encode(a.GIVE, a.FROM_CAPTIVES, 0, strength)
        count += state.captives[seat, strength] > 0
    return count


@compiled
def give(state, action):
    """Give up one item; its strength reduces what the seat must still give up, without change."""
    seat = state.seat
    source = a.first_of(action)
    strength = a.third_of(action)
    state.plunder_left -= strength
    if source == a.FROM_PROVISIONS:
        state.provisions[seat] -= 1
        return
    if source == a.FROM_CAPTIVES:
        state.captives[seat, strength] -= 1
        state.captive_count[seat] -= 1
        return
    state.knights[seat] -= 1
    if source >= a.FROM_CAMP_CROWN:
        state.camp[seat, source - a.FROM_CAMP_CROWN, strength] -= 1
    else:
        state.hand[seat, source - a.FROM_HAND_CROWN, strength] -= 1


@compiled
def krzyzacy_strength(state):
    """Return the sum of both cards and the bonus (KRZ-1), which an event may change (EVT-bonus); never below 0."""
    return max(0, state.prize[s.KRZYZACY, 0] + state.prize[s.KRZYZACY, 1] + state.krzyzacy_bonus)


@compiled_entry
def look_at_krzyzacy(state):
    """Return the strength of the Krzyżacy, for displays."""
    return krzyzacy_strength(state)


@compiled
def begin_skirmish(rules, state):
    """Ask the seats with pawns there for a card; without any, settle at once (KRZ-8)."""
    joined = 0
    for p in range(state.players):
        joined += state.arrival[s.KRZYZACY, p] > 0
    if joined > 0 or rules.unopposed_plunder:
        state.asked = 0
        state.phase = s.ASK_FIGHT


@compiled
def seek_fighter(rules, state, log):
    """Find the next seat with a pawn on the field; when all have chosen, settle the skirmish."""
    while state.asked < state.players:
        state.seat = asked_seat(state)
        if state.arrival[s.KRZYZACY, state.seat] > 0:
            return True
        state.asked += 1
    _settle(rules, state, log)
    return False


@compiled
def _next_strongest(rules, state, before):
    """Return the seat with the strongest card among those not yet `before`; ties by RES-2."""
    best = -1
    best_key = -1
    for p in range(state.players):
        if state.card_kind[p] == s.NO_CARD or p == before:
            continue
        key = 1024 * (state.card_strength[p] + 1) + rules.tie_sign * state.arrival[s.KRZYZACY, p]
        if key > best_key:
            best = p
            best_key = key
    return best


@compiled
def _capture(state, log, seat, strength):
    record_outcome(state, log, a.CAPTIVE, seat, strength)
    state.captured[seat] = strength
    log.taken[seat, s.CAPTIVES + strength] += 1


@compiled
def _take_captives(rules, state, log):
    """Give captives: the strongest card takes the stronger Krzyżak it beats, the second the weaker (KRZ-3, 4)."""
    stronger = state.prize[s.KRZYZACY, 0]
    weaker = state.prize[s.KRZYZACY, 1]
    first = _next_strongest(rules, state, -1)
    weaker_taken = False
    if first >= 0 and rules.captors >= 1:
        if state.card_strength[first] > stronger:
            _capture(state, log, first, stronger)
        elif state.card_strength[first] > weaker:
            _capture(state, log, first, weaker)
            weaker_taken = True
    if first >= 0 and rules.captors >= 2 and not weaker_taken:
        second = _next_strongest(rules, state, first)
        if second >= 0 and state.card_strength[second] > weaker:
            _capture(state, log, second, weaker)


@compiled
def _settle(rules, state, log):
    """Give captives, then settle the outcome; all players pay for a loss (KRZ-5)."""
    reveal_cards(state)
    total = 0
    for p in range(state.players):
        log.seats[p].skirmishes_joined += state.arrival[s.KRZYZACY, p] > 0
        if state.card_kind[p] != s.NO_CARD:
            total += state.card_strength[p]
    against = krzyzacy_strength(state)
    cards = state.prize[s.KRZYZACY]
    record_outcome(state, log, a.SKIRMISH, total, against, cards[0], cards[1], state.krzyzacy_bonus)
    _take_captives(rules, state, log)
    missing = against - total
    record_outcome(state, log, a.SETTLED, max(0, missing))
    state.phase = s.RESOLVE
    if missing <= 0:
        log.game.skirmishes_won += 1
        clear_table(state)
        return
    log.game.skirmishes_lost += 1
    log.game.plunder_total += missing
    if rules.give_from_table:
        clear_table(state)
    begin_plunder(state, missing, s.RESOLVE)
