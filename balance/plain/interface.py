"""What the author of a game in plain Python writes: a class with a handful of methods, and a model of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from inspect import unwrap
from typing import Any, ClassVar, Self

from balance.contract.sides import TABLE, TEAM, Sides
from balance.foundation.toml import Settings
from balance.plain.chance import Chance
from balance.plain.copying import copy_state
from balance.plain.hidden import fill_hidden

GOALS = ("wins", "score")
WON, LOST = "won", "lost"
"""What `PlainGame.outcome` returns."""


class RuleSet(Settings):
    """Base of the rules of a game: numbers and switches that a designer may change, each with limits.

    `variants/base.toml` has the values; every other variant changes some of them.
    """

    title: str
    description: str

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return the rules themselves: they never change, so copies of a state share them."""
        return self


class PlainGame:
    """Base of a game in plain Python. The file `game.py` of a folder has one class derived from it.

    A state is an object of the author's own, such as a dataclass of lists and dicts. It has an attribute ``seat``, the
    seat to choose, and may have ``round``, the number of the round, from 1. All that happens in a game follows from
    the state, the actions and the handed `Chance`: the same seed gives the same game.

    Attributes
    ----------
    title : str
        Name of the game on pages.
    summary : str
        One line for `balance games`.
    players : sequence of int
        Player counts.
    Rules : type
        The model of the rules, derived from `RuleSet`.
    FEATURES : mapping of str
        Names of the features that profiles weigh, with their meanings; see `features`.
    POSITION : mapping of str
        Names of the features of a seat's position, with their meanings; see `position`.
    COLUMNS : mapping of str
        Names of the game's own numbers of a seat, with their meanings; see `columns`.
    COMPONENTS : mapping of str
        Names of what a seat may be given, such as a card or a coin, with their meanings; see `give`.
    OPTIONS : mapping of str
        What a player may do, each the label of an action or its first words, with its name on pages: pages show how
        many seats use each at least once in a game.
    OUTCOMES : mapping of str
        Names of what the rules make of actions, such as a trick won, with the names of their parts; see
        `Chance.outcome`. Each part is a column of the trace.
    PARTS : mapping of str
        The parts of all outcomes, with their meanings.
    OUTCOME_TEXTS : mapping of str
        A sentence for each outcome in replays, with its parts in braces; ``{player}`` is a player's name.
    GOAL : str
        What learned players play for: ``"wins"``, or ``"score"`` where points are what counts, as chips in poker.
    MOST_ROUNDS : int
        An upper bound of the rounds of a game.
    SECONDS_PER_CHOICE : pair of float
        What people take for a choice on average, at least and at most.
    BOX_MINUTES : pair of float or None
        The time on the box.
    """

    title: ClassVar[str]
    summary: ClassVar[str] = ""
    players: ClassVar[Sequence[int]]
    Rules: ClassVar[type[RuleSet]]
    FEATURES: ClassVar[Mapping[str, str]] = {}
    POSITION: ClassVar[Mapping[str, str]] = {}
    COLUMNS: ClassVar[Mapping[str, str]] = {}
    COMPONENTS: ClassVar[Mapping[str, str]] = {}
    OPTIONS: ClassVar[Mapping[str, str]] = {}
    OUTCOMES: ClassVar[Mapping[str, Sequence[str]]] = {}
    PARTS: ClassVar[Mapping[str, str]] = {}
    OUTCOME_TEXTS: ClassVar[Mapping[str, str]] = {}
    GOAL: ClassVar[str] = "wins"
    MOST_ROUNDS: ClassVar[int] = 200
    SECONDS_PER_CHOICE: ClassVar[tuple[float, float]] = (5.0, 15.0)
    BOX_MINUTES: ClassVar[tuple[float, float] | None] = None

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Return the game itself: a state may refer to it and to its methods, and copies share them."""
        return self

    def setup(self, rules: Any, players: int, chance: Chance) -> Any:
        """Return the state at the first decision."""
        raise NotImplementedError

    def actions(self, state: Any) -> list[str]:
        """Return the labels of the legal actions of ``state.seat``; the state stays unchanged."""
        raise NotImplementedError

    def apply(self, state: Any, action: str, chance: Chance) -> None:
        """Carry out an action in place, up to the next decision or the end."""
        raise NotImplementedError

    def over(self, state: Any) -> bool:
        """Return whether the game has ended."""
        raise NotImplementedError

    def scores(self, state: Any) -> Sequence[float]:
        """Return the score of every seat if the game ended now; of every team, or the one score of the table."""
        raise NotImplementedError

    def seen(self, state: Any, seat: int) -> Any:
        """Return what a seat may know. `state` is a copy: replace what is hidden by ``HIDDEN`` and return it.

        By default a seat sees everything.
        """
        return state

    def features(self, state: Any, action: str) -> Mapping[str, float]:
        """Return the features of an action of ``state.seat``, by the names in `FEATURES`; missing ones are 0.

        They may use only what the seat may know.
        """
        return {}

    def position(self, state: Any, seat: int) -> Mapping[str, float]:
        """Return the features of a seat's position, by the names in `POSITION`; missing ones are 0.

        `balance train value` fits win chances to them, with which a searcher stops before the end of the game.
        """
        return {}

    def progress(self, state: Any) -> float:
        """Return how much of the game has been played, from 0 to 1, for values that differ early and late."""
        return 0.0

    def columns(self, state: Any, seat: int) -> Mapping[str, float]:
        """Return a seat's own numbers at the end of the game, by the names in `COLUMNS`.

        A number that is left out, None or NaN is missing: means are over the seats that have it.
        """
        return {}

    def give(self, state: Any, seat: int, name: str) -> bool | None:
        """Give a seat one more of a component, by the names in `COMPONENTS`: change the state, at the first decision.

        Return False if that is not possible. `balance components` measures what each is worth.
        """
        return False

    def tie_break(self, state: Any) -> Sequence[float]:
        """Return a number for every seat or team; the higher wins between equal scores. By default equal ones share."""
        return ()

    def teams(self, players: int) -> Sequence[str]:
        """Return the name of every seat's team. Seats of a team win together.

        `scores` and `tie_break` then return a number for every team, in the order of their first seats.
        """
        raise NotImplementedError

    def outcome(self, state: Any) -> str | float:
        """Return `WON` or `LOST` for the whole table at the end, or with ``GOAL = "score"`` its score at any time.

        A game that defines it is for one player, or co-operative. `scores` may then be left out.
        """
        raise NotImplementedError

    @cached_property
    def _sides(self) -> Sides:
        """Who wins together."""
        if has_own(self, "outcome"):
            has_score = counts_score(self)
            return Sides(TABLE, has_wins=not has_score, has_scores=has_score or has_own(self, "scores"))
        if not has_own(self, "teams"):
            return Sides()
        found = {players: list(self.teams(players)) for players in self.players}
        names = list(dict.fromkeys(name for own in found.values() for name in own))
        return Sides(TEAM, names, {players: [names.index(each) for each in own] for players, own in found.items()})

    def clone(self, state: Any) -> Any:
        """Return a copy of a state that changes independently. Searchers copy often: a quicker copy helps them."""
        return copy_state(state)

    def guess(self, state: Any, seat: int, chance: Chance) -> Any:
        """Return a state that agrees with all that a seat sees, with what is hidden dealt again.

        `state` is a copy. By default, hidden things of one kind are shuffled among their places. A game in which play
        shows more, such as a suit that a player lacks, writes its own.
        """
        view = self.seen(self.clone(state), seat)
        return fill_hidden(view, state, chance.shuffle)

    def kind(self, action: str) -> str:
        """Return the kind of a decision, for reports; by default the first word of the action."""
        return action.partition(" ")[0]

    def say(self, action: str, who: str) -> str:
        """Return an action of a player as a sentence; `who` is empty for an outcome of chance."""
        return f"{who}: {action}" if who else action

    def panels(self, view: Any, names: Sequence[str]) -> Mapping[str, Sequence[Sequence[str]]]:
        """Return the position for replays: the title of each table to its rows of text.

        `view` is what a seat sees, with "?" in place of what is hidden. By default all attributes are shown.
        """
        return {}


def has_own(game: Any, method: str) -> bool:
    """Return whether the author of a game, or its class, has written a method that has a default."""
    found = unwrap(getattr(game, method))
    return getattr(found, "__func__", found) is not getattr(PlainGame, method)


def counts_score(author: Any) -> bool:
    """Return whether players of a game play for the score, and not for the win."""
    return bool(author.GOAL == "score")


def sees_all(game: Any) -> bool:
    """Return whether every seat of a game sees everything, because its author hides nothing."""
    return not has_own(game, "seen")
