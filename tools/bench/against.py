"""Speed compared with an earlier revision, in one run: its commands and those of today take turns."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.playing import KORONA, NA_GRUNWALD, THINKERS, WHOLE, Thinker, alternate, ratio_of
from bench.record import Figure
from bench.sizes import Sizes
from bench.tasks import spend

ROOT = Path(__file__).resolve().parents[2]
_FEW = 2  # games of a command whose time is that of its start
PLAYERS = (
    Thinker(NA_GRUNWALD, "random", 4, 200_000),
    Thinker(NA_GRUNWALD, "generalist", 4, 60_000),
    Thinker(KORONA, "champion", 4, 6_000),
    *(each._replace(games=4 * each.games) for each in THINKERS),
)


def all_against(revision: str, sizes: Sizes) -> Iterator[Figure]:
    """Yield games a processor second of one worker with log level `games`, with the ratio to an earlier revision.

    Processor time, because other work on the machine moves it least. That of a command with two games is subtracted.
    Both revisions play with what they ship: networks may differ.
    """
    with checked_out(revision) as folder:
        for each in PLAYERS:
            games = max(_FEW + 2, int(each.games * sizes.thinkers))
            measures = [_command(each, games, place) for place in (ROOT, folder)]
            now, before = alternate(measures, sizes.pairs)
            name = f"{each.name}, {WHOLE}"
            yield Figure(name, statistics.median(now), "games/CPU s", ratio_of(now, before), f"this / {revision}")


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Provide a folder with the source of a revision."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "before"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", folder, revision], check=True)
        try:
            yield folder
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", folder], check=True)


def _command(each: Thinker, games: int, source: Path) -> Callable[[], float]:
    """Measures games a processor second of `balance run` with the package in `source`."""
    words = f"run --game {each.game.name} --players {each.players} --strategies {each.strategy} --workers 1 --quiet"

    def seconds(count: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            out = ("--games", count, "--out", Path(folder) / "run")
            return spend("balance", *words.split(), *out, source=source).cpu

    return lambda: games / max(1e-9, seconds(games) - seconds(_FEW))
