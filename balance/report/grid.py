"""The verdict grid: questions by player count and variant, tiers side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from balance.analysis.cells import cell_questions
from balance.analysis.changes import direction
from balance.analysis.check import read_targets_table
from balance.analysis.gather import Answers
from balance.analysis.shares import judged_shares
from balance.analysis.tiers import Held, rule_targets, turned
from balance.analysis.tradeoffs import Tradeoff
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
from balance.contract.measure import Measure
from balance.contract.words import nth
from balance.plan.plan import Plan
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
    """The verdicts of a tier (see `balance.analysis.verdicts`).

    Parameters
    ----------
    asked : sequence of Measure
        Those that `cell_questions` asked this tier for.
    whole : bool
        Whether it was asked about strategies and all targets, and not about the rules alone.
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


def contradicted(cells: Mapping[str, pd.DataFrame], held: Mapping[str, Held]) -> dict[Place, set[str]]:
    """Cells that turn round between tiers, and the tiers that show otherwise.

    Seats and targets do where `balance.analysis.tiers.turned` says so; comebacks and length, where two tiers show
    different words.
    """
    found: dict[Place, set[str]] = {}
    for kind in (SEATS, TARGETS):
        if kind in held:
            for row in turned(held[kind].table).itertuples():
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
    """All that the grid shows of a run.

    Attributes
    ----------
    baseline : str
    cells : dict of DataFrame
        By tier, the one that the page is about first.
    changes : DataFrame
        Of `balance.analysis.changes.find_changes`.
    tradeoffs : list of Tradeoff
        Of every variant against the baseline.
    turned : dict
        Of `contradicted`.
    luck : DataFrame
        Rows of `LUCK` as the cells of a tier.
    pace : (float, float)
        Of `balance.analysis.verdicts.pace_range`.
    """

    baseline: str
    cells: Mapping[str, pd.DataFrame]
    changes: pd.DataFrame
    tradeoffs: Sequence[Tradeoff]
    turned: Mapping[Place, set[str]]
    luck: pd.DataFrame
    pace: tuple[float, float] = (1.0, 1.0)

    def first(self) -> dict[Place, Any]:
        """The cells of the tier that the page is about, by their place."""
        return self.in_tier(next(iter(self.cells)))

    def in_tier(self, tier: str) -> dict[Place, Any]:
        """The cells of a tier, by their place."""
        return by_place(self.cells[tier])

    def is_doubted(self, place: Place) -> bool:
        """Whether a cell turns round between tiers, or its baseline does and it is not shown to be firm."""
        row, players, _ = place
        return place in self.turned or (row, players, self.baseline) in self.turned


def make_grid(
    judged: Judged, counts: Sequence[int], variants: Sequence[str], units: Mapping[str, str]
) -> Grid:
    """The grid; `units` are what numbers of a row are, where `TITLES` leaves it open."""
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
    """What the tier that the page is about shows."""
    row, players, variant = place
    cell = cells.get(place)
    if cell is None:
        return Cell("np", "–", "", "", "not played", variant, "same")
    turned = place in judged.turned
    doubt = not turned and judged.is_doubted(place)
    kind, word = ("dep", "depends") if turned else (cell.kind, cell.word)
    state, better = "base", 0
    if variant != judged.baseline:
        state, better = _state(judged, cells.get((row, players, judged.baseline)), cell)
    return Cell(
        kind, word, _name(cell), _value(cell, judged.pace), _told(cell), variant, state, better, doubt
    )


def _state(judged: Judged, base: Any, cell: Any) -> tuple[str, int]:
    """Whether a cell changed against the baseline's, and to the better or the worse."""
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
    """1 where more targets are met, -1 where fewer are."""
    return int(cell.value > base.value) - int(cell.value < base.value)


def _other_cell(judged: Judged, tier: str, cells: Mapping[Place, Any], place: Place) -> Cell:
    """What another tier shows; coloured as it judges, or as what depends on the bots."""
    cell, variant = cells.get(place), place[2]
    if cell is None:
        return Cell("np", "not played", "", "", "not played", variant, "same")
    turned = tier in judged.turned.get(place, ())
    kind, state = ("dep", "base") if turned else (cell.kind, "same")
    told = f"with {tier}: {_told(cell)}"
    return Cell(kind, cell.word, _name(cell), _value(cell, judged.pace), told, variant, state)


def _name(cell: Any) -> str:
    """Whose number it is: a seat, a strategy, a source of chance."""
    if cell.row == TARGETS:
        return f"✗ {cell.name}" if cell.name else "all met" if cell.kind == "good" else ""
    return nth(int(cell.name)) if cell.row == SEATS else str(cell.name)


def _value(cell: Any, pace: tuple[float, float]) -> str:
    if cell.row == LENGTH:
        return span_of(cell.value, pace)
    return "" if cell.row == TARGETS else amount(cell.value)


def _told(cell: Any) -> str:
    """The verdict in a sentence, for a tooltip and for those who hear the page."""
    title = TITLES[cell.row][0]
    if cell.row == TARGETS:
        missed = f"; missed: {cell.name}" if cell.name else ""
        return f"{title}: {cell.word} met{missed}; n ≥ {cell.n:,}"
    whose = f"{_name(cell)} " if cell.name else ""
    return (
        f"{title}: {cell.word}; {whose}{amount(cell.value)} ({amount(cell.low)} to {amount(cell.high)}), "
        f"n = {cell.n:,}"
    )
