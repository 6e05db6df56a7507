"""A run opened for reading: its tables as frames, SQL over them, and every analysis of the reports."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.check import check_targets
from balance.analysis.choices import choice_effects
from balance.analysis.compare import compare_variants
from balance.analysis.components import kept_components
from balance.analysis.decisions import kept_decisions
from balance.analysis.fields import (
    LeavingOut,
    leaving_out_applies,
    seat_ranges,
    seat_strategy_question,
)
from balance.analysis.gather import gather
from balance.analysis.halves import of_all_decks
from balance.analysis.luck import Luck, read_luck, read_spans
from balance.analysis.meetings import Meetings, find_equilibria, head_to_head
from balance.analysis.neighbours import gains, neighbours_question
from balance.analysis.question import Question
from balance.analysis.runaway import runaway_question
from balance.analysis.shares import judge_shares, judged_shares, share_question
from balance.analysis.unfinished import Played, withhold, without_broken
from balance.analysis.variance import COLUMNS as VARIANCE_COLUMNS
from balance.analysis.variance import Variance, read_variance, variance_applies
from balance.errors import BalanceError, unknown
from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.plan.measures import choose_measures, share_of
from balance.plan.targets import read_targets


class Run:
    """A run's tables, read from its files when asked for and not before.

    Parameters
    ----------
    path : Path
    tier : str or None
        Whose games are read, and no other's; None for the first tier of the experiment.
    """

    def __init__(self, path: Path, tier: str | None = None) -> None:
        found = RunFolder.open(path)
        self.folder = found if tier is None else found.in_tier(tier)
        with self._connect(checksums=True):
            pass  # so that a damaged part is told of at once

    def _connect(self, checksums: bool = False) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        cells = {cell.number for cell in self.folder.plan.tier_cells}
        return connect(self.folder.path, checksums, cells)

    @property
    def tier(self) -> str:
        """The name of the tier that is read."""
        return self.folder.plan.tier.name

    @property
    def tiers(self) -> list[str]:
        """The names of all tiers, as the experiment lists them."""
        return [tier.name for tier in self.folder.plan.tiers]

    def in_tier(self, name: str) -> Run:
        """The same run as another tier played it.

        Raises
        ------
        BalanceError
            There is no such tier; names those that there are.
        """
        return Run(self.folder.path, name)

    @property
    def info(self) -> dict[str, Any]:
        """The content of `run.json`."""
        return self.folder.info

    def query(self, sql: str) -> pd.DataFrame:
        """The result of DuckDB SQL over the tier's views games, seats and, if logged, rounds, trace and luck.

        Raises
        ------
        BalanceError
            The SQL is wrong; says what DuckDB says.
        """
        with self._connect() as connection:
            try:
                return connection.execute(sql).df()
            except duckdb.Error as error:
                raise BalanceError(f"{error}".splitlines()[0]) from None

    def games(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Rows of the games table, of one variant or player count if given."""
        return self._rows("games", variant, players)

    def seats(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Rows of the seats table, of one variant or player count if given."""
        return self._rows("seats", variant, players)

    def _rows(self, table: str, variant: str | None, players: int | None) -> pd.DataFrame:
        known = [found.name for found in self.folder.plan.variants]
        if variant is not None and variant not in known:
            raise unknown("variant", variant, known, str(self.folder.path))
        with self._connect() as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE coalesce(variant = ?, true) "
                f"AND coalesce(players = ?, true) ORDER BY ALL",
                [variant, players],
            ).df()

    def seat_shares(self, threshold: float | None = None, by: str | None = None) -> pd.DataFrame:
        """Win share of every seat with its interval and verdict, see `analysis.shares.judge_shares`.

        Parameters
        ----------
        threshold : float or None
            Percentage points of fair within which a seat is balanced; 1 if None.
        by : "strategy", "field" or None
            What the share hangs on, without verdicts. ``strategy``: each strategy in each seat (columns
            ``strategy``, ``value``, ``low``, ``high`` in percent, ``n``, ``clusters``, ``error``). ``field``: how
            far the seat moves when one strategy leaves the field (see `analysis.fields.seat_ranges`).

        Raises
        ------
        BalanceError
            The run's strategies leave no such question.
        """
        if by is None:
            return self._shares("seat", threshold)
        if by == "strategy":
            return self._ask(seat_strategy_question()).drop(columns="measure")
        if by != "field":
            raise unknown("split", by, ["strategy", "field"], "seat_shares")
        if not leaving_out_applies(self.folder.plan):
            raise BalanceError(
                f"{self.folder.path}: no games are left when one strategy's are taken away"
            )
        return seat_ranges(self._ask(LeavingOut()))

    def strategy_shares(self, threshold: float | None = None) -> pd.DataFrame:
        """As `seat_shares`, by strategy; balanced is from 3/4 to 5/4 of a fair share if `threshold` is None."""
        return self._shares("strategy", threshold)

    def _shares(self, by: str, threshold: float | None) -> pd.DataFrame:
        plan = self.folder.plan
        question = share_question(share_of(plan, by))
        answers = gather(self.folder, [question, Played()])
        if threshold is None:
            return judged_shares(plan, answers, by, plan.look_families)
        return withhold(
            judge_shares(answers[question], by, threshold, plan.look_families), answers[Played()]
        )

    def _ask(self, question: Question) -> pd.DataFrame:
        return gather(self.folder, [question])[question]

    def measures(self, names: Sequence[str] | None = None) -> pd.DataFrame:
        """Means of measures that are not split by seat or strategy, in every cell.

        Returns
        -------
        DataFrame
            ``players``, ``variant``, ``measure``, ``value``, ``low``, ``high``, ``n``, ``decks``, and
            the values of a sweep's keys where the run is one.

        Raises
        ------
        BalanceError
            There is no such measure.
        """
        chosen = [m for m in choose_measures(self.folder.plan, names) if not m.by]
        table = read_cell_means(gather(self.folder, cell_questions(chosen)), chosen)
        points = pd.DataFrame(
            [{"variant": name, **point} for name, point in self.folder.plan.points.items()]
        )
        return table.merge(points, on="variant", how="left") if len(points) else table

    def compare(self, baseline: str, measures: Sequence[str] | None = None) -> pd.DataFrame:
        """Paired effects of every other variant, see `analysis.compare.compare_variants`."""
        return compare_variants(self.folder, baseline, measures)

    def head_to_head(self) -> pd.DataFrame:
        """How often the row strategy ends above the column strategy, with intervals, in every cell."""
        return head_to_head(self._ask(Meetings()))

    def neighbours(self) -> pd.DataFrame:
        """What the seats after each strategy gain by sitting there, see `analysis.neighbours.Neighbours`.

        Raises
        ------
        BalanceError
            There are no three players at a table, or no two strategies.
        """
        question = neighbours_question(self.folder.plan)
        if question is None:
            raise BalanceError(
                f"{self.folder.path}: needs games of three players or more, and two strategies"
            )
        return gains(self._ask(question))

    def equilibria(self) -> pd.DataFrame:
        """The equilibrium of the pairwise meta-game, see `analysis.meetings.find_equilibria`."""
        answers = gather(self.folder, [Meetings(), Played()])
        return find_equilibria(without_broken(answers[Meetings()], answers[Played()]))

    def runaway(self) -> pd.DataFrame:
        """Win share of the seat that leads alone after each round; needs the log level rounds."""
        self._needs_rounds()
        return self._ask(runaway_question())

    def luck(self) -> pd.DataFrame:
        """What each source of chance decides, see `analysis.luck.read_luck`; needs `luck` in the experiment."""
        return read_luck(self._ask(Luck()))

    def components(self) -> pd.DataFrame:
        """What components are worth, see `analysis.components.try_components`; needs `balance components`.

        Raises
        ------
        BalanceError
            They were not tried in this tier; says how to.
        """
        return self._found_again(kept_components(self.folder), "components")

    def decisions(self) -> pd.DataFrame:
        """Which decisions matter, see `analysis.decisions.judge_decisions`; needs `balance decisions`.

        Raises
        ------
        BalanceError
            None were judged in this tier; says how to.
        """
        return self._found_again(kept_decisions(self.folder), "decisions")

    def _found_again(self, found: pd.DataFrame, command: str) -> pd.DataFrame:
        if found.empty:
            path = self.folder.path
            raise BalanceError(
                f"{path} has no {command} of tier {self.tier}; find them with: balance {command} {path}"
            )
        return of_all_decks(found).rename(columns={"clusters": "decks"})

    def deal_spans(self) -> pd.DataFrame:
        """How far win rates move from deal to deal, see `analysis.luck.read_spans`; needs `luck` too."""
        return read_spans(self._ask(Luck()))

    def variance(self) -> pd.DataFrame:
        """What explains wins and score differences, see `analysis.variance.read_variance`.

        Empty where line-ups don't rotate through the seats.
        """
        if not variance_applies(self.folder.plan):
            return pd.DataFrame(columns=VARIANCE_COLUMNS)
        return read_variance(self._ask(Variance()))

    def early_choices(self, variant: str) -> pd.DataFrame:
        """What early choices go with, see `analysis.choices.choice_effects`; needs the log level rounds."""
        self._needs_rounds()
        known = [found.name for found in self.folder.plan.variants]
        if variant not in known:
            raise unknown("variant", variant, known, str(self.folder.path))
        choices = self.folder.plan.game.analytics.CHOICES
        found = of_all_decks(choice_effects(self.folder, choices, variant))
        return found.rename(columns={"clusters": "decks"})

    def _needs_rounds(self) -> None:
        if not self.folder.plan.has_rounds:
            raise BalanceError(f"{self.folder.path} has no rounds: play with log level rounds")

    def check(self, targets: Path | str) -> pd.DataFrame:
        """Verdicts on a file of targets, see `analysis.check.check_targets`."""
        return check_targets(self.folder, read_targets(Path(targets)), str(targets))
