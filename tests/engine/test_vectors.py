"""Sums of a network's layer: the compiled versions give the numbers of those in Python."""

import numba
import numpy as np
import pytest

from balance.contract.records import HIDDEN
from balance.engine import vectors

add_rows = numba.njit(lambda *args: vectors.add_rows(*args))
weigh_layer = numba.njit(lambda hidden, out: vectors.weigh_layer(hidden, out))


def draw(*shape, seed=1):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("features", [1, 5, 70])
def test_rows_are_added_in_their_order(features):
    """Values of 0 add nothing, and a layer may be added to itself."""
    values, rows, source = draw(features), draw(features, HIDDEN, seed=2), draw(HIDDEN, seed=3)
    values[1::3] = 0
    used = np.zeros(features + 1, np.uint16)
    found, expected = np.zeros((2, HIDDEN), np.float32)
    for target, add in ((found, add_rows), (expected, vectors.add_rows)):
        add(target, source, values, rows, used)
        add(target, target, values, rows, used)
    assert found.tobytes() == expected.tobytes()
    assert np.allclose(found, source + 2 * values @ rows, atol=1e-4)


def test_a_layer_is_weighed_in_four_sums():
    for seed in range(20):
        hidden, out = draw(HIDDEN, seed=seed), draw(HIDDEN, seed=seed + 100)
        score = weigh_layer(hidden, out)
        assert score == vectors.weigh_layer(hidden, out)
        assert score == pytest.approx(np.maximum(0, hidden) @ out, abs=1e-4)
