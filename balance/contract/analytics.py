"""A game's definitions for reports: measures, early choices, styles of play, and components such as cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from balance.contract.sides import RIVALS
from balance.foundation.language import tr


@dataclass(frozen=True)
class Measure:
    """A quantity with a mean over games or seats."""

    name: str  # name in targets, options and CSV files
    label: str  # name on pages
    # An SQL expression over columns of seats and games, NULL if undefined; "" for what only followed or traced games
    # show.
    value: str
    unit: str = ""  # ``%`` (then `value` is a share, 0 to 1), ``points``, ...; "" for a bare number
    # The column by which the measure is split: ``seat``, ``team``, ``strategy`` or the game's `faction_column`; or "".
    by: str = ""
    # The factions with their names on pages, if it is split by faction.
    groups: tuple[tuple[str, str], ...] = ()
    per_game: bool = False  # whether the value belongs to the game, so that one seat represents all
    scale: float = 1.0  # factor to the unit shown, e.g. 100 for percentage points
    threshold: float | None = None  # largest difference that does not matter, in the unit shown
    needs_rounds: bool = False  # whether it needs the log level `rounds` or `trace`
    on_request: bool = False  # whether it is compared only where it is named
    is_traced: bool = False  # whether only traced games show it
    needs: tuple[str, ...] = ()  # what a game must have, see `balance.contract.sides.Sides.allow`
    meaning: str = ""  # definition, with its source

    @property
    def is_followed(self) -> bool:
        """Whether games must be followed to measure it, see `balance.analysis.chances`."""
        return self.is_apart and not self.is_traced

    @property
    def is_apart(self) -> bool:
        """Whether it is no SQL over rows: only a closer look at games shows it."""
        return not self.value

    @property
    def is_share(self) -> bool:
        """Whether every value is a share, 0 to 1 before scaling, as for all measures in %."""
        return self.unit.startswith("%")

    @property
    def is_split_share(self) -> bool:
        """Whether it is the win share of a seat, team, strategy or faction among rivals, which has a fair value."""
        return bool(self.by) and self.is_share and RIVALS in self.needs

    @property
    def scaled(self) -> str:
        """The SQL expression in the unit shown."""
        return self.value if self.scale == 1 else f"{self.scale:g} * ({self.value})"


@dataclass(frozen=True)
class Choice:
    """An early action of a seat."""

    name: str
    label: str  # name on pages
    # An SQL aggregate over the rounds of a game and seat (`r`), e.g. ``max(r.cards) FILTER (r.round = 3)``.
    value: str


@dataclass(frozen=True)
class Closeness:
    """The order of games by closeness."""

    # Names to SQL aggregates over the rows of one game, ``e`` of the games table joined with ``s`` of the seats.
    columns: Mapping[str, str]
    order: Sequence[str]  # names of columns; the game with the smallest values is the closest
    # Returns a description of the closest game's row, e.g. "1 point between first and second".
    why: Callable[[Any], str]
    most: str  # the order in words, before "of 600 games", e.g. "the smallest margin"


@dataclass(frozen=True)
class Style:
    """The behaviour that distinguishes a named profile from the others."""

    what: str  # description, e.g. "share of its score from crown knights"
    of: Mapping[str, float]  # columns of the seats table with their factors
    # The sum of `of` is divided by that of these; empty: by the number of rows.
    over: Mapping[str, float]
    gist: str = ""  # the behaviour in two or three words, such as "many helpers"; by default `what`

    @property
    def in_short(self) -> str:
        """What follows the name of a strategy on the page."""
        return self.gist or self.what

    def measure(self, seats: Any) -> np.ndarray:
        """Return the value of each candidate on this axis.

        Parameters
        ----------
        seats : record array (candidates, ...)
            Rows of the seats table.

        Returns
        -------
        float array (candidates,)
            A ratio of totals over all rows of a candidate; 0 if the denominator is 0.
        """
        count = len(seats)
        own = self._sum(self.of, seats)
        whole = self._sum(self.over, seats) if self.over else np.full(count, seats.size / count)
        return np.asarray(np.divide(own, whole, out=np.zeros(count), where=whole > 0))

    def _sum(self, columns: Mapping[str, float], seats: Any) -> np.ndarray:
        """Sum columns over all rows of each candidate."""
        total = np.zeros(len(seats))
        for column, factor in columns.items():
            total += factor * seats[column].reshape(len(seats), -1).sum(1, dtype=float)
        return total


def literal(text: str) -> str:
    """Return a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class OptionSet:
    """Options of the players that serve one purpose, such as the fields where a pawn may be placed."""

    name: str  # what they are, in the plural
    where: str  # an SQL condition on the rows of the trace that use one
    column: str  # an SQL expression for the option that such a row uses
    options: Mapping[str, str]  # every option that all rule sets have, with its name on pages


class ComponentKernel(Protocol):
    """The optional kernel functions of a game with components, along with `list_components` in its analytics.

    - ``count_components(rules, state, log, counts)`` (compiled) fills ``counts.shown[component]``, how often a
      component has turned up so far, and ``counts.taken[seat, component]``, how often a seat took one. Neither ever
      decreases. The function may read counters that the game keeps in its log.
    - ``give_component(rules, state, log, component, seat)`` (compiled) gives a seat one more, in place, at the first
      decision after the component turned up; returns whether this was possible.
    - ``remove_component(packed, component)``, for components that can't be given, changes the packed rules so that the
      component has no effect and everything else is dealt as before.
    """

    MOST_COMPONENTS: int
    """An upper bound of the number of components in any rule set."""
    count_components: Callable[..., Any]
    give_component: Callable[..., Any]
    remove_component: Callable[..., Any]


@dataclass(frozen=True)
class Component:
    """A card, or all equal cards: components with the same family and name are counted together."""

    name: str  # name on pages
    family: str  # kind of component, in the plural, e.g. "knights"
    # Whether a seat can get one more. Other components, such as an event for all, are tried by leaving them out.
    given: bool = True
    # The name in the language in use; by default the translation of `name`.
    shown: str = field(default="", compare=False)

    @property
    def title(self) -> str:
        """The name in the language in use."""
        return self.shown or tr(self.name)
