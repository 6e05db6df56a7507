"""Shrunk estimates: those selected for their size are right on average, for any true sizes."""

import numpy as np
import pytest

from balance.stats.comparisons import shrink

TRUTHS = {
    "normal": lambda rng, rows: rng.normal(0, 3, rows),
    "long tails": lambda rng, rows: rng.laplace(0, 2, rows),
    "few large": lambda rng, rows: np.where(rng.random(rows) < 0.15, rng.normal(0, 5, rows), 0.2),
}


@pytest.mark.parametrize("truths", TRUTHS.values(), ids=TRUTHS)
@pytest.mark.parametrize("rows", [8, 40])
@pytest.mark.long
def test_selected_effects_are_right_on_average(rows, truths):
    """The three largest significant effects are overstated raw, and by at most 5 % when shrunk."""
    rng = np.random.default_rng(3)
    raw, quoted, true = 0.0, 0.0, 0.0
    for _ in range(1_000):
        truth = truths(rng, rows)
        found = truth + rng.standard_normal(rows)
        shrunk = shrink(found, np.ones(rows))
        largest = np.argsort(-np.abs(found))[:3]
        for row in largest[np.abs(found[largest]) > 3]:
            sign = np.sign(found[row])
            raw, quoted, true = (raw + sign * found[row], quoted + sign * shrunk[row], true + sign * truth[row])
    assert raw / true > 1.03
    assert quoted / true == pytest.approx(1, abs=0.05)


def test_precise_estimates_stay_as_they_are():
    """If errors are a hundred times smaller than the effects, no estimate moves by a thousandth."""
    found = np.array([5.0, -3.0, 1.0])
    assert shrink(found, np.full(3, 0.01)) == pytest.approx(found, rel=1e-3)


def test_units_do_not_matter():
    """Points and shares give the same in every unit, symmetric in sign."""
    rng = np.random.default_rng(4)
    found, errors = rng.normal(0, 2, 12), rng.uniform(0.5, 1.5, 12)
    assert shrink(100 * found, 100 * errors) == pytest.approx(100 * shrink(found, errors))
    assert shrink(-found, errors) == pytest.approx(-shrink(found, errors))


def test_what_has_no_error_is_left_alone():
    """Equal deals, or too few deals, have no error."""
    found = shrink(np.array([2.0, 7.0, np.nan]), np.array([0.0, np.inf, 1.0]))
    assert found[:2].tolist() == [2.0, 7.0] and np.isnan(found[2])
