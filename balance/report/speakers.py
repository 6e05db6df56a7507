"""Who speaks for the rules: in each cell the strongest players that decide it; and what all the others show.

What weak players do may be an artefact of their play, so they never speak where stronger ones were asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

from balance.analysis.verdicts import Figure, Verdict


class Claim(Protocol):
    """A verdict, or a change, as one tier shows it."""

    @property
    def n(self) -> int:
        """The number of games, seats or pairs of games behind it."""

    @property
    def is_shown(self) -> bool:
        """Whether its word is shown, and not only open."""

    @property
    def differs(self) -> bool:
        """Whether equally strong players disagree, so that more games can't decide."""

    def is_excluded_by(self, other: Self) -> bool:
        """Return whether other players are shown to have another number for the same thing."""


C = TypeVar("C", bound=Claim)


@dataclass(frozen=True)
class Speakers:
    """The tiers of a run in the order of strength, and which of them may speak for the rules.

    Attributes
    ----------
    order : sequence of str
        All tiers with results, the weakest first.
    ranks : mapping
        Equally strong tiers have the same rank, the strongest the highest.
    speaking : sequence of str
        Those that may speak, the strongest first. The first tier of the page may. So may those that are at least as
        strong, except a single network: its intervals hold for this network alone.
    strong : frozenset of str
        Tiers of networks and searchers, which are a sample of trainings. Profiles were chosen by hand.
    """

    order: Sequence[str]
    ranks: Mapping[str, int]
    speaking: Sequence[str]
    strong: frozenset[str]

    @property
    def strongest(self) -> str:
        """The strongest tier that may speak."""
        return self.speaking[0]

    def hear(self, claims: Mapping[str, C], speaking: Sequence[str]) -> Said[C] | None:
        """Return who speaks, from the claims of all tiers about one thing; None if none of `speaking` has one.

        It is the strongest tier that shows something, unless a stronger one excludes its number. Profiles are silent
        where networks or searchers that are as strong played. If these show nothing, the one with the most games says
        whether they disagree or what is missing: in a few games of a searcher, chance looks like disagreement.
        """
        heard = [tier for tier in speaking if tier in claims]
        best = max((self.ranks[tier] for tier in heard if tier in self.strong), default=-1)
        heard = [tier for tier in heard if tier in self.strong or self.ranks[tier] > best]
        if not heard:
            return None
        shown = [
            tier
            for number, tier in enumerate(heard)
            if claims[tier].is_shown and not any(claims[tier].is_excluded_by(claims[each]) for each in heard[:number])
        ]
        by_tier = {tier: claims[tier] for tier in self.order if tier in claims}
        return Said([*shown, max(heard, key=lambda tier: claims[tier].n)][0], by_tier)

    def doubting(self, tier: str) -> list[str]:
        """Return the other tiers that are at least as strong: where one contradicts this one, nothing is shown.

        A single network is among them, which may not speak itself.
        """
        return [each for each in self.order if each != tier and self.ranks[each] >= self.ranks[tier]]

    def weaker(self, tier: str) -> list[str]:
        """Return the tiers before this one in the order of strength."""
        return list(self.order[: self.order.index(tier)])


def figures_of(said: Said[Verdict], name: str) -> dict[str, Figure]:
    """Return the numbers of all tiers for one thing of a cell, the weakest first."""
    found = {tier: verdict.figure_of(name) for tier, verdict in said.by_tier.items()}
    return {tier: figure for tier, figure in found.items() if figure}


@dataclass(frozen=True)
class Said(Generic[C]):
    """What all tiers say about one thing, and which of them speaks for the rules."""

    tier: str
    by_tier: Mapping[str, C]  # the weakest first

    @property
    def claim(self) -> C:
        """What counts."""
        return self.by_tier[self.tier]
