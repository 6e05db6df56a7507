"""The truth about Kuhn poker, from all deals and all that may be said (Kuhn 1950)."""

from itertools import permutations


def solve(rules, players, strategy):
    """Return the mean chips and the win share of each seat if both play `strategy`."""
    chips = mean(rules, lambda rules, cards, said: payoff(rules, cards, said), [strategy] * 2)
    won = mean(rules, lambda rules, cards, said: payoff(rules, cards, said) > 0, [strategy] * 2)
    return {"seat_score": [chips, -chips], "seat_win_share": [100 * won, 100 - 100 * won]}


def mean(rules, count, strategies):
    """Return the mean of what is counted at the end, over all deals, for a strategy of each seat."""
    deals = list(permutations(range(1, rules["cards"] + 1), 2))
    return sum(expect(rules, count, strategies, deal, ()) for deal in deals) / len(deals)


def expect(rules, count, strategies, cards, said):
    """Return the mean of what is counted, from here on."""
    if said[-1:] in (("fold",), ("call",)) or said == ("check", "check"):
        return count(rules, cards, said)
    seat = len(said) % 2
    bold = bold_chance(strategies[seat], rules["cards"], cards[seat], seat, "bet" in said)
    passive, active = ("fold", "call") if "bet" in said else ("check", "bet")
    return (1 - bold) * expect(rules, count, strategies, cards, (*said, passive)) + bold * expect(
        rules, count, strategies, cards, (*said, active)
    )


def bold_chance(strategy, cards, card, seat, faces_bet):
    """Return how often a strategy bets, or calls a bet."""
    if callable(strategy):
        return strategy(card, faces_bet)
    if strategy == "random":
        return 0.5
    assert strategy == "equilibrium"
    if card == cards:
        return 1.0
    if card > 1:
        return (2 / 3 if seat == 0 else 1 / 3) if faces_bet else 0.0
    return 0.0 if faces_bet else 1 / 3


def payoff(rules, cards, said):
    """Return the chips that the first seat wins."""
    ante, bet = rules["ante"], rules["bet"]
    if said[-1] == "fold":
        return ante if len(said) == 2 else -ante
    won = ante + bet * (said[-1] == "call")
    return won if cards[0] > cards[1] else -won


def gain_of_best_response(rules, strategy, seat):
    """Return the chips that a seat gains at most if it alone leaves `strategy`; 0 for both seats in an equilibrium."""
    spots = [(card, faces) for card in range(1, rules["cards"] + 1) for faces in (False, True)]
    sign = 1 if seat == 0 else -1
    best = -99.0
    for number in range(2 ** len(spots)):
        choice = {spot: float(number >> bit & 1) for bit, spot in enumerate(spots)}
        pair = [strategy, strategy]
        pair[seat] = lambda card, faces, choice=choice: choice[card, faces]
        best = max(best, sign * mean(rules, payoff, pair))
    return best - sign * mean(rules, payoff, [strategy] * 2)
