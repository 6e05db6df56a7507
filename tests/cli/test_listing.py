"""`balance games`: all games or one game, both also for programs."""

from __future__ import annotations

import json
import re

import pytest

from balance.contract.game import find_games
from balance.experiments.measures import all_measures
from balance.experiments.rule_keys import list_keys

GAMES = find_games()


def test_all_games(cli):
    """It lists the names of everything that can be played and chosen."""
    result = cli("games", status=0)
    for game in GAMES.values():
        assert f"{game.name}: {game.title}" in result.output
    assert re.search(r"strategies +random, champion, crown-commander", result.output)


@pytest.mark.parametrize("name", GAMES)
def test_one_game_fits_a_terminal(cli, name):
    """Every key, file and measure begins a line of at most 80 columns without trailing blanks."""
    result = cli("games", name, status=0)
    lines = result.output.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    starts = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    game = GAMES[name]
    names = [key.name for key in list_keys(game)]
    names += [each for kind in game.data_folders() for each in game.shipped(kind)]
    assert not {*names, "random", *(measure.name for measure in all_measures(game))} - set(starts)


def test_a_key_is_explained(cli):
    """It shows meaning, value in base, range, and whether it may be set by seat or player count."""
    told = " ".join(cli("games", "na-grunwald").output.split())
    assert "krzyzacy.bonus strength added to the two cards of the Krzyżacy (KRZ-1) " in told
    assert "[base: 2, 4, 6 with 2, 3, 4 players; may be: -8 to 50; by player count]" in told
    assert "[base: 3; may be: 0 to 50; also by seat or player count]" in told
    assert "plunder points plundered [points]" in told


def test_for_programs(cli):
    """The same as JSON."""
    every = json.loads(cli("games", "--json").output)
    assert [game["game"] for game in every] == list(GAMES)
    assert every[0]["variants"] == GAMES[every[0]["game"]].shipped("variants")
    one = json.loads(cli("games", "polska", "--json").output)
    (dice,) = (key for key in one["keys"] if key["key"] == "dice")
    assert (dice["base"], dice["least"], dice["most"], dice["by"]) == (7, 1, 7, [])
    assert {
        "name": "five-dice",
        "about": "Five dice are rolled at a time: fewer to choose from.",
    } in one["variants"]
    assert "champion" in [strategy["name"] for strategy in one["strategies"]]
    assert {"seat_win_share", "markers"} <= {measure["name"] for measure in one["measures"]}


def test_an_unknown_game_is_one_line(cli):
    """The line suggests the nearest name."""
    result = cli("games", "na-grunwlad", status=1)
    assert result.output.startswith("Error: unknown game 'na-grunwlad'; did you mean 'na-grunwald'?")
    assert len(result.output.splitlines()) == 1
