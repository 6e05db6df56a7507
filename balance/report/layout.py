"""Tables that sections share: estimates by player count side by side, shares with verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from balance.contract.measure import Measure
from balance.contract.words import nth
from balance.report.model import Table, write_estimate
from balance.report.words import more_games, write_smallest
from balance.stats.comparisons import ALPHA


def side_by_side(
    name: str,
    caption: str,
    data: pd.DataFrame,
    rows: Sequence[str],
    digits: int = 2,
    notes: Sequence[str] = (),
) -> Table:
    """A row for each combination of `rows`, a column for each player count, an estimate in each cell.

    Parameters
    ----------
    data : DataFrame
        ``players``, the columns `rows` and `notes`, ``value``, ``low``, ``high``, ``n``; with ``importance``, which no
        reader sees, a row matters as much as where it matters most.
    notes : sequence of str
        Columns shown behind every estimate, a verdict for example.
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
    """Win shares with verdicts, a row each; `shared` is that of `Facts`.

    The p of a verdict is in the CSV alone: next to the interval of one figure it reads like a test of that figure.
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
    """A shaded table for each player count: rows against columns, each variant's below the other's.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, both columns of `named`, ``value``, ``low``, ``high``, ``n``.
    shown : (float, str)
        What shades start from, and the format of a number.
    """
    rows, columns = named
    middle, spec = shown
    tables = []
    for players, cell in data.groupby("players"):
        order = list(dict.fromkeys(zip(cell["variant"], cell[rows], strict=True)))
        wide = cell.pivot(index=["variant", rows], columns=columns, values="value").loc[order]
        wide = wide.rename(columns=str).reset_index().rename_axis(columns=None)
        half = ((cell["high"] - cell["low"]) / 2).max()
        words = f"{caption}, {players} players. 95 % intervals reach ± {half:.1f} at most; "
        words += f"n ≥ {int(cell['n'].min()):,}."
        formats = dict.fromkeys(wide.columns[2:], spec)
        tables.append(Table(f"{name}-{players}", words, wide, formats, middle=middle))
    return tables


def stem(name: str, number: int) -> str:
    """What a figure of one variant is called: the name, from the second with the variant's number."""
    return f"{name}-{number + 1}" if number else name


def name_group(measure: Measure, group: str) -> str:
    """Name a group of a measure for readers: a seat, which tables count from 0, is the 1st, a strategy is itself."""
    return nth(int(group)) if measure.by == "seat" and group else group


def name_of(measure: Measure, group: str = "") -> str:
    """A measure in a sentence: its label, and of which seat or strategy."""
    if measure.by == "seat" and group:
        return f"{measure.label.removesuffix(' seat')} {name_group(measure, group)} seat"
    return f"{measure.label} {group}".strip()


def label_of(measure: Measure, group: str = "") -> str:
    """A measure in a cell or on an axis: its name and its unit."""
    return name_of(measure, group) + (f", {measure.unit}" if measure.unit else "")
