"""Tiers: sets of strategies that each play the same cells on the same deals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from balance.experiments.experiment import Experiment, TierKeys
from balance.experiments.strategies import Strategy

Adapted = Mapping[tuple[str, int], list[Strategy]]
"""Variant and player count to the strategies, in their order, trained for that cell."""


@dataclass(frozen=True)
class Tier:
    """The strategies and line-ups that play the cells of a plan, with all names resolved.

    Attributes
    ----------
    name : str
        As logged.
    strategies : list of Strategy
        All strategies of its line-ups, by number; another tier may have different ones with the same names.
    lineups : list of list of str
        Empty if line-ups are drawn from the strategies.
    games, most_games : int
        In each cell: until a stop rule is first checked, and in total.
    earlier : tuple of int
        Earlier values of `most_games`: one for each time that the run finished and was then extended, in this tier or
        another.
    luck : int
        Games of a cell that are played again, with one source of chance drawn again at a time.
    adapt : int
        Training games of the profiles for each variant and player count; 0: no training.
    loss : float
        Share of the wins that mistakes cost each profile; 0: no mistakes beyond its own temperature.
    adapted : Adapted
        The strategies after `adapt` or `loss`.
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
        """Return the strategies as they play a variant at a player count."""
        return self.adapted.get((variant, players), self.strategies)

    @property
    def finished_games(self) -> int:
        """Most games of a cell when an unfinished run last finished; if it never did, the planned number."""
        return self.earlier[-1] if self.earlier else self.most_games

    def resumed_from(self, before: Tier, seen: bool) -> Tier:
        """Return the tier with the prepared profiles of `before`; if `seen`, its length is an interim analysis."""
        length = (before.most_games,) if seen else ()
        return replace(self, adapted=before.adapted, earlier=(*before.earlier, *length))

    @property
    def is_prepared(self) -> bool:
        """Whether profiles are changed for each cell before it is played."""
        return bool(self.adapt or self.loss)

    @property
    def has_custom_bots(self) -> bool:
        """Whether Python bots play."""
        return any(strategy.kind == "custom" for strategy in self.strategies)

    @property
    def searches_alone(self) -> bool:
        """Whether all strategies are searchers."""
        return all(strategy.search for strategy in self.strategies)

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
