"""Tiers: sets of players that play the same cells on the same decks, each for itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from balance.plan.experiment import Experiment, TierKeys
from balance.plan.strategies import Strategy

Adapted = Mapping[tuple[str, int], list[Strategy]]
"""Variant and player count to the strategies, in their order, as they were trained for it."""


@dataclass(frozen=True)
class Tier:
    """Who plays the cells of a plan, with everything looked up.

    Attributes
    ----------
    name : str
        As logged.
    strategies : list of Strategy
        All that its line-ups name, by number; another tier may have others of the same names.
    lineups : list of list of str
        Empty where line-ups are drawn from the strategies.
    games, most_games : int
        In each cell: until a stop rule looks, and altogether.
    earlier : tuple of int
        What `most_games` was each time that the run was finished before, and then made longer in this tier or
        another.
    luck : int
        Games of a cell that are played again, with one source of chance drawn anew at a time.
    adapt : int
        Games by which its profiles are trained for each variant and player count; 0: not at all.
    loss : float
        Share of its wins that mistakes cost each profile; 0: it makes none beyond its own temperature.
    adapted : Adapted
        What came of those two.
    """

    name: str
    strategies: list[Strategy]
    lineups: list[list[str]]
    games: int
    most_games: int
    luck: int = 0
    adapt: int = 0
    loss: float = 0.0
    adapted: Adapted = field(default_factory=dict)
    earlier: tuple[int, ...] = ()

    def strategies_in(self, variant: str, players: int) -> list[Strategy]:
        """Its strategies as they play a variant at a player count."""
        return self.adapted.get((variant, players), self.strategies)

    @property
    def finished_games(self) -> int:
        """Of a run that is not finished: how many games a cell had at most when it last was, or is to have if never."""
        return self.earlier[-1] if self.earlier else self.most_games

    def going_on_from(self, before: Tier, seen: bool) -> Tier:
        """The tier as it was made ready before; what it was then may have been `seen` and was left for more games."""
        length = (before.most_games,) if seen else ()
        return replace(self, adapted=before.adapted, earlier=(*before.earlier, *length))

    @property
    def is_prepared(self) -> bool:
        """Whether its profiles are changed for each cell before it is played."""
        return bool(self.adapt or self.loss)

    @property
    def has_custom_bots(self) -> bool:
        """Whether Python is asked during games."""
        return any(strategy.kind == "custom" for strategy in self.strategies)

    @property
    def searches_alone(self) -> bool:
        """Whether all its players are searchers."""
        return all(strategy.search for strategy in self.strategies)

    @property
    def iterations(self) -> int:
        """The most iterations of a searcher; 0 where nobody searches."""
        searches = [each.search for each in self.strategies if each.search]
        return max((search.switches.iterations for search in searches), default=0)


def make_tier(
    experiment: Experiment, keys: TierKeys, strategies: list[Strategy], lineups: list[list[str]],
    adapted: Adapted | None = None, earlier: Sequence[int] = (),
) -> Tier:  # fmt: skip
    """The tier of an experiment's keys, with its strategies looked up."""
    most, luck = experiment.most_games(keys), experiment.luck_of(keys)
    return Tier(
        keys.name,
        strategies,
        lineups,
        keys.games,
        most,
        luck,
        keys.adapt,
        keys.loss or 0.0,
        adapted or {},
        tuple(earlier),
    )
