"""Files that cannot be read: one line names them at once."""

from __future__ import annotations

import os
import sys

import pytest
from cli.test_bad_input import check, options

LINUX = pytest.mark.skipif(sys.platform == "win32", reason="devices, pipes and links of Unix")
TEXTS = {
    "nested 1,000 levels deep": (f"x = {'[' * 1000}{']' * 1000}", "nested too deeply"),
    "nested deeper than Python goes": (f"x = {'[' * 100_000}", "nested too deeply"),
    "a key of 1,000 parts": (f"{'.'.join('x' * 1000)} = 1", "nested too deeply"),
    "a number of 5,000 digits": (f"games = {'9' * 5000}", "not valid TOML"),
    "a hexadecimal number of 5,000 digits": (f"games = 0x{'f' * 5000}", "64 bits"),
    "a day that never was": ("x = 2024-02-31", "not valid TOML"),
}


@pytest.mark.parametrize("case", TEXTS)
def test_text_that_no_one_writes(cli, tmp_path, case):
    """Experiments, variants, profiles and targets are read by the same function."""
    text, words = TEXTS[case]
    path = tmp_path / "odd.toml"
    path.write_text(text)
    check(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", words)
    for key in ("variant", "strategies"):
        check(cli(*options(**{key: path}, out=tmp_path / "run")), 1, "odd.toml", words)


def test_not_utf_8(cli, tmp_path):
    """The line gives the byte."""
    path = tmp_path / "odd.toml"
    path.write_bytes(b'game = "na-grunwald" # \xff\xfe')
    check(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", "not UTF-8 (byte 23)")


def test_a_sweep_over_a_key_without_end(cli, tmp_path):
    """A dotted key of 5,000 parts is refused."""
    path = tmp_path / "odd.toml"
    key = ".".join("x" * 5000)
    path.write_text(
        f'game = "na-grunwald"\nplayers = [4]\ngames = 4\nstrategies = ["random"]\n[sweep]\n"{key}" = [1]'
    )
    check(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", "nested too deeply")


@LINUX
@pytest.mark.parametrize("kind", ["zero", "pipe", "folder", "large"])
def test_no_regular_file_of_a_sane_size(cli, tmp_path, kind):
    """An endless device, a pipe without a writer, a folder and 11 MB are refused."""
    path = tmp_path / "odd.toml"
    if kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.write_bytes(b"#" * 11_000_000)
    words = "larger than 1 MB" if kind == "large" else "not a regular file"
    named = "/dev/zero" if kind == "zero" else "odd.toml"
    for key in ("variant", "strategies"):
        check(cli(*options(**{key: path}, out=tmp_path / "run")), 1, named, words)
    if kind != "folder":
        check(cli("run", path, "--out", tmp_path / "run"), 1, "odd.toml", words)


@LINUX
def test_a_pipe_as_a_bot(cli, tmp_path):
    """The pipe is not waited for."""
    os.mkfifo(tmp_path / "bot.py")
    check(cli(*options(strategies=f"{tmp_path}/bot.py:Bot")), 1, "bot.py", "not a regular file")


@LINUX
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("loop.toml", "loop"),
        ("~nobody-of-that-name/x.toml", "home"),
        ("x" * 300 + ".toml", "too long"),
        ("x" * 300, "too long"),
        ("a\0b.toml", "null"),
    ],
)
def test_paths_that_lead_nowhere(cli, tmp_path, name, words):
    """Any text may stand in a path of an experiment file."""
    (tmp_path / "loop.toml").symlink_to(tmp_path / "loop.toml")
    keys = {"variants": f'["{name}"]', "strategies": '["random"]'}
    for changed in ("variants", "strategies"):
        text = keys | {"variants": '["base"]', "strategies": '["random"]', changed: f'["{name}"]'}
        lines = [f"{key} = {value}" for key, value in text.items()]
        plan = tmp_path / "plan.toml"
        plan.write_text(
            "\n".join(['game = "na-grunwald"', "players = [4]", "games = 4", *lines]).replace(
                "\0", "\\u0000"
            )
        )
        check(cli("run", plan, "--out", tmp_path / "run"), 1, "plan.toml", words)


@LINUX
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_no_permission(cli, tmp_path):
    """The line names the missing permission."""
    path = tmp_path / "mine.toml"
    path.write_text("")
    path.chmod(0)
    check(cli("run", path, "--out", tmp_path / "run"), 1, "mine.toml", "permission denied")


@pytest.mark.parametrize(
    ("key", "name"), [("strategies", "mine.toml"), ("strategies", "sub/mine"), ("variant", "mine.toml")]
)
def test_a_file_that_is_not_there_is_no_unknown_name(cli, tmp_path, monkeypatch, key, name):
    """For a path the line says where it was searched, and lists no shipped names."""
    monkeypatch.chdir(tmp_path)
    result = cli(*options(**{key: name}))
    check(result, 1, f"no such file: {tmp_path / name} (a na-grunwald")
    assert "unknown" not in result.output and "generalist" not in result.output


def test_a_file_that_a_searcher_names_is_not_there(cli, tmp_path):
    """A searcher's value and prior are searched in the searcher's own folder."""
    path = tmp_path / "mine.toml"
    for key in ("value", "prior"):
        path.write_text(f'kind = "search"\niterations = 5\n{key} = "lost.toml"')
        words = f"no such file: {tmp_path / 'lost.toml'} (a na-grunwald"
        check(cli(*options(strategies=path, out=tmp_path / "run")), 1, words)
