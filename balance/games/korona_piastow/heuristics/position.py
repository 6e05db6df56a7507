"""What a position is worth to each seat: named features, from which win chances are made (see docs/search.md)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.warfare import threat_to
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.claims import score_of
from balance.games.korona_piastow.kernel.land import count_active, has_troops_of, owner_of
from balance.games.korona_piastow.kernel.magnates import count_free
from balance.games.korona_piastow.kernel.rounds import count_own_fiefs, count_units

POSITION = {
    "score": "share of the crown that the score is",
    "fiefs": "own fiefs",
    "abroad": "fiefs of others' districts held by units",
    "units": "units that obey the ruler",
    "denars": "denars",
    "threat": "strength by which others' units exceed those of own fiefs, summed",
    "halls": "active town halls",
    "relics": "relics",
    "magnates": "free magnates",
    "in_game": "1 while the ruler is in the game",
}


@compiled
def _count_abroad(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += has_troops_of(state, fief, seat) and owner_of(rules, state, fief) != seat
    return count


@compiled
def _sum_threats(rules, state, seat):
    total = 0
    for fief in range(rules.fief_count):
        if owner_of(rules, state, fief) == seat:
            total += threat_to(rules, state, seat, fief)
    return total


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`); returns how far the game is, from 0 to 1."""
    best = 0
    for p in range(rules.players):
        row = scratch.position[p]
        score = score_of(rules, state, p)
        best = max(best, score)
        row[0] = score / rules.crown
        row[1] = count_own_fiefs(rules, state, p)
        row[2] = _count_abroad(rules, state, p)
        row[3] = count_units(rules, state, p)
        row[4] = state.denars[p]
        row[5] = _sum_threats(rules, state, p)
        row[6] = count_active(rules, state, p, s.TOWN_HALL)
        row[7] = state.relics[p]
        row[8] = count_free(state, p)
        row[9] = 1.0 if state.out_round[p] == 0 else 0.0
    return min(1.0, max(state.round_number / rules.rounds, best / rules.crown))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with what each would score if the game ended now (END-2)."""
    for p in range(rules.players):
        scratch.scores[p] = score_of(rules, state, p)
