"""Rows of an ended game (END-2, END-4): scores, ranks, and values of the log; look-ups for displays."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.kernel.invading import score_of
from balance.games.korona_piastow.kernel.land import holder_of
from balance.games.korona_piastow.kernel.rounds import count_own_fiefs, count_units


@compiled
def _is_better(one, two):
    """Return whether a ruler ranks higher: still in the game, then score, denars, units (END-4)."""
    if (one.out_round == 0) != (two.out_round == 0):
        return one.out_round == 0
    if one.score != two.score:
        return one.score > two.score
    if one.denars != two.denars:
        return one.denars > two.denars
    return one.units > two.units


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank."""
    for p in range(state.players):
        row = seats[p]
        row.score = score_of(rules, state, p)
        row.line = state.capital[p]
        row.fiefs = count_own_fiefs(rules, state, p)
        row.denars = state.denars[p]
        row.units = count_units(rules, state, p)
        row.relics = state.relics[p]
        row.out_round = state.out_round[p]
        row.mustered = log.mustered[p].sum()
        row.built = log.built[p].sum()
    for p in range(state.players):
        seats[p].rank = 1
        for other in range(state.players):
            seats[p].rank += _is_better(seats[other], seats[p])
    game.end = state.ended_by


@compiled_entry
def checkpoint(rules, state):
    """Return the number of rounds that have begun."""
    return state.round_number


@compiled_entry
def look_at_realm(rules, state, holders, scores):
    """Write who holds each fief, and the score of each seat, for displays.

    Parameters
    ----------
    holders : int array (`rules.fief_count`,)
        Overwritten with seats, `state.NOBODY` or `state.FOREIGN_STATES`.
    scores : int array (`rules.players`,)
        Overwritten.
    """
    for fief in range(rules.fief_count):
        holders[fief] = holder_of(rules, state, fief)
    for seat in range(rules.players):
        scores[seat] = score_of(rules, state, seat)
