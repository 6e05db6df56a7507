"""A game as a page to step through, or the same deal under two variants side by side.

What the page shows is kept once: a panel is a list of pieces of HTML, and a scene a list of panels, each by
number, so that a long game stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from balance.analysis.notable import TITLES, Notable
from balance.contract.telling import signs
from balance.contract.words import listed
from balance.log.files import write_file
from balance.report.page import open_templates
from balance.report.replay.beside import Row, line_up
from balance.report.replay.pieces import Pool, write_cell, write_panel, write_result
from balance.report.replay.telling import Replay, Scene


def write_replay(
    replay: Replay, path: Path, found: Notable | None = None, beside: Replay | None = None
) -> Path:
    """Write the page, which needs no other file.

    Parameters
    ----------
    found : Notable or None
        Why this game was chosen, if it was not named by its number.
    beside : Replay or None
        The same deal under another variant, to stand beside it.

    Raises
    ------
    BalanceError
        The file can't be written.
    """
    replays = [replay] if beside is None else [replay, beside]
    text = (
        open_templates()
        .get_template("replay.html.jinja")
        .render(
            replays=replays,
            data=_describe_page(replays),
            heading=_heading(replays, found),
            found=found,
            key=_key(replay),
        )
    )
    write_file(path, text.encode("utf-8"))
    return path


def _key(replay: Replay) -> list[tuple[Markup, str]]:
    """The game's signs and what they mean."""
    return [(Markup(write_cell(mark)), text) for mark, text in signs(replay.run.plan.game.display)]


def _heading(replays: Sequence[Replay], found: Notable | None) -> str:
    """What game it is, and its scores, best first, or the variants that stand side by side."""
    what = TITLES[found.kind] if found else f"Game {replays[0].game_id}"
    if len(replays) > 1:
        return f"{what}: {' beside '.join(replay.cell.variant.name for replay in replays)}"
    return f"{what}: {listed([f'{score:g}' for *_, score in replays[0].result.rows])} points"


def _describe_page(replays: Sequence[Replay]) -> dict[str, Any]:
    """All that the page's script reads."""
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
    """What sets a round apart; where two games differ, both."""
    names = [replay.round_names.get(number, "") for replay in replays]
    return " | ".join(dict.fromkeys(name for name in names if name))


def _describe(replay: Replay) -> dict[str, Any]:
    """A game as the page reads it."""
    pool = Pool()
    scenes = [_describe_scene(replay, scene, pool) for scene in replay.scenes]
    end = scenes[-1]
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
    """Seat, kind, sentence, thoughts, panels and the one that it is about (-1 for none)."""
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
