"""Named features of an action and of a position; they use no hidden information.

A strategy profile weighs the features of an action: its value is the sum of weight times feature. The value of a die is
that of the best move that it allows, or of the best play of cards if that is larger. A value model predicts win chances
from the features of a position (docs/searchers.md).
"""

from __future__ import annotations

import numpy as np

from balance.contract.records import Fields, number_features
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps, is_playable
from balance.games.polska.kernel.moving import can_stop, find_ways
from balance.games.polska.kernel.turns import allowed_steps
from balance.games.polska.rules.components import MOST_CITIES, MOST_FIELDS

FAR = 999  # steps if no marker is open
MOST_STEPS = 20  # of a move: most that a 1 may allow

SCRATCH: Fields = (
    ("to_marker", "i2", (MOST_FIELDS,)),  # steps from a field to the nearest open marker
    ("cities", "i8"),  # bit i: the hand has a card of city i
    ("best_within", "f8", (MOST_FIELDS,)),  # value of the best arrival, by number of steps
    # for networks, see `judgement`
    ("open_markers", "i4", (MOST_CITIES,)),  # fields of the open markers
    ("open_count", "i8"),
    ("within", "i4", (MOST_STEPS + 1, 5)),  # what a move can reach, by number of steps
    ("run", "i8"),  # most steps that cards can make this turn
    ("next_run", "i8"),  # most steps that cards can make next turn, away from the cities of the hand
    ("potential", "i8"),  # steps of the hand's cards, each at its best time
)
SETTINGS: dict[str, tuple[float, str]] = {}


@compiled
def find_markers(rules, state, scratch):
    """Fill `scratch.to_marker` with the steps from each field to the nearest open marker."""
    for field in range(rules.field_count):
        scratch.to_marker[field] = FAR
    for i in range(rules.location_count):
        marker = rules.locations[i]
        if state.marker_on[marker] and state.pawns_on[marker] == 0:
            for field in range(rules.field_count):
                steps = rules.steps_between[marker, field]
                scratch.to_marker[field] = min(scratch.to_marker[field], steps)


@compiled
def note_cities(rules, state, scratch, seat):
    """Write the cities of the cards in hand to `scratch.cities`."""
    scratch.cities = 0
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        if rules.face_kind[face] == s.CITY:
            scratch.cities |= np.int64(1) << np.int64(rules.face_value[face])


@compiled
def best_steps(rules, state, seat, face, position):
    """Return the steps that a card can make at its best time from a position on."""
    kind = rules.face_kind[face]
    if kind == s.GREY:
        last = rules.track_year[rules.track_length - 2]
        coming = rules.track_year[position] <= rules.face_value[face] <= last
        return max(rules.grey_same, rules.grey_other) if coming else rules.grey_other
    if kind == s.BLUE:
        return max(rules.blue_past, rules.blue_future)
    return card_steps(rules, state, seat, face, position)


_OF_AN_ARRIVAL = {
    "card": "cards from a marker that the hand can keep",
    "overflow": "cards from a marker beyond the hand limit",
    "nearer": "steps by which a move comes nearer to the nearest open marker",
    "city": "steps of a city card in hand that can be played at the end of a move",
}


@compiled
def _arrival_worth(rules, state, scratch, w, seat, field, spent):
    """Return the value of a pawn's arrival on a field; `spent` cards have left the hand for it."""
    value = 0.0
    if state.marker_on[field]:
        given = rules.cards_per_marker[state.taken_of_set]
        room = max(0, rules.hand_limit - state.hand_size[seat] + spent)
        value += w.card * min(given, room) + w.overflow * max(0, given - room)
    else:
        value += w.nearer * (scratch.to_marker[state.pawn[seat]] - scratch.to_marker[field])
    if field < MOST_CITIES and (scratch.cities >> field) & 1:  # cities are the first fields
        value += w.city * rules.city_steps
    return value


@compiled
def _turn_steps(rules, state, seat, face):
    """Return the steps of this card and of the best others that may still be played this turn."""
    total = card_steps(rules, state, seat, face, state.position[seat])
    left = rules.cards_per_turn - state.played - 1
    best = 0
    second = 0
    skipped = False
    for i in range(state.hand_size[seat]):
        other = state.hand[seat, i]
        if other == face and not skipped:
            skipped = True
            continue
        if not is_playable(rules, state, seat, other):
            continue
        steps = card_steps(rules, state, seat, other, state.position[seat])
        if steps > best:
            best, second = steps, best
        elif steps > second:
            second = steps
    if left >= 1:
        total += best
    if left >= 2:
        total += second
    return total


_OF_A_PLAY = {
    "step": "steps of the marker with the best cards of this turn, within the limit of cards per turn",
    "forgone": "steps that the card could make at its best time minus its steps now",
    "playing": "playing cards that move the marker",
    "full_hand": "share of the hand limit that is filled when cards are played",
    "win": "reaching the last field with this card",
}


@compiled
def _play_worth(rules, state, w, seat, face):
    """Return the value of playing a card that moves the marker."""
    now = card_steps(rules, state, seat, face, state.position[seat])
    value = w.playing + w.step * _turn_steps(rules, state, seat, face)
    value += w.forgone * (best_steps(rules, state, seat, face, state.position[seat]) - now)
    value += w.full_hand * state.hand_size[seat] / rules.hand_limit
    if state.position[seat] + now >= rules.track_length - 1:
        value += w.win
    return value


_OF_A_STOP = {
    "stop": "playing a stop card on any player",
    "stop_ahead": "lead of the stopped player over the own marker, as a share of the track",
}


@compiled
def _stop_worth(rules, state, w, seat, other):
    ahead = (state.position[other] - state.position[seat]) / (rules.track_length - 1)
    return w.stop + w.stop_ahead * ahead / (1 + state.stops[other])


@compiled
def _best_play(rules, state, w, seat):
    """Return the value of the best card that may be played now, or of doing nothing."""
    best = w.idle
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        if is_playable(rules, state, seat, face):
            best = max(best, _play_worth(rules, state, w, seat, face))
        elif rules.face_kind[face] == s.STOP:
            for other in range(state.players):
                if other != seat:
                    best = max(best, _stop_worth(rules, state, w, seat, other))
    return best


@compiled
def steps_of(rules, state, number):
    """Return the steps that a die allows, or that the die taken allows with the coach."""
    if state.phase == s.ASK_COACH and number > 0:
        return state.die + number
    return allowed_steps(rules, number if state.phase == s.ASK_DIE else state.die)


_OF_A_TURN = {
    "ride": "riding the train",
    "coach": "taking the coach",
    "idle": "doing nothing",
    "die": "steps that the die taken allows, also unused ones",
    "last_die": "steps that the die taken allows, if no other die shows its number",
    "kept": "best steps of a card thrown away",
}


@compiled
def _evaluate_steps(rules, state, scratch, w, seat, codes, count, values):
    """Fill the values of dice or of the coach's additions: the best move within their steps, and the dice left."""
    most = 0
    for i in range(count):
        most = max(most, steps_of(rules, state, a.second_of(codes[i])))
    play = _best_play(rules, state, w, seat) if state.phase == s.ASK_DIE else w.idle
    for steps in range(most + 1):
        scratch.best_within[steps] = play
    for i in range(1, find_ways(rules, state, scratch, seat, most)):
        field = scratch.queue[i]
        if can_stop(state, scratch, seat, field):
            steps = scratch.distance[field]
            worth = _arrival_worth(rules, state, scratch, w, seat, field, 0)
            scratch.best_within[steps] = max(scratch.best_within[steps], worth)
    for steps in range(1, most + 1):
        nearer = scratch.best_within[steps - 1]
        scratch.best_within[steps] = max(scratch.best_within[steps], nearer)
    for i in range(count):
        number = a.second_of(codes[i])
        steps = steps_of(rules, state, number)
        values[i] = scratch.best_within[steps]
        if state.phase == s.ASK_DIE:
            values[i] += w.die * steps
            if state.dice_showing[number] == 1:
                values[i] += w.last_die * steps


@compiled
def _act_worth(rules, state, scratch, w, seat, code):
    """Return the value of an action of the turn."""
    kind = a.kind_of(code)
    number = a.second_of(code)
    if kind == a.NOTHING:
        return w.idle
    if kind == a.MOVE:
        return _arrival_worth(rules, state, scratch, w, seat, number, 0)
    if kind == a.PLAY:
        return _play_worth(rules, state, w, seat, number)
    if kind == a.STOP:
        return _stop_worth(rules, state, w, seat, number)
    if kind == a.TRAIN:
        return w.ride + _arrival_worth(rules, state, scratch, w, seat, number, 1)
    if kind == a.COACH:
        return w.coach + _coach_worth(rules, state, scratch, w, seat)
    return w.kept * best_steps(rules, state, seat, number, state.position[seat])


@compiled
def _coach_worth(rules, state, scratch, w, seat):
    """Return the value of the best move with the die and the steps that the coach adds."""
    steps = max(state.steps, state.die + s.COACH_ADDS)
    find_ways(rules, state, scratch, seat, steps)
    best = w.idle
    for field in range(rules.field_count):
        if can_stop(state, scratch, seat, field):
            best = max(best, _arrival_worth(rules, state, scratch, w, seat, field, 1))
    return best


@compiled_entry
def evaluate(rules, state, scratch, weights, codes, count, values):
    """Fill `values[:count]` with the value of each action of `codes[:count]` to `state.seat`."""
    seat = state.seat
    find_markers(rules, state, scratch)
    note_cities(rules, state, scratch, seat)
    if state.phase == s.ASK_DIE or state.phase == s.ASK_COACH:
        _evaluate_steps(rules, state, scratch, weights, seat, codes, count, values)
        return
    for i in range(count):
        values[i] = _act_worth(rules, state, scratch, weights, seat, codes[i])


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
AT = number_features(POSITION)


@compiled
def _most_steps(rules, face):
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
            best += _most_steps(rules, face)
        distance = scratch.to_marker[state.pawn[p]]
        row[AT.track] = state.position[p] / last
        row[AT.close] = 1.0 / (1.0 + (last - state.position[p]) / 5.0)
        row[AT.hand] = state.hand_size[p]
        row[AT.steps_now] = now
        row[AT.steps_best] = best
        row[AT.stops] = state.stops[p]
        row[AT.near] = 1.0 / (1.0 + distance) if distance >= 0 else 0.0
        row[AT.waiting] = (p - state.seat + rules.players) % rules.players / rules.players
        furthest = max(furthest, state.position[p])
    return furthest / last


@compiled_entry
def score_now(rules, state, scratch):
    """Fill `scratch.scores` with the position of each marker on the track."""
    for p in range(rules.players):
        scratch.scores[p] = state.position[p]


FEATURES = _OF_AN_ARRIVAL | _OF_A_PLAY | _OF_A_STOP | _OF_A_TURN
