"""End of the game: feeding, points, titles, ranks (END-1 to END-6)."""

from __future__ import annotations

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
def muster(rules, state, scratch, feed):
    """Fill `scratch.army` with hands and camps; with `feed`, remove the weakest unfed knights."""
    for p in range(state.players):
        for kind in range(2):
            for strength in range(s.STRENGTHS):
                scratch.army[p, kind, strength] = (
                    state.hand[p, kind, strength] + state.camp[p, kind, strength]
                )
        if not feed:
            continue
        missing = state.knights[p] - state.provisions[p] * rules.knights_per_provision
        for strength in range(1, s.STRENGTHS):
            for kind in range(2):
                lost = max(0, min(missing, scratch.army[p, kind, strength]))
                scratch.army[p, kind, strength] -= lost
                missing -= lost


@compiled
def army_count(scratch, seat, kind):
    count = 0
    for strength in range(1, s.STRENGTHS):
        count += scratch.army[seat, kind, strength]
    return count


@compiled
def spare_provisions(rules, state, scratch, seat):
    """Return the provisions left when every knight of the army is fed (END-4); never below 0."""
    knights = army_count(scratch, seat, s.CROWN) + army_count(scratch, seat, s.MERCENARY)
    eaten = (knights + rules.knights_per_provision - 1) // rules.knights_per_provision
    return max(0, state.provisions[seat] - eaten)


@compiled
def _award_title(rules, state, scratch, title, counts, ties):
    """Give a title to the largest count above 0, ties broken by `ties`; all seats still tied get it."""
    best = 1
    for p in range(state.players):
        best = max(best, 1024 * counts[p] + ties[p] if counts[p] > 0 else 0)
    for p in range(state.players):
        points = 0
        if counts[p] > 0 and 1024 * counts[p] + ties[p] == best:
            points = counts[p] if rules.titles[title] == s.BY_COUNT else rules.titles[title]
        scratch.parts[p, 3 + title] = points


@compiled
def score(rules, state, scratch):
    """Fill `scratch.parts` (SCORE_PARTS) from the armies (END-2 to END-5)."""
    counts = scratch.title_count
    ties = scratch.title_tie
    for kind in range(2):
        for p in range(state.players):
            strengths = 0
            for strength in range(1, s.STRENGTHS):
                strengths += strength * scratch.army[p, kind, strength]
            scratch.parts[p, kind] = strengths
            counts[p] = army_count(scratch, p, kind)
            ties[p] = strengths
        _award_title(rules, state, scratch, kind, counts, ties)
    for p in range(state.players):
        captured = 0
        for strength in range(1, s.STRENGTHS):
            captured += strength * state.captives[p, strength]
        scratch.parts[p, 2] = captured
        scratch.parts[p, 6] = state.ducats[p] // rules.ducats_per_point
        counts[p] = spare_provisions(rules, state, scratch, p)
        ties[p] = 0
    _award_title(rules, state, scratch, 2, counts, ties)


@compiled
def total_of(scratch, seat):
    total = 0
    for part in range(len(s.SCORE_PARTS)):
        total += scratch.parts[seat, part]
    return total


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Fill the game's own columns of its log rows, and every seat's score and rank (END-6)."""
    muster(rules, state, scratch, False)
    score(rules, state, scratch)
    keys = scratch.title_tie
    for p in range(state.players):
        row = seats[p]
        for part in range(len(s.SCORE_PARTS)):
            row.points[part] = scratch.parts[p, part]
        row.crown_count = army_count(scratch, p, s.CROWN)
        row.mercenary_count = army_count(scratch, p, s.MERCENARY)
        row.captive_count = state.captive_count[p]
        row.helpers = state.helpers[p]
        row.ducats = state.ducats[p]
        row.provisions = state.provisions[p]
        row.score = total_of(scratch, p)
        cards = row.crown_count + row.mercenary_count + row.captive_count
        keys[p] = 1024 * total_of(scratch, p) + cards
    for p in range(state.players):
        rank = 1
        for other in range(state.players):
            if keys[other] > keys[p]:
                rank += 1
        seats[p].rank = rank
