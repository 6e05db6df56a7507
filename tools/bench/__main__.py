"""The command line: measure all, print the table, keep the figures."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]  # for `bench` and `support` in `python tools/bench`

import bench  # noqa: E402
from bench import against, c_baseline, environments, live, oracles, playing, reading, starting  # noqa: E402
from bench.record import Figure, Record, record_now  # noqa: E402
from bench.sizes import FULL, Sizes  # noqa: E402
from bench.tables import with_tables  # noqa: E402


def main() -> None:
    """Measure, print and save."""
    options = _options()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # users' Python keeps the bytecode of modules
    record = record_now(ROOT)
    try:
        figures = measure_all(FULL, options.quick)
        for figure in chain(figures, against.all_against(options.against, FULL) if options.against else ()):
            record.figures.append(figure)
    finally:  # show the figures even if a later measurement fails
        Console(width=140).print(_table(record))
    if not (options.quick or options.no_save):
        save(record, ROOT)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tools/bench", description=bench.__doc__)
    parser.add_argument("--quick", action="store_true", help="skip memory, cold compile and reports; print only")
    parser.add_argument("--no-save", action="store_true", help="print only: docs/bench.json and docs/speed.md stay")
    parser.add_argument("--against", metavar="REVISION", help="compare with an earlier revision, in turns")
    return parser.parse_args()


def measure_all(sizes: Sizes, quick: bool = False) -> Iterator[Figure]:
    """Yield every figure as soon as it is measured."""
    yield from playing.all_levels(sizes)
    yield from c_baseline.c_speeds(sizes)
    yield from oracles.polska_speeds(sizes)
    yield from oracles.na_grunwald_speed(sizes)
    yield from oracles.grody_speeds(sizes)
    yield from oracles.korona_speeds(sizes)
    yield from playing.searchers(sizes)
    yield from playing.thinkers(sizes)
    yield from playing.two_workers(sizes)
    yield from starting.starts(sizes, quick)
    yield from live.grids(sizes)
    yield from environments.environments(sizes.environment_seconds)
    if not quick:
        yield reading.memory_of_playing(sizes)
        yield from reading.reading(sizes)
        yield from reading.traced_report(sizes)


def save(record: Record, root: Path) -> None:
    """Write the figures to docs/bench.json, and from there to the tables of docs/speed.md."""
    kept, page = root / "docs" / "bench.json", root / "docs" / "speed.md"
    before = Record.from_json(kept.read_text(encoding="utf-8"))
    kept.write_text(record.compared_with(before).to_json(), encoding="utf-8")
    record = Record.from_json(kept.read_text(encoding="utf-8"))
    page.write_text(with_tables(page.read_text(encoding="utf-8"), record), encoding="utf-8")


def _table(record: Record) -> Table:
    """One row for each name, with all that was measured under it."""
    table = Table("what", "figure", "ratio", title="balance bench", caption=record.machine())
    for name in dict.fromkeys(figure.name for figure in record.figures):
        named = [figure for figure in record.figures if figure.name == name]
        ratios = [figure.shown_ratio() for figure in named if figure.ratio is not None]
        table.add_row(name, ", ".join(figure.shown() for figure in named), ", ".join(ratios))
    return table


if __name__ == "__main__":
    main()
