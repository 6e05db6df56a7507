"""Games that a question needs, from what a run shows."""

from __future__ import annotations

import shlex

import pytest
from support.runs import play

import balance
from balance.analysis.planning import plan_from_run, plan_games
from balance.log.folder import RunFolder
from balance.stats.power import games_needed

FIRST = "does a seat differ from fair?"


def needed(table):
    return int(table[table["question"] == FIRST]["games"].iloc[0])


def test_the_spread_is_that_of_the_run(tmp_path):
    """The largest error of a seat, as of so many independent games."""
    run = play(tmp_path / "run", players=[3], games=120)
    shares = balance.open_run(run).seat_shares()
    seats = shares.assign(spread=shares["error"] * shares["n"].pow(0.5))
    spread = float(seats["spread"].max())
    table = plan_from_run(RunFolder.open(run), 2.0, 0.8, 1)
    expected = games_needed(
        2.0, spread, 0.8, 0.05 / 2, 1
    )  # it has too few, and a longer one is a second look
    assert needed(table) == pytest.approx(expected, abs=1)
    assert (table["more_games"] == table["games"] - 120).all()
    table = plan_from_run(RunFolder.open(run), 20.0, 0.8, 1)
    assert needed(table) == pytest.approx(games_needed(20.0, spread, 0.8, 0.05, 1), abs=1)
    assert table.set_index("question")["more_games"][FIRST] == 0


def test_the_longer_run_that_a_plan_leads_to_has_enough(cli, tmp_path):
    """The command as it is printed; then nothing is left to be played, at the error of the second look."""
    run = play(tmp_path / "run", players=[2], strategies=["random", "balanced"], games=120)
    asked = ("plan", run, "--effect", 8)
    told = cli(*asked).stdout.splitlines()
    (command,) = [line.partition(" balance ")[2] for line in told if line.startswith("next: ")]
    assert (
        "What is undecided would probably be decided by a longer run (a chance of 80 % for each row), about "
        in " ".join(told)
    )
    assert cli(*shlex.split(command)).exit_code == 0
    table = plan_from_run(RunFolder.open(run), 8.0, 0.8, 1)
    assert (table["more_games"] == 0).all()
    assert "next: " not in cli(*asked).stdout
    assert "about" not in cli(*asked).stdout


def test_what_no_run_answers_has_no_command(cli, tmp_path):
    """More than a million games more are a dash."""
    run = play(tmp_path / "run", players=[2], strategies=["random", "balanced"], games=120)
    told = cli("plan", run, "--effect", 0.01).stdout
    assert " –" in told
    assert "next: " not in told


def test_decks_that_are_all_alike(tmp_path):
    """One of two always wins, from either seat: a deck counts as a trial, so it takes as many games more as it has."""
    lineups = [["champion", "random"]]
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=lineups, games=60)
    shares = balance.open_run(run).seat_shares()
    assert (shares["error"] == 0).all() and (shares["value"] == 50).all()
    alike = needed(plan_from_run(RunFolder.open(run), 2.0, 0.8, 1))
    assert shares["n"].iloc[0] == 2 * shares["decks"].iloc[0]
    second_look = needed(plan_games(2.0, [2], 0.8, 2))
    assert alike == pytest.approx(2 * second_look, rel=0.01)


def test_player_counts_of_a_run(cli, tmp_path):
    """Those that are asked for, or all; one that was not played is refused."""
    run = play(tmp_path / "run", players=[2, 3], games=60)
    opened = RunFolder.open(run)
    assert set(plan_from_run(opened, 20.0, 0.8, 1)["players"]) == {2, 3}
    assert set(plan_from_run(opened, 20.0, 0.8, 1, [3])["players"]) == {3}
    result = cli("plan", run, "--effect", 20, "--players", "3,4")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {run}: no games with 4 players (there are: 2, 3)\n"


def test_a_run_of_which_no_game_was_finished(cli, tmp_path):
    """One line says so, whatever is asked: there is no spread, however many decks there are."""
    run = play(
        tmp_path / "run", players=[2, 3], games=24, variants=["base", "hire-dear"], decision_limit=20
    )
    for options in ([], ["--json"]):
        result = cli("plan", run, "--effect", 2, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert (
            result.stderr
            == f"Error: {run}: no game with 2 and 3 players was finished, so there is nothing to plan from\n"
        )
    result = cli("compare", run, "--quiet")
    assert result.exit_code == 1 and "which takes finished ones of two decks" in result.stderr
