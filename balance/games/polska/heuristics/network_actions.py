"""Features for networks: what an action would bring the seat to choose, read after `network.context`."""

from __future__ import annotations

from balance.contract.records import SHORTLIST_FEATURES, bounded, number_features, seat_after
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.heuristics import judgement as judge
from balance.games.polska.heuristics.features import best_steps, steps_of
from balance.games.polska.heuristics.network import cards_of_marker, largest_steps, lead_of, steps_left
from balance.games.polska.kernel import actions as a
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.cards import card_steps
from balance.games.polska.kernel.turns import allowed_steps

_OF_THE_NEXT_TURN = {
    "hand_after": "cards in hand afterwards, as a share of the hand limit",
    "next_run": "most steps that cards can make next turn, afterwards",
    "next_run_wins": "1 if these steps win",
}


@compiled
def _describe_next_turn(rules, state, row, hand, run):
    """Describe the hand, and the cards of the next turn."""
    row[AT.hand_after] = hand / rules.hand_limit
    row[AT.next_run] = run / 8
    row[AT.next_run_wins] = run >= steps_left(rules, state, state.seat)


_OF_A_GIFT = {
    # of a move, a train ride, or the best move that a die or the coach allows
    "marker": "1 if it takes a marker",
    "cards": "cards from the marker",
    "kept": "cards from the marker that the hand can keep",
    "overflow": "cards from the marker beyond the hand limit",
    "renews": "1 if the set ends with the marker",
}


@compiled
def _describe_gift(rules, state, row, spent):
    """Describe a marker that is taken after `spent` cards have left the hand; return the cards in hand afterwards."""
    hand = state.hand_size[state.seat] - spent
    cards = cards_of_marker(rules, state, 0)
    kept = min(cards, max(0, rules.hand_limit - hand))
    row[AT.marker] = 1.0
    row[AT.cards] = cards / 3
    row[AT.kept] = kept / 3
    row[AT.overflow] = (cards - kept) / 3
    row[AT.renews] = state.taken_of_set + 1 == rules.markers_out
    return hand + kept


_OF_AN_ARRIVAL = {
    "distance": "steps to the nearest open marker afterwards",
    "near": "1 / (1 + steps to the nearest open marker afterwards)",
    "nearer": "steps by which the nearest open marker is nearer, from -1 to 1",
    "second": "steps to the second nearest open marker afterwards",
    "rivals_nearer": "rivals who are at least as near to the nearest open marker",
    "taken_from": "rivals whose nearest open marker it takes",
    "taken_from_next": "1 if it takes the nearest open marker of the next seat",
    "city": "1 if it ends in the city of a card in hand",
    "city_marker": "1 if it takes a marker in such a city",
    "to_city": "1 / (1 + steps to the nearest city of a card in hand afterwards)",
}


@compiled
def _describe_arrival(rules, state, scratch, field, spent, row):
    """Describe the arrival of the own pawn on a field."""
    seat, takes = state.seat, state.marker_on[field] != 0
    hand = state.hand_size[seat] - spent
    first, second, nearest = judge.nearest_markers(rules, scratch, field)
    if takes:
        hand = _describe_gift(rules, state, row, spent)
    ahead = taken = 0
    for p in range(state.players):
        if p == seat:
            continue
        ahead += nearest >= 0 and rules.steps_between[nearest, state.pawn[p]] <= first
        losing = takes and rules.steps_between[field, state.pawn[p]] == scratch.to_marker[state.pawn[p]]
        taken += losing
        if p == seat_after(state, 1):
            row[AT.taken_from_next] = losing
    row[AT.distance] = bounded(first, 12)
    row[AT.near] = 1.0 / (1.0 + first)
    row[AT.nearer] = bounded(scratch.to_marker[state.pawn[seat]] - first, 6)
    row[AT.second] = bounded(second, 12)
    row[AT.rivals_nearer] = ahead / 3
    row[AT.taken_from] = taken / 3
    city = judge.is_city_in_hand(scratch, field)
    row[AT.city] = city
    row[AT.city_marker] = city and takes
    row[AT.to_city] = 1.0 / (1.0 + judge.steps_to_city(rules, state, seat, field))
    run = scratch.next_run
    if city:
        position = state.position[seat]
        run = judge.best_run(rules, state, seat, position, field, rules.cards_per_turn, -1)
    _describe_next_turn(rules, state, row, hand, run)


_OF_A_DIE = {
    # of a die, or of what the coach adds
    "steps": "steps that the die allows, also after the coach",
    "one": "1 if the die shows 1",
    "last_of_side": "1 if no other die shows its number",
    "choices": "markers that it can take",
    "unused": "steps beyond those to the nearest open marker, from -1 to 1",
    "left_best": "most steps of the dice left",
    "left_second": "most steps of the dice left without the best one",
    "none_left": "1 if no die is left",
    "next_reaches": "1 if a die left takes the next seat to its nearest open marker",
    "next_misses": "1 if the next seat can't get there, and could with this die",
    "rivals_miss": "rivals who can't get to their nearest open marker, and could with this die",
}


@compiled
def _describe_reach(rules, state, scratch, steps, spent, row):
    """Describe the best move within a number of steps."""
    within = scratch.within[steps]
    before = scratch.to_marker[state.pawn[state.seat]]
    first = within[judge.AFTER]
    if within[judge.MARKERS] > 0:
        _describe_gift(rules, state, row, spent)
        first = within[judge.FOLLOWING]
    row[AT.distance] = bounded(first, 12)
    row[AT.near] = 1.0 / (1.0 + first)
    row[AT.nearer] = bounded(before - first, 6)
    row[AT.city] = within[judge.CITY]
    row[AT.city_marker] = within[judge.BOTH]
    row[AT.steps] = steps / 6
    row[AT.choices] = within[judge.MARKERS] / 4
    row[AT.unused] = bounded(steps - before, 6)


@compiled
def _describe_die(rules, state, scratch, side, row):
    """Describe a die: its best move, and the dice that are left."""
    _describe_reach(rules, state, scratch, steps_of(rules, state, side), 0, row)
    row[AT.one] = side == 1
    row[AT.last_of_side] = state.dice_showing[side] == 1
    best = second = 0
    for other in range(1, s.SIDES + 1):
        dice = state.dice_showing[other] - (other == side)
        steps = allowed_steps(rules, other)
        for _ in range(dice):
            if steps > best:
                best, second = steps, best
            elif steps > second:
                second = steps
    row[AT.left_best] = best / 6
    row[AT.left_second] = second / 6
    row[AT.none_left] = state.dice_left == 1
    if state.dice_left == 1:
        return
    missing = 0
    for number in range(1, state.players):
        need = scratch.to_marker[state.pawn[seat_after(state, number)]]
        misses = best < need <= steps_of(rules, state, side)
        missing += misses
        if number == 1:
            row[AT.next_reaches] = need <= best
            row[AT.next_misses] = misses
    row[AT.rivals_miss] = missing / 3


_OF_A_CARD = {
    # of a card that moves the marker, also when it is thrown away
    "gain": "steps of the card now",
    "forgone": "steps of the card at its best time minus its steps now",
    "exact": "1 for a grey card with the date of the field",
    "run": "most steps of this turn with the card, from now on",
    "run_lost": "most steps of this turn minus those with the card",
    "balance": "steps of the card, minus what the hand's steps at their best times lose by it, from -1 to 1",
    "matches": "other grey cards in hand with the date of the field reached",
    "matches_next": "other grey cards in hand with the date of one of the two fields after it",
    "skipped": "other grey cards in hand with the date of a field that the marker leaves or passes",
    "wins": "1 if the card wins",
    "run_wins": "1 if cards with it win this turn",
    "left_after": "steps to the last field after the card, at most 12",
    "lead_after": "steps ahead of the best other marker after the card, from -1 to 1",
    "cards_left": "cards that can still be played this turn, as a share of those of a turn",
    "same_kind": "other cards of this kind in hand",
    "waits": "steps on the track to the field of the grey card, at most 12; 1 if none is ahead",
}


@compiled
def _describe_card(rules, state, scratch, face, row):
    """Describe a card by its kind, its steps now and at its best time, and the other cards of its kind."""
    seat = state.seat
    position = state.position[seat]
    kind = rules.face_kind[face]
    now = card_steps(rules, state, seat, face, position)
    others = -1
    for i in range(state.hand_size[seat]):
        others += rules.face_kind[state.hand[seat, i]] == kind
    row[AT.is_grey + kind] = 1.0
    row[AT.gain] = now / 3
    row[AT.forgone] = (best_steps(rules, state, seat, face, position) - now) / 2
    row[AT.same_kind] = others / 2
    row[AT.waits] = 1.0
    if kind == s.GREY:
        row[AT.exact] = rules.face_value[face] == rules.track_year[position]
        for ahead in range(12):
            at = position + ahead
            if at < rules.track_length and rules.face_value[face] == rules.track_year[at]:
                row[AT.waits] = ahead / 12
                break
    elif kind == s.CITY:
        field = rules.face_value[face]
        row[AT.to_city] = 1.0 / (1.0 + rules.steps_between[field, state.pawn[seat]])
    return now


@compiled
def _describe_play(rules, state, scratch, face, row):
    """Describe a card that moves the marker."""
    seat = state.seat
    position, pawn = state.position[seat], state.pawn[seat]
    now = _describe_card(rules, state, scratch, face, row)
    last = rules.track_length - 1
    reached = min(last, position + now)
    index = judge.index_of(state, seat, face)
    left = rules.cards_per_turn - state.played - 1
    run = now + judge.best_run(rules, state, seat, reached, pawn, left, index)
    following = judge.best_run(rules, state, seat, reached, pawn, rules.cards_per_turn, index)
    potential = judge.potential(rules, state, seat, reached, index)
    skipped = 0
    for field in range(position, reached):
        skipped += judge.count_matches(rules, state, seat, field, index)
    near = judge.count_matches(rules, state, seat, reached + 1, index)
    near += judge.count_matches(rules, state, seat, reached + 2, index)
    hand = state.hand_size[seat] - 1
    row[AT.run] = run / 8
    row[AT.run_lost] = (scratch.run - run) / 3
    row[AT.balance] = bounded(now + potential - scratch.potential, 4)
    row[AT.matches] = judge.count_matches(rules, state, seat, reached, index)
    row[AT.matches_next] = near / 2
    row[AT.skipped] = skipped / 2
    row[AT.wins] = reached == last
    row[AT.run_wins] = position + run >= last
    row[AT.left_after] = bounded(last - reached, 12)
    row[AT.lead_after] = bounded(lead_of(state, seat, reached), 12)
    row[AT.cards_left] = min(left, hand) / rules.cards_per_turn
    _describe_next_turn(rules, state, row, hand, following)
    row[AT.next_run_wins] = reached + following >= last


_OF_A_STOP = {
    # of a stop card
    "rival_lead": "lead of the stopped seat over the own marker, from -1 to 1",
    "rival_close": "1 / (1 + steps of the stopped seat to the last field / 5)",
    "rival_hand": "cards in hand of the stopped seat",
    "rival_stops": "stop cards in front of this seat before",
    "rival_near": "1 / (1 + steps of its pawn to the nearest open marker)",
    "rival_first": "1 if no other rival's marker is further",
    "rival_can_win": "1 if the best cards that this seat may have would win in one turn",
    "rival_order": "turns until the stopped seat's turn, as a share of the seats",
}


@compiled
def _describe_stop(rules, state, scratch, other, row):
    """Describe a stop card and the seat that it is played on."""
    seat, ahead = state.seat, True
    for p in range(state.players):
        ahead &= p == seat or state.position[p] <= state.position[other]
    left = steps_left(rules, state, other)
    cards = min(state.hand_size[other], rules.cards_per_turn)
    row[AT.is_grey + s.STOP] = 1.0
    row[AT.rival_lead] = bounded(state.position[other] - state.position[seat], 12)
    row[AT.rival_close] = 1.0 / (1.0 + left / 5.0)
    row[AT.rival_hand] = state.hand_size[other] / 5
    row[AT.rival_stops] = state.stops[other] / 2
    row[AT.rival_near] = 1.0 / (1.0 + scratch.to_marker[state.pawn[other]])
    row[AT.rival_first] = ahead
    row[AT.rival_can_win] = cards * largest_steps(rules) >= left
    row[AT.rival_order] = ((other - seat + state.players) % state.players) / state.players
    row[AT.cards_left] = (rules.cards_per_turn - state.played - 1) / rules.cards_per_turn
    row[AT.run] = _run_with_one_card_less(rules, state, scratch) / 8
    row[AT.run_lost] = scratch.run / 8 - row[AT.run]
    _describe_next_turn(rules, state, row, state.hand_size[seat] - 1, scratch.next_run)


@compiled
def _run_with_one_card_less(rules, state, scratch):
    """Return the most steps of this turn with one card less to play."""
    seat = state.seat
    cards = rules.cards_per_turn - state.played - 1
    return judge.best_run(rules, state, seat, state.position[seat], state.pawn[seat], cards, -1)


@compiled
def _describe_nothing(rules, state, scratch, row):
    """Describe doing nothing (more) this turn."""
    seat = state.seat
    _describe_arrival(rules, state, scratch, state.pawn[seat], 0, row)
    for feature in range(AT.marker, AT.renews + 1):  # a marker under the pawn is not taken
        row[feature] = 0.0
    row[AT.nothing] = 1.0
    row[AT.hand_after] = state.hand_size[seat] / rules.hand_limit
    row[AT.run_lost] = scratch.run / 3
    row[AT.left_after] = bounded(steps_left(rules, state, seat), 12)
    row[AT.lead_after] = bounded(lead_of(state, seat, state.position[seat]), 12)


_OF_ITS_KIND = {
    **{f"is_{kind}": f"1 for a card of the kind {kind}" for kind in s.KINDS},
    "nothing": "1 for doing nothing",
    "move": "1 for a move",
}


@compiled_entry
def describe_action(rules, state, scratch, code, row):
    """Write the features of an action to `row` (the shared ones, then `ACTION`); called after `context`."""
    kind, number = a.kind_of(code), a.second_of(code)
    seat = state.seat
    if kind == a.TAKE_DIE:
        _describe_die(rules, state, scratch, number, row)
    elif kind == a.ADD:
        _describe_reach(rules, state, scratch, steps_of(rules, state, number), 0, row)
    elif kind == a.NOTHING:
        _describe_nothing(rules, state, scratch, row)
    elif kind == a.MOVE:
        row[AT.move] = 1.0
        _describe_arrival(rules, state, scratch, number, 0, row)
    elif kind == a.TRAIN:
        row[AT.is_grey + s.TRAIN] = 1.0
        _describe_arrival(rules, state, scratch, number, 1, row)
    elif kind == a.COACH:
        row[AT.is_grey + s.COACH] = 1.0
        steps = max(state.steps, state.die + s.COACH_ADDS)
        _describe_reach(rules, state, scratch, steps, 1, row)
        _describe_next_turn(rules, state, row, state.hand_size[seat] - 1, scratch.next_run)
    elif kind == a.PLAY:
        _describe_play(rules, state, scratch, number, row)
    elif kind == a.STOP:
        _describe_stop(rules, state, scratch, number, row)
    else:
        _describe_card(rules, state, scratch, number, row)
        index = judge.index_of(state, seat, number)
        run = judge.best_run(rules, state, seat, state.position[seat], state.pawn[seat], rules.cards_per_turn, index)
        _describe_next_turn(rules, state, row, rules.hand_limit, run)
        lost = scratch.potential - judge.potential(rules, state, seat, state.position[seat], index)
        row[AT.balance] = -lost / 4


ACTION = _OF_ITS_KIND | _OF_THE_NEXT_TURN | _OF_A_GIFT | _OF_AN_ARRIVAL | _OF_A_DIE | _OF_A_CARD | _OF_A_STOP
AT = number_features(ACTION, len(SHORTLIST_FEATURES))
