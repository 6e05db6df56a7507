"""How many games a question needs, and the commands that extend a run to that number."""

import shlex

import numpy as np
import pandas as pd
import pytest
from support.runs import parts_of, play

import balance
from balance.analysis.sample_size import MOST, decide, plan_extension, plan_from_run, plan_games
from balance.report.chapter import write_chapter
from balance.runs.folder import RunFolder
from balance.stats.comparisons import games_needed

pytestmark = pytest.mark.usefixtures("undrawn")

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
    cli(*shlex.split(command), status=0)
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


def test_a_run_without_a_finished_game(cli, tmp_path):
    """One line says that there is no spread, for any question and any number of deals."""
    run = play(tmp_path / "run", players=[2, 3], games=24, variants=["base", "hire-dear"], decision_limit=20)
    for options in ([], ["--json"]):
        result = cli("plan", run, "--effect", 2, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert (
            result.stderr
            == f"Error: {run}: no game with 2 and 3 players was finished, so there is nothing to plan from\n"
        )
    result = cli("compare", run, "--quiet")
    assert result.exit_code == 1 and "96 of 96 games were broken off" in result.stderr


POOLS = {
    "na-grunwald": ["champion", "helpers-first"],
    "polska": ["champion", "sprinter"],
    "grody": ["champion", "raider"],
    "korona-piastow": ["champion", "recruiter"],
}


def test_the_command_on_a_page_runs_and_makes_the_run_longer(cli, tmp_path):
    """The command is taken from the Markdown, as a reader would take it."""
    run = play(tmp_path / "a run", players=[2], strategies=["random"], games=800)
    cli("report", run, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    told = page.split("An extended run would probably settle the undecided rows (probability 80 % for each row): ")[1]
    assert "on this machine)" in told.splitlines()[0]
    command = shlex.split(told.partition(" (about ")[0].replace("\\", ""))
    assert command[:4] == ["balance", "run", "--resume", str(run)]
    cli(*command[1:], status=0)
    assert RunFolder.open_finished(run).plan.tier.most_games == int(command[-1]) > 800


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "strategies"),
    [pytest.param(*each, marks=[] if each[0] == "grody" else pytest.mark.long) for each in POOLS.items()],
)
def test_every_section_that_names_games_names_the_command(tmp_path, game, strategies):
    """Each section that prints a number of extra games prints the command, a game's own sections too."""
    run = play(tmp_path / "run", game=game, players=[2], strategies=strategies, games=60)
    sections = write_chapter(RunFolder.open(run)).sections
    told = {each.anchor: each.extension for each in sections if "more game" in words_of(each)}
    assert "strategies" in told  # of seats these players may differ, which no game decides
    assert ("factions" in told) == (game == "korona-piastow")
    assert all(told.values())


def words_of(section):
    cells = [cell for table in section.tables for row in table.rows for cell in row]
    return " ".join([headline.text for headline in section.headlines] + cells)


def test_the_number_is_that_of_the_games_that_are_wanted(tmp_path):
    """The number is rounded up to two digits, at least a twentieth more; no number if games decide nothing."""
    run = RunFolder.open(play(tmp_path / "run", games=1000))
    for more, games in ((1, 1100), (50, 1100), (120, 1200), (234_567, 240_000)):
        extension = plan_extension(run, more)
        assert extension is not None
        assert extension.games == games
    assert plan_extension(run, 0) is None
    assert plan_extension(run, MOST + 1) is None
    table = pd.DataFrame({"more_games": [0, 300, MOST + 1]})
    extension = decide(run, table)
    assert extension is not None
    assert extension.games == 1300
    assert decide(run, table[table["more_games"] != 300]) is None


def test_the_time_is_that_of_the_games_that_are_there(tmp_path, monkeypatch):
    """The time is a part's seconds per game, over all cells of the tier, on all cores."""
    run = RunFolder.open(play(tmp_path / "run", players=[2, 3], games=2000))
    parts = parts_of(run.path)
    assert all(part.seconds > 0 for part in parts)
    pace = sum(part.seconds for part in parts) / 4000
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    extension = plan_extension(run, 8000)
    assert extension is not None
    assert np.isclose(extension.seconds, pace * 8000 * 2 / 4)


def test_a_stop_rule_that_decided_plays_no_more(tmp_path):
    """A higher ceiling changes no decided cell; if all cells reached it, they continue from there."""
    keys = {"players": [2], "games": 200, "strategies": ["generalist", "treasurer"]}
    for name, threshold, games in (("decided", 30.0, None), ("open", 0.1, 1000)):
        stop = {"ceiling": 800, "threshold_points": threshold}
        run = RunFolder.open(play(tmp_path / name, stop=stop, **keys))
        extension = plan_extension(run, 200)
        assert (extension and extension.games) == games


def test_a_tier_is_named_where_there_are_several(cli, tmp_path):
    (tmp_path / "tiers.toml").write_text(
        'game = "na-grunwald"\nplayers = [2]\n'
        '[[tiers]]\nname = "one"\nstrategies = ["random"]\ngames = 40\n'
        '[[tiers]]\nname = "two"\nstrategies = ["generalist"]\ngames = 40\n'
    )
    cli("run", tmp_path / "tiers.toml", "--out", tmp_path / "run", "--quiet")
    extension = plan_extension(RunFolder.open(tmp_path / "run").in_tier("two"), 60)
    assert extension is not None
    assert extension.command[-4:] == ["--tier", "two", "--games", "100"]
