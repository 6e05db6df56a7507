"""Results in plain Python: scores, ranks and columns of the seats, and the values of actions to a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from numbers import Real
from typing import Any

from balance.foundation.language import tr
from balance.plain.faults import fault_in, short
from balance.plain.interface import PlainGame


def read_scores(game: Any, state: Any, players: int) -> list[float]:
    """Return the score of every seat, checked."""
    scores = game.scores(state)
    right = len(scores) == players and all(isinstance(each, Real) for each in scores)
    if not right or not all(map(isfinite, scores)):
        raise fault_in(
            game.scores,
            tr(
                "must return a number for each of {players} seats, not {value}",
                players=players,
                value=short(scores),
            ),
        )
    return [float(each) for each in scores]


def write_seats(author: PlainGame, position: Any, players: int, seats: Any) -> list[float]:
    """Fill the score, the rank and the own columns of every seat; return the scores."""
    scores = read_scores(author, position, players)
    ties = list(author.tie_break(position)) or [0.0] * players
    for seat, key in enumerate(zip(scores, ties, strict=True)):
        row = seats[seat]
        row["score"] = scores[seat]
        row["rank"] = 1 + sum(other > key for other in zip(scores, ties, strict=True))
        if author.COLUMNS:
            own = author.columns(position, seat)
            for name in author.COLUMNS:
                row[name] = own.get(name, 0)
    return scores


def weigh(
    author: PlainGame, position: Any, actions: Sequence[str], weights: Mapping[str, float]
) -> list[float]:
    """Return the value of each action: the sum of weights times features."""
    values = []
    for action in actions:
        own = author.features(position, action)
        values.append(sum(weight * own.get(name, 0.0) for name, weight in weights.items()))
    return values


def describe_seats(author: PlainGame, position: Any, players: int) -> tuple[float, list[list[float]]]:
    """Return the progress of a game, and the features of each seat's position in the order of `POSITION`."""
    seats = [author.position(position, seat) for seat in range(players)]
    return author.progress(position), [[own.get(name, 0.0) for name in author.POSITION] for own in seats]


def number_outcome(author: PlainGame, name: str, parts: Mapping[str, int]) -> tuple[int, list[int]]:
    """Return the code of an outcome and the numbers of its parts; ValueError if they are not those of `OUTCOMES`."""
    if name not in author.OUTCOMES:
        raise ValueError(tr("OUTCOMES has no {name!r}", name=name))
    wanted = author.OUTCOMES[name]
    if set(parts) != set(wanted):
        raise ValueError(
            tr(
                "the parts of {name!r} are {right}, not {parts}",
                name=name, right=", ".join(wanted), parts=", ".join(parts),
            )
        )  # fmt: skip
    numbers = [int(parts[each]) for each in wanted]
    return -1 - list(author.OUTCOMES).index(name), numbers
