"""The truth about the race: a pawn's turns to the end are a Markov chain, and pawns are independent."""

from math import prod


def solve(rules, players, strategy):
    """Return the win share of each seat in percent; there is nothing to decide, so no strategy matters."""
    starts = rules["start"]
    starts = starts[str(players)] if isinstance(starts, dict) else starts
    starts = starts if isinstance(starts, list) else [starts] * players
    most = rules["length"] + 1
    later = [turns_beyond(rules["length"] - start, rules["sides"], most) for start in starts]
    shares = [
        sum(
            (later[seat][turn - 1] - later[seat][turn])
            * prod(later[other][turn if other < seat else turn - 1] for other in range(players) if other != seat)
            for turn in range(1, most)
        )
        for seat in range(players)
    ]
    return {"seat_win_share": [100 * share for share in shares]}


def turns_beyond(spaces, sides, most):
    """Return the chance that a pawn is not at the end after 0, 1, ... turns."""
    at = [1.0] + [0.0] * (spaces - 1)
    found = []
    for _ in range(most):
        found.append(sum(at))
        at = [sum(at[max(0, space - sides) : space]) / sides for space in range(spaces)]
    return found
