"""A run folder that another person wrote or edited: one line names the file and the key."""

import copy
import json
import shutil

import pytest
from support.errors import check_line
from support.runs import play, read_info

from balance import __version__

READ = {
    "": "schema_version game status package_version source_hash bot_hashes started rows experiment base "
    "variants reconstructions strategies lineups points",
    "experiment": "game players variants strategies lineups rotate games seed log trace decision_limit "
    "stop sweep targets thresholds",
    "strategies.0": "name kind profile",
}
KEYS = [f"{table}.{key}".strip(".") for table, keys in READ.items() for key in keys.split()]
WRONG = {"missing": None, "null": None, "a number": 0.5, "a text": "x\ny", "a list": [{}], "a table": {"x": []}}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """Return a run with a profile, to be damaged."""
    return play(tmp_path_factory.mktemp("bad") / "run", strategies=["generalist", "random"], players=[2])


@pytest.fixture
def spoil(good, tmp_path):
    """Write the run with another `run.json`."""

    def copied(change):
        run = tmp_path / "run"
        shutil.copytree(good, run, dirs_exist_ok=True)
        info = read_info(good)
        changed = change(info)
        text = changed if isinstance(changed, str) else json.dumps(info)
        (run / "run.json").write_text(text, encoding="utf-8")
        return run

    return copied


def put(info, key, kind):
    """Put a wrong value under a dotted key of `info`."""
    *path, last = key.split(".")
    table = info
    for part in path:
        table = table[int(part) if part.isdigit() else part]
    if kind == "missing":
        del table[last]
    else:
        table[last] = copy.deepcopy(WRONG[kind])


def is_allowed(key, kind):
    """Return whether a run's own text may be any text, and an unread key any table."""
    texts = ("game", "package_version", "source_hash", "started", "strategies.0.name")
    allowed = {"a text": texts, "null": ("experiment.stop",), "a table": ("reconstructions",)}
    return key in allowed.get(kind, ())


@pytest.mark.parametrize("key", KEYS)
def test_every_key_that_is_read(cli, spoil, tmp_path, key):
    """For a missing, null or wrongly typed key the line names run.json and the key."""
    for kind in WRONG:
        if is_allowed(key, kind):
            continue
        run = spoil(lambda info, kind=kind: put(info, key, kind))
        result = cli("report", run, "--out", tmp_path / "report")
        check_line(result, 1, "run.json", key.rpartition(".")[2])
        assert "_Kept" not in result.output, result.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("[1, 2]", "JSON object"),
        ("3", "JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"schema_version": 4, "x": ' + "[" * 900 + "]" * 900 + "}", "nested too deeply"),
        ('{"schema_version": ' + "3" * 5000 + "}", "not valid JSON"),
        ('{"schema_version": 4, "x": "\\ud800"}', "surrogate"),
    ],
)
def test_json_that_is_no_run(cli, spoil, tmp_path, text, words):
    check_line(cli("report", spoil(lambda _: text), "--out", tmp_path / "r"), 1, "run.json", words)


CHANGES = {
    "a line-up of nobody": (lambda i: i.update(lineups=[["nobody", "random"]]), "strategy 'nobody'"),
    "a line-up too long": (lambda i: i.update(lineups=[["random"] * 3]), "no line-up has 2 strategies"),
    "a point of no variant": (lambda i: i.update(points={"x": {}}), "unknown variant 'x'"),
    "a point without a sweep": (lambda i: i.update(points={"base": {"rounds": 3}}), "experiment.sweep"),
    "a strategy twice": (lambda i: i["strategies"].append(i["strategies"][0]), "same name"),
    "a weight of nothing": (lambda i: i["strategies"][0]["profile"]["weights"].update(x=1.0), "feature 'x'"),
    "another kind": (lambda i: i["strategies"][0].update(kind="random"), "kind profile"),
    "a seat too many": (lambda i: i["experiment"].update(players=[7]), "no 7-player game"),
    "a rule out of range": (lambda i: i["variants"]["base"].update(rounds=0), "variants.base: rounds"),
    "a rule gone": (lambda i: i["base"].pop("rounds"), "base: rounds: this key is required"),
    "a target of nothing": (lambda i: i["experiment"].update(targets=[{"measure": "x", "least": 1}]), "measure 'x'"),
    "rows below none": (lambda i: i["rows"].update(games=-1), "rows.games"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_what_does_not_fit(cli, spoil, tmp_path, case):
    """Each key is well formed but contradicts the others."""
    change, words = CHANGES[case]
    check_line(cli("report", spoil(change), "--out", tmp_path / "r"), 1, "run.json", words)


FORMER = {
    "a key that is gone": lambda info: info["experiment"]["thresholds"].update(unfair=0.1),
    "a key that is new": lambda info: info["experiment"].pop("trace"),
    "a rule that is gone": lambda info: info["base"].update(heroes=3),
    "a feature that is gone": lambda info: info["strategies"][0]["profile"]["weights"].update(x=1.0),
    "a hash that is new": lambda info: info.pop("parts_hash"),
}


@pytest.mark.parametrize("case", FORMER)
def test_a_run_of_an_earlier_version_says_how_to_read_it(cli, spoil, tmp_path, case):
    """A folder of 0.1.0 has the same schema; what this version can't read of it is one line with both versions."""

    def age(info):
        info["package_version"] = "0.1.0"
        FORMER[case](info)

    for command in (["report", spoil(age), "--out", tmp_path / "r"], ["verify", spoil(age)]):
        result = cli(*command)
        check_line(result, 1, "version 0.1.0", __version__, "play the experiment again", "run.json")


def test_a_run_of_an_earlier_version_is_read(cli, spoil, tmp_path):
    """If nothing in it has changed since, its version does not matter."""
    run = spoil(lambda info: info.update(package_version="0.1.0"))
    cli("report", run, "--out", tmp_path / "r", status=0)


def test_permission_is_not_cut_short(cli, spoil, monkeypatch):
    """An unreadable file is not reported as damaged."""

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    run = spoil(lambda info: None)
    monkeypatch.setattr("balance.runs.verify.pq.read_metadata", refuse)
    check_line(cli("replay", run, 0), 1, "cell000-000000000.parquet", "permission denied")


def test_a_number_beyond_all_games(cli, spoil):
    """A game number of more than 64 bits is refused."""
    check_line(cli("replay", spoil(lambda info: None), "9" * 400), 1, "run")
