"""The plan of a run: an experiment with all names resolved, its tiers, cells and parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Annotated, Any

from pydantic import Field

from balance.contract.game import Game
from balance.contract.records import SHARED_SOURCES
from balance.experiments.experiment import MOST_GAMES, Experiment, Games, LogLevel, TierKeys
from balance.experiments.lineups import PooledSchedule, Schedule
from balance.experiments.networks import EXPERT, Gain
from balance.experiments.strategies import Strategy
from balance.experiments.variants import Variant
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.foundation.toml import Settings

# Multiples of 60: whole deals for 2 to 6 players.
_PART_GAMES = {"games": 20_040, "rounds": 10_020, "trace": 2_040}
_CUSTOM_PART_GAMES = 100  # a Python bot plays tens of games a second
_OWN_PART_GAMES = 480  # a game in plain Python plays hundreds of games a second
_OWN_SEARCH_PART_ITERATIONS = 100
_SEARCH_PART_ITERATIONS = 10_000  # iterations per decision times games: about five seconds

Adapted = Mapping[tuple[str, int], list[Strategy]]
"""Variant and player count to the strategies, in their order, trained for that cell."""


@dataclass(frozen=True)
class Tier:
    """The strategies and line-ups that play the cells of a plan, with all names resolved."""

    name: str
    # All strategies of its line-ups, by number; another tier may have different ones with the same names.
    strategies: list[Strategy]
    lineups: list[list[str]]  # empty if line-ups are drawn from the strategies
    games: int  # in each cell until a stop rule is first checked
    most_games: int  # in each cell in total
    # Games of a cell that are played again, with one source of chance drawn again at a time.
    luck: int = 0
    # Training games of profiles and networks for each variant and player count; 0: no training.
    adapt: int = 0
    # Share of the wins that mistakes cost each profile; 0: none beyond its own temperature.
    loss: float = 0.0
    adapted: Adapted = field(default_factory=dict)  # the strategies after `adapt` or `loss`
    # Earlier values of `most_games`: one for each time that the run finished and was then extended, in this tier or
    # another.
    earlier: tuple[int, ...] = ()

    @property
    def finished_games(self) -> int:
        """Most games of a cell when an unfinished run last finished; if it never did, the planned number."""
        return self.earlier[-1] if self.earlier else self.most_games

    @property
    def is_prepared(self) -> bool:
        """Whether strategies are changed for each cell before it is played."""
        return bool(self.adapt or self.loss)

    @property
    def has_custom_bots(self) -> bool:
        """Whether Python bots play."""
        return any(strategy.kind == "custom" for strategy in self.strategies)

    @property
    def thinks_long(self) -> bool:
        """Whether a player takes much longer than a profile: a network, a searcher or a Python bot."""
        return self.has_custom_bots or any(each.uses_networks or each.search for each in self.strategies)

    @property
    def has_restrictions(self) -> bool:
        """Whether a strategy may not take some actions."""
        return any(strategy.restriction for strategy in self.strategies)

    @property
    def searches_alone(self) -> bool:
        """Whether all strategies are searchers."""
        return all(strategy.search for strategy in self.strategies)

    @property
    def plays_networks(self) -> bool:
        """Whether all strategies are networks."""
        return all(strategy.network for strategy in self.strategies)

    def has_single_network(self, counts: Iterable[int]) -> bool:
        """Whether a strategy has only one network at some of these player counts."""
        found = [each for each in self.strategies if each.uses_networks]
        return any(each.networks(players) == 1 for players in counts for each in found)

    @property
    def is_strong(self) -> bool:
        """Whether all strategies are networks, or all searchers."""
        return self.plays_networks or self.searches_alone

    @property
    def assumed_strength(self) -> tuple[int, bool, float]:
        """A key that sorts tiers by how strongly they are expected to play: searchers, networks, other strategies.

        It counts only until the tiers have met (see `balance.runs.strength`).
        """
        return self.iterations, self.plays_networks, -self.loss

    @property
    def iterations(self) -> int:
        """The most iterations of a searcher; 0 if no strategy searches."""
        searches = [each.search for each in self.strategies if each.search]
        return max((search.switches.iterations for search in searches), default=0)


def make_tier(
    experiment: Experiment, keys: TierKeys, strategies: list[Strategy], lineups: list[list[str]],
    adapted: Adapted | None = None, earlier: Sequence[int] = (),
) -> Tier:  # fmt: skip
    """Return the tier of an experiment's keys, with its strategies loaded."""
    most, luck = experiment.most_games(keys), experiment.luck_of(keys)
    return Tier(
        keys.name, strategies, lineups, keys.games, most, luck, keys.adapt, keys.loss or 0.0,
        adapted or {}, tuple(earlier),
    )  # fmt: skip


class Member(Settings):
    """A run that was pooled: its place, its seed, and the most games of its cells in each tier."""

    run: str
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    games: dict[str, Games]


@dataclass(frozen=True)
class Cell:
    """Games of one variant at one player count, played by one tier."""

    number: int  # position in the plan
    tier: Tier
    variant: Variant
    players: int

    @property
    def first_id(self) -> int:
        """`game_id` of the cell's first game. Every cell reserves ids for the most games allowed, so a run can grow."""
        return self.number * MOST_GAMES

    @property
    def strategies(self) -> list[Strategy]:
        """The strategies that play, as they play this cell."""
        return self.tier.adapted.get((self.variant.name, self.players), self.tier.strategies)


@dataclass(frozen=True)
class Part:
    """Games `first`..`last`-1 of a cell, which one worker plays and writes as one set of files.

    With `luck`, each game is also played again, once for each of the plan's `sources`.
    """

    cell: int
    first: int
    last: int
    level: LogLevel
    luck: bool = False


@dataclass(frozen=True)
class Plan:
    """An experiment with all names resolved and checked."""

    experiment: Experiment
    game: Game
    # The rules of ``base`` when the plan was made; changes of variants are described relative to them.
    base: Any
    variants: Sequence[Variant]
    tiers: Sequence[Tier]
    points: Mapping[str, Mapping[str, Any]]  # of a sweep: variant name to the values of its keys
    bots_allowed: bool = False  # may Python code of strategies run: the user named it or allowed it
    active_tier: int = 0  # questions and pages are about one tier at a time
    members: tuple[Member, ...] = ()  # the runs of a pooled run; empty for other runs
    networks_fixed: bool = False  # intervals are about these networks, not about others of their kind

    @cached_property
    def cells(self) -> list[Cell]:
        """Every variant at every player count, tier by tier."""
        every = product(self.tiers, self.variants, self.experiment.players)
        return [Cell(number, *cell) for number, cell in enumerate(every)]

    def fair_share(self, players: Any) -> Any:
        """Return the fair win share of a seat, or of its team, in percent; works on arrays too."""
        return self.game.sides.fair_share(players)

    @property
    def tier(self) -> Tier:
        """The active tier."""
        return self.tiers[self.active_tier]

    @property
    def strategies_tier(self) -> Tier:
        """The tier whose strategies are compared: the active one if it has several, otherwise the first that has."""
        several = [tier for tier in (self.tier, *self.tiers) if len(tier.strategies) > 1]
        return several[0] if several else self.tier

    @property
    def lacks_expert(self) -> bool:
        """Whether `champion` plays in place of an `expert`, because the game has none."""
        named = any(EXPERT in tier.named for tier in self.experiment.every_tier)
        return named and EXPERT not in {strategy.name for strategy in self.strategies}

    @property
    def quick_tiers(self) -> list[Tier]:
        """The tiers without searchers and Python bots."""
        return [tier for tier in self.tiers if not tier.iterations and not tier.has_custom_bots]

    @property
    def tier_cells(self) -> list[Cell]:
        """The cells of the active tier."""
        return [cell for cell in self.cells if cell.tier is self.tier]

    def in_tier(self, name: str, where: str) -> Plan:
        """Return the plan with another active tier."""
        names = [tier.name for tier in self.tiers]
        if name not in names:
            raise unknown("tier", name, names, where)
        return replace(self, active_tier=names.index(name))

    @property
    def unmixed(self) -> set[int]:
        """The player counts at which the active tier's strategies keep their seats.

        There a seat can't be told apart from the strategy in it: not every seat has the same strategies equally often.
        """
        if self.experiment.rotate:
            return set()
        found = set()
        for players in self.experiment.players:
            seats = zip(*(line for line in self.tier.lineups if len(line) == players), strict=True)
            if len({tuple(sorted(seat)) for seat in seats}) > 1:
                found.add(players)
        return found

    @property
    def weak(self) -> dict[int, list[Gain]]:
        """The player counts at which the active tier has players that learned a game badly, and why.

        Seats with them say nothing about the rules.
        """
        networks = [each.network for each in self.tier.strategies if each.network]
        found = {
            players: [why for network in networks for why in network.weak(players)]
            for players in self.experiment.players
        }
        return {players: reasons for players, reasons in found.items() if reasons}

    @property
    def seeds(self) -> dict[int, dict[str, int]]:
        """Seeds in order, each with the most games of a cell by tier."""
        games = {tier.name: tier.most_games for tier in self.tiers}
        found: dict[int, dict[str, int]] = {}
        for member in self.members or (Member(run="", seed=self.experiment.seed, games=games),):
            own = found.setdefault(member.seed, dict.fromkeys(games, 0))
            own |= {name: max(count, member.games.get(name, 0)) for name, count in own.items()}
        return found

    @property
    def looks(self) -> int:
        """Number of interim analyses so far, including the last one; a page shows all tiers."""
        return 1 + max(len(tier.earlier) for tier in self.tiers)

    @property
    def look_families(self) -> int:
        """Divisor of the error rate at this interim analysis: 1, 2, 4, ...

        All later analyses together have at most the error rate of the first: 5 % for each page, 10 % for all pages of
        a run, however often it is extended (a union bound, 1 + 1/2 + 1/4 + ...).
        """
        return int(2 ** (self.looks - 1))

    @property
    def first_variant(self) -> Variant:
        """The variant with which the others are compared."""
        return self.variants[0]

    @property
    def has_rounds(self) -> bool:
        """Whether the state after each round is logged for all games."""
        return self.experiment.log != "games"

    @property
    def strategies(self) -> list[Strategy]:
        """The strategies of all tiers, tier by tier."""
        return [strategy for tier in self.tiers for strategy in tier.strategies]

    def check_bots_allowed(self, strategies: Iterable[Strategy]) -> None:
        """Refuse to run Python code that only the run names, unless the user allowed it."""
        bots = [strategy.bot for strategy in strategies if strategy.bot]
        if bots and not self.bots_allowed:
            raise BalanceError(
                tr(
                    "the run names Python code, {bots} (FILE:CLASS): if you trust it, allow it with --run-bots (in "
                    "Python: run_bots=True)",
                    bots=", ".join(bots),
                )
            )

    def schedule(self, cell: Cell) -> Schedule:
        """Return the line-ups, deals and seeds of a cell; all tiers have the same deals and seeds."""
        tier, players = cell.tier, cell.players
        numbers = {strategy.name: number for number, strategy in enumerate(tier.strategies)}
        fitting = [lineup for lineup in tier.lineups if len(lineup) == players]
        lineups = [tuple(numbers[name] for name in lineup) for lineup in fitting]
        pool = 0 if tier.lineups else len(tier.strategies)
        rotate, seeds = self.experiment.rotate, {s: games[tier.name] for s, games in self.seeds.items()}
        if len(seeds) == 1:
            return Schedule(players, pool, lineups, rotate, self.experiment.seed)
        return PooledSchedule(players, pool, lineups, rotate, seeds)

    def most_lineups(self, players: Sequence[int]) -> int:
        """Return the most line-ups of the active tier at one of these player counts."""
        cells = [cell for cell in self.tier_cells if cell.players in players]
        return max(self.schedule(cell).pass_deals for cell in cells)

    def networks_apart(self, players: Sequence[int]) -> int:
        """Return the number of networks if one of them plays each deal in all seats of the active tier; 1 otherwise."""
        found = {strategy.networks(count) for strategy in self.tier.strategies for count in players}
        apart = len(found) == 1 and self.most_lineups(players) == 1 and not self.networks_fixed
        return found.pop() if apart else 1

    @property
    def has_networks_apart(self) -> bool:
        """Whether there are `networks_apart` at a player count: more games do not show how far others would differ."""
        return any(self.networks_apart([count]) > 1 for count in self.experiment.players)

    def sources(self, cell: Cell) -> list[str]:
        """Return the sources of chance that are drawn again, one at a time, when games are played again.

        These are the game's own sources, the bots' random streams and, if there is more than one line-up, the line-up.
        """
        every = [*self.game.kernel.CHANCE, *SHARED_SOURCES]
        return every if self.schedule(cell).varies else every[:-1]

    def parts(self, cell: Cell, first: int, last: int) -> list[Part]:
        """Split games `first`..`last`-1 of a cell into parts; the first `trace` and `luck` games log more."""
        experiment = self.experiment
        parts = []
        while first < last:
            level: LogLevel = "trace" if first < experiment.trace else experiment.log
            size = _part_games(cell.tier, level, bool(self.game.own_loop))
            luck = cell.tier.luck
            limits = [limit for limit in (experiment.trace, luck, *cell.tier.earlier) if first < limit]
            end = min(last, first + size, *limits)
            parts.append(Part(cell.number, first, end, level, first < luck))
            first = end
        return parts


def _part_games(tier: Tier, level: LogLevel, is_plain: bool) -> int:
    """Return the games of a part: few enough that a killed run loses little."""
    most = _CUSTOM_PART_GAMES if tier.has_custom_bots else _PART_GAMES[level]
    most = min(most, _OWN_PART_GAMES) if is_plain else most
    iterations = _OWN_SEARCH_PART_ITERATIONS if is_plain else _SEARCH_PART_ITERATIONS
    return min(most, max(1, iterations // tier.iterations)) if tier.iterations else most
