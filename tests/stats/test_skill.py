"""The value of a doubling, against planted gains."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats.intervals import Moments, cluster_interval, share_interval
from balance.stats.ratings import ELO, depth_of, gain_of


def play(rng, gain, players, decks):
    """Return the share interval of a searcher `gain` (log-odds) stronger, on deals of `players` games, half alike."""
    chance = np.exp(gain) / (np.exp(gain) + players - 1)
    first = rng.random((decks, 1)) < chance
    games = np.where(rng.random((decks, players)) < 0.5, first, rng.random((decks, players)) < chance)
    sums = games.sum(axis=1, dtype=float)
    n = decks * players
    moments = Moments(decks, n, sums.sum(), (sums**2).sum(), players * sums.sum(), players**2 * decks)
    return share_interval(cluster_interval(moments))


@pytest.mark.parametrize("players", [2, 4])
def test_fair_is_no_gain_and_luces_model_is_inverted(players):
    """A share of 1 / N gives 0; ten times the odds give 400 points."""
    rng = np.random.default_rng(0)
    found = gain_of(play(rng, np.log(10), players, 200_000), players)
    assert found.value == pytest.approx(400, abs=5)
    assert gain_of(play(rng, 0.0, players, 200_000), players).value == pytest.approx(0, abs=5)


@pytest.mark.parametrize(
    ("players", "gains"), [(2, [0.8, 0.5, 0.2]), (4, [0.4, 0.3, 0.0]), (2, [3.5, 3.0, 2.5])]
)
def test_the_planted_depth_is_covered(players, gains):
    """95 % of the intervals cover, although the games of a deal are alike and hardly a game may be lost."""
    rng = np.random.default_rng(players)
    ratios = [2.0, 2.0, 25 / 12]
    truth = ELO * sum(gains) / np.log2(ratios).sum()
    hits, values = [], []
    for _ in range(600):
        found = depth_of([gain_of(play(rng, gain, players, 80), players) for gain in gains], ratios)
        hits.append(found.low <= truth <= found.high)
        values.append(found.value)
    assert 0.925 <= np.mean(hits) <= 0.985
    assert np.mean(values) == pytest.approx(truth, rel=0.05)


def test_one_deck_tells_nothing():
    """The interval is infinite."""
    found = gain_of(play(np.random.default_rng(0), 0.5, 2, 1), 2)
    assert (found.low, found.high) == (-np.inf, np.inf)


def test_who_never_loses_has_an_interval():
    """It is finite, and far above 0."""
    found = gain_of(play(np.random.default_rng(0), 30.0, 2, 100), 2)
    assert 300 < found.low < found.value < found.high < np.inf
