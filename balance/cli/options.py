"""Options and argument types that commands share."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import click

from balance.experiments.settings import REQUIRED, Option
from balance.foundation.errors import BalanceError
from balance.foundation.files import is_address, local_path
from balance.foundation.language import tr


def write_any_letter() -> None:
    """Write `?` for a letter that the output's encoding lacks, instead of failing.

    On Windows, output to a file or a pipe uses the system's code page, which may lack "ż".
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


class Place(click.Path):
    """A path that need not exist."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return super().convert(local_path(value), param, ctx)
        except BalanceError as error:
            self.fail(str(error), param, ctx)
        except ValueError:  # a NUL, or half a letter
            self.fail(tr("{value!r} is not a path", value=value), param, ctx)


class RunPlace(Place):
    """A run folder that need not exist, or the address of a run in an object store: its mirror."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        if not isinstance(value, str) or not is_address(value):
            return super().convert(value, param, ctx)
        from balance.runs.mirror import run_folder

        try:
            return run_folder(value)
        except BalanceError as error:
            self.fail(str(error), param, ctx)


class Names(click.ParamType[list[str]]):
    """Comma-separated names; double quotes enclose a name that contains a comma."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        from balance.experiments.command import split_names

        try:
            names = split_names(value) if isinstance(value, str) else value
        except ValueError:
            text = tr("{value!r}: put a name that contains a comma in double quotes", value=value)
            self.fail(text, param, ctx)
        if not all(names):
            self.fail(tr("{value!r} has an empty name", value=value), param, ctx)
        return list(names)


class Numbers(click.ParamType[list[int]]):
    """Comma-separated whole numbers."""

    name = "N[,N]"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        try:
            return [int(number) for number in value.split(",")]
        except ValueError:
            text = tr("{value!r} is not a list of whole numbers such as 2,3,4", value=value)
            self.fail(text, param, ctx)


class GameOf(click.ParamType["int | str"]):
    """A game of a run: its number, or a kind of game."""

    name = "GAME"

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            return int(value)
        except ValueError:
            if value in self._kinds:
                return value
            kinds = ", ".join(self._kinds)
            text = tr("{value!r} is neither a game number nor one of {kinds}", value=value, kinds=kinds)
            self.fail(text, param, ctx)


class Sweep(click.ParamType["tuple[str, list[Any]]"]):
    """A rule key and the values to play it at, ``KEY=2..8``, ``KEY=2..8..2`` or ``KEY=1,3,10``."""

    name = "KEY=VALUES"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, list[Any]]:
        key, _, values = value.partition("=")
        try:
            found = _span(values) if _SPAN.fullmatch(values) else _listed(values)
        except ValueError:
            found = []
        if not key or not found:
            text = tr(
                "{value!r} is not a rule key with values, such as start.ducats=1..5, start.ducats=1,3 or, with quotes "
                'around text, event_deck="mine.toml"',
                value=value,
            )
            self.fail(text, param, ctx)
        return key.strip(), found


_MOST_VALUES = 1000
_SPAN = re.compile(r"[^\"']*\.\.[^\"']*")  # not the dots of a path, which is in quotes


def _listed(text: str) -> list[Any]:
    """Return values given as in a TOML list."""
    from balance.foundation.errors import BalanceError
    from balance.foundation.toml import parse_toml

    try:
        found: list[Any] = parse_toml(f"values = [{text}]", "the values")["values"]
    except BalanceError as error:
        raise ValueError(str(error)) from None
    return found


def _span(text: str) -> list[int]:
    """Return the whole numbers from the first to the last, both included, by a step (default 1)."""
    first, last, step = (int(part) for part in f"{text}..1".split("..")[:3])
    if text.count("..") > 2 or abs(last - first) > _MOST_VALUES:
        raise ValueError(text)
    return list(range(first, last + 1, step))


Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def add_options(*options: Decorator) -> Decorator:
    """Return one decorator for several options, in this order."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def settings_of(study: type[Any]) -> Decorator:
    """Return the options for the settings of a study or training, which the command gets as one value, `asked`."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def call(**given: Any) -> None:
            own = {each.name: given.pop(each.name) for each in fields(study)}
            lists = {name: tuple(own[name] or ()) for name in own if _has_values(study, name)}
            command(asked=study(**own | lists), **given)

        return add_options(*_options_of(study))(call)

    return add


def _has_values(study: type[Any], name: str) -> bool:
    return get_origin(get_type_hints(study)[name]) is tuple


def _options_of(study: type[Any]) -> Iterator[Decorator]:
    for each in fields(study):
        option: Option | None = each.metadata.get("option")
        if option is None:
            continue
        kind: click.ParamType[Any] = click.STRING
        if option.limits:
            hint = get_type_hints(study)[each.name]
            span = click.FloatRange if float in (hint, *get_args(hint)) else click.IntRange
            kind = span(*option.limits, min_open=option.above)
        elif _has_values(study, each.name) and not option.repeated:
            kind = Names()
        yield click.option(
            f"--{option.flag or each.name.replace('_', '-')}",
            each.name,
            type=kind,
            default=None if each.default in ((), REQUIRED) else each.default,
            required=each.default is REQUIRED,
            show_default=False if each.default == "" or "default" in option.help else None,
            metavar=option.metavar,
            multiple=option.repeated,
            help=option.help,
        )


def at_least(least: int) -> click.IntRange:
    """Return the type of a whole number of at least this much."""
    return click.IntRange(min=least)


def rules_played(counts: str = "all of the game", or_experiment: bool = False) -> Decorator:
    """Return the options for the game, its variant and player counts; `counts` is the default in words.

    With `or_experiment` the game may come from an experiment file, and there is no default for the variant.
    """
    start = None if or_experiment else "base"
    return add_options(
        click.option("--game", required=not or_experiment, help="Game to play."),
        click.option("--variant", default=start, help="Rule variant: a name or a TOML file."),
        click.option("--players", type=Numbers(), help=f"Player counts; default {counts}."),
    )


def seed(default: int | None, of: str = "the games") -> Decorator:
    """Return the option for the seed, with the limits that an experiment has."""
    return click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=default, help=f"Seed of {of}.")


def quiet(without: str) -> Decorator:
    """Return the option that leaves out lines; `without` names them."""
    return click.option("--quiet", is_flag=True, help=f"No {without}.")


workers = click.option("--workers", "threads", type=at_least(1), help="Threads; default one on each core.")
dask = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler; local:N starts N processes on this machine.",
)
tier = click.option(
    "--tier", metavar="NAME", help="Read the games of this tier; default the strongest players with enough games."
)
replayed_tier = click.option(
    "--tier", metavar="NAME", help="Play this tier's games again; default the strongest without searchers."
)


def _use_folder(ctx: click.Context, _: click.Parameter, folder: Path | None) -> None:
    """Read runs with the game in this folder until the command ends."""
    from balance.contract.own_games import standing_in
    from balance.foundation.errors import BalanceError

    if folder is None:
        return
    try:
        ctx.with_resource(standing_in(folder))
    except BalanceError as error:
        raise click.BadParameter(str(error)) from None


moved_game = click.option(
    "--game",
    metavar="FOLDER",
    type=Place(),
    expose_value=False,
    callback=_use_folder,
    help="The folder of the run's game in plain Python, if it has moved.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print the table as JSON, one record per row.")


def _threshold(by: str, default: int, does: str) -> Decorator:
    meaning = f"Points by which a {by}'s win share may {does}; default {default}."
    return click.option(f"--{by}-threshold", type=float, metavar="POINTS", help=meaning)


seat_margin = click.option(
    "--seat-margin",
    type=float,
    metavar="PERCENT",
    help="Percent of a fair share within which a seat is fair; default 10.",
)
thresholds = add_options(_threshold("seat", 1, "change"), _threshold("strategy", 3, "change"))
