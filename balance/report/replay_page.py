"""A game as a page to step through: the position before each move, and the move in words."""

from __future__ import annotations

from pathlib import Path

from markupsafe import escape

from balance.contract.panel import Panel
from balance.errors import BalanceError
from balance.log.files import replace_file
from balance.report.page import open_templates
from balance.report.replay import Replay


def write_replay(replay: Replay, path: Path) -> Path:
    """Write the page, which needs no other file.

    Raises
    ------
    BalanceError
        The file can't be written.
    """
    scenes = [
        {"round": scene.round, "say": scene.text, "show": "".join(map(_write_panel, scene.panels))}
        for scene in replay.scenes()
    ]
    text = (
        open_templates()
        .get_template("replay.html.jinja")
        .render(title=replay.title, scenes=scenes, result=replay.result())
    )
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise BalanceError(f"{path} is a link or no file; name another")
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        raise BalanceError(f"cannot write {path}: {error.strerror or error}") from error
    return path


def _write_panel(panel: Panel) -> str:
    """A panel as HTML."""
    if panel.svg:
        return f"<h3>{escape(panel.title)}</h3>{panel.svg}"
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in panel.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in panel.rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h3>{escape(panel.title)}</h3><div class="scroll">{table}</div>'
