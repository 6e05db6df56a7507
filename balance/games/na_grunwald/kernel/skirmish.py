"""The field `krzyzacy`: a shared skirmish (KRZ-1 to KRZ-9)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import (
    asked_seat,
    choose_secretly,
    clear_table,
    list_knights,
    reveal_cards,
)


@compiled
def krzyzacy_strength(state):
    """Both cards and the bonus (KRZ-1), which an event may change (EVT-bonus); never below 0."""
    return max(0, state.prize[s.KRZYZACY, 0] + state.prize[s.KRZYZACY, 1] + state.krzyzacy_bonus)


@compiled
def begin_skirmish(rules, state):
    """Ask those who stand there for a card; with nobody there, settle at once (KRZ-8)."""
    unopposed = True
    for p in range(state.players):
        if state.arrival[s.KRZYZACY, p] > 0:
            unopposed = False
    if not (unopposed and rules.unopposed_plunder == 0):
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
def list_fights(state, codes):
    codes[0] = a.encode(a.FIGHT, 0, 0, 0)
    return list_knights(state, state.seat, 1, a.FIGHT, codes, 1)


@compiled
def fight(state, action):
    choose_secretly(state, state.seat, a.second_of(action) - 1, a.third_of(action))
    state.asked += 1


@compiled
def _next_strongest(rules, state, before):
    """The seat with the strongest card among those not yet `before`; ties by RES-2."""
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
def _take_captives(rules, state):
    """The strongest card takes the stronger Krzyżak it beats, the second the weaker (KRZ-3, 4)."""
    stronger = state.prize[s.KRZYZACY, 0]
    weaker = state.prize[s.KRZYZACY, 1]
    first = _next_strongest(rules, state, -1)
    weaker_taken = False
    if first >= 0 and rules.captors >= 1:
        if state.card_strength[first] > stronger:
            state.captured[first] = stronger
        elif state.card_strength[first] > weaker:
            state.captured[first] = weaker
            weaker_taken = True
    if first >= 0 and rules.captors >= 2 and not weaker_taken:
        second = _next_strongest(rules, state, first)
        if second >= 0 and state.card_strength[second] > weaker:
            state.captured[second] = weaker


@compiled
def _settle(rules, state, log):
    """Captives first, then the outcome; a loss is paid by everybody (KRZ-5)."""
    reveal_cards(state)
    total = 0
    for p in range(state.players):
        log.skirmishes_joined[p] += state.arrival[s.KRZYZACY, p] > 0
        if state.card_kind[p] != s.NO_CARD:
            total += state.card_strength[p]
    _take_captives(rules, state)
    for p in range(state.players):
        log.taken[p, s.CAPTIVES + state.captured[p]] += state.captured[p] > 0
    missing = krzyzacy_strength(state) - total
    state.phase = s.RESOLVE
    if missing <= 0:
        log.skirmishes_won += 1
        clear_table(state)
        return
    log.skirmishes_lost += 1
    log.plunder_total += missing
    if rules.give_from_table:
        clear_table(state)
    state.plunder = missing
    state.plunder_left = missing
    state.asked = 0
    state.after_plunder = s.RESOLVE
    state.phase = s.ASK_PLUNDER
