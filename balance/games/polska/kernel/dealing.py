"""Set-up of a game (SET-4 to SET-6)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.compiling.streams import shuffle
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import draw_card
from balance.games.polska.kernel.moving import lay_markers
from balance.games.polska.kernel.turns import begin_turn
from balance.games.polska.rules.components import MOST_FACES


@compiled
def _clear(rules, state, log):
    state.players = rules.players
    state.seat = 0
    state.over = 0
    state.round_number = 1
    state.turns = 0
    state.dice_left = 0
    state.aside_count = 0
    state.discard_count = 0
    log.reshuffles = 0
    state.stop_face = rules.face_count - 4  # the first of the four kinds without a value
    for side in range(s.SIDES + 1):
        state.dice_showing[side] = 0
    for field in range(rules.field_count):
        state.pawns_on[field] = 0
        state.marker_on[field] = 0
    for p in range(s.SEATS):
        state.position[p] = 0
        state.hand_size[p] = 0
        state.stops[p] = 0
        log.drawn[p] = 0
        log.thrown[p] = 0
        log.own_turns[p] = 0
        log.blocked[p] = 0
        log.idle[p] = 0
        log.dice_seen[p] = 0
        for kind in range(len(s.KINDS)):
            log.steps_by[p, kind] = 0
            log.played_by[p, kind] = 0
        for order in range(s.SET_SIZE):
            log.markers_by[p, order] = 0
        for face in range(MOST_FACES):
            log.faces_played[p, face] = 0
    for face in range(MOST_FACES):
        log.turned_up[face] = 0


@compiled_entry
def setup(rules, state, log, scratch):
    """Set up a game (SET-4 to SET-6) and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`
        Overwritten; the streams in ``chance`` are drawn from.
    """
    _clear(rules, state, log)
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
    begin_turn(rules, state, log)
