"""Runs on the page: progress, speed and first figures, reports of finished ones, and targets over builds."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.analysis.shares import judged_shares, share_question
from balance.experiments.measures import share_of
from balance.foundation.errors import BalanceError
from balance.foundation.text import player
from balance.live.shown import render
from balance.report.history import KEYS, read_checks
from balance.report.words import write_estimate
from balance.runs.folder import RunFolder
from balance.runs.lock import is_held
from balance.runs.manifest import read_manifest

if TYPE_CHECKING:
    from balance.live.session import Board

_EVERY = 2.0  # seconds between two looks at the runs
_FIGURES_EVERY = 10.0  # seconds between two readings of the games of a run
_MOST_CHECKS = 200  # of a target in the chart


@dataclass
class _Seen:
    """What was last seen of a run."""

    done: int = 0
    at: float = 0.0
    rate: float = 0.0
    figures: Sequence[str] = ()
    read_at: float = -_FIGURES_EVERY
    read: int = -1


@dataclass(frozen=True)
class RunLine:
    """A run as the page shows it."""

    name: str
    game: str
    state: str
    done: int
    planned: int
    rate: float
    figures: Sequence[str]
    can_report: bool
    page: str
    error: str = ""


class RunWatch:
    """A thread that looks at runs, and publishes them as the topic ``runs``.

    Parameters
    ----------
    paths : sequence of Path
        Run folders; one may not exist yet.
    history : Path or None
        A file of `balance check --history`.
    """

    def __init__(self, paths: Sequence[Path], history: Path | None = None) -> None:
        self._paths, self._history = list(paths), history
        self._seen = {path: _Seen() for path in self._paths}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._pages: dict[str, Path] = {}

    @property
    def is_on(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._paths or self._history)

    def start(self, board: Board, pages: dict[str, Path]) -> None:
        """Begin to look."""
        self._pages = pages
        if self.is_on:
            self._thread = threading.Thread(
                target=self._look, args=(board,), name="balance runs", daemon=True
            )
            self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()
        if self._thread:
            self._thread.join()

    def write_report(self, name: str) -> dict[str, Any]:
        """Write the report of a finished run next to it, and return its address."""
        from balance.report import write_report

        path = next((path for path in self._paths if str(path) == name), None)
        if path is None:
            raise BalanceError(f"{name} is not one of the runs of this page")
        out = path.absolute().with_name(f"{path.name}-report")
        self._pages[f"report-{path.name}"] = write_report([RunFolder.open_finished(path)], out).page
        return {"page": f"pages/report-{path.name}"}

    def _look(self, board: Board) -> None:
        last = ""
        while not self._closed.is_set():
            lines = [self._line(path) for path in self._paths]
            charts, note = self._charts()
            html = render("runs.html.jinja", runs=lines, charts=charts, note=note)
            if html != last:
                board.publish("runs", {"html": html})
                last = html
            self._closed.wait(_EVERY)

    def _line(self, path: Path) -> RunLine:
        seen = self._seen[path]
        try:
            run = RunFolder.open(path)
            parts, _ = read_manifest(path, run.bond, skip_damaged=True)
            done = sum(part.games for part in parts)
            self._follow(seen, run, done)
        except BalanceError as error:
            waits = not (path / "run.json").exists()
            state = "not started" if waits else "can't be read"
            return RunLine(str(path), "", state, 0, 0, 0.0, (), False, "", "" if waits else str(error))
        planned = sum(cell.tier.most_games for cell in run.plan.cells)
        state = "finished" if run.is_finished else "under way" if is_held(path) else "stopped"
        page = f"pages/report-{path.name}" if f"report-{path.name}" in self._pages else ""
        rate = seen.rate if state == "under way" else 0.0
        return RunLine(
            str(path),
            run.plan.game.title,
            state,
            done,
            planned,
            rate,
            seen.figures,
            run.is_finished,
            page,
        )

    def _follow(self, seen: _Seen, run: RunFolder, done: int) -> None:
        """Note speed and, now and then, the first figures of a run."""
        now = time.monotonic()
        if done != seen.done:
            seen.rate = (done - seen.done) / max(now - seen.at, 0.1) if seen.at else 0.0
            seen.done, seen.at = done, now
        if done and done != seen.read and now - seen.read_at > _FIGURES_EVERY:
            seen.figures, seen.read, seen.read_at = list(_first_figures(run)), done, now

    def _charts(self) -> tuple[list[Chart], str]:
        if self._history is None:
            return [], ""
        try:
            return read_charts(self._history), ""
        except BalanceError as error:
            return [], str(error)


def _first_figures(run: RunFolder) -> list[str]:
    """Return for each cell the seat furthest from fair, in words."""
    question = share_question(share_of(run.plan, "seat"))
    answers = gather(run, [question, Played()])
    shares = judged_shares(run.plan, answers, "seat")
    shares = shares.assign(off=(shares["value"] - shares["fair"]).abs()).sort_values(
        "off", ascending=False
    )
    shares = shares.drop_duplicates(["players", "variant"]).sort_values(["players", "variant"])
    return [
        f"{row.variant}, {row.players} players: the {player(int(row.seat))} wins {row.value:.1f} % "
        f"({row.low:.1f} to {row.high:.1f}), {row.verdict}"
        for row in shares.itertuples()
    ]


@dataclass(frozen=True)
class Dot:
    """One check of a target in a chart of 320 x 90: its place, its interval, its verdict and its words."""

    x: float
    y: float
    low: float
    high: float
    verdict: str
    title: str


@dataclass(frozen=True)
class Chart:
    """The history of a target at one player count."""

    title: str
    dots: Sequence[Dot]
    band: tuple[float, float]
    last: str


def read_charts(path: Path) -> list[Chart]:
    """Return the charts of a history file (`balance.report.history`), one for each target and cell."""
    table = read_checks(path)
    return [_chart(rows.tail(_MOST_CHECKS)) for _, rows in table.groupby(list(KEYS), sort=False)]


def _chart(rows: pd.DataFrame) -> Chart:
    finite = [
        each
        for each in rows[["value", "low", "high", "least", "most"]].to_numpy().ravel()
        if math.isfinite(each)
    ]
    least, most = min(finite, default=0.0), max(finite, default=1.0)
    room = 0.1 * (most - least) or 1.0

    def y(value: float) -> float:
        inside = min(max(value, least - room), most + room)
        return round(90 * (1 - (inside - least + room) / (most - least + 2 * room)), 1)

    dots = []
    for place, row in enumerate(rows.itertuples()):
        x = round(10 + 300 * place / max(1, len(rows) - 1), 1)
        when = str(row.time)[:16].replace("T", " ")
        words = f"{when}, {row.run}: {write_estimate(row, 2)}, {row.verdict}"
        dots.append(Dot(x, y(row.value), y(row.low), y(row.high), str(row.verdict), words))
    first, last = rows.iloc[0], rows.iloc[-1]
    name = str(first["target"])
    parts = (str(first["group"]), str(first["variant"]), f"{first['players']} players")
    title = ", ".join([name, *(each for each in parts if each and each not in name.split(", "))])
    band = (y(float(last["most"])), y(float(last["least"])))
    return Chart(title, dots, band, dots[-1].title)
