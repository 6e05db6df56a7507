"""What the first screen is made of: the verdict grid, what depends on the bots, drawings of single numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from balance.report.model import Finding


def in_short(variant: str) -> str:
    """A variant where there is little room: of a point of a sweep its values, the keys being the same for all."""
    return ", ".join(part.rpartition("=")[2] for part in variant.split(", "))


@dataclass(frozen=True)
class Cell:
    """A verdict of the grid.

    Attributes
    ----------
    kind : str
        ``good``, ``watch``, ``bad``, ``dep`` (it depends on the bots), ``open`` (can't say), ``none`` (not judged)
        or ``np`` (not played).
    word, name, value : str
        What it says; the number and whose it is.
    told : str
        All of it in a sentence, with interval and n.
    variant : str
    state : str
        ``base``, ``changed`` or ``same``.
    better : int
        1 or -1 where it changed for the better or the worse.
    doubt : bool
        Whether it shares the baseline's dependence on the bots.
    """

    kind: str
    word: str
    name: str
    value: str
    told: str
    variant: str
    state: str
    better: int = 0
    doubt: bool = False

    @property
    def arrow(self) -> str:
        """Up for the better."""
        return {1: "↑", -1: "↓"}.get(self.better, "")

    @property
    def text(self) -> str:
        """The cell in plain text, as in Markdown."""
        return " ".join(part for part in (self.word, self.name, self.value, self.arrow) if part)


@dataclass(frozen=True)
class GridRow:
    """A question of the grid, of the tier that the page is about or of another (`tier`).

    Attributes
    ----------
    calm : bool
        Of another tier: nothing here contradicts the row above.
    """

    title: str
    unit: str
    anchor: str
    cells: list[Cell]
    tier: str = ""
    calm: bool = False


@dataclass(frozen=True)
class Grid:
    """Questions by player counts and, within them, variants."""

    players: list[int]
    variants: list[str]
    rows: list[GridRow]

    @property
    def heads(self) -> list[str]:
        """What the columns of variants are called."""
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
    """Numbers on a line with the band in which they are good; all positions are percent of its width."""

    dots: list[Dot]
    band: tuple[float, float] | None
    caption: str
    told: str


@dataclass(frozen=True)
class Doubt:
    """What turns round between tiers: no finding about the rules."""

    where: str
    text: str


@dataclass(frozen=True)
class Screen:
    """The first screen.

    Attributes
    ----------
    question, answer, so : str
        "" where there is nothing to advise.
    warnings : list of str
        What must be known before anything is believed.
    doubts : list of Doubt
    settle : str
        The command that would settle them.
    notes : list of str
        What all of it is worth: of which bots, and whether stronger ones were tried.
    terms : list of (str, str)
        What the words of the grid mean.
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
