"""A run opened for reading: its tables as DataFrames, SQL over them, and every analysis of the reports."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

import duckdb
import pandas as pd

from balance.analysis.compare import compare_variants
from balance.analysis.early_choices import choice_effects
from balance.analysis.ended import Played, without_broken
from balance.analysis.gather import gather
from balance.analysis.head_to_head import Meetings, find_equilibria, head_to_head
from balance.analysis.holdout import of_all_decks
from balance.analysis.leads import Deficits, lost_by_round, runaway_question
from balance.analysis.luck import COLUMNS as VARIANCE_COLUMNS
from balance.analysis.luck import Luck, Variance, read_luck, read_spans, read_variance, variance_applies
from balance.analysis.question import Question, means
from balance.analysis.shares import (
    LeavingOut,
    judge_shares,
    judged_shares,
    leaving_out_applies,
    neighbours_question,
    seat_ranges,
    seat_strategy_question,
    share_question,
    withhold_shares,
)
from balance.analysis.spread import cell_questions, read_cell_means
from balance.analysis.sweeps import points_of
from balance.analysis.target_checks import check_targets
from balance.contract.game import faction_column
from balance.contract.sides import RIVALS, TEAM
from balance.experiments.measures import choose_measures, share_of
from balance.experiments.targets import read_targets
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.runs.sidecar import CHANCES, COMPONENTS, DECISIONS, SidecarTable
from balance.runs.strength import read_tier_rows


class Opened:
    """The tables of a run, read from its files on demand.

    Parameters
    ----------
    path : Path
    tier : str or None
        The tier whose games are read; None for the first tier of the experiment.
    """

    def __init__(self, path: Path, tier: str | None = None) -> None:
        found = RunFolder.open(path)
        self.folder = found if tier is None else found.in_tier(tier)
        with self._connect(checksums=True):
            pass  # reports damaged parts at once

    def _connect(self, checksums: bool = False) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        cells = {cell.number for cell in self.folder.plan.tier_cells}
        return connect(self.folder.path, self.folder.bond, checksums, cells)

    @property
    def tier(self) -> str:
        """The name of the tier that is read."""
        return self.folder.plan.tier.name

    @property
    def tiers(self) -> list[str]:
        """The names of all tiers, in the order of the experiment."""
        return [tier.name for tier in self.folder.plan.tiers]

    def in_tier(self, name: str) -> Self:
        """Return the same run with the games of another tier."""
        return type(self)(self.folder.path, name)

    @property
    def points(self) -> pd.DataFrame:
        """The values of the sweep's keys in every ``variant``, a column each; empty if the run is no sweep."""
        return points_of(self.folder.plan).drop(columns="point", errors="ignore")

    @property
    def info(self) -> dict[str, Any]:
        """The content of `run.json`."""
        return self.folder.info

    def query(self, sql: str) -> pd.DataFrame:
        """Return the result of DuckDB SQL over the tier's views games, seats and, if logged, rounds, trace and luck."""
        with self._connect() as connection:
            try:
                return connection.execute(sql).df()
            except duckdb.Error as error:
                raise BalanceError(f"{error}".splitlines()[0]) from None

    def games(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Return the rows of the games table, of one variant or player count if given."""
        return self._rows("games", variant, players)

    def seats(self, variant: str | None = None, players: int | None = None) -> pd.DataFrame:
        """Return the rows of the seats table, of one variant or player count if given."""
        return self._rows("seats", variant, players)

    def _rows(self, table: str, variant: str | None, players: int | None) -> pd.DataFrame:
        if variant is not None:
            self._check_variant(variant)
        with self._connect() as connection:
            return connection.execute(
                f"SELECT * FROM {table} WHERE coalesce(variant = ?, true) AND coalesce(players = ?, true) ORDER BY ALL",
                [variant, players],
            ).df()

    def _check_variant(self, name: str) -> None:
        known = [found.name for found in self.folder.plan.variants]
        if name not in known:
            raise unknown("variant", name, known, str(self.folder.path))

    def mean(self, value: str, by: Sequence[str] = (), share: bool = False) -> pd.DataFrame:
        """Return the mean of your own SQL expression over a seat's row and its game's row, in every cell.

        Parameters
        ----------
        value : str
            For example ``win_share`` or ``(out_round > 0)::INT``; seats with NULL don't count. For a value of the
            whole game, write ``CASE WHEN seat = 0 THEN margin END``.
        by : sequence of str
            Columns to split by: of seats, of games, or ``half`` (0 or 1), a random half of the deals.
        share : bool
            Whether every value is from 0 to 1; the result is then in percent.

        Returns
        -------
        DataFrame
            ``players``, ``variant``, the columns `by`, ``value``, ``low``, ``high`` (95 %, cluster-robust on the
            deal), ``n`` (seats), ``decks``.
        """
        asked = {"mean": f"100 * ({value})" if share else value}
        question = means(asked, ["players", "variant", *by], top=100 if share else None)
        try:
            found = self._ask(question)
        except BalanceError as error:
            cause = error.__context__  # the file reader reports every SQL error as damaged files
            if not isinstance(cause, duckdb.Error) or isinstance(cause, duckdb.IOException):
                raise
            raise BalanceError(f"{cause}".splitlines()[0]) from None
        if share and not found["value"].dropna().between(0, 100).all():
            raise BalanceError(tr("{value} is not a share: its mean is not from 0 to 1", value=value))
        return found.drop(columns=["measure", "error"]).rename(columns={"clusters": "decks"})

    def _ask(self, question: Question) -> pd.DataFrame:
        return gather(self.folder, [question])[question]


class Analyses(Opened):
    """Every analysis of the reports, of a run that is open."""

    def team_shares(self, threshold: float | None = None) -> pd.DataFrame:
        """Return the win share of every team with interval and verdict, in a game of teams; see `seat_shares`."""
        return self._shares(TEAM, threshold)

    def seat_shares(self, threshold: float | None = None, by: str | None = None) -> pd.DataFrame:
        """Return the win share of every seat with interval and verdict, see `analysis.shares.judge_shares`.

        Parameters
        ----------
        threshold : float or None
            Percentage points of fair within which a seat is balanced; 1 if None.
        by : "strategy", "field" or None
            How the share depends on the strategies, without verdicts. ``strategy``: each strategy in each seat (columns
            ``strategy``, ``value``, ``low``, ``high`` in percent, ``n``, ``clusters``, ``error``). ``field``: how
            far the seat moves when one strategy leaves the field (see `analysis.shares.seat_ranges`).
        """
        if by is None:
            return self._shares("seat", threshold)
        if by == "strategy":
            return self._ask(seat_strategy_question()).drop(columns="measure")
        if by != "field":
            raise unknown("split", by, ["strategy", "field"], "seat_shares")
        if not leaving_out_applies(self.folder.plan):
            raise BalanceError(tr("{run}: no games are left without the games of one strategy", run=self.folder.path))
        return seat_ranges(self._ask(LeavingOut()))

    def strategy_shares(self, threshold: float | None = None) -> pd.DataFrame:
        """Return win shares by strategy, like `seat_shares`; None means balanced from 3/4 to 5/4 of a fair share."""
        return self._shares("strategy", threshold)

    def faction_shares(self, threshold: float | None = None) -> pd.DataFrame:
        """Return win shares by faction in the games in which each was drawn, like `seat_shares`.

        The column of factions has the game's own name, such as ``line`` in Korona Piastów.
        """
        column = faction_column(self.folder.plan.game)
        if not column:
            raise BalanceError(
                tr("{run}: {game} has no factions", run=self.folder.path, game=self.folder.plan.game.name)
            )
        return self._shares(column, threshold)

    def _shares(self, by: str, threshold: float | None) -> pd.DataFrame:
        plan = self.folder.plan
        measure = share_of(plan, by)
        plan.game.sides.require(tr("measure '{name}'", name=measure.name), (*measure.needs, RIVALS))
        question = share_question(measure)
        answers = gather(self.folder, [question, Played()])
        if threshold is None:
            return judged_shares(plan, answers, by, plan.look_families)
        fair = plan.fair_share(answers[question]["players"].to_numpy())
        judged = judge_shares(answers[question], by, threshold, plan.look_families, fair=fair)
        return withhold_shares(judged, plan, by, answers[Played()])

    def measures(self, names: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the means of measures that are not split, such as by seat, in every cell.

        Returns
        -------
        DataFrame
            ``players``, ``variant``, ``measure``, ``value``, ``low``, ``high``, ``n``, ``decks``, and
            for a sweep the values of its keys.
        """
        chosen = [m for m in choose_measures(self.folder.plan, names) if not m.by]
        if not chosen:
            raise BalanceError(
                tr(
                    "{names}: split by seat, strategy or faction, see seat_shares and the like",
                    names=", ".join(names or ()),
                )
            )
        table = read_cell_means(gather(self.folder, cell_questions(chosen)), chosen)
        points = self.points
        return table.merge(points, on="variant", how="left") if len(points) else table

    def compare(self, baseline: str, measures: Sequence[str] | None = None) -> pd.DataFrame:
        """Return the paired effects of every other variant, see `analysis.compare.compare_variants`."""
        return compare_variants(self.folder, baseline, measures)

    def head_to_head(self) -> pd.DataFrame:
        """Return how often the row strategy finishes above the column strategy, with intervals, in every cell."""
        return head_to_head(self._ask(Meetings()))

    def neighbours(self) -> pd.DataFrame:
        """Return what the seats after each strategy gain by sitting there, see `analysis.shares.Neighbours`."""
        question = neighbours_question(self.folder.plan)
        if question is None:
            raise BalanceError(
                tr("{run}: needs games of three players or more, and two strategies", run=self.folder.path)
            )
        return of_all_decks(self._ask(question))

    def equilibria(self) -> pd.DataFrame:
        """Return the equilibrium of the pairwise meta-game, see `analysis.head_to_head.find_equilibria`."""
        answers = gather(self.folder, [Meetings(), Played()])
        bags = without_broken(answers[Meetings()], answers[Played()])
        return find_equilibria(bags, self.folder.plan.look_families)

    def runaway(self) -> pd.DataFrame:
        """Return the win share of the sole leader after each round; needs the log level rounds.

        Like all figures by round, it is of at most the first 20,000 games of each cell.
        """
        self._needs_rounds()
        return self._ask(runaway_question())

    def lost(self) -> pd.DataFrame:
        """Return the points behind the leader at which a seat hardly wins, see `analysis.leads.lost_by_round`.

        Needs the log level rounds.
        """
        self._needs_rounds()
        return lost_by_round(self._ask(Deficits()))

    def luck(self) -> pd.DataFrame:
        """Return what each source of chance decides, see `analysis.luck.read_luck`; needs `luck` in the experiment."""
        return read_luck(self._ask(Luck()))

    def components(self) -> pd.DataFrame:
        """Return the value of components, see `studies.reruns.try_components`; needs `balance components`."""
        return self._found_again(COMPONENTS)

    def decisions(self) -> pd.DataFrame:
        """Return which decisions matter, see `studies.reruns.judge_decisions`; needs `balance decisions`."""
        return self._found_again(DECISIONS)

    def chances(self) -> pd.DataFrame:
        """Return what followed games show, see `analysis.chances.read_chances`; needs `balance chances`."""
        return self._found_again(CHANCES)

    def _found_again(self, table: SidecarTable) -> pd.DataFrame:
        found = read_tier_rows(self.folder, table)
        if found.empty:
            path = self.folder.path
            raise BalanceError(
                tr(
                    "{run} has no {what} of tier {tier}; find them with: {command}",
                    run=path,
                    what=tr(table.table),
                    tier=self.tier,
                    command=f"balance {table.table} {path}",
                )
            )
        return of_all_decks(found).rename(columns={"clusters": "decks"})

    def deal_spans(self) -> pd.DataFrame:
        """Return how far win shares vary from deal to deal, see `analysis.luck.read_spans`; needs `luck` too."""
        return read_spans(self._ask(Luck()))

    def variance(self) -> pd.DataFrame:
        """Return what explains wins and score differences, see `analysis.luck.read_variance`.

        Empty if line-ups don't rotate through the seats.
        """
        if not variance_applies(self.folder.plan):
            return pd.DataFrame(columns=VARIANCE_COLUMNS)
        return read_variance(self._ask(Variance()))

    def early_choices(self, variant: str) -> pd.DataFrame:
        """Return associations of early choices, see `analysis.early_choices.choice_effects`; needs log level rounds."""
        self._needs_rounds()
        self._check_variant(variant)
        plan = self.folder.plan
        effects = choice_effects(self.folder, plan.game.analytics.CHOICES, variant, plan.look_families)
        found = of_all_decks(effects)
        return found.rename(columns={"clusters": "decks"})

    def _needs_rounds(self) -> None:
        if not self.folder.plan.has_rounds:
            raise BalanceError(tr("{run} has no rounds: play with log level rounds", run=self.folder.path))

    def check(self, targets: Path | str) -> pd.DataFrame:
        """Return verdicts on a file of targets, see `analysis.target_checks.check_targets`."""
        return check_targets(self.folder, read_targets(Path(targets)), str(targets))
