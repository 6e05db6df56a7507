"""Small runs for tests."""

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from balance.experiments.experiment import MOST_GAMES, make_experiment
from balance.experiments.plan import Plan
from balance.experiments.planning import make_plan
from balance.report import write_report
from balance.runs.folder import RunFolder
from balance.runs.lock import hold
from balance.runs.manifest import (
    Bond,
    FileFacts,
    Listed,
    WrittenPart,
    hash_file,
    hash_parts,
    part_path,
    read_manifest,
    write_manifest,
)
from balance.runs.runner import Decided, play_run
from balance.runs.workers import Threads
from balance.studies.playing import play_plan, resume_run


def plan_of(folder: Path = Path(), **keys: object) -> Plan:
    """Return the plan of a small experiment; `folder` is where its paths start."""
    data = {"game": "na-grunwald", "players": [4], "strategies": ["random"], "games": 20, **keys}
    return make_plan(make_experiment(data), folder, "test")


def play(path: Path, workers: int = 1, **keys: object) -> Path:
    """Play a small experiment into `path`."""
    play_plan(plan_of(**keys), path, Threads(workers))
    return path


def read_rows(run: Path, table: str) -> pd.DataFrame:
    """Return the rows of a table of a run, as they were written."""
    rows: pd.DataFrame = pq.read_table(run / table).to_pandas()
    return rows


def read_info(run: Path) -> dict[str, Any]:
    """Return the content of `run.json`."""
    info: dict[str, Any] = json.loads((run / "run.json").read_text(encoding="utf-8"))
    return info


def start(plan: Plan, path: Path, decided: Decided = lambda run, cell, played: False, **how: Any) -> RunFolder:
    """Play a plan into `path` with another stop rule, or by other workers."""
    run = RunFolder.create(path, plan)
    with hold(run.path):
        play_run(run, decided, **how)
    return run


@contextmanager
def without_figures() -> Iterator[None]:
    """Leave figures empty: laying out and drawing them takes four tenths of the time of a report."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="72pt" viewBox="0 0 72 72"></svg>'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("balance.report.figures.saving.save", lambda drawing: (svg, b""))
        patch.setattr("matplotlib.figure.Figure.tight_layout", lambda *_, **__: None)
        yield


@contextmanager
def without_pngs() -> Iterator[None]:
    """Leave PNGs empty and figures as they fall, where only the text of their SVGs is read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("balance.report.figures.saving.save_png", lambda drawing: b"")
        patch.setattr("matplotlib.figure.Figure.tight_layout", lambda *_, **__: None)
        yield


def report_text(run: Path, out: Path, tier: str | None = None, name: str = "report.md") -> str:
    """Write a report on a run, about a tier, into the folder `out`; return its Markdown, or another of its pages."""
    write_report([RunFolder.open_finished(run, tier)], out)
    return (out / name).read_text(encoding="utf-8")


def old_profile(name: str, game: str = "na_grunwald") -> str:
    """Return the file of a profile as it was before training, so that assertions about it stay true."""
    return str(Path(__file__).parents[1] / "games" / game / "profiles" / f"{name}.toml")


def resume(path: Path, workers: int = 1) -> Path:
    """Finish a run."""
    resume_run(path, workers=Threads(workers))
    return path


def digest(run: Path) -> dict[str, str]:
    """Return a hash of every data file of a run."""
    return {
        path.relative_to(run).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(run.rglob("*.parquet"))
    }


def parts_of(run: Path) -> list[WrittenPart]:
    """Return the parts of a run."""
    return list(read_manifest(run, RunFolder.open(run).bond).parts)


def listed(run: Path) -> list[WrittenPart]:
    """Return the parts of a run without their times."""
    return [part._replace(seconds=0.0) for part in parts_of(run)]


def relist(run: Path, parts: list[WrittenPart]) -> None:
    """List the parts of a run again, as if they had been played so; added tables stay listed."""
    identity = RunFolder.open(run).identity
    added = read_manifest(run, Bond(identity), skip_damaged=True).added
    write_manifest(run, Listed(parts, added), identity)
    edit_info(run, parts_hash=hash_parts(parts, identity))


def plant(run: Path, table: str, change: Callable[[pd.DataFrame], None]) -> None:
    """Change rows of a run and list its files again, as if the games had been played so."""
    parts = []
    for part in parts_of(run):
        path = part_path(run, table, part.stem)
        schema, rows = pq.read_schema(path), pq.read_table(path).to_pandas()
        change(rows)
        pq.write_table(pa.Table.from_pandas(rows, schema, preserve_index=False), path)
        facts = FileFacts(len(rows), path.stat().st_size, hash_file(path))
        parts.append(part._replace(files={**part.files, table: facts}))
    relist(run, parts)


def edit_info(run: Path, **keys: object) -> None:
    """Change keys of `run.json`."""
    (run / "run.json").write_text(json.dumps({**read_info(run), **keys}))


def game_of(cell: int, number: int) -> int:
    """Return the `game_id` of a game by its number in its cell."""
    return cell * MOST_GAMES + number
