"""The conditional logit: planted weights are found, and its probabilities are calibrated."""

from __future__ import annotations

import numpy as np
import pytest

from balance.stats.regression import brier, fit_choice, stage_shares, win_chances


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
