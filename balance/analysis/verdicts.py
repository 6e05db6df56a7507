"""The verdict grid: a word for every question, player count and variant.

One rule for all: an interval, widened so that all intervals of a page hold together, is compared with a band. Inside
is good, outside is not; an interval that includes an edge is close, or unsure if it is too wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from balance.analysis.ended import WITHHELD, Played, broken_cells
from balance.analysis.gather import Answers
from balance.analysis.question import interval_of_frame
from balance.analysis.shares import BALANCED, UNDECIDED, judged_shares
from balance.analysis.spread import cell_questions
from balance.analysis.target_checks import read_targets_table, widen
from balance.analysis.tier_comparison import rule_targets
from balance.contract.analytics import Measure
from balance.experiments.measures import seconds_per_choice
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.stats.comparisons import ALPHA, LEAST_DECKS, TOO_FEW, shrink
from balance.stats.intervals import share_error

SEATS, STRATEGIES, COMEBACKS, LENGTH, TARGETS = "seats", "strategies", "comebacks", "length", "targets"
TEMPO = {"comeback": COMEBACKS, "minutes": LENGTH}
"""The measures behind comebacks and length."""
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


class Place(NamedTuple):
    """A place in the grid; the row is a question such as `SEATS`."""

    row: str
    players: int
    variant: str


@dataclass(frozen=True)
class Verdict:
    """The answer to a question of the grid at one player count, under one variant.

    Attributes
    ----------
    row : str
        The question, such as `SEATS`.
    kind, word : str
        How good it is (such as `GOOD`), and the word for it.
    name : str
        The seat, strategy or source of chance that `value` belongs to; the missed targets; or "".
    value, low, high : float
        A number in the unit of the row; the intervals of all verdicts on a page hold together.
    n : int
        Games, or seats.
    """

    row: str
    players: int
    variant: str
    kind: str
    word: str
    name: str
    value: float
    low: float
    high: float
    n: int

    @property
    def place(self) -> Place:
        """Its place in the grid."""
        return Place(self.row, self.players, self.variant)

    @property
    def is_shown(self) -> bool:
        """Whether the word is shown, and not only open."""
        return self.word not in OPEN_WORDS

    def contradicts(self, other: Verdict) -> bool:
        """Return whether both are shown and have different words."""
        return self.is_shown and other.is_shown and self.word != other.word

    @property
    def is_problem(self) -> bool:
        """Whether a result that is not good is shown."""
        return self.kind in (WATCH, BAD) and self.word != CLOSE


CellVerdicts = dict[Place, Verdict]
"""The verdicts of a tier, by their place in the grid."""


class Mark(NamedTuple):
    """A kind of verdict and its word."""

    kind: str
    word: str


def read_verdicts(
    plan: Plan, answers: Answers, asked: Sequence[Measure], families: int, whole: bool
) -> CellVerdicts:
    """Return the verdicts of a tier.

    Parameters
    ----------
    asked : sequence of Measure
        The measures that `cell_questions` asked this tier for.
    whole : bool
        Whether the answers include strategies and all targets, and not only what concerns the rules.
    """
    limits = plan.experiment.thresholds
    means = pd.concat([answers[each] for each in cell_questions(asked)], ignore_index=True)
    found = [*seat_verdicts(judged_shares(plan, answers, "seat", families), limits)]
    found += tempo_verdicts(plan, means, asked, answers, families)
    if whole and len(plan.tier.strategies) > 1:
        found += strategy_verdicts(judged_shares(plan, answers, "strategy", families))
    if targets := plan.experiment.targets if whole else rule_targets(plan):
        found += target_verdicts(read_targets_table(plan, targets, answers, "targets", families))
    return by_place(found)


def by_place(verdicts: Iterable[Verdict]) -> CellVerdicts:
    """Return verdicts by their place in the grid."""
    return {verdict.place: verdict for verdict in verdicts}


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


def seat_verdicts(shares: pd.DataFrame, thresholds: Thresholds) -> Iterator[Verdict]:
    """Yield how fair the seats are, from `balance.analysis.shares.judge_shares`, with the furthest seat."""
    far = max(thresholds.seats, thresholds.unfair)

    def judge(cell: pd.DataFrame) -> Mark:
        if ((cell["wide_low"] > cell["fair"] + far) | (cell["wide_high"] < cell["fair"] - far)).any():
            return Mark(BAD, "unfair")
        shown = ~cell["verdict"].isin([BALANCED, UNDECIDED])
        return Mark(WATCH, "tilted") if shown.any() else _within(cell, "fair")

    return _share_verdicts(SEATS, shares, "seat", judge)


def strategy_verdicts(shares: pd.DataFrame) -> Iterator[Verdict]:
    """Yield how many strategies are off, from `balance.analysis.shares.judge_shares`, with the furthest one."""

    def judge(cell: pd.DataFrame) -> Mark:
        off = int((~cell["verdict"].isin([BALANCED, UNDECIDED])).sum())
        if not off:
            return _within(cell, "alive")
        return Mark(WATCH if off == 1 else BAD, f"{off} off")

    return _share_verdicts(STRATEGIES, shares, "strategy", judge)


def _within(cell: pd.DataFrame, good: str) -> Mark:
    """Return the word of a cell without a row that is shown to lie beyond its limit."""
    left = cell[cell["verdict"] == UNDECIDED]
    if left.empty:
        return Mark(GOOD, good)
    narrow = left["wide_high"] - left["wide_low"] <= 2 * left["limit"]
    return Mark(WATCH, CLOSE) if narrow.all() else Mark(OPEN, UNSURE)


def _share_verdicts(
    row: str, shares: pd.DataFrame, by: str, judge: Callable[[pd.DataFrame], Mark]
) -> Iterator[Verdict]:
    """Yield a verdict for each cell, with its furthest share, shrunk because it was selected for its size."""
    error = 100 * share_error(shares["value"] / 100, shares["error"] / 100, shares["decks"])
    shrunk = shares.assign(away=shrink((shares["value"] - shares["fair"]).to_numpy(float), error))
    for (players, variant), cell in shrunk.groupby(["players", "variant"], sort=False):
        words = set(cell["verdict"])
        missing = next((word for word in (WITHHELD, TOO_FEW) if word in words), "")
        mark = Mark(OPEN, missing) if missing else judge(cell)
        # Of two equally far seats, the favoured one.
        furthest = cell.assign(size=cell["away"].abs().round(9)).sort_values(["size", "value"]).iloc[-1]
        value, n = float(furthest["fair"] + furthest["away"]), int(furthest["n"])
        low, high = float(furthest["wide_low"]), float(furthest["wide_high"])
        yield Verdict(row, int(players), variant, *mark, str(furthest[by]), value, low, high, n)


def box_minutes(plan: Plan) -> tuple[float, float] | None:
    """Return the shortest and longest time that fit: the experiment's, or the time on the box; None without."""
    own = plan.experiment.thresholds.minutes
    found = own or getattr(plan.game.analytics, "BOX_MINUTES", None)
    return (float(found[0]), float(found[1])) if found else None


def tempo_verdicts(
    plan: Plan, means: pd.DataFrame, measures: Sequence[Measure], answers: Answers, families: int
) -> Iterator[Verdict]:
    """Yield whether the race stays open, and whether games fit their time; `means` are those of all `measures`."""
    broken = broken_cells(answers[Played()])
    for measure in measures:
        row = TEMPO.get(measure.name)
        if row is None:
            continue
        table = means[means["measure"] == measure.name]
        wide = widen(interval_of_frame(table), measure, 1 - ALPHA / families / max(1, len(table)))
        for number, cell in enumerate(zip(table["players"], table["variant"], strict=True)):
            low, high = float(wide.low[number]), float(wide.high[number])
            if cell in broken:
                mark = Mark(OPEN, WITHHELD)
            elif wide.clusters[number] < LEAST_DECKS:
                mark = Mark(OPEN, TOO_FEW)
            elif row == COMEBACKS:
                mark = _openness(plan.experiment.thresholds.comeback_band(cell[0]), low, high)
            else:
                mark = _length(plan, low, high)
            value, n = float(wide.value[number]), int(wide.n[number])
            yield Verdict(row, *cell, *mark, "", value, low, high, n)


def _openness(band: tuple[float, float], low: float, high: float) -> Mark:
    """Return whether the first half of a game matters without deciding it."""
    where = place(low, high, *band, COMEBACK_ROOM)
    return _mark(where, Mark(GOOD, OPEN_RACE), Mark(BAD, RUNAWAY), Mark(WATCH, LATE))


def _mark(where: str, inside: Mark, under: Mark, over: Mark) -> Mark:
    """Return the verdict on an interval, by where it lies (see `place`)."""
    marks = {"in": inside, "under": under, "over": over, CLOSE: Mark(WATCH, CLOSE)}
    return marks.get(where, Mark(OPEN, UNSURE))


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
    where = place(low, high, *box, box[1] - box[0])
    return _mark(where, Mark(GOOD, FITS), Mark(WATCH, SHORT), Mark(WATCH, LONG))


def target_verdicts(table: pd.DataFrame) -> Iterator[Verdict]:
    """Yield how many targets are met, from `balance.analysis.target_checks.read_targets_table`, with the missed ones.

    A target on several seats or strategies is met if all of them meet it.
    """
    for (players, variant), cell in table.groupby(["players", "variant"], sort=False):
        verdicts = {target: set(rows["verdict"]) for target, rows in cell.groupby("target", sort=False)}
        met = [name for name, words in verdicts.items() if words == {"pass"}]
        missed = [name for name, words in verdicts.items() if "fail" in words]
        kind = OPEN
        if len(met) == len(verdicts) or missed:
            kind = GOOD if not missed else WATCH if len(missed) == 1 else BAD
        word, nan = f"{len(met)} of {len(verdicts)}", float("nan")
        ends = (float(len(met)), nan, nan, int(cell["n"].min()))
        yield Verdict(TARGETS, int(players), variant, kind, word, "; ".join(missed), *ends)
