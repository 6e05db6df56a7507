"""Two processes and one run: what one read before the other wrote is read again under the lock."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.runs import digest, play

import balance
from balance.errors import BalanceError
from balance.log import lock
from balance.log.folder import RunFolder
from balance.playing import play_plan

EXTEND = "import sys, balance; balance.play_on(sys.argv[1], 100)"


@pytest.fixture
def run(tmp_path):
    """A finished run of 40 games."""
    return play(tmp_path / "run", players=[2], games=40)


@pytest.fixture
def extended(run, monkeypatch):
    """Another process extends the run to 100 games when this one is about to lock it."""
    hold, waiting = lock.hold, [run]

    def late(path):
        if waiting:
            subprocess.run([sys.executable, "-c", EXTEND, str(waiting.pop())], check=True)
        return hold(path)

    monkeypatch.setattr(lock, "hold", late)
    return run


def games_of(run):
    opened = balance.open_run(run)
    assert opened.info["status"] == "finished"
    assert len(opened.games()) == opened.info["rows"]["games"]
    return len(opened.games())


def test_a_plain_resume_keeps_the_extension(extended):
    """It deleted what the other had played, and said finished."""
    play_plan(None, extended, resume=True, workers=1)
    assert games_of(extended) == 100
    assert RunFolder.open(extended).plan.tier.earlier == (40,)


def test_the_command_keeps_it_too(extended, cli):
    """With limits of bots, for which a plan is made of the run."""
    done = cli("run", "--resume", extended, "--bot-seconds", 50)
    assert done.exit_code == 0, done.output
    assert games_of(extended) == 100


def test_a_longer_extension_goes_on_from_it(extended, cli, tmp_path):
    """Both count as interim analyses."""
    assert cli("run", "--resume", extended, "--games", 150).exit_code == 0
    assert games_of(extended) == 150
    assert RunFolder.open(extended).plan.tier.earlier == (40, 100)


def test_a_shorter_one_is_refused(extended, cli):
    """Nothing is deleted for it."""
    done = cli("run", "--resume", extended, "--games", 80)
    assert done.exit_code == 1
    assert "has 100 games in each cell already" in done.output
    assert games_of(extended) == 100


def test_an_experiment_file_of_before_is_refused(extended, cli, tmp_path):
    """The file asks for the run as it was."""
    file = tmp_path / "mine.toml"
    file.write_text('game = "na-grunwald"\nplayers = [2]\nstrategies = ["random"]\ngames = 40\n')
    done = cli("run", file, "--resume", "--out", extended)
    assert done.exit_code == 1
    assert "cannot resume" in done.output
    assert games_of(extended) == 100


def test_components_are_added_to_the_run_as_it_is(extended):
    """The extension's list of parts is kept."""
    from balance.analysis.components import kept_components, try_components

    try_components(RunFolder.open_finished(extended), 4)
    assert games_of(extended) == 100
    assert len(kept_components(RunFolder.open_finished(extended))) > 0
    assert RunFolder.open(extended).faults() == []


def test_components_of_a_run_that_is_replaced_while_they_play_are_refused(run, monkeypatch):
    """They are not written to the run that lies there when they are done."""
    import shutil

    from balance.analysis import components

    opened, play_games = RunFolder.open_finished(run), components._play

    def replace_then_play(*batch):
        if RunFolder.open(run).identity == opened.identity:
            shutil.rmtree(run)
            play(run, players=[2], games=40, seed=5)
        return play_games(*batch)

    monkeypatch.setattr(components, "_play", replace_then_play)
    with pytest.raises(BalanceError, match="holds another run than when its games were played again"):
        components.try_components(opened, 4, workers=1)
    assert RunFolder.open(run).faults() == []
    assert not (run / "components.parquet").exists()


def test_components_of_a_run_that_was_replaced_are_refused(run, tmp_path, monkeypatch):
    """They are of games that are no longer there."""
    import shutil

    from balance.analysis.components import try_components
    from balance.log.beside import COMPONENTS

    opened = RunFolder.open_finished(run)
    shutil.rmtree(run)
    play(run, players=[2], games=40, seed=5)
    before = digest(run)
    with pytest.raises(BalanceError, match=r"parts\.jsonl: line 1 is of another run than .*run\.json"):
        try_components(opened, 4)
    assert digest(run) == before
    assert not (run / COMPONENTS.name).exists()
