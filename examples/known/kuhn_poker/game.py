"""Kuhn poker: one card each, one bet. The value is -1/18 of the ante for the first player (Kuhn 1950)."""

from dataclasses import dataclass, field

from pydantic import Field

from balance.plain import PlainGame, RuleSet, hide


class Rules(RuleSet):
    """What a designer may change."""

    cards: int = Field(ge=3, le=9, description="cards of the deck; the highest wins")
    ante: int = Field(ge=1, le=5, description="chips that each player pays before the cards")
    bet: int = Field(ge=1, le=5, description="chips of a bet, and of a call")


@dataclass
class State:
    """A position: a card of each seat, chips that each has paid, and what was said."""

    rules: Rules
    hands: list
    stock: list
    paid: list
    said: list = field(default_factory=list)
    seat: int = 0


class KuhnPoker(PlainGame):
    """Kuhn poker."""

    title = "Kuhn poker"
    summary = "one card, one bet; the smallest game of bluffs"
    players = (2,)
    Rules = Rules
    GOAL = "score"
    MOST_ROUNDS = 1
    FEATURES = {
        "bet_lowest": "1 for a bet with the lowest card",
        "bet_middle": "1 for a bet with a card between",
        "bet_highest": "1 for a bet with the highest card",
        "call_lowest": "1 for a call with the lowest card",
        "call_middle_first": "1 for a call of the first player with a card between",
        "call_middle_second": "1 for a call of the second player with a card between",
        "call_highest": "1 for a call with the highest card",
    }

    def setup(self, rules, players, chance):
        """Deal a card to each player."""
        deck = list(range(1, rules.cards + 1))
        chance.shuffle(deck)
        return State(rules, hands=[[deck.pop()], [deck.pop()]], stock=deck, paid=[rules.ante] * 2)

    def actions(self, state):
        """Check or bet; after a bet, fold or call."""
        return ["fold", "call"] if "bet" in state.said else ["check", "bet"]

    def apply(self, state, action, chance):
        """Pay for a bet or a call."""
        state.said.append(action)
        if action in ("bet", "call"):
            state.paid[state.seat] += state.rules.bet
        state.seat = 1 - state.seat

    def over(self, state):
        """Return whether nothing is left to say."""
        return state.said[-1:] in (["fold"], ["call"]) or state.said == ["check", "check"]

    def scores(self, state):
        """Return the chips won."""
        if not self.over(state):
            return [0, 0]
        if state.said[-1] == "fold":
            winner = state.seat
        else:
            winner = int(state.hands[1] > state.hands[0])
        won = state.paid[1 - winner]
        return [won, -won] if winner == 0 else [-won, won]

    def seen(self, state, seat):
        """Hide the other card and the stock."""
        state.hands[1 - seat] = hide(state.hands[1 - seat])
        state.stock = hide(state.stock)
        return state

    def features(self, state, action):
        """Return which card bets or calls."""
        if action in ("check", "fold"):
            return {}
        card = state.hands[state.seat][0]
        rank = {1: "lowest", state.rules.cards: "highest"}.get(card, "middle")
        if action == "call" and rank == "middle":
            return {f"call_middle_{'second' if state.seat else 'first'}": 1}
        return {f"{action}_{rank}": 1}
