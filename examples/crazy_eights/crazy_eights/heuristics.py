"""What profiles weigh in Crazy Eights; it reads the own hand and what lies open."""

from balance.foundation.compiling import compiled, compiled_entry
from crazy_eights.kernel import CARDS, DRAW, EIGHT, PASS, RANKS, SUITS, points_of

SETTINGS = {}  # other parameters, name to default and meaning
SCRATCH = ()
FEATURES = {
    "points": "points of the card played",
    "eight": "playing an eight",
    "follow": "other cards in hand that match the card played, by its suit in force or its rank",
    "last": "cards that the next player holds, at most 5, when the suit in force changes",
    "draw": "drawing a card",
    "passing": "passing",
}


@compiled
def _worth_of_card(rules, state, w, card, suit):
    """Return the value of playing a card, after which `suit` is in force."""
    rank, seat = card % RANKS, state.seat
    following = 0
    for other in range(CARDS):
        held = other != card and state.hand[seat, other] == 1
        following += held and (other // RANKS == suit or other % RANKS == rank)
    value = w.points * points_of(rules, card) + w.eight * (rank == EIGHT) + w.follow * following
    if suit != state.suit:
        value += w.last * min(5, state.hand_size[(seat + 1) % state.players])
    return value


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    for i in range(count):
        if codes[i] == DRAW:
            values[i] = weights.draw
        elif codes[i] == PASS:
            values[i] = weights.passing
        else:
            values[i] = _worth_of_card(rules, state, weights, codes[i] // SUITS, codes[i] % SUITS)
