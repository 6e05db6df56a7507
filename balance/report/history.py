"""Verdicts on targets kept over builds: a file with one JSON object a line, appended by `balance check --history`."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd

from balance.experiments.measures import measures_of
from balance.foundation.catalogues import using
from balance.foundation.errors import BalanceError
from balance.foundation.files import MOST_BYTES, append_line, exists, read_text, reason
from balance.foundation.language import SOURCE, tr
from balance.report.words import name_group
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
    measures = {measure.name: measure for measure in measures_of(run.plan)}
    with using(SOURCE):  # the same names in every language, so that a series is one
        groups = [name_group(measures[row.measure], str(row.group)) for row in table.itertuples()]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    same = {"time": now, "run": run.path.name, "source": run.info["source_hash"]}
    rows = table.assign(group=groups, **same)[[*KEYS, *_NUMBERS, *_OTHERS]]
    try:
        for row in json.loads(rows.to_json(orient="records")):
            append_line(path, json.dumps(row, ensure_ascii=False))
    except OSError as error:
        raise BalanceError(
            tr("cannot write {path}: {reason}", path=path, reason=reason(error))
        ) from error


def check_history(path: Path) -> None:
    """Refuse a file that is no history, before anything is computed or appended."""
    read_checks(path)
    if not path.absolute().parent.is_dir():
        raise BalanceError(
            tr("cannot write {path}: the folder does not exist; create it first", path=path)
        )


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
    rows = [
        _read_line(line, tr("{path}: line {n}", path=path, n=number))
        for number, line in enumerate(lines, 1)
    ]
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
        raise BalanceError(
            tr("{place} is not a check of `balance check --history`", place=where)
        ) from None
