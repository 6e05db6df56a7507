"""The rows of a game: scores, ranks, what the log counted (section 8)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors
from balance.games.grody.kernel.ends import score_of


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner is first; in a draw both are; before the end, who has more points.
    """
    for p in range(s.SEATS):
        row = seats[p]
        row.score = score_of(rules, state, p)
        row.victory_points = count_points(rules, state, p)
        row.segments = count_segments(rules, state, p)
        row.warriors = count_warriors(rules, state, p)
        row.prisoners = state.prisoners[p]
        row.hand = state.hand_size[p]
        row.rank = 1
        if state.over:
            row.rank += state.winner == 1 - p
        else:
            row.rank += count_points(rules, state, 1 - p) > row.victory_points
        _write_war(log, p, row)
        _write_turns(log, p, row)
        _write_cards(log, p, row)
    game.ended_by = state.ended_by
    game.turns = state.turns
    game.combats = log.combats
    game.combat_rounds = log.combat_rounds
    game.reshuffles = log.reshuffles


@compiled
def _write_war(log, p, row):
    row.lost = log.lost[p]
    row.captured = log.captured[p]
    row.fled = log.fled[p]
    row.taken = log.taken[p]
    row.attacks = log.attacks[p]
    row.attacks_won = log.attacks_won[p]
    row.defences = log.defences[p]
    row.defences_won = log.defences_won[p]
    row.blows_ignored = log.blows_ignored[p]


@compiled
def _write_turns(log, p, row):
    row.explored = log.explored[p]
    row.exchanged = log.exchanged[p]
    row.recruited = log.recruited[p]
    row.joined = log.joined[p]
    row.drawn = log.drawn[p]
    row.discarded = log.discarded[p]
    row.cancelled = log.cancelled[p]
    row.ransomed = log.ransomed[p]
    row.freed = log.freed[p]
    row.thirst = log.thirst[p]
    row.strayed = log.strayed[p]
    row.built_zasieki = log.built[p, s.ABATIS]
    row.built_most = log.built[p, s.BRIDGE]
    row.built_twierdza = log.built[p, s.FORT]


@compiled
def _write_cards(log, p, row):
    row.played_na_pewno_sie_uda = log.played[p, s.SURE]
    row.played_piesn_bojowa = log.played[p, s.SONG]
    row.played_zasadzka = log.played[p, s.AMBUSH]
    row.played_wilczy_dol = log.played[p, s.WOLF_PIT]
    row.played_doskonaly_manewr = log.played[p, s.MANOEUVRE]
    row.played_odwrot = log.played[p, s.RETREAT]
    row.played_poscig = log.played[p, s.PURSUIT]
    row.played_forsowny_marsz = log.played[p, s.FORCED_MARCH]
    row.played_zwiad = log.played[p, s.SCOUTING]
    row.played_ochotnicy = log.played[p, s.VOLUNTEERS]
    row.played_sabotaz = log.played[p, s.SABOTAGE]
    row.played_okup = log.played[p, s.RANSOM_ALL]
    row.played_wieszczba = log.played[p, s.PROPHECY]
    row.played_czarodziej = log.played[p, s.WIZARD]
