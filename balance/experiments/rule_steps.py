"""Single steps of the rules: a variant for each rule key that goes one sensible step down or up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.experiments.planning import pack_for
from balance.experiments.rule_keys import Allowed, Key, list_keys
from balance.experiments.variants import StartVariant, Variant, change_variant, read_start, with_components
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr
from balance.foundation.toml import write_value

DOWN, OTHER, UP = -1, 0, 1
_OF_DATA = ("source", "reconstruction")  # keys that say where data come from
SIGNS = {DOWN: "-1", UP: "+1"}
_OF_ALL = {DOWN: N_("all -1"), UP: N_("all +1")}
_TENTH = 10
_LONGEST = 40  # characters of a change with both values


@dataclass(frozen=True)
class Step:
    """A rule key one step away from the start variant."""

    key: str  # dotted, as in a sweep
    before: Any  # in the start variant
    after: Any  # in this step
    direction: int  # `DOWN` or `UP` for numbers and lists; `OTHER` for words, switches and other tables
    variant: Variant

    @property
    def change(self) -> str:
        """The step in words, such as ``8 → 9``; for a long list or table ``all +1`` or ``all -1``."""
        words = write_step(self.before, self.after)
        return words if len(words) <= _LONGEST else _OF_ALL[self.direction]


def write_step(before: Any, after: Any) -> str:
    """Return a change of a value in words, such as ``8 → 9``."""
    return f"{_write(before)} → {_write(after)}"


def _write(value: Any) -> str:
    """Return a value in one line: numbers by player count in order, a list in brackets."""
    if isinstance(value, Mapping):
        return ", ".join(map(_write, value.values()))
    return write_value(value).strip('"')


def list_steps(
    game: Game, start: str, players: Sequence[int], patterns: Sequence[str] = (), folder: Path = Path()
) -> list[Step]:
    """Return all single steps of a variant that its game accepts and that change these player counts.

    A number goes down and up by 1, from 15 on by a tenth of it. All numbers of a list or table go together; those at
    their limit stay. A list of ranks loses its last rank or gains the next. A switch is turned; a word or table is
    replaced by each other one that ships with the game.

    `start` is a shipped name, or a path from `folder`. `patterns` are shell patterns of keys, such as ``start.*``;
    none for all keys.
    """
    named, keys = read_start(game, start, folder), list_keys(game)
    base = with_components(named)
    names = {key.name for key in keys}
    seen = {pack_for(game, change_variant(base, {}, base.name, base.name), players)}
    steps = []
    for key in _chosen(game, keys, patterns):
        narrow = partial(at_counts, key=key, known=game.players, players=players)
        before = look_up(named.data, key)
        for direction, after in _values_next_to(before, key.allowed):
            variant = _change(base, (key.name, direction, after), names)
            if variant and (packed := pack_for(game, variant, players)) not in seen:
                seen.add(packed)
                steps.append(Step(key.name, narrow(before), narrow(after), direction, variant))
    return steps


def is_of_data(key: Key) -> bool:
    """Return whether a key says where data come from, and is not a rule."""
    return key.name.rpartition(".")[2] in _OF_DATA


def check_patterns(game: Game, patterns: Sequence[str], names: Sequence[str], where: str) -> None:
    """Refuse a shell pattern that matches none of these names of keys."""
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise BalanceError(
                tr(
                    "{where}: no rule key matches {pattern!r} (`{command}` lists them)",
                    where=where,
                    pattern=pattern,
                    command=f"balance games {game.name}",
                )
            )


def _chosen(game: Game, keys: Sequence[Key], patterns: Sequence[str]) -> list[Key]:
    keys = [key for key in keys if not is_of_data(key)]
    check_patterns(game, patterns, [key.name for key in keys], "--keys")
    return [key for key in keys if not patterns or any(fnmatchcase(key.name, each) for each in patterns)]


def at_counts(value: Any, key: Key, known: Sequence[int], players: Sequence[int]) -> Any:
    """Return a value as a table of these player counts only, if it differs by player count; `known` are the game's."""
    if key.by != ("players",):
        return value
    if isinstance(value, list) and len(value) == len(known):
        value = dict(zip(map(str, known), value, strict=True))
    if not isinstance(value, Mapping):
        return value
    return {count: value[count] for count in map(str, players) if count in value}


def look_up(values: Mapping[str, Any], key: Key) -> Any:
    """Return the value of a key in a variant; its base value if the variant does not have it."""
    found: Any = values
    for part in key.name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            return key.base
        found = found[part]
    return found


def _values_next_to(value: Any, allowed: Allowed) -> Iterator[tuple[int, Any]]:
    """Yield the directions and values of the steps from a value."""
    if isinstance(value, (bool, str)):
        yield from ((OTHER, other) for other in allowed.choices if other != value)
        return
    for direction in (DOWN, UP):
        after = _step(value, direction, allowed)
        if after != value:
            yield direction, after


def _step(value: Any, direction: int, allowed: Allowed) -> Any:
    if isinstance(value, Mapping):
        return {key: _step(each, direction, allowed) for key, each in value.items()}
    if isinstance(value, list):
        if allowed.choices:
            return _other_length(value, direction, allowed.choices)
        return [_step(each, direction, allowed) for each in value]
    if not is_number(value):
        return value
    after = value + direction * size_of_step(value)
    after = after if allowed.least is None else max(after, allowed.least)
    return after if allowed.most is None else min(after, allowed.most)


def is_number(value: Any) -> bool:
    """Return whether a value is a number, which a switch is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def size_of_step(value: float) -> float:
    """Return how far a step from a number goes: 1, from 15 on a tenth of it.

    It is always a tenth of a decimal number, and 0.1 from 0.0.
    """
    return max(1, round(abs(value) / _TENTH)) if isinstance(value, int) else (abs(value) or 1) / _TENTH


def _other_length(ranks: list[Any], direction: int, choices: Sequence[Any]) -> list[Any]:
    """Return a list of ranks without its last one, or with the next one after it."""
    if direction == DOWN:
        return ranks[:-1]
    after = ranks[-1] + 1 if ranks else choices[0]
    return [*ranks, after] if after in choices and after not in ranks else ranks


def _change(start: StartVariant, step: tuple[str, int, Any], names: set[str]) -> Variant | None:
    """Return the variant of a step (key, direction, value); None if the game refuses it, as rules that can't be played.

    `names` are those of all keys.
    """
    key, direction, after = step
    whole = isinstance(after, (list, Mapping))
    name = f"{key} {SIGNS[direction]}" if whole else f"{key}={_write(after)}"
    try:
        return change_variant(start, with_sources({key: after}, names), name, key)
    except BalanceError:
        return None


def with_sources(changes: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    """Return changed keys, and for data with a source that they were changed. `names` are those of all keys."""
    found = dict(changes)
    for key in changes:
        table = key.rpartition(".")[0]
        if f"{table}.source" in names:
            found |= {f"{table}.source": "changed from the data", f"{table}.reconstruction": True}
    return found
