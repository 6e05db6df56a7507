"""Keys that are turned: a rule's or a weight's, as in ``rounds = 7`` or ``champion.temperature = 0.1``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from balance.contract.game import Game
from balance.errors import BalanceError
from balance.files import check_key_lengths, check_values
from balance.plan.plan import Plan
from balance.plan.profiles import Profile, check_profile
from balance.plan.strategies import Strategy
from balance.plan.variants import load_changed, nest_changes
from balance.settings import validate, write_key, write_value

KeyPath = tuple[str, ...]
Turned = Mapping[KeyPath, Any]
"""The keys that have other values than at the start, each as its parts; no value is a table."""


def read_change(line: str) -> Turned:
    """The keys that a line ``KEY = VALUE`` turns: it is TOML, and a table as value turns several.

    Raises
    ------
    BalanceError
        It is no such line.
    """
    check_key_lengths(line, "this line")
    try:
        found = tomllib.loads(line)
    except (ValueError, RecursionError):
        found = {}
    check_values(found, "this line")
    turned = dict(list_leaves(found))
    if not turned:
        hint = "KEY = VALUE, such as rounds = 7; a text stands in quotes"
        raise BalanceError(f"{line!r} is not {hint}")
    return turned


def change_keys(plan: Plan, turned: Turned, changes: Turned) -> Turned:
    """Return the keys that are turned when `changes` come after `turned`.

    A key that changes comes last, and replaces what was said of parts of it, such as of one player count. A key of
    the rules that stands in quotes is that of its parts.
    """
    own = {strategy.name for strategy in plan.strategies}
    new = {
        path if path[0] in own else tuple(".".join(path).split(".")): value
        for path, value in changes.items()
    }
    kept = {
        path: value
        for path, value in turned.items()
        if not any(_is_part(path, key, key[0] in own) for key in new)
    }
    return {**kept, **new}


def _is_part(path: KeyPath, key: KeyPath, of_strategy: bool) -> bool:
    """Whether a key is another or a part of it; a strategy's key at one player count is a part of that at all."""
    if of_strategy and len(key) == 2:
        return (path[0], path[-1]) == key
    return path[: len(key)] == key


def list_leaves(table: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the values of nested tables by their keys."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from (((key, *rest), leaf) for rest, leaf in list_leaves(value))
        else:
            yield (key,), value


def write_turned(turned: Turned) -> str:
    """All keys on one line."""
    return ", ".join(f"{write_key(path)} = {write_value(value)}" for path, value in turned.items())


def split(plan: Plan, turned: Turned) -> tuple[Turned, Turned]:
    """Keys of the rules, and those that begin with the name of a strategy."""
    names = {strategy.name for strategy in plan.strategies}
    rules = {path: value for path, value in turned.items() if path[0] not in names}
    return rules, {path: value for path, value in turned.items() if path[0] in names}


def turn(start: Plan, turned: Turned) -> Plan:
    """The plan of one variant with keys turned; the variant is named by them.

    Raises
    ------
    BalanceError
        The rules or a strategy have no such key, or not with that value.
    """
    if not turned:
        return start
    rules, weights = split(start, turned)
    (named,) = start.experiment.variants
    name = write_turned(turned)
    variant = load_changed(start.game, named, _dotted(rules), Path(), name, start.first_variant.name)
    strategies = [_turn_strategy(each, start.game, weights) for each in start.tier.strategies]
    adapted = {(name, players): strategies for players in start.experiment.players}
    return replace(start, variants=[variant], tiers=[replace(start.tier, adapted=adapted)])


def nest_rules(plan: Plan, rules: Turned) -> dict[str, Any]:
    """Return keys of the rules as the tables of a variant file."""
    return nest_changes(plan.game, _dotted(rules), plan.first_variant.name)


def _dotted(rules: Turned) -> dict[str, Any]:
    return {".".join(path): value for path, value in rules.items()}


def _turn_strategy(strategy: Strategy, game: Game, weights: Turned) -> Strategy:
    own = {path[1:]: value for path, value in weights.items() if path[0] == strategy.name}
    if not own:
        return strategy
    if strategy.profile is None:
        raise BalanceError(f"{strategy.name} is no profile, so it has no weights to turn")
    profile = strategy.profile
    for path, value in own.items():
        profile = _turn_profile(profile, game, path, value, strategy.name)
    return replace(strategy, profile=profile)


def _turn_profile(profile: Profile, game: Game, path: KeyPath, value: Any, where: str) -> Profile:
    """A profile with one weight, setting or its temperature turned, at every player count or at that of the path."""
    data = profile.model_dump()
    *players, name = path or ("",)
    if name == "temperature" and not players:
        data[name] = value
    else:
        table = data["settings" if name in game.heuristics.SETTINGS else "weights"]
        counts = [key for key, each in table.items() if isinstance(each, Mapping)]
        if players and (len(players) > 1 or players[0] not in counts):
            known = ", ".join(counts) or "none, they hold at every player count"
            raise BalanceError(f"{where}: no weights for {'.'.join(players)} (there are: {known})")
        for each in [table[count] for count in players or counts] or [table]:
            each[name] = value
    found = validate(Profile, data, where)
    check_profile(found, game, where)
    return found
