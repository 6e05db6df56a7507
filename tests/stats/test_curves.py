"""Strength curves against planted ones: forecasts cover what a stronger level does, and a break is not predicted."""

import numpy as np
import pytest

from balance.stats.curves import KINDS, Levels, forecast, interval, log_ratios, measured_again, shares

RATINGS = np.array([600, 1000, 1250, 1500, 1550, 1620, 1700, 1760, 1830, 1900.0])
GAMES = np.where(np.arange(len(RATINGS)) < 6, 4000, 400)  # searchers play fewer
BAGS = 100
TRUTHS = {
    "constant": lambda x: np.full_like(x, 0.3),
    "linear": lambda x: 0.1 + 0.6 * x,
    "levelling off": lambda x: 0.5 - 0.6 * np.exp(-x / 0.3),
}


def plant(truth, rng, players=3, scatter=0.0, jump=0.0, draws=60):
    """Return levels whose seats have these effects; `jump` is added at the strongest, `scatter` at each level."""
    effects = TRUTHS[truth]((RATINGS - RATINGS[0]) / 1000)[:, None] * 0.5 * np.arange(1, players)
    effects = effects + scatter * rng.standard_normal(effects.shape)
    effects[-1] += jump
    chances = zip(GAMES, shares(effects), strict=True)
    wins = np.array([rng.multinomial(games // BAGS, each, BAGS) for games, each in chances])
    lots = rng.multinomial(BAGS, np.full(BAGS, 1 / BAGS), draws)
    drawn = np.einsum("rb,lbs->rls", np.concatenate([np.ones((1, BAGS)), lots]), wins)
    noise = rng.normal(0, 12, (draws + 1, len(RATINGS)))
    noise[1:] += noise[0]
    return Levels(RATINGS + noise, log_ratios(drawn))


def is_covered(levels, seed):
    """Return whether the strongest level's share of each seat lies within the interval predicted from the others."""
    found = forecast(levels.below, levels.ratings[:, -1:], seed)
    low, high = interval(shares(measured_again(found, levels.effects[:, -1])))
    measured = shares(levels.effects[0, -1])
    return (low <= measured) & (measured <= high)


def coverage(truth, repetitions, **options):
    """Return how often seats are covered; repetitions have their own seeds."""
    rng = np.random.default_rng(len(truth))
    return np.mean([is_covered(plant(truth, rng, **options), seed) for seed in range(repetitions)])


@pytest.mark.long
def test_a_held_out_level_is_predicted():
    """A short version of the test below, for the curve of three parameters."""
    assert coverage("levelling off", 12) >= 0.8


@pytest.mark.long
@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("options", [{"players": 2}, {"players": 3, "scatter": 0.08}])
def test_forecasts_cover(truth, options):
    """Between 90 and 99 % of the held-out levels lie within 95 % intervals, with and without styles of their own."""
    assert 0.9 <= coverage(truth, 60, draws=200, **options) <= 0.99


@pytest.mark.long
@pytest.mark.slow
def test_a_break_at_the_strongest_level_is_not_predicted():
    """No curve through the lower levels leads there, and so no forecast would be shown."""
    assert coverage("levelling off", 6, jump=0.6) < 0.5


def test_the_planted_curve_has_most_weight():
    """Without noise to speak of, a steep line is distinguished from a constant."""
    rng = np.random.default_rng(5)
    weights = np.mean(
        [forecast(plant("linear", rng), np.full((61, 1), 2000.0), seed).weights for seed in range(3)], axis=0
    )
    assert weights[KINDS.index("constant")] < 0.25
    assert weights.sum() == pytest.approx(1)


def test_shares_and_effects_are_inverse():
    """Effects of equal shares are 0; half a count is added."""
    counts = np.array([[10.0, 30.0, 60.0], [20.0, 20.0, 20.0]])
    effects = log_ratios(counts)
    assert effects[1] == pytest.approx([0, 0])
    assert shares(effects)[0] == pytest.approx((counts[0] + 0.5) / 101.5)


def test_a_forecast_without_noise_is_the_line():
    """All levels lie on one line; more than the likely scatter of levels is not added."""
    ratings = np.tile(np.linspace(1000, 2000, 8), (201, 1))
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 0.01, (201, 8, 1))
    noise[0] = 0
    found = forecast(Levels(ratings, ratings[:, :, None] / 1000 + noise), np.full((201, 1), 2100.0))
    assert found.weights[KINDS.index("constant")] < 0.05
    assert found.value[0, 0] == pytest.approx(2.1, abs=0.02)
    low, high = interval(found.draws)
    assert low[0, 0] < 2.1 < high[0, 0] < 2.2
