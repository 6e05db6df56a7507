"""Named features of a position for each seat; the value model predicts win chances from them (docs/searchers.md)."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.scoring import army_count, muster, score, total_of

POSITION = {
    "points": "points if the game ended now, after the weakest unfed knights starved",
    "crown_lead": "crown knights minus those of the best other seat, from -3 to 3",
    "mercenary_lead": "mercenaries minus those of the best other seat, from -3 to 3",
    "spare_lead": "spare provisions minus those of the best other seat, from -3 to 3",
    "hungry": "knights that the provisions don't feed",
    "spare": "provisions that the knights don't need",
    "ducats": "ducats",
    "helpers": "helpers",
    "fighters": "strength of the knights in hand that could still fight",
    "best_fighter": "strength of the strongest knight in hand",
    "start": "1 for the starting player of this round",
    "last": "1 for the last player of this round",
}
_LARGEST_LEAD = 3


@compiled
def _lead(counts, players, seat):
    """Return the seat's count minus the best other seat's, from -`_LARGEST_LEAD` to `_LARGEST_LEAD`."""
    other = 0
    for p in range(players):
        if p != seat:
            other = max(other, counts[p])
    return float(max(-_LARGEST_LEAD, min(_LARGEST_LEAD, counts[seat] - other)))


@compiled
def _fighters(state, scratch, seat):
    total = 0
    best = 0
    for strength in range(1, s.STRENGTHS):
        here = state.hand[seat, 0, strength] + state.hand[seat, 1, strength]
        total += strength * here
        best = strength if here > 0 else best
    scratch.position[seat, 8] = total
    scratch.position[seat, 9] = best


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
    muster(rules, state, scratch, True)
    score(rules, state, scratch)
    players = rules.players
    counts = scratch.title_count
    for kind in range(2):
        for p in range(players):
            counts[p] = army_count(scratch, p, kind)
        for p in range(players):
            scratch.position[p, 1 + kind] = _lead(counts, players, p)
    for p in range(players):
        fed = state.provisions[p] * rules.knights_per_provision
        counts[p] = max(0, fed - state.knights[p]) // rules.knights_per_provision
    for p in range(players):
        row = scratch.position[p]
        row[0] = total_of(scratch, p)
        row[3] = _lead(counts, players, p)
        row[4] = max(0, state.knights[p] - state.provisions[p] * rules.knights_per_provision)
        row[5] = counts[p]
        row[6] = state.ducats[p]
        row[7] = state.helpers[p]
        _fighters(state, scratch, p)
        row[10] = p == state.start
        row[11] = p == (state.start + players - 1) % players
    return (state.round_number - 1) / rules.rounds


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with each seat's score if the game ended now."""
    muster(rules, state, scratch, True)
    score(rules, state, scratch)
    for p in range(rules.players):
        scratch.scores[p] = total_of(scratch, p)
