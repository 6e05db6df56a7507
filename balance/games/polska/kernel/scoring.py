"""Rows of an ended game: scores, ranks, and values of the log."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.kernel import state as s


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner ranks first, the others by the positions of their markers; in a draw (END-2) all are equal.
    """
    for p in range(state.players):
        row = seats[p]
        row.score = state.position[p]
        row.rank = 1
        for other in range(state.players):
            row.rank += state.over == 1 and state.position[other] > state.position[p]
        row.grey_steps = log.steps_by[p, s.GREY]
        row.blue_steps = log.steps_by[p, s.BLUE]
        row.city_steps = log.steps_by[p, s.CITY]
        row.eagle_steps = log.steps_by[p, s.EAGLE]
        row.grey_played = log.played_by[p, s.GREY]
        row.blue_played = log.played_by[p, s.BLUE]
        row.city_played = log.played_by[p, s.CITY]
        row.stop_played = log.played_by[p, s.STOP]
        row.train_played = log.played_by[p, s.TRAIN]
        row.coach_played = log.played_by[p, s.COACH]
        row.eagle_played = log.played_by[p, s.EAGLE]
        _write_markers(state, log, p, row)
        row.drawn = log.drawn[p]
        row.thrown = log.thrown[p]
        row.own_turns = log.own_turns[p]
        row.blocked = log.blocked[p]
        row.idle = log.idle[p]
        row.dice_seen = log.dice_seen[p] / max(1, log.own_turns[p])
    game.turns = state.turns
    game.reshuffles = log.reshuffles


@compiled
def _write_markers(state, log, p, row):
    row.markers_1 = log.markers_by[p, 0]
    row.markers_2 = log.markers_by[p, 1]
    row.markers_3 = log.markers_by[p, 2]
    row.markers_4 = log.markers_by[p, 3]
    row.markers_5 = log.markers_by[p, 4]
    row.markers_6 = log.markers_by[p, 5]
    row.markers_7 = log.markers_by[p, 6]
    row.markers_8 = log.markers_by[p, 7]
    row.markers_9 = log.markers_by[p, 8]
    row.markers_10 = log.markers_by[p, 9]
    row.markers = 0
    for order in range(s.SET_SIZE):
        row.markers += log.markers_by[p, order]
