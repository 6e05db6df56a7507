"""Features for networks: what the seat to choose sees of the position.

All numbers are of the order of 1. Seats are listed in turn order from the seat to choose, so that a network need not
learn each seat's view; absent seats have zeros. They use no hidden information. The features of an action are in
`network_actions`.
"""

from __future__ import annotations

from balance.contract.records import bounded, name_by_seat, number_features, seat_after
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.polska.heuristics import judgement as judge
from balance.games.polska.heuristics.features import find_markers, note_cities
from balance.games.polska.kernel import state as s
from balance.games.polska.kernel.turns import allowed_steps

HEADS = ("die", "stopped", "act", "collect", "coach", "coached", "more", "discard")
"""Kinds of decision: *stopped* takes a die and loses the turn; *collect* is *act* with a marker in reach."""
STOPPED = 1
_HEAD_OF_PHASE = (0, 2, 4, 5, 6, 7)  # of ASK_DIE, ASK_ACT and so on

_WHOSE = ("own", "next", "second", "third", "fourth", "fifth")


@compiled
def steps_left(rules, state, seat):
    """Return the steps of a marker to the last field."""
    return rules.track_length - 1 - state.position[seat]


@compiled
def lead_of(state, seat, position):
    """Return the steps by which a seat would be ahead of the best other marker at a position."""
    best = 0
    for p in range(state.players):
        if p != seat:
            best = max(best, state.position[p])
    return position - best


@compiled
def _share_that_reaches(rules, state, steps):
    """Return the share of the dice left, or without any of a new roll, that allow a number of steps."""
    total = found = 0
    for side in range(1, s.SIDES + 1):
        dice = state.dice_showing[side] if state.dice_left > 0 else 1
        total += dice
        if allowed_steps(rules, side) >= steps:
            found += dice
    return found / total


@compiled
def _count_own_markers(rules, state, scratch, seat):
    """Return the number of open markers to which no other pawn is nearer."""
    found = 0
    for i in range(scratch.open_count):
        marker = scratch.open_markers[i]
        own = rules.steps_between[marker, state.pawn[seat]]
        nearest = True
        for p in range(state.players):
            nearest &= rules.steps_between[marker, state.pawn[p]] >= own
        found += nearest
    return found


@compiled
def largest_steps(rules):
    """Return the steps of the strongest card."""
    dated = max(max(rules.grey_same, rules.grey_other), max(rules.blue_past, rules.blue_future))
    return max(dated, max(rules.city_steps, rules.eagle_steps))


_OF_A_SEAT = {
    "track": "share of the track behind the marker",
    "lead": "steps ahead of the best other marker, from -1 to 1",
    "left": "steps to the last field, at most 12",
    "close": "1 / (1 + steps to the last field / 5)",
    "hand": "cards in hand",
    "full": "share of the hand limit that is filled",
    "stops": "stop cards in front of the seat",
    "marker": "steps to the nearest open marker",
    "near": "1 / (1 + steps to the nearest open marker)",
    "second_marker": "steps to the second nearest open marker",
    "own_markers": "open markers to which no pawn is nearer",
    "reach": "share of the dice left that reach the nearest open marker, of a new roll if no die is left",
    "can_win": "1 if the best cards that the seat may have would win in one turn",
    "may_win": "1 if cards of two steps would win in one turn",
}
OF_A_SEAT = len(_OF_A_SEAT)
SEAT = number_features(_OF_A_SEAT)


@compiled
def _describe_seat(rules, state, scratch, seat, row):
    """Write the features of a seat (`_OF_A_SEAT`)."""
    left = steps_left(rules, state, seat)
    cards = min(state.hand_size[seat], rules.cards_per_turn)
    first, second, _ = judge.nearest_markers(rules, scratch, state.pawn[seat])
    row[SEAT.track] = state.position[seat] / (rules.track_length - 1)
    row[SEAT.lead] = bounded(lead_of(state, seat, state.position[seat]), 12)
    row[SEAT.left] = bounded(left, 12)
    row[SEAT.close] = 1.0 / (1.0 + left / 5.0)
    row[SEAT.hand] = state.hand_size[seat] / 5
    row[SEAT.full] = state.hand_size[seat] / rules.hand_limit
    row[SEAT.stops] = state.stops[seat] / 2
    row[SEAT.marker] = bounded(first, 12)
    row[SEAT.near] = 1.0 / (1.0 + first)
    row[SEAT.second_marker] = bounded(second, 12)
    row[SEAT.own_markers] = _count_own_markers(rules, state, scratch, seat) / 4
    row[SEAT.reach] = _share_that_reaches(rules, state, first)
    row[SEAT.can_win] = cards * largest_steps(rules) >= left
    row[SEAT.may_win] = cards * 2 >= left


AHEAD = 6  # fields of the track for which matches are listed
_OWN = {
    **{f"has_{kind}": f"{kind} cards in hand" for kind in s.KINDS},
    **{f"match_{ahead}": f"grey cards in hand with the date of the field {ahead} further on" for ahead in range(AHEAD)},
    "grey_late": "grey cards in hand with an earlier date than the marker's field",
    "blue_past": "blue cards in hand that make their steps of the past now",
    "best_card": "most steps that a card can make now",
    "best_run": "most steps that cards can make this turn",
    "next_run": "most steps that cards can make next turn, away from the cities of the hand",
    "potential": "steps of the cards in hand, each at its best time",
    "run_wins": "1 if cards win this turn",
    "run_left": "steps to the last field after the best cards of this turn, at most 12",
    "next_run_wins": "1 if cards could win next turn, away from the cities of the hand",
    "in_city": "1 if the pawn is in the city of a card in hand",
    "city": "1 / (1 + steps to the nearest city of a card in hand)",
}


@compiled
def _describe_hand(rules, state, scratch, row):
    """Write the features of the own hand (`_OWN`), and note in `scratch` what actions are compared with."""
    seat = state.seat
    position = state.position[seat]
    for i in range(state.hand_size[seat]):
        face = state.hand[seat, i]
        kind = rules.face_kind[face]
        row[HAND.has_grey + kind] += 1 / 2
        if kind == s.GREY:
            row[HAND.grey_late] += (rules.face_value[face] < rules.track_year[position]) / 2
        elif kind == s.BLUE:
            row[HAND.blue_past] += (rules.face_value[face] <= rules.track_year[position]) / 2
    for ahead in range(AHEAD):
        row[HAND.match_0 + ahead] = judge.count_matches(rules, state, seat, position + ahead, -1)
    left = steps_left(rules, state, seat)
    pawn, turn = state.pawn[seat], rules.cards_per_turn
    run = judge.best_run(rules, state, seat, position, pawn, turn - state.played, -1)
    in_city = judge.is_city_in_hand(scratch, pawn)
    scratch.run = run
    same = not in_city and state.played == 0
    scratch.next_run = run if same else judge.best_run(rules, state, seat, position, -1, turn, -1)
    scratch.potential = judge.potential(rules, state, seat, position, -1)
    row[HAND.best_card] = judge.best_run(rules, state, seat, position, pawn, 1, -1) / 3
    row[HAND.best_run] = run / 8
    row[HAND.next_run] = scratch.next_run / 8
    row[HAND.potential] = scratch.potential / 10
    row[HAND.run_wins] = run >= left
    row[HAND.run_left] = bounded(left - min(left, run), 12)
    row[HAND.next_run_wins] = scratch.next_run >= left
    row[HAND.in_city] = in_city
    row[HAND.city] = 1.0 / (1.0 + judge.steps_to_city(rules, state, seat, pawn))


_DICE = {
    **{f"dice_{side}": f"dice that show {side}" for side in range(1, s.SIDES + 1)},
    "dice_left": "share of the dice that are left",
    "rolls_before": "1 if the dice are rolled before the seat's next turn",
    "dice_next": "share of the dice left at the seat's next turn",
    "steps": "steps that the die taken allows",
    "played": "cards played this turn",
}


@compiled
def _describe_dice(rules, state, row):
    """Write the features of the dice and of the turn (`_DICE`)."""
    for side in range(1, s.SIDES + 1):
        row[DICE.dice_1 + side - 1] = state.dice_showing[side] / 2
    following = state.dice_left - state.players + (state.phase != s.ASK_DIE)
    row[DICE.dice_left] = state.dice_left / rules.dice
    row[DICE.rolls_before] = following <= 0
    row[DICE.dice_next] = max(0, following) / rules.dice
    row[DICE.steps] = state.steps / 6 if state.phase != s.ASK_DIE else 0.0
    row[DICE.played] = state.played / 3


@compiled
def cards_of_marker(rules, state, later):
    """Return the cards for a marker of this set, `later` markers after the next; 0 beyond the set."""
    order = state.taken_of_set + later
    return rules.cards_per_marker[order] if order < rules.markers_out else 0


_SUPPLY = {
    "cards_now": "cards for the next marker taken",
    "cards_later": "cards for the marker after it, 0 if the set ends",
    "cards_of_set": "cards for all markers of the set still to be taken",
    "markers_left": "open markers",
    "draw_pile": "share of the cards in the draw pile",
    **{f"unseen_{kind}": f"share of {kind} cards among those that the seat can't see" for kind in s.KINDS},
    "turns": "finished turns of each player",
}


@compiled
def _describe_supply(rules, state, scratch, row):
    """Write the features of markers and of cards that the seat can't see (`_SUPPLY`)."""
    total = 0
    for later in range(rules.markers_out - state.taken_of_set):
        total += cards_of_marker(rules, state, later)
    row[SUPPLY.cards_now] = cards_of_marker(rules, state, 0) / 3
    row[SUPPLY.cards_later] = cards_of_marker(rules, state, 1) / 3
    row[SUPPLY.cards_of_set] = total / 15
    row[SUPPLY.markers_left] = scratch.open_count / 7
    row[SUPPLY.draw_pile] = state.draw_count / rules.card_count
    unseen = state.draw_count
    for i in range(state.draw_count):
        row[SUPPLY.unseen_grey + rules.face_kind[state.draw_pile[i]]] += 1
    for p in range(state.players):
        if p != state.seat:
            unseen += state.hand_size[p]
            for i in range(state.hand_size[p]):
                row[SUPPLY.unseen_grey + rules.face_kind[state.hand[p, i]]] += 1
    for kind in range(len(s.KINDS)):
        row[SUPPLY.unseen_grey + kind] /= max(1, unseen)
    row[SUPPLY.turns] = state.turns / state.players / 30


_RULES = {
    "rule_dice": "dice rolled at a time",
    "rule_one_allows": "steps that a 1 allows",
    "rule_hand_limit": "hand limit",
    "rule_cards_per_turn": "most cards played in a turn",
    "rule_markers_out": "markers of a set",
    "rule_grey_same": "steps of a grey card with the date of the field",
    "rule_grey_other": "steps of a grey card with another date",
    "rule_blue_past": "steps of a blue card not later than the field",
    "rule_blue_future": "steps of a blue card later than the field",
    "rule_city": "steps of a city card",
    "rule_eagle": "steps of the white eagle",
    "rule_track": "fields of the track",
}


@compiled
def _describe_rules(rules, row):
    """Write the numbers of the rule set (`_RULES`)."""
    row[RULES.rule_dice] = rules.dice / 7
    row[RULES.rule_one_allows] = rules.one_allows / 10
    row[RULES.rule_hand_limit] = rules.hand_limit / 5
    row[RULES.rule_cards_per_turn] = rules.cards_per_turn / 3
    row[RULES.rule_markers_out] = rules.markers_out / 7
    row[RULES.rule_grey_same] = rules.grey_same / 3
    row[RULES.rule_grey_other] = rules.grey_other / 3
    row[RULES.rule_blue_past] = rules.blue_past / 3
    row[RULES.rule_blue_future] = rules.blue_future / 3
    row[RULES.rule_city] = rules.city_steps / 3
    row[RULES.rule_eagle] = rules.eagle_steps / 3
    row[RULES.rule_track] = rules.track_length / 31


@compiled_entry
def context(rules, state, scratch):
    """Fill `scratch.context` (`CONTEXT`) for the seat to choose, and return the number of the head (`HEADS`)."""
    seat = state.seat
    find_markers(rules, state, scratch)
    judge.note_markers(rules, state, scratch)
    note_cities(rules, state, scratch, seat)
    row = scratch.context
    for number in range(state.players):
        at = number * OF_A_SEAT
        _describe_seat(rules, state, scratch, seat_after(state, number), row[at : at + OF_A_SEAT])
    _describe_hand(rules, state, scratch, row)
    _describe_dice(rules, state, row)
    _describe_supply(rules, state, scratch, row)
    _describe_rules(rules, row)
    head = _HEAD_OF_PHASE[state.phase]
    if state.phase == s.ASK_DIE and state.stops[seat] > 0:
        head = STOPPED
    if state.phase <= s.ASK_COACHED:
        judge.note_reach(rules, state, scratch, seat)
        if state.phase == s.ASK_ACT and scratch.within[state.steps, judge.MARKERS] > 0:
            head += 1
    return head


CONTEXT = {**name_by_seat(_WHOSE, _OF_A_SEAT), **_OWN, **_DICE, **_SUPPLY, **_RULES}
HAND = number_features(_OWN, s.SEATS * OF_A_SEAT)
DICE = number_features(_DICE, HAND.has_grey + len(_OWN))
SUPPLY = number_features(_SUPPLY, DICE.dice_1 + len(_DICE))
RULES = number_features(_RULES, SUPPLY.cards_now + len(_SUPPLY))
