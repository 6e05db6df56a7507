"""Verdicts on targets as JUnit XML, which CI services show with the tests of a build."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pandas as pd

from balance.experiments.measures import measures_of
from balance.experiments.plan import Plan
from balance.foundation.catalogues import using
from balance.foundation.files import write_file
from balance.foundation.language import SOURCE
from balance.report.words import more_games, name_group

# By XML 1.0, section 2.2.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(table: pd.DataFrame, plan: Plan, suite: str, path: Path) -> None:
    """Write one test suite with a test case for each target.

    A target that is missed anywhere is a ``failure``. A target that is undecided is ``skipped``, not an ``error``: the
    check worked, and no check shows a problem in the game. `table` is from
    `balance.analysis.target_checks.check_targets`.
    """
    measures = {measure.name: measure for measure in measures_of(plan)}
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
        what = Xml.SubElement(
            case, "failure" if len(missed) else "skipped", {"message": _legal(_line(first))}
        )
        what.text = _lines(open_rows)
    Xml.SubElement(case, "system-out").text = _lines(rows)
    return case


def _lines(rows: pd.DataFrame) -> str:
    return _legal("\n".join(_line(row) for row in rows.itertuples()))


def _line(row: Any) -> str:
    """Return a check in words: player count and variant, the mean found, the bounds wanted."""
    where = f"{row.players} players, {row.variant}" + (
        f", {row.measure} {row.group}" if row.group else ""
    )
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
