"""The list of rule keys: complete, with meanings, and with ranges that the rules enforce."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import pytest
from pydantic import Field
from support import tokens

from balance.contract.game import Game, find_games
from balance.experiments.rule_keys import Allowed, Key, list_keys, what_is_allowed
from balance.experiments.variants import read_extended
from balance.foundation.errors import BalanceError
from balance.foundation.toml import Settings, merge

GAMES = find_games()
KEYS = {name: {key.name: key for key in list_keys(game)} for name, game in GAMES.items()}
OF_A_RANGE = r"must be "


@cache
def base(game: Game) -> dict[str, Any]:
    return read_extended(game, game.folder / "variants" / "base.toml")


def leaves(table: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Return the dotted keys whose values are not tables."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}"


def load(game: Game, key: Key, value: Any) -> Any:
    """Return the base rules with one key changed."""
    for part in reversed(key.name.split(".")):
        value = {part: value}
    return game.rules.load_rules(merge(base(game), value), "test", Path())


def check_taken(game: Game, key: Key, values: Iterable[Any]) -> None:
    """Assert that the rules accept values of a key, or refuse them because of another key."""
    for value in values:
        try:
            load(game, key, with_number(key.base, value))
        except BalanceError as error:
            assert not re.search(OF_A_RANGE, str(error)), error


def with_number(value: Any, number: Any) -> Any:
    """Return a value with another number first in its lists; in each list if it is by player count."""
    if isinstance(value, Mapping):
        return {count: with_number(said, number) for count, said in value.items()}
    if isinstance(value, list):
        return [with_number(value[0], number), *value[1:]]
    return number


def wrong_values(key: Key) -> Iterator[Any]:
    """Return values just outside the range."""
    allowed = key.allowed
    numbers = [choice for choice in allowed.choices if type(choice) is int]
    least = allowed.least if allowed.least is not None else min(numbers, default=None)
    most = allowed.most if allowed.most is not None else max(numbers, default=None)
    if least is not None and most is not None:
        yield from (with_number(key.base, least - 1), with_number(key.base, most + 1))
    yield with_number(key.base, "no such word") if allowed.words != ("text",) else 3


each_game = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)


@each_game
def test_every_key_of_base_is_listed(game):
    """A key by player count is listed once; title and description of a variant are not rules."""
    listed = {
        f"{key.name}.{count}" if count else key.name
        for key in list_keys(game)
        for count in (key.base if isinstance(key.base, Mapping) else [""])
    }
    assert listed == set(leaves(base(game))) - {"title", "description"}


@each_game
def test_a_key_has_a_meaning_and_its_value(game):
    """The meaning has the number of a rule of the page, except for sources of data."""
    page = (Path(__file__).parents[2] / "docs" / "rules" / f"{game.name}.md").read_text(encoding="utf-8")
    for key in list_keys(game):
        assert key.base is not None, key.name
        numbers = re.findall(r"[A-Z]{3}-\d+|section [\d.]+", key.meaning)
        assert numbers or key.name.endswith((".source", ".reconstruction")), key
        for number in numbers:
            assert (number if "-" in number else f"# {number.removeprefix('section ')} ") in page, key


@each_game
def test_the_rules_refuse_what_lies_outside(game):
    """One line names the key or, for a table in a file, its name."""
    for key in list_keys(game):
        wrong = list(wrong_values(key))
        assert wrong, key.name
        for value in wrong:
            with pytest.raises(BalanceError) as caught:
                load(game, key, value)
            assert key.name in str(caught.value) or "'no such word'" in str(caught.value)


@each_game
def test_the_rules_take_the_ends_of_a_range_and_every_choice(game):
    """All listed words, switches and shipped tables too."""
    for key in list_keys(game):
        ends = (key.allowed.least, key.allowed.most) if key.allowed.least is not None else ()
        check_taken(game, key, [*ends, *key.allowed.choices])


@each_game
def test_a_key_by_seat_is_taken_by_seat_and_player_count(game):
    """They accept it as a list and as a table of all counts."""
    for key in list_keys(game):
        if "seat" in key.by:
            assert load(game, key, [key.base, key.base])
            assert load(game, key, {str(players): key.base for players in game.players})
            assert key.by == (("seat", "players") if len(game.players) > 1 else ("seat",))


class Odd(Settings):
    """Types that another game may have, and no shipped game has."""

    maybe: int | None = None
    some: Annotated[float, Field(ge=0.5)]
    few: int = Field(le=3)
    pairs: list[tuple[int, int]]


@pytest.mark.parametrize(
    ("name", "words", "least", "most"),
    [
        ("maybe", "a whole number", None, None),
        ("some", "a number of at least 0.5", 0.5, None),
        ("few", "a whole number of at most 3", None, 3),
        ("pairs", "list, each a table", None, None),
    ],
)
def test_types_of_other_games(name, words, least, most):
    field = Odd.model_fields[name]
    allowed = what_is_allowed(field.annotation, field.metadata)
    assert (str(allowed), allowed.least, allowed.most) == (words, least, most)


def test_a_game_that_says_no_more_than_it_must():
    """A default stands for a value that base does not name; without a description there is no meaning."""
    assert list_keys(tokens.GAME) == [Key("stakes", 0, "", Allowed(("a whole number",)))]


def test_what_is_known_of_some_keys():
    """Some are by player count, by seat too, lists by player count, or without rules of their own."""
    keys = KEYS["na-grunwald"]
    bonus = keys["krzyzacy.bonus"]
    assert (bonus.base, bonus.by) == ({"2": 2, "3": 4, "4": 6}, ("players",))
    assert (bonus.allowed.least, bonus.allowed.most) == (-8, 50)
    assert keys["start.ducats"].by == ("seat", "players")
    assert KEYS["korona-piastow"]["crown_fiefs"].by == ("players",)
    assert str(keys["titles.quartermaster"].allowed) == '"count", "off" or 0 to 50'
    assert str(KEYS["grody"]["terrain.rzeka.building"].allowed) == '"most" or "none"'
    assert str(KEYS["polska"]["track"].allowed) == '"history", "short" or a path'
