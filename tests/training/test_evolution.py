"""Training: candidates meet the same games, a planted best is found, and a killed training resumes unchanged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.training.arena import Arena, share_of
from balance.training.diary import Diary
from balance.training.evolution import MOST_FAMOUS, Aim, Budget, Hall, evolve, scales_of, win_fitness

GAME = get_game("na-grunwald")


@pytest.fixture(scope="module")
def arena() -> Arena:
    """Return two shipped profiles as opponents, with three players."""
    rules = load_variant(GAME, "base", Path()).rules
    return Arena(GAME, rules, 3, load_strategies(GAME, ["generalist", "treasurer"], Path()))


def rows_of(arena: Arena) -> np.ndarray:
    return np.array([arena.row(strategy.profile) for strategy in arena.strategies])


def test_alike_candidates_do_alike(arena):
    """Deals, opponents and random choices are the same in every seat; other seeds give other games."""
    row = rows_of(arena)[0]
    seats = arena.face(np.array([row, row]), row[None][:0], np.array([0.5, 0.5]), 40, 7)
    assert seats.shape == (2, 40, 3)
    assert (seats.seat == np.arange(3)).all(), "each of its games by the seat it had"
    assert (seats.score[0] == seats.score[1]).all()
    other = arena.face(row[None], row[None][:0], np.array([0.5, 0.5]), 40, 8)
    assert (seats.score[0] != other.score[0]).any()


def test_opponents_are_drawn_with_their_chances(arena):
    """Against itself alone a row wins its fair share, within the noise."""
    row = rows_of(arena)[0]
    seats = arena.face(row[None], row[None], np.array([1.0, 0.0, 0.0]), 200, 1)
    assert seats.win_share.mean() == pytest.approx(1 / 3, abs=0.04)


def test_a_row_plays_as_its_profile(arena):
    """Numbers after the rows are the strategies: a profile as a row is level with itself as a strategy."""
    row = rows_of(arena)[1]
    as_row = arena.play(np.array([row]), np.array([[0, 1, 2]]), np.array([5]), np.array([6]))
    as_strategy = arena.play(np.array([row]), np.array([[2, 1, 0]]), np.array([5]), np.array([6]))
    assert as_row.score.tolist() == as_strategy.score.tolist()


def test_a_planted_best_is_found(arena):
    """With fitness by distance from a point the search comes near it, for any results of games."""
    start = rows_of(arena)[0]
    goal = start + scales_of(arena, start)
    asked = []

    class Watching(Arena):
        def face(self, candidates, *_):
            asked.append(candidates)
            return candidates

    watching = Watching(GAME, arena.rules, 3, arena.strategies)
    found = evolve(watching, start, Budget(2_000_000, 1), Aim(lambda rows: -((rows - goal) ** 2).sum(1)))
    assert np.abs(found - goal).max() < 0.1 * np.abs(start - goal).max()
    assert len(asked) > 100


def test_a_killed_training_goes_on_to_the_same_result(arena, tmp_path):
    """This holds even if its last line is torn; a training is a function of its seed."""
    start, budget = rows_of(arena)[0], Budget(60_000, 5)
    whole = evolve(arena, start, budget, diary=Diary(tmp_path / "whole", {"of": 1}))
    lines = (tmp_path / "whole").read_text().splitlines()
    (tmp_path / "torn").write_text("\n".join(lines[:8]) + "\n[0.1, 0.2")
    again = evolve(arena, start, budget, diary=Diary(tmp_path / "torn", {"of": 1}))
    assert (again == whole).all()
    assert (tmp_path / "torn").read_text() == (tmp_path / "whole").read_text()
    assert (evolve(arena, start, Budget(60_000, 6)) != whole).any()


def test_a_diary_of_another_training(tmp_path):
    Diary(tmp_path / "diary", {"seed": 1})
    with pytest.raises(BalanceError, match="belongs to another training"):
        Diary(tmp_path / "diary", {"seed": 2})


def test_the_hall_keeps_the_new_and_some_of_the_old():
    """It never exceeds its size; probabilities add up to one, most of them for the hall of fame."""
    hall = Hall(2, np.random.default_rng(1))
    assert hall.chances(4).tolist() == [0.25] * 4
    for number in range(40):
        hall.admit(np.full(2, float(number)))
    assert len(hall.rows) == MOST_FAMOUS
    assert hall.rows[-4:, 0].tolist() == [36, 37, 38, 39]
    assert hall.chances(7).sum() == pytest.approx(1)
    assert hall.chances(7)[:MOST_FAMOUS].sum() == pytest.approx(0.7)


def test_the_share_has_its_interval(arena):
    """A strategy against two, one of them itself: its share in a run lies within the interval."""
    share = share_of(arena, rows_of(arena)[0], 3_000, 2)
    assert share.low < share.value < share.high
    assert share.n == 3_000
    assert share.clusters == 1_000


def test_a_victory_that_all_share_is_nobodys():
    """Otherwise stalling until the limit of turns would give a fair share; a win shared by some counts."""
    kind = np.dtype([("win_share", "f4")])
    seats = np.zeros((3, 2, 6), kind).view(np.recarray)
    seats.win_share[0], seats.win_share[1], seats.win_share[2, 0] = 1 / 6, 1 / 2, 1.0
    assert win_fitness(seats).tolist() == [0.0, 0.5, 0.5]
