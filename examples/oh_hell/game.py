"""Oh Hell, a traditional trick-taking game: say how many tricks you will take, then take just as many.

Each round has one card less than the round before. A card turned up names the trump suit. Every player bids; then
tricks are played as in whist: follow suit if you can. Only an exact bid scores. docs/own-game.md explains the methods.
"""

from dataclasses import dataclass, field

from pydantic import Field

from balance.plain import PlainGame, RuleSet, hide

SUITS = "cdhs"
RANKS = "23456789TJQKA"


class Rules(RuleSet):
    """What a designer may change."""

    cards: int = Field(ge=1, le=10, description="cards of each player in the first round")
    bonus: int = Field(ge=0, le=20, description="points for an exact bid, plus one for each trick")
    forbid_even: bool = Field(description="the last bidder may not make the bids sum to the tricks")


@dataclass
class State:
    """A position. A card is its rank and suit, such as "Th"."""

    rules: Rules
    players: int
    points: list
    exact: list  # bids that were met, by seat
    hands: list = field(default_factory=list)
    bids: list = field(default_factory=list)  # None: not yet
    tricks: list = field(default_factory=list)
    lacks: list = field(default_factory=list)  # suits that a seat has shown to lack
    stock: list = field(default_factory=list)
    trump: str = ""
    table: list = field(default_factory=list)  # cards of this trick, in the order of play
    leader: int = 0
    seat: int = 0
    round: int = 1


class OhHell(PlainGame):
    """Oh Hell."""

    title = "Oh Hell"
    summary = "traditional trick-taking game with bids; 3-5 players"
    players = (3, 4, 5)
    Rules = Rules
    MOST_ROUNDS = 10
    COLUMNS = {"exact_bids": "Bids that were met."}
    OUTCOMES = {"trick": ("player",), "bid_met": ("player", "scored")}
    PARTS = {"player": "Seat of the player.", "scored": "Points scored."}
    OUTCOME_TEXTS = {"trick": "{player} takes the trick", "bid_met": "{player} meets the bid: {scored} points"}
    FEATURES = {
        "far_bid": "difference between the bid and the high cards and trumps of the hand",
        "wins": "1 if the card is the best of the trick so far and the seat needs tricks",
        "ducks": "1 if the card is not the best so far and the seat needs no more tricks",
        "rank": "rank of the card played, from 0 to 1",
    }

    def setup(self, rules, players, chance):
        """Deal the first round."""
        state = State(rules, players, points=[0] * players, exact=[0] * players)
        self.deal(state, chance)
        return state

    def deal(self, state, chance):
        """Deal a round; the first bidder moves on by a seat each round."""
        deck = [rank + suit for suit in SUITS for rank in RANKS]
        chance.shuffle(deck)
        size, count = state.rules.cards - state.round + 1, state.players
        state.hands = [sorted(deck.pop() for _ in range(size)) for _ in range(count)]
        turned = deck.pop()
        chance.note(f"trump {turned}")
        state.trump, state.stock = turned[1], deck
        state.bids, state.tricks = [None] * count, [0] * count
        state.lacks = [[] for _ in range(count)]
        state.seat = state.leader = (state.round - 1) % count

    def actions(self, state):
        """Bid, or play a card of the suit led if there is one."""
        hand = state.hands[state.seat]
        if state.bids[state.seat] is None:
            bids = range(len(hand) + 1)
            if state.rules.forbid_even and state.bids.count(None) == 1:
                even = len(hand) - sum(bid for bid in state.bids if bid is not None)
                bids = [bid for bid in bids if bid != even]
            return [f"bid {bid}" for bid in bids]
        follows = [card for card in hand if state.table and card[1] == state.table[0][1]]
        return [f"play {card}" for card in follows or hand]

    def apply(self, state, action, chance):
        """Carry out a bid or a card."""
        word, what = action.split()
        if word == "bid":
            state.bids[state.seat] = int(what)
            state.seat = state.leader if None not in state.bids else (state.seat + 1) % state.players
            return
        state.hands[state.seat].remove(what)
        state.table.append(what)
        if what[1] != state.table[0][1] and state.table[0][1] not in state.lacks[state.seat]:
            state.lacks[state.seat].append(state.table[0][1])
        state.seat = (state.seat + 1) % state.players
        if len(state.table) == state.players:
            self.end_trick(state, chance)

    def end_trick(self, state, chance):
        """Give the trick to the best card; after the last one, score the round and deal the next."""
        best = max(range(state.players), key=lambda n: self.strength(state, state.table[n]))
        best = (state.leader + best) % state.players
        chance.outcome("trick", player=best)
        state.leader = state.seat = best
        state.tricks[state.leader] += 1
        state.table = []
        if any(state.hands):
            return
        for seat in range(state.players):
            if state.tricks[seat] == state.bids[seat]:
                points = state.rules.bonus + state.tricks[seat]
                chance.outcome("bid_met", player=seat, scored=points)
                state.points[seat] += points
                state.exact[seat] += 1
        if state.round < state.rules.cards:
            state.round += 1
            self.deal(state, chance)

    def strength(self, state, card):
        """Return the strength of a card in the trick: trumps beat the suit led, which beats all others."""
        suit = 2 if card[1] == state.trump else int(not state.table or card[1] == state.table[0][1])
        return suit, RANKS.index(card[0])

    def over(self, state):
        """Return whether the last round has been scored."""
        return state.round == state.rules.cards and not any(state.hands)

    def scores(self, state):
        """Return the points."""
        return state.points

    def columns(self, state, seat):
        """Return the bids that a seat met."""
        return {"exact_bids": state.exact[seat]}

    def seen(self, state, seat):
        """Hide the hands of the others and the stock."""
        for other in range(state.players):
            if other != seat:
                state.hands[other] = hide(state.hands[other])
        state.stock = hide(state.stock)
        return state

    def guess(self, state, seat, chance):
        """Deal the hidden cards again, if possible without suits that a seat has shown to lack."""
        for _ in range(20):
            state = super().guess(state, seat, chance)
            others = [other for other in range(state.players) if other != seat]
            if not any(card[1] in state.lacks[other] for other in others for card in state.hands[other]):
                break
        return state

    def features(self, state, action):
        """Return what profiles weigh."""
        word, what = action.split()
        hand, seat = state.hands[state.seat], state.seat
        if word == "bid":
            likely = sum(0.8 * (card[0] in "AK") + 0.4 * (card[1] == state.trump) for card in hand)
            return {"far_bid": abs(int(what) - likely * 2 / state.players)}
        best = all(self.strength(state, what) > self.strength(state, card) for card in state.table)
        needs = state.bids[seat] > state.tricks[seat]
        rank = RANKS.index(what[0]) / 12
        return {"wins": best and needs, "ducks": not best and not needs, "rank": rank}
