"""End of a round and of the game: feeding, points, titles, ranks (END-1 to END-6)."""

from __future__ import annotations

from balance.games.na_grunwald import actions as a
from balance.games.na_grunwald import state as s
from balance.games.na_grunwald.resources import asked_seat
from balance.jit import compiled, compiled_entry


@compiled
def begin_round(rules, state):
    """Start the next round with an empty board and no event."""
    state.round_number += 1
    for field in range(s.FIELD_COUNT):
        state.closed[field] = 0
        state.supply[field] = 0
        for p in range(s.SEATS):
            state.officer_on[field, p] = 0
            state.helpers_on[field, p] = 0
            state.stake[field, p] = 0
            state.arrival[field, p] = 0
        for place in range(s.PLACES):
            state.prize[field, place] = 0
    state.event = -1
    state.bonus = rules.bonus
    state.officer_strength = rules.officer_strength
    state.hire_price = -1
    state.phase = s.EVENT if state.round_number > 1 and rules.event_count > 0 else s.REVEAL


@compiled
def end_round(rules, state):
    """Pass the starting-player token; after the last round feed the armies (END-1)."""
    if state.keep_rounds:
        _keep_round(rules, state)
    state.start = (state.start + 1) % state.players
    state.turn = 0
    state.phase = s.ROUND if state.round_number < rules.rounds else s.ASK_STARVE


@compiled
def seek_starving(rules, state):
    """Find the seat that has more knights than provisions feed; then the game is over."""
    while state.turn < state.players:
        state.seat = asked_seat(state)
        fed = state.provisions[state.seat] * rules.knights_per_provision
        if state.knights[state.seat] > fed:
            return True
        state.turn += 1
    state.phase = s.OVER
    state.over = 1
    return False


@compiled
def list_starving(state, codes):
    count = 0
    for kind in range(2):
        for strength in range(1, s.STRENGTHS):
            if state.hand[state.seat, kind, strength] + state.camp[state.seat, kind, strength] > 0:
                codes[count] = a.encode(a.STARVE, 0, kind + 1, strength)
                count += 1
    return count


@compiled
def starve(state, action):
    kind = a.second_of(action) - 1
    strength = a.third_of(action)
    if state.hand[state.seat, kind, strength] > 0:
        state.hand[state.seat, kind, strength] -= 1
    else:
        state.camp[state.seat, kind, strength] -= 1
    state.knights[state.seat] -= 1
    state.starved[state.seat] += 1


@compiled
def _muster(rules, state, feed):
    """Fill `state.army` with hands and camps; with `feed`, the weakest unfed knights leave it."""
    for p in range(state.players):
        for kind in range(2):
            for strength in range(s.STRENGTHS):
                state.army[p, kind, strength] = (
                    state.hand[p, kind, strength] + state.camp[p, kind, strength]
                )
        if not feed:
            continue
        missing = state.knights[p] - state.provisions[p] * rules.knights_per_provision
        for strength in range(1, s.STRENGTHS):
            for kind in range(2):
                lost = max(0, min(missing, state.army[p, kind, strength]))
                state.army[p, kind, strength] -= lost
                missing -= lost


@compiled
def army_count(state, seat, kind):
    count = 0
    for strength in range(1, s.STRENGTHS):
        count += state.army[seat, kind, strength]
    return count


@compiled
def spare_provisions(rules, state, seat):
    """Provisions left when every knight of the army is fed (END-4); never below 0."""
    knights = army_count(state, seat, s.CROWN) + army_count(state, seat, s.MERCENARY)
    eaten = (knights + rules.knights_per_provision - 1) // rules.knights_per_provision
    return max(0, state.provisions[seat] - eaten)


@compiled
def _award_title(rules, state, title, counts, ties):
    """Give a title to the largest count above 0, ties by `ties`; all who are still tied have it."""
    best = 1
    for p in range(state.players):
        best = max(best, 1024 * counts[p] + ties[p] if counts[p] > 0 else 0)
    for p in range(state.players):
        points = 0
        if counts[p] > 0 and 1024 * counts[p] + ties[p] == best:
            points = counts[p] if rules.titles[title] == s.BY_COUNT else rules.titles[title]
        state.parts[p, 3 + title] = points


@compiled
def _score(rules, state):
    """Fill `state.parts` (SCORE_PARTS) from the armies (END-2 to END-5)."""
    counts = state.title_count
    ties = state.title_tie
    for kind in range(2):
        for p in range(state.players):
            strengths = 0
            for strength in range(1, s.STRENGTHS):
                strengths += strength * state.army[p, kind, strength]
            state.parts[p, kind] = strengths
            counts[p] = army_count(state, p, kind)
            ties[p] = strengths
        _award_title(rules, state, kind, counts, ties)
    for p in range(state.players):
        captured = 0
        for strength in range(1, s.STRENGTHS):
            captured += strength * state.captives[p, strength]
        state.parts[p, 2] = captured
        state.parts[p, 6] = state.ducats[p] // rules.ducats_per_point
        counts[p] = spare_provisions(rules, state, p)
        ties[p] = 0
    _award_title(rules, state, 2, counts, ties)


@compiled
def _total(state, seat):
    total = 0
    for part in range(len(s.SCORE_PARTS)):
        total += state.parts[seat, part]
    return total


@compiled
def _keep_round(rules, state):
    """Remember what each seat would score if the game ended now, the weakest knights unfed."""
    _muster(rules, state, True)
    _score(rules, state)
    for p in range(state.players):
        row = state.history[state.round_number - 1, p]
        row.score = _total(state, p)
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.helpers = state.helpers[p]
        row.crown_count = army_count(state, p, s.CROWN)
        row.mercenary_count = army_count(state, p, s.MERCENARY)
        row.captive_count = state.captive_count[p]
        row.joined = state.arrival[s.KRZYZACY, p] > 0


@compiled_entry
def write_result(rules, state, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank (END-6)."""
    _muster(rules, state, False)
    _score(rules, state)
    keys = state.title_tie
    for p in range(state.players):
        row = seats[p]
        row.crown_strength = state.parts[p, 0]
        row.mercenary_strength = state.parts[p, 1]
        row.captive_strength = state.parts[p, 2]
        row.crown_commander = state.parts[p, 3]
        row.mercenary_commander = state.parts[p, 4]
        row.quartermaster = state.parts[p, 5]
        row.ducat_points = state.parts[p, 6]
        row.crown_count = army_count(state, p, s.CROWN)
        row.mercenary_count = army_count(state, p, s.MERCENARY)
        row.captive_count = state.captive_count[p]
        row.starved = state.starved[p]
        row.helpers = state.helpers[p]
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.skirmishes_joined = state.skirmishes_joined[p]
        row.score = _total(state, p)
        cards = row.crown_count + row.mercenary_count + row.captive_count
        keys[p] = 1024 * _total(state, p) + cards
    for p in range(state.players):
        rank = 1
        for other in range(state.players):
            if keys[other] > keys[p]:
                rank += 1
        seats[p].rank = rank
    game.skirmishes_won = state.skirmishes_won
    game.skirmishes_lost = state.skirmishes_lost
    game.plunder_total = state.plunder_total
    game.peak_ducats = state.peak_ducats
    game.peak_provisions = state.peak_provisions
    game.events_seen = state.events_seen
