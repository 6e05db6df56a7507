"""The deck of fate (DRW-1 to DRW-3), and drawing and building after the combats (section 4)."""

from __future__ import annotations

from balance.contract.records import record_chance
from balance.foundation.compiling import compiled
from balance.foundation.streams import draw_below
from balance.games.grody.kernel import actions as a
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import count_segments, is_attacked, room_at_home
from balance.games.grody.rules.ruleset import CARDS

KINDS = len(CARDS)


@compiled
def pick_card(cards, count, streams, index):
    """Return the kind of a card drawn at random from `cards`, the number of cards of each kind (`count` in all)."""
    place = draw_below(streams, index, count)
    kind = 0
    while place >= cards[kind]:
        place -= cards[kind]
        kind += 1
    return kind


@compiled
def _renew_pile(state, log):
    """Make both discard piles a new pile; return False if they are empty too (DRW-3)."""
    for seat in range(s.SEATS):
        for card in range(KINDS):
            state.pile[card] += state.discards[seat, card]
            state.pile_count += state.discards[seat, card]
            state.discards[seat, card] = 0
    if state.pile_count == 0:
        return False
    log.game.reshuffles += 1
    record_chance(state, log, a.encode(a.RESHUFFLE, 0))
    return True


@compiled
def draw_cards(state, log, seat, wanted):
    """Draw cards into a hand, as far as there are any."""
    for _ in range(wanted):
        if state.pile_count == 0 and not _renew_pile(state, log):
            return
        card = pick_card(state.pile, state.pile_count, state.chance, s.FATE_DECK)
        state.pile[card] -= 1
        state.pile_count -= 1
        state.hand[seat, card] += 1
        state.hand_size[seat] += 1
        log.seats[seat].drawn += 1
        log.cards_drawn[card] += 1
        record_chance(state, log, a.encode_of_seat(a.DRAW, seat, card))


@compiled
def lay_off(state, seat, card):
    """Move a card of the hand to its player's discard pile (CRD-2)."""
    state.hand[seat, card] -= 1
    state.hand_size[seat] -= 1
    state.discards[seat, card] += 1


@compiled
def give_up(state, seat, card):
    """Discard or pay a card of the hand; a copy that is set aside goes first (CRD-6)."""
    if card == s.PROPHECY:
        state.aside[seat] = max(0, state.aside[seat] - 1)
    lay_off(state, seat, card)


@compiled
def begin_discards(state, seat, resume):
    """Begin the discards of the player who has drawn; then the game resumes with the phase `resume`."""
    state.seat = seat
    state.resume = resume
    state.phase = s.DISCARDS


@compiled
def go_on_discarding(rules, state):
    """Ask for a card over the hand limit, or resume."""
    if state.hand_size[state.seat] > rules.hand_limit:
        state.phase = s.ASK_DISCARD
        return
    state.phase = state.resume
    state.seat = state.next_seat if state.resume == s.ASK_CARD else state.active


@compiled
def list_hand(state, codes, count, kind):
    """Append an action of `kind` for each distinct card in the hand of the seat."""
    for card in range(KINDS):
        if state.hand[state.seat, card] > 0:
            codes[count] = a.encode(kind, card)
            count += 1
    return count


@compiled
def discard(state, log, card):
    give_up(state, state.seat, card)
    log.seats[state.seat].discarded += 1
    state.phase = s.DISCARDS


@compiled
def draw_for_turn(rules, state, log):
    """Draw the cards of a turn, more for a seat that won a combat as attacker (DRW-1)."""
    wanted = rules.draw_won if state.attacks_won > 0 else rules.draw
    draw_cards(state, log, state.active, wanted)
    begin_discards(state, state.active, s.ASK_BUILD)


@compiled
def _may_build(rules, state, seat, segment):
    """Return whether the active seat may build on a segment (BLD-1)."""
    if state.owner[segment] != seat or state.building[segment] != s.NOTHING:
        return False
    kind = rules.allows[state.terrain[segment]]
    if kind == s.NOTHING or state.tokens[kind] == 0:
        return False
    return state.warriors[seat, segment] >= rules.build_warriors and not is_attacked(state, segment)


@compiled
def list_buildings(rules, state, codes):
    codes[0] = a.encode(a.BUILD_NOTHING, 0)
    count = 1
    for segment in range(rules.segment_count):
        if _may_build(rules, state, state.seat, segment):
            kind = rules.allows[state.terrain[segment]]
            codes[count] = a.encode_pair(a.BUILD, kind, segment)
            count += 1
    return count


@compiled
def build(state, log, kind, segment):
    state.building[segment] = kind
    state.tokens[kind] -= 1
    log.seats[state.active].built[kind] += 1


@compiled
def recruit(rules, state, log):
    """Add recruits (REC-1); then ask for ransom."""
    seat = state.active
    coming = rules.recruits
    if count_segments(rules, state, seat) >= rules.recruits_segments:
        coming += rules.recruits_more
    coming = min(coming, room_at_home(rules, state, seat))
    state.warriors[seat, rules.grod[seat]] += coming
    log.seats[seat].recruited += coming
    state.ransomed = 0
    state.seat = seat
    state.phase = s.ASK_RANSOM


@compiled
def list_ransoms(rules, state, codes):
    """List the cards that the seat may pay for a prisoner (REC-2)."""
    seat = state.seat
    codes[0] = a.encode(a.RANSOM_NOBODY, 0)
    possible = state.prisoners[1 - seat] > 0 and room_at_home(rules, state, seat) > 0
    if not possible or state.ransomed == rules.ransoms:
        return 1
    return list_hand(state, codes, 1, a.RANSOM)


@compiled
def bring_home(rules, state, seat, count):
    """Return prisoners to the gród of their seat."""
    state.prisoners[1 - seat] -= count
    state.warriors[seat, rules.grod[seat]] += count


@compiled
def ransom(rules, state, log, card):
    give_up(state, state.seat, card)
    bring_home(rules, state, state.seat, 1)
    state.ransomed += 1
    log.seats[state.seat].ransomed += 1
