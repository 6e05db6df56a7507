"""The number of games that a question needs, from a run's spread."""

from __future__ import annotations

import shlex

import pytest
from support.runs import play

import balance
from balance.analysis.sample_size import plan_from_run, plan_games
from balance.runs.folder import RunFolder
from balance.stats.comparisons import games_needed

FIRST = "does a seat differ from fair?"


def needed(table):
    return int(table[table["question"] == FIRST]["games"].iloc[0])


def test_the_spread_is_that_of_the_run(tmp_path):
    """The spread is a seat's largest error, as of this number of independent games."""
    run = play(tmp_path / "run", players=[3], games=120)
    shares = balance.open_run(run).seat_shares()
    seats = shares.assign(spread=shares["error"] * shares["n"].pow(0.5))
    spread = float(seats["spread"].max())
    table = plan_from_run(RunFolder.open(run), 2.0, 0.8, 1)
    # It has too few, and a longer one is a second look.
    expected = games_needed(2.0, spread, 0.8, 0.05 / 2, 1)
    assert needed(table) == pytest.approx(expected, abs=1)
    assert (table["more_games"] == table["games"] - 120).all()
    table = plan_from_run(RunFolder.open(run), 20.0, 0.8, 1)
    assert needed(table) == pytest.approx(games_needed(20.0, spread, 0.8, 0.05, 1), abs=1)
    assert table.set_index("question")["more_games"][FIRST] == 0


def test_the_longer_run_that_a_plan_leads_to_has_enough(cli, tmp_path):
    """After the printed command nothing more is needed, at the error of the second interim analysis."""
    run = play(tmp_path / "run", players=[2], strategies=["random", "generalist"], games=120)
    asked = ("plan", run, "--effect", 8)
    told = cli(*asked).stdout.splitlines()
    (command,) = [line.partition(" balance ")[2] for line in told if line.startswith("next: ")]
    assert (
        "An extended run would probably settle the undecided rows (probability 80 % for each row), about "
        in " ".join(told)
    )
    assert cli(*shlex.split(command)).exit_code == 0
    table = plan_from_run(RunFolder.open(run), 8.0, 0.8, 1)
    assert (table["more_games"] == 0).all()
    assert "next: " not in cli(*asked).stdout
    assert "about" not in cli(*asked).stdout


def test_what_no_run_answers_has_no_command(cli, tmp_path):
    """More than 1,000,000 extra games give a dash."""
    run = play(tmp_path / "run", players=[2], strategies=["random", "generalist"], games=120)
    told = cli("plan", run, "--effect", 0.01).stdout
    assert " –" in told
    assert "next: " not in told


def test_decks_that_are_all_alike(tmp_path):
    """One of two always wins, from either seat: a deal counts as one trial and needs that many more games."""
    lineups = [["champion", "random"]]
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=lineups, games=60)
    shares = balance.open_run(run).seat_shares()
    assert (shares["error"] == 0).all() and (shares["value"] == 50).all()
    alike = needed(plan_from_run(RunFolder.open(run), 2.0, 0.8, 1))
    assert shares["n"].iloc[0] == 2 * shares["decks"].iloc[0]
    second_look = needed(plan_games(2.0, [2], 0.8, 2))
    assert alike == pytest.approx(2 * second_look, rel=0.01)


def test_player_counts_of_a_run(cli, tmp_path):
    """It takes the player counts asked for, or all; one not played is refused."""
    run = play(tmp_path / "run", players=[2, 3], games=60)
    opened = RunFolder.open(run)
    assert set(plan_from_run(opened, 20.0, 0.8, 1)["players"]) == {2, 3}
    assert set(plan_from_run(opened, 20.0, 0.8, 1, [3])["players"]) == {3}
    result = cli("plan", run, "--effect", 20, "--players", "3,4")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {run}: no games with 4 players (there are: 2, 3)\n"


def test_a_run_of_which_no_game_was_finished(cli, tmp_path):
    """One line says that there is no spread, for any question and any number of deals."""
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
    assert result.exit_code == 1 and "which needs finished games on two deals" in result.stderr
