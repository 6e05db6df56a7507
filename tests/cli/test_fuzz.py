"""Thousands of damaged inputs, drawn with a seed: each is read, or refused with one line."""

import copy
import json
import random
from pathlib import Path

import click
import pytest
from support.runs import play

from balance.analysis.sample_size import plan_games
from balance.analysis.target_checks import check_targets_fit
from balance.cli.commands import main
from balance.cli.sources import read_resumed, read_source
from balance.experiments.experiment import Experiment, read_experiment
from balance.experiments.planning import make_plan
from balance.experiments.saved_plan import describe_plan
from balance.experiments.targets import read_targets
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

EXPERIMENT = """
game = "na-grunwald"
players = [2, 4]
variants = ["base", "krzyzacy-hard", "variant.toml"]
strategies = ["random", "generalist", "profile.toml"]
games = 100
seed = 7
log = "rounds"
trace = 3
[stop]
threshold_points = 1.5
ceiling = 1000
[sweep]
"start.ducats" = [1, 2]
[thresholds]
seats = 1.0
[[targets]]
measure = "score"
least = 1
players = [2]
"""
VARIANT = """
extends = "base"
rounds = 6
event_deck = "none"
[start]
ducats = 3
[krzyzacy.bonus]
4 = 9
[hire]
price = [1, 2, 3, 4, 5]
first_pays = true
[titles]
crown_commander = "count"
"""
PROFILE = """
title = "T"
description = "d"
temperature = 0.5
[weights]
helper = 1.0
crown_strength = 2
"""
TARGETS = """
[[targets]]
measure = "seat_win_share"
within = 3.5
variants = ["base"]
groups = ["0", "1"]
[[targets]]
measure = "score"
least = 1
most = 90
title = "t"
"""
FILES = {"plan.toml": EXPERIMENT, "variant.toml": VARIANT, "profile.toml": PROFILE, "targets.toml": TARGETS}
WORDS = [
    "0", "-1", "1", "2.5", "nan", "-inf", "1e400", "9" * 30, "9" * 5000, "0x" + "f" * 40, "true", "null",
    "{}", "[]", "[[]]",
    '""', '"x"', '"base"', '"~nobody/x.toml"', '"../x.toml"', '"a\\u0000b.toml"', '"' + "x" * 300 + '"',
    '"\\ud800"', "'''a\nb'''",
    "1979-05-27", "[1, 'a']", "{ x = 1 }", "[" * 60 + "]" * 60, '"."', '"/"', '"plan.toml"', '"random.py:X"',
    "=", "\n", "#", "[",
    "]]", '"', ".", ",", "\0", "ż", "\ud7ff", "\u2028", "\\", "[stop]\n", "[[targets]]\n", "[weights]\n",
    "[cards.crown]\n", "*", "?",
]  # fmt: skip
VALUES = [
    None, True, False, 0, -1, 1, 7, 2**63, 2**70, 0.5, float("nan"), float("inf"), "", "x", "base", "random",
    "a\0b", "\ud800",
    "~nobody/x.toml", "a\nb", "x" * 300, [], [[]], [0], ["x"], [None], {}, {"x": 1}, {"": {}}, [[["x"]]],
    {"base": {}},
]  # fmt: skip
ARGUMENTS = [
    "run", "report", "compare", "check", "plan", "replay", "games", "examples", "RUN", "plan.toml",
    "targets.toml", "variant.toml",
    "--out", "--game", "na-grunwald", "--players", "2", "2,4", "0", "--variant", "base", "--strategies",
    "random", "--lineup", "--games",
    "--seed", "--log", "rounds", "--trace", "--effect", "1", "--power", "0.8", "--comparisons", "--baseline",
    "--measure", "score",
    "--seat-threshold", "nan", "--html", "--labels", "--quiet", "--resume", "--no-rotate", "-1", "1e9",
    "9" * 400, "", ",", "a\0b",
    "x" * 300, "/dev/zero", "~nobody/x", "..", "\ud800", "a\nb", "--", "-h", "--effect=inf", "--players=9,9",
    "--no",
]  # fmt: skip
ALLOWED = (BalanceError, click.ClickException, click.exceptions.Exit, click.Abort)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return good inputs: four files and a run."""
    folder = tmp_path_factory.mktemp("fuzz")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    variants, strategies = ["base", "krzyzacy-hard"], ["generalist", "random"]
    play(folder / "RUN", games=12, players=[2], strategies=strategies, variants=variants)
    return folder


def spoil_text(draw: random.Random, text: str) -> bytes:
    """Return a file's text with words changed, lines dropped, doubled or moved, or bytes flipped."""
    for _ in range(draw.randint(1, 3)):
        lines = text.split("\n")
        place = draw.randrange(len(lines))
        how = draw.random()
        if how < 0.5 and "=" in lines[place]:
            lines[place] = f"{lines[place].partition('=')[0]}= {draw.choice(WORDS)}"
        elif how < 0.65:
            lines.insert(place, draw.choice(lines))
        elif how < 0.8:
            del lines[place]
        else:
            at = draw.randrange(len(lines[place]) + 1)
            end = lines[place][at:]
            lines[place] = lines[place][:at] + draw.choice(WORDS) + end[draw.randint(0, 3) :]
        text = "\n".join(lines) or "x"
    content = bytearray(text.encode("utf-8"))
    if draw.random() < 0.1:
        content[draw.randrange(len(content))] = draw.randrange(256)
    return bytes(content)


def spoil_json(draw: random.Random, info: dict) -> str:
    """Return `run.json` with some values, at any depth, changed or dropped."""
    info = copy.deepcopy(info)
    for _ in range(draw.randint(1, 3)):
        where = info
        while True:
            keys = list(where) if isinstance(where, dict) else list(range(len(where)))
            if not keys:
                break
            key = draw.choice(keys)
            if isinstance(where[key], (dict, list)) and where[key] and draw.random() < 0.75:
                where = where[key]
                continue
            if draw.random() < 0.3:
                del where[key]
            else:
                where[key] = copy.deepcopy(draw.choice(VALUES))
            break
    text = json.dumps(info)
    return text[: draw.randrange(len(text))] if draw.random() < 0.05 else text


def try_files(draw: random.Random, home: Path) -> None:
    """Read an experiment that names a variant and a profile, and a file of targets checked against a plan."""
    name = draw.choice(list(FILES))
    path = home / name
    path.write_bytes(spoil_text(draw, FILES[name]))
    try:
        if name == "targets.toml":
            targets = read_targets(path)
            check_targets_fit(RunFolder.open(home / "RUN").plan, targets, "targets")
        else:
            plan = make_plan(read_experiment(home / "plan.toml"), home, "plan.toml")
            json.dumps(describe_plan(plan), ensure_ascii=False).encode()
    finally:
        path.write_text(FILES[name], encoding="utf-8")


def try_run(draw: random.Random, home: Path) -> None:
    """Open a run with another `run.json`."""
    path = home / "RUN" / "run.json"
    good = path.read_text(encoding="utf-8")
    path.write_text(spoil_json(draw, json.loads(good)), encoding="utf-8")
    try:
        run = RunFolder.open(home / "RUN")
        run.changes()
        _ = [run.plan.parts(cell, 0, 1) for cell in run.plan.cells]
        _ = [run.plan.schedule(cell) for cell in run.plan.cells]
    finally:
        path.write_text(good, encoding="utf-8")


def try_arguments(draw: random.Random, home: Path) -> None:
    """Read a command line up to its first game; nothing is played."""
    words = draw.choices(ARGUMENTS, k=draw.randint(1, 7))
    begin = draw.randrange(4)
    if begin == 0:
        words = ["plan", "--effect", draw.choice(["1", "nan", "0", "1e-9", "99.9"]), *words[:2]]
    elif begin == 1:
        options = draw.sample(["--seed", "--games", "--variant", "--strategies", "--players", "--trace"], 2)
        given = [word for option in options for word in (option, draw.choice(ARGUMENTS))]
        words = ["run", "plan.toml", *given]
    name, command, rest = main.resolve_command(click.Context(main), words)
    if not command:
        return
    asked = command.make_context(name, rest).params
    if name == "plan":
        players = asked["players"] or [2]
        plan_games(asked["effect"], players, asked["power"], asked["comparisons"])
    elif name == "run":
        source, out, resume = (asked.pop(key) for key in ("source", "out", "resume"))
        options = {key: value for key, value in asked.items() if key in Experiment.model_fields}
        given = {key: value for key, value in options.items() if value not in (None, ())}
        (read_resumed if resume else read_source)(source, out, given)


TRIES = (try_files, try_run, try_arguments)


def fuzz(home: Path, count: int, seed: int) -> None:
    """Assert that all errors have one line."""
    refused = 0
    for number in range(count):
        draw = random.Random(seed * 1_000_000 + number)
        attempt = TRIES[number % len(TRIES)]
        try:
            attempt(draw, home)
        except ALLOWED as error:
            refused += 1
            assert "Traceback" not in str(error)
            assert "_Kept" not in str(error) and "instance of" not in str(error), str(error)
        except BaseException as error:
            raise AssertionError(f"{attempt.__name__}, number {number} of seed {seed}") from error
    assert refused > count / 2  # it did spoil them


def test_few(home, monkeypatch, capsys):
    """A sample runs with each change of the code."""
    monkeypatch.chdir(home)
    fuzz(home, 300, seed=1)


@pytest.mark.slow
@pytest.mark.long
def test_many(home, monkeypatch, capsys):
    """All ten thousand inputs run."""
    monkeypatch.chdir(home)
    fuzz(home, 10_000, seed=2)
