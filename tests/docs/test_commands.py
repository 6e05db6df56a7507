"""Commands outside the pages' `console` blocks: run with fewer games, or at least parsed."""

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest

from balance.cli.commands import main

ROOT = Path(__file__).resolve().parents[2]
DOCS = [path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "ARCHITECTURE.md", *sorted(DOCS)]
PLAYED = [ROOT / "README.md", ROOT / "docs" / "commands.md", ROOT / "docs" / "installing.md"]

# What would take minutes is played with fewer games.
FEWER = {
    "balance run data/experiments/first-look.toml": "--games 10 --tier styles,search",
    "balance components runs/first-look --games 300": "--games 10",
    "balance chances runs/first-look --games 600": "--help",
    "balance run --game na-grunwald --players 4 --variant base,hire-dear --log rounds"
    " --strategies generalist,helpers-first,quartermaster,treasurer --games 20000 --out runs/helpers": "--games 200",
    "balance run --resume runs/helpers --games 40000": "--games 260",
    "balance warm": "--game na-grunwald --profiles-only",
    "balance sensitivity --game na-grunwald --players 4 --out reports/sensitivity": "--keys rounds,start.* --games 100",
    "balance run --game na-grunwald --players 2 --strategies search-100,generalist --games 400"
    " --out runs/strong": "--games 4",
    "balance ladder --game na-grunwald --players 2 --out reports/ladder": "--strategies champion,random "
    "--against champion --games 60 --duels 12 --trace 0",
    "balance restrict --game na-grunwald --players 2 --out reports/restrict": "--games 100 --adapt 10000",
    "balance tune data/experiments/tune-grody.toml --out reports/tune-grody": "--games 10000 --changes 1 --scale 0.02",
    "balance exploit --game na-grunwald --players 2 champion": "--games 10000 --iterations 5",
    "balance run data/experiments/polska.toml": "--games 20 --tier experts",
}
# What is no command of balance, by how it begins, and why it is not run here.
LEFT_OUT = {
    "make ": "targets are looked up in the Makefile by test_architecture.py",
    "python": "sets up an environment, which takes the network, or plays an example that has a test",
    "balance run --game na-grunwald --players 2 --lineup examples/train_ppo.py": "test_training.py plays its policy",
    "balance ladder --game na-grunwald --players 2 --strategies examples/train_ppo.py": "the same, in a ladder",
    "balance exploit --game na-grunwald --players 2 --variant examples/tiny-grunwald.toml": "in test_open_spiel.py",
    "py -m venv": "the same on Windows",
    "pip install": "takes the network",
    "balance live": "serves until Ctrl-C; a browser drives it in tests/live",
    "balance check runs/first-look targets.toml --history": "in tests/live/test_runs.py",
    "balance new game duel": "in tests/cli/test_own_game.py, as the next three",
    "balance train network --game ./duel": "the same",
    "balance run duel/experiment.toml": "the same",
    "balance report runs/duel": "the same",
    "dask ": "starts a cluster",
    "pre-commit": "takes a clone with hooks",
}
LONG = (
    "balance ladder",
    "balance exploit",
    "balance restrict",
    "balance sensitivity",
    "balance test-game",
    "balance tune",
    "balance run data/",
    "balance run --game na-grunwald --players 2",
)
OWN_FILES = {"targets.toml": '[[targets]]\nmeasure = "minutes"\nleast = 1\n'}


def lines_of(page: Path) -> Iterator[tuple[str, str]]:
    """Return language and text of each line of shell without comments; a continued line is one."""
    for language, text in re.findall(r"^```([^\n]*)\n(.*?)^```", read(page), re.S | re.M):
        for line in text.replace("\\\n", " ").splitlines() if language in ("", "sh", "bat") else ():
            found = " ".join(line.partition(" #")[0].split()).replace("\\", "/")
            if found:
                yield language, found.removeprefix(".venv/bin/").removeprefix(".venv/Scripts/")


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def is_left_out(line: str) -> bool:
    return line.startswith(tuple(LEFT_OUT))


def played() -> list[str]:
    """Return each balance command of shell blocks once, in the order of the pages."""
    lines = [line for page in PLAYED for language, line in lines_of(page) if language != "bat"]
    return [line for line in dict.fromkeys(lines) if not is_left_out(line)]


def is_long(line: str) -> bool:
    """Return whether a command plays a main job, or answers a question by games of its own."""
    return line.startswith(LONG) or "runs/first-look" in line


@pytest.mark.slow
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.long)])
def test_commands_of_shell_blocks_work(cli, tmp_path, monkeypatch, long):
    """They run in order, in a folder with the shipped experiments."""
    monkeypatch.chdir(tmp_path)
    for name in ("data", "examples"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name, text in OWN_FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    lines = [line for line in played() if is_long(line) == long]
    assert len(lines) > 5
    for line in lines:
        result = cli(*shlex.split(f"{line} {FEWER.get(line, '')}")[1:])
        assert result.exit_code == 0, f"{line}: {result.output}"


def test_no_shell_line_is_forgotten():
    """Each line is run above, equal on Windows, or left out for a reason; every reason is still needed."""
    lines = {line: page.name for page in PAGES for _, line in lines_of(page)}
    for line, page in lines.items():
        assert line in played() or is_left_out(line), f"{page}: {line}"
    assert set(FEWER) <= set(played())
    for start in LEFT_OUT:
        assert any(line.startswith(start) for line in lines), start


def mentioned() -> list[str]:
    """Return commands in the text of pages and in the examples of `--help`, if they can be typed."""
    found = []
    for page in PAGES:
        text = re.sub(r"^```.*?^```", "", read(page), flags=re.S | re.M)
        found += [" ".join(each.split()) for each in re.findall(r"`(balance [^`]+)`", text)]
    for command in all_commands(main):
        text = (command.help or "").replace("\\\n", " ")
        found += [" ".join(line.split()) for line in text.splitlines() if line.startswith("  balance ")]
    return [line for line in dict.fromkeys(found) if not re.search(r"\b[A-Z]{3,}\b|\.\.\. ", line)]


def all_commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from all_commands(below)


@pytest.mark.parametrize("line", mentioned())
def test_what_is_mentioned_is_understood(line, monkeypatch):
    """Command, options and values are valid; a command may be named without its arguments. No store is asked."""
    monkeypatch.setattr("balance.runs.mirror.run_folder", Path)
    command: click.Command = main
    words = shlex.split(line)[1:]
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        command = command.commands[words.pop(0)]
    with suppress(click.MissingParameter, click.exceptions.NoArgsIsHelpError, click.exceptions.Exit):
        command.make_context("balance", words)
