"""Adjustments of the command reference that sphinx-click writes: its examples become blocks to copy."""

from __future__ import annotations

import click
from sphinx.application import Sphinx


def show_examples(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Turn each list of examples into a code block; changes `lines` in place."""
    found: list[str] = []
    for line in lines:
        inside = line.startswith("| ")
        if inside and line.removeprefix("| ") in ("Example:", "Examples:"):
            found += [line.removeprefix("| "), "", ".. code-block:: sh", ""]
        else:
            found.append(f"   {line.removeprefix('| ')}" if inside else line)
    lines[:] = found


def leave_out(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Remove the list of arguments: the usage and the description already name them."""
    lines.clear()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("sphinx-click-process-description", show_examples)
    app.connect("sphinx-click-process-arguments", leave_out)
    return {"parallel_read_safe": True}
