"""Measures that are no SQL over rows, in studies: the first games of each variant are played again and looked at.

Games are followed for measures at the table (`balance.studies.following`), and traced for options in use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd
import pyarrow as pa

from balance.analysis.chances import Followed, Lesson
from balance.analysis.compare import Pairs, pair_questions, unpaired_differences
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.row_tables import NO_REPEAT, declare_repeats
from balance.analysis.target_checks import target_question
from balance.analysis.traced import name_options, read_uses, used_sql
from balance.contract.analytics import Measure
from balance.contract.game import options_of
from balance.contract.records import MOVES_HASH
from balance.experiments.plan import Cell, Part, Plan
from balance.foundation.progress import SILENCE, Progress
from balance.runs.database import open_database
from balance.runs.worker import Tables, join_tables, play_alone
from balance.runs.workers import Workers, kept_threads
from balance.studies.following import AtTheTable, follow_plan
from balance.studies.following import Cell as CellOf
from balance.studies.reruns import play_again

MOST_TRACED = 1_000  # games of a cell


@dataclass(frozen=True)
class Looks:
    """What a closer look at the games of each cell has found."""

    followed: Mapping[CellOf, Followed] = field(default_factory=dict)
    # The columns of `balance.analysis.traced.read_options` without players and variant; options by the trace's words.
    used: Mapping[CellOf, pd.DataFrame] = field(default_factory=dict)

    def __or__(self, other: Looks) -> Looks:
        """Return both."""
        return Looks({**self.followed, **other.followed}, {**self.used, **other.used})


def look_closer(
    plan: Plan, measures: Sequence[Measure], workers: Workers | None = None, progress: Progress = SILENCE
) -> Looks:
    """Play the first games of each cell again, as often as the measures need it."""
    follows = [measure for measure in measures if measure.is_followed]
    return Looks(
        follow_plan(plan, follows, workers, progress) if follows else {},
        _trace_plan(plan, workers, progress) if any(measure.is_traced for measure in measures) else {},
    )


def _trace_plan(plan: Plan, workers: Workers | None, progress: Progress) -> dict[CellOf, pd.DataFrame]:
    found = play_again(plan, MOST_TRACED, _trace_batch, workers or kept_threads(), progress)
    return {(cell.players, cell.variant.name): _read_uses(plan, found[cell.number]) for cell in plan.tier_cells}


def _trace_batch(plan: Plan, cell: Cell, first: int, last: int) -> Tables:
    """Play games of a cell again; return ``games``, ``seats``, and a table of the options in use for each option set.

    A trace is a hundred times as long.
    """
    played = play_alone(plan, Part(cell.number, first, last, "trace"), ("games", "seats", "trace"))
    with open_database() as connection:
        connection.register("trace", played["trace"])
        sets = options_of(plan.game)
        used = {_used(number): connection.sql(used_sql(each)).to_arrow_table() for number, each in enumerate(sets)}
    about = [name for name in _OF_GAMES if name in played["games"].column_names]
    return {"games": played["games"].select(about), "seats": played["seats"].select(["game_id", "seat"]), **used}


_OF_GAMES = ("game_id", "tier", "variant", "players", "lineup", "deal_seed", "status", MOVES_HASH)


def _used(number: int) -> str:
    return f"used_{number}"


def _read_uses(plan: Plan, batches: Sequence[Tables]) -> pd.DataFrame:
    """Return the seats that use each option, from the games of a cell."""
    sets = options_of(plan.game)
    with open_database() as connection:
        for name, table in join_tables(batches).items():
            connection.register(name, pa.table(table))
        declare_repeats(connection, "games")
        used = [f"(SELECT * FROM {_used(number)})" for number in range(len(sets))]
        found = read_uses(sets, connection, NO_REPEAT, used)
    return found.assign(clusters=found["deals"]).drop(columns="deals")


@dataclass(frozen=True)
class Closer:
    """What a closer look at games shows of variants, next to the start variant."""

    plan: Plan
    looks: Looks
    start: str  # the variant that others are compared with
    # For a search: what other games of the start variant have taught, by player count, for the games of all variants.
    lessons: Mapping[int, Lesson] | None = None

    @cached_property
    def table(self) -> AtTheTable | None:
        """What the followed games show; None if none were followed."""
        return AtTheTable(self.plan, self.looks.followed, self.start, self.lessons) if self.looks.followed else None

    @property
    def why_missing(self) -> list[str]:
        """Why cells have no figures, a line for each."""
        return self.table.why_missing if self.table else []

    @cached_property
    def used(self) -> pd.DataFrame:
        """The columns of `balance.analysis.traced.read_options`, with the options' words of the trace."""
        parts = [
            found.assign(players=players, variant=variant) for (players, variant), found in self.looks.used.items()
        ]
        return pd.concat(parts, ignore_index=True)

    @property
    def options_used(self) -> pd.DataFrame | None:
        """The columns of `balance.analysis.traced.read_options`; None if no games were traced."""
        return name_options(self.plan.game, self.used) if self.looks.used else None

    @property
    def chances(self) -> pd.DataFrame | None:
        """The columns of `balance.analysis.chances.read_chances`; None if no games taught any."""
        return self.table.chances if self.table and len(self.table.chances) else None

    def levels(self, measures: Sequence[Measure]) -> Answers:
        """Return the answers to `balance.analysis.target_checks.target_question`."""
        followed = [measure for measure in measures if measure.is_followed]
        found: dict[Question, pd.DataFrame] = {}
        found |= {target_question(each): self.used.assign(measure=each.name) for each in measures if each.is_traced}
        return {**found, **(self.table.levels(followed) if self.table else {})}

    def questions(self, measures: Sequence[Measure]) -> list[Pairs]:
        """Return the questions about differences that have an answer."""
        is_told = self.table and self.table.compared
        return pair_questions(self.start, [each for each in measures if is_told or not each.is_followed])

    def answers(self, questions: Sequence[Pairs]) -> Answers:
        """Return the answers to those of the questions that need a closer look.

        Raises
        ------
        BalanceError
            There is nothing to compare; its text says why.
        """
        found: dict[Question, pd.DataFrame] = {}
        traced = [each for each in questions if each.is_traced]
        found |= {each: unpaired_differences(each.measures[0], self.used, self.start) for each in traced}
        return {**found, **(self.table.answers(questions) if self.table else {})}
