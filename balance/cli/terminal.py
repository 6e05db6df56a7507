"""The console of printed tables."""

from __future__ import annotations

from rich.console import Console


class Terminal(Console):
    """A console that leaves it to `one_line_errors` what happens when the reader of a pipe has gone."""

    def on_broken_pipe(self) -> None:
        """Raise it; rich would end the program with status 1."""
        raise BrokenPipeError


_WIDTH = 160  # where there is no terminal to fit


def open_terminal() -> Terminal:
    """The console of standard output, wide enough for tables."""
    console = Terminal(soft_wrap=False)
    return console if console.is_terminal else Terminal(width=_WIDTH)
