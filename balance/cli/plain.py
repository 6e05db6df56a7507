"""Lines on the terminal. Control characters in names are escaped: they can't move the cursor, colour or fake lines.

The code that draws tables is imported when the first sentence is printed, so that commands start fast.
"""

from __future__ import annotations

import click

from balance.foundation.text import escape_controls


def echo(line: str, err: bool = False) -> None:
    """Print one line of text with its control characters escaped."""
    click.echo(escape_controls(line, kept="\t"), err=err)  # noqa: TID251 - the one place


def echo_block(text: str, end: str = "\n") -> None:
    """Print several lines of our own, or JSON, which escapes control characters itself."""
    click.echo(escape_controls(text, kept="\t\n"), nl=bool(end))  # noqa: TID251 - the one place


def print_sentence(text: str, err: bool = False) -> None:
    """Print a sentence, wrapped to the terminal; a path longer than a line is not broken, so that it can be copied."""
    from balance.cli.terminal import open_terminal, print_wrapped

    print_wrapped(open_terminal(err), text)
