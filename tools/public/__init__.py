"""What is public: commands, options, keys, columns and names that users rely on from one release to the next."""

from __future__ import annotations

import inspect
import types
from collections.abc import Iterator
from typing import Any, get_args

import click
from pydantic import BaseModel

import balance
from balance.cli.commands import main
from balance.contract.game import find_games
from balance.experiments.experiment import Experiment
from balance.plain import PlainGame
from balance.run import Run
from balance.runs.rows import COLUMNS


def public_names() -> list[str]:
    """Return everything that is public, a line each, sorted."""
    return sorted({*_commands("balance", main), *_keys("experiment", Experiment), *_others()})


def _commands(path: str, command: click.Command) -> Iterator[str]:
    yield f"command {path}"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield from (f"option {path} {each}" for each in (*parameter.opts, *parameter.secondary_opts))
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from _commands(f"{path} {name}", below)


def _keys(path: str, model: type[BaseModel]) -> Iterator[str]:
    """Yield the keys of a file, those of its tables too."""
    for name, field in model.model_fields.items():
        yield f"key {path}.{field.alias or name}"
        for below in _models(field.annotation):
            yield from _keys(f"{path}.{field.alias or name}", below)


def _models(kind: Any) -> Iterator[type[BaseModel]]:
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias) and issubclass(kind, BaseModel):
        yield kind
    for each in get_args(kind):
        yield from _models(each)


def _others() -> Iterator[str]:
    for table, columns in COLUMNS.items():
        yield from (f"column {table}.{column}" for column in columns)
    yield from (f"python balance.{name}" for name in balance.__all__)
    for kind in (Run, PlainGame):
        yield from (f"python {kind.__name__}.{name}" for name, _ in inspect.getmembers(kind) if name[0] != "_")
    for game in find_games().values():
        yield from (f"key {game.name}.{field.alias or name}" for name, field in game.rules.Rules.model_fields.items())
