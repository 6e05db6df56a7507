"""What decides what is undecided: the command that is told runs, and the games that it plays suffice."""

from __future__ import annotations

import shlex

import numpy as np
import pandas as pd
import pytest
from support.runs import parts_of, play

from balance.analysis.longer import MOST, decide, make_longer
from balance.log.folder import RunFolder
from balance.report.chapter import write_chapter

POOLS = {
    "na-grunwald": ["champion", "helpers-first"],
    "polska": ["champion", "sprinter"],
    "grody": ["champion", "raider"],
    "korona-piastow": ["champion", "recruiter"],
}


def test_the_command_on_a_page_runs_and_makes_the_run_longer(cli, tmp_path):
    """Taken from the Markdown as a reader would."""
    run = play(tmp_path / "a run", players=[2], strategies=["random"], games=800)
    cli("report", run, "--out", tmp_path / "out")
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    told = page.split("would probably be decided by a longer run (a chance of 80 % for each row): ")[1]
    assert "on this machine)" in told.splitlines()[0]
    command = shlex.split(told.partition(" (about ")[0].replace("\\", ""))
    assert command[:4] == ["balance", "run", "--resume", str(run)]
    assert cli(*command[1:]).exit_code == 0
    assert RunFolder.open_finished(run).plan.tier.most_games == int(command[-1]) > 800


@pytest.mark.slow
@pytest.mark.parametrize(("game", "strategies"), POOLS.items())
def test_every_section_that_names_games_names_the_command(tmp_path, game, strategies):
    """Whatever says "about so many games more", whichever game's section it is."""
    run = play(tmp_path / "run", game=game, players=[2], strategies=strategies, games=60)
    sections = write_chapter(RunFolder.open(run)).sections
    told = {each.anchor: each.longer for each in sections if "games more" in words_of(each)}
    assert {"seats", "strategies"} <= set(told)
    assert ("lines" in told) == (game == "korona-piastow")
    assert all(told.values())


def words_of(section):
    cells = [cell for table in section.tables for row in table.rows for cell in row]
    return " ".join([said.text for said in section.says] + cells)


def test_the_number_is_that_of_the_games_that_are_wanted(tmp_path):
    """Rounded up to two digits, a twentieth more at least; nothing where games decide nothing."""
    run = RunFolder.open(play(tmp_path / "run", games=1000))
    for more, games in ((1, 1100), (50, 1100), (120, 1200), (234_567, 240_000)):
        longer = make_longer(run, more)
        assert longer is not None
        assert longer.games == games
    assert make_longer(run, 0) is None
    assert make_longer(run, MOST + 1) is None
    table = pd.DataFrame({"more_games": [0, 300, MOST + 1]})
    longer = decide(run, table)
    assert longer is not None
    assert longer.games == 1300
    assert decide(run, table[table["more_games"] != 300]) is None


def test_the_time_is_that_of_the_games_that_are_there(tmp_path, monkeypatch):
    """A part's seconds by its games, over all cells of the tier, on all cores."""
    run = RunFolder.open(play(tmp_path / "run", players=[2, 3], games=2000))
    parts = parts_of(run.path)
    assert all(part.seconds > 0 for part in parts)
    pace = sum(part.seconds for part in parts) / 4000
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    longer = make_longer(run, 8000)
    assert longer is not None
    assert np.isclose(longer.seconds, pace * 8000 * 2 / 4)


def test_a_stop_rule_that_decided_plays_no_more(tmp_path):
    """Its cells would stay as they are, whatever the ceiling; where all of them reached it, they go on from there."""
    keys = {"players": [2], "games": 200, "strategies": ["balanced", "treasurer"]}
    for name, threshold, games in (("decided", 30.0, None), ("open", 0.1, 1000)):
        stop = {"ceiling": 800, "threshold_points": threshold}
        run = RunFolder.open(play(tmp_path / name, stop=stop, **keys))
        longer = make_longer(run, 200)
        assert (longer and longer.games) == games


def test_a_tier_is_named_where_there_are_several(cli, tmp_path):
    """The others need not grow with it."""
    (tmp_path / "tiers.toml").write_text(
        'game = "na-grunwald"\nplayers = [2]\n'
        '[[tiers]]\nname = "one"\nstrategies = ["random"]\ngames = 40\n'
        '[[tiers]]\nname = "two"\nstrategies = ["balanced"]\ngames = 40\n'
    )
    cli("run", tmp_path / "tiers.toml", "--out", tmp_path / "run", "--quiet")
    longer = make_longer(RunFolder.open(tmp_path / "run").in_tier("two"), 60)
    assert longer is not None
    assert longer.command[-4:] == ["--tier", "two", "--games", "100"]
