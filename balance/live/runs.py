"""Runs on the page: progress, speed and first figures, reports of finished ones, and targets over builds."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from balance.analysis.ended import Played
from balance.analysis.gather import gather
from balance.analysis.shares import furthest_shares, judged_shares, share_question
from balance.analysis.target_checks import target_question
from balance.contract.sides import SEAT, TABLE
from balance.experiments.measures import find_measure, share_of
from balance.foundation.errors import BalanceError
from balance.foundation.files import exists
from balance.foundation.language import N_, tr, trc, trn
from balance.foundation.text import player
from balance.live.arms import CLOSE_SECONDS
from balance.live.messages import MessageBoard
from balance.live.shown import render, write_error
from balance.report.checks import KEYS, read_checks
from balance.report.words import amount, label_of, write_estimate
from balance.runs.folder import RunFolder
from balance.runs.lock import is_held
from balance.runs.manifest import read_manifest
from balance.runs.strength import in_telling_tier

_EVERY = 2.0  # seconds between two readings of the progress of runs
_FIGURES_EVERY = 10.0  # seconds between two readings of the games of a run
_MOST_CHECKS = 200  # of a target in the chart
NOT_STARTED, UNREADABLE, FINISHED = N_("not started"), N_("can't be read"), N_("finished")
UNDER_WAY, STOPPED = N_("under way"), "stopped"


@dataclass
class _Seen:
    """What was last read of a run."""

    done: int = 0
    at: float = 0.0
    rate: float = 0.0
    figures: Sequence[str] = ()
    read_at: float = -_FIGURES_EVERY
    read: tuple[int, bool] = (-1, False)  # the games, and whether the run was finished


@dataclass(frozen=True)
class RunLine:
    """A run as the page shows it."""

    key: int  # its place on the command line; two runs may have one name
    name: str
    state: str
    game: str = ""
    strategies: str = ""
    done: int = 0
    planned: int = 0
    rate: float = 0.0
    figures: Sequence[str] = ()
    can_report: bool = False
    page: str = ""
    error: str = ""

    @property
    def state_shown(self) -> str:
        """The state in the language in use."""
        return trc("run", "stopped") if self.state == STOPPED else tr(self.state)


class RunWatch:
    """A thread that reads runs, and publishes them as the topic ``runs``.

    Parameters
    ----------
    paths : sequence of Path
        Run folders; one may not exist yet.
    history : Path or None
        A file of `balance check --history`.
    """

    def __init__(self, paths: Sequence[Path], history: Path | None = None) -> None:
        self._paths, self._history = list(paths), history
        self._seen = [_Seen() for _ in self._paths]
        self._charted: tuple[tuple[int, int], Sequence[Chart], str] | None = None
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._pages: dict[str, Path] = {}

    @property
    def is_on(self) -> bool:
        """Whether there is anything to show."""
        return bool(self._paths or self._history)

    def start(self, board: MessageBoard, pages: dict[str, Path]) -> None:
        """Begin to read."""
        self._pages = pages
        if self.is_on:
            self._thread = threading.Thread(target=self._watch, args=(board,), name="balance runs", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop reading."""
        self._closed.set()
        if self._thread:
            self._thread.join(CLOSE_SECONDS)

    def write_report(self, key: str) -> dict[str, Any]:
        """Write the report of a finished run into a new folder next to it, and return its address."""
        if key not in map(str, range(len(self._paths))):
            raise BalanceError(tr("{run} is not one of the runs of this page", run=f"{key:.80}"))
        path = self._paths[int(key)].absolute()
        run = RunFolder.open_finished(path)
        self._pages[_page_name(int(key))] = write_new_report(run, path.parent, f"{path.name}-report")
        return {"page": f"pages/{_page_name(int(key))}"}

    def _watch(self, board: MessageBoard) -> None:
        last = ""
        while not self._closed.is_set():
            lines = [self.line(key, path) for key, path in enumerate(self._paths)]
            charts, note = self.charts()
            html = render("runs.html.jinja", runs=lines, charts=charts, note=note)
            if html != last:
                board.publish("runs", {"html": html})
                last = html
            self._closed.wait(_EVERY)

    def line(self, key: int, path: Path) -> RunLine:
        """Return a run for the page; no fault of one run may end the thread."""
        try:
            return self._read_line(key, path)
        except Exception as error:
            if isinstance(error, BalanceError) and not (path / "run.json").exists():
                return RunLine(key, str(path), NOT_STARTED)
            return RunLine(key, str(path), UNREADABLE, error=write_error(error))

    def _read_line(self, key: int, path: Path) -> RunLine:
        run, seen, page = RunFolder.open(path), self._seen[key], _page_name(key)
        parts, _ = read_manifest(path, run.bond, skip_damaged=True)
        done = sum(part.games for part in parts)
        self._follow(seen, run, done)
        state = FINISHED if run.is_finished else UNDER_WAY if is_held(path) else STOPPED
        tier = f"{run.plan.tier.name}: " if len(run.plan.tiers) > 1 else ""
        return RunLine(
            key, str(path), state, run.plan.game.title,
            strategies=tier + ", ".join(each.name for each in run.plan.tier.strategies),
            done=done,
            planned=sum(cell.tier.most_games for cell in run.plan.cells),
            rate=seen.rate if state == UNDER_WAY else 0.0,
            figures=seen.figures,
            can_report=run.is_finished,
            page=f"pages/{page}" if page in self._pages else "",
        )  # fmt: skip

    def _follow(self, seen: _Seen, run: RunFolder, done: int) -> None:
        """Note speed and, now and then, the first figures of a run."""
        now, read = time.monotonic(), (done, run.is_finished)
        if done != seen.done:
            seen.rate = (done - seen.done) / max(now - seen.at, 0.1) if seen.at else 0.0
            seen.done, seen.at = done, now
        if done and read != seen.read and now - seen.read_at > _FIGURES_EVERY:
            seen.figures, seen.read, seen.read_at = list(_write_figures(run)), read, now

    def charts(self) -> tuple[Sequence[Chart], str]:
        """Return the charts of the history and what is wrong with it; the file is read again only if it changed."""
        if self._history is None:
            return [], ""
        try:
            found = self._history.stat() if exists(self._history) else None
            state = (found.st_mtime_ns, found.st_size) if found else (0, 0)
            if self._charted is None or self._charted[0] != state:
                self._charted = state, read_charts(self._history), ""
        except Exception as error:  # of a file that others write
            return [], write_error(error)
        return self._charted[1:]


def _page_name(key: int) -> str:
    return f"report-{key}"


def new_folder(place: Path, stem: str) -> Path:
    """Return a folder that does not exist yet."""
    number, folder = 1, place / stem
    while folder.exists():
        number += 1
        folder = place / f"{stem}-{number}"
    return folder


_REPORTS = threading.Lock()


def write_new_report(run: RunFolder, place: Path, stem: str) -> Path:
    """Write the report of a run into a new folder of `place`, and return its page."""
    from balance.report import write_report

    with _REPORTS:  # the settings of matplotlib belong to the process
        return write_report([in_telling_tier(run)], new_folder(place, stem)).page


def _write_figures(run: RunFolder) -> Iterator[str]:
    """Yield for each cell the seat or team furthest from fair, or the games won, in words.

    Only a finished run has verdicts: a run that is read again and again would be tested again and again.
    """
    plan, by = run.plan, run.plan.game.sides.kind
    if by == TABLE:
        yield from _write_means(run)
        return
    measure = share_of(plan, by)
    question = share_question(measure)
    answers = gather(run, [question, Played()])
    shares = furthest_shares(judged_shares(plan, answers, by, plan.look_families))
    for row in shares.itertuples():
        group = getattr(row, by)
        who = player(int(group)) if by == SEAT else tr("team {name}", name=group)
        share = tr(
            "{value} % ({low} to {high})",
            value=amount(row.value), low=amount(row.wide_low), high=amount(row.wide_high),
        )  # fmt: skip
        if run.is_finished:
            share += f", {tr(row.verdict)}"
        yield trn(
            "{variant}, {n} player: the {player} wins {share}, n = {games:,}",
            "{variant}, {n} players: the {player} wins {share}, n = {games:,}",
            row.players, variant=row.variant, player=who, share=share, games=row.n,
        )  # fmt: skip


def _write_means(run: RunFolder) -> Iterator[str]:
    """Yield for each cell the games that the players win, or their score."""
    measure = find_measure(run.plan, "won" if run.plan.game.sides.has_wins else "score")
    for row in gather(run, [target_question(measure)])[target_question(measure)].itertuples():
        yield trn(
            "{variant}, {n} player: {measure} {mean}, n = {games:,}",
            "{variant}, {n} players: {measure} {mean}, n = {games:,}",
            row.players, variant=row.variant, measure=label_of(measure), mean=write_estimate(row), games=row.n,
        )  # fmt: skip


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
    """Return the charts of a history file (`balance.report.checks`), one for each target and cell."""
    table = read_checks(path)
    return [_chart(rows.tail(_MOST_CHECKS)) for _, rows in table.groupby(list(KEYS), sort=False)]


def _chart(rows: pd.DataFrame) -> Chart:
    finite = [
        each for each in rows[["value", "low", "high", "least", "most"]].to_numpy().ravel() if math.isfinite(each)
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
        words = f"{when}, {row.run}: {write_estimate(row, 2)}, {tr(row.verdict)}"
        if math.isfinite(row.value):  # a measure that no game had has none
            dots.append(Dot(x, y(row.value), y(row.low), y(row.high), str(row.verdict), words))
    first, last = rows.iloc[0], rows.iloc[-1]
    name = str(first["target"])
    players = trn("{n} player", "{n} players", int(first["players"]))
    parts = (tr(str(first["group"])), str(first["variant"]), players)
    title = ", ".join([name, *(each for each in parts if each and each not in name.split(", "))])
    band = (y(float(last["most"])), y(float(last["least"])))
    return Chart(title, dots, band, words)
