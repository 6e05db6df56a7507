"""What replays and tables ask of a game beside the words and panels that every game has; each with a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.contract.panel import Mark
from balance.contract.records import CHANCE


@dataclass(frozen=True)
class Move:
    """A decision or chance outcome of a game that is told.

    Attributes
    ----------
    label : str
    seat : int
        Who decided; -1 for chance.
    before, after : record
        The state when it was asked, and at the next decision; of chance outcomes both are the latter.
    viewer : int
        The seat through whose eyes the position is shown.
    names : list of str
        Of the players, by seat.
    """

    label: str
    seat: int
    before: Any
    after: Any
    viewer: int
    names: list[str]

    @property
    def who(self) -> str:
        """The player who decided, or "" for chance."""
        return "" if self.seat == CHANCE else self.names[self.seat]


@dataclass(frozen=True)
class Told:
    """A picture of a replay.

    Attributes
    ----------
    text : str
        What happens.
    observation : object
        The position, as the game's `show` and `summarise` take it.
    about : str
        Title of the panel that it is about, or "".
    outcome : bool
        Whether the rules brought it about, and no player: a resolution.
    """

    text: str
    observation: Any
    about: str = ""
    outcome: bool = False


def tell(display: Any, rules: Any, move: Move) -> list[Told]:
    """A move as a game tells it or, if it brings no `tell`, in a sentence with the position after it."""
    if hasattr(display, "tell"):
        told: list[Told] = display.tell(rules, move)
        return told
    seen = display.observe(rules, move.after, move.viewer)
    return [Told(display.say(move.label, move.who), seen)]


def name_round(display: Any, rules: Any, observation: Any) -> str:
    """What sets a round apart beside its number, "" if the game brings no `name_round`."""
    if not hasattr(display, "name_round"):
        return ""
    name: str = display.name_round(rules, observation)
    return name


def signs(display: Any) -> Sequence[tuple[Mark, str]]:
    """The signs that a game draws and what they mean, none if the game brings no `SIGNS`."""
    found: Sequence[tuple[Mark, str]] = getattr(display, "SIGNS", ())
    return found


def words_of(display: Any, rules: Any) -> Mapping[str, Sequence[str]]:
    """The game's own columns that hold numbers of words, with the words; none if the game brings no `WORDS`."""
    found: Mapping[str, Any] = getattr(display, "WORDS", {})
    return {column: words(rules) if callable(words) else words for column, words in found.items()}


def tie_break(analytics: Any) -> tuple[str, tuple[str, ...]]:
    """What decides between equal scores, and the columns of the seats table that sum to it; none if not said."""
    found: tuple[str, tuple[str, ...]] = getattr(analytics, "TIE_BREAK", ("", ()))
    return found
