"""Verdicts on targets for other programs: as JUnit XML, which CI services show, and a history over builds.

The history is a file with one JSON object a line, appended by `balance check --history`.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pandas as pd

from balance.experiments.measures import named_measures
from balance.experiments.plan import Plan
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.foundation.files import MOST_BYTES, append_line, exists, read_text, reason, write_file
from balance.foundation.language import SOURCE, tr
from balance.report.words import more_games, name_group
from balance.runs.folder import RunFolder

KEYS = ("target", "players", "variant", "group")
"""What a series of checks is about."""
_NUMBERS = ("value", "low", "high", "least", "most")
_OTHERS = ("time", "run", "source", "verdict", "n")
_COUNTS = ("players", "n")
_TEXTS = ("target", "variant", "group", "time", "run", "source", "verdict")


def keep_checks(table: pd.DataFrame, run: RunFolder, path: Path) -> None:
    """Append the checks of a run, from `balance.analysis.target_checks.check_targets`, to a history file."""
    check_history(path)
    measures = named_measures(run.plan)
    with using(SOURCE):  # the same names in every language, so that a series is one
        groups = [name_group(measures[row.measure], str(row.group)) for row in table.itertuples()]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    same = {"time": now, "run": run.path.name, "source": run.info["source_hash"]}
    rows = table.assign(group=groups, **same)[[*KEYS, *_NUMBERS, *_OTHERS]]
    try:
        for row in json.loads(rows.to_json(orient="records")):
            append_line(path, json.dumps(row, ensure_ascii=False))
    except OSError as error:
        raise BalanceError(tr("cannot write {path}: {reason}", path=path, reason=reason(error))) from error


def check_history(path: Path) -> None:
    """Refuse a file that is no history, before anything is computed or appended."""
    read_checks(path)
    if not path.absolute().parent.is_dir():
        raise BalanceError(tr("cannot write {path}: the folder does not exist; create it first", path=path))


def read_checks(path: Path) -> pd.DataFrame:
    """Return the checks of a history file in its order; none if the file does not exist yet.

    Returns
    -------
    DataFrame
        ``target``, ``players``, ``variant``, ``group``, ``value``, ``low``, ``high``, ``least`` and ``most`` (the
        bounds, infinite where there is none), ``time`` (ISO 8601), ``run``, ``source`` (the hash of the sources that
        played), ``verdict``, ``n``.
    """
    lines = _read_lines(path) if exists(path) else []
    rows = [_read_line(line, tr("{path}: line {n}", path=path, n=number)) for number, line in enumerate(lines, 1)]
    table = pd.DataFrame(rows, columns=[*KEYS, *_NUMBERS, *_OTHERS])
    ends = {"low": -math.inf, "least": -math.inf, "high": math.inf, "most": math.inf}
    return table.astype(dict.fromkeys(_NUMBERS, float)).fillna(ends)


def _read_lines(path: Path) -> list[str]:
    if path.stat().st_size > MOST_BYTES:
        raise BalanceError(
            tr(
                "{path} has more than {size} MB; move it away, or name a new file with --history",
                path=path,
                size=MOST_BYTES // 1_000_000,
            )
        )
    return read_text(path).splitlines()


def _read_line(line: str, where: str) -> dict[str, Any]:
    try:
        row = dict(json.loads(line))
        for name in _NUMBERS:
            row[name] = math.nan if row[name] is None else row[name] + 0.0
        if not all(isinstance(row[name], str) for name in _TEXTS):
            raise TypeError
        if not all(type(row[name]) is int for name in _COUNTS):
            raise TypeError
        return {name: row[name] for name in (*KEYS, *_NUMBERS, *_OTHERS)}
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        raise BalanceError(tr("{place} is not a check of `balance check --history`", place=where)) from None


# By XML 1.0, section 2.2.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(table: pd.DataFrame, plan: Plan, suite: str, path: Path) -> None:
    """Write one test suite with a test case for each target.

    A target that is missed anywhere is a ``failure``. A target that is undecided is ``skipped``, not an ``error``: the
    check worked, and no check shows a problem in the game. `table` is from
    `balance.analysis.target_checks.check_targets`.
    """
    measures = named_measures(plan)
    with using(SOURCE):  # programs read it
        groups = [name_group(measures[row.measure], row.group) for row in table.itertuples()]
        table = table.assign(group=groups)
        cases = [_case(target, rows, suite) for target, rows in table.groupby("target", sort=False)]
    counts = {"tests": len(cases), "errors": 0}
    for name, tag in (("failures", "failure"), ("skipped", "skipped")):
        counts[name] = sum(case.find(tag) is not None for case in cases)
    found = Xml.Element("testsuite", {"name": _legal(suite), **{k: str(n) for k, n in counts.items()}})
    found.extend(cases)
    Xml.indent(found)
    write_file(path, Xml.tostring(found, encoding="utf-8", xml_declaration=True))


def _case(target: str, rows: pd.DataFrame, suite: str) -> Xml.Element:
    case = Xml.Element("testcase", {"classname": _legal(suite), "name": _legal(target)})
    open_rows = rows[rows["verdict"] != "pass"]
    missed = rows[rows["verdict"] == "fail"]
    if len(open_rows):
        first = next((missed if len(missed) else open_rows).itertuples())
        what = Xml.SubElement(case, "failure" if len(missed) else "skipped", {"message": _legal(_line(first))})
        what.text = _lines(open_rows)
    Xml.SubElement(case, "system-out").text = _lines(rows)
    return case


def _lines(rows: pd.DataFrame) -> str:
    return _legal("\n".join(_line(row) for row in rows.itertuples()))


def _line(row: Any) -> str:
    """Return a check in words: player count and variant, the mean found, the bounds wanted."""
    where = f"{row.players} players, {row.variant}" + (f", {row.measure} {row.group}" if row.group else "")
    more = f", {more_games(row.more_games)}" if row.more_games else ""
    return (
        f"{row.verdict}{more}: {where}: mean {row.value:.2f} ({row.low:.2f} to {row.high:.2f}), wanted "
        f"{_wanted(row.least, row.most)}, n = {row.n:,} on {row.decks:,} deals"
    )


def _wanted(least: float, most: float) -> str:
    if math.isinf(least):
        return f"at most {most:.4g}"
    return f"at least {least:.4g}" if math.isinf(most) else f"{least:.4g} to {most:.4g}"


def _legal(text: str) -> str:
    """Return a text without the characters that XML forbids."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
