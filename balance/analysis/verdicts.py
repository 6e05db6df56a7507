"""The verdict grid: a word for every question, player count and variant.

One rule for all: an interval, widened so that all intervals of a page hold together, is compared with a band. Inside
is good, outside is not; an interval that includes an edge is close, or unsure if it is too wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from balance.analysis.ended import WITHHELD, Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.shares import BALANCED, UNDECIDED
from balance.analysis.target_checks import widen
from balance.contract.analytics import Measure
from balance.experiments.measures import seconds_per_choice
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.stats.comparisons import ALPHA, LEAST_DECKS, TOO_FEW, shrink
from balance.stats.intervals import Interval, share_error

SEATS, STRATEGIES, COMEBACKS, LENGTH, TARGETS = "seats", "strategies", "comebacks", "length", "targets"
GOOD, WATCH, BAD, OPEN, NONE = "good", "watch", "bad", "open", "none"
"""Kinds of verdicts: three from good to bad, then two without a judgement."""
WORSE = {GOOD: 0, WATCH: 1, BAD: 2}
UNSURE, CLOSE = "unsure", "close"
OPEN_RACE, RUNAWAY, LATE = "open", "runaway", "late"
SHORT, FITS, LONG = "short", "fits", "long"
NO_TARGET, BY_PACE = "no target", "by pace"
OPEN_WORDS = frozenset({CLOSE, UNSURE, NO_TARGET, BY_PACE, TOO_FEW, WITHHELD})
"""Words for results that are not shown either way."""
COMEBACK_ROOM = 10.0  # points: the largest width of an interval about comebacks that counts as close
COLUMNS = ["row", "players", "variant", "kind", "word", "name", "value", "low", "high", "n"]


Place = tuple[str, int, str]
"""Row, player count and variant of a cell."""


def place_of(cell: Any) -> Place:
    """Return the place of a row of cells, or of changes."""
    return cell.row, cell.players, cell.variant


def by_place(cells: pd.DataFrame) -> dict[Place, Any]:
    """Return the rows of cells by their place."""
    return {place_of(cell): cell for cell in cells.itertuples()}


class Mark(NamedTuple):
    """A kind of verdict and its word."""

    kind: str
    word: str


def place(low: float, high: float, least: float, most: float, room: float) -> str:
    """Return where an interval lies: ``in``, ``under``, ``over``, `CLOSE` (includes an edge) or `UNSURE` (wider than
    `room`).
    """
    if least <= low and high <= most:
        return "in"
    if high < least:
        return "under"
    if low > most:
        return "over"
    return CLOSE if high - low <= room else UNSURE


def seat_cells(shares: pd.DataFrame, thresholds: Thresholds) -> pd.DataFrame:
    """Return cells on how fair the seats are, from `balance.analysis.shares.judge_shares`; they name the furthest."""
    far = max(thresholds.seats, thresholds.unfair)

    def judge(cell: pd.DataFrame) -> Mark:
        if ((cell["wide_low"] > cell["fair"] + far) | (cell["wide_high"] < cell["fair"] - far)).any():
            return Mark(BAD, "unfair")
        shown = ~cell["verdict"].isin([BALANCED, UNDECIDED])
        return Mark(WATCH, "tilted") if shown.any() else _within(cell, "fair")

    return _cells(SEATS, shares, "seat", judge)


def strategy_cells(shares: pd.DataFrame) -> pd.DataFrame:
    """Return cells on how many strategies are off, from `balance.analysis.shares.judge_shares`."""

    def judge(cell: pd.DataFrame) -> Mark:
        off = int((~cell["verdict"].isin([BALANCED, UNDECIDED])).sum())
        if not off:
            return _within(cell, "alive")
        return Mark(WATCH if off == 1 else BAD, f"{off} off")

    return _cells(STRATEGIES, shares, "strategy", judge)


def _within(cell: pd.DataFrame, good: str) -> Mark:
    """Return the word of a cell without a row that is shown to lie beyond its limit."""
    left = cell[cell["verdict"] == UNDECIDED]
    if left.empty:
        return Mark(GOOD, good)
    narrow = left["wide_high"] - left["wide_low"] <= 2 * left["limit"]
    return Mark(WATCH, CLOSE) if narrow.all() else Mark(OPEN, UNSURE)


def _cells(row: str, shares: pd.DataFrame, by: str, judge: Any) -> pd.DataFrame:
    """Return a verdict for each cell, with its furthest share, shrunk because it was selected for its size."""
    found = []
    shrunk = shares.assign(away=_shrunk_distances(shares))
    for (players, variant), cell in shrunk.groupby(["players", "variant"], sort=False):
        words = set(cell["verdict"])
        missing = next((word for word in (WITHHELD, TOO_FEW) if word in words), "")
        mark = Mark(OPEN, missing) if missing else judge(cell)
        # Of two equally far seats, the favoured one.
        furthest = cell.assign(size=cell["away"].abs().round(9)).sort_values(["size", "value"]).iloc[-1]
        value = furthest["fair"] + furthest["away"]
        ends = (value, furthest["wide_low"], furthest["wide_high"], int(furthest["n"]))
        found.append((row, int(players), variant, *mark, str(furthest[by]), *ends))
    return pd.DataFrame(found, columns=COLUMNS)


def _shrunk_distances(shares: pd.DataFrame) -> np.ndarray:
    """Return how far each share is from fair, shrunk with all shares of the table."""
    error = 100 * share_error(shares["value"] / 100, shares["error"] / 100, shares["decks"])
    return shrink((shares["value"] - shares["fair"]).to_numpy(float), error)


def tempo_measures(measures: Sequence[Measure]) -> dict[str, Measure]:
    """Return the measures behind comebacks and length, by row, if the run has them."""
    rows = {"comeback": COMEBACKS, "minutes": LENGTH}
    return {rows[m.name]: m for m in measures if m.name in rows}


def box_minutes(plan: Plan) -> tuple[float, float] | None:
    """Return the shortest and longest time that fit: the experiment's, or the time on the box; None without."""
    own = plan.experiment.thresholds.minutes
    found = own or getattr(plan.game.analytics, "BOX_MINUTES", None)
    return (float(found[0]), float(found[1])) if found else None


def tempo_cells(
    plan: Plan, means: pd.DataFrame, measures: dict[str, Measure], answers: Answers, families: int
) -> pd.DataFrame:
    """Return cells on whether the race stays open, and whether games fit their time.

    Parameters
    ----------
    means : DataFrame
        From `balance.analysis.question.Means`: ``players``, ``variant``, ``measure``, ``value``, ``low``, ``high``,
        ``n``, ``clusters``, ``error``.
    """
    parts = []
    for row, measure in measures.items():
        table = means[means["measure"] == measure.name].rename(columns={"clusters": "decks"})
        level = 1 - ALPHA / families / max(1, len(table))
        parts += [pd.DataFrame(_tempo(plan, row, table, measure, level), columns=COLUMNS)]
    table = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=COLUMNS)
    held = withhold(table.assign(verdict="", more_games=0), answers[Played()])["verdict"] == WITHHELD
    table.loc[held, ["kind", "word"]] = [OPEN, WITHHELD]
    return table


def _tempo(
    plan: Plan, row: str, table: pd.DataFrame, measure: Measure, level: float
) -> Iterator[tuple[Any, ...]]:
    for each in table.itertuples():
        wide = widen(each, measure, level)
        mark = Mark(OPEN, TOO_FEW)
        if each.decks >= LEAST_DECKS:
            if row == COMEBACKS:
                mark = _openness(plan.experiment.thresholds.comeback_band(each.players), wide)
            else:
                mark = _length(plan, wide.low, wide.high)
        yield (
            row,
            int(each.players),
            each.variant,
            *mark,
            "",
            each.value,
            wide.low,
            wide.high,
            int(each.n),
        )


def _openness(band: tuple[float, float], wide: Interval) -> Mark:
    """Return whether the first half of a game matters without deciding it."""
    return {
        "in": Mark(GOOD, OPEN_RACE), "under": Mark(BAD, RUNAWAY), "over": Mark(WATCH, LATE),
        CLOSE: Mark(WATCH, CLOSE),
    }.get(place(wide.low, wide.high, *band, COMEBACK_ROOM), Mark(OPEN, UNSURE))  # fmt: skip


def pace_range(plan: Plan) -> tuple[float, float]:
    """Return the factors on estimated minutes at the shortest and at the longest time for a choice."""
    low, high = seconds_per_choice(plan)
    return 2 * low / (low + high), 2 * high / (low + high)


def _length(plan: Plan, low: float, high: float) -> Mark:
    """Return whether games fit their time at every pace in the assumed range."""
    box = box_minutes(plan)
    if box is None:
        return Mark(NONE, NO_TARGET)
    quick, slow = (_length_at(box, low * pace, high * pace) for pace in pace_range(plan))
    return quick if quick == slow else Mark(OPEN, BY_PACE)


def _length_at(box: tuple[float, float], low: float, high: float) -> Mark:
    at = place(low, high, *box, box[1] - box[0])
    return {
        "in": Mark(GOOD, FITS), "under": Mark(WATCH, SHORT), "over": Mark(WATCH, LONG),
        CLOSE: Mark(WATCH, CLOSE),
    }.get(at, Mark(OPEN, UNSURE))  # fmt: skip


def target_cells(table: pd.DataFrame) -> pd.DataFrame:
    """Return cells on how many targets are met, from `balance.analysis.target_checks.read_targets_table`.

    They name the missed targets. A target on several seats or strategies is met if all of them meet it.
    """
    found = []
    for (players, variant), cell in table.groupby(["players", "variant"], sort=False):
        verdicts = {target: set(rows["verdict"]) for target, rows in cell.groupby("target", sort=False)}
        met = [name for name, words in verdicts.items() if words == {"pass"}]
        missed = [name for name, words in verdicts.items() if "fail" in words]
        mark = Mark(OPEN, f"{len(met)} of {len(verdicts)}")
        if len(met) == len(verdicts) or missed:
            kind = GOOD if not missed else WATCH if len(missed) == 1 else BAD
            mark = mark._replace(kind=kind)
        row = (TARGETS, int(players), variant, *mark, "; ".join(missed))
        found.append((*row, float(len(met)), float("nan"), float("nan"), int(cell["n"].min())))
    return pd.DataFrame(found, columns=COLUMNS)
