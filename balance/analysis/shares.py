"""Who wins: shares of seats and strategies against a fair share, with verdicts."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from balance.analysis.halves import remeasure
from balance.analysis.question import Means, measure_means
from balance.analysis.sums import interval_of, interval_of_frame, scale
from balance.contract.measure import Measure
from balance.stats.comparisons import TOO_FEW, judge, more_needed
from balance.stats.fair import fair_share
from balance.stats.intervals import share_p, share_p_within

VERDICTS = {
    "higher": "favoured",
    "lower": "disfavoured",
    "same": "balanced",
    "slightly higher": "slightly favoured",
    "slightly lower": "slightly disfavoured",
    "undecided": "undecided",
    TOO_FEW: TOO_FEW,
}
UNFAIR = frozenset({"favoured", "disfavoured"})
SHOWN_FAIR = frozenset({"balanced", "slightly favoured", "slightly disfavoured"})


def share_question(measure: Measure) -> Means:
    """Win shares in percent by seat or strategy."""
    return measure_means([measure], ["players", "variant", measure.by])


def judge_shares(
    answer: pd.DataFrame, measure: Measure, threshold: float | None = None, families: int = 1
) -> pd.DataFrame:
    """Verdicts on win shares: is each within a threshold of fair?

    Parameters
    ----------
    answer : DataFrame
        Of `share_question`.
    threshold : float or None
        In percentage points; None for the measure's own.
    families : int
        How many families of verdicts stand on the page, see `balance.stats.comparisons.judge`.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``seat`` or ``strategy``, ``value``, ``low``, ``high`` and ``fair`` in
        percent, ``p`` of the verdict (corrected for the whole table, or page), ``verdict``
        (``favoured``, ``disfavoured``; ``balanced``: shown to be within the threshold of fair; ``slightly
        favoured``, ``slightly disfavoured``: both; ``undecided``, or ``too few decks`` to judge),
        ``more_games`` that would decide it, ``n``, ``decks``.
    """
    limit = measure.threshold if threshold is None else threshold
    assert limit is not None
    fair = fair_share(answer["players"].to_numpy())
    share = scale(interval_of_frame(answer), 0.01)
    away = replace(interval_of_frame(answer), value=answer["value"].to_numpy() - fair)
    near = share_p_within(share, (fair - limit) / 100, (fair + limit) / 100)
    found = judge(away, share_p(share, fair / 100), near, families)
    seats = answer.groupby(["players", "variant"])["n"].transform("sum")
    each_game = answer["n"] * answer["players"] / seats  # its seats in a game
    rows = answer.assign(value=away.value).itertuples()
    more = [
        round(more_needed(interval_of(row), limit, found.level) / seats_held)
        if word == "undecided"
        else 0
        for row, word, seats_held in zip(rows, found.words, each_game, strict=True)
    ]
    table = answer.rename(columns={"clusters": "decks"}).assign(
        fair=fair, p=found.p, verdict=[VERDICTS[word] for word in found.words], more_games=more
    )
    columns = ["value", "low", "high", "fair", "p", "verdict", "more_games", "n", "decks", "error"]
    return table[["players", "variant", measure.by, *columns]]


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
