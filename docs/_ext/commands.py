"""The page of commands, as sphinx-click writes it, with examples that can be copied."""

from __future__ import annotations

import click
from sphinx.application import Sphinx


def show_examples(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Make a block of each list of examples; `lines` is changed in place."""
    found: list[str] = []
    for line in lines:
        inside = line.startswith("| ")
        if inside and line.removeprefix("| ") in ("Example:", "Examples:"):
            found += [line.removeprefix("| "), "", ".. code-block:: sh", ""]
        else:
            found.append(f"   {line.removeprefix('| ')}" if inside else line)
    lines[:] = found


def leave_out(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Arguments stand in the usage, and in the sentence that says what they are."""
    lines.clear()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("sphinx-click-process-description", show_examples)
    app.connect("sphinx-click-process-arguments", leave_out)
    return {"parallel_read_safe": True}
