"""The same parts through a Dask cluster: the same bytes, and only from workers that play the same run."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, nullcontext, suppress
from functools import partial

import psutil
import pytest
from support.errors import refused
from support.remote import Remote
from support.runs import digest, listed, plan_of, play, resume, start

import balance
from balance.foundation.errors import BalanceError
from balance.foundation.progress import Progress
from balance.runs import cluster
from balance.runs.cluster import open_workers
from balance.runs.folder import RunFolder
from balance.studies.playing import resume_run

distributed = pytest.importorskip("distributed")

KEYS = {"game": "na-grunwald", "players": [2], "strategies": ["random"], "games": 8, "luck": 4}
small_plan = partial(plan_of, **KEYS)
PLAYED = ["--game", "na-grunwald", "--players", "2,3", "--games", "3000"]
PLAYED += ["--strategies", "random,generalist"]
SHORT = ["--game", "na-grunwald", "--players", "2", "--games"]


@pytest.fixture
def remote(monkeypatch):
    """Return a cluster that remembers plans as a worker does."""
    monkeypatch.setattr(cluster, "LAST", cluster.Last())
    monkeypatch.setattr(cluster, "this_worker", lambda: "Dask worker tcp://lab:1 on lab")
    return Remote()


@contextmanager
def begun(folder, *options):
    """Start a scheduler and workers with these options; provide the scheduler's process and its address."""
    info, processes = folder / "scheduler.json", []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    for tool, *more in (("dask_scheduler", "--port", "0"), ("dask_worker", "--nthreads", "1", *options)):
        command = [sys.executable, "-m", f"distributed.cli.{tool}", "--no-dashboard", "--scheduler-file", info]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        processes.append(subprocess.Popen([*command, *more], cwd=folder, env=environment, **quiet))
    try:
        while not info.exists():
            time.sleep(0.05)
        yield processes[0], json.loads(info.read_text())["address"]
    finally:
        for each in reversed(processes):
            each.terminate()
            each.wait(20)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Return the address of a cluster of two processes, which are started again if they end."""
    with begun(tmp_path_factory.mktemp("cluster"), "--nworkers", "2") as (_, address):
        yield address


def test_a_worker_plays_the_run_that_it_is_asked_to(remote, tmp_path):
    """An earlier run with the same path in the same thread of the worker is a different run."""
    run = tmp_path / "run"
    for seed in (1, 2):
        start(small_plan(seed=seed), run, workers=remote)
        here = play(tmp_path / f"here{seed}", **KEYS, seed=seed)
        assert digest(run) == digest(here)
        shutil.rmtree(run)


def test_a_worker_with_other_sources_refuses(remote, tmp_path, monkeypatch):
    """One line names the worker and both hashes; nothing is written, and the run continues elsewhere."""
    monkeypatch.setattr(cluster, "loaded_hash", lambda folder: "f" * 16)
    with pytest.raises(BalanceError) as failure:
        start(small_plan(), tmp_path / "run", workers=remote)
    source = RunFolder.open(tmp_path / "run").info["source_hash"]
    line = str(failure.value)
    assert line.startswith("Dask worker tcp://lab:1 on lab has a different version")
    assert source in line
    assert "f" * 16 in line
    assert "\n" not in line
    assert not list((tmp_path / "run").rglob("*.parquet"))
    resume(tmp_path / "run")
    assert digest(tmp_path / "run") == digest(play(tmp_path / "here", **KEYS))


def test_a_worker_that_sees_another_run_refuses(remote, tmp_path):
    """It sees another disk under the same path."""
    one = RunFolder.open(play(tmp_path / "one", **KEYS, seed=1))
    other = RunFolder.open(play(tmp_path / "other", **KEYS, seed=2))
    part = one.plan.parts(one.plan.cells[0], 0, 8)[0]
    with pytest.raises(BalanceError, match="Dask worker tcp://lab:1 on lab finds a different run"):
        cluster.play_part(other.path, cluster.hash_plan(one), part)


def test_what_fails_on_a_worker_is_one_line(remote, tmp_path, monkeypatch):
    """A worker with an older version of the package does not have the call."""

    def call(*arguments):
        raise TypeError("play_part() takes 2 positional arguments\nbut 4 were given")

    monkeypatch.setattr(cluster, "call_there", call)
    with refused("a Dask worker failed: TypeError: ", "--resume"):
        start(small_plan(), tmp_path / "run", workers=remote)


@pytest.mark.slow
def test_processes_of_this_machine_write_the_same_run(tmp_path, shell):
    """Two processes equal threads of this process, and end with the command."""
    there, marked = tmp_path / "there", {**os.environ, "BALANCE_TEST": str(tmp_path)}
    done = shell("run", *PLAYED, "--quiet", "--dask", "local:2", "--out", there, env=marked)
    assert (done.returncode, done.stderr) == (0, "")
    assert alive(str(tmp_path)) == []
    here = play(tmp_path / "here", 2, players=[2, 3], strategies=["random", "generalist"], games=3000)
    assert digest(there) == digest(here)
    assert listed(there) == listed(here)


def alive(mark):
    """Return the processes that were started with this mark in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.environ().get("BALANCE_TEST") == mark:
                found.append(process.pid)
    return found


@pytest.mark.long
def test_a_killed_worker_changes_nothing(scheduler, tmp_path):
    """Dask gives its parts to another worker; an extension through the same cluster equals one by threads."""
    here = play(tmp_path / "here", 2, players=[2], strategies=["random"], games=60_000)
    with distributed.Client(scheduler) as client, open_workers(scheduler) as workers:
        client.wait_for_workers(2)
        heard = Killer(client.run(os.getpid))
        start(small_plan(games=60_000, luck=0), tmp_path / "there", workers=workers, progress=heard)
        resume_run(tmp_path / "there", lambda run: run.extend(80_000, []), workers)
    assert heard.killed
    balance.play_on(here, 80_000)
    assert digest(tmp_path / "there") == digest(here)


class Killer(Progress):
    """Kills a worker once the first part is written."""

    killed = False

    def __init__(self, processes):
        self._process = next(iter(processes.values()))

    def advance(self, done, planned):
        if done and not self.killed:
            os.kill(self._process, signal.SIGKILL)
            self.killed = True


@pytest.mark.parametrize(
    "words",
    [
        ["components", "--games", "40"],
        pytest.param(["decisions", "--games", "4", "--judge", "search-2"], marks=pytest.mark.long),
    ],
    ids=lambda words: words[0],
)
def test_games_of_a_run_are_played_again_on_a_cluster(words, cli, remote, tmp_path, monkeypatch):
    tables = []
    for where in ("here", "there"):
        run = play(tmp_path / where, players=[2], strategies=["generalist", "random"], games=40)
        if where == "there":
            monkeypatch.setattr("balance.runs.cluster.open_workers", lambda *_: nullcontext(remote))
        cli(words[0], run, *words[1:], "--quiet", status=0)
        tables.append((run / f"{words[0]}.parquet").read_bytes())
    assert tables[0] == tables[1]


STYLES = ["train", "styles", *SHORT, "10000", "--against", "generalist"]
LEARNT = {
    "exploit": ["exploit", "champion", *SHORT, "10000", "--start", "generalist", "--iterations", "2"],
    "profile": ["train", "profile", *SHORT, "10000", "--against", "generalist"],
    "value": ["train", "value", *SHORT, "250", "--strategies", "generalist,search-2"],
    "network": ["train", "network", *SHORT, "50", "--iterations", "2", "--rounds", "1", "--steps", "1"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["exploit", *(pytest.param(name, marks=pytest.mark.long) for name in (*LEARNT, "styles")[1:])]
)
def test_what_is_learnt_on_a_cluster_is_the_same(name, cli, remote, tmp_path, monkeypatch):
    for module in ("training.profile", "studies.exploit"):
        monkeypatch.setattr(f"balance.{module}.MEASURED", 400)
    found = []
    for where in ("here", "there"):
        if where == "there":
            monkeypatch.setattr("balance.runs.cluster.open_workers", lambda *_: nullcontext(remote))
        (tmp_path / where).mkdir()
        out = tmp_path / where / ("learnt" if name == "styles" else "learnt.toml")
        cli(*LEARNT.get(name, STYLES), "--out", out, *([] if name == "exploit" else ["--quiet"]), status=0)
        found.append({path.name: path.read_bytes() for path in out.parent.rglob("*") if path.is_file()})
    assert found[0]
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no process groups")
def test_ctrl_c_ends_the_processes_of_this_machine(tmp_path):
    """The processes are silent, and the command says in one line how to resume."""
    run, marked = tmp_path / "run", {**os.environ, "BALANCE_TEST": str(tmp_path)}
    command = [sys.executable, "-m", "balance", "run", *SHORT, "50000000", "--strategies", "random"]
    command += ["--quiet", "--out", str(run), "--dask", "local:2"]
    quiet = {"stderr": subprocess.PIPE, "text": True, "start_new_session": True, "env": marked}
    process = subprocess.Popen(command, **quiet)
    while not list(run.glob("games/*.parquet")) and process.poll() is None:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == f"Error: stopped; resume with: balance run --resume {run}\n"
    assert alive(str(tmp_path)) == []


@pytest.mark.parametrize("address", ["local", "local:0", "local:four"])
def test_a_cluster_of_this_machine_needs_a_number(address, cli, tmp_path):
    """One line says what to write."""
    done = cli("run", *PLAYED, "--dask", address, "--out", tmp_path / "run", status=1)
    assert "write local:N for N processes on this machine, such as local:4" in done.output


WISH = """
game = "na-grunwald"
players = [2]
strategies = ["random"]
games = 400
[[targets]]
measure = "minutes"
most = 40
[tune]
keys = ["rounds", "start.ducats"]
changes = 1
games = 10_000
finalists = 2
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "runs"),
    [
        (["tune", "{wish}", "--quiet"], ["start-2", "001-2", "held-out"]),
        (
            [
                "ladder", *SHORT, "100", "--strategies", "random,champion", "--against", "random",
                "--duels", "20", "--trace", "0", "--quiet",
            ],
            ["field", "against"],
        ),
        (["sensitivity", *SHORT, "400", "--keys", "start.ducats", "--quiet"], ["steps"]),
    ],
    ids=["tune", "ladder", "sensitivity"],
)  # fmt: skip
def test_dask_workers_play_a_study(scheduler, words, runs, cli, tmp_path):
    """All its runs are the same games as here; rules that no file holds reach the workers."""
    wish = tmp_path / "wish.toml"
    wish.write_text(WISH)
    words = [word.format(wish=wish) for word in words]
    cli(*words, "--dask", scheduler, "--out", tmp_path / "there", status=0)
    cli(*words, "--out", tmp_path / "here", status=0)
    for name in runs:
        folders = [tmp_path / where / "runs" / name for where in ("there", "here")]
        assert digest(folders[0]) == digest(folders[1])


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_a_killed_scheduler_is_one_line(tmp_path):
    with begun(tmp_path, "--no-nanny") as (scheduler, address):
        run = tmp_path / "run"
        command = [sys.executable, "-m", "balance", "run", *SHORT, "5000000", "--strategies", "random"]
        command += ["--quiet", "--out", str(run), "--dask", address]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not list(run.glob("games/*.parquet")) and process.poll() is None:
            time.sleep(0.05)
        scheduler.send_signal(signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert errors.startswith("Error: lost the Dask scheduler")
    assert len(errors.splitlines()) == 1
    assert errors.strip().endswith(f"balance run --resume {run}")
    opened = RunFolder.open(run)
    assert opened.info["status"] == "failed"
    assert opened.faults() == []


def test_tiers_are_played_on_a_cluster(remote, tmp_path):
    """The bytes equal those played here, for searchers next to profiles with equal names at other temperatures."""
    styles = {"strategies": ["generalist", "random"], "games": 8}
    tiers = [
        {"name": "styles", **styles},
        {"name": "novices", **styles, "temperature": 2.0},
        {"name": "search", "strategies": ["search-2"], "games": 4},
    ]
    keys = {"tiers": tiers, "strategies": [], "games": None}
    start(small_plan(**keys), tmp_path / "run", workers=remote)
    here = play(tmp_path / "here", **{**KEYS, **keys})
    assert digest(tmp_path / "run") == digest(here)
