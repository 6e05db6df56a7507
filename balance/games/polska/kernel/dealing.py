"""How a game begins (SET-4 to SET-6), and the components that studies count and give: cards."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import draw_card
from balance.games.polska.kernel.moving import lay_markers
from balance.games.polska.rules.components import MOST_CARDS, MOST_FACES


@compiled
def deal(rules, state, log):
    """Lay out the map, the cards and the markers, and deal the hands (SET-4 to SET-6)."""
    state.players = rules.players
    state.round_number = 1
    state.stop_face = rules.face_count - 4  # the first of the four kinds without a value
    for p in range(rules.players):
        state.pawn[p] = rules.start
    state.pawns_on[rules.start] = rules.players
    for i in range(rules.card_count):
        state.draw_pile[i] = rules.deck[i]
    state.draw_count = rules.card_count
    shuffle(state.draw_pile, state.draw_count, state.chance, s.CARDS)
    lay_markers(rules, state, log)
    for p in range(rules.players):
        for _ in range(rules.hand_start[p]):
            draw_card(state, log, p, a.DEAL)


MOST_COMPONENTS = MOST_FACES  # a component's number is the face's


@compiled_entry
def count_components(rules, state, log, counts):
    """Count into `counts.shown` and `counts.taken` how often each card was drawn and each seat played it."""
    for face in range(MOST_FACES):
        counts.shown[face] = log.turned_up[face]
        for p in range(state.players):
            counts.taken[p, face] = log.faces_played[p, face]


@compiled_entry
def give_component(rules, state, log, component, seat):
    """Put one more card of a face into a hand; return False if the records have no room for it."""
    if rules.card_count == MOST_CARDS or state.hand_size[seat] == s.HAND:
        return False
    state.hand[seat, state.hand_size[seat]] = component
    state.hand_size[seat] += 1
    return True
