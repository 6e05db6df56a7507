"""Commands that settle undecided results: the printed command runs, and its games suffice."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest
from support.runs import parts_of, play

from balance.analysis.sample_size import MOST, decide, plan_extension
from balance.report.chapter import write_chapter
from balance.runs.folder import RunFolder

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
    told = page.split(
        "An extended run would probably settle the undecided rows (probability 80 % for each row): "
    )[1]
    assert "on this machine)" in told.splitlines()[0]
    command = shlex.split(told.partition(" (about ")[0].replace("\\", ""))
    assert command[:4] == ["balance", "run", "--resume", str(run)]
    assert cli(*command[1:]).exit_code == 0
    assert RunFolder.open_finished(run).plan.tier.most_games == int(command[-1]) > 800


@pytest.mark.slow
@pytest.mark.parametrize(("game", "strategies"), POOLS.items())
def test_every_section_that_names_games_names_the_command(tmp_path, game, strategies):
    """Each section that prints a number of extra games prints the command, a game's own sections too."""
    run = play(tmp_path / "run", game=game, players=[2], strategies=strategies, games=60)
    sections = write_chapter(RunFolder.open(run)).sections
    told = {each.anchor: each.extension for each in sections if "more games" in words_of(each)}
    assert {"seats", "strategies"} <= set(told)
    assert ("lines" in told) == (game == "korona-piastow")
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
    """Only the named tier is extended."""
    (tmp_path / "tiers.toml").write_text(
        'game = "na-grunwald"\nplayers = [2]\n'
        '[[tiers]]\nname = "one"\nstrategies = ["random"]\ngames = 40\n'
        '[[tiers]]\nname = "two"\nstrategies = ["generalist"]\ngames = 40\n'
    )
    cli("run", tmp_path / "tiers.toml", "--out", tmp_path / "run", "--quiet")
    extension = plan_extension(RunFolder.open(tmp_path / "run").in_tier("two"), 60)
    assert extension is not None
    assert extension.command[-4:] == ["--tier", "two", "--games", "100"]
