"""Results in plain Python: scores, ranks and columns of the seats, and the values of actions to a profile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from math import isfinite, isnan, nan
from numbers import Real
from typing import Any, NamedTuple

from balance.contract.sides import SEAT, TABLE, TEAM, Sides
from balance.foundation.language import N_, tr
from balance.plain.faults import fault_in, short
from balance.plain.interface import LOST, WON, PlainGame, counts_score, has_own


class Place(NamedTuple):
    """What a seat has reached, alone or with its side."""

    score: float
    rank: int
    win_share: float  # NaN where the table has a score and neither wins nor loses


class SeatResult(NamedTuple):
    """What a seat has at the end of a game."""

    place: Place
    own: Mapping[str, float]  # the numbers of `PlainGame.COLUMNS`, and its team


_LARGEST_SCORE = 2**53
"""Up to here every whole number is a float of its own."""


def read_scores(game: Any, state: Any, players: int) -> list[float]:
    """Return the score of every seat, checked: that of its side."""
    sides: Sides = game._sides
    if sides.kind == TABLE:
        return [_read_table_score(game, state)] * players
    return _by_seat(game.scores, game.scores(state), sides, players)


def _read_table_score(game: Any, state: Any) -> float:
    """Return the score of the table; without `scores`, 1 once the table has won, otherwise 0."""
    if has_own(game, "scores"):
        return _check_numbers(game.scores, game.scores(state), TABLE, 1)[0]
    return _read_outcome(game, state)


def _read_outcome(game: Any, state: Any) -> float:
    """Return the outcome of the table, checked: its score with ``GOAL = "score"``; or 1 once it has won, before 0."""
    if counts_score(game):
        return _check_numbers(game.outcome, [game.outcome(state)], TABLE, 1)[0]
    found = game.outcome(state) if game.over(state) else LOST
    if found not in (WON, LOST):
        raise fault_in(
            game.outcome,
            tr(
                "must return {won!r} or {lost!r}, not {value}; a table with a score needs {goal}",
                won=WON, lost=LOST, value=short(found), goal='GOAL = "score"',
            ),
        )  # fmt: skip
    return float(found == WON)


def read_places(game: Any, state: Any, players: int) -> list[Place]:
    """Return the score, the rank and the win share of every seat, checked; the highest wins, and equal ones share."""
    scores, sides = read_scores(game, state, players), game._sides
    if sides.kind == TABLE:
        share = _read_outcome(game, state) if sides.has_wins else nan
        return [Place(scores[0], 2 if share == 0 else 1, share)] * players
    given = game.tie_break(state)
    ties = [0.0] * players if given == () else _by_seat(game.tie_break, given, sides, players)
    keys = list(zip(scores, ties, strict=True))
    ranked = keys if sides.kind == SEAT else [keys[seat] for seat in sides.first_seats(players)]
    best_first = sorted(ranked, reverse=True)
    share = 1 / best_first.count(best_first[0])
    ranks = [1 + best_first.index(key) for key in keys]
    return [Place(key[0], rank, share if rank == 1 else 0.0) for key, rank in zip(keys, ranks, strict=True)]


def _by_seat(method: Callable[..., Any], found: Any, sides: Sides, players: int) -> list[float]:
    """Return the numbers of sides, checked, for every seat."""
    if sides.kind == SEAT:
        return _check_numbers(method, found, SEAT, players)
    of_seats = sides.of_seats(players)
    numbers = _check_numbers(method, found, TEAM, max(of_seats) + 1)
    return [numbers[side] for side in of_seats]


_WANTED = {
    SEAT: N_("must return a number for each of {n} seats, not {value}"),
    TEAM: N_("must return a number for each of {n} teams, not {value}"),
    TABLE: N_("must return one number for the table, not {value}"),
}


def _check_numbers(method: Callable[..., Any], found: Any, kind: str, count: int) -> list[float]:
    """Return what a method of the game returned, if it is a number for each side that floats hold exactly."""
    values = list(found) if isinstance(found, (list, tuple, Iterable)) else []
    if len(values) != count or not all(
        isinstance(each, (int, float, Real, Decimal)) and isfinite(each) for each in values
    ):
        raise fault_in(method, tr(_WANTED[kind], n=count, value=short(found)))
    if any(abs(each) > _LARGEST_SCORE for each in values):
        raise fault_in(
            method,
            tr(
                "returns {value}: numbers above {most:,} are not exact; count in larger units",
                value=short(values),
                most=_LARGEST_SCORE,
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
                author.columns, tr("must return numbers, not {value} for {name!r}", value=short(value), name=name)
            )
    return found


def check_names(method: Callable[..., Any], found: Any, known: Mapping[str, str], table: str) -> None:
    """Refuse what a method returned if it has names that the table of the game's class lacks."""
    if not isinstance(found, Mapping):
        raise fault_in(method, tr("must return numbers by name, not {value}", value=short(found)))
    if unknown := sorted(map(str, found.keys() - known.keys())):
        raise fault_in(method, tr("returns {name!r}, which is not in {table}", name=unknown[0], table=table))


def read_results(author: Any, position: Any, players: int) -> list[SeatResult]:
    """Return the place and the own columns of every seat, checked."""
    teams = author._sides.teams.get(players, ())
    found = []
    for seat, place in enumerate(read_places(author, position, players)):
        own = read_columns(author, position, seat) if author.COLUMNS else {}
        found.append(SeatResult(place, own | {TEAM: teams[seat]} if teams else own))
    return found


def write_seats(rows: Any, results: Sequence[SeatResult]) -> None:
    """Write results into the first rows, one for each seat."""
    rows = rows[: len(results)]
    for name in Place._fields:
        rows[name] = [getattr(each.place, name) for each in results]
    for name in results[0].own:
        rows[name] = [each.own[name] for each in results]


def weigh(author: PlainGame, position: Any, actions: Sequence[str], weights: Mapping[str, float]) -> list[float]:
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
                tr("of {action!r} must be numbers by name, not {value}", action=action, value=short(own)),
            )
        values.append(value)
    return values


def describe_seats(author: PlainGame, position: Any, players: int) -> tuple[float, list[list[float]]]:
    """Return the progress of a game, and the features of each seat's position in the order of `POSITION`."""
    progress = author.progress(position)
    seats: list[list[float]] = []
    if not isinstance(progress, Real) or not 0 <= progress <= 1:
        raise fault_in(author.progress, tr("must return a number from 0 to 1, not {value}", value=short(progress)))
    for seat in range(players):
        own = author.position(position, seat)
        check_names(author.position, own, author.POSITION, "POSITION")
        values = [own.get(name, 0.0) for name in author.POSITION]
        if not all(isinstance(each, Real) and isfinite(each) for each in values):
            raise fault_in(author.position, tr("must return numbers by name, not {value}", value=short(own)))
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
