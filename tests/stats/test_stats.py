"""Intervals against planted truths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from support.statistics import moments

from balance.stats.intervals import Moments, cluster_interval, share_interval


def independent(wins, n):
    """Return the interval of a share of `n` games, each on its own deal."""
    return share_interval(cluster_interval(Moments(n, n, wins, wins, wins, n)))


@pytest.mark.parametrize("likeness", [0.0, 0.5, 1.0])
def test_cluster_intervals_cover_a_planted_share(likeness):
    """95 % of the intervals contain the truth, whether games of a deal are alike or not."""
    rng = np.random.default_rng(7)
    truth, decks, per_deck, repetitions = 0.3, 300, 4, 1500
    covered = 0
    for _ in range(repetitions):
        shared = rng.random((decks, 1)) < truth
        alone = rng.random((decks, per_deck)) < truth
        wins = np.where(rng.random((decks, per_deck)) < likeness, shared, alone).sum(axis=1)
        interval = cluster_interval(moments(wins.astype(float), np.full(decks, float(per_deck))))
        covered += interval.low <= truth <= interval.high
    assert 0.93 <= covered / repetitions <= 0.97


def test_independence_taken_for_granted_would_not_cover():
    """The check above can fail: if clusters are ignored, far fewer intervals contain the truth."""
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(500):
        wins = 4.0 * (rng.random(300) < 0.3)
        interval = independent(wins.sum(), 1200)
        covered += interval.low <= 0.3 <= interval.high
    assert covered / 500 < 0.8


def test_clusters_of_different_sizes_match_statsmodels_formula():
    """The interval equals the textbook sum over clusters, written out."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 6, 80).astype(float)
    totals = rng.binomial(sizes.astype(int), 0.4).astype(float)
    interval = cluster_interval(moments(totals, sizes))
    mean = totals.sum() / sizes.sum()
    error = math.sqrt(80 / 79 * ((totals - mean * sizes) ** 2).sum()) / sizes.sum()
    assert interval.value == pytest.approx(mean)
    assert interval.half_width == pytest.approx(stats.t.ppf(0.975, 79) * error)
    assert (interval.n, interval.clusters) == (sizes.sum(), 80)


def test_shares_of_independent_games_are_covered():
    """The interval of a share covers for independent games."""
    rng = np.random.default_rng(5)
    wins = rng.binomial(400, 0.25, 3000)
    interval = independent(wins, np.full(3000, 400))
    covered = np.mean((interval.low <= 0.25) & (interval.high >= 0.25))
    assert 0.94 <= covered <= 0.965


def test_too_little_to_say():
    """With one deal the spread is unknown; with no game there is no figure."""
    one = cluster_interval(Moments(1, 4, 2, 4, 8, 16))
    assert (one.low, one.high) == (-math.inf, math.inf)
    assert math.isnan(cluster_interval(Moments(0, 0, 0, 0, 0, 0)).value)


def test_on_independent_games_it_is_scipys():
    """It equals scipy's Wilson interval if both outcomes are common, and Clopper and Pearson's if one is rare."""
    for wins, n in ((412, 1600), (90_000, 200_000), (3, 40_000), (39_998, 40_000)):
        rare = min(wins, n - wins) < 10
        exact = stats.binomtest(wins, n).proportion_ci(0.95, method="exact" if rare else "wilson")
        found = independent(wins, n)
        assert (found.low, found.high) == pytest.approx((exact.low, exact.high), rel=0.01)
