"""No write follows a link out of a run or report, reading writes nothing, and a failed start leaves nothing."""

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.runs import digest, edit_info, play, resume

import balance
from balance.foundation import files
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


@pytest.fixture
def precious(tmp_path):
    """Return a file outside, which must not change."""
    path = tmp_path / "precious"
    path.write_text("mine")
    return path


@pytest.fixture
def run(tmp_path):
    """Return a run with a part to play again."""
    path = play(tmp_path / "run", games=8)
    next(path.glob("seats/*.parquet")).unlink()
    return path


def state(folder):
    """Return the contents of a folder, with the times of writing."""
    found = {
        path.relative_to(folder).as_posix(): (path.lstat().st_mtime_ns, path.lstat().st_size)
        for path in sorted(folder.rglob("*"))
    }
    return {**found, ".": (folder.stat().st_mtime_ns, 0)}


@pytest.mark.parametrize("name", ["run.json", "parts.jsonl", ".run.json.tmp"])
def test_a_link_in_a_run_is_replaced_and_not_followed(name, run, tmp_path):
    outside = tmp_path / "outside"
    if (run / name).exists():
        shutil.move(run / name, outside)
    else:
        outside.write_text("mine")
    before = outside.read_bytes()
    (run / name).symlink_to(outside)
    resume(run)
    assert outside.read_bytes() == before
    assert RunFolder.open(run).faults() == []


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_a_lock_that_is_another_file_is_refused(link, run, precious):
    (run / ".lock").unlink()
    link(run / ".lock", precious)
    with pytest.raises(BalanceError, match=r"\.lock is a link .* remove it"):
        resume(run)
    assert precious.read_text() == "mine"


def test_a_part_is_not_written_through_a_link(run, tmp_path, precious):
    """This holds for the file's place and the old place of its temporary file."""
    part = next(run.glob("games/*.parquet")).name
    for name in (part, f".{part}.tmp"):
        (run / "seats" / name).symlink_to(precious)
    resume(run)
    assert precious.read_text() == "mine"
    assert RunFolder.open(run).faults() == []


def test_a_folder_that_leads_elsewhere_is_refused(run, tmp_path):
    outside = tmp_path / "outside"
    shutil.move(run / "seats", outside)
    (run / "seats").symlink_to(outside)
    with pytest.raises(BalanceError, match="seats is a link to another folder"):
        resume(run)
    assert not list(outside.iterdir())


def test_a_page_is_not_written_through_a_link(traced_run, tmp_path, precious, cli):
    """Linked files of a report are replaced; linked folders are refused."""
    arguments = ["compare", traced_run, "--baseline", "base", "--measure", "score", "--quiet", "--out"]
    out = tmp_path / "out"
    (out / "tables").mkdir(parents=True)
    links = [out / "index.html", out / "report.md", out / "tables" / "effects.csv"]
    for path in links:
        path.symlink_to(precious)
    cli(*arguments, out, status=0)
    assert precious.read_text() == "mine"
    assert not any(path.is_symlink() for path in links)
    shutil.rmtree(out / "figures")
    (tmp_path / "elsewhere").mkdir()
    (out / "figures").symlink_to(tmp_path / "elsewhere")
    refused = cli(*arguments, out, status=1)
    assert "figures is a link to another folder" in refused.output
    assert not list((tmp_path / "elsewhere").iterdir())


def test_a_replay_is_not_written_through_a_link(traced_run, tmp_path, precious, cli):
    """A target that is not a regular file is refused too."""
    (tmp_path / "game.html").symlink_to(precious)
    for path in (tmp_path / "game.html", "/dev/null"):
        refused = cli("replay", traced_run, 1, "--html", path, status=1)
        assert "is a link or not a file" in refused.output
    assert precious.read_text() == "mine"


def test_reading_writes_nothing_into_a_run(traced_run, tmp_path, cli):
    """This holds for finished and unfinished runs, with or without a lock, and in a read-only folder."""
    run = tmp_path / "run"
    shutil.copytree(traced_run, run)
    (run / ".lock").unlink()
    (tmp_path / "targets.toml").write_text('[[targets]]\nmeasure = "score"\nleast = 0\n')
    before = state(run)
    commands = [
        ("compare --baseline base --measure score", run), ("check", run, tmp_path / "targets.toml"),
        ("plan --effect 5", run), ("replay", run, 3), ("verify", run),
    ]  # fmt: skip
    for command in commands:
        cli(*command)
    balance.open_run(run).seat_shares()
    assert state(run) == before
    edit_info(run, status="interrupted")
    before = state(run)
    for command in commands[:3]:
        assert "is not finished" in cli(*command).output
    assert state(run) == before


def test_a_full_disk_at_the_start_leaves_nothing(tmp_path, monkeypatch):
    """The next try finds its folder free; an existing folder stays."""
    write = files.os.replace
    for made in (False, True):
        run = tmp_path / "deep" / "run"
        if made:
            run.mkdir(parents=True)

        def fail(source, target):
            if Path(target).name == "run.json":
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            write(source, target)

        monkeypatch.setattr(files.os, "replace", fail)
        with pytest.raises(BalanceError, match=r"cannot write .*no space left"):
            play(run)
        monkeypatch.setattr(files.os, "replace", write)
        assert (tmp_path / "deep").exists() is made
        assert not made or not list(run.iterdir())
        assert len(digest(play(run))) == 2
        shutil.rmtree(tmp_path / "deep")


def test_a_name_that_cannot_be_leaves_nothing(traced_run, tmp_path, cli):
    """A name too long for the system gives one line, and no parent folder is made."""
    name = tmp_path / "deep" / ("x" * 300)
    compare = ["compare", traced_run, "--baseline", "base", "--measure", "score", "--quiet", "--out"]
    for arguments in ([*compare, name], ["replay", traced_run, 1, "--html", name]):
        refused = cli(*arguments, status=1)
        assert "cannot write" in refused.output
        assert len(refused.output.splitlines()) == 1
    with pytest.raises(BalanceError, match=r"cannot write .*too long"):
        play(name)
    assert not list(tmp_path.iterdir())


def test_what_a_killed_start_left_is_in_nobodys_way(tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / "parts.jsonl").touch()
    (run / ".0123456789abcdef.tmp").write_text("{")
    play(run, games=4)
    names = sorted(path.name for path in run.iterdir())
    assert names == [".lock", "games", "parts.jsonl", "run.json", "seats"]


FULL = """
import resource, signal, sys
from click.testing import CliRunner
from balance.cli.commands import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
for command in sys.argv[1:]:
    done = CliRunner().invoke(main, command.split())
    print(done.exit_code, done.output, end="")
"""


@pytest.mark.long
def test_a_full_disk_leaves_no_half_page(traced_run, tmp_path):
    """No new report folder and no truncated replay remain; an old page does not change."""
    old = tmp_path / "old.html"
    old.write_text("old")
    run = str(traced_run)
    commands = [
        f"compare --baseline base --measure score --quiet {run} --out {tmp_path / 'deep' / 'report'}",
        f"replay {run} 1 --html {tmp_path / 'new.html'}",
        f"replay {run} 1 --html {old}",
    ]
    done = subprocess.run([sys.executable, "-c", FULL, *commands], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("1 Error: cannot write") for line in lines)
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]
    assert old.read_text() == "old"
