"""The truth about tic-tac-toe, from all of its positions."""

from functools import cache

SQUARES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINES = [{*SQUARES[i : i + 3]} for i in (0, 3, 6)] + [{*SQUARES[i::3]} for i in range(3)]
LINES += [{"a1", "b2", "c3"}, {"c1", "b2", "a3"}]


def solve(rules, players, strategy):
    """Return the win share of each seat, and how many games are shared, in percent, if both play `strategy`."""
    first, second, draw = results(rules["centre_first"], rules["blocked"], strategy, frozenset(), frozenset())
    shares = [100 * (first + draw / 2), 100 * (second + draw / 2)]
    return {"seat_win_share": shares, "shared_victories": 100 * draw}


def legal(centre_first, blocked, first, second):
    """Return the squares that may be marked."""
    free = [each for each in SQUARES[blocked:] if each not in first and each not in second]
    return [each for each in free if centre_first or first or each != "b2"]


@cache
def results(centre_first, blocked, strategy, first, second):
    """Return how often the first seat wins, the second wins, and neither does."""
    if any(line <= first for line in LINES):
        return 1.0, 0.0, 0.0
    if any(line <= second for line in LINES):
        return 0.0, 1.0, 0.0
    squares = legal(centre_first, blocked, first, second)
    if not squares:
        return 0.0, 0.0, 1.0
    after = follow(centre_first, blocked, strategy, first, second, squares)
    if strategy == "Perfect":
        seat = len(first) > len(second)
        best = max(each[seat] - each[not seat] for each in after)
        after = [each for each in after if each[seat] - each[not seat] == best]
    return tuple(sum(each[i] for each in after) / len(after) for i in range(3))


def follow(centre_first, blocked, strategy, first, second, squares):
    """Return the results after each square."""
    if len(first) > len(second):
        return [results(centre_first, blocked, strategy, first, second | {each}) for each in squares]
    return [results(centre_first, blocked, strategy, first | {each}, second) for each in squares]


def best_squares(rules, first, second):
    """Return the squares that are best for the seat to choose."""
    known = rules["centre_first"], rules["blocked"]
    squares = legal(*known, first, second)
    seat = len(first) > len(second)
    worth = [each[seat] - each[not seat] for each in follow(*known, "Perfect", first, second, squares)]
    return [square for square, each in zip(squares, worth, strict=True) if each == max(worth)]
