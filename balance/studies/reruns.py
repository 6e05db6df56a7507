"""Play games of a run again, batch by batch: to give components, judge decisions, or follow chances to win."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import pandas as pd

from balance.analysis.chances import LEAST_DEALS, read_chances
from balance.analysis.components import read_sums, sums_of
from balance.analysis.decisions import read_decisions
from balance.analysis.holdout import WHOLE
from balance.contract.game import components_of
from balance.contract.sides import WINS
from balance.experiments.plan import Cell, Plan
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_folder
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.batches import (
    Seen,
    check_components,
    check_followed,
    follow_batch,
    judge_batch,
    load_judge,
    play_batch,
)
from balance.runs.database import most_in_a_game
from balance.runs.folder import RunFolder
from balance.runs.jobs import batches_of
from balance.runs.sidecar import CHANCES, COMPONENTS, DECISIONS, SidecarTable, read_sidecar, write_sidecar
from balance.runs.workers import Workers, kept_threads

_BATCH = 200  # games
WITH_TRIALS = 120  # games of a cell in which other options are tried
TRIED = 4  # one in this number of their choices

Batch = TypeVar("Batch")


def try_components(
    run: RunFolder, games: int, workers: Workers | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Play the first games of each cell of the active tier again, give components, and keep the results.

    Each time a component turns up the game continues twice: as dealt, and with one more of it for a random seat, with
    the same deals, line-up and random choices of the bots. A component that can't be given is left out instead.

    Returns
    -------
    DataFrame
        A row for each ``players``, ``variant``, ``family``, ``component``, ``measure`` and ``half`` of the deals
        (`holdout.WHOLE`: all), with ``value``, ``low``, ``high``, ``n``, ``clusters`` (deals), ``error``. Measures:
        `THERE`, percent of games in which it turns up; `TAKEN`, percent of the times that it turns up in which it is
        taken; `FIRST`, percent of the seats of the ``strategy`` that takes it first most often (chosen on one half of
        the deals, measured on the other); `WINS`, win share in percent of seats that took one; `EFFECT`, points of win
        share that one more adds to a seat; `POINTS`, points of score (of all seats, if it was left out); `CHANGED`,
        percent of games in which this changes the winners. The table is also written into the run's folder.
    """
    check_components(run.plan)
    sums = rerun_games(run, COMPONENTS, games, try_batch, workers, progress)
    read = [
        read_sums(sums[cell.number]).assign(players=cell.players, variant=cell.variant.name)
        for cell in run.plan.tier_cells
    ]
    table = pd.concat(read, ignore_index=True)
    if table.empty:
        raise BalanceError(tr("{run}: no game ended, so components can't be measured", run=run.path))
    write_sidecar(COMPONENTS, run, table, run.plan.tier.name)
    return table


def try_batch(plan: Plan, cell: Cell, first: int, last: int) -> pd.DataFrame:
    """Play some games of a cell again, with components given and taken away."""
    batch = play_batch(plan, cell, first, last)
    strategies = [strategy.name for strategy in cell.tier.strategies]
    return sums_of(batch, components_of(plan.game, cell.variant.rules), strategies)


def judge_decisions(
    run: RunFolder, games: int, judge: str, every: int, workers: Workers | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Judge decisions in the first games of each cell of the active tier with a searcher, and keep the results.

    Parameters
    ----------
    judge : str
        The searcher: a name such as ``search-100``, or a file.
    every : int
        One choice in this number is judged, drawn at random.

    Returns
    -------
    DataFrame
        A row for each ``players``, ``variant``, ``kind`` of decision, ``stage`` (`STAGES`, or `ALL`), ``measure`` and
        ``half`` of the deals, with ``value``, ``low``, ``high``, ``n`` (decisions), ``clusters`` (deals), ``error``.
        Measures: `GAP`, points of win chance from the best to the second best choice; `CLOSE`, percent of decisions
        in which these are within `NEAR` points or not significantly different; `LOST`, points from the best to the
        choice made; `AGREED`, percent of decisions in which the choice made was the best; `MATTERS`, percent of
        decisions in which the best is shown to be better than the median choice, by 1, 3 or 10 points. The table is
        also written into the run's folder.
    """
    run.plan.game.sides.require("balance decisions", (WINS,))
    searcher = load_judge(run.plan, judge)
    play = partial(judge_batch, judge=searcher, every=every)
    found = rerun_games(run, DECISIONS, games, play, workers, progress)
    parts = []
    for cell in run.plan.tier_cells:
        rows = pd.concat(found[cell.number], ignore_index=True)
        if len(rows):
            read = read_decisions(rows)
            parts.append(read.assign(judge=judge, players=cell.players, variant=cell.variant.name))
    if not parts and not most_in_a_game(run, "choices"):
        raise BalanceError(tr("{run}: these games have no choices, so there is nothing to judge", run=run.path))
    if not parts:
        raise BalanceError(tr("{run}: no decision was judged; use more --games", run=run.path))
    table = pd.concat(parts, ignore_index=True)
    write_sidecar(DECISIONS, run, table, run.plan.tier.name)
    return table


def follow_chances(
    run: RunFolder, games: int, workers: Workers | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Follow the chances to win through the first games of each cell of the active tier, and keep what they show.

    In the first `WITH_TRIALS` games other options are tried too.

    Returns
    -------
    DataFrame
        The rows of `balance.analysis.chances.read_chances` for each cell, with ``players`` and ``variant``. The table
        is also written into the run's folder.
    """
    check_followed(run.plan)
    follow = partial(follow_batch, tried=WITH_TRIALS, every=TRIED)
    found = rerun_games(run, CHANCES, games, follow, workers, progress)
    parts = []
    for cell in run.plan.tier_cells:
        read = read_chances(Seen.together(found[cell.number]), run.plan, cell, TRIED)
        parts.append(read.assign(players=cell.players, variant=cell.variant.name))
    table = pd.concat([each for each in parts if len(each)] or [parts[0]], ignore_index=True)
    if table.empty and most_in_a_game(run, "rounds") < 2:
        raise BalanceError(
            tr("{run}: these games have one round, and chances are followed from round to round", run=run.path)
        )
    if table.empty:
        raise BalanceError(
            tr(
                "{run}: no chances can be estimated: a cell needs {deals} deals of games with two rounds or more; "
                "a game that is played again in the same way counts once",
                run=run.path, deals=LEAST_DEALS,
            )
        )  # fmt: skip
    table = table.assign(half=WHOLE)
    write_sidecar(CHANCES, run, table, run.plan.tier.name)
    return table


def rerun_games(
    run: RunFolder, what: SidecarTable, games: int,
    play: Callable[[Plan, Cell, int, int], Batch], workers: Workers | None = None,
    progress: Progress = SILENCE,
) -> dict[int, list[Batch]]:  # fmt: skip
    """Play the first games of each cell of the active tier again (all, if it has fewer) and return what `play` returns.

    Parameters
    ----------
    what : SidecarTable
        The table for the result; an error about its file comes before the first game.
    play : callable
        Given the plan, a cell and a range of its games, returns their results. No deal is in two ranges.

    Returns
    -------
    dict
        Results in the order of the games, by the number of the cell.
    """
    check_folder(run.path, [what.name])
    read_sidecar(what, run)
    return play_again(run.plan, games, play, workers or kept_threads(), progress)


def play_again(
    plan: Plan, games: int, play: Callable[[Plan, Cell, int, int], Batch], workers: Workers, progress: Progress
) -> dict[int, list[Batch]]:
    """Play the first games of each cell of a plan's active tier, and return what `play` returns as `rerun_games`."""
    cells = plan.tier_cells
    games = min(games, plan.tier.most_games)
    tasks = [(cell, *span) for cell in cells for span in batches_of(plan, cell, games, _BATCH)]
    planned, done = sum(last - first for _, first, last in tasks), 0
    found: dict[int, list[Batch]] = {cell.number: [] for cell in cells}
    progress.advance(done, planned)
    sent = replace(plan, tiers=[plan.tier], active_tier=0)  # networks of other tiers are large
    results = workers.map(sent.game, partial(_play_task, play, sent), tasks)
    for (cell, first, last), result in zip(tasks, results, strict=True):
        found[cell.number].append(result)
        done += last - first
        progress.advance(done, planned)
    return found


def _play_task(play: Callable[[Plan, Cell, int, int], Batch], plan: Plan, task: tuple[Cell, int, int]) -> Batch:
    """Play the games of a cell and a range of its games."""
    return play(plan, *task)
