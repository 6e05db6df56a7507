"""The one exception that users meet: what is wrong and what would be right, in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

_LONGEST = 3000
_LONGEST_NAME = 200


class BalanceError(Exception):
    """A mistake in what was asked, or work that could not be done; its text is one line, of a length that is read."""

    def __init__(self, text: str) -> None:
        super().__init__(cut_middle(text, _LONGEST))


def cut_middle(text: str, longest: int) -> str:
    """Return a text, if it is too long with the letters in its middle left out."""
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]} [{len(text) - 2 * half:,} letters] {text[-half:]}"


def unknown(what: str, name: str, known: Iterable[str], where: str = "") -> BalanceError:
    """The error for a name that does not exist: lists the names that do, and the nearest first."""
    names, name = sorted(known), cut_middle(name, _LONGEST_NAME)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    prefix = f"{where}: " if where else ""
    listed = ", ".join(names) if names else "none"
    return BalanceError(f"{prefix}unknown {what} {name!r}{hint} (there are: {listed})")


@contextmanager
def asked_in(where: str) -> Iterator[None]:
    """Whatever is wrong inside the block, the line names `where` it was asked for."""
    try:
        yield
    except BalanceError as error:
        if where in str(error):
            raise
        raise BalanceError(f"{where}: {error}") from error.__cause__
