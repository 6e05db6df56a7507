"""Findings, at most five: first what the variants change, then the problems of the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from balance.analysis.tier_comparison import AGREES, DIFFERS, EFFECTS, KEYS, SEATS, TierComparison
from balance.analysis.verdicts import BAD, CLOSE, COMEBACKS, LENGTH, STRATEGIES, WATCH, place_of
from balance.experiments.targets import Thresholds
from balance.foundation.text import listed
from balance.report.grid import ANCHORS, Judged
from balance.report.model import Finding
from balance.report.screen import Dot, Strip, in_short
from balance.report.words import (
    amount,
    capital,
    comebacks_words,
    fair_of,
    ordinal,
    percent_change,
    signed,
    span_of,
    with_players,
)
from balance.stats.intervals import fair_share

MOST = 5
_ALSO = 2  # further changes that a finding lists in short


def find_findings(
    judged: Judged,
    limits: Thresholds,
    comparisons: Mapping[str, TierComparison],
    box: tuple[float, float] | None,
) -> list[Finding]:
    """Return the findings, most important first.

    The importance of a result is its size divided by its threshold. A result that reverses between tiers, or whose
    sign differs between them, is no finding.
    """
    first, *others = judged.cells
    stand = _standing(comparisons, others)
    maker = _Maker(judged, limits, box, stand, [first, *others])
    changes = [maker.change(rows) for rows in _alike(judged, stand)]
    if len(changes) < MOST:
        changes += maker.states()
    return changes[:MOST]


def _standing(
    comparisons: Mapping[str, TierComparison], others: Sequence[str]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return how the results of other tiers compare for seats and effects, by their keys."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for kind in (SEATS, EFFECTS):
        if kind in comparisons:
            for row in comparisons[kind].table.itertuples():
                key = (kind, *(getattr(row, name) for name in KEYS[:3]), str(row.group))
                found.setdefault(key, {})[row.tier] = row
    return found


def _alike(judged: Judged, stand: Mapping[tuple[Any, ...], dict[str, Any]]) -> list[list[Any]]:
    """Group changes that are findings by grid row, variant and direction; the largest first."""
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for row in judged.changes.itertuples():
        if judged.is_doubted(place_of(row)):
            continue
        told = stand.get((EFFECTS, row.players, row.variant, row.measure, str(row.group)), {})
        if any(each.relation == DIFFERS or each.value_other * row.effect < 0 for each in told.values()):
            continue
        group = groups.setdefault((row.row, row.variant, row.better, row.effect > 0), [])
        group.append(row)
    return [group for key, group in groups.items() if not _mirrors(group, groups, key)]


def _mirrors(group: Sequence[Any], groups: Mapping[tuple[Any, ...], Any], key: tuple[Any, ...]) -> bool:
    """Return whether a finding repeats another one: with two seats, one gains what the other loses."""
    row, variant, better, more = key
    other = groups.get((row, variant, better, not more), [])
    counts = {each.players for each in group}
    return more is False and row == SEATS and counts == {2} == {each.players for each in other}


class _Maker:
    """Writes sentences about changes and problems of one run."""

    def __init__(
        self,
        judged: Judged,
        limits: Thresholds,
        box: tuple[float, float] | None,
        stand: Mapping[tuple[Any, ...], dict[str, Any]],
        tiers: Sequence[str],
    ) -> None:
        self.judged, self.limits, self.box = judged, limits, box
        self.stand, self.tiers = stand, tiers

    def change(self, rows: Sequence[Any]) -> Finding:
        """Return a finding about the changes of a row and variant: the largest in full, the next in short."""
        row = rows[0]
        lead = {1: "Better", -1: "Worse"}.get(row.better, "Changed")
        text = f"{self._subject(row.row, row.group)}: {self._levels(row)}{self._unit(row)}"
        if others := [self._short(each, row) for each in rows[1:]]:
            more = f" and {len(others) - _ALSO} more" if len(others) > _ALSO else ""
            text += f" Also {', '.join(others[:_ALSO])}{more}."
        length = row.row == LENGTH
        effect, low, high = percent_change(row) if length else (row.effect, row.low, row.high)
        unit = "%" if length else "points"
        found = f"{signed(effect)} ({signed(low)} to {signed(high)}) {unit}"
        evidence = f"{found}, n = {row.n:,} pairs on {row.decks:,} deals"
        key = (EFFECTS, row.players, row.variant, row.measure, str(row.group))
        return Finding(
            text, ANCHORS.get(row.row, row.row), lead, f"{row.variant}, {with_players([row.players])}",
            f"{evidence}{self._agreement(key)}", row.better, self._strip(row),
        )  # fmt: skip

    def states(self) -> list[Finding]:
        """Return the problems of the baseline, furthest from its threshold first."""
        found = []
        for place, cell in self.judged.first().items():
            size = self._size(cell)
            if cell.variant == self.judged.baseline and size and not self.judged.is_doubted(place):
                found.append((size, cell))
        found.sort(key=lambda each: -each[0])
        return [self._state(cell) for _, cell in found]

    def _size(self, cell: Any) -> float:
        """Return how far a problem is off, in multiples of its threshold; 0 if there is no problem or no verdict."""
        if cell.kind not in (WATCH, BAD) or cell.word == CLOSE:
            return 0.0
        fair, size = fair_share(cell.players), 0.0
        away = abs(cell.value - fair)
        if cell.row == SEATS:
            size = away / self.limits.seats
        elif cell.row == STRATEGIES:
            size = away / (self.limits.alive / 100 * fair)
        elif cell.row == COMEBACKS:
            band = self.limits.comeback_band(cell.players)
            size = max(band[0] - cell.value, cell.value - band[1]) / self.limits.comeback_change
        elif cell.row == LENGTH and self.box:
            ends = [cell.value * pace for pace in self.judged.pace]
            off = min(abs(end - edge) / edge for end in ends for edge in self.box)
            size = 100 * off / self.limits.length_change
        return float(size)

    def _state(self, cell: Any) -> Finding:
        fair = fair_of(cell.players)
        subject = self._subject(cell.row, cell.name)
        text = {
            SEATS: f"{subject} wins {amount(cell.value)} % of its games, fair {fair}: {cell.word}.",
            STRATEGIES: f"{subject} wins {amount(cell.value)} % of its seats, fair {fair}.",
            COMEBACKS: f"{capital(comebacks_words(cell))}.",
            LENGTH: f"Games take {span_of(cell.value, self.judged.pace)} minutes: too {cell.word}.",
        }[cell.row]
        key = (SEATS, cell.players, cell.variant, "seat_win_share", str(cell.name))
        unit = "minutes" if cell.row == LENGTH else "%"
        evidence = f"{amount(cell.low)} to {amount(cell.high)} {unit}, n = {cell.n:,}"
        shares = cell.row in (SEATS, STRATEGIES)
        agreement = self._agreement(key) if shares else self._agreement_of_words(cell)
        return Finding(
            text, ANCHORS.get(cell.row, cell.row), "As it is",
            f"{cell.variant}, {with_players([cell.players])}", f"{evidence}{agreement}",
        )  # fmt: skip

    def _subject(self, row: str, group: str) -> str:
        if row == SEATS:
            return f"The {ordinal(int(group))} player"
        return {COMEBACKS: "Winners who were behind at half time", LENGTH: "Estimated length"}.get(
            row, group
        )

    def _short(self, row: Any, told: Any) -> str:
        """Return a further change in short."""
        where = "" if row.players == told.players else f" with {with_players([row.players])}"
        whose = f"the {ordinal(int(row.group))}" if row.row == SEATS else row.group
        return f"{whose} {self._levels(row)}{where}".strip()

    def _levels(self, row: Any) -> str:
        if row.row == LENGTH:
            return " → ".join(span_of(each, self.judged.pace) for each in (row.baseline, row.level))
        return f"{amount(row.baseline)} → {amount(row.level)}"

    def _unit(self, row: Any) -> str:
        fair = f"fair {fair_of(row.players)}"
        return {
            SEATS: f" % of wins, {fair}.", STRATEGIES: f" % of its seats, {fair}.", LENGTH: f" minutes{self._fit(row)}."
        }.get(row.row, " %.")  # fmt: skip

    def _fit(self, row: Any) -> str:
        if self.box is None:
            return ""
        return f", the box says {self.box[0]:g} to {self.box[1]:g}"

    def _agreement(self, key: tuple[Any, ...]) -> str:
        """Return what other tiers show; "" if there are none."""
        first, *others = self.tiers
        if not others:
            return ""
        told = self.stand.get(key, {})
        if not told:
            return f" · seen with {first} only"
        if all(each.relation == AGREES for each in told.values()):
            return " · with all tiers of bots"
        unsure = [tier for tier, each in told.items() if each.relation not in (AGREES, DIFFERS)]
        other = [tier for tier, each in told.items() if each.relation == DIFFERS]
        parts = [f"{listed(unsure)} can't say yet"] if unsure else []
        parts += [f"of another size with {listed(other)}"] if other else []
        return f" · {', '.join(parts)}"

    def _agreement_of_words(self, cell: Any) -> str:
        """Return what other tiers show about comebacks or length, by their verdict words."""
        found = {tier: self.judged.in_tier(tier).get(place_of(cell)) for tier in self.tiers[1:]}
        words = {tier: other.word for tier, other in found.items() if other}
        unsure = [tier for tier, word in words.items() if word != cell.word]
        if unsure:
            return f" · {listed(unsure)} can't say yet"
        return " · with all tiers of bots" if words else ""

    def _strip(self, row: Any) -> Strip:
        """Return baseline and variant on a line, with the band of good values."""
        fair = fair_share(row.players)
        bands: dict[str, tuple[float, float] | None] = {
            SEATS: (fair - self.limits.seats, fair + self.limits.seats),
            STRATEGIES: (fair * (1 - self.limits.alive / 100), fair * (1 + self.limits.alive / 100)),
            COMEBACKS: self.limits.comeback_band(row.players),
            LENGTH: None,  # which minutes fit depends on the pace
        }
        return draw_strip(row, bands[row.row], self.judged.baseline)


def draw_strip(row: Any, band: tuple[float, float] | None, baseline: str) -> Strip:
    """Return a change as two dots on a line, long enough for both, the interval and the nearer edge of the band."""
    values = [row.baseline, row.level, row.baseline + row.low, row.baseline + row.high]
    middle, reach = float(np.mean(values[:2])), max(abs(row.effect), 1e-9)
    if band:
        values.append(min(band, key=lambda end: abs(end - middle)))
    low, high = min(values) - 0.35 * reach, max(values) + 0.35 * reach

    def at(value: float) -> float:
        return round(float(np.clip(100 * (value - low) / (high - low), 0, 100)), 1)

    base = Dot(
        f"{baseline} {amount(row.baseline)}", at(row.baseline), at(row.baseline), at(row.baseline), False
    )
    ends = at(row.baseline + row.low), at(row.baseline + row.high)
    own = Dot(f"{in_short(row.variant)} {amount(row.level)}", at(row.level), *ends, True)
    shown = (at(band[0]), at(band[1])) if band else None
    caption = f"{baseline} {amount(row.baseline)}, {row.variant} {amount(row.level)}"
    return Strip([base, own], shown, "values in the band are good" if band else "", caption)
