"""The values of a rule set that `balance tune` may change, and the variants that result from changes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.contract.rule_tables import by_seat
from balance.experiments.rule_keys import Key, list_keys
from balance.experiments.rule_steps import (
    at_counts,
    check_patterns,
    is_number,
    is_of_data,
    look_up,
    size_of_step,
    with_sources,
    write_step,
)
from balance.experiments.targets import Tune
from balance.experiments.variants import StartVariant, Variant, change_variant, read_start, with_components
from balance.foundation.errors import BalanceError, error_context, unknown
from balance.foundation.language import tr
from balance.foundation.text import listed

_MOST_VALUES = 10_000  # of a number
Settings = tuple[tuple[str, Any], ...]
"""The changed parameters of a candidate in the order of the parameters: names and values."""


@dataclass(frozen=True)
class Parameter:
    """A value of the rules that may change: a number at one player count, of one seat, or of all."""

    # Unique: the dotted key, and player count and seat if the value is about one, such as ``start.cards.4 seat 2``.
    name: str
    key: str  # the dotted rule key
    count: int  # the player count that has this value; 0 for all
    seat: int  # the seat that has this value, from 1; 0 for all
    # The value in the start variant. Where seats differ, that of a key for all seats is the first seat's, and all
    # seats change by the same number.
    start: Any
    # The values that it may have, the start value among them; numbers in rising order, one step apart.
    values: tuple[Any, ...]
    # Whether the values are steps of a number; else any of them is one step from the start value.
    is_number: bool

    def steps_to(self, value: Any) -> int:
        """Return how many steps a value is from the start value, below 0 for fewer; words are 1 step away."""
        if self.is_number:
            return self.values.index(value) - self.values.index(self.start)
        return int(value != self.start)


@dataclass(frozen=True)
class RuleSpace:
    """The variants that a tuning study may try: the start variant with new values of some parameters."""

    game: Game
    start: str  # a shipped name, or a path
    named: StartVariant  # with the names of the files that its keys name
    base: StartVariant  # with the contents of these files
    keys: Mapping[str, Key]
    parameters: tuple[Parameter, ...]

    @cached_property
    def by_name(self) -> dict[str, Parameter]:
        """The parameters by name."""
        return {each.name: each for each in self.parameters}

    def change_keys(self, changes: Settings) -> dict[str, Any]:
        """Return the changed rule keys with their new values, as a variant file has them."""
        changed: dict[str, Any] = {}
        for name, value in changes:
            parameter = self.by_name[name]
            old = changed.get(parameter.key, look_up(self.named.data, self.keys[parameter.key]))
            changed[parameter.key] = _changed(self.game, parameter, old, value)
        return with_sources(changed, set(self.keys))

    def variant(self, changes: Settings, name: str) -> Variant | None:
        """Return the variant with these changes; None if the game refuses it, as rules that can't be played."""
        try:
            return change_variant(self.base, self.change_keys(changes), name, name)
        except BalanceError:
            return None

    def write(self, changes: Settings) -> str:
        """Return changes in words, such as ``start.cards.4 seat 2: 3 → 4``."""
        return "; ".join(f"{name}: {write_step(self.by_name[name].start, value)}" for name, value in changes)


def read_space(
    game: Game, start: str, players: Sequence[int], tune: Tune, where: str, folder: Path = Path()
) -> RuleSpace:
    """Return the values that a tuning study may change at these player counts.

    `start` is a shipped variant, or a path from `folder`; `where` names the `[tune]` table in errors.
    """
    named, keys = read_start(game, start, folder), {key.name: key for key in list_keys(game)}
    of_rules = [key for key in keys.values() if not is_of_data(key)]
    with error_context(where):
        every = [each for key in of_rules for each in _split(game, key, look_up(named.data, key), players, tune)]
    _check_names(game, every, [key.name for key in of_rules], tune, where)
    found = [each for each in every if _is_chosen(each, tune)]
    for each in found:
        if each.start not in each.values:
            some = (
                tr("{low} to {high}", low=str(each.values[0]), high=str(each.values[-1]))
                if each.is_number
                else listed([*map(str, each.values)])
            )
            raise BalanceError(
                tr(
                    "{where}: {key}: {values} leaves out {start}, the value of {rules}",
                    where=where, key=each.name, values=some, start=str(each.start), rules=named.name,
                )
            )  # fmt: skip
    found = [each for each in found if len(each.values) > 1]
    if not found:
        raise BalanceError(
            tr(
                "{where}: none of these keys has another value (`{command}`)",
                where=where,
                command=f"balance games {game.name}",
            )
        )
    return RuleSpace(game, start, named, with_components(named), keys, tuple(found))


def _check_names(game: Game, every: Sequence[Parameter], keys: Sequence[str], tune: Tune, where: str) -> None:
    check_patterns(game, (*tune.keys, *tune.fixed), [*keys, *(each.name for each in every)], where)
    numbers = [each.name for each in every if each.is_number]
    for table, known in ((tune.ranges, numbers), (tune.choices, keys)):
        for key in table:
            if key not in known:
                raise unknown("key", key, known, where)


def _is_chosen(parameter: Parameter, tune: Tune) -> bool:
    names = (parameter.key, parameter.name)
    if any(fnmatchcase(name, pattern) for pattern in tune.fixed for name in names):
        return False
    named = [*tune.keys, *tune.ranges, *tune.choices]
    if not named:
        return parameter.is_number
    if any(name in tune.ranges or name in tune.choices for name in names):
        return True
    return parameter.is_number and any(fnmatchcase(name, pattern) for pattern in tune.keys for name in names)


def _split(game: Game, key: Key, value: Any, players: Sequence[int], tune: Tune) -> Iterator[Parameter]:
    """Yield the parameters of a key: its single numbers, or the whole value if the experiment lists choices."""
    if choices := tune.choices.get(key.name):
        yield Parameter(key.name, key.name, 0, 0, value, (*choices,), is_number=False)
    elif "seat" in key.by:
        yield from _by_seat(key, value, players, tune)
    elif key.by == ("players",):
        own = at_counts(value, key, game.players, players)
        for count in players:
            number = own.get(str(count)) if isinstance(own, Mapping) else own
            if is_number(number):
                yield _number(key, number, tune, count)
    elif is_number(value):
        yield _number(key, value, tune)


def _by_seat(key: Key, value: Any, players: Sequence[int], tune: Tune) -> Iterator[Parameter]:
    first = by_seat(value, players[0])[0]
    if not is_number(first):
        return
    yield _number(key, int(first), tune)
    for count in players:
        for seat, number in enumerate(by_seat(value, count), 1):
            yield _number(key, int(number), tune, count, seat)


def _number(key: Key, start: Any, tune: Tune, count: int = 0, seat: int = 0) -> Parameter:
    """Return the parameter of a number, with the values that its range or the limits of the key allow."""
    name = f"{key.name}.{count}" if count and "players" in key.by else key.name
    name = f"{name} seat {seat}" if seat else name
    size, allowed = size_of_step(start), key.allowed
    limits = tune.ranges.get(name) or tune.ranges.get(key.name)
    low, high = limits or (start - size * tune.steps, start + size * tune.steps)
    low = low if allowed.least is None else max(low, allowed.least)
    high = high if allowed.most is None else min(high, allowed.most)
    if high - low > _MOST_VALUES * size:
        raise BalanceError(
            tr(
                "ranges: {key}: {low:g} to {high:g} has more than {n:,} values",
                key=name, low=low, high=high, n=_MOST_VALUES,
            )
        )  # fmt: skip
    below, above = round((start - low) / size), round((high - start) / size)
    values = (start + size * number for number in range(-below, above + 1))
    inside = tuple(
        each
        for each in values
        if (allowed.least is None or each >= allowed.least) and (allowed.most is None or each <= allowed.most)
    )
    if not inside:
        least, most = limits or (low, high)
        raise BalanceError(
            tr("ranges: {key}: no value from {low:g} to {high:g} is allowed", key=name, low=least, high=most)
        )
    return Parameter(name, key.name, count, seat, start, inside, is_number=True)


def _changed(game: Game, parameter: Parameter, old: Any, value: Any) -> Any:
    """Return the value of a key with one parameter changed."""
    count = parameter.count
    if parameter.seat:
        table = dict(old) if isinstance(old, Mapping) else {str(each): old for each in game.players}
        seats = [int(each) for each in by_seat(table[str(count)], count)]
        seats[parameter.seat - 1] += value - parameter.start
        return {**table, str(count): seats} if len(game.players) > 1 else seats
    if not count:
        return _shift(old, value - parameter.start) if parameter.is_number else value
    if isinstance(old, Mapping):
        return {**old, str(count): value}
    return [value if each == count else number for each, number in zip(game.players, old, strict=True)]


def _shift(old: Any, by: Any) -> Any:
    """Return a number, or all numbers of a list or table by player count, changed by the same amount."""
    if isinstance(old, Mapping):
        return {key: _shift(each, by) for key, each in old.items()}
    return [each + by for each in old] if isinstance(old, list) else old + by
