"""The settings of studies of a game's rules."""

from __future__ import annotations

from dataclasses import dataclass

from balance.experiments.settings import RulesPlayed, option, seed_option

POOL = "A pool of strategies that plays; default the expert, or else the strongest profile."


@dataclass(frozen=True)
class Ladder(RulesPlayed):
    """The settings of a ladder."""

    strategies: tuple[str, ...] = option((), "Strategies to rank; default all profiles, random, search-25, search-100.")
    against: str = option("search-100", "Opponent in duels: each strategy alone against a table of it.")
    games: int = option(4000, "Games between the strategies at each player count.", 10)
    duels: int = option(400, "Games of each duel, and of each doubling of the budget.", 10)
    trace: int = option(100, "Largest budget of the skill trace; 0 for none.", 0)
    seed: int = seed_option(1, "the games")


@dataclass(frozen=True)
class StrengthCurve(RulesPlayed):
    """The settings of a strength curve."""

    levels: tuple[str, ...] = option(
        (),
        "Levels of play, the weakest first: strategies, with @loss=0.3 (a profile) or @temperature=1 (a profile or "
        "network) if wanted; default novices, champion, expert, searchers.",
    )
    games: int = option(4000, "Games of each level against itself at each player count.", 100)
    search_games: int = option(400, "The same for searchers, and games of each level against the next.", 100)
    top: int = option(100, "Iterations of the strongest default level.", 1)
    seed: int = seed_option(1, "the games")


@dataclass(frozen=True)
class Exploit(RulesPlayed):
    """The target of an exploit, and its means."""

    targets: tuple[str, ...]  # one strategy for all other seats, or a line-up of these seats
    starts: tuple[str, ...] = option(
        (),
        "Profiles, or one network, to start from; default the target if it is a network, else all shipped profiles.",
        flag="start",
    )
    iterations: int = option(100, "Iterations per decision of the opposing searcher.", 1)
    games: int | None = option(
        None, "Training games at each player count; default 1,000,000, or 80,000 for a network.", 10_000
    )
    seed: int = seed_option(0, "the search and the games")

    @property
    def searcher(self) -> str:
        """The name of the searcher."""
        return f"search-{self.iterations}"


@dataclass(frozen=True)
class Restricted(RulesPlayed):
    """The settings of restricted play."""

    forbid: tuple[str, ...] = option(
        (),
        "An option that the game names (`balance games NAME`), or the actions to forbid: a shell pattern of labels, "
        "a field, a card, or PART=WORD; may be repeated; default all options that the game names.",
        metavar="OPTION|PATTERN",
        repeated=True,
    )
    strategy: str = option("", "The profile or network that plays; default the strongest profile.")
    games: int = option(4000, "Games without each option at each player count.", 100)
    adapt: int = option(200_000, "Training games of each player, approximately.", 10_000)
    threshold: float = option(3.0, "Points of win share; an option worth less is not missed.", 0.1, 50)
    seed: int = seed_option(1, "the games")


@dataclass(frozen=True)
class Steps:
    """What replaces the keys of an experiment in a sensitivity analysis, and which keys go a step; empty for none."""

    keys: tuple[str, ...] = option((), "Shell patterns of rule keys, such as 'start.*'; default all.")
    strategies: tuple[str, ...] = option((), POOL)
    tier: str = option("", "The tier of the experiment that plays; default its first.", metavar="NAME")
    games: int | None = option(None, "Games of each step at each player count; default 4000, or the experiment's.", 100)
    measures: tuple[str, ...] = option((), "Measures; default all of the game.", flag="measure")
    seed: int | None = seed_option(None, "the games; default 1, or the experiment's")


@dataclass(frozen=True)
class TuneLimits:
    """What replaces the limits of an experiment's search; None for its own."""

    games: int | None = option(None, "Games of the search, instead of the experiment's.", 10_000)
    changes: int | None = option(None, "Most values that may change, instead of the experiment's.", 1)
    scale: float | None = option(
        None, "Multiply the held-out games of every tier: 0.1 for a quick look.", 0, 1000, above=True
    )


@dataclass(frozen=True)
class Tried(RulesPlayed):
    """What is played live, and what is changed first."""

    strategies: tuple[str, ...] = option((), POOL)
    games: int | None = option(None, "Games at each player count; default the games of one second, at most 10,000.", 1)
    changes: tuple[str, ...] = option(
        (), "Change this key first; may be repeated.", flag="set", metavar="KEY=VALUE", repeated=True
    )
    measures: tuple[str, ...] = option((), "Measures in addition to win shares; default the report's.", flag="measure")
    seed: int = seed_option(1, "the games")
