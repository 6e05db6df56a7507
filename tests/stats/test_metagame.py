"""Equilibria of many games at once, and effects with clustered errors, against programs that do one at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from balance.stats.metagame import _by_supports, nash
from balance.stats.regression import within_effects


@pytest.mark.parametrize("strategies", [1, 2, 5, 6])
def test_equilibria_by_supports_are_those_of_the_linear_programme(strategies):
    """The games are random and have one equilibrium each."""
    drawn = np.random.default_rng(3).uniform(0.2, 0.8, (60, strategies, strategies))
    advantages = drawn - drawn.transpose(0, 2, 1)
    found = _by_supports(advantages)
    assert found == pytest.approx(np.array([nash(each) for each in advantages]), abs=1e-9)
    assert (np.einsum("grc,gc->gr", advantages, found) < 1e-9).all()


def test_a_game_of_equal_strategies_is_left_to_the_linear_programme():
    """It has many equilibria, and the result is one of them."""
    game = np.zeros((1, 3, 3))
    game[0, :2, 2], game[0, 2, :2] = 0.1, -0.1
    (found,) = _by_supports(game)
    mixture = nash(game[0]) if np.isnan(found).any() else found
    assert mixture[2] == pytest.approx(0)
    assert (game[0] @ mixture < 1e-9).all()


def test_effects_are_those_of_statsmodels():
    """Least squares within groups, with errors clustered on the deal and the correction for few clusters."""
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    data = pd.DataFrame({"deck": rng.integers(0, 25, 400), "seat": rng.integers(0, 3, 400)})
    data["cause"] = rng.normal(size=400) + data["seat"]
    data["other"] = rng.normal(size=400) + 0.5 * data["cause"]
    data["y"] = (
        2 * data["cause"] - data["other"] + rng.normal(size=25)[data["deck"]] + rng.normal(size=400)
    )
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
