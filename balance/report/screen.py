"""The parts of the first screen: the verdict grid with its strips, findings, results that depend on the strategies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from balance.analysis.ended import WITHHELD
from balance.analysis.sample_size import RunExtension
from balance.analysis.verdicts import (
    BY_PACE,
    FAIR,
    FEW_GAMES,
    FITS,
    IF_QUICK,
    IF_SLOW,
    LATE,
    LONG,
    NO_TARGET,
    OPEN_RACE,
    RUNAWAY,
    SHORT,
    UNFAIR,
    Figure,
)
from balance.foundation.language import N_, tr, trc
from balance.stats.comparisons import PLAYERS_DIFFER, TOO_FEW

NOT_PLAYED, DEPENDS, ALL_BEYOND = N_("not played"), "players disagree", N_("all outside")
"""Words of cells without a verdict, also of those that equally strong players contradict or are too few to show."""


def write_word(word: str) -> str:
    """Return the word of a verdict in the language in use; one with a number, such as "2 unfair", is already."""
    known = {
        FAIR: trc("grid", "fair"), UNFAIR: trc("grid", "unfair"), OPEN_RACE: trc("grid", "open"),
        RUNAWAY: trc("grid", "runaway"), LATE: trc("grid", "late"), SHORT: trc("grid", "short"),
        FITS: trc("grid", "fits"), LONG: trc("grid", "long"), IF_QUICK: trc("grid", "fits if quick"),
        IF_SLOW: trc("grid", "fits if slow"), BY_PACE: trc("grid", "short or long"),
        DEPENDS: trc("grid", "disagree"),
    }  # fmt: skip
    return known.get(word) or tr(word)


def in_short(variant: str) -> str:
    """Return a short name of a variant: a point of a sweep without its keys, which all points share."""
    return ", ".join(part.rpartition("=")[2] for part in variant.split(", "))


@dataclass(frozen=True)
class GridCell:
    """A verdict of the grid."""

    # ``good``, ``watch``, ``bad``, ``dep`` (players differ), ``open`` (undecided), ``none`` (not
    # judged) or ``np`` (not played).
    kind: str
    word: str  # the verdict, not translated
    name: str  # the seat or strategy (or source of chance) that the number belongs to
    value: str  # the number
    sentence: str  # the verdict with interval and n
    variant: str
    changed: bool = False  # whether it changed from the baseline by enough to matter
    better: int = 0  # 1 if it changed for the better, -1 if for the worse, otherwise 0
    moved: str = ""  # what changed, if it is not what the number belongs to
    strip: Strip | None = None  # the numbers of all tiers

    @property
    def arrow(self) -> str:
        """An arrow up for better, down for worse; ≠ for a change that is neither."""
        return {1: "↑", -1: "↓"}.get(self.better, "≠" if self.changed else "")

    @property
    def short(self) -> str:
        """The verdict in the width of a cell; "" if the sign says it."""
        known = {
            NO_TARGET: "–",
            FEW_GAMES: "",
            PLAYERS_DIFFER: trc("grid", "differ"),
            WITHHELD: trc("grid", "held"),
            TOO_FEW: trc("grid", "few deals"),
        }
        return known[self.word] if self.word in known else write_word(self.word)

    @property
    def text(self) -> str:
        """The cell as plain text, for Markdown."""
        word = write_word(self.word)
        if self.name:
            word = trc("grid", "{word} {name}", word=word, name=self.name)
        parts = (word, self.value, self.moved, self.arrow)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True)
class GridRow:
    """A row of the grid: a question."""

    title: str
    unit: str
    anchor: str
    cells: list[GridCell]


@dataclass(frozen=True)
class Grid:
    """The verdict grid: rows of questions, columns of player counts and, within them, variants."""

    players: list[int]
    variants: list[str]
    rows: list[GridRow]
    dots: str = ""  # whose numbers the strips show

    @property
    def heads(self) -> list[str]:
        """The headings of the variant columns."""
        return [in_short(name) for name in self.variants]


@dataclass(frozen=True)
class Dot:
    """The number of a tier on a strip, with its interval; positions are percent of its width."""

    label: str  # the tier
    value: str
    at: float
    low: float
    high: float
    filled: bool  # whether this tier speaks


@dataclass(frozen=True)
class Strip:
    """Numbers on a line with the band of good values, in percent of its width."""

    dots: list[Dot]
    band: tuple[float, float] | None
    alt: str


@dataclass(frozen=True)
class Finding:
    """A sentence that a reader can act on."""

    text: str
    anchor: str  # the section with its evidence
    lead: str = ""  # the kind of finding in a word or two, such as "Better"; "" for none
    where: str = ""  # variant and player counts
    evidence: str = ""  # interval, n, and what other tiers show
    better: int = 0  # 1 for better, -1 for worse, 0 for neither
    strip: Strip | None = None  # the numbers of all tiers
    command: str = ""  # looks for a change


@dataclass(frozen=True)
class FindingGroup:
    """Findings about one sort of players."""

    title: str
    findings: list[Finding]
    none: str = ""  # what to say instead of no findings


@dataclass(frozen=True)
class Doubt:
    """A result that reverses between tiers, and so is no finding about the rules."""

    where: str
    text: str
    games: int  # in which other players would settle it


@dataclass(frozen=True)
class Paragraph:
    """A part of the summary: a title, and statements."""

    title: str
    lines: list[str]


@dataclass(frozen=True)
class Screen:
    """The first screen."""

    question: str
    answer: str
    so: str  # the advice; "" if there is none
    grid: Grid
    groups: list[FindingGroup] = field(default_factory=list)
    # The largest effects of each variant on the game's own measures, which have no good or bad.
    by_rule: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)  # warnings that concern the whole page
    doubts: list[Doubt] = field(default_factory=list)
    settle: str = ""  # the command that would settle the doubts
    # Limits of the results: which strategies played, whether stronger ones were tried, what needs more games.
    notes: list[str] = field(default_factory=list)
    terms: list[tuple[str, str]] = field(default_factory=list)  # the meanings of the grid's words
    # The same for readers who do not know the strategies.
    summary: list[Paragraph] = field(default_factory=list)
    variant: str = ""
    speaker: str = ""  # the strongest tier that may speak
    longer: RunExtension | None = None  # the extension that would decide which seats are fair


_ROOM = 0.08  # of the width, free at each end


def draw_strip(
    figures: Mapping[str, Figure],
    speaker: str,
    band: tuple[float, float] | None,
    write: Callable[[float], str],
    ends: tuple[float, float] | None = None,
) -> Strip | None:
    """Return the numbers of all tiers, the weakest first; that of the tier that speaks is filled, with its interval.

    `ends` are the least and the largest number on the line; by default all numbers, the interval and the nearer edge
    of the band are just on it. None if all numbers are the same.
    """
    if len({write(each.value) for each in figures.values()}) < 2:
        return None
    low, high = ends or span(figures, speaker, band)
    room = _ROOM * ((high - low) or 1.0)
    low, high = low - room, high + room

    def at(value: float) -> float:
        return round(min(100.0, max(0.0, 100 * (value - low) / (high - low))), 1)

    dots = [
        Dot(tier, write(each.value), at(each.value), at(each.low), at(each.high), tier == speaker)
        for tier, each in figures.items()
    ]
    alt = ", ".join(f"{dot.label} {dot.value}" for dot in dots)
    return Strip(dots, (at(band[0]), at(band[1])) if band else None, alt)


def span(figures: Mapping[str, Figure], speaker: str, band: tuple[float, float] | None) -> tuple[float, float]:
    """Return the least and the largest number that a strip shows."""
    values = [each.value for each in figures.values()]
    if speaker in figures:
        values += [figures[speaker].low, figures[speaker].high]
    if band:
        middle = sum(values) / len(values)
        values.append(min(band, key=lambda end: abs(end - middle)))
    return min(values), max(values)
