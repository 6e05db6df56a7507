"""Styles: an axis is a ratio of totals, a corner is the strongest with its way of playing, and training keeps to it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from balance.contract.analytics import Style
from balance.contract.game import find_games, get_game
from balance.contract.records import blank
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.training.arena import Arena
from balance.training.diary import Diary
from balance.training.evolution import Budget
from balance.training.styles import CORNER, COST, Elites, explore, find_corner, style_fitness

GAME = get_game("na-grunwald")


def test_an_axis_is_a_ratio_of_totals():
    """With a zero total there is no ratio."""
    seats = blank(6, np.dtype([("score", "i4"), ("crowns", "i2"), ("gifts", "i2")])).reshape(3, 2)
    seats.crowns[:], seats.gifts[:], seats.score[:] = ([[3, 1], [0, 2], [1, 1]], 1, [[4, 6], [5, 5], [0, 0]])
    style = Style("crowns less gifts", {"crowns": 1, "gifts": -1}, {"score": 2})
    assert style.measure(seats).tolist() == [2 / 20, 0.0, 0.0]
    assert Style("crowns", {"crowns": 1}, {}).measure(seats).tolist() == [2.0, 1.0, 1.0]


@pytest.mark.parametrize("name", find_games())
def test_styles_are_profiles_with_columns_that_are_there(name):
    """Each named style ships, and differs in logged columns."""
    game = find_games()[name]
    columns = {*game.column_meanings["seats"], "score"}
    for style, axis in game.analytics.STYLES.items():
        assert style in game.shipped("profiles")
        assert {*axis.of, *axis.over} <= columns


def test_a_corner_is_the_strongest_of_those_that_play_so():
    """A hopeless profile is not a corner, however far it plays that way."""
    axes = np.linspace(0, 1, 101)[:, None]
    wins = np.where(axes[:, 0] > 0.955, 0.05, 0.5 - 0.05 * axes[:, 0])
    rows = np.arange(101.0)[:, None]
    corner = find_corner(Elites(rows, wins, axes), 0, 0.5)
    assert corner.goal == pytest.approx(np.quantile(axes[:96], CORNER))
    assert corner.row[0] == np.ceil(100 * corner.goal)


def test_playing_less_its_own_way_costs():
    """Above the goal the cost is 0; below it a share of a fair share for each standard deviation."""
    seats = blank(4, np.dtype([("score", "f8"), ("own", "f8"), ("win_share", "f8")])).reshape(2, 1, 2)
    seats.score[:], seats.win_share[:] = 10, 1.0
    seats.own[0], seats.own[1] = 6, 2
    style = Style("own", {"own": 1}, {"score": 1})
    corner = find_corner(Elites(np.zeros((2, 1)), np.ones(2), np.array([[0.4], [0.4]])), 0, 0.5)
    corner = replace(corner, spread=0.1)
    assert style_fitness(style, corner)(seats).tolist() == pytest.approx([2.0, 2.0 - 2 * COST])


@pytest.mark.long
def test_the_map_holds_ways_to_play_and_can_go_on(tmp_path):
    """It is wider on its axes than the shipped profiles, and resumes from its diary to the same result."""
    rules = load_variant(GAME, "base", Path()).rules
    arena = Arena(GAME, rules, 2, load_strategies(GAME, ["generalist", "treasurer"], Path()))
    styles = {name: GAME.analytics.STYLES[name] for name in ("treasurer", "crown-commander")}
    start = arena.row(load_strategies(GAME, ["generalist"], Path())[0].profile)
    diary = Diary(tmp_path / "diary", {})
    elites = explore(arena, start, styles, Budget(150_000, 1), diary)
    assert len(elites.rows) > 10
    assert np.ptp(elites.axes[:, 0]) > 0.1
    lines = (tmp_path / "diary").read_text().splitlines()
    (tmp_path / "diary").write_text("\n".join(lines[:4]) + "\n")
    again = explore(arena, start, styles, Budget(150_000, 1), Diary(tmp_path / "diary", {}))
    assert (again.rows == elites.rows).all()
