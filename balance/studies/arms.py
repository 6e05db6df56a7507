"""One variant's games in memory, and what they show next to those of another on the same deals."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from operator import or_
from typing import Any

import pandas as pd
import pyarrow as pa

from balance.analysis.compare import Pairs, pair_questions, read_pairs
from balance.analysis.ended import Played, notes_on_games
from balance.analysis.gather import Answers, in_plan_order
from balance.analysis.question import Question
from balance.analysis.row_tables import (
    NEEDED,
    declare_names,
    fetch,
    make_round_rows,
    make_seat_rows,
    stratum_of,
    wanted,
    words_of,
)
from balance.analysis.shares import judged_shares
from balance.analysis.spread import cell_questions, read_cell_means
from balance.analysis.target_checks import target_question
from balance.contract.analytics import Measure
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.measures import choose_measures
from balance.experiments.plan import Cell, Part, Plan
from balance.foundation.language import N_, write_number
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.text import seat_name
from balance.foundation.toml import KeyPath
from balance.report.words import name_group, name_of
from balance.runs.database import open_database, stoppable
from balance.runs.runner import compile_loops, play_tables
from balance.runs.worker import PartPlayer, Tables, join_tables
from balance.runs.workers import kept_threads
from balance.studies.closer import Closer, Looks, look_closer

ChangedKeys = Mapping[KeyPath, Any]
"""Changed keys, each split into its parts, with their values; no value is a table."""
MEASURES = ("won", "score", "margin", "comeback", "minutes")
"""Measures shown by default, those of them that the game has."""
KEYS = ["players", "measure", "group"]
BEFORE, NOW, CHANGE = N_("before"), N_("now"), N_("change")


@dataclass(frozen=True)
class Arm:
    """One side of a comparison, with its games."""

    plan: Plan  # of one variant with a unique name
    tables: Tables
    changed_keys: ChangedKeys = field(default_factory=dict)
    _looks: dict[tuple[str, ...], Looks] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the variant."""
        return self.plan.first_variant.name

    def look_closer(self, measures: Sequence[Measure], workers: int | None, progress: Progress) -> Looks:
        """Return what a closer look at its games finds for measures that need it."""
        names = tuple(measure.name for measure in measures)
        if names not in self._looks:
            self._looks[names] = look_closer(self.plan, measures, kept_threads(workers), progress)
        return self._looks[names]


_SMALL, _LARGE = 10, 100


@dataclass(frozen=True)
class Line:
    """A figure of a comparison at one player count: a row of `Comparison.table` for each side that has one."""

    measure: Measure
    group: str
    sides: Mapping[str, Any]

    @property
    def label(self) -> str:
        """What is measured, with a percent sign for shares; of win shares only the seat, strategy or faction."""
        measure, group = self.measure, self.group
        if not measure.is_split_share:
            return name_of(measure, group) + (", %" if measure.is_share else "")
        return seat_name(int(group)) if measure.by == "seat" else name_group(measure, group)

    def write(self, side: str) -> tuple[str, str, str]:
        """Return a side's value and ends: one decimal, two for small levels, none for large ones."""
        levels = [abs(row.value) for each, row in self.sides.items() if each != CHANGE]
        size = max((each for each in levels if not math.isnan(each)), default=math.nan)
        digits = 2 if size < _SMALL else 0 if size >= _LARGE and side != CHANGE else 1
        spec = f"{'+' if side == CHANGE else ''}z.{digits}f"  # z: no -0.0
        row = self.sides[side]
        value, low, high = (write_number(each, spec) for each in (row.value, row.low, row.high))
        return value, low, high


@dataclass(frozen=True)
class Comparison:
    """The answers to all questions about one arm or two."""

    plan: Plan  # the plan of `now` with the variants of both arms; the baseline comes first
    sides: Mapping[str, str]  # `BEFORE` and `NOW` by the name of the variant
    measures: Sequence[Measure]  # the win shares, then the named measures
    pairs: Sequence[Pairs]  # the questions about differences; empty for one arm
    answers: Answers  # see `balance.analysis.gather.gather`
    closer: Closer | None = None  # if measures are asked for that need a closer look

    @property
    def families(self) -> int:
        """The families of verdicts: one for each split of the win shares, and one for the changes."""
        return len(self._splits) + 1

    @property
    def _splits(self) -> list[Measure]:
        return [measure for measure in self.measures if measure.is_split_share]

    @property
    def whole(self) -> list[Measure]:
        """The measures of rows that are not split."""
        return [measure for measure in self.measures if not measure.by and not measure.is_apart]

    @property
    def notes(self) -> list[str]:
        """What to know before the figures: games that repeat, that all end in a draw, or that teach no chances."""
        notes = list(notes_on_games(self.plan, self.answers[Played()]))
        if self.closer:
            notes += self.closer.why_missing
        return notes

    @cached_property
    def effects(self) -> pd.DataFrame:
        """The differences between the arms, see `balance.analysis.compare.read_pairs`; there must be two."""
        return read_pairs(self.plan, self.pairs, self.answers, self.families)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The results of both arms and, if they differ, the paired difference.

        The win shares of seats and strategies, then the named measures: ``players``, ``measure``, ``group`` (seat from
        0, or strategy, or ""), ``side`` (`BEFORE`, `NOW`, `CHANGE`), ``value``, ``low``, ``high`` (95 %, for this
        figure alone), ``verdict`` ("" if there is none), ``n``, ``decks``. All verdicts hold together with 95 %
        confidence.
        """
        plan, answers = self.plan, self.answers
        # A single arm is judged as one of two; otherwise its verdicts would change when a key is changed.
        families = self.families * 2 // len(plan.variants)
        parts = [_shares(plan, answers, each, families) for each in self._splits]
        parts += [_means_by(answers, each) for each in self.measures if each.by and not each.is_split_share]
        if self.whole:
            parts.append(read_cell_means(answers, self.whole).assign(group="", verdict=""))
        parts += [_levels(answers, each) for each in self.measures if each.is_followed]
        table = pd.concat([part.assign(side=part["variant"].map(self.sides)) for part in parts])
        if self.pairs:
            effects = self.effects.rename(columns={"effect": "value"})
            table = pd.concat([table, effects.assign(side=CHANGE)])
        table = table[table["value"].notna()]  # no game has this measure: of one round, none has a half time
        order = [measure.name for measure in self.measures]
        table["place"] = table["measure"].map(order.index)
        ordered = table.sort_values(["players", "place", "group"], kind="stable", ignore_index=True)
        return ordered[[*KEYS, "side", "value", "low", "high", "verdict", "n", "decks"]]

    @property
    def shown_sides(self) -> list[str]:
        """The sides that the table has, in order."""
        return [side for side in (BEFORE, NOW, CHANGE) if (self.table["side"] == side).any()]

    def lines(self) -> dict[int, list[Line]]:
        """Return the table by player count, a line for each figure."""
        measures = {measure.name: measure for measure in self.measures}
        found: dict[int, list[Line]] = {}
        for (players, name, group), rows in self.table.groupby(KEYS, sort=False):
            line = Line(measures[name], str(group), {row.side: row for row in rows.itertuples()})
            found.setdefault(int(players), []).append(line)
        return found


def compare_arms(
    before: Arm, now: Arm, measures: Sequence[str], more: Sequence[Question] = (), workers: int | None = None,
    progress: Progress = SILENCE,
) -> Comparison:  # fmt: skip
    """Ask both arms, or one if they are the same, for their results; `more` are further questions.

    A question that needs rounds reads those that both arms keep. For measures that need a closer look, the first games
    of both are played again.
    """
    arms = [now] if now is before else [before, now]
    plan = replace(now.plan, variants=[arm.plan.first_variant for arm in arms])
    asked = _measures(plan, measures)
    plain, apart = [m for m in asked if not m.is_apart], [m for m in asked if m.is_apart]
    pairs = pair_questions(before.name, plain) if len(arms) > 1 else []
    splits, whole = [m for m in plain if m.by], [m for m in plain if not m.by]
    questions = [*map(target_question, splits), *cell_questions(whole), *pairs, Played(), *more]
    answers, closer = _answer(plan, arms, questions), None
    if apart:
        looks = reduce(or_, (arm.look_closer(apart, workers, progress) for arm in arms))
        closer = Closer(plan, looks, before.name)
        further = closer.questions(apart) if len(arms) > 1 else []
        pairs = [*pairs, *further]
        answers = {**answers, **closer.levels(apart), **closer.answers(further)}
    return Comparison(plan, {before.name: BEFORE, now.name: NOW}, asked, pairs, answers, closer)


def _measures(plan: Plan, names: Sequence[str]) -> list[Measure]:
    """Return the win shares, then the named measures."""
    shares = [measure for measure in choose_measures(plan, None) if measure.by]
    return [*shares, *(each for each in choose_measures(plan, names, apart=True) if each not in shares)]


def _shares(plan: Plan, answers: Answers, measure: Measure, families: int) -> pd.DataFrame:
    table = judged_shares(plan, answers, measure.by, families).rename(columns={measure.by: "group"})
    return table.assign(measure=measure.name, group=table["group"].astype(str))


def _means_by(answers: Answers, measure: Measure) -> pd.DataFrame:
    table = answers[target_question(measure)].rename(columns={measure.by: "group", "clusters": "decks"})
    return table.assign(group=table["group"].astype(str), verdict="")


def _levels(answers: Answers, measure: Measure) -> pd.DataFrame:
    """Return the levels of a measure of followed games."""
    return answers[target_question(measure)].rename(columns={"clusters": "decks"}).assign(group="", verdict="")


def _answer(plan: Plan, arms: Sequence[Arm], questions: Sequence[Question]) -> Answers:
    words = NEEDED | words_of(questions)
    with stoppable(), open_database() as connection:
        for table in (*_KEPT, *([ROUNDS] if any(each.needs_rounds for each in questions) else [])):
            connection.register(table, _together(arms, table, words))
        stratum = stratum_of(plan, plan.experiment.players)
        declare_names(connection, "games")
        make_seat_rows(connection, "games", "seats", stratum)
        if any(each.needs_rounds for each in questions):
            make_round_rows(connection, ROUNDS, questions, plan.game.sides.one_seat)
        rows = {question: fetch(connection, question) for question in questions}
    return {each: each.read(in_plan_order(plan, found, each.keys)) for each, found in rows.items()}


def _together(arms: Sequence[Arm], name: str, words: set[str]) -> pa.Table:
    """Return a table of all arms with games renumbered, by cell and then in the order of the cell."""
    parts = []
    for number, arm in enumerate(arms):
        table = arm.tables[name]
        table = table.select(wanted(table.column_names, words))
        numbered = table["game_id"].to_numpy() + number * len(arm.plan.cells) * MOST_GAMES
        parts.append(table.set_column(table.column_names.index("game_id"), "game_id", [numbered]))
    return pa.concat_tables(parts)


def with_games(plan: Plan, games: int) -> Plan:
    """Return the plan with another number of games in each cell."""
    experiment = plan.experiment.model_copy(update={"games": games})
    tiers = [replace(tier, games=games, most_games=games) for tier in plan.tiers]
    return replace(plan, experiment=experiment, tiers=tiers)


ROUNDS = "rounds"
_KEPT = ("games", "seats")
_SLICE = 500  # games, and iterations of a searcher, between two checks for Ctrl-C
LEAST_GAMES = 20


def play_games(
    plan: Plan, workers: int | None = None, progress: Progress = SILENCE, first: int = 0, rounds: int = 0
) -> Tables:
    """Play all cells of a plan: the same games and rows as in its run. Ctrl-C discards games already played.

    The first game played of each cell is `first`. The rounds of the first `rounds` games are kept, rounded up to whole
    slices.
    """
    parts = [part for cell in plan.cells for part in _slices(plan, cell, first)]
    return join_tables(play_tables(plan, parts, partial(_kept, rounds), kept_threads(workers), progress))


def _kept(rounds: int, part: Part) -> Sequence[str]:
    """Return the tables that are kept of a part."""
    return (*_KEPT, ROUNDS) if part.first < rounds else _KEPT


def games_in(plan: Plan, seconds: float, most: int, workers: int | None = None, progress: Progress = SILENCE) -> int:
    """Return how many games per cell, at most `most`, fit into the seconds, from the time of one deal per cell."""
    compile_loops(plan, progress)
    player, needed = PartPlayer(plan, threading.Event()), 0.0
    try:
        for cell in plan.cells:
            games = plan.schedule(cell).deal_games
            player.play_tables(Part(cell.number, 0, 1, "games"), _KEPT)  # starts the processes of bots
            began = time.perf_counter()
            player.play_tables(Part(cell.number, 0, games, "games"), _KEPT)
            needed += (time.perf_counter() - began) / games
    finally:
        player.close()
    return max(LEAST_GAMES, min(most, int(seconds * kept_threads(workers).count / needed)))


def _slices(plan: Plan, cell: Cell, start: int) -> Iterator[Part]:
    size = max(1, _SLICE // max(1, cell.tier.iterations))
    for first in range(start, cell.tier.games, size):
        last = min(first + size, cell.tier.games)
        yield Part(cell.number, first, last, plan.experiment.log)
