"""The list of rule keys: whole, with meanings, and with ranges that the rules hold to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from balance.contract.game import Game, find_games
from balance.errors import BalanceError
from balance.plan.keys import Key, list_keys
from balance.plan.variants import read_extended
from balance.settings import merge

GAMES = find_games()
KEYS = {f"{game.name}: {key.name}": (game, key) for game in GAMES.values() for key in list_keys(game)}
OF_A_RANGE = r"(greater|less) than or equal|should be|must be a|Input should"


def base(game: Game) -> dict[str, Any]:
    return read_extended(game, game.folder / "variants" / "base.toml")


def leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Dotted keys of what is no table."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def load(game: Game, key: Key, value: Any) -> Any:
    """The base rules with one key of another value."""
    for part in reversed(key.name.split(".")):
        value = {part: value}
    return game.rules.load_rules(merge(base(game), value), "test", Path())


def with_number(value: Any, number: Any) -> Any:
    """A value with another number in the first place of its lists; in each if it is by player count."""
    if isinstance(value, Mapping):
        return {count: with_number(said, number) for count, said in value.items()}
    if isinstance(value, list):
        return [with_number(value[0], number), *value[1:]]
    return number


def wrong_values(key: Key) -> Iterator[Any]:
    """What lies just outside of what is allowed."""
    allowed = key.allowed
    numbers = [choice for choice in allowed.choices if type(choice) is int]
    least = allowed.least if allowed.least is not None else min(numbers, default=None)
    most = allowed.most if allowed.most is not None else max(numbers, default=None)
    if least is not None and most is not None:
        yield from (with_number(key.base, least - 1), with_number(key.base, most + 1))
    yield with_number(key.base, "no such word") if allowed.words != ("text",) else 3


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_key_of_base_is_listed(game):
    """One that is said by player count as one; what a variant says of itself is no rule."""
    listed = {
        f"{key.name}.{count}" if count else key.name
        for key in list_keys(game)
        for count in (key.base if isinstance(key.base, Mapping) else [""])
    }
    assert listed == set(leaves(base(game))) - {"title", "description"}


@pytest.mark.parametrize("name", KEYS)
def test_a_key_has_a_meaning_and_its_value(name):
    """With the number of a rule of the game's page, but for where data come from."""
    game, key = KEYS[name]
    assert key.base is not None
    page = (Path(__file__).parents[2] / "docs" / "rules" / f"{game.name}.md").read_text(encoding="utf-8")
    if key.name.endswith((".source", ".reconstruction")):
        return
    numbers = re.findall(r"[A-Z]{3}-\d+|section [\d.]+", key.meaning)
    assert numbers, key.meaning
    for number in numbers:
        assert (number if "-" in number else f"# {number.removeprefix('section ')} ") in page, number


@pytest.mark.parametrize("name", KEYS)
def test_the_rules_refuse_what_lies_outside(name):
    """In one line that names the key, or of a table in a file the name."""
    game, key = KEYS[name]
    wrong = list(wrong_values(key))
    assert wrong
    for value in wrong:
        with pytest.raises(BalanceError) as caught:
            load(game, key, value)
        assert key.name in str(caught.value) or "'no such word'" in str(caught.value)


@pytest.mark.parametrize("name", [name for name in KEYS if KEYS[name][1].allowed.least is not None])
def test_the_rules_take_the_ends_of_a_range(name):
    """Or refuse them for what they mean to other keys, not for the range."""
    game, key = KEYS[name]
    for end in (key.allowed.least, key.allowed.most):
        try:
            load(game, key, with_number(key.base, end))
        except BalanceError as error:
            assert not re.search(OF_A_RANGE, str(error)), error


@pytest.mark.parametrize("name", [name for name in KEYS if KEYS[name][1].allowed.choices])
def test_the_rules_take_every_choice(name):
    """All that are listed: words, switches, tables that ship."""
    game, key = KEYS[name]
    for choice in key.allowed.choices:
        try:
            load(game, key, with_number(key.base, choice))
        except BalanceError as error:
            assert not re.search(OF_A_RANGE, str(error)), error


@pytest.mark.parametrize("name", [name for name in KEYS if "seat" in KEYS[name][1].by])
def test_a_key_by_seat_is_taken_by_seat_and_player_count(name):
    """As a list, and as a table of all counts."""
    game, key = KEYS[name]
    assert load(game, key, [key.base, key.base])
    assert load(game, key, {str(players): key.base for players in game.players})
    assert key.by == (("seat", "players") if len(game.players) > 1 else ("seat",))


def test_what_is_known_of_some_keys():
    """By player count alone, by seat too, a list by player count, one that names no rules of its own."""
    keys = {name: key for name, (_, key) in KEYS.items()}
    bonus = keys["na-grunwald: krzyzacy.bonus"]
    assert (bonus.base, bonus.by) == ({"2": 2, "3": 4, "4": 6}, ("players",))
    assert (bonus.allowed.least, bonus.allowed.most) == (-8, 50)
    assert keys["na-grunwald: start.ducats"].by == ("seat", "players")
    assert keys["korona-piastow: crown_fiefs"].by == ("players",)
    assert str(keys["na-grunwald: titles.quartermaster"].allowed) == '"count", "off" or 0 to 50'
    assert str(keys["grody: terrain.rzeka.building"].allowed) == '"most" or "none"'
    assert str(keys["polska: track"].allowed) == '"history", "short" or a path'
