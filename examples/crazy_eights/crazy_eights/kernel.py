"""The compiled rules of Crazy Eights; the numbers of docs/rules/crazy-eights.md stand with the rules."""

from balance.contract.records import (
    OWN,
    SECRET,
    Columns,
    forget_chance,
    log_type,
    rank_seats,
    record_chance,
    record_outcome,
    redraw_chance,
    set_standing,
    state_type,
)
from balance.contract.rule_tables import pack_keys, rules_type
from balance.foundation.compiling import compiled, compiled_entry
from balance.foundation.streams import shuffle
from crazy_eights.rules import Rules

SEATS, DEALS, CARDS, RANKS, SUITS = 4, 12, 52, 13, 4  # a card is 13 times its suit, plus its rank
EIGHT, TEN, QUEEN, ACE = 6, 8, 10, 12  # ranks, from the two on

# Actions and chance outcomes as numbers: playing a card is four times the card, plus the suit in force.
DRAW, PASS = SUITS * CARDS, SUITS * CARDS + 1
TURNED, DRAWN = 256, 320  # plus the card
MOST_ACTIONS = CARDS + 3 * SUITS + 1  # an eight may name each suit

CHANCE = ("cards",)  # sources of chance; each has a stream of random numbers in state.chance
RULES = rules_type(Rules)
STATE = state_type(
    [
        ("hand", "i1", (SEATS, CARDS), 0, OWN),  # 1 for each card that a seat holds
        ("hand_size", "i4", (SEATS,)),
        ("stock", "i4", (CARDS,), 0, SECRET),  # the top is the last
        ("stock_count", "i4"),
        ("discards", "i4"),  # number of cards played and turned up
        ("top", "i4"),  # the last card
        ("suit", "i4"),  # the suit in force
        ("beginner", "i4"),
        ("drawn", "i4"),  # cards drawn this turn
        ("passes", "i4"),  # in a row
        ("score", "i4", (SEATS,)),
        ("deals_won", "i4", (SEATS,)),
    ],
    CHANCE,
)
COLUMNS = Columns(  # of this game in the tables of games, seats and rounds
    game=[("blocked", "i1", "Deals that ended because all players passed.")],
    seat=[
        ("deals_won", "i1", "Deals won."),
        ("eights", "i2", "Eights played."),
        ("drawn", "i2", "Cards drawn."),
        ("skipped", "i2", "Turns lost to queens."),
    ],
    round=[("cards_left", "i1", "Cards in hand at the end of the deal.")],
)
LOG = log_type(COLUMNS, DEALS, SEATS, 8)
SCRATCH = (("unseen", "i4", (CARDS,)), ("points", "i4", (SEATS,)))

(WON, SKIPPED) = range(2)  # outcomes: the results of decisions
OUTCOMES = {"won": ("player", "points"), "skipped": ("player",)}
PARTS = {
    "card": "The card, from 0 for the two of clubs.",
    "suit": "The suit in force afterwards.",
    "player": "Seat of the player.",
    "points": "Points scored.",
}


def pack_rules(rules, players):
    return pack_keys(RULES, rules, players)


@compiled
def points_of(rules, card):
    """Return the points of a card left in a hand (END-2)."""
    rank = card % RANKS
    if rank == EIGHT:
        return rules.eight_points
    if rank == ACE:
        return 1
    return min(rank + 2, 10)


@compiled
def _take(state, seat):
    """Move the top card of the stock to a hand, and return it."""
    state.stock_count -= 1
    card = state.stock[state.stock_count]
    state.hand[seat, card] = 1
    state.hand_size[seat] += 1
    return card


@compiled
def _deal(rules, state, log):
    """Shuffle and deal, from the beginner on, and turn up a card (SET-1 to SET-4)."""
    for card in range(CARDS):
        state.stock[card] = card
    shuffle(state.stock, CARDS, state.chance, 0)
    state.stock_count = CARDS
    for place in range(state.players):
        seat = (state.beginner + place) % state.players
        for card in range(CARDS):
            state.hand[seat, card] = 0
        state.hand_size[seat] = 0
        for _ in range(rules.hand_start[place]):
            _take(state, seat)
    state.stock_count -= 1
    state.top = state.stock[state.stock_count]
    state.suit = state.top // RANKS
    state.discards = 1
    state.drawn = state.passes = 0
    state.seat = state.beginner
    record_chance(state, log, TURNED + state.top)


@compiled
def _keep_round(state, log):
    if log.keep_rounds:
        for p in range(state.players):
            row = log.history[state.round_number - 1, p]
            row.score, row.cards_left = state.score[p], state.hand_size[p]


@compiled
def _end_deal(rules, state, log, scratch):
    """Score the deal, and deal again unless it was the last one (END-1 to END-4)."""
    least = total = 0
    for p in range(state.players):
        scratch.points[p] = 0
        for card in range(CARDS):
            scratch.points[p] += state.hand[p, card] * points_of(rules, card)
        total += scratch.points[p]
        least = scratch.points[p] if p == 0 else min(least, scratch.points[p])
    for p in range(state.players):
        if scratch.points[p] == least:
            won = total - state.players * least
            record_outcome(state, log, WON, p, won)
            state.score[p] += won
            state.deals_won[p] += 1
    _keep_round(state, log)
    if state.round_number == rules.deals:
        state.over = 1
        return
    state.round_number += 1
    state.beginner = (state.beginner + 1) % state.players
    _deal(rules, state, log)


@compiled
def _next_turn(state):
    state.seat = (state.seat + 1) % state.players
    state.drawn = 0


@compiled_entry
def setup(rules, state, log, scratch):
    """Deal the first hands; every field begins at its initial value, 0 if STATE gives no other."""
    state.players = rules.players
    state.round_number = 1
    _deal(rules, state, log)


@compiled_entry
def legal_actions(rules, state, scratch, codes):
    """List the cards that match, an eight once for each suit (TRN-1, TRN-4); then to draw, or else to pass."""
    count = 0
    for card in range(CARDS):
        if state.hand[state.seat, card] == 0:
            continue
        suit, rank = card // RANKS, card % RANKS
        if rank == EIGHT:
            for named in range(SUITS):
                codes[count] = SUITS * card + named
                count += 1
        elif suit == state.suit or rank == state.top % RANKS:
            codes[count] = SUITS * card + suit
            count += 1
    codes[count] = DRAW if state.stock_count > 0 and state.drawn < rules.draws else PASS
    return count + 1


@compiled
def _play(rules, state, log, scratch, card, suit):
    """Play a card (TRN-1, TRN-4, TRN-5)."""
    seat = state.seat
    state.hand[seat, card] = 0
    state.hand_size[seat] -= 1
    state.discards += 1
    state.top, state.suit, state.passes = card, suit, 0
    log.seats[seat].eights += card % RANKS == EIGHT
    if state.hand_size[seat] == 0:
        _end_deal(rules, state, log, scratch)
        return
    _next_turn(state)
    if rules.queens_skip and card % RANKS == QUEEN:
        record_outcome(state, log, SKIPPED, state.seat)
        log.seats[state.seat].skipped += 1
        _next_turn(state)


@compiled_entry
def apply(rules, state, log, scratch, code):
    if code == DRAW:  # the turn continues (TRN-2)
        card = _take(state, state.seat)
        state.drawn += 1
        log.seats[state.seat].drawn += 1
        record_chance(state, log, DRAWN + card)
    elif code == PASS:  # when all have passed, the deal is blocked (TRN-3, END-1)
        state.passes += 1
        if state.passes == state.players:
            log.game.blocked += 1
            _end_deal(rules, state, log, scratch)
        else:
            _next_turn(state)
    else:
        _play(rules, state, log, scratch, code // SUITS, code % SUITS)


@compiled
def _collect(state, unseen):
    """Write the cards that the seat to choose can't see to `unseen`, in order; return their number."""
    for card in range(CARDS):
        unseen[card] = 0
    for i in range(state.stock_count):
        unseen[state.stock[i]] = 1
    for p in range(state.players):
        if p != state.seat:
            for card in range(CARDS):
                unseen[card] |= state.hand[p, card]
    count = 0
    for card in range(CARDS):
        if unseen[card]:
            unseen[count] = card
            count += 1
    return count


@compiled
def _hand_back(state, unseen):
    """Deal each other hand its number of cards, in the order of `unseen`; the others are the stock."""
    count = 0
    for p in range(state.players):
        if p != state.seat:
            for card in range(CARDS):
                state.hand[p, card] = 0
            for _ in range(state.hand_size[p]):
                state.hand[p, unseen[count]] = 1
                count += 1
    for i in range(state.stock_count):
        state.stock[i] = unseen[count + i]


@compiled_entry
def conceal(rules, state, scratch):
    """Put the cards that the seat to choose can't see in order, and forget the next shuffles."""
    _collect(state, scratch.unseen)
    _hand_back(state, scratch.unseen)
    forget_chance(state)


@compiled_entry
def determinize(rules, state, scratch, streams, index):
    """Deal the cards that the seat to choose can't see again, from the given stream."""
    count = _collect(state, scratch.unseen)
    shuffle(scratch.unseen, count, streams, index)
    _hand_back(state, scratch.unseen)
    redraw_chance(state, streams, index)


@compiled_entry
def write_result(rules, state, log, scratch, game, seats):
    """Rank by points, then by deals won (END-4)."""
    for p in range(state.players):
        seats[p].score = state.score[p]
        seats[p].deals_won = state.deals_won[p]
        set_standing(scratch, p, state.score[p], state.deals_won[p])
    rank_seats(state, scratch, seats)
