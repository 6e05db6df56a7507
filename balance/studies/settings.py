"""The settings of studies of a game's rules: each is declared once, and the command line makes an option of it.

Every start of a command reads this module, so it imports nothing slow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_MOST = 2**63 - 1


@dataclass(frozen=True)
class Option:
    """How the command line names a setting, and what it accepts."""

    help: str
    limits: tuple[Any, Any] | None = None  # of a number: the least, and the most or None
    above: bool = False  # whether a number must be larger than the least
    flag: str = ""  # by default the name of the field
    metavar: str | None = None
    repeated: bool = False  # whether each value has an option of its own; otherwise commas separate them


def _option(default: Any, text: str, *limits: float, **more: Any) -> Any:
    """Return a field with an option; one limit is the least."""
    span = (limits[0], limits[1] if len(limits) > 1 else None) if limits else None
    return field(default=default, metadata={"option": Option(text, span, **more)})


@dataclass(frozen=True)
class RulesPlayed:
    """A variant of a game, and who plays it."""

    game: str
    variant: str
    # Empty: all counts of the game or, against a line-up, the count that it fits.
    players: tuple[int, ...]


POOL = "A pool of strategies that plays; default the expert, or else the strongest profile."


@dataclass(frozen=True)
class Ladder(RulesPlayed):
    """The settings of a ladder."""

    strategies: tuple[str, ...] = _option(
        (), "Strategies to rank; default all profiles, random, search-25, search-100."
    )
    against: str = _option("search-100", "Opponent in duels: each strategy alone against a table of it.")
    games: int = _option(4000, "Games between the strategies at each player count.", 10)
    duels: int = _option(400, "Games of each duel, and of each doubling of the budget.", 10)
    trace: int = _option(100, "Largest budget of the skill trace; 0 for none.", 0)
    seed: int = _option(1, "Seed of the games.", 0, _MOST)


@dataclass(frozen=True)
class StrengthCurve(RulesPlayed):
    """The settings of a strength curve."""

    levels: tuple[str, ...] = _option(
        (),
        "Levels of play, the weakest first: strategies, with @loss=0.3 (a profile) or @temperature=1 (a profile or "
        "network) if wanted; default novices, champion, expert, searchers.",
    )
    games: int = _option(4000, "Games of each level against itself at each player count.", 100)
    search_games: int = _option(
        400, "The same for searchers, and games of each level against the next.", 100
    )
    top: int = _option(100, "Iterations of the strongest default level.", 1)
    seed: int = _option(1, "Seed of the games.", 0, _MOST)


@dataclass(frozen=True)
class Exploit(RulesPlayed):
    """The target of an exploit, and its means."""

    targets: tuple[str, ...]  # one strategy for all other seats, or a line-up of these seats
    starts: tuple[str, ...] = _option(
        (),
        "Profiles, or one network, to start from; default the target if it is a network, else all shipped profiles.",
        flag="start",
    )
    iterations: int = _option(100, "Iterations per decision of the opposing searcher.", 1)
    games: int | None = _option(
        None, "Training games at each player count; default 1,000,000, or 80,000 for a network.", 10_000
    )
    seed: int = _option(0, "Seed of the search and the games.", 0, _MOST)

    @property
    def searcher(self) -> str:
        """The name of the searcher."""
        return f"search-{self.iterations}"


@dataclass(frozen=True)
class Restricted(RulesPlayed):
    """The settings of restricted play."""

    forbid: tuple[str, ...] = _option(
        (),
        "An option that the game names (`balance games NAME`), or the actions to forbid: a shell pattern of labels, "
        "a field, a card, or PART=WORD; may be repeated; default all options that the game names.",
        metavar="OPTION|PATTERN",
        repeated=True,
    )
    strategy: str = _option("", "The profile or network that plays; default the strongest profile.")
    games: int = _option(4000, "Games without each option at each player count.", 100)
    adapt: int = _option(200_000, "Training games of each player, approximately.", 10_000)
    threshold: float = _option(3.0, "Points of win share; an option worth less is not missed.", 0.1, 50)
    seed: int = _option(1, "Seed of the games.", 0, _MOST)


@dataclass(frozen=True)
class Steps:
    """What replaces the keys of an experiment in a sensitivity analysis, and which keys go a step; empty for none."""

    keys: tuple[str, ...] = _option((), "Shell patterns of rule keys, such as 'start.*'; default all.")
    strategies: tuple[str, ...] = _option((), POOL)
    tier: str = _option("", "The tier of the experiment that plays; default its first.", metavar="NAME")
    games: int | None = _option(
        None, "Games of each step at each player count; default 4000, or the experiment's.", 100
    )
    measures: tuple[str, ...] = _option((), "Measures; default all of the game.", flag="measure")
    seed: int | None = _option(None, "Seed of the games; default 1, or the experiment's.", 0, _MOST)


@dataclass(frozen=True)
class TuneLimits:
    """What replaces the limits of an experiment's search; None for its own."""

    games: int | None = _option(None, "Games of the search, instead of the experiment's.", 10_000)
    changes: int | None = _option(None, "Most values that may change, instead of the experiment's.", 1)
    scale: float | None = _option(
        None, "Multiply the held-out games of every tier: 0.1 for a quick look.", 0, 1000, above=True
    )


@dataclass(frozen=True)
class Tried(RulesPlayed):
    """What is played live, and what is changed first."""

    strategies: tuple[str, ...] = _option((), POOL)
    games: int | None = _option(
        None, "Games at each player count; default the games of one second, at most 10,000.", 1
    )
    changes: tuple[str, ...] = _option(
        (), "Change this key first; may be repeated.", flag="set", metavar="KEY=VALUE", repeated=True
    )
    measures: tuple[str, ...] = _option(
        (), "Measures in addition to win shares; default the report's.", flag="measure"
    )
    seed: int = _option(1, "Seed of the games.", 0, _MOST)
