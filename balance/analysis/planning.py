"""How many games a question about win shares needs, before any is played or from a run's own spread."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.compare import pair_questions
from balance.analysis.ended import choose_cells
from balance.analysis.gather import gather
from balance.analysis.halves import of_all_decks
from balance.analysis.shares import share_question
from balance.analysis.sums import interval_of_frame, scale
from balance.contract.words import listed
from balance.errors import BalanceError
from balance.log.folder import RunFolder
from balance.plan.measures import SEAT_SHARE
from balance.stats.comparisons import NEXT_LOOK
from balance.stats.intervals import share_error
from balance.stats.power import games_needed, games_to_balance

_MOST_PLAYERS, _MOST_COMPARISONS = 100, 1_000_000
_LEAST_EFFECT, _LEAST_POWER = 0.001, 0.001
COLUMNS = ("players", "question", "games")


def plan_games(effect: float, players: Sequence[int], power: float, comparisons: int) -> pd.DataFrame:
    """Games in a cell, for independent games in which fair seats win 1 / players each.

    Parameters
    ----------
    effect : float
        Percentage points of a seat's win share.
    comparisons : int
        Questions that are corrected together.

    Returns
    -------
    DataFrame
        ``players``, ``question``, ``games``.

    Raises
    ------
    BalanceError
        A number is out of its range.
    """
    _check(effect, power, comparisons)
    for count in players:
        if not 2 <= count <= _MOST_PLAYERS:
            raise BalanceError(f"players: must be between 2 and {_MOST_PLAYERS}, got {_shown(count)}")
    spreads = [(count, 100 * math.sqrt((count - 1) / count**2)) for count in players]
    return pd.DataFrame(
        [
            row
            for count, spread in spreads
            for row in _rows(count, effect, spread, None, power, comparisons)
        ],
        columns=list(COLUMNS),
    )


def plan_from_run(
    run: RunFolder, effect: float, power: float, comparisons: int, players: Sequence[int] | None = None
) -> pd.DataFrame:
    """As `plan_games`, with the spread that a run shows: what sharing decks and pairing games is worth.

    Asked is the run as it is, or made longer where it has too few games: at the error of its next look then.

    Parameters
    ----------
    players : sequence of int, optional
        Player counts; all of the run where it is None.

    Returns
    -------
    DataFrame
        As of `plan_games`, and ``more_games``: how many more each cell needs, 0 where the run has enough.

    Raises
    ------
    BalanceError
        A number is out of its range, the run has no games of a player count, none of them was finished, or they are
        too few for an interval.
    """
    _check(effect, power, comparisons)
    plan = run.plan
    shares, pairs = share_question(SEAT_SHARE), []
    if len(plan.variants) > 1:
        pairs = pair_questions(plan.first_variant.name, [SEAT_SHARE])
    answers = gather(run, [shares, *pairs])
    tries = comparisons * plan.look_families
    counts = {cell.players for cell in choose_cells(run, None, players)}
    rows: list[tuple[int, str, int, int]] = []
    for count, cell in answers[shares].groupby("players"):
        if count not in counts:
            continue
        paired = None
        for question in pairs:
            differences = of_all_decks(answers[question])
            paired = _spread(differences[differences["players"] == count])
        spreads = (_share_spread(cell), paired, power)
        now = _rows(int(count), effect, *spreads, tries)
        later = _rows(int(count), effect, *spreads, round(tries / NEXT_LOOK))
        held = int(cell["n"].min())
        rows += [
            (*this, 0) if this[-1] <= held else (*longer, longer[-1] - held)
            for this, longer in zip(now, later, strict=True)
        ]
    if not rows:
        raise BalanceError(
            f"{run.path}: no game with {listed(sorted(counts))} players was finished, so there is nothing to plan from"
        )
    return pd.DataFrame(rows, columns=[*COLUMNS, "more_games"])


def _share_spread(rows: pd.DataFrame) -> float:
    """As `_spread`, of shares in percent: decks that are all alike count as a trial each, as in their intervals."""
    found = scale(interval_of_frame(rows), 1 / SEAT_SHARE.scale)
    error = share_error(found.value, found.error, found.clusters)
    return _spread(rows.assign(error=SEAT_SHARE.scale * error))


def _spread(rows: pd.DataFrame) -> float:
    """The standard deviation that independent games would need to give the largest error found."""
    found = interval_of_frame(rows)
    spread = found.error * np.sqrt(found.n)
    return float(np.max(spread[np.isfinite(spread)], initial=0.0))


def _rows(
    players: int, effect: float, spread: float, paired: float | None, power: float, comparisons: int
) -> list[tuple[int, str, int]]:
    if spread <= 0:
        raise BalanceError("the run has too few games for an interval; play more games")
    both = math.sqrt(2) * spread
    rows = [
        (
            players,
            "does a seat differ from fair?",
            games_needed(effect, spread, power, 0.05, comparisons),
        ),
        (
            players,
            "is a fair seat within that of fair?",
            games_to_balance(effect, spread, power, 0.05, comparisons),
        ),
        (
            players,
            "do two variants differ, unpaired?",
            games_needed(effect, both, power, 0.05, comparisons),
        ),
    ]
    if paired:
        games = games_needed(effect, paired, power, 0.05, comparisons)
        rows.append((players, "do two variants differ, paired?", games))
    return rows


def _check(effect: float, power: float, comparisons: int) -> None:
    if not _LEAST_EFFECT <= effect < 100:
        raise BalanceError(
            f"effect: must be between {_LEAST_EFFECT} and 100 percentage points, got {effect:g}"
        )
    if not _LEAST_POWER <= power <= 1 - _LEAST_POWER:
        raise BalanceError(
            f"power: must be between {_LEAST_POWER} and {1 - _LEAST_POWER}, got {power:g}"
        )
    if not 1 <= comparisons <= _MOST_COMPARISONS:
        raise BalanceError(
            f"comparisons: must be at least 1, at most {_MOST_COMPARISONS:,}, got {_shown(comparisons)}"
        )


def _shown(number: int) -> str:
    text = str(number)
    return text if len(text) <= 20 else f"a number of {len(text)} digits"
