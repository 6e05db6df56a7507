"""Which decisions matter: how far apart a searcher finds the best choice, the second best and the one made."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from balance.analysis.again import kept_rows, play_again
from balance.analysis.halves import WHOLE, differs_for_sure, remeasure, with_all_decks
from balance.analysis.sums import interval_columns, intervals_of
from balance.batch.judging import judge_batch, load_judge
from balance.errors import BalanceError
from balance.log.beside import DECISIONS, write_beside
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.plan.strategies import Strategy
from balance.progress import SILENCE, Progress
from balance.stats.intervals import Moments

GAP, LOST, CLOSE, AGREED = "gap", "lost", "close", "agreed"
_TOPS = {GAP: None, LOST: None, CLOSE: 100.0, AGREED: 100.0}
STAGES = ("early", "middle", "late")  # thirds of a game's decisions
ALL = "all"
NEAR = 1.0  # points of win chance within which the best two are close
_ERRORS = 2  # or standard errors of the gap


def judge_decisions(
    run: RunFolder, games: int, judge: str, every: int,
    workers: int | None = None, progress: Progress = SILENCE,
) -> pd.DataFrame:  # fmt: skip
    """Have a searcher judge the decisions of the first games of each cell of the tier that is read; keep the result.

    Parameters
    ----------
    games : int
        Of each cell; fewer where it has fewer.
    judge : str
        The searcher: a name such as ``search-100``, or a file.
    every : int
        One choice in so many is judged, drawn by lot.
    workers : int or None
        Threads; None for one on each core.

    Returns
    -------
    DataFrame
        A row for each ``players``, ``variant``, ``kind`` of decision, ``stage`` (`STAGES`, or `ALL`), ``measure`` and
        ``half`` of the decks, with ``value``, ``low``, ``high``, ``n`` (decisions), ``clusters`` (decks), ``error``.
        Measures: `GAP`, points of win chance from the best to the second best choice; `CLOSE`, percent of decisions
        in which these are within `NEAR` points or can't be told apart; `LOST`, points from the best to the choice made;
        `AGREED`, percent of decisions in which that was the best. Written into the run's folder too.

    Raises
    ------
    BalanceError
        The judge is no searcher, the tier has bots in Python, nothing was judged, or the file can't be written.
    """
    searcher = load_judge(run.plan, judge)
    play = partial(_judge, judge=searcher, every=every)
    found = play_again(run, DECISIONS, games, play, workers, progress)
    parts = []
    for cell in run.plan.tier_cells:
        rows = pd.concat(found[cell.number], ignore_index=True)
        if len(rows):
            read = read_decisions(rows)
            parts.append(read.assign(judge=judge, players=cell.players, variant=cell.variant.name))
    if not parts:
        raise BalanceError(f"{run.path}: no decision was judged; take more games")
    table = pd.concat(parts, ignore_index=True)
    write_beside(DECISIONS, run, table, run.plan.tier.name)
    return table


def _judge(
    run: RunFolder, cell: Cell, first: int, last: int, judge: Strategy, every: int
) -> pd.DataFrame:
    return judge_batch(run.plan, cell, first, last, judge, every)


def kept_decisions(run: RunFolder) -> pd.DataFrame:
    """The rows about the tier that is read that `judge_decisions` has left in the run's folder; empty if none.

    Raises
    ------
    BalanceError
        The file is damaged, or of another run.
    """
    return kept_rows(run, DECISIONS)


def read_decisions(rows: pd.DataFrame) -> pd.DataFrame:
    """Estimates from judged decisions of a cell (`balance.batch.judging.judge_batch`), by kind and stage."""
    stage = np.array(STAGES)[np.minimum((len(STAGES) * rows["done"]).astype(int), len(STAGES) - 1)]
    told = rows["gap"].notna()
    close = (rows["gap"].abs() <= np.maximum(NEAR / 100, _ERRORS * rows["gap_error"])).where(told)
    values = {
        GAP: 100 * rows["gap"],
        LOST: 100 * rows["lost"],
        CLOSE: 100 * close.astype(float),
        AGREED: 100.0 * rows["agreed"],
    }
    long = pd.concat(
        [
            rows[["deck", "kind"]].assign(stage=each, measure=measure, value=value)
            for measure, value in values.items()
            for each in (stage, ALL)
        ],
        ignore_index=True,
    )
    every = long.assign(kind=ALL)
    long = pd.concat([long, every[every["stage"] != ALL], every[every["stage"] == ALL]]).dropna(
        subset="value"
    )
    by = ["kind", "stage", "measure"]
    decks = long.groupby([*by, "deck"], as_index=False, sort=False)["value"].agg(["size", "sum"])
    n, s = decks["size"].astype(float), decks["sum"].astype(float)
    decks = decks[by].assign(half=decks["deck"] % 2)
    moments = Moments(1.0, n, s, s * s, s * n, n * n)
    for name, column in vars(moments).items():
        decks[f"v.{name}"] = column
    sums = with_all_decks(decks.groupby([*by, "half"], as_index=False, sort=False).sum(), by)
    return pd.concat(
        [
            part[[*by, "half"]].assign(**interval_columns(intervals_of(part, "v", _TOPS[str(measure)])))
            for measure, part in sums.groupby("measure", sort=False)
        ],
        ignore_index=True,
    )


def most_at_stake(table: pd.DataFrame) -> pd.DataFrame:
    """The kind of decision with the largest gap in each cell, chosen and measured on halves of the decks.

    Cells where no kind has one for sure where it is chosen are left out.
    """
    kinds = table[(table["measure"] == GAP) & (table["stage"] == ALL) & (table["kind"] != ALL)]
    halves = kinds[kinds["half"] != WHOLE].reset_index(drop=True)
    size = halves["value"].where(differs_for_sure(halves))
    return remeasure(halves.assign(size=size), ["players", "variant"], ["kind"])
