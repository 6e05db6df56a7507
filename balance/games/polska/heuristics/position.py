"""Named features of a position for each seat; the value model predicts win chances from them (docs/searchers.md)."""

from __future__ import annotations

from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.heuristics.features import find_markers
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps

POSITION = {
    "track": "share of the track behind the marker",
    "close": "1 / (1 + steps to the last field / 5)",
    "hand": "cards in hand",
    "steps_now": "steps that the hand's cards make at the marker's present field, without stop, train and coach",
    "steps_best": "most steps that the hand's cards can make",
    "stops": "stop cards in front of the player",
    "near": "1 / (1 + steps to the nearest open marker)",
    "waiting": "share of the players whose turns come before the seat's next turn",
}


@compiled
def _best_steps(rules, face):
    """Return the most steps that a card can make."""
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
    """Fill `scratch.position` (seats, `POSITION`) and return the progress of the game, from 0 to 1."""
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
    """Fill `scratch.scores` with the position of each marker on the track."""
    for p in range(rules.players):
        scratch.scores[p] = state.position[p]
