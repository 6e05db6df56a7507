"""A run opened for reading: its tables, every analysis of the reports, and plots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from balance.analysis.cells import cell_questions, read_cell_means
from balance.analysis.check import check_targets
from balance.analysis.choices import choice_effects
from balance.analysis.compare import compare_variants
from balance.analysis.components import kept_components
from balance.analysis.decisions import kept_decisions
from balance.analysis.deficits import Deficits, lost_by_round
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
from balance.analysis.runaway import runaway_question
from balance.analysis.shares import judge_shares, judged_shares, share_question
from balance.analysis.unfinished import Played, withhold, without_broken
from balance.analysis.variance import COLUMNS as VARIANCE_COLUMNS
from balance.analysis.variance import Variance, read_variance, variance_applies
from balance.errors import BalanceError, unknown
from balance.plan.measures import choose_measures, share_of
from balance.plan.targets import read_targets
from balance.run.opened import Opened

if TYPE_CHECKING:
    from balance.run.plots import Plots


class Run(Opened):
    """A run: the tables of `balance.run.opened.Opened`, every analysis of the reports, and plots."""

    @cached_property
    def plot(self) -> Plots:
        """The figures of the page, and more, as figures of matplotlib's: ``run.plot.seats()``."""
        from balance.run.plots import Plots

        return Plots(self)

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
            There is no such measure, or the measures are all split by seat or strategy.
        """
        chosen = [m for m in choose_measures(self.folder.plan, names) if not m.by]
        if not chosen:
            raise BalanceError(
                f"{', '.join(names or ())}: split by seat or strategy, see seat_shares and strategy_shares"
            )
        table = read_cell_means(gather(self.folder, cell_questions(chosen)), chosen)
        points = self.points
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
        bags = without_broken(answers[Meetings()], answers[Played()])
        return find_equilibria(bags, self.folder.plan.look_families)

    def runaway(self) -> pd.DataFrame:
        """Win share of the seat that leads alone after each round; needs the log level rounds."""
        self._needs_rounds()
        return self._ask(runaway_question())

    def lost(self) -> pd.DataFrame:
        """Points behind the leader at which a seat hardly wins, see `analysis.deficits.lost_by_round`.

        Needs the log level rounds.
        """
        self._needs_rounds()
        return lost_by_round(self._ask(Deficits()))

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
        self._check_variant(variant)
        plan = self.folder.plan
        effects = choice_effects(self.folder, plan.game.analytics.CHOICES, variant, plan.look_families)
        found = of_all_decks(effects)
        return found.rename(columns={"clusters": "decks"})

    def _needs_rounds(self) -> None:
        if not self.folder.plan.has_rounds:
            raise BalanceError(f"{self.folder.path} has no rounds: play with log level rounds")

    def tables(self, section: str) -> dict[str, pd.DataFrame]:
        """What one section of the report has in its tables, in numbers, by the name of the table's CSV.

        Parameters
        ----------
        section : str
            ``scores``, ``points``, ``ties``, ... or one of the game's own, ``events`` for example.

        Raises
        ------
        BalanceError
            There is no such section, naming those that there are; or it has nothing to say of this run.
        """
        from balance.report.chapter import write_section

        return {table.name: table.numbers for table in write_section(self.folder, section).tables}

    def check(self, targets: Path | str) -> pd.DataFrame:
        """Verdicts on a file of targets, see `analysis.check.check_targets`."""
        return check_targets(self.folder, read_targets(Path(targets)), str(targets))
