"""Start values of a player: the same for all, by seat, or by player count (SET-4)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support.na_grunwald import make_rules

from balance.contract.game import get_game
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant, read_extended
from balance.foundation.errors import BalanceError
from balance.foundation.toml import merge
from balance.runs.folder import RunFolder

GAME = get_game("na-grunwald")


@pytest.mark.parametrize(
    ("start", "players", "ducats", "helpers"),
    [
        ({}, 3, [3, 3, 3], [2, 2, 2]),
        ({"ducats": [3, 4]}, 2, [3, 4], [2, 2]),
        ({"ducats": [3, 4]}, 4, [3, 4, 4, 4], [2, 2, 2, 2]),
        ({"ducats": [1, 2, 3, 4], "helpers": [0, 1]}, 3, [1, 2, 3], [0, 1, 1]),
        ({"ducats": {"2": [3, 4], "3": 5, "4": [1, 2]}}, 2, [3, 4], [2, 2]),
        ({"ducats": {"2": [3, 4], "3": 5, "4": [1, 2]}}, 3, [5, 5, 5], [2, 2, 2]),
        ({"ducats": {"2": [3, 4], "3": 5, "4": [1, 2]}}, 4, [1, 2, 2, 2], [2, 2, 2, 2]),
    ],
)
def test_each_seat_starts_with_its_own(start, players, ducats, helpers):
    """SET-4: in the order of seats; the last number holds for later seats, and numbers beyond the table for none."""
    stepper = Stepper.deal(GAME, make_rules({"start": start}), players, 1)
    assert stepper.state.ducats[:players].tolist() == ducats
    assert stepper.state.helpers[:players].tolist() == helpers
    assert stepper.log.game.peak_ducats == sum(ducats)


@pytest.mark.parametrize("amount", ["x", True, [], [3, 51], [3, "4"], [1, 2, 3, 4, 5], -1, 51])
def test_what_nobody_can_start_with(amount):
    """One line gives the correct form."""
    with pytest.raises(
        BalanceError, match=r"start.ducats: must be a whole number from 0 to 50, or a list"
    ):
        make_rules({"start": {"ducats": amount}})


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"2": 3, "3": 3}, "start.ducats: has no value for 4 players"),
        ({"2": 3, "5": 3}, "start.ducats: there is no player count '5' (there are: 2, 3, 4)"),
        ({"2": 3, "3": [], "4": 3}, "start.ducats: 3 players: must be a whole number from 0 to 50"),
        ({"2": {"2": 3}, "3": 3, "4": 3}, "start.ducats: 2 players: must be a whole number"),
        ({}, "start.ducats: has no value for 2 players"),
    ],
)
def test_tables_by_player_count_are_whole(table, words):
    """One line names the wrong count."""
    data = merge(read_extended(GAME, GAME.folder / "variants" / "base.toml"), {})
    data["start"]["ducats"] = table
    with pytest.raises(BalanceError, match=re.escape(words)):
        GAME.rules.load_rules(data, "test", Path())


@pytest.mark.parametrize("helpers", [[2, 6], {"2": 2, "3": [2, 2, 6], "4": 2}])
def test_more_helpers_than_there_may_be(helpers):
    """This is refused for any seat and player count."""
    with pytest.raises(BalanceError, match=r"start.helpers is 6, more than pawns.most_helpers \(5\)"):
        make_rules({"start": {"helpers": helpers}})


def write(path: Path, extends: str, start: str) -> str:
    """Write a variant file that changes the start."""
    path.write_text(f'extends = "{extends}"\ntitle = "x"\ndescription = "x"\n{start}', encoding="utf-8")
    return path.name


def ducats(tmp_path: Path, name: str) -> Any:
    return load_variant(GAME, name, tmp_path).rules.start.ducats


def test_a_variant_says_some_player_counts_alone(tmp_path):
    """The others keep their number, list or table."""
    two = write(tmp_path / "two.toml", "base", "[start.ducats]\n2 = [3, 4]")
    assert ducats(tmp_path, two) == {"2": [3, 4], "3": 3, "4": 3}
    four = write(tmp_path / "four.toml", "two.toml", "[start.ducats]\n4 = [3, 3, 4, 4]")
    assert ducats(tmp_path, four) == {"2": [3, 4], "3": 3, "4": [3, 3, 4, 4]}
    rich = write(tmp_path / "rich.toml", "later-seats-richer", "[start.ducats]\n3 = 3")
    assert ducats(tmp_path, rich) == {"2": [3, 4], "3": 3, "4": [3, 4]}
    again = write(tmp_path / "again.toml", "four.toml", "start.ducats = [3, 5]")
    assert ducats(tmp_path, again) == [3, 5]
    alike = write(tmp_path / "alike.toml", "two.toml", "start.ducats.2 = 3")
    assert ducats(tmp_path, alike) == 3


def test_a_sweep_of_one_player_count(cli, tmp_path):
    """Each point leaves the other counts unchanged; the point with base's value is base."""
    run = tmp_path / "run"
    asked = ["--game", "na-grunwald", "--players", "2,3", "--strategies", "random", "--games", "4"]
    sweep = ["--sweep", "start.ducats.2=[3,4],3,9"]
    result = cli("run", *asked, *sweep, "--log", "rounds", "--out", run)
    assert result.exit_code == 0, result.output
    plan = RunFolder.open(run).plan
    points = ["base", "start.ducats.2=[3, 4]", "start.ducats.2=9"]
    assert [variant.name for variant in plan.variants] == points
    assert plan.points["base"] == {"start.ducats.2": 3}
    found = [variant.rules.start.ducats for variant in plan.variants]
    assert found == [3, {"2": [3, 4], "3": 3, "4": 3}, {"2": 9, "3": 3, "4": 3}]


def test_a_sweep_of_a_player_count_that_there_is_not(cli, tmp_path):
    """One line lists the existing counts."""
    asked = ["--game", "na-grunwald", "--players", "2", "--strategies", "random", "--games", "4"]
    result = cli("run", *asked, "--sweep", "start.ducats.5=3", "--out", tmp_path / "run")
    assert result.exit_code == 1
    assert "start.ducats: there is no player count '5' (there are: 2, 3, 4)" in result.output
