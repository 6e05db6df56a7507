"""Crazy Eights in plain Python: the oracle of the compiled game next to it, with which it plays the same games."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from balance.contract.rule_tables import Amount, BySeat, by_seat
from balance.plain import PlainGame, RuleSet, hide

SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
CARDS = [rank + suit for suit in SUITS for rank in "23456789TJQKA"]


class Rules(RuleSet):
    """What a designer may change."""

    deals: int = Field(ge=1, le=12, description="deals of a game (SET-1)")
    hand_start: Annotated[Amount, BySeat(1, 12, (2, 3, 4))] = Field(
        description="cards dealt to each player, from the player who begins on (SET-2)"
    )
    draws: int = Field(ge=0, le=10, description="most cards drawn in a turn (TRN-2)")
    queens_skip: bool = Field(description="whether a queen skips the next player (TRN-5)")
    eight_points: int = Field(ge=0, le=100, description="points of an eight left in a hand (END-2)")


@dataclass
class State:
    """A position. A card is its rank and suit, such as "Th"."""

    rules: Rules
    players: int
    points: list
    won: list
    counts: list  # columns by seat
    hands: list = field(default_factory=list)
    stock: list = field(default_factory=list)
    top: str = ""
    suit: str = ""  # in force
    drawn: int = 0
    passes: int = 0
    blocked: int = 0
    ended: bool = False
    seat: int = 0
    round: int = 1


class CrazyEights(PlainGame):
    """Crazy Eights."""

    title = "Crazy Eights in plain Python"
    summary = "traditional card game: match suit or rank, eights are wild; 2-4 players"
    players = (2, 3, 4)
    Rules = Rules
    MOST_ROUNDS = 12
    COLUMNS = {
        "deals_won": "Deals won.",
        "eights": "Eights played.",
        "drawn": "Cards drawn.",
        "skipped": "Turns lost to queens.",
    }
    FEATURES = {
        "points": "points of the card played",
        "eight": "playing an eight",
        "follow": "other cards in hand that match the card played, by its suit in force or its rank",
        "last": "cards that the next player holds, at most 5, when the suit in force changes",
        "draw": "drawing a card",
        "passing": "passing",
    }
    OUTCOMES = {"won": ("player", "points"), "skipped": ("player",)}
    PARTS = {"player": "Seat of the player.", "points": "Points scored."}

    def setup(self, rules, players, chance):
        """Deal the first hands."""
        counts = [dict.fromkeys(("eights", "drawn", "skipped"), 0) for _ in range(players)]
        state = State(rules, players, [0] * players, [0] * players, counts)
        self.deal(state, chance)
        return state

    def deal(self, state, chance):
        """Shuffle and deal, from the beginner on, and turn up a card (SET-1 to SET-4)."""
        state.stock = list(CARDS)
        chance.shuffle(state.stock)
        beginner = (state.round - 1) % state.players
        state.hands = [[] for _ in range(state.players)]
        for place, size in enumerate(by_seat(state.rules.hand_start, state.players)):
            hand = [state.stock.pop() for _ in range(size)]
            state.hands[(beginner + place) % state.players] = sorted(hand, key=CARDS.index)
        state.top = state.stock.pop()
        state.suit, state.seat = state.top[1], beginner
        state.drawn = state.passes = 0
        chance.note(f"turned {state.top}")

    def actions(self, state):
        """List the cards that match, an eight once for each suit; then to draw, or else to pass."""
        found = []
        for card in state.hands[state.seat]:
            if card[0] == "8":
                found += [f"play {card} {suit}" for suit in SUITS.values()]
            elif card[1] == state.suit or card[0] == state.top[0]:
                found.append(f"play {card}")
        may_draw = state.stock and state.drawn < state.rules.draws
        return [*found, "draw" if may_draw else "pass"]

    def apply(self, state, action, chance):
        """Draw, pass or play a card."""
        hand = state.hands[state.seat]
        if action == "draw":
            hand.append(state.stock.pop())
            chance.note(f"drawn {hand[-1]}")
            hand.sort(key=CARDS.index)
            state.drawn += 1
            state.counts[state.seat]["drawn"] += 1
        elif action == "pass":
            state.passes += 1
            self.end_deal(state, chance) if state.passes == state.players else self.next_turn(state)
        else:
            _, card, *named = action.split()
            hand.remove(card)
            state.top, state.suit, state.passes = card, named[0][0] if named else card[1], 0
            state.counts[state.seat]["eights"] += card[0] == "8"
            if not hand:
                self.end_deal(state, chance)
                return
            self.next_turn(state)
            if state.rules.queens_skip and card[0] == "Q":
                chance.outcome("skipped", player=state.seat)
                state.counts[state.seat]["skipped"] += 1
                self.next_turn(state)

    def next_turn(self, state):
        """Move on to the next seat."""
        state.seat, state.drawn = (state.seat + 1) % state.players, 0

    def value(self, state, card):
        """Return the points of a card left in a hand (END-2)."""
        named = {"8": state.rules.eight_points, "A": 1}
        return named.get(card[0]) if card[0] in named else min(CARDS.index(card) % 13 + 2, 10)

    def end_deal(self, state, chance):
        """Score the deal, and deal again unless it was the last one (END-1 to END-4)."""
        left = [sum(self.value(state, card) for card in hand) for hand in state.hands]
        for seat, points in enumerate(left):
            if points == min(left):
                won = sum(left) - len(left) * points
                chance.outcome("won", player=seat, points=won)
                state.points[seat] += won
                state.won[seat] += 1
        state.ended = state.round == state.rules.deals
        if not state.ended:
            state.round += 1
            self.deal(state, chance)

    def over(self, state):
        """Return whether the last deal has been scored."""
        return state.ended

    def scores(self, state):
        """Return the points."""
        return state.points

    def tie_break(self, state):
        """Return the deals won."""
        return state.won

    def columns(self, state, seat):
        """Return what a seat did."""
        return {"deals_won": state.won[seat], **state.counts[seat]}

    def seen(self, state, seat):
        """Hide the hands of the others and the stock."""
        for other in range(state.players):
            if other != seat:
                state.hands[other] = hide(state.hands[other])
        state.stock = hide(state.stock)
        return state

    def kind(self, action):
        """Return the kind of every decision: a turn."""
        return "turn"

    def features(self, state, action):
        """Return what profiles weigh."""
        word, *what = action.split()
        if word != "play":
            return {"draw": word == "draw", "passing": word == "pass"}
        card, suit = what[0], what[1][0] if what[1:] else what[0][1]
        others = [other for other in state.hands[state.seat] if other != card]
        following = state.hands[(state.seat + 1) % state.players]
        return {
            "points": self.value(state, card),
            "eight": card[0] == "8",
            "follow": sum(other[1] == suit or other[0] == card[0] for other in others),
            "last": min(5, len(following)) * (suit != state.suit),
        }
