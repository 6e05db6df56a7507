"""Who wins: shares of seats and strategies against a fair share, with verdicts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from balance.analysis.gather import Answers
from balance.analysis.halves import remeasure
from balance.analysis.question import Means, measure_means
from balance.analysis.sums import interval_of_frame, scale
from balance.analysis.unfinished import Played, withhold
from balance.contract.measure import Measure
from balance.plan.measures import share_of
from balance.plan.plan import Plan
from balance.plan.thresholds import Thresholds
from balance.stats.comparisons import ALPHA, LEAST_DECKS, NEXT_LOOK, TOO_FEW, more_to_place
from balance.stats.fair import fair_share
from balance.stats.intervals import share_error, share_interval, share_p_beyond, share_p_within

FAVOURED, DISFAVOURED, BALANCED, UNDECIDED = "favoured", "disfavoured", "balanced", "undecided"
VERDICTS = (FAVOURED, DISFAVOURED, BALANCED, UNDECIDED, TOO_FEW)


def share_question(measure: Measure) -> Means:
    """Win shares in percent by seat or strategy."""
    return measure_means([measure], ["players", "variant", measure.by])


def share_limit(thresholds: Thresholds, by: str, players: np.ndarray) -> np.ndarray:
    """Points of fair within which the share of a ``seat`` or ``strategy`` is balanced, at these player counts."""
    if by == "seat":
        return np.full(len(players), thresholds.seats)
    return np.asarray(thresholds.alive / 100 * fair_share(players))


def judge_shares(
    answer: pd.DataFrame, by: str, limit: np.ndarray | float, families: int = 1
) -> pd.DataFrame:
    """Verdicts on win shares: does each lie within a limit of fair, or beyond it?

    An interval that is widened for all rows of the table and families of the page (Bonferroni) is set against the
    limit, so that with 95 % confidence no verdict of the page is wrong, whichever row is looked at.

    Parameters
    ----------
    answer : DataFrame
        Of `share_question`.
    by : str
        ``seat`` or ``strategy``.
    limit : float or array
        In percentage points, see `share_limit`.
    families : int
        How many families of verdicts stand on the page.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``seat`` or ``strategy``, ``value``, ``low``, ``high`` and ``fair`` in
        percent, ``limit``, ``wide_low`` and ``wide_high`` (the widened interval), ``p`` of the verdict (corrected
        alike), ``verdict`` (``favoured``, ``disfavoured``: shown to lie beyond the limit; ``balanced``: shown to
        lie within; ``undecided``, or ``too few decks`` to judge), ``more_games`` that would decide it, ``n``,
        ``decks``, ``error``.
    """
    fair, limit = fair_share(answer["players"].to_numpy()), np.broadcast_to(limit, len(answer))
    share, least, most = scale(interval_of_frame(answer), 0.01), fair - limit, fair + limit
    tries = families * max(1, len(answer))
    wide = scale(share_interval(share, 1 - ALPHA / tries), 100)
    ends = (least / 100, most / 100)
    p = np.minimum(share_p_within(share, *ends), share_p_beyond(share, *ends))
    table = answer.rename(columns={"clusters": "decks"}).assign(
        fair=fair, limit=limit, wide_low=wide.low, wide_high=wide.high, p=np.minimum(1.0, tries * p)
    )
    words = np.select(
        [
            answer["clusters"] < LEAST_DECKS,
            (wide.low >= least) & (wide.high <= most),
            wide.low > most,
            wide.high < least,
        ],
        [TOO_FEW, BALANCED, FAVOURED, DISFAVOURED],
        UNDECIDED,
    )
    table["verdict"] = words
    table["more_games"] = _more_games(answer, fair, limit, words == UNDECIDED, NEXT_LOOK * ALPHA / tries)
    columns = ["value", "low", "high", "fair", "limit", "wide_low", "wide_high", "p", "verdict"]
    return table[["players", "variant", by, *columns, "more_games", "n", "decks", "error"]]


def judged_shares(plan: Plan, answers: Answers, by: str, families: int = 1) -> pd.DataFrame:
    """`judge_shares` by the run's own thresholds, without verdicts where too many games were broken off."""
    answer = answers[share_question(share_of(plan, by))]
    limit = share_limit(plan.experiment.thresholds, by, answer["players"].to_numpy())
    return withhold(judge_shares(answer, by, limit, families), answers[Played()])


def _more_games(
    answer: pd.DataFrame, fair: np.ndarray, limit: np.ndarray, undecided: np.ndarray, level: float
) -> np.ndarray:
    """Of the rows that are undecided how many more games would decide them; 0 of the others."""
    seats = answer.groupby(["players", "variant"])["n"].transform("sum")
    each_game = answer["n"] * answer["players"] / seats  # its seats in a game
    error = 100 * share_error(answer["value"] / 100, answer["error"] / 100, answer["clusters"])
    away = interval_of_frame(answer.assign(value=answer["value"] - fair, error=error))
    more = np.round(more_to_place(away, limit, level) / each_game.to_numpy())
    return np.where(undecided, more, 0).astype(np.int64)


def halves_question(measure: Measure) -> Means:
    """Win shares in each half of the decks, drawn by the last bit of the deck's seed."""
    return measure_means([measure], ["players", "variant", measure.by, "half"])


def remeasure_best(halves: pd.DataFrame, by: str, furthest: bool = False) -> pd.DataFrame:
    """The best of each cell, chosen on one half of the decks and measured on the other.

    Parameters
    ----------
    furthest : bool
        Choose what is furthest from a fair share, above or below.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, `by`, ``chosen_value``, then ``value``, ``low``, ``high``, ``n`` of
        the fresh half.
    """
    away = halves["value"] - fair_share(halves["players"])
    sized = halves.assign(size=away.abs() if furthest else away)
    columns = ["players", "variant", by, "chosen_value", "value", "low", "high", "n"]
    return remeasure(sized, ["players", "variant"], [by])[columns]
