"""The same parts through a Dask cluster: the same bytes, and only from workers that play the same run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest
from support.runs import digest, listed, play, resume, start

import balance
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.foundation.errors import BalanceError
from balance.runs import cluster
from balance.runs.folder import RunFolder

pytest.importorskip("distributed")

CLUSTER = """
import subprocess, sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        for words in sys.argv[1:]:
            command = [sys.executable, "-m", "balance", *words.split(), "--dask", cluster.scheduler_address]
            subprocess.run(command, check=True)
"""
KEYS = {"game": "na-grunwald", "players": [2], "strategies": ["random"], "games": 8, "luck": 4}


class Remote(Executor):
    """Cluster that plays any run in this thread."""

    def submit(self, call, /, *arguments):
        future = Future()
        try:
            future.set_result(call(*arguments))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def remote(monkeypatch):
    """Replace the cluster by one that remembers plans as a worker does."""
    cluster._worker.cache_clear()
    monkeypatch.setattr(cluster, "_here", lambda: "Dask worker tcp://lab:1 on lab")
    yield Remote
    cluster._worker.cache_clear()


def test_a_worker_plays_the_run_that_it_is_asked_to(remote, tmp_path):
    """An earlier run with the same path in the same thread of the worker is a different run."""
    run = tmp_path / "run"
    for seed in (1, 2):
        plan = make_plan(make_experiment({**KEYS, "seed": seed}), Path(), "test")
        start(plan, run, cluster=remote())
        here = play(tmp_path / f"here{seed}", **KEYS, seed=seed)
        assert digest(run) == digest(here)
        shutil.rmtree(run)


def test_a_worker_with_other_sources_refuses(remote, tmp_path, monkeypatch):
    """One line names the worker and both hashes; nothing is written, and the run continues elsewhere."""
    monkeypatch.setattr(cluster, "loaded_hash", lambda folder: "f" * 16)
    plan = make_plan(make_experiment(KEYS), Path(), "test")
    with pytest.raises(BalanceError) as failure:
        start(plan, tmp_path / "run", cluster=remote())
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
        cluster.play_part(other.path, *cluster.contents(one), part)


def test_what_fails_on_a_worker_is_one_line(remote, tmp_path, monkeypatch):
    """A worker with an older version of the package does not have the call."""

    def call(*arguments):
        raise TypeError("play_part() takes 2 positional arguments\nbut 4 were given")

    monkeypatch.setattr("balance.runs.runner.play_part", call)
    plan = make_plan(make_experiment(KEYS), Path(), "test")
    with pytest.raises(BalanceError, match=r"a Dask worker failed: TypeError: .*--resume") as failure:
        start(plan, tmp_path / "run", cluster=remote())
    assert "\n" not in str(failure.value)


@pytest.mark.slow
def test_dask_workers_write_the_same_run(tmp_path):
    """Two worker processes equal threads of this process, also for an extension."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    played = (
        "run --game na-grunwald --players 2,3 --strategies random,generalist --games 3000 --quiet --out"
    )
    extended = f"run --resume {tmp_path / 'dask'} --games 4000 --quiet"
    commands = [f"{played} {tmp_path / 'dask'}", extended]
    subprocess.run([sys.executable, str(script), *commands], check=True, timeout=240)
    keys = {"players": [2, 3], "strategies": ["random", "generalist"], "games": 3000}
    here = play(tmp_path / "here", workers=2, **keys)
    balance.play_on(here, 4000)
    assert digest(tmp_path / "dask") == digest(here)
    assert listed(tmp_path / "dask") == listed(here)


@pytest.mark.long
def test_dask_workers_play_a_sensitivity_analysis(tmp_path):
    """The steps of rule keys, which no file holds, are the same games on worker processes as here."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    words = "sensitivity --game na-grunwald --players 2 --keys start.ducats --games 400 --quiet --out"
    there = f"{words} {tmp_path / 'there'}"
    subprocess.run([sys.executable, str(script), there], check=True, timeout=240)
    subprocess.run([sys.executable, "-m", "balance", *words.split(), tmp_path / "here"], check=True)
    folders = [tmp_path / where / "runs" / "steps" for where in ("there", "here")]
    assert digest(folders[0]) == digest(folders[1])


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
        ("tune {wish} --quiet --out", ["start-2", "001-2", "held-out"]),
        (
            "ladder --game na-grunwald --players 2 --strategies random,champion --against random "
            "--games 100 --duels 20 --trace 0 --quiet --out",
            ["field", "against"],
        ),
    ],
    ids=["tune", "ladder"],
)
def test_dask_workers_play_a_study(tmp_path, words, runs):
    """All its runs are the same games as here."""
    script, wish = tmp_path / "cluster.py", tmp_path / "wish.toml"
    script.write_text(CLUSTER)
    wish.write_text(WISH)
    words = words.format(wish=wish)
    there = f"{words} {tmp_path / 'there'}"
    subprocess.run([sys.executable, str(script), there], check=True, timeout=240)
    subprocess.run([sys.executable, "-m", "balance", *words.split(), tmp_path / "here"], check=True)
    for name in runs:
        folders = [tmp_path / where / "runs" / name for where in ("there", "here")]
        assert digest(folders[0]) == digest(folders[1])


@pytest.mark.long
def test_dask_workers_label_the_same_games(tmp_path):
    """A network that was trained with their labels equals one that was trained here."""
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    words = "train network --game na-grunwald --players 2 --games 50 --iterations 4 --rounds 1 --steps 1 --quiet --out"
    subprocess.run(
        [sys.executable, str(script), f"{words} {tmp_path / 'there.toml'}"], check=True, timeout=240
    )
    subprocess.run([sys.executable, "-m", "balance", *words.split(), tmp_path / "here.toml"], check=True)
    assert (tmp_path / "there.npz").read_bytes() == (tmp_path / "here.npz").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_a_killed_scheduler_is_one_line(tmp_path):
    """The run continues without it."""
    info = tmp_path / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    quiet = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": tmp_path,
        "env": environment,
    }

    def begin(tool, *options):
        command = [sys.executable, "-m", f"distributed.cli.{tool}", *options]
        return subprocess.Popen([*command, "--no-dashboard", "--scheduler-file", str(info)], **quiet)

    scheduler = begin("dask_scheduler", "--port", "0")
    worker = begin("dask_worker", "--nthreads", "1", "--no-nanny")
    try:
        while not info.exists():
            time.sleep(0.05)
        run = tmp_path / "run"
        command = [sys.executable, "-m", "balance", "run", "--game", "na-grunwald", "--players", "2"]
        command += ["--strategies", "random", "--games", "5000000", "--quiet", "--out", str(run)]
        command += ["--dask", json.loads(info.read_text())["address"]]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        while not list(run.glob("games/*.parquet")) and process.poll() is None:
            time.sleep(0.05)
        scheduler.send_signal(signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
    finally:
        for each in (worker, scheduler):
            each.kill()
            each.wait()
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
    keys = {"game": "na-grunwald", "players": [2], "luck": 4, "tiers": tiers}
    start(make_plan(make_experiment(keys), Path(), "test"), tmp_path / "run", cluster=remote())
    here = play(tmp_path / "here", **keys, strategies=[], games=None)
    assert digest(tmp_path / "run") == digest(here)
