"""The deck of fate: drawing, the discard piles, discards over the limit (DRW-1 to DRW-3)."""

from __future__ import annotations

from balance.compiling.jit import compiled
from balance.compiling.streams import draw_below
from balance.contract.news import announce
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.vocabulary import CARDS

KINDS = len(CARDS)


@compiled
def pick_card(cards, count, streams, index):
    """The kind of one of `count` cards, drawn at random from `cards` (cards of each kind)."""
    place = draw_below(streams, index, count)
    kind = 0
    while place >= cards[kind]:
        place -= cards[kind]
        kind += 1
    return kind


@compiled
def _renew_pile(state, log):
    """Both discard piles become a new pile; False if they are empty too (DRW-3)."""
    for seat in range(s.SEATS):
        for card in range(KINDS):
            state.pile[card] += state.discards[seat, card]
            state.pile_count += state.discards[seat, card]
            state.discards[seat, card] = 0
    if state.pile_count == 0:
        return False
    log.reshuffles += 1
    announce(state, log, a.encode(a.RESHUFFLE, 0, 0))
    return True


@compiled
def draw_cards(state, log, seat, wanted):
    """Draw into a hand, as far as there are cards."""
    for _ in range(wanted):
        if state.pile_count == 0 and not _renew_pile(state, log):
            return
        card = pick_card(state.pile, state.pile_count, state.chance, s.FATE_DECK)
        state.pile[card] -= 1
        state.pile_count -= 1
        state.hand[seat, card] += 1
        state.hand_size[seat] += 1
        log.drawn[seat] += 1
        log.cards_drawn[card] += 1
        announce(state, log, a.encode(a.DRAW, seat, card))


@compiled
def lay_off(state, seat, card):
    """A card of the hand goes to its player's discard pile (CRD-2)."""
    state.hand[seat, card] -= 1
    state.hand_size[seat] -= 1
    state.discards[seat, card] += 1


@compiled
def give_up(state, seat, card):
    """Discard or pay a card of the hand, of its copies one that is set aside first (CRD-6)."""
    if card == s.PROPHECY:
        state.aside[seat] = max(0, state.aside[seat] - 1)
    lay_off(state, seat, card)


@compiled
def begin_discards(state, seat, resume):
    """Whoever has drawn discards; then the game goes on with the phase `resume`."""
    state.seat = seat
    state.resume = resume
    state.phase = s.DISCARDS


@compiled
def go_on_discarding(rules, state):
    """Ask for a card over the limit, or resume."""
    if state.hand_size[state.seat] > rules.hand_limit:
        state.phase = s.ASK_DISCARD
        return
    state.phase = state.resume
    state.seat = state.next_seat if state.resume == s.ASK_CARD else state.active


@compiled
def list_hand(state, codes, count, kind):
    """Append an action of `kind` for each distinct card in the hand of the seat."""
    for card in range(KINDS):
        if state.hand[state.seat, card] > 0:
            codes[count] = a.encode(kind, 0, card)
            count += 1
    return count


@compiled
def discard(state, log, card):
    give_up(state, state.seat, card)
    log.discarded[state.seat] += 1
    state.phase = s.DISCARDS
