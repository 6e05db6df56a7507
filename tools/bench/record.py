"""The figures as data, with machine, date and commit."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("numba", "numpy", "duckdb", "pyarrow")
DIGITS = 3  # after the point, in JSON


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes
    ----------
    name : str
        The same from run to run; figures in several units may share one.
    value : float
    unit : str
        ``games/s``, ``turns/s``, ``steps/s``, ``s`` or ``MiB``.
    ratio : float or None
        Measured in the same run of the bench.
    ratio_of : str
        Numerator and denominator, with ``this`` for the figure itself: ``this / no logs``.
    change : float or None
        This value divided by that of the record before, perhaps on another machine; None if it had no such figure.
    """

    name: str
    value: float
    unit: str
    ratio: float | None = None
    ratio_of: str = ""
    change: float | None = None

    def shown(self) -> str:
        """Value and unit as the table prints them."""
        if self.unit == "s":
            return f"{self.value:.2f} s"
        return f"{self.value:,.0f} {self.unit}"

    def shown_ratio(self) -> str:
        """Return the ratio and what it is of."""
        return f"{short(self.ratio)} ({self.ratio_of})" if self.ratio is not None else ""


@dataclass(frozen=True)
class Record:
    """Figures of one run of the bench, and the machine."""

    date: str
    commit: str
    cores: int | None
    system: str
    versions: dict[str, str]
    figures: list[Figure] = field(default_factory=list)
    before: str = ""  # date and commit of the record with which it is compared

    def compared_with(self, before: Record) -> Record:
        """Return the record with the change of each figure since another one."""
        figures = []
        for figure in self.figures:
            old = before.find(figure.name, figure.unit)
            figures.append(replace(figure, change=figure.value / old.value if old and old.value else None))
        return replace(self, figures=figures, before=f"{before.date}, commit {before.commit}")

    def find(self, name: str, unit: str) -> Figure | None:
        """Return the figure of this name in this unit."""
        found = (each for each in self.figures if (each.name, each.unit) == (name, unit))
        return next(found, None)

    def machine(self) -> str:
        """Machine, date and commit in one line."""
        return f"{self.cores} cores, {self.system}, Python {self.versions['python']}; {self.date}, commit {self.commit}"

    def to_json(self) -> str:
        """Text for docs/bench.json."""
        data = asdict(self)
        for figure in data["figures"]:
            figure["value"] = round(figure["value"], DIGITS)
            if figure["ratio"] is None:
                del figure["ratio"], figure["ratio_of"]
            else:
                figure["ratio"] = round(figure["ratio"], DIGITS)
            if figure["change"] is None:
                del figure["change"]
            else:
                figure["change"] = round(figure["change"], DIGITS)
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Return the record that `to_json` wrote."""
        data = json.loads(text)
        return cls(**{**data, "figures": [Figure(**each) for each in data["figures"]]})


def record_now(root: Path) -> Record:
    """Return a record of this machine and of the code in `root`, still without figures."""
    versions = {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}}
    return Record(date.today().isoformat(), _commit(root), os.cpu_count(), platform.system(), versions)


def _commit(root: Path) -> str:
    """Short hash of the commit, with ``-dirty`` if files have changed since."""
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def short(value: float) -> str:
    """Return a number as sentences write it: whole from 10 on, two decimals below."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"
