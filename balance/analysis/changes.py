"""Changes that matter: shown effects of variants, and what each variant gains and costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd

from balance.analysis.compare import independent_units, shrink_effects, size_in_deviations, widen_effects
from balance.analysis.question import interval_of_frame
from balance.analysis.verdicts import (
    EASY,
    GOOD,
    HARD,
    LATE,
    LONG,
    NONE,
    RUNAWAY,
    SHORT,
    CellVerdicts,
    Figure,
    Place,
    PlayersRange,
    Verdict,
)
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.stats.comparisons import ALPHA, EQUAL, PLAYERS_DIFFER, SAME, SHOWN
from balance.stats.intervals import student_quantile

_LARGE = ("higher", "lower")
_OUTSIDE = {RUNAWAY: 1, SHORT: 1, HARD: 1, LATE: -1, LONG: -1, EASY: -1}
"""For comebacks, length and games won outside their band, the sign of an effect towards the band."""


class JudgedRow(Protocol):
    """What judges the changes of a measure: a row of the verdict grid (`balance.report.row.Row`).

    Changes of measures without a row are listed but are no findings: there is no standard for them, and many follow
    from the rule itself, as a higher bonus raises the points owed.
    """

    name: str
    measure: str  # "" for none
    has_fair: bool  # whether the measure is a share with a fair value

    def limit(self, thresholds: Thresholds, baseline: float) -> float:
        """Return the smallest effect that matters, in the unit of the measure."""

    def name_of_group(self, plan: Plan, group: str) -> str:
        """Return the name that verdicts give to a group of the measure."""


@dataclass(frozen=True)
class Change:
    """The effect of a variant on a judged measure at one player count."""

    row: str  # the name of the row of the grid, such as "seats"
    players: int
    variant: str
    measure: str
    group: str  # the seat, strategy or faction, or ""
    name: str  # of the group in verdicts; of a faction, its name on pages
    baseline: float  # the baseline's mean, as in its verdict if that is about the same group
    effect: float  # of the variant
    # The effect shrunk for selection by size (`balance.analysis.compare.shrink_effects`), by which it is ranked.
    shrunk: float
    low: float  # of the interval of the effect, widened so that all comparisons hold together
    high: float
    limit: float  # the smallest effect that matters
    verdict: str  # see `balance.stats.comparisons.Verdicts`
    # 1 if the effect is shown to lead nearer to a fair share, -1 if farther from it, otherwise 0 (always for
    # comebacks and length, which have no fair share).
    nearer: int
    n: int  # pairs of games
    decks: int  # their deals
    before: Verdict | None = None  # the verdict on the baseline
    after: Verdict | None = None  # the verdict on the variant
    spread: PlayersRange | None = None  # of the effects of the networks, if players differ

    @property
    def place(self) -> Place:
        """Its place in the grid."""
        return Place(self.row, self.players, self.variant)

    @property
    def key(self) -> tuple[Place, str]:
        """What it is an effect on: the place, and the group."""
        return self.place, self.group

    @property
    def figure(self) -> Figure:
        """The effect."""
        return Figure(self.effect, self.low, self.high, self.n)

    @property
    def is_shown(self) -> bool:
        """Whether it is decided, also that there is no effect or only a small one."""
        return self.verdict in (*SHOWN, SAME, EQUAL)

    @property
    def differs(self) -> bool:
        """Whether equally strong players disagree, so that more games can't decide."""
        return self.verdict == PLAYERS_DIFFER

    def is_excluded_by(self, other: Change) -> bool:
        """Return whether other players are shown to have another effect."""
        return other.figure.excludes(self.figure)

    def contradicts(self, other: Change) -> bool:
        """Return whether both are shown, in opposite directions."""
        both = self.verdict in SHOWN and other.verdict in SHOWN
        return both and self.effect * other.effect < 0

    @property
    def level(self) -> float:
        """The variant's mean as in its verdict if that is about the same group; else baseline and effect."""
        if self.after and self.after.name == self.name:
            return self.after.value
        return self.baseline + self.effect

    @property
    def size(self) -> float:
        """The shrunk effect divided by the smallest effect that matters; 0 without an effect."""
        if not self.limit:  # of a length that the baseline does not have
            return math.inf if self.shrunk else 0.0
        return abs(self.shrunk / self.limit)

    @property
    def better(self) -> int:
        """1 if the variant is shown to be better here, -1 if worse, 0 if neither is shown."""
        shown = self.verdict in SHOWN
        by_words = better_by_words(self.before, self.after, self.effect) if shown else 0
        return self.nearer or by_words

    @property
    def matters(self) -> bool:
        """Whether it is shown, and large enough to matter or able to turn one shown word into another."""
        turns = self.before and self.after and self.before.contradicts(self.after)
        return self.verdict in _LARGE and (self.size >= 1 or bool(turns))


def judge_effects(
    effects: pd.DataFrame, verdicts: CellVerdicts, plan: Plan, families: int, rows: Iterable[JudgedRow]
) -> list[Change]:
    """Return the effects on the judged measures, with the verdicts on both variants.

    `effects` are all of one family of comparisons, from `balance.analysis.compare.read_pairs`; `families` is the
    number of families of verdicts on the page.
    """
    judged = {row.measure: row for row in rows if row.measure}
    found = widen_effects(effects, families)[effects["measure"].isin(judged)]
    found = found.assign(group=found["group"].astype(str))
    level = 1 - ALPHA / families / max(1, len(effects))
    reach = -student_quantile(independent_units(found) - 1, (1 - level) / 2)
    has_fair = found["measure"].map(lambda name: judged[name].has_fair)
    found = found.assign(
        shrunk=shrink_effects(found), nearer=np.where(has_fair, _nearer_to_fair(found, reach, plan), 0).astype(int)
    )
    columns = [name for name in Change.__dataclass_fields__ if name in found]
    changes = []
    ranges = interval_of_frame(found.assign(value=found["effect"], clusters=found["decks"])).range_of_networks
    for values, low, high, count in zip(found[columns].to_dict("records"), *ranges, found["networks"], strict=True):
        row, players = judged[values["measure"]], values["players"]
        limit = row.limit(plan.experiment.thresholds, values["baseline"])
        name = row.name_of_group(plan, values["group"])
        before, after = (
            verdicts.get(Place(row.name, players, variant)) for variant in (plan.first_variant.name, values["variant"])
        )
        if before and before.name == name:
            values["baseline"] = before.value  # as the grid shows it
        values |= {"row": row.name, "name": name, "limit": limit, "before": before, "after": after}
        if values["verdict"] == PLAYERS_DIFFER:
            values["spread"] = PlayersRange(name, float(low), float(high), int(count))
        changes.append(Change(**values))
    return changes


def _nearer_to_fair(effects: pd.DataFrame, reach: np.ndarray, plan: Plan) -> np.ndarray:
    """Return whether shares are shown to be nearer to fair (1) or farther from it (-1) than the baseline's.

    With base share b, variant share v and fair share f, |v - f| < |b - f| is the same as (v - b)(v + b - 2f) < 0. So
    both the effect and the midpoint of the two shares must be shown to lie on a side; both must hold, so neither
    needs a correction for the other (intersection-union test, Berger 1982).
    """
    fair = plan.fair_share(effects["players"].to_numpy())
    middle = effects["baseline"] + effects["effect"] / 2 - fair
    arms = effects["baseline_error"] ** 2 + effects["level_error"] ** 2
    error = np.sqrt(np.maximum(2 * arms - effects["error"] ** 2, 0)) / 2
    shown = effects["verdict"].isin(_LARGE) & (middle.abs() > reach * error)
    nearer: np.ndarray = -np.sign(effects["effect"] * middle).to_numpy()
    return np.where(shown, nearer, 0)


def find_changes(effects: Sequence[Change]) -> list[Change]:
    """Return the judged effects that are shown, and large enough to matter or able to turn a shown verdict."""
    return _largest_first(change for change in effects if change.matters)


@dataclass(frozen=True)
class DirectEffect:
    """An effect of a variant on a measure that is not judged; most follow from the rule itself.

    `level` is the baseline's mean plus the effect.
    """

    variant: str
    players: int
    measure: str
    baseline: float
    level: float


_DIRECT = 2  # effects of each variant


def find_direct(effects: pd.DataFrame, measures: Sequence[str]) -> list[DirectEffect]:
    """Return the two largest shown effects of each variant on these measures.

    `effects` are all of one family of comparisons, from `balance.analysis.compare.read_pairs`. The size is the shrunk
    effect divided by the standard deviation between deals of the baseline. Of one measure the player count with the
    largest effect is kept.
    """
    size = size_in_deviations(effects, shrink_effects(effects))
    table = effects.assign(level=effects["baseline"] + effects["effect"], size=size)
    table = table[table["measure"].isin(measures) & table["verdict"].isin(_LARGE)]
    table = table.sort_values("size", ascending=False, kind="stable")
    table = table.drop_duplicates(["variant", "measure"]).groupby("variant", sort=False).head(_DIRECT)
    named = table[list(DirectEffect.__dataclass_fields__)]
    return [DirectEffect(**row) for row in named.to_dict("records")]


def _largest_first(changes: Iterable[Change]) -> list[Change]:
    """Sort changes by size; those of unknown size come last, and equal ones keep their order."""
    return sorted(changes, key=lambda change: math.inf if math.isnan(change.size) else -change.size)


def better_by_words(before: Verdict | None, after: Verdict | None, effect: float) -> int:
    """Return whether verdicts show that a cell is better (1) or worse (-1) than the baseline's, or neither (0).

    One is shown to be good and the other not; or comebacks or length stay outside their band and move towards it or
    away from it.
    """
    if not before or not after or not before.is_shown or not after.is_shown:
        return 0
    if (before.kind == GOOD) != (after.kind == GOOD):
        return 1 if after.kind == GOOD else -1
    if before.word == after.word and before.word in _OUTSIDE:
        return int(_OUTSIDE[before.word] * np.sign(effect))
    return 0


def direction(before: Verdict, after: Verdict, changes: Iterable[Change]) -> int:
    """Return whether a cell with `changes` is shown to be better (1) or worse (-1) than the baseline's; else 0.

    Its verdicts decide first, then its changes if they do not contradict each other.
    """
    signs = {change.better for change in changes} - {0}
    return better_by_words(before, after, 0.0) or (signs.pop() if len(signs) == 1 else 0)


@dataclass(frozen=True)
class Tradeoff:
    """The shown gains and costs of a variant."""

    variant: str
    gains: Sequence[Change]  # shown to be better, the largest first
    costs: Sequence[Change]  # shown to be worse, the largest first
    undecided: int  # the number of effects whose interval does not exclude a change that matters
    judged: int  # the number of effects where both variants have a verdict
    # Of the undecided effects, those that no number of games decides, because players differ.
    differing: int = 0

    @property
    def is_better(self) -> bool:
        """Whether it has gains, and all other effects are shown not to be worse by more than their limit."""
        return bool(self.gains) and not self.costs and not self.undecided

    @property
    def is_worse(self) -> bool:
        """Whether it has costs, and all other effects are shown not to be better by more than their limit."""
        return bool(self.costs) and not self.gains and not self.undecided


def find_tradeoffs(effects: Sequence[Change]) -> list[Tradeoff]:
    """Return the trade-off of each variant, from all judged effects.

    An effect is shown not to be worse if it is shown to be better, if it is shown to be smaller than its limit, or if
    variant and baseline are both shown to be good. Effects without a verdict, such as on a length without a stated
    time, are left out.
    """
    variants = dict.fromkeys(change.variant for change in effects)
    return [
        _tradeoff(name, _largest_first(change for change in effects if change.variant == name)) for name in variants
    ]


def _tradeoff(variant: str, effects: Iterable[Change]) -> Tradeoff:
    found: dict[int, list[Change]] = {1: [], -1: [], 0: []}
    judged = 0
    for change in effects:
        kinds = [verdict.kind for verdict in (change.before, change.after) if verdict]
        if len(kinds) < 2 or NONE in kinds:
            continue
        judged += 1
        small = max(abs(change.low), abs(change.high)) <= change.limit
        if small or (not change.better and kinds == [GOOD, GOOD]):
            continue  # shown to be neither better nor worse by more than its limit
        found[change.better].append(change)
    differing = sum(change.verdict == PLAYERS_DIFFER for change in found[0])
    return Tradeoff(variant, found[1], found[-1], len(found[0]), judged, differing)
