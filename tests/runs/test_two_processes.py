"""Two processes on one run: data read before the other's write are read again under the lock."""

import shutil
import subprocess
import sys

import pytest
from support.runs import digest, play

import balance
from balance.foundation.errors import BalanceError
from balance.runs import lock
from balance.runs.folder import RunFolder
from balance.runs.sidecar import COMPONENTS
from balance.runs.strength import read_tier_rows
from balance.runs.workers import Threads
from balance.studies import reruns
from balance.studies.playing import resume_run

EXTEND = "import sys, balance; balance.play_on(sys.argv[1], 100)"


def extend_apart(run):
    subprocess.run([sys.executable, "-c", EXTEND, str(run)], check=True)


def extend_here(run):
    """Do the same without a process of its own, which takes seconds to start."""
    balance.play_on(run, 100)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return play(tmp_path_factory.mktemp("finished") / "run", players=[2], games=40)


@pytest.fixture
def run(finished, tmp_path):
    """Return a copy of a finished run of 40 games."""
    return shutil.copytree(finished, tmp_path / "run")


@pytest.fixture
def extended(request, run, monkeypatch):
    """Make another process extend the run to 100 games just before this one locks it."""
    hold, waiting = lock.hold, [run]

    def late(path):
        if waiting:
            getattr(request, "param", extend_here)(waiting.pop())
        return hold(path)

    monkeypatch.setattr(lock, "hold", late)
    return run


def games_of(run):
    opened = balance.open_run(run)
    assert opened.info["status"] == "finished"
    assert len(opened.games()) == opened.info["rows"]["games"]
    return len(opened.games())


@pytest.mark.parametrize("extended", [extend_apart], indirect=True)
def test_a_plain_resume_keeps_the_extension(extended):
    """It must not delete the new games and report the run as finished."""
    resume_run(extended, workers=Threads(1))
    assert games_of(extended) == 100
    assert RunFolder.open(extended).plan.tier.earlier == (40,)


def test_the_command_keeps_it_too(extended, cli):
    """With limits for bots the command makes a plan of the run first."""
    cli("run", "--resume", extended, "--bot-seconds", 50, status=0)
    assert games_of(extended) == 100


def test_a_longer_extension_goes_on_from_it(extended, cli, tmp_path):
    """Both count as interim analyses."""
    cli("run", "--resume", extended, "--games", 150, status=0)
    assert games_of(extended) == 150
    assert RunFolder.open(extended).plan.tier.earlier == (40, 100)


def test_a_shorter_one_is_refused(extended, cli):
    done = cli("run", "--resume", extended, "--games", 80, status=1)
    assert "has 100 games in each cell already" in done.output
    assert games_of(extended) == 100


def test_an_experiment_file_of_before_is_refused(extended, cli, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('game = "na-grunwald"\nplayers = [2]\nstrategies = ["random"]\ngames = 40\n')
    done = cli("run", file, "--resume", "--out", extended, status=1)
    assert "cannot resume" in done.output
    assert games_of(extended) == 100


def test_components_are_added_to_the_run_as_it_is(extended):
    """The extension's list of parts is kept."""
    reruns.try_components(RunFolder.open_finished(extended), 4)
    assert games_of(extended) == 100
    assert len(read_tier_rows(RunFolder.open_finished(extended), COMPONENTS)) > 0
    assert RunFolder.open(extended).faults() == []


def test_components_of_a_run_that_is_replaced_while_they_play_are_refused(run, monkeypatch):
    opened, play_games = RunFolder.open_finished(run), reruns.try_batch

    def replace_then_play(*batch):
        if RunFolder.open(run).identity == opened.identity:
            shutil.rmtree(run)
            play(run, players=[2], games=40, seed=5)
        return play_games(*batch)

    monkeypatch.setattr(reruns, "try_batch", replace_then_play)
    with pytest.raises(BalanceError, match="contains another run since its games were played again"):
        reruns.try_components(opened, 4, Threads(1))
    assert RunFolder.open(run).faults() == []
    assert not (run / "components.parquet").exists()


def test_components_of_a_run_that_was_replaced_are_refused(run, tmp_path, monkeypatch):
    opened = RunFolder.open_finished(run)
    shutil.rmtree(run)
    play(run, players=[2], games=40, seed=5)
    before = digest(run)
    with pytest.raises(BalanceError, match=r"parts\.jsonl: line 1 belongs to another run than .*run\.json"):
        reruns.try_components(opened, 4)
    assert digest(run) == before
    assert not (run / COMPONENTS.name).exists()
