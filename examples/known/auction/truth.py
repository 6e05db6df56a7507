"""The truth about the sealed bid, from all deals and all bids."""

from itertools import permutations, product


def solve(rules, players, strategy):
    """Return the win share in percent and the mean score of each seat, and the shared games, if all play `strategy`."""
    shares, scores, shared, total = [0.0] * players, [0.0] * players, 0.0, 0.0
    for values in permutations(range(1, rules["values"] + 1), players):
        chances = [bid_chances(strategy, value) for value in values]
        for bids in product(*chances):
            weight = 1.0
            for own, bid in zip(chances, bids, strict=True):
                weight *= own[bid]
            result = settle(rules, values, bids)
            winners = [seat for seat in range(players) if result[seat] == max(result)]
            total += weight
            shared += weight * (len(winners) > 1)
            for seat in range(players):
                shares[seat] += weight * (seat in winners) / len(winners)
                scores[seat] += weight * result[seat]
    return {
        "seat_win_share": [100 * each / total for each in shares],
        "seat_score": [each / total for each in scores],
        "shared_victories": 100 * shared / total,
    }


def bid_chances(strategy, value):
    """Return how likely a strategy makes each bid."""
    if strategy == "random":
        return dict.fromkeys(range(value + 1), 1 / (value + 1))
    return {{"half": value // 2, "truthful": value}[strategy]: 1.0}


def settle(rules, values, bids):
    """Return the score of each seat."""
    ranked = sorted(bids)
    scores = [0] * len(values)
    if ranked[-1] > ranked[-2] or rules["ties"] == "earlier":
        winner = bids.index(ranked[-1])
        scores[winner] = values[winner] - (ranked[-1] if rules["price"] == "own" else ranked[-2])
    return scores
