"""Who wins: shares of seats and strategies against a fair share, with verdicts."""

from __future__ import annotations

import pandas as pd

from balance.analysis.question import Means, measure_means
from balance.analysis.sums import interval_of, scale
from balance.contract.measure import Measure
from balance.stats.comparisons import TOO_FEW, holm, holm_levels, judge, more_needed
from balance.stats.fair import fair_share
from balance.stats.intervals import Interval, share_p

VERDICTS = {
    "higher": "favoured",
    "lower": "disfavoured",
    "same": "balanced",
    "undecided": "undecided",
    TOO_FEW: TOO_FEW,
}


def share_question(measure: Measure) -> Means:
    """Win shares in percent by seat or strategy."""
    return measure_means([measure], ["players", "variant", measure.by])


def judge_shares(answer: pd.DataFrame, measure: Measure, threshold: float | None = None) -> pd.DataFrame:
    """Verdicts on win shares: is each within a threshold of fair?

    Parameters
    ----------
    answer : DataFrame
        Of `share_question`.
    threshold : float or None
        In percentage points; None for the measure's own.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``seat`` or ``strategy``, ``value``, ``low``, ``high`` and ``fair`` in
        percent, ``p`` of being fair (Holm's correction over the whole table), ``verdict``
        (``favoured``, ``disfavoured``, ``balanced``: the whole interval within the threshold of fair,
        ``undecided``, or ``too few decks`` to judge), ``more_games`` that would decide it, ``n``, ``decks``.
    """
    limit = measure.threshold if threshold is None else threshold
    fair = fair_share(answer["players"])
    raw = [
        float(share_p(scale(interval_of(row), 0.01), expected / 100))
        for row, expected in zip(answer.itertuples(), fair, strict=True)
    ]
    away = [
        Interval(i.value - f, i.low - f, i.high - f, i.n, i.clusters, i.error)
        for i, f in zip(map(interval_of, answer.itertuples()), fair, strict=True)
    ]
    adjusted = holm(raw)
    words = [judge(each, p, limit) for each, p in zip(away, adjusted, strict=True)]
    seats = answer.groupby(["players", "variant"])["n"].transform("sum")
    each_game = answer["n"] * answer["players"] / seats  # its seats in a game
    each = zip(away, holm_levels(raw), words, each_game, strict=True)
    more = [
        round(more_needed(found, limit, level) / per_game) if word == "undecided" else 0
        for found, level, word, per_game in each
    ]
    table = answer.rename(columns={"clusters": "decks"}).assign(
        fair=fair, p=adjusted, verdict=[VERDICTS[word] for word in words], more_games=more
    )
    columns = ["value", "low", "high", "fair", "p", "verdict", "more_games", "n", "decks", "error"]
    return table[["players", "variant", measure.by, *columns]]


def halves_question(measure: Measure) -> Means:
    """Win shares in each half of the decks, drawn by the last bit of the deck's seed."""
    return measure_means([measure], ["players", "variant", measure.by, "half"])


def remeasure_best(halves: pd.DataFrame, by: str, furthest: bool = False) -> pd.DataFrame:
    """The best of each cell, chosen on one half of the decks and measured on the other.

    The best of many looks better than it is where it was chosen (the winner's curse). The other half's
    decks and seeds had no part in the choice.

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
    rows = []
    for (players, variant), cell in halves.groupby(["players", "variant"], sort=False):
        first, second = (cell[cell["half"] == half].set_index(by) for half in (0, 1))
        if first.empty or second.empty:
            continue
        size = (first["value"] - fair_share(int(players))).abs() if furthest else first["value"]
        best = size.idxmax()
        if best not in second.index:
            continue
        fresh = second.loc[best]
        row = {
            "players": players,
            "variant": variant,
            by: best,
            "chosen_value": first.loc[best, "value"],
        }
        rows.append({**row, **{name: fresh[name] for name in ("value", "low", "high", "n")}})
    columns = ["players", "variant", by, "chosen_value", "value", "low", "high", "n"]
    return pd.DataFrame(rows, columns=columns)
