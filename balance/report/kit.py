"""What sections are built of: questions, estimates on held-out deals, sentences, figures and tables by variant."""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np
import pandas as pd

from balance.analysis.ended import WITHHELD
from balance.analysis.holdout import estimate_on_holdout
from balance.analysis.question import Means, means, range_at
from balance.analysis.shares import BALANCED, DISFAVOURED, FAVOURED, furthest_shares
from balance.contract.analytics import Measure
from balance.foundation.catalogues import using
from balance.foundation.language import N_, SOURCE, tr, trn
from balance.foundation.text import nth, seat_name
from balance.report.context import ReportContext
from balance.report.model import Figure, Headline, Table
from balance.report.words import (
    count_players,
    label_of,
    more_games,
    smallest_n,
    smallest_n_on_deals,
    would_decide,
    write_estimate,
    write_limit,
    write_players_range,
)
from balance.stats.comparisons import ALPHA, PLAYERS_DIFFER, TOO_FEW, UNDECIDED

CELL = ["players", "variant"]
"""The columns that name a cell of the run."""
HEADINGS = (
    N_("players"), N_("variant"), N_("strategy"), N_("seat"), N_("seats"), N_("measure"), N_("verdict"), N_("round"),
    N_("n"), N_("deals"), N_("games"), N_("group"), N_("mean"), N_("target"), N_("tier"), N_("faction"),
    N_("low"), N_("high"), N_("outcome"), N_("choice"),
)  # fmt: skip
"""Headings of tables and words in captions that columns of the data give."""
P = ParamSpec("P")


class AboutVariant(Protocol):
    """A figure or a headline."""

    @property
    def variant(self) -> str:
        """The variant that it is about."""


T = TypeVar("T", bound=AboutVariant)


# Questions and estimates


def share_of_games(conditions: Mapping[str, str]) -> Means:
    """Return the question in how many games, in percent, each condition holds; conditions are SQL, by name."""
    return share_of_seats(conditions, where="seat = 0")


def share_of_seats(conditions: Mapping[str, str], by: Sequence[str] = CELL, where: str = "true") -> Means:
    """Return the question for how many seats, in percent, each condition holds; conditions are SQL, by name."""
    values = {name: f"100 * ({condition})::INT" for name, condition in conditions.items()}
    return means(values, by, where, top=100)


def largest_on_holdout(halves: pd.DataFrame, names: Sequence[str], size: pd.Series | None = None) -> pd.DataFrame:
    """Choose the largest row of each cell on half of the deals, and return its estimate on the held-out half.

    Parameters
    ----------
    halves : DataFrame
        ``players``, ``variant``, ``half`` (0 or 1), the columns `names`, ``value`` and any others.
    names : sequence of str
        Columns that name a row within a cell.
    size : Series or None
        What to choose by, if it is not the value; rows with NaN are never chosen.
    """
    size = halves["value"] if size is None else size
    return estimate_on_holdout(halves.assign(size=size), ["variant", "players"], names)


# Sentences


def name_largest(row: Any, name: str, write: Callable[[str], str] = tr) -> str:
    """Return the name of a row that was chosen for its size, and the next one if it is not shown to be smaller.

    `row` is from `balance.analysis.holdout.estimate_on_holdout`, `name` its column.
    """
    one, other = write(getattr(row, name)), row.tied and write(row.tied)
    return tr("{one} (not shown to exceed {other})", one=one, other=other) if other else one


def write_headlines(rows: pd.DataFrame, write: Callable[[pd.DataFrame], str], by: Sequence[str] = ()) -> list[Headline]:
    """Return a sentence for each variant, "VARIANT: TEXT."; none for a variant whose text is empty.

    `write` returns the text from the rows of a variant or, with further columns `by`, of each combination of their
    values.
    """
    found = []
    for (variant, *_), part in rows.groupby(["variant", *by], sort=False):
        if text := write(part):
            found.append(Headline(f"{variant}: {text}.", str(variant)))
    return found


def write_cell_headlines(rows: pd.DataFrame, write: Callable[[Any], str]) -> list[Headline]:
    """Return a sentence for each row, "VARIANT, N players: TEXT."; `write` returns the text of a row."""
    return [write_cell_headline(row.variant, row.players, write(row)) for row in rows.itertuples()]


def write_cell_headline(variant: str, players: int, text: str) -> Headline:
    """Return a sentence about a cell of the run, "VARIANT, N players: TEXT."."""
    words = trn(
        "{variant}, {n} player: {text}.", "{variant}, {n} players: {text}.", players, variant=variant, text=text
    )
    return Headline(words, variant)


def write_share_verdict(shares: pd.DataFrame, things: str, furthest: str, which: str = "") -> str:
    """Return whether the win shares of a cell are balanced; "" if the verdict is withheld.

    Parameters
    ----------
    shares : DataFrame
        The rows of one cell, from `balance.analysis.shares.judge_shares`.
    things : str
        What has the shares, such as "seats", in the language in use.
    furthest : str
        A clause about the share furthest from fair.
    which : str
        Which of them are favoured and disfavoured.
    """
    verdicts = set(shares["verdict"])
    if WITHHELD in verdicts:
        return ""  # the warnings list the cell first, see `balance.report.sections.played`
    if TOO_FEW in verdicts:
        return tr("there are too few deals to judge the {things} ({n})", things=things, n=int(shares["decks"].min()))
    if verdicts == {BALANCED}:
        return tr(
            "all {things} are balanced, within {limit} of fair; {furthest}",
            things=things,
            limit=write_limit(float(shares["limit"].iloc[0])),
            furthest=furthest,
        )
    if verdicts & {FAVOURED, DISFAVOURED}:
        why = "; ".join(filter(None, (which, furthest)))
        return tr("the {things} are not balanced: {why}", things=things, why=why)
    if PLAYERS_DIFFER in verdicts:
        return tr(
            "players differ on the {things}, and more games can't decide: {ranges}; {furthest}",
            things=things,
            ranges=_write_ranges(shares[shares["verdict"] == PLAYERS_DIFFER]),
            furthest=furthest,
        )
    decides = would_decide(int(shares["more_games"].max()))
    return tr("the {things} are undecided: {furthest}", things=things, furthest=furthest) + decides


def _write_ranges(shares: pd.DataFrame) -> str:
    """Return between which shares equally strong networks lie, for each row of a cell."""
    by = next(name for name in shares if name not in CELL)
    names = [seat_name(int(each)) if by == "seat" else tr(str(each)) for each in shares[by]]
    ranges = {name: range_at(shares, number, 100) for number, name in enumerate(names)}
    return write_players_range(ranges, int(shares["networks"].iloc[0]), "%")


def write_share_headlines(
    context: ReportContext,
    shares: pd.DataFrame,
    things: str,
    describe: Callable[[Any], str],
    which: Callable[[pd.DataFrame], str] = lambda cell: "",
) -> list[Headline]:
    """Return a verdict for each shown cell, with the figure of the verdict grid; none where it is withheld.

    `describe` returns a clause about the share furthest from fair, `which` the shares of a cell that are favoured and
    disfavoured; see `write_share_verdict` for the others.
    """
    found = []
    cells = dict(iter(shares.groupby(["variant", "players"])))
    for row in context.of_shown(furthest_shares(shares)).itertuples():
        cell = cells[row.variant, row.players]
        if text := write_share_verdict(cell, things, describe(row), which(cell)):
            found.append(write_cell_headline(str(row.variant), row.players, text))
    return found


def write_effect_verdicts(effects: pd.DataFrame) -> np.ndarray:
    """Return ``higher``, ``lower`` or ``undecided`` for each estimate, by its ``value`` and corrected ``p``."""
    signs = np.where(effects["value"] > 0, "higher", "lower")
    return np.where(effects["p"] < ALPHA, signs, UNDECIDED)


def write_verdicts(table: pd.DataFrame, unit: str = "") -> list[str]:
    """Return the ``verdict`` of each row, with the number of games that would settle it, or how far players differ.

    `unit` is that of the values; "%" has an upper end.
    """
    found = []
    for number, row in enumerate(table.itertuples()):
        verdict = str(row.verdict)
        if row.more_games:
            verdict = f"{tr(verdict)}, {more_games(row.more_games)}"
        elif verdict == PLAYERS_DIFFER:
            ends = range_at(table, number, 100 if unit == "%" else None)
            verdict = f"{tr(verdict)}, {write_players_range({'': ends}, row.networks, unit)}"
        found.append(verdict)
    return found


def of_tier(context: ReportContext, name: str) -> str:
    """Return a tier in brackets after the games of a sentence, "" if the run has no others."""
    return f" ({tr('tier {tier}', tier=name)})" if context.other_tiers else ""


def run_argument(context: ReportContext) -> str:
    """Return the run for a command line."""
    return shlex.quote(str(context.run.named))


# Figures


def figures_by_variant(
    context: ReportContext,
    name: str,
    caption: str,
    data: pd.DataFrame,
    draw: Callable[Concatenate[str, str, pd.DataFrame, P], Figure],
    *args: P.args,
    **options: P.kwargs,
) -> list[Figure]:
    """Draw a figure about each shown variant that has rows.

    Parameters
    ----------
    name : str
        File stem of the first figure; the others have a number too.
    caption : str
        Without a full stop; the name of the variant follows it.
    draw : callable
        Draws one figure from a file stem, a caption, the rows of a variant, and the arguments that follow.
    """
    figures = []
    for number, variant in enumerate(context.shown):
        rows = data[data["variant"] == variant]
        if len(rows):
            stem = f"{name}-{number + 1}" if number else name
            words = tr("{caption}, variant {variant}.", caption=caption, variant=variant)
            figure = draw(stem, words, rows, *args, **options)
            figures.append(replace(figure, variant=variant))
    return figures


def in_variant_order(context: ReportContext, parts: Iterable[T]) -> list[T]:
    """Return figures or headlines with those about one variant next to each other."""
    return sorted(parts, key=lambda part: context.shown.index(part.variant))


# Tables


REST = N_("the rest")
WINNERS, OTHERS = N_("winners"), N_("the others")


def name_winners(table: pd.DataFrame, others: str = OTHERS) -> pd.DataFrame:
    """Return a table with the column ``seats``: "winners" where ``is_winner`` is 1, else `others`."""
    return table.assign(seats=table["is_winner"].map({1: WINNERS, 0: others}))


def side_by_side(
    name: str,
    caption: str,
    data: pd.DataFrame,
    rows: Sequence[str],
    digits: int = 2,
    notes: Sequence[str] = (),
    words: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
) -> Table:
    """Return a table with a row for each combination of `rows` and an estimate for each player count.

    Parameters
    ----------
    data : DataFrame
        ``players``, the columns `rows` and `notes`, ``value``, ``low``, ``high``, ``n``. An optional ``importance``
        is not shown; a row of the table takes the largest importance of its cells.
    notes : sequence of str
        Columns shown after every estimate, such as a verdict.
    words : callable or None
        Returns the data with texts in the language in use, such as labels of measures; the CSV has them in English.
        Columns of plain words need it not: the page translates them.
    """
    raw = data
    if words:
        with using(SOURCE):
            raw = words(data)
        data = words(data)
    lines: dict[tuple[Any, ...], dict[str, str]] = {}
    importance: dict[tuple[Any, ...], float] = {}
    keys = data[list(rows)].itertuples(index=False, name=None)
    for key, row in zip(keys, data.itertuples(index=False), strict=True):
        line = lines.setdefault(key, {})
        line[count_players(row.players)] = write_estimate(row, digits)
        importance[key] = max(importance.get(key, -math.inf), getattr(row, "importance", 0.0))
        for note in notes:
            line[f"{tr(note)} ({row.players})"] = tr(str(getattr(row, note)))
    headings = [
        heading
        for players in dict.fromkeys(data["players"])
        for heading in (count_players(players), *(f"{tr(note)} ({players})" for note in notes))
    ]
    cells = [[*key, *(line.get(heading, "–") for heading in headings)] for key, line in lines.items()]
    frame = pd.DataFrame(cells, columns=[*rows, *headings])
    filled = data[data["n"] > 0]
    n = tr("{n} in each cell", n=smallest_n_on_deals(filled)) if len(filled) else tr("no data")
    caption = tr("{caption} 95 % intervals; {n}.", caption=caption, n=n)
    raw = raw.drop(columns="importance", errors="ignore")
    return Table(name, caption, frame, raw=raw, importance=list(importance.values()))


def label_measures(measures: Iterable[Measure], table: pd.DataFrame) -> pd.DataFrame:
    """Return a table with the labels of measures, instead of their names, in the column ``measure``."""
    return table.assign(measure=table["measure"].map({each.name: label_of(each) for each in measures}))


def uncorrected_table(name: str, caption: str, data: pd.DataFrame, rows: Sequence[str]) -> Table:
    """Return a table of associations that no correction holds together; those whose interval excludes 0 come first.

    The caption has no full stop; a note on the number of comparisons follows it.
    """
    excludes = data["low"] * data["high"] > 0
    caption = trn(
        "{caption}; {n} comparison without a correction: about {chance} intervals exclude 0 by chance.",
        "{caption}; {n} comparisons without a correction: about {chance} intervals exclude 0 by chance.",
        len(data), caption=caption, chance=len(data) // 20,
    )  # fmt: skip
    data = data.assign(importance=data["value"].abs().where(excludes, 0.0))
    return side_by_side(name, caption, data, rows, 1)


def spread_columns(
    data: pd.DataFrame, rows: Sequence[str], column: str, write: Callable[[Any], str] = write_estimate
) -> pd.DataFrame:
    """Return a row for each combination of `rows`, a text for each value of `column`, and the smallest ``n``.

    Rows and columns are in the order of the data; a missing cell is a dash.
    """
    texts = data.assign(text=[write(row) for row in data.itertuples()])
    order = pd.MultiIndex.from_frame(data[list(rows)].drop_duplicates())
    wide = texts.pivot(index=list(rows), columns=column, values="text")
    wide = wide.reindex(index=order, columns=list(dict.fromkeys(data[column]))).fillna("–")
    wide["n"] = data.groupby(list(rows))["n"].min()
    return wide.reset_index().rename_axis(columns=None)


def share_table(name: str, caption: str, shares: pd.DataFrame, by: str, shared: str) -> Table:
    """Return a table of win shares with verdicts; `shared` is `ReportContext.shared`.

    Only the CSV has the p of a verdict: next to the interval of one figure it would read like a test of that figure.
    """
    frame = shares[["players", "variant", by]].copy()
    if by == "seat":
        frame["seat"] = [nth(seat) for seat in frame["seat"]]
    frame[N_("win share %")] = [write_estimate(row, 2) for row in shares.itertuples()]
    frame[N_("fair %")] = shares["fair"]
    frame["verdict"] = write_verdicts(shares, "%")
    frame["n"], frame["deals"] = shares["n"], shares["decks"]
    caption = trn(
        "{caption} 95 % intervals each; {n} verdict, corrected together{shared}.",
        "{caption} 95 % intervals each; {n} verdicts, corrected together{shared}.",
        len(shares), caption=caption, shared=shared,
    )  # fmt: skip
    away = (shares["value"] - shares["fair"]).abs() / shares["fair"]
    formats = {"fair %": ".2f", "n": ",", "deals": ","}
    return Table(name, caption, frame, formats, shares, importance=away.to_list())


def matrices(
    name: str, caption: str, data: pd.DataFrame, named: tuple[str, str], middle: float, spec: str
) -> list[Table]:
    """Return a shaded matrix for each player count, with the variants below each other.

    Parameters
    ----------
    data : DataFrame
        ``players``, ``variant``, both columns of `named`, ``value``, ``low``, ``high``, ``n``.
    named : (str, str)
        The columns for the rows and the columns of a matrix.
    middle : float
        The value without shade.
    spec : str
        The format of a number.
    """
    rows, columns = named
    tables = []
    for players, cell in data.groupby("players"):
        order = list(dict.fromkeys(zip(cell["variant"], cell[rows], strict=True)))
        wide = cell.pivot(index=["variant", rows], columns=columns, values="value").loc[order]
        wide = wide.rename(columns=str).reset_index().rename_axis(columns=None)
        half = ((cell["high"] - cell["low"]) / 2).max()
        intervals = (
            tr("95 % intervals are at most ± {half:.1f}", half=half)
            if math.isfinite(half)
            else tr("one deal gives no interval")
        )
        words = trn(
            "{caption}, {n} player: {intervals}; {smallest}.", "{caption}, {n} players: {intervals}; {smallest}.",
            players, caption=caption, intervals=intervals, smallest=smallest_n(cell),
        )  # fmt: skip
        formats = dict.fromkeys(wide.columns[2:], spec)
        tables.append(Table(f"{name}-{players}", words, wide, formats, middle=middle, named=formats))
    return tables
