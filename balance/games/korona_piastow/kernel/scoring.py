"""The result of a game (END-4)."""

from __future__ import annotations

from balance.contract.records import rank_seats, set_standing
from balance.foundation.compiling import compiled_entry
from balance.games.korona_piastow.kernel.land import count_own_fiefs, count_units, score_of


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    A ruler in the game ranks before one who is out; then score, denars and units decide (END-4).
    """
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
        set_standing(scratch, p, row.out_round == 0, row.score, row.denars, row.units)
    rank_seats(state, scratch, seats)
    game.end = state.ended_by
