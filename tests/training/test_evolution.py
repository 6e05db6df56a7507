"""Evolution and leagues: candidates meet the same games, a planted best is found, a killed training resumes."""

from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError
from balance.training.arena import Arena, share_of
from balance.training.diary import Diary
from balance.training.evolution import (
    GUARD,
    MOST_FAMOUS,
    Aim,
    Budget,
    Hall,
    evolve,
    evolve_champion,
    guard_against,
    scales_of,
    win_fitness,
)

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


@pytest.mark.long
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


def row_of(arena, name):
    return arena.row(load_strategies(GAME, [name], Path())[0].profile)


def test_a_guest_is_alone_among_copies(arena):
    """The games equal those of a line-up of copies; a strategy gains nothing among its own copies."""
    hosts = np.array([row_of(arena, name) for name in ("generalist", "champion")])
    guests = np.array([row_of(arena, name) for name in ("champion", "treasurer")])
    found = arena.face_copies(hosts, guests, 100, 4)
    assert found.shape == (2, 2)
    for number, host in enumerate(("generalist", "champion")):
        alone = Arena(GAME, arena.rules, 3, load_strategies(GAME, [host], Path()), [0, 0])
        shares = alone.face(guests, guests[:0], np.zeros(0), 100, 4).win_share.mean((1, 2))
        assert found[number] == pytest.approx(shares)
    assert found[0, 0] > 0.7
    assert found[1, 0] == pytest.approx(1 / 3)


def test_who_is_invaded_pays(arena):
    """The price is a rival's largest share and the mean, in fair shares; without an invasion it is small."""
    champion, treasurer = row_of(arena, "champion"), row_of(arena, "treasurer")
    generalist = row_of(arena, "generalist")
    won = 3 * arena.face_copies(np.array([generalist, champion]), np.array([champion, treasurer]), 8, 5)
    cost = guard_against(arena, [champion, treasurer])(np.array([generalist, champion]), 5)
    assert cost == pytest.approx(GUARD * (won.max(1) + won.mean(1)) / 2)
    assert cost[0] > cost[1] + 0.5


@pytest.mark.long
def test_a_league_goes_on_to_the_same_result(arena, tmp_path):
    """It resumes from the diaries of its stages, one for each champion and each response."""
    told = {"of": 1}
    start, budget = row_of(arena, "generalist"), Budget(120_000, 3)

    def diary(folder):
        return lambda stage: Diary(tmp_path / folder / stage, told)

    for folder in ("whole", "torn"):
        (tmp_path / folder).mkdir()
    whole = evolve_champion(arena, start, budget, 2, diary("whole"))
    stages = sorted((tmp_path / "whole").iterdir())
    assert len(stages) == 6  # two champions, a try from each of three starts, a response
    for stage in stages[:3]:
        lines = stage.read_text().splitlines(keepends=True)
        (tmp_path / "torn" / stage.name).write_text("".join(lines[: len(lines) // 2]))
    assert (evolve_champion(arena, start, budget, 2, diary("torn")) == whole).all()
    assert (evolve_champion(arena, start, budget, 1) != whole).any()
