"""Intervals of means and shares: rare events, few games, no spread; each against a planted truth."""

import math

import numpy as np
import pytest
from scipy import stats
from support.statistics import moments

from balance.stats.comparisons import TOO_FEW, judge, p_value, p_within, widen_alike
from balance.stats.intervals import (
    Interval,
    Moments,
    cluster_interval,
    effective_n,
    share_interval,
    share_p,
    share_p_within,
)


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


REPEATS = 2_000


def clusters(totals: np.ndarray, size: float) -> Interval:
    """Return the plain intervals of many repetitions: `totals` is (repetitions, clusters) of `size` each."""
    sizes = np.full(totals.shape, size)
    sums = (sizes, totals, totals**2, totals * sizes, sizes**2)
    return cluster_interval(Moments(np.full(len(totals), totals.shape[1]), *(each.sum(axis=1) for each in sums)))


@pytest.mark.parametrize("decks", [20, 50, 200])
@pytest.mark.parametrize("share", [0.0085, 0.05, 0.25])
def test_rare_shares_are_covered(decks, share):
    """95 % intervals contain the truth in at least 94 % of repetitions, with four games per deal."""
    rng = np.random.default_rng(1)
    found = share_interval(clusters(rng.binomial(4, share, (REPEATS, decks)).astype(float), 4))
    held = (found.low <= share) & (share <= found.high)
    assert held.mean() > 0.94
    assert (found.low >= 0).all()
    assert (found.high <= 1).all()


@pytest.mark.parametrize("games", [20, 40, 80, 200])
def test_a_rare_event_does_not_pass_a_bound_that_it_fails(games):
    """With a bound of 0.5 % and a truth of 0.85 %, at most 2.5 % of repetitions pass."""
    rng = np.random.default_rng(2)
    found = share_interval(clusters(rng.binomial(4, 0.0085, (REPEATS, games // 4)).astype(float), 4))
    assert (found.high <= 0.005).mean() <= 0.025


@pytest.mark.parametrize("likeness", [0.0, 0.5, 1.0])
def test_shares_are_covered_however_alike_games_on_a_deck_are(likeness):
    """From 20 deals on they cover, and not by being wide: at most 98 %."""
    rng = np.random.default_rng(3)
    luck = rng.random((REPEATS, 40, 4))
    luck[:, :, 1:] = np.where(rng.random((REPEATS, 40, 1)) < likeness, luck[:, :, :1], luck[:, :, 1:])
    found = share_interval(clusters((luck < 0.3).sum(axis=2).astype(float), 4))
    held = ((found.low <= 0.3) & (found.high >= 0.3)).mean()
    assert 0.935 < held < 0.98


@pytest.mark.parametrize("games", [5, 8, 12, 30])
def test_fair_seats_are_called_unfair_no_more_often_than_they_may(games):
    """One strategy in four fair seats, every game on its own deal: 5 % of families."""
    rng = np.random.default_rng(4)
    winners = rng.integers(4, size=(REPEATS, games))
    seats = [clusters((winners == seat).astype(float), 1) for seat in range(4)]
    p = np.array([share_p(seat, 0.25) for seat in seats])
    within = np.array([share_p_within(seat, 0.24, 0.26) for seat in seats])
    table = Interval(*(np.full(4, at) for at in (0.25, 0.0, 1.0, games, games, 0.1)))
    called = [judge(table, p[:, i], within[:, i]).words for i in range(REPEATS)]
    assert np.mean([bool({"higher", "lower"} & set(words)) for words in called]) <= 0.06


def test_one_interval_one_p():
    """p is below 5 % exactly if the interval excludes the expected share."""
    rng = np.random.default_rng(5)
    for share, decks in ((0.25, 12), (0.25, 300), (0.02, 60), (0.5, 8)):
        plain = clusters(rng.binomial(3, share, (500, decks)).astype(float), 3)
        found = share_interval(plain)
        outside = (found.low > share) | (found.high < share)
        assert (outside == (share_p(plain, share) < 0.05)).mean() > 0.995


def test_no_spread_is_no_certainty():
    """Six wins in six deals, none in six, and one cluster have intervals."""
    won = share_interval(clusters(np.full((1, 6), 2.0), 2))
    assert won.value[0] == 1
    assert won.high[0] == 1
    assert 0.2 < won.low[0] < 0.7
    never = share_interval(clusters(np.zeros((1, 6)), 2))
    assert never.low[0] == 0
    assert never.high[0] == pytest.approx(1 - won.low[0])
    assert effective_n(1.0, 0.0, 6) == 6
    alone = share_interval(clusters(np.ones((1, 1)), 1))
    assert not np.isfinite(alone.low[0])
    assert share_p(clusters(np.ones((1, 1)), 1), 0.5)[0] == 1


def test_alike_differences_are_judged_by_their_number():
    """An equal difference in 3 deals is no evidence, in 12 it is; below five deals there is no verdict."""
    few, many = (widen_alike(clusters(np.full((1, decks), 2.0), 1)) for decks in (3, 12))
    assert p_value(few)[0] == pytest.approx(0.25)
    assert few.low[0] == -np.inf
    assert p_value(many)[0] < 0.001
    assert many.low[0] == many.high[0] == 2
    one = clusters(np.full((1, 3), 2.0), 1)
    assert judge(one, p_value(one), p_within(one, 1.0)).words == [TOO_FEW]


def test_a_share_within_bounds_is_where_its_interval_is():
    """Interval and test agree at 5 %, for common and rare shares, also at the edges 0 and 1."""
    rng = np.random.default_rng(6)
    for share, decks, low, high in ((0.25, 400, 0.2, 0.3), (0.02, 300, -0.01, 0.03), (0.97, 90, 0.9, 1.2)):
        plain = clusters(rng.binomial(3, share, (500, decks)).astype(float), 3)
        found = share_interval(plain)
        inside = (found.low > low) & (found.high < high)
        assert 0.05 < inside.mean() < 1
        assert (inside == (share_p_within(plain, low, high) < 0.05)).mean() > 0.995
