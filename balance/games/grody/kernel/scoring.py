"""The end of a game (END-1 to END-4), its scores and ranks, and the values of the log (section 8)."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_points, count_segments, count_warriors


@compiled
def score_of(rules, state, seat):
    """Return a seat's victory points, and more for a conquest (section 8)."""
    points = count_points(rules, state, seat)
    if state.over and state.ended_by == s.CONQUEST and state.winner == seat:
        points += rules.conquest_score
    return points


@compiled
def keep_round(rules, state, log):
    if not log.keep_rounds:
        return
    for p in range(s.SEATS):
        row = log.history[state.round_number - 1, p]
        row.score = score_of(rules, state, p)
        row.segments = count_segments(rules, state, p)
        row.warriors = count_warriors(rules, state, p)
        row.prisoners = state.prisoners[p]
        row.hand = state.hand_size[p]


@compiled
def _finish(rules, state, log, winner, how):
    state.over = 2 if winner == s.NOBODY else 1
    state.winner = winner
    state.ended_by = how
    state.phase = s.OVER
    keep_round(rules, state, log)


@compiled
def check_conquest(rules, state, log):
    """End the game if A has a warrior in B's gród and B has none there (END-1)."""
    seat = state.active
    grod = rules.grod[1 - seat]
    if state.warriors[seat, grod] > 0 and state.warriors[1 - seat, grod] == 0:
        _finish(rules, state, log, seat, s.CONQUEST)


@compiled
def check_dominance(rules, state, log, seat):
    """End the game if a seat dominates (END-2)."""
    lead = count_points(rules, state, seat) - count_points(rules, state, 1 - seat)
    enough = count_segments(rules, state, seat) >= rules.dominance_segments
    if lead >= rules.dominance_lead and enough:
        _finish(rules, state, log, seat, s.DOMINANCE)


@compiled
def _judge_limit(rules, state, log):
    """Find the winner at the limit by points, then segments, then warriors; else a draw (END-3)."""
    lead = count_points(rules, state, 0) - count_points(rules, state, 1)
    if lead == 0:
        lead = count_segments(rules, state, 0) - count_segments(rules, state, 1)
    if lead == 0:
        lead = count_warriors(rules, state, 0) - count_warriors(rules, state, 1)
    winner = s.NOBODY
    if lead != 0:
        winner = 0 if lead > 0 else 1
    _finish(rules, state, log, winner, s.LIMIT)


@compiled
def _suffer_thirst(rules, state, log):
    """Remove a warrior of A from each desert with too many (TRN-2)."""
    seat = state.active
    for segment in range(rules.segment_count):
        terrain = state.terrain[segment]
        if terrain == s.UNEXPLORED or rules.deadly_from[terrain] == 0:
            continue
        if state.warriors[seat, segment] >= rules.deadly_from[terrain]:
            state.warriors[seat, segment] -= 1
            log.thirst[seat] += 1


@compiled
def end_turn(rules, state, log):
    """Apply desert, dominance and limit; else begin the next turn."""
    _suffer_thirst(rules, state, log)
    ends_round = state.active == 1
    if rules.dominance_at == s.AT_END:
        check_dominance(rules, state, log, state.active)
    elif rules.dominance_at == s.AT_ROUND and ends_round:
        for seat in range(s.SEATS):
            if state.over == 0:
                check_dominance(rules, state, log, seat)
    if state.over == 0 and state.turns == s.SEATS * rules.turn_limit:
        _judge_limit(rules, state, log)
    if state.over == 0:
        if ends_round:
            keep_round(rules, state, log)
        state.phase = s.BEGIN_TURN


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank.

    The winner ranks first; in a draw both do; before the end of the game, the seat with more points does.
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
