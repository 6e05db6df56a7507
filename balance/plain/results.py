"""Results in plain Python: scores, ranks and columns of the seats, and the values of actions to a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite, isnan, nan
from numbers import Real
from typing import Any, NamedTuple

from balance.foundation.language import tr
from balance.plain.faults import fault_in, short
from balance.plain.interface import PlainGame


class SeatResult(NamedTuple):
    """What a seat has at the end of a game."""

    score: float
    rank: int
    own: Mapping[str, float]  # the numbers of `PlainGame.COLUMNS`


_LARGEST_SCORE = 2**53
"""Up to here every whole number is a float of its own."""


def read_scores(game: Any, state: Any, players: int) -> list[float]:
    """Return the score of every seat, checked."""
    scores = _check_seats(game.scores, game.scores(state), players)
    if any(abs(score) > _LARGEST_SCORE for score in scores):
        raise fault_in(
            game.scores,
            tr(
                "returns {value}: numbers above {most:,} are not exact; count in larger units",
                value=short(scores),
                most=_LARGEST_SCORE,
            ),
        )
    return scores


def read_places(game: Any, state: Any, players: int) -> list[tuple[float, float]]:
    """Return score and tie-break of every seat, checked; the highest wins, and equal seats share."""
    scores = read_scores(game, state, players)
    given = game.tie_break(state)
    ties = [0.0] * players if given == () else _check_seats(game.tie_break, given, players)
    return list(zip(scores, ties, strict=True))


def _check_seats(method: Callable[..., Any], found: Any, players: int) -> list[float]:
    """Return what a method of the game returned, if it is a number for each seat."""
    values = list(found) if isinstance(found, (list, tuple, Iterable)) else []
    if len(values) != players or not all(
        isinstance(each, (int, float, Real)) and isfinite(each) for each in values
    ):
        raise fault_in(
            method,
            tr(
                "must return a number for each of {players} seats, not {value}",
                players=players,
                value=short(found),
            ),
        )
    return [float(each) for each in values]


def read_columns(author: Any, position: Any, seat: int) -> dict[str, float]:
    """Return a seat's own numbers, checked; NaN for one that is missing."""
    own = author.columns(position, seat)
    check_names(author.columns, own, author.COLUMNS, "COLUMNS")
    found = {name: nan if own.get(name) is None else own[name] for name in author.COLUMNS}
    for name, value in found.items():
        if not isinstance(value, Real) or not (isfinite(value) or isnan(value)):
            raise fault_in(
                author.columns,
                tr("must return numbers, not {value} for {name!r}", value=short(value), name=name),
            )
    return found


def check_names(method: Callable[..., Any], found: Any, known: Mapping[str, str], table: str) -> None:
    """Refuse what a method returned if it has names that the table of the game's class lacks."""
    if not isinstance(found, Mapping):
        raise fault_in(method, tr("must return numbers by name, not {value}", value=short(found)))
    if unknown := sorted(map(str, found.keys() - known.keys())):
        raise fault_in(
            method, tr("returns {name!r}, which is not in {table}", name=unknown[0], table=table)
        )


def read_results(author: PlainGame, position: Any, players: int) -> list[SeatResult]:
    """Return the score, the rank and the own columns of every seat, checked."""
    places = read_places(author, position, players)
    best_first = sorted(places, reverse=True)
    return [
        SeatResult(
            place[0],
            1 + best_first.index(place),
            read_columns(author, position, seat) if author.COLUMNS else {},
        )
        for seat, place in enumerate(places)
    ]


def write_seats(rows: Any, results: Sequence[SeatResult]) -> None:
    """Write results into the first rows, one for each seat."""
    rows = rows[: len(results)]
    rows["score"] = [each.score for each in results]
    rows["rank"] = [each.rank for each in results]
    for name in results[0].own:
        rows[name] = [each.own[name] for each in results]


def weigh(
    author: PlainGame, position: Any, actions: Sequence[str], weights: Mapping[str, float]
) -> list[float]:
    """Return the value of each action: the sum of weights times features."""
    values = []
    for action in actions:
        own = author.features(position, action)
        try:
            value = sum(weight * own.get(name, 0.0) for name, weight in weights.items())
        except (AttributeError, TypeError):
            value = nan
        if isnan(value):
            raise fault_in(
                author.features,
                tr(
                    "of {action!r} must be numbers by name, not {value}",
                    action=action,
                    value=short(own),
                ),
            )
        values.append(value)
    return values


def describe_seats(author: PlainGame, position: Any, players: int) -> tuple[float, list[list[float]]]:
    """Return the progress of a game, and the features of each seat's position in the order of `POSITION`."""
    progress = author.progress(position)
    seats: list[list[float]] = []
    if not isinstance(progress, Real) or not 0 <= progress <= 1:
        raise fault_in(
            author.progress, tr("must return a number from 0 to 1, not {value}", value=short(progress))
        )
    for seat in range(players):
        own = author.position(position, seat)
        check_names(author.position, own, author.POSITION, "POSITION")
        values = [own.get(name, 0.0) for name in author.POSITION]
        if not all(isinstance(each, Real) and isfinite(each) for each in values):
            raise fault_in(
                author.position, tr("must return numbers by name, not {value}", value=short(own))
            )
        seats.append(values)
    return float(progress), seats


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
