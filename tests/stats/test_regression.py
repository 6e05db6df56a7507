"""Fitted curves: planted weights are found, effects and curves are those of libraries."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.special import expit

from balance.stats.regression import (
    brier,
    fit_choice,
    fit_logistic,
    stage_shares,
    where_chance_is,
    win_chances,
    within_effects,
)


def test_stages_share_a_position():
    """A position between two stages is linear in both; the ends belong to one stage."""
    shares = stage_shares(np.array([0.0, 0.5, 1 / 3, 1.0]), 4)
    assert shares.sum(axis=1) == pytest.approx(np.ones(4))
    assert shares[0] == pytest.approx([1, 0, 0, 0])
    assert shares[1] == pytest.approx([0, 0.5, 0.5, 0])
    assert shares[2] == pytest.approx([0, 1, 0, 0])
    assert shares[3] == pytest.approx([0, 0, 0, 1], abs=1e-4)


def planted(n, rng):
    """Return positions of three seats whose winners are drawn with known weights that change with the stage."""
    weights = np.array([[0.5, -1.0], [1.0, 0.0], [1.5, 0.5], [2.0, 1.0]])
    features, progress = rng.normal(size=(n, 3, 2)), rng.random(n)
    shares = stage_shares(progress, 4)
    chances = win_chances(weights, features, shares)
    won = np.zeros((n, 3))
    won[np.arange(n), (chances.cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)] = 1
    return weights, features, shares, chances, won


def test_planted_weights_are_found():
    """Weights and probabilities lie within their noise."""
    rng = np.random.default_rng(1)
    weights, features, shares, chances, won = planted(40_000, rng)
    found = fit_choice(features, shares, won, penalty=1e-6)
    assert found == pytest.approx(weights, abs=0.15)
    assert np.abs(win_chances(found, features, shares) - chances).mean() < 0.01


def test_brier_is_least_for_the_truth():
    """It is lower than that of equal probabilities, and than that of overconfident ones."""
    rng = np.random.default_rng(2)
    weights, features, shares, chances, won = planted(20_000, rng)
    true = brier(chances, won).mean()
    assert true < brier(np.full(won.shape, 1 / 3), won).mean()
    assert true < brier(win_chances(3 * weights, features, shares), won).mean()


X = np.arange(12.0)


def test_it_is_the_librarys():
    """Level and slope equal those of a binomial model with the logit link, for several samples at once."""
    rng = np.random.default_rng(3)
    n = rng.integers(20, 90, (4, len(X))).astype(float)
    wins = rng.binomial(n.astype(int), expit(0.5 - 0.3 * X)).astype(float)
    level, slope = fit_logistic(X, n, wins)
    for i in range(len(n)):
        outcome = np.column_stack([wins[i], n[i] - wins[i]])
        found = sm.GLM(outcome, sm.add_constant(X), family=sm.families.Binomial()).fit().params
        assert (level[i], slope[i]) == pytest.approx(tuple(found), rel=1e-6)


def test_where_a_chance_lies():
    """The function is the inverse of the curve."""
    at = where_chance_is(0.1, np.array([0.5]), np.array([-0.3]))
    assert expit(0.5 - 0.3 * at) == pytest.approx(0.1)


def test_what_has_no_maximum_is_nan():
    """All won, none won, or wins on one side only give NaN; other samples keep their values."""
    n = np.full((4, len(X)), 10.0)
    wins = np.array([n[0], 0 * n[0], np.where(X < 6, 10.0, 0.0), 10 * expit(1 - 0.2 * X)])
    level, slope = fit_logistic(X, n, wins)
    assert np.isnan(level[:3]).all() and np.isnan(slope[:3]).all()
    assert (level[3], slope[3]) == pytest.approx((1, -0.2))


def test_effects_are_those_of_statsmodels():
    """Least squares within groups, with errors clustered on the deal and the correction for few clusters."""
    rng = np.random.default_rng(5)
    data = pd.DataFrame({"deck": rng.integers(0, 25, 400), "seat": rng.integers(0, 3, 400)})
    data["cause"] = rng.normal(size=400) + data["seat"]
    data["other"] = rng.normal(size=400) + 0.5 * data["cause"]
    data["y"] = 2 * data["cause"] - data["other"] + rng.normal(size=25)[data["deck"]] + rng.normal(size=400)
    found = within_effects(data, "y", ["cause", "other"], ["seat"], "deck")
    names = ["y", "cause", "other"]
    within = data[names] - data.groupby("seat")[names].transform("mean")
    wanted = sm.OLS(within["y"], within[["cause", "other"]]).fit(
        cov_type="cluster", cov_kwds={"groups": data["deck"]}, use_t=True
    )
    for name, interval in found.items():
        assert interval.value == pytest.approx(wanted.params[name])
        assert interval.error == pytest.approx(wanted.bse[name])
        assert (interval.low, interval.high) == pytest.approx(tuple(wanted.conf_int(0.05).loc[name]))
        assert (interval.n, interval.clusters) == (400, 25)


def test_too_few_deals_give_no_effect():
    """Without three deals, also without any rows, nothing is fitted."""
    data = pd.DataFrame({"y": [1.0, 0.0], "cause": [1.0, 0.0], "seat": [0, 0], "deck": [1, 2]})
    for part in (data, data[:0]):
        assert within_effects(part, "y", ["cause"], ["seat"], "deck") == {}
