"""Play until decided: a confidence sequence for every seat of a cell, over its games in order."""

from __future__ import annotations

import numpy as np
import pandas as pd

from balance.analysis.row_tables import NO_REPEAT, declare_repeats
from balance.experiments.plan import Cell, Plan
from balance.foundation.language import N_
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.stats.comparisons import UNDECIDED
from balance.stats.intervals import confidence_sequence

ALPHA = 0.05  # for all seats of all cells of a run together
_READ_AT_ONCE = 200_000  # games
WITHIN, ABOVE, BELOW = N_("within the limit"), N_("above the limit"), N_("below the limit")
"""Verdicts of the stop rule on a seat."""


def seat_verdicts(run: RunFolder, cell: Cell, played: int, threshold: float) -> pd.DataFrame:
    """Return bounds and a verdict for every seat after the first `played` games of a cell.

    Games are read in the order of their numbers, whatever the order of the workers, and in whole passes
    through the line-ups (see `balance.stats.intervals`).

    A seat counts as fair within `threshold` percentage points of a fair share.

    Returns
    -------
    DataFrame
        ``seat``, ``low``, ``high`` (percent; bounds that hold at all interim analyses together, for all seats of all
        cells, with 95 %), ``verdict`` (`WITHIN`, `ABOVE`, `BELOW` or `UNDECIDED`), ``games``; no rows before
        the first whole pass.
    """
    fair = run.plan.fair_share(cell.players)
    schedule = run.plan.schedule(cell)
    passes = read_passes(run, cell, played)
    # A deal counts by its games: the observed mean over deals is `part` times the mean over games.
    part = schedule.pass_games / (schedule.pass_deals * schedule.deal_games)
    rows = []
    for seat, found in passes.groupby("seat"):
        n, s, ss = (found[name].to_numpy() for name in ("n", "s", "ss"))
        level = cell_level(run.plan) / cell.players
        looks = confidence_sequence(n, s, ss, part * threshold / 100, level)
        low, high = 100 * looks.low[-1] / part, 100 * looks.high[-1] / part
        games = len(found) * schedule.pass_games
        rows.append((int(seat), low, high, judge_difference(low - fair, high - fair, threshold), games))
    return pd.DataFrame(rows, columns=["seat", "low", "high", "verdict", "games"])


def cell_level(plan: Plan) -> float:
    """Return the error of all verdicts of one cell: an even share of the run's error."""
    return ALPHA / len(plan.cells)


def judge_difference(low: float, high: float, threshold: float) -> str:
    """Return the verdict on an interval of a difference against a threshold on both sides of 0."""
    if max(abs(low), abs(high)) <= threshold:
        return WITHIN
    if low > threshold:
        return ABOVE
    return BELOW if high < -threshold else UNDECIDED


def read_passes(run: RunFolder, cell: Cell, played: int) -> pd.DataFrame:
    """Return the number of deals of every whole pass and seat, with the sum and sum of squares of their win shares.

    A win share is between 0 and 1; it is 1 if the seat won all games of a deal with the largest number of games.
    Truncated games count like the other games of their deal.
    """
    schedule = run.plan.schedule(cell)
    size = schedule.pass_games
    end, step = played // size * size, max(1, _READ_AT_ONCE // size) * size
    with connect(run.path, run.bond, cells={cell.number}) as connection:
        declare_repeats(connection, "games")
        parts = [
            connection.execute(
                f"""
                WITH decks AS (
                    SELECT seat, deal_seed, min(game_id - {cell.first_id}) // {size} AS pass,
                           avg(win_share) FILTER (status <> 'truncated')
                           * count(*) / {schedule.deal_games} AS x
                    FROM seats JOIN games USING (game_id)
                    WHERE game_id BETWEEN {cell.first_id + first} AND {cell.first_id + min(first + step, end) - 1}
                        AND {NO_REPEAT}
                    GROUP BY seat, deal_seed
                )
                SELECT seat, pass, count(x) AS n, sum(x) AS s, sum(x * x) AS ss
                FROM decks GROUP BY ALL ORDER BY ALL
                """
            ).df()
            for first in range(0, end, step)
        ]
    empty = pd.DataFrame(columns=["seat", "pass", "n", "s", "ss"], dtype=np.float64)
    return pd.concat(parts, ignore_index=True) if parts else empty


def seats_decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """Return whether the first `played` games decide every seat (the stop rule); a resumed run may have more games."""
    stop = run.plan.experiment.stop
    assert stop is not None
    verdicts = seat_verdicts(run, cell, played, stop.limit(run.plan.fair_share(cell.players)))["verdict"]
    return len(verdicts) > 0 and not (verdicts == UNDECIDED).any()
