"""Named features of a position for each seat; the value model predicts win chances from them (docs/searchers.md)."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.korona_piastow.heuristics.warfare import count_held, threat_to
from balance.games.korona_piastow.kernel import state as s
from balance.games.korona_piastow.kernel.land import (
    count_active,
    count_own_fiefs,
    count_units,
    has_troops_of,
    is_own,
    owner_of,
    score_of,
)

POSITION = {
    "score": "score, as a share of the crown",
    "fiefs": "own fiefs",
    "abroad": "fiefs of others' districts held by units",
    "units": "units that obey the ruler",
    "denars": "denars",
    "threat": "strength of others' adjoining units minus that of own fiefs' units, summed where positive",
    "halls": "active town halls",
    "relics": "relics",
    "magnates": "free magnates",
    "in_game": "1 while the ruler is in the game",
    "joining": "shares of others' districts held by units, squared and summed",
    "capital_threat": "`threat` of the capital district only",
    "pretender": "1 if the score lets others invade without a claim (CSB-2)",
    "works": "buildings under construction in own fiefs",
    "turn": "share of the others whose turn comes later in this round",
}


@compiled
def _count_abroad(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += has_troops_of(state, fief, seat) and owner_of(rules, state, fief) != seat
    return count


@compiled
def _fill_threats(rules, state, seat, row):
    """Fill the threat of others' units, in total and in the capital district."""
    for fief in range(rules.fief_count):
        if owner_of(rules, state, fief) == seat:
            threat = threat_to(rules, state, seat, fief)
            row[5] += threat
            if rules.district_of[fief] == state.capital[seat]:
                row[11] += threat


@compiled
def _sum_joining(rules, state, seat):
    """Return how near others' districts are to joining the state (JOI-2)."""
    total = 0.0
    for district in range(rules.district_count):
        if state.owner[district] != seat:
            share = count_held(rules, state, seat, district) / rules.district_size[district]
            total += share * share
    return total


@compiled
def _count_works(rules, state, seat):
    count = 0
    for fief in range(rules.fief_count):
        count += state.rising[fief] != s.NOTHING and is_own(rules, state, fief, seat)
    return count


@compiled
def _place_in_turn(rules, state, seat):
    """Return the share of the others whose turn comes later in this round (RND-1)."""
    offset = (seat - (state.round_number - 1)) % rules.players
    return 1.0 - offset / (rules.players - 1)


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
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
        row[5], row[11] = 0.0, 0.0
        _fill_threats(rules, state, p, row)
        row[6] = count_active(rules, state, p, s.TOWN_HALL)
        row[7] = state.relics[p]
        row[8] = state.free_magnates[p].sum()
        row[9] = 1.0 if state.out_round[p] == 0 else 0.0
        row[10] = _sum_joining(rules, state, p)
        row[12] = 1.0 if score >= rules.crown - rules.pretender_gap else 0.0
        row[13] = _count_works(rules, state, p)
        row[14] = _place_in_turn(rules, state, p)
    return min(1.0, max(state.round_number / rules.rounds, best / rules.crown))


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with each seat's score if the game ended now (END-2)."""
    for p in range(rules.players):
        scratch.scores[p] = score_of(rules, state, p)
