"""The dialogue of `balance try`: read a line, carry it out, print the results before and after the change."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from balance.cli.output import NO_MEMORY, echo, echo_block, flush_output, output, say_players
from balance.cli.terminal import Terminal, open_terminal, plain, show_progress, show_verdict
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import N_, tr, trc, trn
from balance.report.words import write_range
from balance.stats.comparisons import TOO_FEW
from balance.studies.arms import BEFORE, Line
from balance.studies.trying import Trial, proper_run, save_variant, split_keys

_PROMPT = "> "
_HELP = N_(
    """\
KEY = VALUE          change a rule key, as in krzyzacy.bonus.4 = 8
                     (docs/variants.md lists the keys; put text in quotes)
STRATEGY.KEY = N     change a weight, a setting or the temperature of a profile, as in
                     champion.ducat = 2, or for four players only
                     champion.4.ducat = 2 (docs/strategies.md)
undo                 undo the last change
redo                 make the undone change again
reset                undo all changes
keep                 compare the next changes with the current rules
games N              play N games at each player count
save FILE.toml       save the changed rule keys as a variant
help                 show these lines
quit                 quit, as does Ctrl-D; Ctrl-C stops games that are being
                     played, or drops a line that is being typed"""
)


class Dialogue:
    """The commands of `balance try` on a trial."""

    def __init__(self, trial: Trial, quiet: bool) -> None:
        self._trial, self._quiet = trial, quiet
        self._alone: dict[str, Callable[[], None]] = {
            "undo": self._undo, "redo": self._redo, "reset": self._reset, "keep": self._keep, "help": self._help,
        }  # fmt: skip
        self._with_more: dict[str, Callable[[str], None]] = {"games": self._games, "save": self._save}

    def follow_lines(self) -> int:
        """Carry out the lines of standard input up to its end; return how many of them failed.

        Lines typed at a terminal never count as failed: the user has seen the error.
        """
        mistakes = 0
        for line in _read_lines():
            if _split(line) == ("quit", ""):
                break
            try:
                self._do(line)
            except BalanceError as error:
                echo(tr("Error: {text}", text=error), err=True)
                mistakes += not _is_typed()
            except MemoryError:
                echo(tr("Error: {text}", text=tr(NO_MEMORY)), err=True)
                mistakes += not _is_typed()
            except KeyboardInterrupt:
                echo(tr("stopped; now: {rules}", rules=self._trial.now.name), err=True)
            flush_output()
        return mistakes

    def change(self, line: str) -> None:
        """Change a key and play."""
        with show_progress(self._quiet) as progress:
            self._trial.change(line, progress)

    def show(self) -> None:
        """Print the results and how to read them."""
        print_seen(self._trial)

    def _do(self, line: str) -> None:
        word, rest = _split(line)
        words = [*self._alone, *self._with_more, "quit"]
        if "=" in line and (word not in words or rest.startswith("=")):
            self.change(line)
            self.show()
        elif word in self._with_more:
            self._with_more[word](rest)
        elif word not in words:
            raise unknown(trc("of text", "line"), word, ["KEY = VALUE", *words])
        elif rest:
            raise BalanceError(tr("{word}: takes no argument, got {rest!r}", word=word, rest=rest))
        else:
            self._alone[word]()

    def _undo(self) -> None:
        with show_progress(self._quiet) as progress:
            self._trial.undo(progress)
        self.show()

    def _redo(self) -> None:
        with show_progress(self._quiet) as progress:
            self._trial.redo(progress)
        self.show()

    def _reset(self) -> None:
        self._trial.reset()
        self.show()

    def _keep(self) -> None:
        self._trial.keep()
        self.show()

    def _games(self, count: str) -> None:
        try:
            games = int(count)
        except ValueError:
            text = tr("games: {count!r} is not a whole number such as 40000", count=count)
            raise BalanceError(text) from None
        with show_progress(self._quiet) as progress:
            self._trial.set_games(games, progress)
        self.show()

    def _save(self, name: str) -> None:
        if not name:
            raise BalanceError(tr("save: name a file, such as mine.toml"))
        path = save_variant(self._trial.now, name)
        command = proper_run(self._trial.now, str(path))
        echo(tr("saved: {path}; play it with: {command}", path=path, command=command))

    def _help(self) -> None:
        echo_block(tr(_HELP))


def _split(line: str) -> tuple[str, str]:
    """Split a line into its first word and the rest, without a comment and without quotes around all of the rest.

    A backslash is an ordinary character: Windows paths contain it.
    """
    word, *more = line.split(maxsplit=1)
    rest = more[0] if more else ""
    if quoted := re.fullmatch(r"""(["'])(.*?)\1\s*(#.*)?""", rest):
        return word, quoted[2]
    return word, re.sub(r"(^|\s)#.*", "", rest).strip()


def _is_typed() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _read_lines() -> Iterator[str]:
    """Yield the lines typed at the prompt or read from a file or pipe, without comments and empty lines."""
    if _is_typed():
        with suppress(ImportError):  # Windows has no readline
            import readline  # noqa: F401 - lets lines be edited and called back
    while (line := _read_line()) is not None:
        if (line := line.strip()) and not line.startswith("#"):
            yield line


def _read_line() -> str | None:
    """Return the next line, None at the end. A line that was not typed is echoed after the prompt."""
    try:
        if _is_typed():
            return _ask_for_line()
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except UnicodeDecodeError as error:
        raise BalanceError(tr("standard input is not text: {why}", why=error)) from None
    if not line:
        return None
    echo(_PROMPT + line.rstrip())
    return line


def _ask_for_line() -> str | None:
    """Return the line that is typed. Ctrl-C drops only the line, because ending would lose the table."""
    try:
        with redirect_stdout(output()):
            return input(_PROMPT)
    except EOFError:
        echo("")
        return None
    except KeyboardInterrupt:
        echo("")
        return ""


_GAP = 1  # letters between two columns


class _Cell(NamedTuple):
    estimate: str
    word: str


_Row = tuple[str, list[_Cell]]
"""A label and a cell for each side."""


def print_seen(trial: Trial, console: Terminal | None = None) -> None:
    """Print the results of a trial, a block for each player count, and how to read them."""
    console = console or open_terminal()
    comparison = trial.compare()
    sides = comparison.shown_sides
    console.print(plain(say_players(trial.start.plan)))
    if BEFORE in sides:
        for name, arm in ((tr("before:"), trial.before), (tr("now:"), trial.now)):
            console.print(plain(f"{name:<7} {arm.name}"), soft_wrap=True)
    for players, lines in comparison.lines().items():
        rows = [(line.label, [_cell(line, side) for side in sides]) for line in lines]
        found = [row for line in lines for row in line.sides.values()]
        title = trn(
            "{n} player: {games:,} games, {deals:,} deals", "{n} players: {games:,} games, {deals:,} deals",
            players, games=trial.games, deals=int(max(row.decks for row in found)),
        )  # fmt: skip
        if own := [row.n for row in found if row.measure == "strategy_win_share"]:
            title += tr("; n ≥ {n:,} seats for each strategy", n=int(min(own)))
        console.print(_grid(title, sides, rows, console.width))
    for note in comparison.notes:
        console.print_note(note)
    _print_notes(console, trial)


def _cell(line: Line, side: str) -> _Cell:
    """Return a side's estimate with its interval."""
    if side not in line.sides:
        return _Cell("", "")
    value, low, high = line.write(side)
    if not math.isfinite(line.sides[side].low):
        return _Cell(value, TOO_FEW)
    return _Cell(write_range(value, low, high), line.sides[side].verdict)


def _grid(title: str, sides: Sequence[str], rows: Sequence[_Row], width: int) -> Table:
    """Build a table with verdicts next to the figures, or below them on a narrow terminal."""
    columns = list(zip(*(cells for _, cells in rows), strict=True))
    widths = [max(len(cell.estimate) for cell in column) for column in columns]
    words = [max(len(tr(cell.word)) for cell in column) for column in columns]
    needed = max(len(label) for label, _ in rows) + sum(widths) + sum(words) + (1 + _GAP) * len(columns)
    between = " " if needed <= width else "\n"
    style: dict[str, Any] = {"title_justify": "left", "title_style": "bold", "box": None}
    grid = Table(title=title, padding=(0, _GAP, 0, 0), **style)
    grid.add_column("", overflow="fold")
    for side, own in zip(sides, widths, strict=True):
        grid.add_column(tr(side), min_width=own, no_wrap=True)
    for label, cells in rows:
        texts = [_text(cell, own, between) for cell, own in zip(cells, widths, strict=True)]
        grid.add_row(plain(label), *texts)
    return grid


def _text(cell: _Cell, width: int, between: str) -> Text:
    text = Text(cell.estimate.ljust(width))
    return text.append(between).append_text(show_verdict(cell.word)) if cell.word else text


def _print_notes(console: Terminal, trial: Trial) -> None:
    """Print how to read the figures and what to do next."""
    notes = [
        tr(
            "Each interval has 95 % confidence for its own figure. Verdicts are corrected for the comparisons in one "
            "table, not for several tables one after another: after many tries, some differ by chance."
        )
    ]
    rules, weights = split_keys(trial.now.plan, trial.now.changed_keys)
    if weights:
        notes.append(tr("Weights are not saved. To keep them, write them into a profile (docs/strategies.md)."))
    if rules:
        notes.append(tr("To log a full run on held-out deals: save mine.toml, then"))
    if not trial.now.changed_keys:
        notes.append(tr("Change a rule with KEY = VALUE; help lists the other commands."))
    for note in notes:
        console.print(note, markup=False, highlight=False)
    if rules:  # on one line, to be copied
        console.print(plain(proper_run(trial.now, "./mine.toml")), soft_wrap=True)
