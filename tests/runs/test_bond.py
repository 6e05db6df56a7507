"""The list of parts is bound to its run: files of another run are noticed, never mixed in or overwritten."""

import json
import os
import shutil
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
from support.runs import digest, edit_info, play, read_info, resume

import balance
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder
from balance.runs.manifest import NAME
from balance.runs.pooling import pool_runs

KEYS = {"players": [2], "variants": ["base", "krzyzacy-hard"], "games": 40}
TABLES = ("games", "seats")
TARGETS = '[[targets]]\nmeasure = "score"\nleast = 0\n'


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return two runs that differ only in their seed."""
    folder = tmp_path_factory.mktemp("kept")
    return [play(folder / str(seed), seed=seed, **KEYS) for seed in (1, 2)]


@pytest.fixture
def one(kept, tmp_path):
    """Return the first, to be damaged."""
    return shutil.copytree(kept[0], tmp_path / "one")


def commands(run, out):
    """Return everything that reads or resumes a run."""
    (out / "targets.toml").write_text(TARGETS)
    return [
        ["verify", run],
        ["check", run, out / "targets.toml"],
        ["report", run, "--out", out / "report"],
        ["compare", run, "--baseline", "base"],
        ["run", "--resume", run],
        ["run", "--resume", run, "--games", 80],
    ]


def copy_over(source, run, names):
    for name in names:
        if (source / name).is_dir():
            shutil.copytree(source / name, run / name, dirs_exist_ok=True)
        else:
            shutil.copy(source / name, run / name)


def state(run):
    """Return all files but the lock, with their contents."""
    return {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file() and path.suffix}


@pytest.mark.parametrize("names", [(*TABLES, NAME), (NAME,), TABLES, ("run.json",)])
def test_files_of_another_run_are_one_line(one, kept, tmp_path, cli, names):
    """Every command reports them and writes nothing; `--resume` does the same."""
    copy_over(kept[1], one, names)
    before = state(one)
    for command in commands(one, tmp_path):
        done = cli(*command)
        assert done.exit_code != 0, command
        lines = done.output.splitlines()
        assert len(lines) == (4 if command[0] == "verify" and names == TABLES else 1), done.output
        assert all("belongs to another run" in line for line in lines), done.output
    with pytest.raises(BalanceError, match="belongs to another run"):
        balance.open_run(one)
    assert state(one) == before


def test_another_game_is_noticed(one, tmp_path, cli):
    """Grody's scores must not appear as those of Na Grunwald!"""
    other = play(tmp_path / "grody", game="grody", **{**KEYS, "variants": ["base"]})
    copy_over(other, one, (*TABLES, NAME))
    for command in commands(one, tmp_path):
        done = cli(*command)
        assert done.exit_code != 0
        assert "belongs to another run" in done.output


def test_rules_in_run_json_are_those_of_the_parts(one, cli):
    """A rule changed there counts as another run's."""
    info = read_info(one)
    info["variants"]["base"]["start"]["ducats"] += 1
    edit_info(one, variants=info["variants"])
    done = cli("verify", one, status=1)
    assert "belongs to another run" in done.output


def test_tables_without_a_list_are_not_written_over(one, kept, cli):
    """Even if the list is missing too, files of another run stay unchanged."""
    copy_over(kept[1], one, TABLES)
    (one / NAME).unlink()
    before = state(one)
    done = cli("run", "--resume", one, status=1)
    assert "belongs to another run" in done.output
    assert state(one) == before


def test_a_finished_run_knows_its_list(one, cli):
    """If one of its own lines is changed, the hash of all in `run.json` shows it."""
    lines = (one / NAME).read_text().splitlines()
    first = json.loads(lines[0])
    lines[0] = json.dumps({**first, "seconds": first["seconds"] + 1})
    (one / NAME).write_text("".join(f"{line}\n" for line in lines))
    done = cli("verify", one, status=1)
    assert f"{NAME} is not the list of the finished run" in done.output
    cli("run", "--resume", one, status=0)
    cli("verify", one, status=0)


def test_an_extension_keeps_its_identity(one, cli):
    """Old and new parts belong to one run."""
    before = RunFolder.open(one).identity
    cli("run", "--resume", one, "--games", 60, status=0)
    assert RunFolder.open(one).identity == before
    cli("verify", one, status=0)
    for path in one.glob("*/*.parquet"):
        assert pq.read_metadata(path).metadata[b"balance.run"].decode().startswith(before)


def test_a_finished_run_without_the_hash_is_refused(one, cli):
    info = read_info(one)
    del info["parts_hash"]
    (one / "run.json").write_text(json.dumps(info))
    done = cli("verify", one, status=1)
    assert len(done.output.splitlines()) == 1
    assert "parts_hash" in done.output and "played again" in done.output


KILLED = """
import os, sys
from pathlib import Path
from balance.runs import folder
from balance.runs.workers import Threads
from balance.studies.playing import resume_run
from support.runs import play

count = moment = 0
def killing(function):
    def call(*arguments):
        global count
        for when in (0, 1):
            if count == moment:
                os._exit(9)
            count += 1
            if when == 0:
                found = function(*arguments)
        return found
    return call

for name in ("replace_file", "write_manifest", "append_entry"):
    setattr(folder, name, killing(getattr(folder, name)))
for line in sys.stdin:  # a process for each moment, without loading all modules again
    run, moment = Path(line.split()[0]), int(line.split()[1])
    child = os.fork()
    if not child:
        if (run / "run.json").exists():
            resume_run(run, lambda found: found.extend(60, []), Threads(1))
        else:
            play(run, players=[2], variants=["base", "krzyzacy-hard"], games=40)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize(
    ("begun", "every"),
    [(True, 3), pytest.param(True, 1, marks=pytest.mark.long), pytest.param(False, 1, marks=pytest.mark.long)],
)
def test_a_run_killed_between_any_two_writes_goes_on(kept, tmp_path, begun, every):
    """No listed part is lost, and the result equals that of an undisturbed run."""
    whole = tmp_path / "whole"
    shutil.copytree(kept[0], whole) if begun else play(whole, **KEYS)
    if begun:
        balance.play_on(whole, 60)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    parent = subprocess.Popen([sys.executable, "-c", KILLED], env=environment, **pipes)
    moment, code = 0, 9
    while code == 9:
        run = tmp_path / f"run-{moment}"
        if begun:
            shutil.copytree(kept[0], run)
        parent.stdin.write(f"{run} {moment}\n")
        parent.stdin.flush()
        code = int(parent.stdout.readline())
        if (run / "run.json").exists():
            had = len((run / NAME).read_text().splitlines())
            stamps = {path: path.stat().st_mtime_ns for path in run.glob("*/*.parquet")}
            extend = (lambda found: found.extend(60, [])) if begun else None
            if begun and read_info(run)["status"] == "finished":
                if had == 4:  # it was whole: nothing is left to do
                    extend = None
                balance.play_on(run, 60) if extend else resume(run)
            else:
                resume(run)
            again = [path for path, stamp in stamps.items() if path.stat().st_mtime_ns != stamp]
            assert len(stamps) - len(again) >= 2 * had, moment
            assert digest(run) == digest(whole), moment
        moment += every
    parent.communicate(timeout=60)
    assert code == 0
    assert moment > 6


def test_a_member_replaced_while_it_is_pooled_is_noticed(one, kept, tmp_path, monkeypatch):
    """It is replaced after its files were checked and before they are copied."""
    runs = [RunFolder.open_finished(path) for path in (one, kept[1])]
    from balance.runs import pooling

    def swapped(*arguments):
        for path in one.glob("*/*.parquet"):
            path.write_bytes((kept[1] / path.relative_to(one)).read_bytes())
        return copy_all(*arguments)

    copy_all = pooling.copy_parts
    monkeypatch.setattr(pooling, "copy_parts", swapped)
    with pytest.raises(BalanceError, match=r"one.*was replaced while its run was pooled"):
        pool_runs(runs, tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_a_member_that_became_another_run_is_noticed(one, kept, tmp_path):
    """It changes between its opening and its pooling."""
    runs = [RunFolder.open_finished(path) for path in (one, kept[1])]
    other = play(tmp_path / "other", seed=3, **KEYS)
    shutil.rmtree(one)
    shutil.copytree(other, one)
    with pytest.raises(BalanceError, match="belongs to another run"):
        pool_runs(runs, tmp_path / "both")
    assert not (tmp_path / "both").exists()
