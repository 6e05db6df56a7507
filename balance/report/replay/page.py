"""A game as a page to step through, or the same deal under two variants side by side.

The page stores each piece of HTML once: a panel is a list of numbers of pieces, and a scene a list of numbers of
panels, so that the page of a long game stays small.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from balance.analysis.notable import TITLES, Notable
from balance.contract.view import Cell, Mark, Panel, player_cell, signs
from balance.foundation.errors import BalanceError
from balance.foundation.files import write_file
from balance.foundation.language import N_, tr, write_number
from balance.foundation.text import listed
from balance.report.page import open_templates, scripts
from balance.report.replay.scenes import Replay, Result, Row, Scene, line_up
from balance.report.replay.turning import find_turning_point

SHAPES = (N_("pawn"), N_("officer"))
"""Shapes that are drawn, with their names for screen readers."""


class Pool:
    """Pieces and panels by number.

    A panel is a list of the numbers of its pieces. A panel similar to an earlier one is a dict: the number of the
    earlier panel (``like``) and the pieces that differ (``but``, position to number).
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.panels: list[list[int] | dict[str, Any]] = []
        self._piece_numbers: dict[str, int] = {}
        self._panel_numbers: dict[tuple[int, ...], int] = {}
        self._latest: dict[tuple[int, int], tuple[int, ...]] = {}  # by first piece and length

    def panel(self, pieces: Iterator[str]) -> int:
        """Return the number of the panel with these pieces."""
        numbers = tuple(self._piece(piece) for piece in pieces)
        if numbers not in self._panel_numbers:
            self._panel_numbers[numbers] = len(self.panels)
            self.panels.append(self._pack(numbers))
            self._latest[numbers[0], len(numbers)] = numbers
        return self._panel_numbers[numbers]

    def _pack(self, numbers: tuple[int, ...]) -> list[int] | dict[str, Any]:
        """Return a panel as the page stores it."""
        before = self._latest.get((numbers[0], len(numbers)), ())
        but = {i: number for i, number in enumerate(numbers) if before[i : i + 1] != (number,)}
        if 2 * len(but) >= len(numbers):
            return list(numbers)
        return {"like": self._panel_numbers[before], "but": but}

    def _piece(self, piece: str) -> int:
        if piece not in self._piece_numbers:
            self._piece_numbers[piece] = len(self.pieces)
            self.pieces.append(piece)
        return self._piece_numbers[piece]


def write_panel(panel: Panel, names: Sequence[str] = ()) -> Iterator[str]:
    """Yield a panel as HTML, a piece for each cell of a table and for each line of a drawing.

    A cell that is one of the players' `names` shows the player's sign.
    """
    note = f" <small>{escape(panel.note)}</small>" if panel.note else ""
    kind = "tile" if panel.tile else "panel"
    yield f'<section class="{kind}"><h3>{escape(panel.title)}{note}</h3>'
    if panel.svg:
        yield from (f"{line}\n" for line in panel.svg.split("\n"))
    elif panel.rows:
        yield '<div class="scroll"><table>' + _head(panel.columns)
        width = max(map(len, panel.rows))
        for row in panel.rows:
            yield "<tr>"
            signed = [player_cell(cell, names) for cell in row]
            yield from _cells(panel.columns, signed, width)
        yield "</tbody></table></div>"
    yield "</section>"


def _head(columns: list[str]) -> str:
    if not columns:
        return "<tbody>"
    cells = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return f"<thead><tr>{cells}</tr></thead><tbody>"


def _cells(columns: list[str], row: Sequence[Cell], width: int) -> Iterator[str]:
    """Yield the cells of a row; the last cell of a short row spans the remaining columns."""
    for number, cell in enumerate(row):
        label = f' data-l="{escape(columns[number])}"' if number < len(columns) and columns[number] else ""
        rest = width - number if number == len(row) - 1 else 1
        span = f' colspan="{rest}"' if rest > 1 else ""
        yield f"<td{label}{span}>{write_cell(cell)}</td>"


def write_cell(cell: Cell) -> str:
    """Return text and signs as HTML."""
    if isinstance(cell, str):
        return str(escape(cell))
    if isinstance(cell, Mark):
        return _mark(cell)
    return "".join(write_cell(part) for part in cell)


def _mark(mark: Mark) -> str:
    colour = f" s{mark.seat}" if mark.seat is not None else ""
    if mark.shape in SHAPES:
        title = str(escape(tr(mark.title or mark.shape)))
        return f'<svg class="{mark.shape}{colour}" role="img" aria-label="{title}"><use href="#{mark.shape}"/></svg>'
    title = f' title="{escape(mark.title)}"' if mark.title else ""
    pale = " pale" if mark.pale else ""
    text = f"<b>{escape(mark.text)}</b>" if mark.shape == "seat" else escape(mark.text)
    return f'<i class="{mark.shape}{colour}{pale}"{title}>{text}</i>'


def write_result(result: Result, names: Sequence[str]) -> Iterator[str]:
    """Yield a table of the sources of each player's points, best first."""
    columns = [tr("rank"), tr("player"), *result.columns, tr("score")]
    rows = [
        [str(rank), name, *(write_number(part, "g") if part else "" for part in parts), write_number(score, "g")]
        for rank, name, parts, score in result.rows
    ]
    return write_panel(Panel(tr("Where the points come from"), columns, rows), names)


def write_replay(
    replay: Replay, path: Path, found: Notable | None = None, twin: Replay | None = None, first: int | None = None
) -> Path:
    """Write the page of a replay, which needs no other file.

    `found` is why this game was chosen; None if the user named its number. `twin` is the same deal under another
    variant, shown next to it. The page opens at the round `first`, or else, if the game was chosen, at what turned it.
    """
    replays = [replay] if twin is None else [replay, twin]
    template = open_templates().get_template("replay.html.jinja")
    data, heading = _describe_page(replays), _heading(replays, found)
    turn = find_turning_point(replay) if twin is None else None
    data["start"] = turn.scene if turn and found else 0
    if first is not None:
        data["start"] = _begins(data["rows"], first)
    text = template.render(
        replays=replays, data=data, heading=heading, found=found, key=_key(replay), turn=turn, scripts=scripts
    )
    write_file(path, text.encode("utf-8"))
    return path


def _begins(rows: Sequence[Sequence[Any]], wanted: int) -> int:
    """Return the number of the first row of a round."""
    rounds = [row[0] for row in rows]
    if wanted not in rounds:
        raise BalanceError(
            tr("--round {round}: the game has rounds {first} to {last}", round=wanted, first=rounds[0], last=rounds[-1])
        )
    return rounds.index(wanted)


def _key(replay: Replay) -> list[tuple[Markup, str]]:
    """Return the game's signs and their meanings."""
    return [
        (Markup(sign if isinstance(sign, str) else write_cell(sign)), tr(text))
        for sign, text in signs(replay.run.plan.game.display)
    ]


def _heading(replays: Sequence[Replay], found: Notable | None) -> str:
    """Return the heading: the game with its scores, best first, or with the two variants."""
    what = tr(TITLES[found.kind]) if found else tr("Game {number}", number=replays[0].game_id)
    if len(replays) > 1:
        return f"{what}: {listed([replay.cell.variant.name for replay in replays])}"
    result = replays[0].result
    if not result.rows:
        return f"{what}: {result.sentence}"
    scores = [write_number(score, "g") for *_, score in result.rows]
    return tr("{game}: {scores} points", game=what, scores=listed(scores))


def _describe_page(replays: Sequence[Replay]) -> dict[str, Any]:
    """Return the data for the page's script."""
    rows = line_up(replays)
    return {
        "games": [_describe(each) for each in replays],
        "rows": [[row.round, list(row.scenes), list(row.new)] for row in rows],
        "rounds": [[number, _round_names(replays, number)] for number in _rounds(rows)],
        "parted": next((number for number, row in enumerate(rows) if row.parted), -1),
    }


def _rounds(rows: Sequence[Row]) -> list[int]:
    return list(dict.fromkeys(row.round for row in rows))


def _round_names(replays: Sequence[Replay], number: int) -> str:
    """Return the name of a round; both names if two games differ."""
    names = [replay.round_names.get(number, "") for replay in replays]
    return " | ".join(dict.fromkeys(name for name in names if name))


def _describe(replay: Replay) -> dict[str, Any]:
    """Return a game's data for the page's script."""
    pool = Pool()
    scenes = [_describe_scene(replay, scene, pool) for scene in replay.scenes]
    end = scenes[-1]
    if replay.result.rows:
        end[4].insert(0, pool.panel(write_result(replay.result, replay.names)))
    return {
        "variant": replay.cell.variant.name,
        "players": [str(row.strategy) for row in replay.seats.itertuples()],
        "scores": replay.scores,
        "pieces": pool.pieces,
        "panels": pool.panels,
        "scenes": scenes,
    }


def _describe_scene(replay: Replay, scene: Scene, pool: Pool) -> list[Any]:
    """Return seat, kind, sentence, thoughts, panels, and the index of the panel it is about (-1 for none)."""
    ended = scene is replay.scenes[-1]
    panels = [panel for panel in replay.panels(scene) if not (ended and panel.tile)]
    titles = [panel.title for panel in panels]
    about = titles.index(scene.about) if scene.about in titles else -1
    text, kind = scene.text, "chance"
    if scene.outcome:
        kind = "outcome"
    elif scene.seat >= 0:
        text, kind = text.removeprefix(replay.names[scene.seat]).lstrip(": "), "move"
    elif ended:
        kind = "end"
    numbers = [pool.panel(write_panel(panel, replay.names)) for panel in panels]
    return [scene.seat, kind, text, scene.thoughts, numbers, about]
