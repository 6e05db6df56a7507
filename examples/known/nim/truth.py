"""The truth about Nim: the first player wins unless the nim-sum is 0 (Bouton 1901); random play by enumeration."""

from functools import cache


def solve(rules, players, strategy):
    """Return the win share of each seat in percent if both play `strategy`."""
    heaps = rules["first"], rules["second"], rules["third"]
    if strategy == "xor":
        first = 100.0 * (heaps[0] ^ heaps[1] ^ heaps[2] != 0)
    else:
        assert strategy == "random"
        first = 100 * win_chance(tuple(sorted(heaps)))
    return {"seat_win_share": [first, 100 - first]}


@cache
def win_chance(heaps):
    """Return how often the player who chooses wins if both play at random; with nothing left, it has lost."""
    after = [
        tuple(sorted((*heaps[:heap], left, *heaps[heap + 1 :])))
        for heap, size in enumerate(heaps)
        for left in range(size)
    ]
    return sum(1 - win_chance(each) for each in after) / len(after) if after else 0.0
