"""The exceptions for users: what is wrong and what to do instead, in one line."""

from __future__ import annotations

import difflib
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from balance.foundation.language import tr, trn

_LONGEST = 3000
_LONGEST_NAME = 200


class BalanceError(Exception):
    """A mistake in the input, or a failure. The text is one line of readable length."""

    def __init__(self, text: str) -> None:
        super().__init__(cut_middle(text, _LONGEST))


class UnknownNameError(BalanceError):
    """A name that does not exist; the text lists the names that do."""


class DamagedRunError(BalanceError):
    """A file of a run is missing, damaged or from another run; the text says how to repair the run."""


def cut_middle(text: str, longest: int) -> str:
    """Return a text, shortened in the middle if it is too long."""
    if len(text) <= longest:
        return text
    half = longest // 2
    cut = trn("{n:,} letter", "{n:,} letters", len(text) - 2 * half)
    return f"{text[:half]} [{cut}] {text[-half:]}"


def unknown(what: str, name: str, known: Iterable[str], where: str = "") -> UnknownNameError:
    """Return the error for a name that does not exist; it suggests the nearest name and lists all.

    `what` is a noun such as "variant".
    """
    names, name = sorted(known), cut_middle(name, _LONGEST_NAME)
    near = difflib.get_close_matches(name, names, n=1)
    values = {"what": tr(what), "name": name, "known": ", ".join(names) if names else tr("none")}
    if near:
        text = tr("unknown {what} {name!r}; did you mean {near!r}? (there are: {known})", near=near[0], **values)
    else:
        text = tr("unknown {what} {name!r} (there are: {known})", **values)
    return UnknownNameError(f"{where}: {text}" if where else text)


@contextmanager
def error_context(where: str) -> Iterator[None]:
    """Put `where` in front of the text of an error raised inside the block."""
    try:
        yield
    except BalanceError as error:
        if where in str(error):
            raise
        raise type(error)(f"{where}: {error}") from error.__cause__


@contextmanager
def from_extra(extra: str) -> Iterator[None]:
    """Name the extra to install if a package that is imported inside the block is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        text = tr("{package} is not installed; install it with: {command}", package=error.name, command=pip(extra))
        raise BalanceError(text) from None


def pip(extra: str) -> str:
    """Return the command that installs an extra."""
    return f'pip install "game-balance[{extra}]"'


def say_error(error: BaseException, folder: Path, otherwise: str = "") -> str:
    """Return in one line where an error of somebody's code arose and what it is: file, line, type, text.

    Parameters
    ----------
    folder : Path
        The folder of the code; the last line in it that was being carried out is named.
    otherwise : str
        The place if no line in the folder was.
    """
    places = [(each.filename, each.lineno) for each in traceback.extract_tb(error.__traceback__)]
    own = [place for place in places if Path(place[0]).is_relative_to(folder)]
    says = str(error).partition("\n")[0]
    if isinstance(error, SyntaxError):
        own, says = [(error.filename or otherwise, error.lineno)], error.msg
    where = f"{own[-1][0]}:{own[-1][1]}" if own else otherwise
    return f"{where}: {type(error).__name__}" + (f": {says}" if says else "")
