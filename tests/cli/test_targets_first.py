"""Unwritable outputs are reported before the first game; on a full disk the result is kept elsewhere."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from support.errors import check_line
from support.runs import play

from balance.foundation import files

GAME = ["--game", "na-grunwald", "--players", 2]
VALUE = ["train", "value", *GAME, "--strategies", "random", "--games", 20, "--quiet"]
LADDER = "ladder --game na-grunwald --players 2 --strategies random,generalist --games 10 --duels 10 --trace 0 --quiet"
CURVE = ["curve", *GAME, "--games", 100, "--search-games", 100, "--quiet"]
FILES = {
    "value": VALUE,
    "profile": ["train", "profile", *GAME, "--games", 10_000, "--quiet"],
    "exploit": ["exploit", *GAME, "random", "--quiet"],
}
FOLDERS = {
    "styles": ["train", "styles", *GAME, "--games", 10_000, "--quiet"],
    "ladder": LADDER.split(),
    "curve": CURVE,
    "sensitivity": ["sensitivity", *GAME, "--keys", "rounds", "--games", 100, "--quiet"],
    "restrict": ["restrict", *GAME, "--forbid", "buying", "--games", 100, "--adapt", 10_000, "--quiet"],
    "report": ["report", "RUN", "--quiet"],
    "compare": ["compare", "RUN", "--quiet"],
}
PAGES = {"replay": ["replay", "RUN", 0, "--html"], "check": ["check", "RUN", "--quiet", "--junit"]}
PLAYS = (
    "balance.training.value.collect",
    "balance.training.profile.Arena",
    "balance.training.styles.Arena",
    "balance.studies.exploit.Arena",
    "balance.studies.restrict.Arena",
    "balance.studies.playing.play_plan",
    "balance.cli.output.tempfile",
    "balance.report.chapter.write_chapter",
    "balance.analysis.compare.gather",
    "balance.analysis.target_checks.gather",
    "balance.report.replay.open_replay",
    "balance.studies.reruns.play_batch",
    "balance.studies.reruns.judge_batch",
    "balance.experiments.drafts.tell_bot",
)


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Return a run with targets."""
    return play(
        tmp_path_factory.mktemp("targets") / "run", players=[2], variants=["base", "no-events"], games=12,
        strategies=["generalist", "random"], targets=[{"measure": "score", "least": 0.0}],
    )  # fmt: skip


@pytest.fixture
def run(good, tmp_path):
    """Return a copy of it."""
    return Path(shutil.copytree(good, tmp_path / "run"))


@pytest.fixture
def unplayed(monkeypatch):
    """Assert that no game is played and no run is read for its answers."""

    def refuse(*_, **__):
        raise AssertionError("the work has begun")

    for name in PLAYS:
        monkeypatch.setattr(name, refuse)


def read_only(monkeypatch, folder: Path) -> None:
    """Make a folder read-only, like a read-only disk; root may write anywhere else."""
    opened = os.open

    def guarded(path, flags, *more, **options):
        if flags & os.O_CREAT and folder in Path(path).absolute().parents:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, *more, **options)

    monkeypatch.setattr(os, "open", guarded)


def put(command, run):
    """Return the command with the run that it reads."""
    return [run if word == "RUN" else word for word in command]


@pytest.mark.parametrize("name", [*FILES, *PAGES])
def test_a_file_that_cannot_be_written(cli, run, tmp_path, monkeypatch, unplayed, name):
    """A missing folder, a folder in place of the file and a read-only folder are refused."""
    command = put(FILES.get(name) or PAGES[name], run)
    out = ["--out"] if name in FILES else []
    status = 2 if name == "check" else 1
    (tmp_path / "there").mkdir()
    result = cli(*command, *out, tmp_path / "nodir" / "x.toml")
    check_line(result, status, "nodir does not exist; create it first")
    check_line(cli(*command, *out, tmp_path / "there"), status, "there is a link or not a file")
    read_only(monkeypatch, tmp_path / "there")
    result = cli(*command, *out, tmp_path / "there" / "x.toml")
    check_line(result, status, "cannot write", "x.toml: read-only file system")
    assert not list((tmp_path / "there").iterdir())


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_that_cannot_be_written(cli, run, tmp_path, monkeypatch, unplayed, name):
    """A file in place of the folder, our file as a folder and a read-only folder are refused."""
    command = put(FOLDERS[name], run)
    (tmp_path / "file").write_text("")
    page = {
        "styles": "treasurer.toml",
        "ladder": "ladder.html",
        "curve": "curve.html",
        "sensitivity": "sensitivity.html",
        "restrict": "restrict.html",
    }.get(name, "index.html")
    (tmp_path / "used" / page).mkdir(parents=True)
    check_line(cli(*command, "--out", tmp_path / "file" / "x"), 1, "cannot write", "not a directory")
    check_line(cli(*command, "--out", tmp_path / "used"), 1, "cannot write", f"{page}: is a directory")
    (tmp_path / "there").mkdir()
    read_only(monkeypatch, tmp_path / "there")
    for out in ("there", "there/new"):
        check_line(cli(*command, "--out", tmp_path / out), 1, "cannot write", "read-only file system")
    assert not list((tmp_path / "there").iterdir())


@pytest.mark.parametrize("command", ["components", "decisions"])
def test_a_run_that_is_read_only(cli, run, monkeypatch, unplayed, command):
    """The result would go into the run's folder."""
    read_only(monkeypatch, run)
    check_line(cli(command, run, "--quiet"), 1, "cannot write", "run: read-only file system")


def test_a_draft_that_is_there(cli, tmp_path, monkeypatch, unplayed):
    """A bot's draft plays a game first, so the existing file is noticed before."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("")
    check_line(cli("new", "bot", "mine", "--game", "na-grunwald"), 1, "mine.py exists already")


def full(monkeypatch, *folders: Path) -> None:
    """Make writes of files fail in these folders, like a disk that fills during play."""
    replaced = files.replace_file

    def guarded(path, content):
        if any(folder in path.absolute().parents for folder in folders):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replaced(path, content)

    monkeypatch.setattr(files, "replace_file", guarded)
    monkeypatch.setattr("balance.runs.folder.replace_file", guarded)


@pytest.mark.long
def test_a_disk_that_fills(cli, run, tmp_path, monkeypatch):
    """The result is in the folder for temporary files, and the line names the place."""
    (tmp_path / "out").mkdir()
    spare = tmp_path / "spare"
    spare.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    full(monkeypatch, tmp_path / "out", run)
    kept = "no space left on device; saved instead in"
    check_line(cli(*VALUE, "--out", tmp_path / "out" / "x.toml"), 1, f"x.toml: {kept}")
    (value,) = spare.glob("balance-*/x.toml")
    assert "[weights.2]" in value.read_text()
    check_line(cli("components", run, "--games", 4, "--quiet"), 1, kept)
    assert list(spare.glob("balance-*/components.parquet"))
    assert not list((tmp_path / "out").iterdir())


def test_several_files_and_a_second_full_disk(tmp_path, monkeypatch):
    """All files are kept together on the first disk with room; without one, an error says so."""
    out, spare, home = (tmp_path / name for name in ("out", "spare", "home"))
    for folder in (out, spare, home):
        folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(spare))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(spare)
    full(monkeypatch, out, spare)
    contents = {out / "a.toml": b"a", out / "b.toml": b"b"}
    with pytest.raises(files.BalanceError, match=r"saved instead in .*home.*: a\.toml, b\.toml"):
        files.write_files(contents)
    assert [path.read_bytes() for path in sorted(home.glob("balance-*/*"))] == [b"a", b"b"]
    full(monkeypatch, home)
    with pytest.raises(files.BalanceError, match=r"a\.toml: no space left on device; and no other disk has room"):
        files.write_files(contents)


def test_errors_name_the_file_of_the_user(tmp_path):
    for write in (files.replace_file, lambda path, content: files.append_line(path, "x")):
        with pytest.raises(FileNotFoundError) as caught:
            write(tmp_path / "none" / "mine.toml", b"x")
        assert caught.value.filename == str(tmp_path / "none" / "mine.toml")
