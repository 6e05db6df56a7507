"""The truth about the tug of war: what a team pulls is a sum of independent turns."""

from collections import Counter

DIE = dict.fromkeys(range(1, 7), 1 / 6)


def solve(rules, players, strategy):
    """Return the win share of each team and the share of ties, in percent."""
    turn = dict(DIE)
    if strategy == "random":
        turn = {face: chance / 2 for face, chance in DIE.items()}
        turn[rules["steady"]] += 0.5
    sizes = (1, 2) if players == 3 else (2, 2)
    more = [rules["giant"] if size == 1 else 0 for size in sizes]
    sums = [
        add_turns(start, turn, extra, size * rules["rounds"])
        for start, size, extra in zip((0, rules["start"]), sizes, more, strict=True)
    ]
    ahead, level = 0.0, 0.0
    for one, chance in sums[0].items():
        ahead += chance * sum(other for pulled, other in sums[1].items() if pulled < one)
        level += chance * sums[1].get(one, 0.0)
    first = 100 * (ahead + level / 2)
    return {"team_win_share": [first, 100 - first], "shared_victories": 100 * level}


def add_turns(start, turn, extra, count):
    """Return the chance of each sum of a number of turns."""
    found = {start: 1.0}
    for _ in range(count):
        later = Counter()
        for total, chance in found.items():
            for pulled, part in turn.items():
                later[total + pulled + extra] += chance * part
        found = dict(later)
    return found
