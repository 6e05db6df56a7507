"""What every section of a chapter needs to know of its run, found out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from balance.analysis.longer import Longer, decide
from balance.analysis.tiers import Asked, Held, hold_tiers
from balance.contract.measure import Measure
from balance.log.folder import RunFolder
from balance.plan.measures import measures_of, share_of
from balance.plan.plan import Plan
from balance.plan.thresholds import Thresholds
from balance.progress import SILENCE, Progress
from balance.report.figures.sheet import colours
from balance.stats.comparisons import ALPHA

MOST_SHOWN = 6


@dataclass(frozen=True)
class Facts:
    """A run as its chapter sees it.

    Attributes
    ----------
    run : RunFolder
    given : int
        How many families of verdicts stand on the page.
    progress : Progress
        Told of games that a section reads of its own.
    asked : dict
        The tiers that have results, with their answers, the one that the page is about first; empty where it is
        the only one.
    """

    run: RunFolder
    given: int = 1
    progress: Progress = SILENCE
    asked: Mapping[str, Asked] = field(default_factory=dict)

    @property
    def families(self) -> int:
        """How many families share the page's error: those that stand on it, at each look of a run made longer."""
        return self.given * self.plan.look_families

    @property
    def plan(self) -> Plan:
        """The run's plan."""
        return self.run.plan

    @property
    def thresholds(self) -> Thresholds:
        """Points that do not matter, of seats and of strategies."""
        return self.plan.experiment.thresholds

    @property
    def first(self) -> str:
        """The variant that others are compared with."""
        return self.plan.first_variant.name

    @property
    def other_tiers(self) -> list[str]:
        """Names of the tiers that the page is not about."""
        return [tier.name for tier in self.plan.tiers if tier is not self.plan.tier]

    @property
    def shown(self) -> list[str]:
        """The variants that figures of one variant are drawn of: all, or the first of very many."""
        names = [variant.name for variant in self.plan.variants]
        return names if len(names) <= MOST_SHOWN else names[:1]

    @cached_property
    def held(self) -> dict[str, Held]:
        """How other tiers stand to the one that the page is about, by kind; empty where there are none."""
        return hold_tiers(self.asked, self.families) if self.asked else {}

    def of_shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows about the variants that are `shown`."""
        return frame[frame["variant"].isin(self.shown)]

    @property
    def has_rounds(self) -> bool:
        """Whether scores after each round were logged."""
        return self.plan.has_rounds

    @property
    def has_several_strategies(self) -> bool:
        """Whether strategies can be compared."""
        return len(self.plan.tier.strategies) > 1

    @property
    def shared(self) -> str:
        """How verdicts share the error of the page, to be said behind "corrected together"."""
        if self.families == 1:
            return ""
        each = 100 * ALPHA / self.families
        return f" at {each:.2g} %, being one of {self.sharing} that share the page's 5 %"

    @property
    def sharing(self) -> str:
        """What shares the error of the page, in words."""
        given = f"{self.given} {'family' if self.given == 1 else 'families'} of verdicts"
        return f"{given}, at look {self.plan.looks}," if self.plan.looks > 1 else given

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """All measures of the run, by name."""
        return {measure.name: measure for measure in measures_of(self.plan)}

    @cached_property
    def whole_measures(self) -> list[Measure]:
        """Those that are not split by seat or strategy."""
        return [measure for measure in self.measures.values() if not measure.by]

    @cached_property
    def seat_share(self) -> Measure:
        """The win share by seat, with its threshold."""
        return share_of(self.plan, "seat")

    @cached_property
    def strategy_share(self) -> Measure:
        """The win share by strategy, with its threshold."""
        return share_of(self.plan, "strategy")

    @cached_property
    def colours(self) -> dict[str, str]:
        """A colour for each variant, the same in all figures."""
        return colours([variant.name for variant in self.plan.variants])

    def longer(self, table: pd.DataFrame) -> Longer | None:
        """What would decide what is undecided in a table; None where nothing would."""
        return decide(self.run, self.of_shown(table))

    def of_first(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows about the first variant."""
        return frame[frame["variant"] == self.first]
