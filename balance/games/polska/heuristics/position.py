"""What a position is worth to each seat: named features, from which win chances are made (see docs/searchers.md)."""

from __future__ import annotations

from balance.compiling.jit import compiled, compiled_entry
from balance.games.polska.heuristics.features import find_markers
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps

POSITION = {
    "track": "share of the track behind the marker",
    "close": "1 / (1 + steps to the last field / 5)",
    "hand": "cards in hand",
    "steps_now": "steps that the hand makes where the marker stands, stop, train and coach left out",
    "steps_best": "steps of the hand's cards at their best",
    "stops": "stop cards before the player",
    "near": "1 / (1 + steps to the nearest open marker)",
    "waiting": "share of the players who come before its next turn",
}


@compiled
def _best_steps(rules, face):
    """The most steps that a card can make."""
    kind = rules.face_kind[face]
    if kind == s.GREY:
        return max(rules.grey_same, rules.grey_other)
    if kind == s.BLUE:
        return max(rules.blue_past, rules.blue_future)
    if kind == s.CITY:
        return rules.city_steps
    return rules.eagle_steps if kind == s.EAGLE else 0


@compiled_entry
def estimate(rules, state, scratch):
    """Fill `scratch.position` (seats, `POSITION`); returns how far the game is, from 0 to 1."""
    find_markers(rules, state, scratch)
    last = rules.track_length - 1
    furthest = 0
    for p in range(rules.players):
        row = scratch.position[p]
        now = 0
        best = 0
        for i in range(state.hand_size[p]):
            face = state.hand[p, i]
            now += card_steps(rules, state, p, face, state.position[p])
            best += _best_steps(rules, face)
        distance = scratch.to_marker[state.pawn[p]]
        row[0] = state.position[p] / last
        row[1] = 1.0 / (1.0 + (last - state.position[p]) / 5.0)
        row[2] = state.hand_size[p]
        row[3] = now
        row[4] = best
        row[5] = state.stops[p]
        row[6] = 1.0 / (1.0 + distance) if distance >= 0 else 0.0
        row[7] = (p - state.seat + rules.players) % rules.players / rules.players
        furthest = max(furthest, state.position[p])
    return furthest / last


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with how far each marker has come."""
    for p in range(rules.players):
        scratch.scores[p] = state.position[p]
