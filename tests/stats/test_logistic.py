"""The logistic curve against a library's, and cases without a maximum."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy.special import expit

from balance.stats.regression import fit_logistic, where_chance_is

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
