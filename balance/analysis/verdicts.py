"""What is well and what is not, at a glance: a word for every question, player count and variant.

One rule for all: an interval, widened so that all of a page hold at once, is set against a threshold. Inside it
is good, beyond it is not; one that reaches over an edge is close, and one that is wider than what it is held
against can't say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from balance.analysis.check import widen
from balance.analysis.gather import Answers
from balance.analysis.shares import BALANCED, UNDECIDED
from balance.analysis.unfinished import WITHHELD, Played, withhold
from balance.contract.measure import Measure
from balance.plan.plan import Plan
from balance.plan.thresholds import Thresholds
from balance.stats.comparisons import ALPHA, LEAST_DECKS, TOO_FEW

SEATS, STRATEGIES, COMEBACKS, LENGTH, TARGETS = "seats", "strategies", "comebacks", "length", "targets"
GOOD, WATCH, BAD, OPEN, NONE = "good", "watch", "bad", "open", "none"
"""Kinds of verdicts: the worse the further right, then two that judge nothing."""
WORSE = {GOOD: 0, WATCH: 1, BAD: 2}
UNSURE, CLOSE = "unsure", "close"
NO_TARGET = "no target"
OPEN_WORDS = frozenset({CLOSE, UNSURE, NO_TARGET, TOO_FEW, WITHHELD})
"""Words of what is not shown, one way or the other."""
COMEBACK_ROOM = 10.0  # points: what an interval about comebacks may be wide and still be close
COLUMNS = ["row", "players", "variant", "kind", "word", "name", "value", "low", "high", "n"]


Place = tuple[str, int, str]
"""Row, player count and variant of a cell."""


def place_of(cell: Any) -> Place:
    """Of a row of cells, or of changes."""
    return cell.row, cell.players, cell.variant


def by_place(cells: pd.DataFrame) -> dict[Place, Any]:
    """The rows of cells by their place."""
    return {place_of(cell): cell for cell in cells.itertuples()}


class Mark(NamedTuple):
    """A kind of verdict and its word."""

    kind: str
    word: str


def place(low: float, high: float, least: float, most: float, room: float) -> str:
    """Where an interval lies: ``in``, ``under``, ``over``, `CLOSE` (over an edge) or `UNSURE` (wider than `room`)."""
    if least <= low and high <= most:
        return "in"
    if high < least:
        return "under"
    if low > most:
        return "over"
    return CLOSE if high - low <= room else UNSURE


def seat_cells(shares: pd.DataFrame, thresholds: Thresholds) -> pd.DataFrame:
    """How fair the seats are, from `balance.analysis.shares.judge_shares`; the seat that is furthest is named."""
    far = max(thresholds.seats, thresholds.unfair)

    def judge(cell: pd.DataFrame) -> Mark:
        if ((cell["wide_low"] > cell["fair"] + far) | (cell["wide_high"] < cell["fair"] - far)).any():
            return Mark(BAD, "unfair")
        shown = ~cell["verdict"].isin([BALANCED, UNDECIDED])
        return Mark(WATCH, "tilted") if shown.any() else _within(cell, "fair")

    return _cells(SEATS, shares, "seat", judge)


def strategy_cells(shares: pd.DataFrame) -> pd.DataFrame:
    """How many strategies are off, from `balance.analysis.shares.judge_shares`."""

    def judge(cell: pd.DataFrame) -> Mark:
        off = int((~cell["verdict"].isin([BALANCED, UNDECIDED])).sum())
        if not off:
            return _within(cell, "alive")
        return Mark(WATCH if off == 1 else BAD, f"{off} off")

    return _cells(STRATEGIES, shares, "strategy", judge)


def _within(cell: pd.DataFrame, good: str) -> Mark:
    """The word of a cell of which no row is shown to lie beyond its limit."""
    left = cell[cell["verdict"] == UNDECIDED]
    if left.empty:
        return Mark(GOOD, good)
    narrow = left["wide_high"] - left["wide_low"] <= 2 * left["limit"]
    return Mark(WATCH, CLOSE) if narrow.all() else Mark(OPEN, UNSURE)


def _cells(row: str, shares: pd.DataFrame, by: str, judge: Any) -> pd.DataFrame:
    found = []
    for (players, variant), cell in shares.groupby(["players", "variant"], sort=False):
        words = set(cell["verdict"])
        missing = next((word for word in (WITHHELD, TOO_FEW) if word in words), "")
        mark = Mark(OPEN, missing) if missing else judge(cell)
        away = (cell["value"] - cell["fair"]).abs().round(9)
        furthest = (
            cell.assign(away=away).sort_values(["away", "value"]).iloc[-1]
        )  # of two seats the favoured
        ends = (furthest["value"], furthest["wide_low"], furthest["wide_high"], int(furthest["n"]))
        found.append((row, int(players), variant, *mark, str(furthest[by]), *ends))
    return pd.DataFrame(found, columns=COLUMNS)


def tempo_measures(measures: Sequence[Measure]) -> dict[str, Measure]:
    """The measures behind comebacks and length, by row, as far as the run has them."""
    rows = {"comeback": COMEBACKS, "minutes": LENGTH}
    return {rows[m.name]: m for m in measures if m.name in rows}


def box_minutes(plan: Plan) -> tuple[float, float] | None:
    """The shortest and longest time that fit: the experiment's, or what the box says."""
    own = plan.experiment.thresholds.minutes
    found = own or getattr(plan.game.analytics, "BOX_MINUTES", None)
    return (float(found[0]), float(found[1])) if found else None


def tempo_cells(
    plan: Plan, means: pd.DataFrame, measures: dict[str, Measure], answers: Answers, families: int
) -> pd.DataFrame:
    """Whether the race stays open, and whether games fit their time.

    Parameters
    ----------
    means : DataFrame
        Of `balance.analysis.question.Means`: ``players``, ``variant``, ``measure``, ``value``, ``low``, ``high``,
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
            judge = _openness if row == COMEBACKS else _length
            mark = judge(plan, wide.low, wide.high)
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


def _openness(plan: Plan, low: float, high: float) -> Mark:
    at = place(low, high, plan.experiment.thresholds.comebacks, 100.0, COMEBACK_ROOM)
    return {
        "in": Mark(GOOD, "open"), "under": Mark(BAD, "runaway"), CLOSE: Mark(WATCH, CLOSE),
    }.get(at, Mark(OPEN, UNSURE))  # fmt: skip


def _length(plan: Plan, low: float, high: float) -> Mark:
    box = box_minutes(plan)
    if box is None:
        return Mark(NONE, NO_TARGET)
    at = place(low, high, *box, box[1] - box[0])
    return {
        "in": Mark(GOOD, "fits"), "under": Mark(WATCH, "short"), "over": Mark(WATCH, "long"),
        CLOSE: Mark(WATCH, CLOSE),
    }.get(at, Mark(OPEN, UNSURE))  # fmt: skip


def target_cells(table: pd.DataFrame) -> pd.DataFrame:
    """How many targets are met, from `balance.analysis.check.read_targets_table`; those that are not are named.

    A target that speaks of several seats or strategies is met where all are.
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
