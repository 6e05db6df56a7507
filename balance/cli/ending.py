"""How a command ends: whatever goes wrong is one line, and the exit status says what it should."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, NoReturn

import click

from balance.cli.stopping import STOPPED
from balance.errors import BalanceError
from balance.files import reason
from balance.report.escaping import escape_controls

NO_MEMORY = "not enough memory: close other programs, or ask for less at a time"


class Failure(click.ClickException):
    """One line on standard error, whatever the text holds, and an exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(escape_controls(" ".join(text.split("\n")).replace("\r", " ")))
        self.exit_code = status  # type: ignore[misc]


def one_line_errors(status: int = 1) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Errors become a line on standard error and this exit status; a wrong call's is click's 2."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def wrapped(*args: Any, **kwargs: Any) -> None:
            try:
                command(*args, **kwargs)
                flush_output()
            except BalanceError as error:
                raise Failure(str(error), status) from None
            except MemoryError:
                raise Failure(NO_MEMORY, status) from None
            except BrokenPipeError:
                lose_output()  # the reader of a pipe has gone: nothing is wrong
            except OSError as error:
                _fail(error, status)

        return wrapped

    return decorate


@contextmanager
def decided(status: int) -> Iterator[None]:
    """End with this exit status, even if what the block prints can't be written."""
    try:
        yield
        flush_output()
    except BrokenPipeError:
        lose_output()
    except OSError as error:
        lose_output()
        Failure(f"cannot write the output: {reason(error)}").show()
    sys.exit(status)


def _fail(error: OSError, status: int) -> NoReturn:
    if error.filename is None:
        lose_output()
        raise Failure(f"cannot write the output: {reason(error)}", status) from None
    raise Failure(f"{error.filename}: {reason(error)}", status) from None


def flush_output() -> None:
    """Write what waits, so that it fails here and not when Python ends."""
    if sys.stdout is not None:  # it is None where it was closed from the start
        sys.stdout.flush()


def lose_output() -> None:
    """Let what can't be written go to nothing, or Python would try again at its end, and complain."""
    with suppress(OSError, ValueError, AttributeError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


@contextmanager
def _cut_short() -> Iterator[None]:
    """What click would tell in words of its own: Ctrl-C, a reader of a pipe who has had enough, names as they are."""
    try:
        yield
    except click.ClickException as error:
        error.message = escape_controls(error.message, kept="\n")  # type: ignore[misc]
        raise
    except BrokenPipeError:
        lose_output()
        raise click.exceptions.Exit(0) from None
    except KeyboardInterrupt:
        raise Failure("stopped", STOPPED) from None


class Commands(click.Group):
    """The group of all commands; what click itself prints, such as help, ends as cleanly."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        with _cut_short():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command that they name."""
        with _cut_short():
            return super().invoke(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Call the command line."""
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # of help and version: commands see to their own
            lose_output()
            Failure(f"cannot write the output: {reason(error)}").show()
            sys.exit(1)
