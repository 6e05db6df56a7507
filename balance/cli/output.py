"""Lines on the terminal, and the end of a command: errors become one line and an exit status.

Control characters in names are escaped: they can't move the cursor, colour or fake lines. The code that draws tables
is in `balance.cli.terminal`, so that commands start fast.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from functools import wraps
from pathlib import Path
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

import click

from balance.cli.stopping import STOPPED
from balance.foundation.catalogues import languages, system_language, use_language
from balance.foundation.errors import BalanceError
from balance.foundation.files import reason
from balance.foundation.language import N_, tr, trc
from balance.foundation.text import escape_controls

if TYPE_CHECKING:
    from balance.experiments.plan import Plan

WIDTH = 80  # of lines where there is no terminal
NO_MEMORY = N_("not enough memory: close other programs, or ask for less at a time")


_kept: list[IO[str]] = []  # standard output of the commands under way


def output() -> IO[str]:
    """Return the stream for what a command itself prints."""
    return _kept[-1] if _kept else sys.stdout


@contextmanager
def keep_output() -> Iterator[None]:
    """Keep standard output for the command: what games print in this process goes to standard error."""
    if sys.stdout is None:  # closed before the start
        yield
        return
    _kept.append(sys.stdout)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _kept.pop()


def echo(line: str, err: bool = False) -> None:
    """Print one line of text with its control characters escaped."""
    _print(escape_controls(line, kept="\t"), err)


def _print(text: str, err: bool) -> None:
    click.echo(text, None if err else output(), err=err)  # noqa: TID251 - the one place


def echo_block(text: str, err: bool = False) -> None:
    """Print several lines of our own, or JSON, which escapes control characters itself."""
    _print(escape_controls(text, kept="\t\n"), err)


def print_sentence(text: str, err: bool = False) -> None:
    """Print a sentence, wrapped to the terminal."""
    echo_block(wrap_sentence(text, _find_width(sys.stderr if err else output())), err)


def _find_width(file: IO[str] | None) -> int:
    if file is None or not file.isatty():
        return WIDTH
    with suppress(OSError, ValueError):
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(file.fileno()).columns) or WIDTH
    return WIDTH


def wrap_sentence(text: str, width: int) -> str:
    """Return a sentence in lines; a path longer than a line is not broken, so that it can be copied."""
    return "\n".join(wrap(escape_controls(text), width, break_long_words=False, break_on_hyphens=False))


class Failure(click.ClickException):
    """An error message on one line of standard error, and an exit status."""

    def __init__(self, text: str, status: int = 1) -> None:
        super().__init__(escape_controls(" ".join(text.split("\n")).replace("\r", " ")))
        self.exit_code = status  # type: ignore[misc]

    def show(self, file: Any = None) -> None:
        """Print the message on standard error."""
        echo(tr("Error: {text}", text=self.message), err=True)


@contextmanager
def games_folder(out: Path | None) -> Iterator[Path]:
    """Provide a folder for a study's games, in `out` or temporary; say how to resume if the study is stopped."""
    with ExitStack() as stack:
        folder = out / "runs" if out else Path(stack.enter_context(tempfile.TemporaryDirectory()))
        try:
            yield folder
        except KeyboardInterrupt:
            if out is None or not folder.exists():
                raise
            raise Failure(tr("stopped; run the same command again to resume"), STOPPED) from None


def one_line_errors(status: int = 1) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn errors into one line on standard error and this exit status; for a usage error click exits with 2."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def wrapped(*args: Any, **kwargs: Any) -> None:
            try:
                with keep_output():
                    command(*args, **kwargs)
                flush_output()
            except BalanceError as error:
                raise Failure(str(error), status) from None
            except MemoryError:
                raise Failure(tr(NO_MEMORY), status) from None
            except BrokenPipeError:
                _lose_output()  # the reader of the pipe has closed it, which is no error
            except OSError as error:
                if error.filename is None:
                    _lose_output()
                place = error.filename or tr("cannot write the output")
                raise Failure(f"{place}: {reason(error)}", status) from None

        return wrapped

    return decorate


@contextmanager
def decided(status: int) -> Iterator[None]:
    """End with this exit status, even if the block's output can't be written."""
    try:
        yield
        flush_output()
    except BrokenPipeError:
        _lose_output()
    except OSError as error:
        _report_lost(error)
    sys.exit(status)


def _report_lost(error: OSError) -> None:
    _lose_output()
    Failure(f"{tr('cannot write the output')}: {reason(error)}").show()


def flush_output() -> None:
    """Write buffered output, so that a failure occurs here and not when Python ends."""
    if output() is not None:  # None if it was closed before the start
        output().flush()


def _lose_output() -> None:
    """Discard output that can't be written; otherwise Python would try again at exit and print an error."""
    with suppress(OSError, ValueError, AttributeError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, output().fileno())
        os.close(nothing)


def say_players(plan: Plan) -> str:
    """Return who plays a run without several tiers, and how to ask others; "" with several."""
    if len(plan.tiers) > 1:
        return ""
    names = ", ".join(dict.fromkeys(strategy.name for strategy in plan.strategies))
    return tr("played by {names}; other players may show something else: ask them with --strategies", names=names)


@contextmanager
def _cut_short() -> Iterator[None]:
    """Handle what click would report in its own words: Ctrl-C, a closed pipe, control characters in names."""
    try:
        yield
    except click.ClickException as error:
        error.message = escape_controls(error.message, kept="\n")  # type: ignore[misc]
        raise
    except BrokenPipeError:
        _lose_output()
        raise click.exceptions.Exit(0) from None
    except KeyboardInterrupt:
        raise Failure(trc("of a command", "stopped"), STOPPED) from None


def _choose_language(ctx: click.Context, _: click.Parameter, code: str | None) -> None:
    if code is None:
        return
    try:
        use_language(code)
    except BalanceError as error:
        raise click.BadParameter(str(error)) from None
    ctx.find_root().meta[_LANGUAGE] = code


_LANGUAGE = "balance.language"


_LANGUAGE_OPTION = click.Option(
    ["--lang"],
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=_choose_language,
    help=f"Language of pages, tables and messages: {', '.join(languages())}; default that of the system.",
)


def prefer_language(code: str) -> None:
    """Use the language that an experiment asks for ("" for none), unless the command line names one."""
    if code and _LANGUAGE not in click.get_current_context().find_root().meta:
        use_language(code)


class Commands(click.Group):
    """A group of commands with the option ``--lang``, which each command has too.

    Output of click itself, such as help, ends as cleanly as that of commands.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(_LANGUAGE_OPTION)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """Add a command with the option ``--lang``."""
        if not isinstance(cmd, Commands):
            cmd.params.append(_LANGUAGE_OPTION)
        super().add_command(cmd, name)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Read the arguments."""
        with _cut_short():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Call the command that the arguments name."""
        with _cut_short():
            return super().invoke(ctx)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Call the command line, in the system's language unless ``--lang`` names another."""
        use_language(system_language())
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # from --help and --version; commands handle their own
            _report_lost(error)
            sys.exit(1)
