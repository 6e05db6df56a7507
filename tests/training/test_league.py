"""The league: lone guests among copies, the price of an invasion, and a killed training that resumes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from balance.contract.game import get_game
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.training.arena import Arena
from balance.training.diary import Diary
from balance.training.evolution import GUARD, Budget, _guard, evolve_champion

GAME = get_game("na-grunwald")


@pytest.fixture(scope="module")
def arena() -> Arena:
    """Return two shipped profiles as opponents, with three players."""
    rules = load_variant(GAME, "base", Path()).rules
    return Arena(GAME, rules, 3, load_strategies(GAME, ["generalist", "treasurer"], Path()))


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
    cost = _guard(arena, [champion, treasurer])(np.array([generalist, champion]), 5)
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
