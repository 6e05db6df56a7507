"""What the games of two variants show: verdict grid, figures with intervals, scores by round, what moved most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import ChoiceLoader, Environment, PackageLoader

from balance.analysis.changes import Change, direction, judge_effects
from balance.analysis.compare import shrink_effects, size_in_deviations, widen_effects
from balance.analysis.question import Question, means
from balance.analysis.shares import PRIMARY
from balance.analysis.verdicts import CellVerdicts, Place
from balance.contract.analytics import Measure
from balance.experiments.measures import known_measures
from balance.experiments.plan import Plan
from balance.experiments.variants import Variant, hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr, trn, write_number
from balance.foundation.progress import Progress
from balance.live.arms import ROUND_GAMES, ArmStore
from balance.report.context import Evidence
from balance.report.first_screen import shown_rows, what_moved
from balance.report.page import open_templates, scripts
from balance.report.row import find_rows, read_verdicts
from balance.report.screen import NOT_PLAYED, Grid, GridCell, GridRow, write_word
from balance.report.words import name_of, write_change
from balance.stats.comparisons import PLAYERS_DIFFER, SHOWN, UNDECIDED
from balance.studies.arms import CHANGE, MEASURES, Comparison, Line, compare_arms

_MEASURES = (*MEASURES, "decisions")
SCORES = means({"score": "score"}, ["players", "variant", "round"], f"number < {ROUND_GAMES}", "round_rows")
_MOVED = 3
_NO_MEMORY = N_("not enough memory: close other programs, or ask for fewer player counts")
_GOOD = ("balanced", "same")
NO_CHANGE = N_("no change")
_OPEN = (UNDECIDED, PLAYERS_DIFFER, NO_CHANGE)
_BAD = ("favoured", "disfavoured")


@dataclass(frozen=True)
class Side:
    """A figure of one side, with its interval; ends are percent of the row's scale."""

    value: str
    span: str
    word: str
    kind: str
    low: float
    at: float
    high: float


@dataclass(frozen=True)
class Figure:
    """A row of figures: the start, now, and the change; a side without games is missing."""

    label: str
    sides: Mapping[str, Side]
    fair: float | None  # percent of the scale


@dataclass(frozen=True)
class Curve:
    """The mean score by round at one player count: points of each side's line and band in a drawing of 320 x 150."""

    players: int
    lines: Mapping[str, str]
    bands: Mapping[str, str]
    top: str
    bottom: str
    rounds: int
    last: Mapping[str, str]


@dataclass(frozen=True)
class Shown:
    """Everything that one comparison shows."""

    verdicts: CellVerdicts
    grid: Grid
    figures: Mapping[int, Sequence[Figure]]
    curves: Sequence[Curve]
    notes: Sequence[str]
    moved: Sequence[str]
    games: int
    round_games: int  # those whose rounds are kept
    sides: Sequence[str]
    names: Sequence[str]
    strategies: Sequence[str]


def ask_variants(
    store: ArmStore, before: Variant, now: Variant, stage: int, progress: Progress, measures: Sequence[str] = _MEASURES
) -> Comparison:
    """Play two variants up to a stage, and ask for everything that the page shows; equal rules are played once."""
    one = store.arm(before, stage, progress)
    same = hash_rules(before.rules) == hash_rules(now.rules)
    other = one if same else store.arm(now, stage, progress)
    named = known_measures(one.plan, measures)
    return compare_arms(one, other, named, [SCORES, *_of_rows(one.plan)], store.workers, progress)


def _of_rows(plan: Plan) -> list[Question]:
    """Return what the rows of the grid ask besides measures, such as whether supplies last."""
    evidence = Evidence(plan, {}, lambda name: 1, ())
    return [each for row in find_rows(plan) if row.has_standard for each in row.questions(evidence)]


def show(comparison: Comparison, games: int) -> Shown:
    """Return what a comparison shows; `games` is their number at each player count."""
    figures = {
        players: _figures(comparison.plan.fair_share(players), lines) for players, lines in comparison.lines().items()
    }
    names = [variant.name for variant in comparison.plan.variants]
    verdicts = read_cells(comparison)
    return Shown(
        verdicts,
        make_grid(comparison, verdicts),
        figures,
        _curves(comparison),
        comparison.notes,
        _moved(comparison) if comparison.pairs else [],
        games,
        min(games, ROUND_GAMES),
        comparison.shown_sides,
        names,
        [strategy.name for strategy in comparison.plan.tier.strategies],
    )


def read_cells(comparison: Comparison) -> CellVerdicts:
    """Return the verdicts on all cells of the grid."""
    plan, answers = comparison.plan, comparison.answers
    families = comparison.families * 2 // len(plan.variants)
    closer = comparison.closer
    evidence = Evidence(
        plan, answers, lambda name: 0 if name == PRIMARY else families, comparison.whole,
        options_used=lambda: closer and closer.options_used, chances=lambda: closer and closer.chances,
    )  # fmt: skip
    asked = [row for row in find_rows(plan) if {*row.questions(evidence)} <= answers.keys()]
    return read_verdicts(asked, evidence)


def make_grid(comparison: Comparison, verdicts: CellVerdicts) -> Grid:
    """Return the verdict grid: questions by player count, the start next to now."""
    plan = comparison.plan
    names, counts = [each.name for each in plan.variants], plan.experiment.players
    changed = _changed_cells(comparison, verdicts) if comparison.pairs else {}
    rows = []
    for row in shown_rows(find_rows(plan), verdicts):
        places = [Place(row.name, players, name) for players in counts for name in names]
        cells = []
        for place in places:
            if verdict := verdicts.get(place):
                cell, better = row.cell(plan, verdict), 0
                if alike := changed.get(place):
                    better = direction(verdicts[alike[0].place._replace(variant=names[0])], verdict, alike)
                    cell = replace(cell, moved=what_moved(row, verdict, alike))
                cells.append(replace(cell, changed=bool(alike), better=better))
            else:
                cells.append(GridCell("np", "–", "", "", tr(NOT_PLAYED), place.variant))
        rows.append(GridRow(tr(row.title), row.unit(plan), "figures", cells))
    return Grid(list(counts), names, rows)


def _changed_cells(comparison: Comparison, verdicts: CellVerdicts) -> dict[Place, list[Change]]:
    """Return the changes that matter of cells that have some, in both of whose variants a verdict stands."""
    plan = comparison.plan
    changes = judge_effects(comparison.effects, verdicts, plan, comparison.families, find_rows(plan))
    found: dict[Place, list[Change]] = {}
    for change in changes:
        if change.matters and change.before and change.after:
            found.setdefault(change.place, []).append(change)
    return found


def _moved(comparison: Comparison) -> list[str]:
    """Return the shown changes that are largest for their spread between deals, one of each measure, in words.

    They are ranked by their shrunk size, and have intervals that hold together.
    """
    measures = {each.name: each for each in comparison.measures}
    effects = comparison.effects
    wide = widen_effects(effects, comparison.families)
    table = wide.assign(size=size_in_deviations(effects, shrink_effects(effects)), value=effects["effect"])
    table = table[table["verdict"].isin(SHOWN) & np.isfinite(table["size"]) & (table["size"] > 0)]
    table = table.sort_values("size", ascending=False, kind="stable").drop_duplicates("measure")
    return [_write_move(row, measures[row.measure]) for row in table.head(_MOVED).itertuples()]


def _write_move(row: Any, measure: Measure) -> str:
    change = write_change(row, 2 if abs(row.value) < 1 else 1)
    if row.unit:
        change += f" {tr('points') if row.unit == '%' else tr(row.unit)}"
    return trn(
        "{measure} {change} with {n} player",
        "{measure} {change} with {n} players",
        row.players,
        measure=name_of(measure, row.group),
        change=change,
    )


def _figures(fair: float, lines: Sequence[Line]) -> list[Figure]:
    """Return the rows of figures at one player count; win shares have one scale."""
    levels = [[row for side, row in line.sides.items() if side != CHANGE] for line in lines]
    shares = [row for line, own in zip(lines, levels, strict=True) if line.measure.is_split_share for row in own]
    common = _ends([*_all_ends(shares), fair])
    found = []
    for line, own in zip(lines, levels, strict=True):
        is_share = line.measure.is_split_share
        ends = common if is_share else _ends(_all_ends(own))
        sides = {side: _side(line, side, ends) for side in line.sides}
        found.append(Figure(line.label, sides, place_on_scale(fair, ends) if is_share else None))
    return found


def _all_ends(rows: Sequence[Any]) -> list[float]:
    return [end for row in rows for end in (row.low, row.high)]


def _side(line: Line, side: str, ends: tuple[float, float]) -> Side:
    row = line.sides[side]
    value, low, high = (
        text.replace("-", "−") if math.isfinite(each) else "?"
        for text, each in zip(line.write(side), (row.value, row.low, row.high), strict=True)
    )
    word, span = str(row.verdict), tr("{low} to {high}", low=low, high=high)
    if side == CHANGE and row.low == row.high == 0:
        value, span, word = "0", "", NO_CHANGE
    kind = "good" if word in _GOOD else "bad" if word in _BAD else "open" if word in _OPEN else "shown"
    places = (place_on_scale(each, ends) for each in (row.low, row.value, row.high))
    return Side(value, span, word, kind if word else "", *places)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a scale with a little room on both sides."""
    finite = [each for each in values if math.isfinite(each)] or [0.0]
    low, high = min(finite), max(finite)
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def place_on_scale(value: float, ends: tuple[float, float]) -> float:
    """Return where a value lies between two ends, in % of the way; 50 where that is unknown."""
    if math.isnan(value):
        return 50.0
    return round(min(100.0, max(0.0, 100 * (value - ends[0]) / (ends[1] - ends[0]))), 2)


_WIDTH, _HEIGHT = 320, 150


def _curves(comparison: Comparison) -> list[Curve]:
    """Return the mean score by round at each player count, in the rounds that half of the games reach, if several."""
    if not comparison.plan.game.sides.has_scores:
        return []
    table = comparison.answers[SCORES]
    curves = [_curve(int(players), rows, comparison.sides) for players, rows in table.groupby("players", sort=False)]
    return [each for each in curves if each.rounds > 1]


def _curve(players: int, rows: pd.DataFrame, sides: Mapping[str, str]) -> Curve:
    most = rows.groupby("variant")["n"].transform("max")
    rows = rows[2 * rows["n"] >= most].assign(side=rows["variant"].map(sides)).sort_values("round")
    rows = rows.assign(low=rows["low"].fillna(rows["value"]), high=rows["high"].fillna(rows["value"]))
    finite = rows.replace([np.inf, -np.inf], np.nan)
    least, top = float(min(0.0, finite["low"].min())), float(finite["high"].max())
    last = int(rows["round"].max())

    def point(number: float, value: float) -> str:
        x = _WIDTH * (number - 1) / max(1, last - 1)
        y = _HEIGHT * (1 - (min(max(value, least), top) - least) / ((top - least) or 1))
        return f"{x:.1f},{y:.1f}"

    lines, bands, ends = {}, {}, {}
    for side, own in rows.groupby("side", sort=False):
        pairs = list(own[["round", "value", "low", "high"]].itertuples(index=False))
        lines[str(side)] = " ".join(point(row[0], row[1]) for row in pairs)
        bands[str(side)] = " ".join(
            [*(point(row[0], row[2]) for row in pairs), *(point(row[0], row[3]) for row in reversed(pairs))]
        )
        ends[str(side)] = write_number(pairs[-1][1], ".1f")
    return Curve(players, lines, bands, write_number(top, "z.0f"), write_number(least, "z.0f"), last, ends)


def find_differences(one: CellVerdicts, other: CellVerdicts, plan: Plan) -> Iterator[str]:
    """Yield in words what other strategies contradict or do not confirm; `one` is what the page shows."""
    rows = {row.name: row for row in find_rows(plan)}
    for place, verdict in one.items():
        there = other.get(place)
        if there is None or not (verdict.contradicts(there) or (verdict.is_problem and not there.is_shown)):
            continue
        row = rows[place.row]
        here, cell = (_word_and_value(row.cell(plan, each)) for each in (verdict, there))
        yield trn(
            "{question}, {n} player, {variant}: {verdict}, here {here}",
            "{question}, {n} players, {variant}: {verdict}, here {here}",
            place.players,
            question=tr(row.title),
            variant=place.variant,
            verdict=cell,
            here=here,
        )


def _word_and_value(cell: GridCell) -> str:
    return f"{write_word(cell.word)} ({f'{cell.name} {cell.value}'.lstrip()})"


@cache
def open_live_templates() -> Environment:
    """Return the templates of this package, which use those of the report."""
    reports = open_templates()
    assert reports.loader is not None
    return reports.overlay(loader=ChoiceLoader([PackageLoader("balance.live"), reports.loader]))


def render(template: str, **values: Any) -> str:
    """Return a template of this package filled in; names stay text."""
    return open_live_templates().get_template(template).render(**values)


def write_error(error: Exception) -> str:
    """Return an error as the page shows it; a fault of a game or of ours with its type."""
    if isinstance(error, BalanceError):
        return str(error)
    return tr(_NO_MEMORY) if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"


def read_script() -> str:
    """Return the script of the page, with its messages in the language in use."""
    return f'"use strict";\n{scripts("live.js", templates=open_live_templates())}'
