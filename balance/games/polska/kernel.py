"""The compiled rules behind the interface that the simulator plays every game through."""

from __future__ import annotations

import numpy as np

from balance.games.polska import actions as a
from balance.games.polska import state as s
from balance.games.polska.cards import CARDS, draw_card
from balance.games.polska.features import WEIGHTS, evaluate
from balance.games.polska.moving import lay_markers
from balance.games.polska.playing import act, list_acts, list_cards
from balance.games.polska.state import GAME_COLUMNS, MOST_ACTIONS, SEAT_COLUMNS, STATE
from balance.games.polska.turns import (
    add_to_die,
    begin_turn,
    end_turn,
    list_dice,
    list_discards,
    take_die,
    throw_away,
)
from balance.jit import compiled, compiled_entry
from balance.streams import derive, shuffle

__all__ = [
    "GAME_COLUMNS",
    "MOST_ACTIONS",
    "SEAT_COLUMNS",
    "STATE",
    "WEIGHTS",
    "apply",
    "evaluate",
    "legal_actions",
    "setup",
    "write_result",
]


@compiled
def _clear(rules, state):
    state.players = rules.players
    state.seat = 0
    state.over = 0
    state.round_number = 1
    state.turns = 0
    state.news_count = 0
    state.dice_left = 0
    state.aside_count = 0
    state.discard_count = 0
    state.reshuffles = 0
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
        state.drawn[p] = 0
        state.thrown[p] = 0
        state.own_turns[p] = 0
        state.blocked[p] = 0
        state.idle[p] = 0
        state.dice_seen[p] = 0
        for kind in range(len(s.KINDS)):
            state.steps_by[p, kind] = 0
            state.played_by[p, kind] = 0
        for order in range(s.SET_SIZE):
            state.markers_by[p, order] = 0


@compiled_entry
def setup(rules, state, deck_seed):
    """Set up a game (SET-4 to SET-6) and play on to its first decision.

    Parameters
    ----------
    rules : record of `state.RULES`
    state : record of `state.STATE`, overwritten
    deck_seed : uint64, the seed of dice, cards and markers
    """
    _clear(rules, state)
    for number in range(3):
        state.chance[number] = derive(deck_seed, np.uint64(number))
    for p in range(rules.players):
        state.pawn[p] = rules.start
    state.pawns_on[rules.start] = rules.players
    for i in range(rules.card_count):
        state.draw_pile[i] = rules.deck[i]
    state.draw_count = rules.card_count
    shuffle(state.draw_pile, state.draw_count, state.chance, CARDS)
    lay_markers(rules, state)
    for p in range(rules.players):
        draw_card(state, p, a.DEAL)
    begin_turn(rules, state)


@compiled_entry
def legal_actions(rules, state, codes):
    """Write the legal actions of `state.seat` to `codes` (int32), returning how many (section 6)."""
    phase = state.phase
    if phase == s.ASK_DIE:
        return list_dice(state, codes)
    if phase == s.ASK_ACT or phase == s.ASK_COACHED:
        return list_acts(rules, state, codes)
    if phase == s.ASK_MORE:
        codes[0] = a.encode(a.NOTHING, 1, 0)
        return list_cards(rules, state, codes, 1, 1)
    if phase == s.ASK_DISCARD:
        return list_discards(state, codes)
    for more in range(3):
        codes[more] = a.encode(a.ADD, 0, more)
    return 3


@compiled_entry
def apply(rules, state, action):
    """Carry out an action of `state.seat` and play on to the next decision."""
    phase = state.phase
    going = False
    if phase == s.ASK_DIE:
        going = take_die(rules, state, a.second_of(action))
    elif phase == s.ASK_COACH:
        add_to_die(rules, state, a.second_of(action))
        going = True
    elif phase == s.ASK_DISCARD:
        throw_away(state, a.second_of(action))
    else:
        going = act(rules, state, action)
    if not going:
        end_turn(rules, state)


@compiled_entry
def write_result(rules, state, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner is first, the others by how far their markers came; in a draw (END-2) all are level.
    """
    for p in range(state.players):
        row = seats[p]
        row.score = state.position[p]
        row.rank = 1
        for other in range(state.players):
            row.rank += state.over == 1 and state.position[other] > state.position[p]
        row.grey_steps = state.steps_by[p, s.GREY]
        row.blue_steps = state.steps_by[p, s.BLUE]
        row.city_steps = state.steps_by[p, s.CITY]
        row.eagle_steps = state.steps_by[p, s.EAGLE]
        row.grey_played = state.played_by[p, s.GREY]
        row.blue_played = state.played_by[p, s.BLUE]
        row.city_played = state.played_by[p, s.CITY]
        row.stop_played = state.played_by[p, s.STOP]
        row.train_played = state.played_by[p, s.TRAIN]
        row.coach_played = state.played_by[p, s.COACH]
        row.eagle_played = state.played_by[p, s.EAGLE]
        _write_markers(state, p, row)
        row.drawn = state.drawn[p]
        row.thrown = state.thrown[p]
        row.own_turns = state.own_turns[p]
        row.blocked = state.blocked[p]
        row.idle = state.idle[p]
        row.dice_seen = state.dice_seen[p] / max(1, state.own_turns[p])
    game.turns = state.turns
    game.reshuffles = state.reshuffles


@compiled
def _write_markers(state, p, row):
    row.markers_1 = state.markers_by[p, 0]
    row.markers_2 = state.markers_by[p, 1]
    row.markers_3 = state.markers_by[p, 2]
    row.markers_4 = state.markers_by[p, 3]
    row.markers_5 = state.markers_by[p, 4]
    row.markers_6 = state.markers_by[p, 5]
    row.markers_7 = state.markers_by[p, 6]
    row.markers_8 = state.markers_by[p, 7]
    row.markers_9 = state.markers_by[p, 8]
    row.markers_10 = state.markers_by[p, 9]
    row.markers = 0
    for order in range(s.SET_SIZE):
        row.markers += state.markers_by[p, order]
