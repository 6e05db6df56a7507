"""Play until decided: every seat's confidence sequence in a cell, games looked at in their order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.plan.plan import Cell, Plan
from balance.stats.fair import fair_share
from balance.stats.sequential import confidence_sequence

ALPHA = 0.05  # for all seats of all cells of a run together
_READ_AT_ONCE = 200_000  # games
WITHIN, ABOVE, BELOW, UNDECIDED = "within the limit", "above fair", "below fair", "undecided"
"""What play until decided found of a seat. A report's *favoured* and *disfavoured* say more: beyond the limit."""


def seat_verdicts(run: RunFolder, cell: Cell, played: int, threshold: float) -> pd.DataFrame:
    """What can be said of every seat after the first `played` games of a cell.

    Games are taken in the order of their numbers, whichever worker was faster, and in whole passes
    through the line-ups (see `balance.stats.sequential`).

    Parameters
    ----------
    threshold : float
        Percentage points within which a seat counts as balanced.

    Returns
    -------
    DataFrame
        ``seat``, ``low``, ``high`` (percent; bounds that hold at all looks at once, for all seats of all
        cells together with 95 %), ``verdict`` (`WITHIN`, `ABOVE`, `BELOW` or `UNDECIDED`), ``games``; no rows before
        the first whole pass.
    """
    fair = fair_share(cell.players)
    schedule = run.plan.schedule(cell)
    passes = _passes(run, cell, played)
    # A deck counts by its games: the mean of what is observed is this much of the mean over games.
    part = schedule.pass_games / (schedule.pass_decks * schedule.deck_games)
    rows = []
    for seat, found in passes.groupby("seat"):
        looks = confidence_sequence(
            found["n"].to_numpy(),
            found["s"].to_numpy(),
            found["ss"].to_numpy(),
            part * threshold / 100,
            cell_level(run.plan) / cell.players,
        )
        low, high = 100 * looks.low[-1] / part, 100 * looks.high[-1] / part
        games = len(found) * schedule.pass_games
        rows.append((int(seat), low, high, _judge(low - fair, high - fair, threshold), games))
    return pd.DataFrame(rows, columns=["seat", "low", "high", "verdict", "games"])


def cell_level(plan: Plan) -> float:
    """The chance that any verdict of one cell is wrong: the run's, shared evenly."""
    return ALPHA / len(plan.cells)


def _judge(low: float, high: float, threshold: float) -> str:
    if max(abs(low), abs(high)) <= threshold:
        return WITHIN
    if low > 0:
        return ABOVE
    return BELOW if high < 0 else UNDECIDED


def _passes(run: RunFolder, cell: Cell, played: int) -> pd.DataFrame:
    """Decks of every whole pass and seat: their number, sum and sum of squares of what was won on each.

    What was won is between 0 and 1, 1 if the seat won all games of a deck on which the most are played;
    games that were broken off are taken to have gone like the others of their deck.
    """
    schedule = run.plan.schedule(cell)
    size = schedule.pass_games
    with connect(run.path, run.bond) as connection:
        parts = [
            connection.execute(
                f"""
                WITH decks AS (
                    SELECT seat, deck_seed, min(game_id - {cell.first_id}) // {size} AS pass,
                           avg(win_share) FILTER (status <> 'truncated')
                           * count(*) / {schedule.deck_games} AS x
                    FROM seats JOIN games USING (game_id)
                    WHERE game_id BETWEEN {cell.first_id + first} AND {cell.first_id + last - 1}
                    GROUP BY seat, deck_seed
                )
                SELECT seat, pass, count(x) AS n, sum(x) AS s, sum(x * x) AS ss
                FROM decks GROUP BY ALL ORDER BY ALL
                """
            ).df()
            for first, last in _ranges(played // size * size, max(1, _READ_AT_ONCE // size) * size)
        ]
    empty = pd.DataFrame(columns=["seat", "pass", "n", "s", "ss"], dtype=np.float64)
    return pd.concat(parts, ignore_index=True) if parts else empty


def _ranges(end: int, step: int) -> Iterator[tuple[int, int]]:
    for first in range(0, end, step):
        yield first, min(first + step, end)


def seats_decided(run: RunFolder, cell: Cell, played: int) -> bool:
    """The stop rule: whether every seat is decided by the first `played` games; a resumed run may have more."""
    stop = run.plan.experiment.stop
    assert stop is not None
    verdicts = seat_verdicts(run, cell, played, stop.threshold_points)["verdict"]
    return len(verdicts) > 0 and not (verdicts == UNDECIDED).any()
