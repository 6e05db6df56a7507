"""Equilibria of many games at once, against a linear program for each."""

import numpy as np
import pytest

from balance.stats.metagame import nash, nash_of_many


@pytest.mark.parametrize("strategies", [1, 2, 5, 6])
def test_equilibria_by_supports_are_those_of_the_linear_programme(strategies):
    """The games are random and have one equilibrium each."""
    drawn = np.random.default_rng(3).uniform(0.2, 0.8, (60, strategies, strategies))
    advantages = drawn - drawn.transpose(0, 2, 1)
    found = nash_of_many(advantages)
    assert found == pytest.approx(np.array([nash(each) for each in advantages]), abs=1e-9)
    assert (np.einsum("grc,gc->gr", advantages, found) < 1e-9).all()


def test_a_game_of_equal_strategies_is_left_to_the_linear_programme():
    """It has many equilibria, and the result is one of them."""
    game = np.zeros((1, 3, 3))
    game[0, :2, 2], game[0, 2, :2] = 0.1, -0.1
    (found,) = nash_of_many(game)
    mixture = nash(game[0]) if np.isnan(found).any() else found
    assert mixture[2] == pytest.approx(0)
    assert (game[0] @ mixture < 1e-9).all()
