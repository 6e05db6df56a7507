"""End of the game: feeding, points, titles, ranks (END-1 to END-6)."""

from __future__ import annotations

from balance.contract.records import rank_seats, set_standing
from balance.foundation.compiling import compiled, compiled_entry
from balance.games.na_grunwald.kernel import actions as a
from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.kernel.resources import asked_seat


@compiled
def seek_starving(rules, state):
    """Find the seat with more knights than its provisions feed; when no seat is left, the game is over."""
    while state.asked < state.players:
        state.seat = asked_seat(state)
        fed = state.provisions[state.seat] * rules.knights_per_provision
        if state.knights[state.seat] > fed:
            return True
        state.asked += 1
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
def starve(state, log, action):
    kind = a.second_of(action) - 1
    strength = a.third_of(action)
    if state.hand[state.seat, kind, strength] > 0:
        state.hand[state.seat, kind, strength] -= 1
    else:
        state.camp[state.seat, kind, strength] -= 1
    state.knights[state.seat] -= 1
    log.seats[state.seat].starved += 1


@compiled
def _muster(rules, state, scratch, feed):
    """Count hands and camps into `scratch.army_count` and `scratch.army_strength`.

    With `feed`, the weakest knights that the provisions don't feed are left out.
    """
    for p in range(state.players):
        missing = state.knights[p] - state.provisions[p] * rules.knights_per_provision if feed else 0
        for kind in range(2):
            scratch.army_count[p, kind] = 0
            scratch.army_strength[p, kind] = 0
        for strength in range(1, s.STRENGTHS):
            for kind in range(2):
                knights = state.hand[p, kind, strength] + state.camp[p, kind, strength]
                lost = max(0, min(missing, knights))
                missing -= lost
                scratch.army_count[p, kind] += knights - lost
                scratch.army_strength[p, kind] += strength * (knights - lost)


@compiled
def spare_provisions(rules, state, scratch, seat):
    """Return the provisions left when every knight of the army is fed (END-4); never below 0."""
    knights = scratch.army_count[seat, s.CROWN] + scratch.army_count[seat, s.MERCENARY]
    eaten = (knights + rules.knights_per_provision - 1) // rules.knights_per_provision
    return max(0, state.provisions[seat] - eaten)


@compiled
def _award_title(rules, state, scratch, title):
    """Give a title to the seats with the largest `scratch.title_key` above 0, which is the count and the tie-break."""
    best = 1
    for p in range(state.players):
        best = max(best, scratch.title_key[p])
    for p in range(state.players):
        points = rules.titles[title]
        if points == s.BY_COUNT:
            points = scratch.title_key[p] // 1024
        scratch.parts[p, 3 + title] = points if scratch.title_key[p] == best else 0


@compiled
def score(rules, state, scratch, feed):
    """Fill `scratch.parts` (POINTS) (END-2 to END-5); with `feed`, the weakest unfed knights don't count."""
    _muster(rules, state, scratch, feed)
    for kind in range(2):
        for p in range(state.players):
            strength = scratch.army_strength[p, kind]
            scratch.parts[p, kind] = strength
            scratch.title_key[p] = 1024 * scratch.army_count[p, kind] + strength
        _award_title(rules, state, scratch, kind)
    for p in range(state.players):
        captured = 0
        for strength in range(1, s.STRENGTHS):
            captured += strength * state.captives[p, strength]
        scratch.parts[p, 2] = captured
        scratch.parts[p, 6] = state.ducats[p] // rules.ducats_per_point
        scratch.title_key[p] = 1024 * spare_provisions(rules, state, scratch, p)
    _award_title(rules, state, scratch, 2)


@compiled
def total_of(scratch, seat):
    total = 0
    for part in range(len(s.POINTS)):
        total += scratch.parts[seat, part]
    return total


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank (END-6)."""
    score(rules, state, scratch, False)
    for p in range(state.players):
        row = seats[p]
        for part in range(len(s.POINTS)):
            row.points[part] = scratch.parts[p, part]
        row.crown_count = scratch.army_count[p, s.CROWN]
        row.mercenary_count = scratch.army_count[p, s.MERCENARY]
        row.captive_count = state.captive_count[p]
        row.helpers = state.helpers[p]
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.score = total_of(scratch, p)
        cards = row.crown_count + row.mercenary_count + row.captive_count
        set_standing(scratch, p, row.score, cards)
    rank_seats(state, scratch, seats)
