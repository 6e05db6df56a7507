"""What commands share: options, lists as arguments, mistakes as one line."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from balance.errors import BalanceError


def one_line_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Library errors become a line on standard error and exit status 1 or, for a wrong call, 2."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> None:
        try:
            command(*args, **kwargs)
        except BalanceError as error:
            raise click.ClickException(str(error)) from None
        except BrokenPipeError:
            sys.stderr.close()  # the reader of a pipe has gone: nothing is wrong
            sys.exit(0)

    return wrapped


def write_any_letter() -> None:
    """Let a letter that the output's encoding lacks be written as `?`, where it would end the command.

    On Windows what goes to a file or a pipe is in the code page of the system, which may have no "ż".
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="replace")


class Names(click.ParamType[list[str]]):
    """Comma-separated names."""

    name = "NAME[,NAME]"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[str]:
        names = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
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


def thresholds(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which differences do not matter."""
    for by, default in (("strategy", 3), ("seat", 1)):
        name, meaning = (
            f"--{by}-threshold",
            f"Points of a {by}'s win share that don't matter; default {default}.",
        )
        command = click.option(name, type=float, metavar="POINTS", help=meaning)(command)
    return command
