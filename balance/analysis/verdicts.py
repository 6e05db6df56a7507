"""The verdict grid: a word for every question, player count and variant.

One rule for all: an interval, widened so that all intervals of a page hold together, is compared with a band. Inside
is good, outside is not. If it includes an edge, there are not enough games, or players differ: an interval from any
number of games would include it, because equally strong networks disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from balance.analysis.ended import WITHHELD, Played, broken_cells
from balance.analysis.gather import Answers
from balance.analysis.question import interval_of_frame, range_at, scale
from balance.analysis.shares import BALANCED, DISFAVOURED, FAVOURED, CountFamilies, furthest_shares
from balance.analysis.spread import cell_questions
from balance.analysis.target_checks import widen
from balance.contract.analytics import Measure
from balance.foundation.language import N_
from balance.stats.comparisons import (
    ALPHA,
    INSIDE,
    LEAST_DECKS,
    OVER,
    PLAYERS_DIFFER,
    TOO_FEW,
    UNDER,
    place_in_bands,
    shrink,
)
from balance.stats.intervals import share_error, share_interval

GOOD, WATCH, BAD, OPEN, NONE = "good", "watch", "bad", "open", "none"
"""Kinds of verdicts: three from good to bad, then two without a judgement."""
WORSE = {GOOD: 0, WATCH: 1, BAD: 2}
FAIR, UNFAIR, FEW_GAMES = N_("fair"), N_("unfair"), N_("not enough games")  # and `PLAYERS_DIFFER`
OPEN_RACE, RUNAWAY, LATE = N_("open"), N_("runaway"), N_("late")
SHORT, FITS, LONG = N_("short"), N_("fits"), N_("long")
HARD, EASY = N_("too hard"), N_("too easy")
IF_QUICK, IF_SLOW, BY_PACE = N_("fits if quick"), N_("fits if slow"), N_("short or long")
PACE_WORDS = frozenset({IF_QUICK, IF_SLOW, BY_PACE})
"""Words for a length that fits at some paces of players and not at others."""
NO_TARGET = N_("no target")
OPEN_WORDS = frozenset({FEW_GAMES, PLAYERS_DIFFER, NO_TARGET, *PACE_WORDS, TOO_FEW, WITHHELD})
"""Words for results that are not shown either way."""
MOST_BELOW = 10.0
"""The largest `Verdict.off` of a rate below its band, also for an option that no seat uses."""


class Place(NamedTuple):
    """A place in the grid; the row is the name of a question, such as "seats"."""

    row: str
    players: int
    variant: str


class PlayersRange(NamedTuple):
    """How far equally strong networks lie apart, without the chance of their games."""

    name: str  # the seat, faction or source of chance, as `Verdict.name`
    low: float  # in the unit of the row
    high: float
    networks: int

    def beyond(self, band: tuple[float, float] | None) -> float:
        """Return how far all networks lie beyond the band on one side; 0 if not all do."""
        return max(0.0, band[0] - self.high, self.low - band[1]) if band else 0.0


class Figure(NamedTuple):
    """A number of the grid; intervals of all numbers on a page hold together."""

    value: float  # in the unit of the row
    low: float
    high: float
    n: int  # games, or seats

    def excludes(self, other: Figure) -> bool:
        """Return whether two numbers are shown to differ."""
        return self.high < other.low or other.high < self.low

    def side(self, band: tuple[float, float] | None) -> int:
        """Return 1 if it is shown to lie above a band, -1 if below, otherwise 0."""
        return int(self.low > band[1]) - int(self.high < band[0]) if band else 0


@dataclass(frozen=True)
class Verdict:
    """The answer to a question of the grid at one player count, under one variant."""

    row: str  # the name of the question, such as "seats"
    players: int
    variant: str
    kind: str  # how good it is, such as `GOOD`
    word: str  # for its kind, in English; in the language in use if it has a number ("2 unfair")
    # The seat, strategy, faction (by its name on pages) or source of chance that `value` belongs to; the missed
    # targets; or "".
    name: str
    value: float  # in the unit of the row; the intervals of all verdicts on a page hold together
    low: float
    high: float
    n: int  # games, or seats
    # How many times its threshold the value is away from fair or from its band; 0 if no problem is shown.
    off: float = 0.0
    spread: PlayersRange | None = None  # if players differ
    # The value in words, such as "Małopolska wins 4.9 % of its games, fair 25"; "" where its row words it otherwise.
    words: str = ""
    # The numbers of all seats, factions or supplies of the cell, by `name`: other players may show another one.
    figures: Mapping[str, Figure] = field(default_factory=dict, compare=False, repr=False)

    @property
    def place(self) -> Place:
        """Its place in the grid."""
        return Place(self.row, self.players, self.variant)

    @property
    def figure(self) -> Figure:
        """Its number."""
        return Figure(self.value, self.low, self.high, self.n)

    @property
    def differs(self) -> bool:
        """Whether equally strong players disagree, so that more games can't decide."""
        return self.word == PLAYERS_DIFFER

    def is_excluded_by(self, other: Verdict) -> bool:
        """Return whether other players are shown to have another number for the same thing."""
        figure = other.figure_of(self.name)
        return figure is not None and figure.excludes(self.figure)

    def figure_of(self, name: str) -> Figure | None:
        """Return the number of a thing in the cell; None if it has none."""
        return self.figures.get(name) or (self.figure if name == self.name else None)

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
        return self.kind in (WATCH, BAD)


CellVerdicts = dict[Place, Verdict]
"""The verdicts of a tier, by their place in the grid."""


class Mark(NamedTuple):
    """A kind of verdict and its word."""

    kind: str
    word: str


def by_place(verdicts: Iterable[Verdict]) -> CellVerdicts:
    """Return verdicts by their place in the grid."""
    return {verdict.place: verdict for verdict in verdicts}


def withhold_verdicts(verdicts: CellVerdicts, answers: Answers) -> CellVerdicts:
    """Replace verdicts on cells with too many broken games by `WITHHELD`; such a verdict is no problem."""
    broken = broken_cells(answers[Played()])
    return {
        place: replace(each, kind=OPEN, word=WITHHELD, off=0.0, spread=None) if place[1:] in broken else each
        for place, each in verdicts.items()
    }


def place(low: float, high: float, least: float, most: float) -> str:
    """Return where an interval lies: ``in``, ``under``, ``over``, or `FEW_GAMES` if it includes an edge."""
    if least <= low and high <= most:
        return INSIDE
    if high < least:
        return UNDER
    if low > most:
        return OVER
    return FEW_GAMES


def fairness_verdicts(row: str, shares: pd.DataFrame, by: str) -> Iterator[Verdict]:
    """Yield how fair the seats or factions are, from `balance.analysis.shares.judge_shares`, with the furthest one."""

    def judge(cell: pd.DataFrame) -> Mark:
        far = 2 * cell["limit"]
        if ((cell["wide_low"] > cell["fair"] + far) | (cell["wide_high"] < cell["fair"] - far)).any():
            return Mark(BAD, UNFAIR)
        return Mark(WATCH, UNFAIR) if is_off(cell).any() else mark_within(cell)

    return share_verdicts(row, shares, by, judge)


def is_off(cell: pd.DataFrame) -> pd.Series:
    """Return whether each row is shown to lie beyond its limit."""
    return cell["verdict"].isin([FAVOURED, DISFAVOURED])


def mark_within(cell: pd.DataFrame) -> Mark:
    """Return the word of a cell without a row that is shown to lie beyond its limit."""
    if (cell["verdict"] == BALANCED).all():
        return Mark(GOOD, FAIR)
    return Mark(OPEN, PLAYERS_DIFFER if (cell["verdict"] == PLAYERS_DIFFER).any() else FEW_GAMES)


def share_verdicts(row: str, shares: pd.DataFrame, by: str, judge: Callable[[pd.DataFrame], Mark]) -> Iterator[Verdict]:
    """Yield a verdict for each cell, with its furthest share.

    `shares` are from `balance.analysis.shares.judge_shares`, by the column `by`.
    """
    furthest = furthest_shares(shares).set_index(["players", "variant"])
    for (players, variant), cell in shares.groupby(["players", "variant"], sort=False):
        words = set(cell["verdict"])
        missing = next((word for word in (WITHHELD, TOO_FEW) if word in words), "")
        mark = Mark(OPEN, missing) if missing else judge(cell)
        one = furthest.loc[(players, variant)]
        ends = (float(one["value"]), float(one["wide_low"]), float(one["wide_high"]))
        found = Verdict(row, int(players), variant, *mark, str(one[by]), *ends, int(one["n"]))
        found = replace(found, figures=_figures(cell, by))
        if mark.word == PLAYERS_DIFFER:
            differing = cell[cell["verdict"] == PLAYERS_DIFFER]
            least, most = (differing["fair"] + sign * differing["limit"] for sign in (-1, 1))
            found = replace(found, spread=_telling_range(differing, by, zip(least, most, strict=True)))
        yield _with_size(found, abs(float(one["away"])) / float(one["limit"]))


def _figures(cell: pd.DataFrame, by: str) -> dict[str, Figure]:
    """Return the numbers of a cell by name, from the columns `by`, ``value``, ``wide_low``, ``wide_high``, ``n``."""
    columns = zip(*(cell[name] for name in ("value", "wide_low", "wide_high", "n")), strict=True)
    return {
        str(name): Figure(float(value), float(low), float(high), int(n))
        for name, (value, low, high, n) in zip(cell[by], columns, strict=True)
    }


def _telling_range(rows: pd.DataFrame, by: str, bands: Iterable[tuple[float, float]]) -> PlayersRange:
    """Return the range of the networks in one of the rows, shares in percent with the columns of intervals.

    It is the one furthest beyond its band as a whole, otherwise the widest.
    """
    ranges = [
        PlayersRange(str(name), *range_at(rows, number, 100), int(rows["networks"].iloc[number]))
        for number, name in enumerate(rows[by])
    ]
    told = zip(ranges, bands, strict=True)
    return max(told, key=lambda each: (each[0].beyond(each[1]), each[0].high - each[0].low))[0]


def _with_size(verdict: Verdict, off: float) -> Verdict:
    """Return a verdict that is `off` times its threshold away, if it is a problem."""
    return replace(verdict, off=off) if verdict.is_problem else verdict


def mean_verdicts(
    row: str, name: str, measures: Sequence[Measure], answers: Answers, family: CountFamilies,
    judge: Callable[[int, float, float], Mark], size: Callable[[int, float], float],
) -> Iterator[Verdict]:  # fmt: skip
    """Yield for each cell where the mean of a measure lies.

    Parameters
    ----------
    name : str
        The measure; without it among `measures` there are no verdicts.
    measures : sequence of Measure
        Those that `balance.analysis.spread.cell_questions` asked for.
    judge : callable
        Returns the verdict on an interval at a player count.
    size : callable
        Returns the `Verdict.off` of a problem from player count and mean.
    """
    measure = next((each for each in measures if each.name == name), None)
    if measure is None:
        return
    means = pd.concat([answers[each] for each in cell_questions(measures)], ignore_index=True)
    table = means[means["measure"] == name]
    found, level = interval_of_frame(table), 1 - ALPHA / family(row) / max(1, len(table))
    wide, lasting = widen(found, measure, level), widen(found.of_networks, measure, level)
    for number, (players, variant) in enumerate(zip(table["players"], table["variant"], strict=True)):
        if not wide.n[number]:  # no game has the measure, such as comebacks in games of one round
            continue
        low, high = float(wide.low[number]), float(wide.high[number])
        value, n, spread = float(wide.value[number]), int(wide.n[number]), None
        mark = judge(players, low, high)
        always = judge(players, float(lasting.low[number]), float(lasting.high[number]))
        if wide.clusters[number] < LEAST_DECKS:
            mark = Mark(OPEN, TOO_FEW)
        elif mark.word == always.word == FEW_GAMES and found.apart[number] > 0:
            ends = range_at(table, number, measure.scale if measure.is_share else None)
            mark = Mark(OPEN, PLAYERS_DIFFER)
            spread = PlayersRange("", *ends, int(found.networks[number]))
        verdict = Verdict(row, players, variant, *mark, "", value, low, high, n, spread=spread)
        verdict = replace(verdict, figures={"": verdict.figure})
        yield _with_size(verdict, size(players, value))


def mark_band(low: float, high: float, band: tuple[float, float], inside: Mark, under: Mark, over: Mark) -> Mark:
    """Return the verdict on an interval, by where it lies (see `place`)."""
    found = {INSIDE: inside, UNDER: under, OVER: over}
    return found.get(place(low, high, *band), Mark(OPEN, FEW_GAMES))


def rate_verdicts(
    row: str, rates: pd.DataFrame, by: str, band: tuple[float, float], families: int, words: tuple[str, str]
) -> Iterator[Verdict]:
    """Yield for each cell whether all rates of a kind lie in a band, such as supplies that should seldom run out.

    Parameters
    ----------
    rates : DataFrame
        Shares in percent by ``players``, ``variant`` and the column `by`, with the columns of
        `balance.analysis.question.interval_columns`. The verdict has the one furthest from the band.
    band : (float, float)
        The lowest and the highest rate that is no problem, in percent.
    words : (str, str)
        The words for no problem and for a problem.
    """
    found = scale(interval_of_frame(rates), 0.01)
    level = 1 - ALPHA / families / max(1, len(rates))
    wide, lasting = (scale(share_interval(each, level), 100) for each in (found, found.of_networks))
    least, most = band
    edge = np.where(rates["value"] - least < most - rates["value"], least, most)
    error = 100 * share_error(found.value, found.error, found.clusters)
    shrunk = np.clip(edge + shrink(rates["value"].to_numpy(float) - edge, error), 0, 100)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.fmax(shrunk / most, np.minimum(least / shrunk, MOST_BELOW))
    places = place_in_bands(wide, lasting, least, most)
    table = rates.assign(wide_low=wide.low, wide_high=wide.high, off=off, place=places)
    for (players, variant), cell in table.groupby(["players", "variant"], sort=False):
        outside = cell[cell["place"].isin([UNDER, OVER])]
        differing = cell[cell["place"] == PLAYERS_DIFFER]
        mark = Mark(OPEN, PLAYERS_DIFFER if len(differing) else FEW_GAMES)
        if len(outside):
            mark = Mark(BAD, words[1])
        if (cell["place"] == INSIDE).all():
            mark = Mark(GOOD, words[0])
        if (cell["place"] == TOO_FEW).any():
            mark = Mark(OPEN, TOO_FEW)
        worst = (outside if len(outside) else cell).sort_values("off", kind="stable").iloc[-1]
        ends = (float(worst["value"]), float(worst["wide_low"]), float(worst["wide_high"]))
        verdict = Verdict(row, int(players), variant, *mark, str(worst[by]), *ends, int(worst["n"]))
        verdict = replace(verdict, figures=_figures(cell, by))
        if mark.word == PLAYERS_DIFFER:
            verdict = replace(verdict, spread=_telling_range(differing, by, [band] * len(differing)))
        yield _with_size(verdict, float(worst["off"]))
