"""Event cards: drawing, fate (LOS-1), discards (EVN-2), and cards that stay (EVT-1)."""

from __future__ import annotations

from balance.foundation.compiling import compiled
from balance.foundation.streams import shuffle
from balance.games.korona_piastow.kernel import actions as a
from balance.games.korona_piastow.kernel import state as s


@compiled
def draw_card(state, log):
    """Draw the top card; an empty stack is first renewed from the shuffled discards."""
    if state.stack_count == 0:
        for i in range(state.discard_count):
            state.stack[i] = state.discards[i]
        state.stack_count = state.discard_count
        state.discard_count = 0
        shuffle(state.stack, state.stack_count, state.chance, s.CARDS)
        log.game.reshuffles += 1
        a.record_draw(state, log, a.RESHUFFLE, 0)
    state.stack_count -= 1
    return state.stack[state.stack_count]


@compiled
def discard(state, card):
    state.discards[state.discard_count] = card
    state.discard_count += 1


@compiled
def draw_fate(state, log, what):
    """Draw a card for its numbers and discard it; `what` is the chance outcome to log."""
    card = draw_card(state, log)
    discard(state, card)
    a.record_draw(state, log, what, card)
    return card


@compiled
def let_event_stay(state, time, seat, other):
    """Place the event with a ruler, and with the other ruler if the card names one."""
    i = state.stay_count
    state.stay_card[i] = state.event
    state.event = s.NOTHING
    state.stay_time[i] = time
    state.stay_with[i] = seat
    state.stay_other[i] = other
    state.stay_count += 1


@compiled
def _discard_stay(state, i):
    """Discard a card that stayed; the others keep their order."""
    discard(state, state.stay_card[i])
    state.stay_count -= 1
    for j in range(i, state.stay_count):
        state.stay_card[j] = state.stay_card[j + 1]
        state.stay_time[j] = state.stay_time[j + 1]
        state.stay_with[j] = state.stay_with[j + 1]
        state.stay_other[j] = state.stay_other[j + 1]


@compiled
def age_stays(state):
    """Reduce the time units of the cards that stay, and discard those without any left (EVT-1)."""
    for i in range(state.stay_count - 1, -1, -1):
        state.stay_time[i] -= 1
        if state.stay_time[i] == 0:
            _discard_stay(state, i)


@compiled
def drop_stays(state, seat):
    """Discard the cards of a ruler who is out (EVT-1)."""
    for i in range(state.stay_count - 1, -1, -1):
        if state.stay_with[i] == seat or state.stay_other[i] == seat:
            _discard_stay(state, i)


@compiled
def have_peace(state, seat, other):
    found = False
    for i in range(state.stay_count):
        one, two = state.stay_with[i], state.stay_other[i]
        found |= (one == seat and two == other) or (one == other and two == seat)
    return found


@compiled
def is_under_interdict(state, seat):
    found = False
    for i in range(state.stay_count):
        found |= state.stay_with[i] == seat and state.stay_other[i] == s.NOTHING
    return found
