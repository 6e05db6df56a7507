"""The parts of the first screen: the verdict grid, results that depend on the bots, strips for single numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from balance.analysis.verdicts import COMEBACKS, LENGTH, SEATS, STRATEGIES, TARGETS

if TYPE_CHECKING:
    from balance.report.model import Finding

LUCK = "luck"
TITLES = {
    SEATS: "Seats fair", STRATEGIES: "Strategies alive", COMEBACKS: "Comebacks", LENGTH: "Length", LUCK: "Luck",
    TARGETS: "Your targets",
}  # fmt: skip
"""The rows of the grid, from the top."""
ANCHORS = {COMEBACKS: "runaway"}
"""The sections behind rows, where they have another name."""


def in_short(variant: str) -> str:
    """Return a short name of a variant: a point of a sweep without its keys, which all points share."""
    return ", ".join(part.rpartition("=")[2] for part in variant.split(", "))


@dataclass(frozen=True)
class GridCell:
    """A verdict of the grid.

    Attributes
    ----------
    kind : str
        ``good``, ``watch``, ``bad``, ``dep`` (depends on the bots), ``open`` (undecided), ``none`` (not judged) or
        ``np`` (not played).
    word, name, value : str
        The verdict, the seat or strategy (or source of chance) that the number belongs to, and the number.
    sentence : str
        The verdict with interval and n.
    variant : str
    state : str
        ``base``, ``changed`` or ``same``.
    better : int
        1 if the cell changed for the better, -1 if for the worse, otherwise 0.
    doubt : bool
        Whether the baseline's cell depends on the bots.
    """

    kind: str
    word: str
    name: str
    value: str
    sentence: str
    variant: str
    state: str
    better: int = 0
    doubt: bool = False

    @property
    def arrow(self) -> str:
        """An arrow up for better, down for worse."""
        return {1: "↑", -1: "↓"}.get(self.better, "")

    @property
    def text(self) -> str:
        """The cell as plain text, for Markdown."""
        return " ".join(part for part in (self.word, self.name, self.value, self.arrow) if part)


@dataclass(frozen=True)
class GridRow:
    """A row of the grid: a question, for the tier that the page is about or for another (`tier`).

    A row is `calm` if no cell of another tier contradicts the row above.
    """

    title: str
    unit: str
    anchor: str
    cells: list[GridCell]
    tier: str = ""
    calm: bool = False


@dataclass(frozen=True)
class Grid:
    """The verdict grid: rows of questions, columns of player counts and, within them, variants."""

    players: list[int]
    variants: list[str]
    rows: list[GridRow]

    @property
    def heads(self) -> list[str]:
        """The headings of the variant columns."""
        return [in_short(name) for name in self.variants]


@dataclass(frozen=True)
class Dot:
    """A number on a strip, with its interval; positions are percent of its width."""

    label: str
    at: float
    low: float
    high: float
    filled: bool


@dataclass(frozen=True)
class Strip:
    """Numbers on a line with the band of good values; all positions are percent of its width."""

    dots: list[Dot]
    band: tuple[float, float] | None
    caption: str
    alt: str


@dataclass(frozen=True)
class Doubt:
    """A result that reverses between tiers, and so is no finding about the rules."""

    where: str
    text: str


@dataclass(frozen=True)
class Screen:
    """The first screen.

    Attributes
    ----------
    question, answer, so : str
        `so` is the advice; "" if there is none.
    warnings : list of str
        Warnings that concern the whole page.
    doubts : list of Doubt
    settle : str
        The command that would settle the doubts.
    notes : list of str
        Limits of the results: which bots played, and whether stronger ones were tried.
    terms : list of (str, str)
        The meanings of the grid's words.
    """

    question: str
    answer: str
    so: str
    grid: Grid
    findings: list[Finding]
    warnings: list[str] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    settle: str = ""
    notes: list[str] = field(default_factory=list)
    terms: list[tuple[str, str]] = field(default_factory=list)
    variant: str = ""
