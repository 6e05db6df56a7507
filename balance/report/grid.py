"""The verdict grid: questions by player count and variant, tiers side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from balance.analysis.changes import Tradeoff, direction
from balance.analysis.gather import Answers
from balance.analysis.shares import judged_shares
from balance.analysis.spread import cell_questions
from balance.analysis.target_checks import read_targets_table
from balance.analysis.tier_comparison import TierComparison, reversals, rule_targets
from balance.analysis.verdicts import (
    COMEBACKS,
    FITS,
    LATE,
    LENGTH,
    LONG,
    OPEN_RACE,
    RUNAWAY,
    SEATS,
    SHORT,
    STRATEGIES,
    TARGETS,
    Place,
    by_place,
    seat_cells,
    strategy_cells,
    target_cells,
    tempo_cells,
    tempo_measures,
)
from balance.contract.analytics import Measure
from balance.experiments.plan import Plan
from balance.foundation.text import nth
from balance.report.screen import Cell, Grid, GridRow
from balance.report.words import amount, span_of

LUCK = "luck"
MOST_COLUMNS = 15
TITLES = {
    SEATS: ("Seats fair", "furthest seat, % of wins"),
    STRATEGIES: ("Strategies alive", "furthest of {strategies}, % of its seats"),
    COMEBACKS: ("Comebacks", "won from behind, %"),
    LENGTH: ("Length", "minutes, estimated"),
    LUCK: ("Luck", ""),
    TARGETS: ("Your targets", "met, of {targets}"),
}
ANCHORS = {COMEBACKS: "runaway"}


def read_cells(
    plan: Plan, answers: Answers, asked: Sequence[Measure], families: int, whole: bool
) -> pd.DataFrame:
    """Return the verdicts of a tier (see `balance.analysis.verdicts`).

    Parameters
    ----------
    asked : sequence of Measure
        The measures that `cell_questions` asked this tier for.
    whole : bool
        Whether the answers include strategies and all targets, and not only what concerns the rules.
    """
    limits = plan.experiment.thresholds
    means = pd.concat([answers[each] for each in cell_questions(asked)], ignore_index=True)
    parts = [
        seat_cells(judged_shares(plan, answers, "seat", families), limits),
        tempo_cells(plan, means, tempo_measures(asked), answers, families),
    ]
    if whole and len(plan.tier.strategies) > 1:
        parts.append(strategy_cells(judged_shares(plan, answers, "strategy", families)))
    if targets := plan.experiment.targets if whole else rule_targets(plan):
        parts.append(target_cells(read_targets_table(plan, targets, answers, "targets", families)))
    return pd.concat([part for part in parts if len(part)], ignore_index=True)


def contradicted(
    cells: Mapping[str, pd.DataFrame], comparisons: Mapping[str, TierComparison]
) -> dict[Place, set[str]]:
    """Return the cells whose result reverses between tiers, with the tiers that contradict the first.

    For seats and targets, see `balance.analysis.tier_comparison.reversals`. Comebacks and length reverse if two
    tiers show different words.
    """
    found: dict[Place, set[str]] = {}
    for kind in (SEATS, TARGETS):
        if kind in comparisons:
            for row in reversals(comparisons[kind].table).itertuples():
                found.setdefault((kind, int(row.players), row.variant), set()).add(row.tier)
    first, *others = cells
    shown = {OPEN_RACE, RUNAWAY, LATE, FITS, SHORT, LONG}
    words = {place: cell.word for place, cell in by_place(cells[first]).items() if cell.word in shown}
    for tier in others:
        for place, cell in by_place(cells[tier]).items():
            if cell.word in shown and words.get(place, cell.word) != cell.word:
                found.setdefault(place, set()).add(tier)
    return found


@dataclass(frozen=True)
class Judged:
    """All that the grid shows about a run.

    Attributes
    ----------
    baseline : str
    cells : dict of DataFrame
        By tier; the tier that the page is about comes first.
    changes : DataFrame
        From `balance.analysis.changes.find_changes`.
    tradeoffs : list of Tradeoff
        One for each variant, against the baseline.
    reversals : dict
        From `contradicted`.
    luck : DataFrame
        The `LUCK` row, with the columns of a tier's cells.
    pace : (float, float)
        From `balance.analysis.verdicts.pace_range`.
    """

    baseline: str
    cells: Mapping[str, pd.DataFrame]
    changes: pd.DataFrame
    tradeoffs: Sequence[Tradeoff]
    reversals: Mapping[Place, set[str]]
    luck: pd.DataFrame
    pace: tuple[float, float] = (1.0, 1.0)

    def first(self) -> dict[Place, Any]:
        """Return the cells of the tier that the page is about, by their place."""
        return self.in_tier(next(iter(self.cells)))

    def in_tier(self, tier: str) -> dict[Place, Any]:
        """Return the cells of a tier, by their place."""
        return by_place(self.cells[tier])

    def is_doubted(self, place: Place) -> bool:
        """Return whether the result of a cell or of its baseline reverses between tiers."""
        row, players, _ = place
        return place in self.reversals or (row, players, self.baseline) in self.reversals


def make_grid(
    judged: Judged, counts: Sequence[int], variants: Sequence[str], units: Mapping[str, str]
) -> Grid:
    """Return the grid; `units` name the unit of a row where `TITLES` has none."""
    shown = list(variants)[: max(2, min(6, MOST_COLUMNS // len(counts)))]
    rows = []
    first, *others = judged.cells
    found = {tier: judged.in_tier(tier) for tier in judged.cells}
    found[first] |= by_place(judged.luck)
    asked = {tier: {place[0] for place in cells} for tier, cells in found.items()}
    for row, (title, unit) in TITLES.items():
        if row not in asked[first]:
            continue
        heads = (title, units.get(row, unit), ANCHORS.get(row, row))
        places = [(row, players, variant) for players in counts for variant in shown]
        rows.append(GridRow(*heads, [_cell(judged, found[first], place) for place in places]))
        for tier in others:
            if row in asked[tier]:
                cells = [_other_cell(judged, tier, found[tier], place) for place in places]
                calm = all(cell.kind != "dep" for cell in cells)
                rows.append(GridRow(*heads, cells, tier, calm))
    return Grid(list(counts), shown, rows)


def _cell(judged: Judged, cells: Mapping[Place, Any], place: Place) -> Cell:
    """Return a cell of the tier that the page is about."""
    row, players, variant = place
    cell = cells.get(place)
    if cell is None:
        return Cell("np", "–", "", "", "not played", variant, "same")
    reverses = place in judged.reversals
    doubt = not reverses and judged.is_doubted(place)
    kind, word = ("dep", "depends") if reverses else (cell.kind, cell.word)
    state, better = "base", 0
    if variant != judged.baseline:
        state, better = _state(judged, cells.get((row, players, judged.baseline)), cell)
    return Cell(
        kind, word, _name(cell), _value(cell, judged.pace), _told(cell), variant, state, better, doubt
    )


def _state(judged: Judged, base: Any, cell: Any) -> tuple[str, int]:
    """Return whether a cell changed from the baseline, and whether it got better (1) or worse (-1)."""
    if base is None:
        return "same", 0
    if cell.row == TARGETS:
        moved = {base.kind, cell.kind} <= {"good", "watch", "bad"} and base.name != cell.name
        return ("changed", _direction_of_targets(base, cell)) if moved else ("same", 0)
    table = judged.changes
    own = table[
        (table["row"] == cell.row)
        & (table["players"] == cell.players)
        & (table["variant"] == cell.variant)
    ]
    return ("changed", direction(base, cell, own)) if len(own) else ("same", 0)


def _direction_of_targets(base: Any, cell: Any) -> int:
    """Return 1 if more targets are met than in the baseline, -1 if fewer."""
    return int(cell.value > base.value) - int(cell.value < base.value)


def _other_cell(judged: Judged, tier: str, cells: Mapping[Place, Any], place: Place) -> Cell:
    """Return a cell of another tier, with its own verdict or marked as depending on the bots."""
    cell, variant = cells.get(place), place[2]
    if cell is None:
        return Cell("np", "not played", "", "", "not played", variant, "same")
    reverses = tier in judged.reversals.get(place, ())
    kind, state = ("dep", "base") if reverses else (cell.kind, "same")
    told = f"with {tier}: {_told(cell)}"
    return Cell(kind, cell.word, _name(cell), _value(cell, judged.pace), told, variant, state)


def _name(cell: Any) -> str:
    """Return the seat, strategy or source of chance that a number belongs to."""
    if cell.row == TARGETS:
        return f"✗ {cell.name}" if cell.name else "all met" if cell.kind == "good" else ""
    return nth(int(cell.name)) if cell.row == SEATS else str(cell.name)


def _value(cell: Any, pace: tuple[float, float]) -> str:
    if cell.row == LENGTH:
        return span_of(cell.value, pace)
    return "" if cell.row == TARGETS else amount(cell.value)


def _told(cell: Any) -> str:
    """Return the verdict as a sentence, for tooltips and screen readers."""
    title = TITLES[cell.row][0]
    if cell.row == TARGETS:
        missed = f"; missed: {cell.name}" if cell.name else ""
        return f"{title}: {cell.word} met{missed}; n ≥ {cell.n:,}"
    whose = f"{_name(cell)} " if cell.name else ""
    return (
        f"{title}: {cell.word}; {whose}{amount(cell.value)} ({amount(cell.low)} to {amount(cell.high)}), "
        f"n = {cell.n:,}"
    )
