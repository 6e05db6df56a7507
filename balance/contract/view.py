"""A game's definitions for replays and tables: panels, drawings and wordings, each with a default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from math import cos, radians
from types import SimpleNamespace
from typing import Any, Literal

from balance.contract.records import CHANCE, OUTCOME
from balance.foundation.language import tr
from balance.foundation.text import strategy_of

Point = tuple[float, float]


def project(places: Sequence[Point], width: float, margin: float) -> tuple[list[Point], float]:
    """Project places to points of a drawing of this width; return its height too. Degrees east depend on latitude."""
    east = [x for x, _ in places]
    north = [y for _, y in places]
    narrow = cos(radians(sum(north) / len(north)))
    scale = (width - 2 * margin) / max(1e-9, (max(east) - min(east)) * narrow)
    points = [(margin + (x - min(east)) * narrow * scale, margin + (max(north) - y) * scale) for x, y in places]
    return points, 2 * margin + (max(north) - min(north)) * scale


def join_points(pairs: Iterable[tuple[Point, Point]]) -> str:
    """Return lines between points as the data of an SVG path."""
    return "".join("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*one, *other) for one, other in pairs)


def draw(size: Point, label: str, constant: str, parts: Iterable[str], look: str = 'font-family="sans-serif"') -> str:
    """Return a drawing as an SVG element.

    Its first line has what never changes; each further line is one of `parts`: a page stores a line once.

    Parameters
    ----------
    size : tuple of float
        Width and height in pixels.
    label : str
        What is drawn, for screen readers.
    look : str
        Attributes that all parts share.
    """
    width, height = size
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'role="img" aria-label="{escape(label)}" {look}>'
    )
    return "\n".join([opening + constant, *parts, "</svg>"])


Shape = Literal["seat", "card", "dashed", "dark", "round", "coin", "pawn", "officer"]
"""A disc with the player's number; cards with a plain, dashed or filled frame, or one of a round frame; a coin;
a pawn, and a larger one."""


@dataclass(frozen=True)
class Mark:
    """A sign drawn in a cell."""

    shape: Shape  # one of `Shape`
    text: str = ""  # the text on the sign, e.g. a strength
    seat: int | None = None  # the seat whose colour it has
    title: str = ""  # its meaning, for screen readers
    pale: bool = False  # whether it is drawn as not taken


Cell = str | Mark | Sequence[str | Mark]


def seat_mark(seat: int) -> Mark:
    """Return the sign of a player."""
    return Mark("seat", str(seat + 1), seat)


def player_cell(cell: Cell, names: Sequence[str]) -> Cell:
    """Return a player's name as sign and strategy, and any other cell unchanged."""
    if not isinstance(cell, str) or cell not in names:
        return cell
    return [seat_mark(names.index(cell)), f" {strategy_of(cell)}"]


@dataclass(frozen=True)
class Panel:
    """A titled table or drawing."""

    title: str
    # Headings; empty for a drawing, or a table without headings.
    columns: list[str] = field(default_factory=list)
    rows: Sequence[Sequence[Cell]] = field(default_factory=list)  # text, signs, or both
    # A drawing as an SVG element, or "". Put parts that seldom change on separate lines: a page stores each line
    # once. The seats' colours are the CSS variables ``--s0``, ``--s1``, ...
    svg: str = ""
    tile: bool = False  # whether the panel is small and shown in a row with other tiles
    note: str = ""  # a word next to the title


@dataclass(frozen=True)
class Move:
    """A decision, chance outcome or outcome in a replay."""

    kind: str  # the kind of a decision; ``chance``; or ``outcome``, what the rules made of a decision
    label: str
    seat: int  # the seat that decided; -1 for chance and outcomes
    parts: Mapping[str, int]  # the parts of the action, chance outcome or outcome as numbers, by name
    before: Any  # the state before this row of the trace
    after: Any  # the state before the next one
    viewer: int  # the seat from whose view the position is shown
    names: list[str]  # names of the players, by seat
    code: int  # of the action or chance outcome; below 0 for an outcome

    @property
    def who(self) -> str:
        """The player who decided, or "" for chance and outcomes."""
        return "" if self.seat == CHANCE else self.names[self.seat]

    @property
    def outcome(self) -> str:
        """The name of an outcome, "" for decisions and chance."""
        return self.label.partition(" ")[0] if self.kind == OUTCOME else ""


@dataclass(frozen=True)
class Told:
    """One step of a replay."""

    text: str  # description of the step
    observation: Any  # the position, as the argument of the game's `show` and `summarise`
    about: str = ""  # title of the panel that the step concerns, or ""
    outcome: bool = False  # whether the step follows from the rules, not from a player: a resolution


def tell(display: Any, rules: Any, move: Move) -> list[Told]:
    """Return the steps of one row of the trace, each with the position after it.

    Decisions and chance have the words of the table `ACTIONS`, or else of `say`; outcomes have those of the table
    `OUTCOME_TEXTS`.
    """
    if move.kind == OUTCOME:
        text, about = _say_outcome(display, rules, move)
        if not text:
            return []
    elif hasattr(display, "ACTIONS"):
        text, about = display.ACTIONS.tell(rules, move)
    else:
        text, about = display.say(move.label, move.who), ""
    seen = display.observe(rules, move.after, move.viewer)
    return [Told(text, seen, about, move.kind == OUTCOME)]


def _say_outcome(display: Any, rules: Any, move: Move) -> tuple[str, str]:
    """Return an outcome as a sentence, by default its label, and the title of the panel that it is about.

    An entry of `OUTCOME_TEXTS` is a text with the parts in braces, or a function of the rules and the move, or a pair
    of either and the title of a panel, which may be such a function too. The part ``player`` is replaced by the
    player's name. An outcome whose text is empty is not told.
    """
    entry = getattr(display, "OUTCOME_TEXTS", {}).get(move.outcome, move.label)
    text, about = entry if isinstance(entry, tuple) else (entry, "")
    about = about(rules, move) if callable(about) else tr(about)
    if callable(text):
        return text(rules, move), about
    words = words_of(display, rules)
    parts: dict[str, object] = dict(move.parts)
    for name, number in move.parts.items():
        if name == "player":
            parts[name] = move.names[number]
        elif name in words:
            parts[name] = tr(words[name][number])
    return tr(text, **parts), about


def with_labels(module: Any) -> Any:
    """Return the names of a game's display, with `write_label`, `say` and `parts_of` of its table `ACTIONS`."""
    table = getattr(module, "ACTIONS", None)
    names = ("write_label", "say", "parts_of") if table else ()
    return SimpleNamespace(**{name: getattr(table, name) for name in names} | vars(module))


def name_round(display: Any, rules: Any, observation: Any) -> str:
    """Return the game's name of a round, "" if the game has no `name_round`."""
    if not hasattr(display, "name_round"):
        return ""
    name: str = display.name_round(rules, observation)
    return name


def signs(display: Any) -> Sequence[tuple[Mark | str, str]]:
    """Return the signs that a game draws, marks or SVG elements, with their meanings; empty without `SIGNS`."""
    found: Sequence[tuple[Mark | str, str]] = getattr(display, "SIGNS", ())
    return found


def words_of(display: Any, rules: Any) -> Mapping[str, Sequence[str]]:
    """Return the words for the game's own numeric columns; empty if the game has no `WORDS`."""
    found: Mapping[str, Any] = getattr(display, "WORDS", {})
    return {column: words(rules) if callable(words) else words for column, words in found.items()}


def tie_break(analytics: Any) -> tuple[str, tuple[str, ...]]:
    """Return the name of the tie-breaker and the columns of the seats table that sum to it; empty if there is none."""
    found: tuple[str, tuple[str, ...]] = getattr(analytics, "TIE_BREAK", ("", ()))
    return found


def parts_of(display: Any, code: int, rules: Any) -> Mapping[str, int]:
    """Return the parts of an action or chance outcome by name; empty if the game has no `parts_of`."""
    if not hasattr(display, "parts_of"):
        return {}
    found: Mapping[str, int] = display.parts_of(code, rules)
    return found


@dataclass(frozen=True)
class TraceWords:
    """Labels, kinds and parts of the rows of a trace, by two modules of the game and its checked rule set."""

    kernel: Any
    display: Any
    rules: Any

    @cached_property
    def outcomes(self) -> list[tuple[str, tuple[str, ...]]]:
        """The game's outcomes by number: name, names of the parts."""
        return list(getattr(self.kernel, "OUTCOMES", {}).items())

    @cached_property
    def words(self) -> Mapping[str, Sequence[str]]:
        """The words for numeric columns and parts."""
        return words_of(self.display, self.rules)

    def outcome(self, code: int) -> str | None:
        """Return the name of an outcome; None for decisions and chance."""
        return self.outcomes[-1 - code][0] if code < 0 else None

    def kind(self, code: int) -> str:
        """Return the kind of a row."""
        return OUTCOME if code < 0 else str(self.display.kind_name(code))

    def parts(self, code: int, numbers: Sequence[int]) -> Mapping[str, int]:
        """Return the parts of a row by name; `numbers` are those of an outcome."""
        if code >= 0:
            return parts_of(self.display, code, self.rules)
        return dict(zip(self.outcomes[-1 - code][1], map(int, numbers), strict=False))

    def label(self, code: int, numbers: Sequence[int]) -> str:
        """Return the label of a row: of an outcome its name and parts, separated by spaces."""
        if code >= 0:
            return str(self.display.write_label(code, self.rules))
        found = self.parts(code, numbers)
        return " ".join([self.outcomes[-1 - code][0], *(self.word(*part) for part in found.items())])

    def word(self, part: str, number: int) -> str:
        """Return a part as it is written in a label."""
        return self.words[part][number] if part in self.words else str(number)
