"""How strong the tiers of a run are: measured in duels between neighbours, or else assumed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pandas as pd

from balance.experiments.measures import STRATEGY_SHARE
from balance.experiments.plan import Tier
from balance.runs.folder import RunFolder
from balance.runs.sidecar import DUELS, SidecarTable, read_sidecar
from balance.stats.comparisons import judge, p_value
from balance.stats.intervals import Interval

TELLING = 300  # games in each cell: with fewer, most questions stay open
_ENDS = ("value", "low", "high", "n", "clusters", "error")


@dataclass(frozen=True)
class Strength:
    """How strong the tiers of a run are.

    Attributes
    ----------
    order : list of str
        The tiers, the weakest first.
    ranks : dict
        The rank of each tier: tiers that can't be told apart have the same, and the strongest have the highest.
    duels : DataFrame
        A row for each duel and player count: ``tier``, ``other``, ``players``; ``value``, ``low``, ``high``: points
        of win share that a player of the tier wins more than a fair share alone among players of the other, less those
        of the other alone among the tier, halved; ``n`` (games), ``clusters`` (deals). Empty if none was played.
    """

    order: Sequence[str]
    ranks: Mapping[str, int]
    duels: pd.DataFrame

    @property
    def is_measured(self) -> bool:
        """Whether duels were played; otherwise the order is assumed."""
        return len(self.duels) > 0

    def strongest(self, tiers: Iterable[Tier], default: Tier) -> Tier:
        """Return the strongest of some tiers; of equally strong ones the last in order."""
        key = {name: (self.ranks[name], place) for place, name in enumerate(self.order)}
        return max(tiers, key=lambda tier: key[tier.name], default=default)


def read_strength(run: RunFolder) -> Strength:
    """Return how strong the tiers of a run are."""
    found = read_sidecar(DUELS, run)
    return rank_tiers(run.plan.tiers, DUELS.schema.empty_table().to_pandas() if found is None else found)


def quick_tier(run: RunFolder) -> Tier:
    """Return the strongest tier without searchers and Python bots; the active one if all have some."""
    return read_strength(run).strongest(run.plan.quick_tiers, run.plan.tier)


def in_telling_tier(run: RunFolder, measures: Collection[str] = ()) -> RunFolder:
    """Return the run in the tier that pages and verdicts are about unless another is named.

    Of networks and searchers that are at least as strong as the first tier it is the one with the most games, because
    what weak players do may be an artefact of their play. A single network speaks only for itself, and few games show
    little: without others it is the first tier. So it is if one of the `measures`, or a target of the experiment, is by
    strategy.
    """
    plan, strength = run.plan, read_strength(run)
    first, counts = plan.tier, plan.experiment.players
    targets = [target.measure for target in plan.experiment.targets]
    compared = STRATEGY_SHARE.name in (*measures, *targets)
    found = [
        tier
        for tier in plan.tiers
        if tier.is_strong
        and not compared
        and tier.games >= TELLING
        and strength.ranks[tier.name] >= strength.ranks[first.name]
        and not tier.has_single_network(counts)
    ]
    most = max((tier.games for tier in found), default=0)
    telling = strength.strongest([tier for tier in found if tier.games == most], first)
    return run.in_tier(telling.name)


def plays_positions_again(run: RunFolder) -> bool:
    """Return whether games of `quick_tier` can continue from a position: Python bots and restricted seats can't."""
    tier = quick_tier(run)
    return not tier.has_custom_bots and not tier.has_restrictions


def rank_tiers(tiers: Sequence[Tier], duels: pd.DataFrame) -> Strength:
    """Return how strong tiers are by their duels; of two that did not meet, the order is the assumed one.

    A tier is stronger than another if the mean of its duels over the player counts is shown to be above 0, and that of
    no player count to be below (corrected together, Holm 1979). Tiers change places as long as the one behind is
    stronger.
    """
    shown = _relations(duels)
    assumed = {tier.name: tier.assumed_strength for tier in tiers}

    def relation(one: str, other: str) -> int:
        """Return 1 if the other tier is stronger, -1 if the first is, 0 if they can't be told apart."""
        if (other, one) in shown:
            return shown[other, one]
        if (one, other) in shown:
            return -shown[one, other]
        return int(assumed[other] > assumed[one]) - int(assumed[other] < assumed[one])

    order = sorted(assumed, key=lambda name: assumed[name])
    for _ in order:
        for at in range(len(order) - 1):
            if relation(order[at], order[at + 1]) < 0:
                order[at : at + 2] = order[at + 1], order[at]
    ranks = {order[0]: 0}
    for one, other in pairwise(order):
        ranks[other] = ranks[one] + (relation(one, other) > 0)
    return Strength(order, ranks, duels)


def _relations(duels: pd.DataFrame) -> dict[tuple[str, str], int]:
    """Return 1 for each pair (tier, other) whose tier is shown to be stronger, -1 if the other is, otherwise 0."""
    if duels.empty:
        return {}
    pairs = [(key, rows) for key, rows in duels.groupby(["tier", "other"], sort=False)]
    means = _judge([_mean(rows) for _, rows in pairs])
    each = [Interval(*row) for row in duels[list(_ENDS)].itertuples(index=False)]
    by_count = dict(zip(duels.index, _judge(each), strict=True))
    found = {}
    for (key, rows), mean in zip(pairs, means, strict=True):
        contradicted = any(by_count[index] == -mean for index in rows.index)
        found[key] = 0 if contradicted else mean
    return found


def _mean(rows: pd.DataFrame) -> Interval:
    """Return the mean of independent duels, with the fewest deals of one of them."""
    error = float(np.sqrt((rows["error"] ** 2).sum())) / len(rows)
    value = float(rows["value"].mean())
    return Interval(value, value, value, int(rows["n"].sum()), int(rows["clusters"].min()), error)


def _judge(found: Sequence[Interval]) -> list[int]:
    """Return 1, -1 or 0 for each mean: shown above 0, below, or not shown."""
    columns = zip(*(vars(each).values() for each in found), strict=True)
    means = Interval(*(np.array(column, float) for column in columns))
    words = judge(means, p_value(means)).words
    return [{"higher": 1, "lower": -1}.get(word, 0) for word in words]


def read_tier_rows(run: RunFolder, what: SidecarTable) -> pd.DataFrame:
    """Return the rows that a command added to a run about the active tier; empty if it added none.

    If the table has none of this tier, they are those of the strongest tier that it has.
    """
    found = read_sidecar(what, run)
    if found is None:
        return pd.DataFrame(columns=what.schema.names)
    names, tier = set(found["tier"]), run.plan.tier
    if tier.name not in names:
        tier = read_strength(run).strongest((each for each in run.plan.tiers if each.name in names), tier)
    cells = {(cell.players, cell.variant.name) for cell in run.plan.tier_cells}
    places = zip(found["players"], found["variant"], strict=True)
    mine = np.array([place in cells for place in places], bool)
    return found[mine & (found["tier"] == tier.name)].reset_index(drop=True)
