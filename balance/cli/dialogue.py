"""The lines of `balance try`: read one by one, done, and answered."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from balance.cli.ending import NO_MEMORY, flush_output
from balance.cli.plain import echo, echo_block
from balance.cli.progress import show_progress
from balance.cli.seeing import print_seen
from balance.errors import BalanceError, unknown
from balance.live.keeping import proper_run, save_variant
from balance.live.table import LiveTable

_PROMPT = "> "
_HELP = """\
KEY = VALUE          turn a key of the rules, as in krzyzacy.bonus.4 = 8
                     (docs/variants.md lists them; a text stands in quotes)
STRATEGY.KEY = N     turn a weight, a setting or the temperature of a profile, as in
                     champion.ducat = 2, or with four players alone
                     champion.4.ducat = 2 (docs/strategies.md)
undo                 take the last change back
reset                take all changes back
keep                 hold what comes against what is now
games N              play N games at each player count
save FILE.toml       write the keys of the rules that were turned as a variant
help                 show these lines
quit                 or Ctrl-D; Ctrl-C stops games that are being played, and
                     drops a line that is being typed"""


class Dialogue:
    """Does what lines say at a live table, and shows what came of it."""

    def __init__(self, table: LiveTable, quiet: bool) -> None:
        self._table, self._quiet = table, quiet
        self._alone: dict[str, Callable[[], None]] = {
            "undo": self._undo, "reset": self._reset, "keep": self._keep, "help": self._help,
        }  # fmt: skip
        self._with_more: dict[str, Callable[[str], None]] = {"games": self._games, "save": self._save}

    def follow_lines(self) -> int:
        """Do what the lines of standard input say, up to its end; returns how many could not be done.

        A mistake of someone who types is none: it was told.
        """
        mistakes = 0
        for line in _read_lines():
            if _split(line) == ("quit", ""):
                break
            try:
                self._do(line)
            except BalanceError as error:
                echo(f"Error: {error}", err=True)
                mistakes += not _is_typed()
            except MemoryError:
                echo(f"Error: {NO_MEMORY}", err=True)
                mistakes += not _is_typed()
            except KeyboardInterrupt:
                echo(f"stopped; now: {self._table.now.name}", err=True)
            flush_output()
        return mistakes

    def change(self, line: str) -> None:
        """Turn a key and play."""
        with show_progress(self._quiet) as progress:
            self._table.change(line, progress)

    def show(self) -> None:
        """The grid of answers, and how to take them further."""
        print_seen(self._table)

    def _do(self, line: str) -> None:
        word, rest = _split(line)
        words = [*self._alone, *self._with_more, "quit"]
        if "=" in line and (word not in words or rest.startswith("=")):
            self.change(line)
            self.show()
        elif word in self._with_more:
            self._with_more[word](rest)
        elif word not in words:
            raise unknown("line", word, ["KEY = VALUE", *words])
        elif rest:
            raise BalanceError(f"{word}: nothing may follow it, got {rest!r}")
        else:
            self._alone[word]()

    def _undo(self) -> None:
        with show_progress(self._quiet) as progress:
            self._table.undo(progress)
        self.show()

    def _reset(self) -> None:
        self._table.reset()
        self.show()

    def _keep(self) -> None:
        self._table.keep()
        self.show()

    def _games(self, count: str) -> None:
        try:
            games = int(count)
        except ValueError:
            raise BalanceError(f"games: {count!r} is no whole number, such as 40000") from None
        with show_progress(self._quiet) as progress:
            self._table.set_games(games, progress)
        self.show()

    def _save(self, name: str) -> None:
        if not name:
            raise BalanceError("save: name a file, such as mine.toml")
        path = save_variant(self._table.now, name)
        echo(f"saved: {path}; its run: {proper_run(self._table.now, str(path))}")

    def _help(self) -> None:
        echo_block(_HELP)


def _split(line: str) -> tuple[str, str]:
    """The first word of a line and what follows, without a remark and without quotes around all of it.

    Backslashes are letters: a path of Windows has them.
    """
    word, *more = line.split(maxsplit=1)
    rest = more[0] if more else ""
    if quoted := re.fullmatch(r"""(["'])(.*?)\1\s*(#.*)?""", rest):
        return word, quoted[2]
    return word, re.sub(r"(^|\s)#.*", "", rest).strip()


def _is_typed() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _read_lines() -> Iterator[str]:
    """What is typed at the prompt or comes from a file or pipe, without comments and empty lines.

    Raises
    ------
    BalanceError
        Standard input is not text.
    """
    if _is_typed():
        with suppress(ImportError):  # there is none on Windows
            import readline  # noqa: F401 - lets lines be edited and called back
    while (line := _read_line()) is not None:
        if (line := line.strip()) and not line.startswith("#"):
            yield line


def _read_line() -> str | None:
    """The next line, None at the end; one that was not typed is shown as if it were."""
    try:
        if _is_typed():
            return _ask_for_line()
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except UnicodeDecodeError as error:
        raise BalanceError(f"standard input is no text: {error}") from None
    if not line:
        return None
    echo(_PROMPT + line.rstrip())
    return line


def _ask_for_line() -> str | None:
    """What is typed; Ctrl-C drops it, for there may be much that would be lost with the table."""
    try:
        return input(_PROMPT)
    except EOFError:
        echo("")
        return None
    except KeyboardInterrupt:
        echo("")
        return ""
