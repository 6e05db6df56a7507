"""The interface of a section of the page, the search for all sections, and the tables that sections share."""

from __future__ import annotations

import importlib
import importlib.util
import math
import pkgutil
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.contract.analytics import Measure
from balance.contract.game import Game
from balance.foundation.text import nth
from balance.report.context import ReportContext
from balance.report.model import Section, Table, write_estimate
from balance.report.words import more_games, write_smallest
from balance.stats.comparisons import ALPHA

HOME = "balance.report.sections"


class Written(NamedTuple):
    """A section, and the warnings that the first screen shows because of it."""

    section: Section
    warnings: Sequence[str] = ()


class SectionWriter(Protocol):
    """A module in `balance.report.sections`, or in ``analytics.sections`` of a game."""

    __name__: str

    ORDER: int
    """The place on the page: smaller is further up; a game's own sections use 100 to 199.

    A section with verdicts also has ``judges(context) -> int``: its number of families of verdicts. All families on
    the page share its error, so each is corrected for ``context.families``.
    """

    def questions(self, context: ReportContext) -> Sequence[Question]:
        """Return the questions for the run; none if the section does not apply."""

    def write(self, context: ReportContext, answers: Answers) -> Written | None:
        """Return the section; None if there is nothing to show."""


def find_sections(game: Game) -> list[SectionWriter]:
    """Return all sections of a report on this game, in the order of the page.

    Raises
    ------
    BalanceError
        One of the game's own sections lacks ``ORDER``, ``questions`` or ``write``.
    """
    own = f"{game.package}.analytics.sections"
    modules = [importlib.import_module(name) for name in _modules(HOME)]
    found = cast(list[SectionWriter], modules)
    for name in _modules(own):
        module = importlib.import_module(name)
        if missing_names := [
            each for each in ("ORDER", "questions", "write") if not hasattr(module, each)
        ]:
            raise game.fault(f"{name} lacks {', '.join(missing_names)}")
        found.append(cast(SectionWriter, module))
    return sorted(found, key=lambda section: section.ORDER)


def count_families(writers: Sequence[SectionWriter], context: ReportContext) -> int:
    """Return the number of families of verdicts in all sections, at least 1."""
    asked = (getattr(writer, "judges", None) for writer in writers)
    return max(1, sum(int(judges(context)) for judges in asked if judges))


def _modules(package: str) -> list[str]:
    """Return the names of the modules in a package; none if there is no such package."""
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:  # the parent is a module, not a package
        return []
    if spec is None or spec.submodule_search_locations is None:
        return []
    return [f"{package}.{m.name}" for m in pkgutil.iter_modules(spec.submodule_search_locations)]


def side_by_side(
    name: str,
    caption: str,
    data: pd.DataFrame,
    rows: Sequence[str],
    digits: int = 2,
    notes: Sequence[str] = (),
) -> Table:
    """Return a table with a row for each combination of `rows` and an estimate for each player count.

    Parameters
    ----------
    data : DataFrame
        ``players``, the columns `rows` and `notes`, ``value``, ``low``, ``high``, ``n``. An optional ``importance``
        is not shown; a row of the table takes the largest importance of its cells.
    notes : sequence of str
        Columns shown after every estimate, such as a verdict.
    """
    counts = list(dict.fromkeys(data["players"]))
    lines: dict[tuple[Any, ...], dict[str, str]] = {}
    importance: dict[tuple[Any, ...], float] = {}
    keys = data[list(rows)].itertuples(index=False, name=None)
    for key, row in zip(keys, data.itertuples(index=False), strict=True):
        line = lines.setdefault(key, {})
        line[f"{row.players} players"] = write_estimate(row, digits)
        importance[key] = max(importance.get(key, -math.inf), getattr(row, "importance", 0.0))
        for note in notes:
            line[f"{note} ({row.players})"] = str(getattr(row, note))
    headings = [
        heading
        for players in counts
        for heading in (f"{players} players", *(f"{note} ({players})" for note in notes))
    ]
    frame = pd.DataFrame(
        [[*key, *(line.get(heading, "–") for heading in headings)] for key, line in lines.items()],
        columns=[*rows, *headings],
    )
    smallest = f"{write_smallest(data)} in each cell" if len(data) else "no data"
    caption = f"{caption} 95 % intervals; {smallest}."
    raw = data.drop(columns="importance", errors="ignore")
    return Table(name, caption, frame, {}, raw, importance=list(importance.values()))


def share_table(name: str, caption: str, shares: pd.DataFrame, by: str, shared: str) -> Table:
    """Return a table of win shares with verdicts; `shared` is `ReportContext.shared`.

    Only the CSV has the p of a verdict: next to the interval of one figure it would read like a test of that figure.
    """
    frame = shares[["players", "variant", by]].copy()
    if by == "seat":
        frame["seat"] = [nth(seat) for seat in frame["seat"]]
    frame["win share %"] = [write_estimate(row, 2) for row in shares.itertuples()]
    frame["fair %"] = shares["fair"]
    frame["verdict"] = [
        f"{row.verdict}, {more_games(row.more_games)}" if row.more_games else row.verdict
        for row in shares.itertuples()
    ]
    frame["n"], frame["deals"] = shares["n"], shares["decks"]
    caption = f"{caption} 95 % intervals each; {len(shares)} verdicts, corrected together{shared}."
    away = (shares["value"] - shares["fair"]).abs() / shares["fair"]
    formats = {"fair %": ".2f", "n": ",", "deals": ","}
    return Table(name, caption, frame, formats, shares, importance=away.to_list())


def write_effect_verdicts(effects: pd.DataFrame) -> np.ndarray:
    """Return ``higher``, ``lower`` or ``undecided`` for each estimate, by its ``value`` and corrected ``p``."""
    signs = np.where(effects["value"] > 0, "higher", "lower")
    return np.where(effects["p"] < ALPHA, signs, "undecided")


def matrices(
    name: str, caption: str, data: pd.DataFrame, named: tuple[str, str], shown: tuple[float, str]
) -> list[Table]:
    """Return a shaded matrix for each player count, with the variants below each other.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, both columns of `named`, ``value``, ``low``, ``high``, ``n``.
    shown : (float, str)
        The value without shade, and the format of a number.
    """
    rows, columns = named
    middle, spec = shown
    tables = []
    for players, cell in data.groupby("players"):
        order = list(dict.fromkeys(zip(cell["variant"], cell[rows], strict=True)))
        wide = cell.pivot(index=["variant", rows], columns=columns, values="value").loc[order]
        wide = wide.rename(columns=str).reset_index().rename_axis(columns=None)
        half = ((cell["high"] - cell["low"]) / 2).max()
        words = f"{caption}, {players} players. 95 % intervals are at most ± {half:.1f}; "
        words += f"n ≥ {int(cell['n'].min()):,}."
        formats = dict.fromkeys(wide.columns[2:], spec)
        tables.append(Table(f"{name}-{players}", words, wide, formats, middle=middle))
    return tables


def stem(name: str, number: int) -> str:
    """Return the file stem of a figure about one variant: the name, from the second variant on with its number."""
    return f"{name}-{number + 1}" if number else name


def name_group(measure: Measure, group: str) -> str:
    """Return the name of a group for readers: "1st" for seat "0", a strategy as it is."""
    return nth(int(group)) if measure.by == "seat" and group else group


def name_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a sentence, with its seat or strategy."""
    if measure.by == "seat" and group:
        return f"{measure.label.removesuffix(' seat')} {name_group(measure, group)} seat"
    return f"{measure.label} {group}".strip()


def label_of(measure: Measure, group: str = "") -> str:
    """Return a measure's label for a cell or an axis, with its unit."""
    return name_of(measure, group) + (f", {measure.unit}" if measure.unit else "")
