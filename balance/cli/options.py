"""What commands share: options, paths and lists as arguments."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

SEED = click.IntRange(0, 2**63 - 1)
"""What a seed may be, as in an experiment."""


def write_any_letter() -> None:
    """Let a letter that the output's encoding lacks be written as `?`, where it would end the command.

    On Windows what goes to a file or a pipe is in the code page of the system, which may have no "ż".
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


class Place(click.Path):
    """A path, which need not exist."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return super().convert(value, param, ctx)
        except ValueError:  # a NUL, or half a letter
            self.fail(f"{value!r} is no path", param, ctx)


class Names(click.ParamType[list[str]]):
    """Comma-separated names; one that holds a comma stands in double quotes."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        from balance.plan.command import split_names

        try:
            names = split_names(value) if isinstance(value, str) else value
        except ValueError:
            self.fail(f"{value!r}: write a name that holds a comma in double quotes", param, ctx)
        if not all(names):
            self.fail(f"{value!r} has an empty name", param, ctx)
        return list(names)


class Numbers(click.ParamType[list[int]]):
    """Comma-separated whole numbers."""

    name = "N[,N]"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        try:
            return [int(number) for number in value.split(",")]
        except ValueError:
            self.fail(f"{value!r} is not a list of whole numbers such as 2,3,4", param, ctx)


class GameOf(click.ParamType["int | str"]):
    """A game of a run: its number, or what kind of game it is to be."""

    name = "GAME"

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return int(value)
        except ValueError:
            if value in self._kinds:
                return value
            words = ", ".join(self._kinds)
            self.fail(f"{value!r} is neither a game's number nor one of {words}", param, ctx)


class Sweep(click.ParamType["tuple[str, list[Any]]"]):
    """A rule key and the values to play it at, ``KEY=2..8``, ``KEY=2..8..2`` or ``KEY=1,3,10``."""

    name = "KEY=VALUES"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, list[Any]]:
        key, _, values = value.partition("=")
        try:
            found = _span(values) if ".." in values else _listed(values)
        except ValueError:
            found = []
        if not key or not found:
            self.fail(
                f"{value!r} is not a rule key with values, such as start.ducats=1..5 or start.ducats=1,3",
                param,
                ctx,
            )
        return key.strip(), found


MOST_VALUES = 1000


def _listed(text: str) -> list[Any]:
    """Values as TOML lists them."""
    from balance.errors import BalanceError
    from balance.settings import parse_toml

    try:
        found: list[Any] = parse_toml(f"values = [{text}]", "the values")["values"]
    except BalanceError as error:
        raise ValueError(str(error)) from None
    return found


def _span(text: str) -> list[int]:
    """Whole numbers from the first to the last, both included, by a step that is 1 if not said."""
    first, last, step = (int(part) for part in f"{text}..1".split("..")[:3])
    if text.count("..") > 2 or abs(last - first) > MOST_VALUES:
        raise ValueError(text)
    return list(range(first, last + 1, step))


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def add_options(options: Sequence[Decorator]) -> Decorator:
    """One decorator of several options, which stand in this order."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def rules_played(counts: str = "all of the game's") -> Decorator:
    """The options that say which game is played, by which rules, with how many; `counts` is the default in words."""
    return add_options(
        [
            click.option("--game", required=True, help="Game to play."),
            click.option(
                "--variant", default="base", help="Its rules: a name or a TOML file; default base."
            ),
            click.option("--players", type=Numbers(), help=f"Player counts; default {counts}."),
        ]
    )


def tier(command: Callable[..., None]) -> Callable[..., None]:
    """The option that says whose games are read."""
    meaning = "Read this tier's games; default the first of the experiment's."
    return click.option("--tier", metavar="NAME", help=meaning)(command)


def as_json(command: Callable[..., None]) -> Callable[..., None]:
    """The option that has a table for programs."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print the table as JSON, a row a record."
    )(command)


def thresholds(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which differences do not matter."""
    for by, default, does in (("strategy", 3, "change"), ("seat", 1, "change, or be off")):
        name, meaning = (
            f"--{by}-threshold",
            f"Points by which a {by}'s win share may {does}; default {default}.",
        )
        command = click.option(name, type=float, metavar="POINTS", help=meaning)(command)
    return command
