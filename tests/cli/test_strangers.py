"""Names, files and runs from others: none affects the terminal, hangs, fills the memory or floods the screen."""

import csv
import json
import os
import re
import shutil
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as Xml

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cli.test_bad_input import WHOLE, options
from support.errors import check_line
from support.runs import game_of, play, relist

from balance.foundation.errors import BalanceError, unknown
from balance.foundation.text import escape_controls
from balance.runs.folder import RunFolder
from balance.runs.manifest import Bond, FileFacts, hash_file, read_manifest

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="names and pipes of Unix"),
    pytest.mark.usefixtures("undrawn"),
]

RED, CLEAR, BACKWARDS, LINE = "\x1b[31mred", "\x9b2Jclear", "\u202ebackwards", "one\nnext: rm -rf ~"
EMOJI, CHINESE = "\N{GAME DIE}", "\u6ce2\u862d"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def write_variant(path: Path) -> str:
    title = json.dumps(path.stem, ensure_ascii=False)
    path.write_text(f'extends = "base"\ntitle = {title}\ndescription = {title}\n[start]\nducats = 2\n')
    return str(path)


def write_profile(path: Path) -> str:
    title = json.dumps(path.stem, ensure_ascii=False)
    path.write_text(f"title = {title}\ndescription = {title}\n[weights]\ncrown_knight = 1.0\n")
    return str(path)


@pytest.fixture(scope="module")
def odd(tmp_path_factory) -> Path:
    """Return a run whose folder, variants, strategies and targets have control characters in their names."""
    folder = tmp_path_factory.mktemp("strangers")
    (folder / "profiles").mkdir()
    return play(
        folder / f"run{RED}",
        players=[2],
        variants=["base", *(write_variant(folder / f"{name}.toml") for name in (RED, CLEAR, EMOJI, LINE))],
        strategies=[write_profile(folder / "profiles" / f"{name}.toml") for name in (RED, BACKWARDS, CHINESE)],
        games=36,
        log="trace",
        question=f"Is it {RED}?",
        targets=[{"title": f"{RED}{CLEAR}{LINE}", "measure": "score", "least": 0.0}],
    )


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "RUN"],
        ["compare", "RUN", "--baseline", CLEAR],
        ["compare", "RUN", "--baseline", f"none{RED}"],
        ["check", "RUN"],
        ["check", "RUN", "--json"],
        ["check", "RUN", f"none{RED}.toml"],
        ["plan", "RUN", "--effect", "1"],
        ["verify", "RUN"],
        ["replay", "RUN", game_of(1, 0)],
        ["replay", "RUN", game_of(1, 0), "--labels"],
        ["replay", "RUN", "closest"],
        ["replay", "RUN", f"first{RED}"],
        pytest.param(["components", "RUN", "--games", 2], marks=pytest.mark.long),
        ["report", f"none{RED}", "--out", "out"],
        ["run", "--resume", "RUN"],
        ["train", "value", "--game", f"x{RED}", "--strategies", "random", "--games", 10, "--out", "x"],
        ["try", "--game", "na-grunwald", "--players", 2, "--strategies", "PROFILE", "--games", 20, "--once"],
        ["new", "variant", RED, "--game", "na-grunwald"],
    ],
    ids=lambda words: " ".join(map(str, words[:3])).encode("ascii", "replace").decode(),
)
def test_the_terminal_stays_as_it_is(cli, odd, tmp_path, monkeypatch, command):
    """Control characters are printed as Python escapes; no name starts a new line."""
    monkeypatch.chdir(tmp_path)
    profile = odd.parent / "profiles" / f"{RED}.toml"
    words = [{"RUN": odd, "PROFILE": profile}.get(word, word) for word in command]
    result = cli(*words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert not CONTROLS.findall(result.output), result.output
    assert not any(line.startswith("next: rm") for line in result.output.splitlines())
    assert "red" not in result.output or re.search(r"\\(x|u00)1b\[31mred", result.output)


@pytest.mark.long
def test_a_report_of_control_characters(shell, odd, tmp_path):
    """Neither pages nor tables contain any; drawings, made in another process, are XML and show every name."""
    out = tmp_path / "out"
    result = shell("report", odd, "--out", out)
    assert result.returncode == 0, result.stderr
    assert not CONTROLS.findall(result.stdout)
    for path in (out / "index.html", out / "report.md", *out.glob("tables/*.csv"), *out.glob("figures/*.svg")):
        assert not CONTROLS.findall(path.read_text(encoding="utf-8")), path
    cells = set()
    for path in out.glob("tables/*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            cells |= {cell for row in csv.reader(file) for cell in row}
    assert {"\\x1b[31mred", "\\x9b2Jclear", "\\u202ebackwards", EMOJI, CHINESE} <= cells
    assert not any("\n" in cell for cell in cells)
    drawn = [Xml.parse(path) for path in out.glob("figures/*.svg")]
    shown = {text.text for tree in drawn for text in tree.iter("{http://www.w3.org/2000/svg}text")}
    assert {EMOJI, CHINESE, "\\x1b[31mred"} <= shown


def pipe(path):
    os.mkfifo(path)


def endless(path):
    path.symlink_to("/dev/zero")


def sparse(path):
    with path.open("wb") as file:
        file.truncate(40_000_000_000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return a run with every table, with components and luck."""
    from balance.studies.reruns import try_components

    path = play(
        tmp_path_factory.mktemp("whole") / "run", players=[2], strategies=["generalist", "random"], games=12,
        log="trace", luck=12,
    )  # fmt: skip
    try_components(RunFolder.open_finished(path), 4)
    return path


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", [pipe, endless, sparse])
@pytest.mark.parametrize(
    "name", ["run.json", "parts.jsonl", "components.parquet", "games", "seats", "rounds", "trace", "luck"]
)
def test_no_file_of_a_run_hangs(cli, whole, tmp_path, kind, name):
    """Commands that read the run print one line that names the file; a resumed run plays the part again."""
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    path = run / name if "." in name else next((run / name).glob("*.parquet"))
    path.unlink()
    kind(path)
    for command in (["report", run, "--out", tmp_path / "out", "--quiet"], ["verify", run]):
        result = cli(*command)
        assert result.exit_code == 1 or name == "components.parquet", result.output
        assert result.exit_code in (0, 1), result.output
        assert path.name in result.output or result.exit_code == 0, result.output
        assert result.output.count("\n") <= 1 + result.exit_code or command[0] == "verify", result.output
        assert result.exception is None or isinstance(result.exception, SystemExit)
    if name not in ("run.json", "components.parquet", "parts.jsonl") and kind is not sparse:
        cli("run", "--resume", run, "--quiet", status=0)
        cli("verify", run, status=0)


def test_a_bot_of_40_gigabytes(cli, tmp_path):
    for make, words in ((sparse, "bot.py: it is larger than 10 MB"), (endless, "not a regular file")):
        make(tmp_path / "bot.py")
        check_line(cli(*options(strategies=f"{tmp_path}/bot.py:Bot", out=tmp_path / "run")), 1, words)
        (tmp_path / "bot.py").unlink()


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [("luck", "source", "unknown source 'forged"), ("games", "variant", "unknown variant 'forged")],
)
def test_a_run_that_is_forged(cli, whole, tmp_path, table, column, words):
    """An extra source of chance or variant is noticed, even if all checksums are right."""
    run = Path(shutil.copytree(whole, tmp_path / "run"))
    path = next((run / table).glob("*.parquet"))
    also = [next((run / "seats").glob("*.parquet"))] if table == "games" else []
    for each in (path, *also):
        rows = pq.read_table(each)
        forged = pa.array([f"forged{RED}"] * len(rows), pa.string())
        pq.write_table(rows.set_column(rows.column_names.index(column), column, forged), each)
    list_again(run)
    result = cli("report", run, "--out", tmp_path / "out", "--quiet")
    check_line(result, 1, words)
    assert not CONTROLS.findall(result.output)


def list_again(run: Path) -> None:
    """Make the list of parts, and its hash, match the files."""
    found = []
    for part in read_manifest(run, Bond(RunFolder.open(run).identity)).parts:
        paths = {table: run / table / f"{part.stem}.parquet" for table in part.files}
        sizes = {table: path.stat().st_size for table, path in paths.items()}
        facts = {t: FileFacts(part.files[t].rows, sizes[t], hash_file(path)) for t, path in paths.items()}
        found.append(part._replace(files=facts))
    relist(run, found)


@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 400_000) + " = 1",
        ".".join("a" * 4_900_000) + " = 1",
        "x = { " + " . ".join(["'a'"] * 150_000) + " = 1 }",
        f"[{'.'.join('a' * 400_000)}]",
    ],
    ids=["1 MB", "10 MB", "quoted", "heading"],
)
def test_a_dotted_key_without_end(cli, tmp_path, text):
    """Python's TOML reader takes minutes for such a key; it is refused at once."""
    (tmp_path / "odd.toml").write_text(text)
    began = time.perf_counter()
    result = cli("run", tmp_path / "odd.toml", "--out", tmp_path / "run")
    check_line(result, 1, "odd.toml")
    assert "nested too deeply" in result.output or "larger than 1 MB" in result.output
    assert time.perf_counter() - began < 10
    began = time.perf_counter()
    with pytest.raises(BalanceError, match="nested too deeply"):
        from balance.studies.trying import read_change

        read_change(text[:100_000])
    assert time.perf_counter() - began < 10


@pytest.mark.parametrize(
    "text",
    [
        "{key} = 1\n" + WHOLE,
        WHOLE.replace("na-grunwald", "{key}"),
        WHOLE.replace("random", "{key}"),
        WHOLE + 'variants = ["{key}"]',
        WHOLE.replace("[4]", '["{key}"]'),
    ],
)
def test_messages_are_of_a_length_that_is_read(cli, tmp_path, text):
    """For input of any length they say what is wrong, where, and what is correct."""
    (tmp_path / "odd.toml").write_text(text.replace("{key}", "k" * 300_000))
    result = cli("run", tmp_path / "odd.toml", "--out", tmp_path / "run")
    check_line(result, 1, "odd.toml", "kkk")
    assert len(result.output) < 3500


def test_what_would_be_right_is_not_cut_off():
    """The existing names follow a long unknown one."""
    told = str(unknown("strategy", "x" * 10_000_000, ["generalist", "random"], "mine.toml"))
    assert told.startswith("mine.toml: unknown strategy 'xxx")
    assert told.endswith("(there are: generalist, random)")
    assert len(str(BalanceError("a" * 13_000_000))) < 3100


@pytest.mark.parametrize(
    ("text", "shown"),
    [("\x1b[2J", "\\x1b[2J"), ("a\nb\t", "a\\nb\\t"), ("\u202ex", "\\u202ex"), (CHINESE, CHINESE), ("", "")],
)
def test_control_characters_are_shown(text, shown):
    assert escape_controls(text) == shown
