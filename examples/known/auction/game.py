"""A sealed bid: each player has a secret value and bids for one prize. One decision each, nothing else."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from balance.plain import PlainGame, RuleSet, hide


class Rules(RuleSet):
    """What a designer may change."""

    values: int = Field(ge=4, le=12, description="values are 1 to this number, each dealt once")
    price: Literal["own", "second"] = Field(description="the winner pays its own bid, or the second highest")
    ties: Literal["none", "earlier"] = Field(description="of equal highest bids none wins, or the earlier")


@dataclass
class State:
    """A position."""

    rules: Rules
    values: list  # a list of one for each seat
    stock: list
    bids: list = field(default_factory=list)  # a list of one for each seat that has bid
    seat: int = 0


class Auction(PlainGame):
    """A sealed bid."""

    title = "Sealed bid"
    summary = "one secret bid for a prize of secret value; 2-3 players"
    players = (2, 3)
    Rules = Rules
    MOST_ROUNDS = 1
    FEATURES = {"off_half": "distance of the bid from half the value", "below": "how far the bid is below the value"}

    def setup(self, rules, players, chance):
        """Deal a value to each player."""
        deck = list(range(1, rules.values + 1))
        chance.shuffle(deck)
        return State(rules, values=[[deck.pop()] for _ in range(players)], stock=deck)

    def actions(self, state):
        """Bid at most the value."""
        return [f"bid {bid}" for bid in range(state.values[state.seat][0] + 1)]

    def apply(self, state, action, chance):
        """Bid."""
        state.bids.append([int(action.split()[1])])
        state.seat = (state.seat + 1) % len(state.values)

    def over(self, state):
        """Return whether all have bid."""
        return len(state.bids) == len(state.values)

    def scores(self, state):
        """Return the value less the price for the highest bid."""
        scores = [0] * len(state.values)
        if self.over(state):
            bids = [bid for (bid,) in state.bids]
            highest, second = sorted(bids, reverse=True)[:2]
            if highest > second or state.rules.ties == "earlier":
                winner = bids.index(highest)
                scores[winner] = state.values[winner][0]
                scores[winner] -= highest if state.rules.price == "own" else second
        return scores

    def seen(self, state, seat):
        """Hide the values and bids of the others."""
        for other in range(len(state.values)):
            if other != seat:
                state.values[other] = hide(state.values[other], "value")
                if other < len(state.bids):
                    state.bids[other] = hide(state.bids[other], "bid")
        state.stock = hide(state.stock, "value")
        return state

    def guess(self, state, seat, chance):
        """Deal the other values again, and let the others have made any bid up to theirs."""
        hidden = sorted(sum(state.values[:seat] + state.values[seat + 1 :], state.stock))
        chance.shuffle(hidden)
        for other in range(len(state.values)):
            if other != seat:
                state.values[other] = [hidden.pop()]
                if other < len(state.bids):
                    state.bids[other] = [chance.randint(0, state.values[other][0])]
        state.stock = hidden
        return state

    def features(self, state, action):
        """Return what profiles weigh."""
        bid, value = int(action.split()[1]), state.values[state.seat][0]
        return {"off_half": abs(bid - value / 2), "below": value - bid}
