"""Lines on the terminal: names from anywhere can't move its cursor, colour it, or look like lines of ours.

What draws tables is imported when a sentence is printed, so that commands start fast.
"""

from __future__ import annotations

import click

from balance.report.escaping import escape_controls


def echo(line: str, err: bool = False) -> None:
    """Print one line of text, whatever names it holds."""
    click.echo(escape_controls(line, kept="\t"), err=err)  # noqa: TID251 - the one place


def echo_block(text: str, end: str = "\n") -> None:
    """Print several lines that are ours, or JSON, whose own texts escape what is below a space."""
    click.echo(escape_controls(text, kept="\t\n"), nl=bool(end))  # noqa: TID251 - the one place


def print_sentence(text: str, err: bool = False) -> None:
    """Print a sentence on as many lines as it takes; a path that is longer than a line stays whole, to be copied."""
    from balance.cli.terminal import open_terminal, print_wrapped

    print_wrapped(open_terminal(err), text)
