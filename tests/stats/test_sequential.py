"""Confidence sequences: their error holds over all interim analyses, and they find planted differences."""

import math

import numpy as np
import pytest
from support.runs import play, read_rows

from balance.analysis.sequences import cell_level, judge_difference, read_passes, seat_verdicts
from balance.analysis.shares import VERDICTS
from balance.runs.folder import RunFolder
from balance.stats.intervals import confidence_sequence

TABLES = 10  # line-ups of a pass


def passes(shares: np.ndarray, count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sums of passes in which every line-up has its own mean: one deal of four games each."""
    means = rng.binomial(4, shares, (count, len(shares))) / 4
    return np.full(count, float(len(shares))), means.sum(axis=1), (means**2).sum(axis=1)


@pytest.mark.parametrize("spread", [0.0, 0.2])
def test_looking_always_misses_the_truth_at_most_as_often_as_stated(spread):
    """Of 400 sequences with an analysis after each of 400 passes any miss counts; line-ups differ or not."""
    rng = np.random.default_rng(1)
    shares = 0.25 + spread * np.linspace(-1, 1, TABLES)
    missed = 0
    for _ in range(400):
        looks = confidence_sequence(*passes(shares, 400, rng), resolution=0.01, alpha=0.05)
        missed += bool(((looks.low > 0.25) | (looks.high < 0.25)).any())
    assert missed / 400 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 400)


def test_fixed_size_intervals_would_not_do():
    """The check above can fail: plain 95 % intervals at the same analyses miss far more often."""
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(200):
        n, s, ss = (np.cumsum(each)[9:] for each in passes(np.full(TABLES, 0.25), 400, rng))
        mean = s / n
        reach = 1.96 * np.sqrt((ss / n - mean**2) / n)
        missed += bool((np.abs(mean - 0.25) > reach).any())
    assert missed / 200 > 0.15


def test_a_seat_that_wins_more_is_found():
    """Two points above fair are found within 3,000 passes, and the sequence narrows to within a point."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        looks = confidence_sequence(*passes(np.full(TABLES, 0.27), 3_000, rng), 0.01, 0.05)
        assert looks.low[-1] > 0.25
        assert looks.high[-1] - looks.low[-1] < 0.02
        assert (np.diff(looks.low) >= 0).all()
        assert (np.diff(looks.high) <= 0).all()


def games_to_decide(truth: float, threshold: float, rng: np.random.Generator) -> float:
    """Return the median number of games until a seat is decided, at the level of one of four seats, of 20 tries."""
    needed = []
    for _ in range(20):
        looks = confidence_sequence(*passes(np.full(TABLES, truth), 1_500, rng), threshold, 0.05 / 4)
        low, high = looks.low - 0.25, looks.high - 0.25
        decided = (low > 0) | (high < 0) | (np.maximum(np.abs(low), np.abs(high)) <= threshold)
        needed.append((np.argmax(decided) + 1) * 4 * TABLES if decided.any() else np.inf)
    return float(np.median(needed))


def test_a_seat_half_a_threshold_from_fair_is_decided():
    """1.5 points from fair with a threshold of 3: bets that never decrease need more than 60,000 games."""
    rng = np.random.default_rng(3)
    assert games_to_decide(0.265, 0.03, rng) < 12_000
    assert games_to_decide(0.25, 0.03, rng) < 6_000
    assert games_to_decide(0.31, 0.03, rng) < 2_000


def test_decks_count_by_their_games(tmp_path):
    """Two strategies on four seats have one, two or four rotations, and every game has the same weight."""
    run = RunFolder.open(play(tmp_path / "run", players=[4], strategies=["generalist", "random"], games=4_000))
    cell, schedule = run.plan.cells[0], run.plan.schedule(run.plan.cells[0])
    whole = 4_000 // schedule.pass_games * schedule.pass_games
    found = read_passes(run, cell, whole).groupby("seat")["s"].sum() * schedule.deal_games / whole
    seats = read_rows(run.path, "seats")
    expected = seats[seats["game_id"] < cell.first_id + whole].groupby("seat")["win_share"].mean()
    assert found.to_numpy() == pytest.approx(expected.to_numpy(), rel=1e-6)
    verdicts = seat_verdicts(run, cell, whole, 3.0).set_index("seat")
    assert (verdicts["low"] <= 100 * expected).all()
    assert (100 * expected <= verdicts["high"]).all()
    assert ((verdicts["high"] + verdicts["low"]) / 2 - 100 * expected).abs().max() < 1.5


def test_cells_share_the_error_of_the_run(tmp_path):
    """Two cells have 2.5 % each."""
    run = RunFolder.open(play(tmp_path / "run", players=[2], variants=["base", "hire-dear"], games=24))
    assert cell_level(run.plan) == pytest.approx(0.025)


def test_the_verdicts_of_a_run(tmp_path):
    """They use only whole passes, and do not depend on the rest of the run."""
    run = RunFolder.open(play(tmp_path / "run", players=[2], strategies=["generalist", "random"], games=3_000))
    cell = run.plan.cells[0]
    some, more = seat_verdicts(run, cell, 1_001, 3.0), seat_verdicts(run, cell, 3_000, 3.0)
    assert list(some["games"]) == [1_000, 1_000]
    assert list(more["games"]) == [3_000, 3_000]
    assert (more["high"] - more["low"]).max() < (some["high"] - some["low"]).min()
    assert seat_verdicts(run, cell, 1, 3.0).empty


def test_the_words_of_a_stop_rule_are_its_own(tmp_path):
    """A seat is decided within the limit or beyond it, not if it only differs from fair; no word is a report's."""
    run = RunFolder.open(play(tmp_path / "run", players=[2], strategies=["generalist", "random"], games=3_000))
    cell = run.plan.cells[0]
    assert set(seat_verdicts(run, cell, 3_000, 30.0)["verdict"]) == {"within the limit"}
    away = {judge_difference(0.3, 0.9, 0.2), judge_difference(-0.9, -0.3, 0.2), judge_difference(0.1, 0.9, 0.2)}
    assert away == {"above the limit", "below the limit", "undecided"}
    assert not away & set(VERDICTS) - {"undecided"}
