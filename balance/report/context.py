"""The facts about a run that every section of its chapter uses, computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import NamedTuple

import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.sample_size import RunExtension, decide
from balance.analysis.shares import PRIMARY, CountFamilies
from balance.analysis.tier_comparison import TierAnswers, TierComparison, compare_tiers, tempo_asked
from balance.analysis.traced import read_options
from balance.contract.analytics import Measure
from balance.contract.game import faction_column
from balance.contract.sides import RIVALS, TEAM
from balance.experiments.measures import measures_of, share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_, tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.people.comparison import PeopleComparison
from balance.report.figures.theme import colours
from balance.report.speakers import Speakers
from balance.runs.folder import RunFolder
from balance.runs.sidecar import CHANCES
from balance.runs.strength import Strength, read_strength, read_tier_rows
from balance.stats.comparisons import ALPHA

MOST_SHOWN = 6


class Family(NamedTuple):
    """A family of verdicts, which are corrected together: those on one question, seen with the players of a tier."""

    name: str
    tier: str = ""  # empty: of a comparison of tiers


@dataclass(frozen=True)
class Evidence:
    """The answers of a tier, from which rows of the grid make their verdicts (see `balance.report.row.Row`)."""

    plan: Plan  # with this tier
    answers: Answers
    family: CountFamilies  # of this tier
    measures: Sequence[Measure]  # those that `balance.analysis.spread.cell_questions` asked for
    # Whether the page is about this tier: the others are not asked about strategies.
    is_active: bool = True
    # See `balance.analysis.traced.read_options`.
    options_used: Callable[[], pd.DataFrame | None] = lambda: None
    # See `balance.runs.strength.read_tier_rows`.
    chances: Callable[[], pd.DataFrame | None] = lambda: None


@dataclass(frozen=True)
class ReportContext:
    """The run of a chapter, with the facts that its sections share."""

    run: RunFolder
    # The families of verdicts on the page; empty: of a part of a page.
    registered: frozenset[Family] = frozenset()
    progress: Progress = SILENCE  # counts the games that a section reads itself
    # The tiers with results and their answers; the tier that the page is about comes first. Empty if there is only
    # one tier.
    asked: Mapping[str, TierAnswers] = field(default_factory=dict)
    people: PeopleComparison | None = None  # games of people to compare with the run
    compared: Plan | None = None  # the plan of another run that this one is compared with

    @property
    def page_families(self) -> int:
        """The number of families of verdicts on the page that share its error: all but the primary question."""
        return max(1, sum(family.name != PRIMARY for family in self.registered))

    @property
    def families(self) -> int:
        """The number of families that share the page's error, counting each interim analysis of an extended run."""
        return self.page_families * self.looks

    @property
    def looks(self) -> int:
        """The divisor of an error rate at this interim analysis of an extended run."""
        return max(plan.look_families for plan in (self.plan, self.compared) if plan)

    @cached_property
    def primary_tier(self) -> str:
        """The tier with which the primary question is asked, whether the first variant favours a seat.

        It is the tier assumed to be the strongest, so that it does not depend on results. "" for values of a sweep,
        where no variant is the first, and where all players win together.
        """
        strongest = max(self.plan.tiers, key=lambda tier: tier.assumed_strength)
        return "" if self.plan.points or not self.has_rivals else strongest.name

    def family(self, name: str, tier: str | None = None) -> int:
        """Return the number of families that share an error, this one among them (see `comparisons.judge`).

        By default it is a family of the active tier. The primary question has an error of its own, and is none (0) in
        other tiers than `primary_tier`.

        Raises
        ------
        LookupError
            No section registers the family, so its verdicts would not count among those that share the error.
        """
        family = Family(name, self.plan.tier.name if tier is None else tier)
        if name == PRIMARY and family.tier != self.primary_tier:
            return 0
        if self.registered and family not in self.registered:
            raise LookupError(f"no section registers the family of verdicts {family}")
        return self.looks if name == PRIMARY else self.families

    def evidence(self, answers: Answers, tier: str = "") -> Evidence:
        """Return what rows of the grid see of a tier, by default of the active one."""
        is_active = tier in ("", self.plan.tier.name)
        own = self if is_active else self.in_tier(tier)
        measures = own.whole_measures if is_active else tempo_asked(own.plan)
        family = partial(self.family, tier=own.plan.tier.name)
        later = (lambda: own.options_used), (lambda: own.chances)
        return Evidence(own.plan, answers, family, measures, is_active, *later)

    def in_tier(self, tier: str) -> ReportContext:
        """Return what sections about another tier of the run share."""
        return self if tier == self.plan.tier.name else replace(self, run=self.run.in_tier(tier))

    @property
    def tiers(self) -> list[str]:
        """Names of all tiers; the active one comes first."""
        return [self.plan.tier.name, *self.other_tiers]

    @property
    def plan(self) -> Plan:
        """The run's plan."""
        return self.run.plan

    @property
    def thresholds(self) -> Thresholds:
        """The experiment's thresholds: the sizes below which a difference does not matter."""
        return self.plan.experiment.thresholds

    @property
    def first(self) -> str:
        """The name of the baseline variant."""
        return self.plan.first_variant.name

    @property
    def other_tiers(self) -> list[str]:
        """Names of the tiers other than the active one."""
        return [tier.name for tier in self.plan.tiers if tier is not self.plan.tier]

    @property
    def shown(self) -> list[str]:
        """The variants that have figures of their own: all, or only the first if there are more than `MOST_SHOWN`."""
        names = [variant.name for variant in self.plan.variants]
        return names if len(names) <= MOST_SHOWN else names[:1]

    @cached_property
    def tier_comparisons(self) -> dict[str, TierComparison]:
        """The comparisons of all tiers with the strongest that may speak, by kind; empty if there is only one tier."""
        return compare_tiers(self.asked, self.family, self.speakers.strongest) if self.asked else {}

    @cached_property
    def speakers(self) -> Speakers:
        """Who may speak for the rules."""
        first, ranks = self.plan.tier.name, self.strength.ranks
        plans = {name: each.plan for name, each in self.asked.items()} or {first: self.plan}
        order = [name for name in self.strength.order if name in plans]
        strong = frozenset(name for name, plan in plans.items() if plan.tier.is_strong)
        may = [
            name
            for name in order
            if name == first
            or (ranks[name] >= ranks[first] and not plans[name].tier.has_single_network(plans[name].experiment.players))
        ]
        may.sort(key=lambda name: (ranks[name], name in strong, name == first, order.index(name)), reverse=True)
        return Speakers(order, ranks, may, strong)

    @cached_property
    def strength(self) -> Strength:
        """How strong the tiers are."""
        return read_strength(self.run)

    def of_shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows about the variants that are `shown`."""
        return frame[frame["variant"].isin(self.shown)]

    @property
    def has_rivals(self) -> bool:
        """Whether seats or teams play against each other."""
        return self.plan.game.sides.allow((RIVALS,))

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
        """How verdicts share the error of the page, as a clause that follows "corrected together"."""
        if self.families == 1:
            return ""
        text = tr(
            "at {level:.2g} %, a part of the page's 5 % ({families})",
            level=100 * ALPHA / self.families,
            families=self.sharing,
        )
        return f" {text}"

    @property
    def primary_question(self) -> str:
        """The primary question, as the subject of a sentence; "" if there is none."""
        if not self.primary_tier:
            return ""
        favours = N_("whether {variant} favours a seat")
        if self.plan.game.sides.kind == TEAM:
            favours = N_("whether {variant} favours a team")
        if not self.other_tiers:
            return tr(favours, variant=self.first)
        return tr("{favours} with {tier}", favours=tr(favours, variant=self.first), tier=self.primary_tier)

    @property
    def primary_words(self) -> str:
        """A sentence about the error of the primary question; "" if there is none."""
        if not (primary := self.primary_question):
            return ""
        return tr(
            "One question is not among them, because it would need more games: {primary}. "
            "It has an error of {error:.2g} % of its own.",
            primary=primary, error=100 * ALPHA / self.looks,
        )  # fmt: skip

    @property
    def sharing(self) -> str:
        """The families that share the error of the page, in words."""
        families = trn("{n} family of verdicts", "{n} families of verdicts", self.page_families)
        if self.plan.looks == 1:
            return families
        return tr("{families} at interim analysis {look}", families=families, look=self.plan.looks)

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """All measures of the run, by name."""
        return {measure.name: measure for measure in measures_of(self.plan)}

    @cached_property
    def whole_measures(self) -> list[Measure]:
        """The measures that are not split."""
        return [measure for measure in self.measures.values() if not measure.by]

    @cached_property
    def side_share(self) -> Measure:
        """The win share by seat or, where teams win, by team, with its threshold."""
        return share_of(self.plan, self.plan.game.sides.kind)

    @cached_property
    def strategy_share(self) -> Measure:
        """The win share by strategy, with its threshold."""
        return share_of(self.plan, "strategy")

    @cached_property
    def faction_share(self) -> Measure | None:
        """The win share by faction, with its threshold; None if the game has no factions."""
        by = faction_column(self.plan.game)
        return share_of(self.plan, by) if by else None

    @cached_property
    def factions(self) -> dict[str, str]:
        """The factions of all variants with their names on pages; empty if the game has none."""
        return dict(self.faction_share.groups) if self.faction_share else {}

    @cached_property
    def options_used(self) -> pd.DataFrame | None:
        """How many seats use each option in traced games (see `read_options`); None if nothing shows it."""
        return read_options(self.run)

    @cached_property
    def chances(self) -> pd.DataFrame:
        """What followed games show of the chances to win (see `read_chances`); empty if none were followed."""
        return read_tier_rows(self.run, CHANCES)

    @cached_property
    def colours(self) -> dict[str, str]:
        """The colour of each variant, the same in all figures."""
        return colours([variant.name for variant in self.plan.variants])

    def extension(self, table: pd.DataFrame) -> RunExtension | None:
        """Return the run extension that would settle undecided rows of a table; None if none would."""
        return decide(self.run, self.of_shown(table))

    def of_first(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows about the first variant."""
        return frame[frame["variant"] == self.first]
