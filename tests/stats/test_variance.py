"""Total effects and the span of win rates against planted truths."""

import math

import numpy as np
import pytest
from scipy import stats

from balance.stats.variance import total_effect, win_rate_span

REPETITIONS = 1_000
SHARES = {"deck": 0.5, "dice": 0.3, "bots": 0.2}


def additive(decks: int, games: int, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return outcomes (deals, games) of three additive sources, the deal's equal in all its games, drawn twice."""
    drawn = {
        source: [math.sqrt(share) * rng.normal(0, 1, (decks, 1 if source == "deck" else games)) for _ in range(2)]
        for source, share in SHARES.items()
    }
    y = sum(first for first, _ in drawn.values())
    return y, {source: y - first + second for source, (first, second) in drawn.items()}


def effect(y: np.ndarray, again: np.ndarray):
    """Return the total effect on outcomes (deals, games)."""
    spread = ((y - y.mean()) ** 2).sum(axis=1)
    return total_effect(((y - again) ** 2).sum(axis=1), spread, y.size)


def held(found, truth: float) -> bool:
    """Return whether an interval contains the truth."""
    return bool(found.low <= truth <= found.high)


def test_sources_that_add_up_are_found():
    """The sources have half, three tenths and two tenths of the variance."""
    y, again = additive(20_000, 4, np.random.default_rng(1))
    for source, share in SHARES.items():
        found = effect(y, again[source])
        assert found.value == pytest.approx(share, abs=0.015)
        assert held(found, share)
        assert (found.n, found.clusters) == (80_000, 20_000)


def test_one_source_decides_all_or_nothing():
    """A deciding source drawn again changes as much as another game would; an idle one changes nothing."""
    rng = np.random.default_rng(2)
    y, other = rng.normal(0, 1, (2, 2_000, 4))
    found = effect(y, other)
    assert found.value == pytest.approx(1, abs=0.05)
    assert found.high == 1
    none = effect(y, y)
    assert (none.value, none.low) == (0, 0)
    assert 0 < none.high < 0.002  # a count of zero has an interval too


def test_sources_that_act_together_are_counted_with_each():
    """With a product of two signs either decides everything, so total effects add up to 200 %."""
    rng = np.random.default_rng(3)
    one, two, other_one, other_two = rng.choice([-1.0, 1.0], (4, 20_000, 1))
    for again in (other_one * two, one * other_two):
        assert effect(one * two, again).value == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("decks", [60, 400])
def test_intervals_of_total_effects_cover(decks):
    """93 to 97 % of 1,000 intervals cover, for every source."""
    rng = np.random.default_rng(4)
    covered = dict.fromkeys(SHARES, 0)
    for _ in range(REPETITIONS):
        y, again = additive(decks, 4, rng)
        for source, share in SHARES.items():
            covered[source] += held(effect(y, again[source]), share)
    assert all(0.93 <= count / REPETITIONS <= 0.97 for count in covered.values()), covered


def won(decks: int, rng: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return wins (deals, 4 games, 3 seats) by the highest of sums of `SHARES`, and with each source drawn again."""
    parts = [
        math.sqrt(share) * rng.normal(0, 1, (2, decks, 1 if source == "deck" else 4, 3))
        for source, share in SHARES.items()
    ]
    sums = [sum(first for first, _ in parts)]
    sums += [sums[0] - first + second for first, second in parts]
    own, *again = [(each == each.max(axis=2, keepdims=True)).astype(float) for each in sums]
    return own, again


def test_intervals_of_total_effects_on_wins_cover():
    """They also cover for outcomes of 0 or 1, against the values from 100,000 deals."""

    def effects(decks: int):
        y, again = won(decks, rng)
        spread = ((y - y.mean(axis=(0, 1))) ** 2).sum(axis=(1, 2))
        return [total_effect(((y - each) ** 2).sum(axis=(1, 2)), spread, 4 * decks) for each in again]

    rng = np.random.default_rng(9)
    truth = [found.value for found in effects(100_000)]
    covered = sum(
        np.array([held(found, share) for found, share in zip(effects(100), truth, strict=True)])
        for _ in range(REPETITIONS)
    )
    assert ((covered >= 930) & (covered <= 970)).all(), covered


def played(concentration: float, players: int, decks: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return mean win shares (deals, players) of four games, twice; each deal's chances are from Dirichlet's."""
    chances = rng.dirichlet(np.full(players, concentration), decks)
    return [rng.multinomial(4, chances) / 4 for _ in range(2)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_span_of_win_rates_is_found(players):
    """Dirichlet's chances are beta distributed in each seat: deviation and the middle nine tenths are known."""
    truth = stats.beta(2.0, 2.0 * (players - 1))
    span = win_rate_span(*played(2.0, players, 20_000, np.random.default_rng(6)), 80_000)
    assert span.deviation.value == pytest.approx(truth.std(), abs=0.006)
    assert span.lowest == pytest.approx(truth.ppf(0.05), abs=0.01)
    assert span.highest == pytest.approx(truth.ppf(0.95), abs=0.01)


@pytest.mark.parametrize(("players", "decks"), [(2, 150), (4, 500)])
def test_intervals_of_the_span_cover(players, decks):
    """93 to 97 % of 1,000 intervals contain the standard deviation over deals."""
    rng = np.random.default_rng(7)
    truth = stats.beta(2.0, 2.0 * (players - 1)).std()
    covered = sum(
        held(win_rate_span(*played(2.0, players, decks, rng), 4 * decks).deviation, truth) for _ in range(REPETITIONS)
    )
    assert 0.93 <= covered / REPETITIONS <= 0.97


def test_a_deal_that_decides_nothing_or_all():
    """Luck within a deal is not the deal's; a deal that decides everything leaves chances of 0 and 1."""
    rng = np.random.default_rng(8)
    nothing = win_rate_span(*(rng.multinomial(4, [0.25] * 4, 4_000) / 4 for _ in range(2)), 16_000)
    assert nothing.deviation.low == 0
    assert nothing.deviation.high < 0.03
    winner = np.eye(4)[rng.integers(0, 4, 4_000)]
    everything = win_rate_span(winner, winner, 16_000)
    assert everything.deviation.value == pytest.approx(math.sqrt(3) / 4, abs=0.005)
    assert everything.lowest < 1e-6 and everything.highest > 1 - 1e-6
    half = win_rate_span(np.full((50, 2), 0.5), np.full((50, 2), 0.5), 100)
    assert (half.deviation.value, half.lowest, half.highest) == (0, 0.5, 0.5)
