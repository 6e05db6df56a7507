"""Games of a run played again on all cores, batch by batch, and what was found so and kept beside the run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

from balance.batch.again import batches_of
from balance.log.beside import Beside, read_beside
from balance.log.files import check_folder
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.progress import SILENCE, Progress

_BATCH = 200  # games


def play_again(
    run: RunFolder,
    what: Beside,
    games: int,
    play: Callable[[RunFolder, Cell, int, int], pd.DataFrame],
    workers: int | None = None,
    progress: Progress = SILENCE,
) -> dict[int, list[pd.DataFrame]]:
    """Play the first games of each cell of the tier that is read again, no deck in two batches.

    Parameters
    ----------
    what : Beside
        The table that the result is for.
    games : int
        Of each cell; fewer where it has fewer.
    play : callable
        Given a cell and a range of its games, returns what is to be kept of them.
    workers : int or None
        Threads; None for one on each core.

    Returns
    -------
    dict
        What `play` returned, in the order of the games, by the number of the cell.

    Raises
    ------
    BalanceError
        The table could not be written into the run's folder, or the one that is there can't be read.
    """
    check_folder(run.path, [what.name])
    read_beside(what, run)
    cells = run.plan.tier_cells
    tasks = [
        (cell, *span)
        for cell in cells
        for span in batches_of(run.plan, cell, min(games, cell.tier.most_games), _BATCH)
    ]
    planned, done = sum(last - first for _, first, last in tasks), 0
    found: dict[int, list[pd.DataFrame]] = {cell.number: [] for cell in cells}
    progress.advance(done, planned)
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        results = pool.map(lambda task: play(run, *task), tasks)
        try:
            for (cell, first, last), result in zip(tasks, results, strict=True):
                found[cell.number].append(result)
                done += last - first
                progress.advance(done, planned)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return found


def kept_rows(run: RunFolder, what: Beside) -> pd.DataFrame:
    """The rows of a table beside a run that are about the tier that is read; empty if there are none.

    Raises
    ------
    BalanceError
        The file is damaged, or of another run.
    """
    found = read_beside(what, run)
    if found is None:
        return pd.DataFrame(columns=what.schema.names)
    cells = {(cell.players, cell.variant.name) for cell in run.plan.tier_cells}
    places = zip(found["players"], found["variant"], strict=True)
    mine = np.array([place in cells for place in places], bool)
    return found[mine & (found["tier"] == run.plan.tier.name)].reset_index(drop=True)
