"""`balance check --junit`: a test for each target, as CI services read it."""

import json
import re
from xml.etree import ElementTree as Xml

import pytest
from support.runs import play

from balance.analysis.target_checks import check_targets
from balance.experiments.targets import read_targets
from balance.runs.folder import RunFolder

ODD = "</testcase> \"a\" & 'b' \u0001\u001b[31m ]]> zażółć"
TARGETS = {
    "met": 'measure = "score"\nleast = 1',
    "missed": 'measure = "score"\nmost = 1',
    "undecided": 'measure = "seat_win_share"\nwithin = 3\nplayers = [4]',
    ODD: 'measure = "score"\nleast = 2\nmost = 3',
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return play(tmp_path_factory.mktemp("junit") / "run", players=[2, 4], games=40)


def write_targets(path, names):
    text = "".join(f"[[targets]]\ntitle = {json.dumps(name)}\n{TARGETS[name]}\n" for name in names)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("names", "status", "counts"),
    [
        (["met"], 0, (1, 0, 0)),
        (["met", "undecided"], 3, (2, 0, 1)),
        (["met", "missed", "undecided", ODD], 1, (4, 2, 1)),
    ],
)
def test_each_target_is_a_test(run, cli, tmp_path, names, status, counts):
    """Its outcome is the verdict; exit status and output are the same as without a file."""
    targets, path = write_targets(tmp_path / "targets.toml", names), tmp_path / "check.xml"
    asked = ("check", run, targets, "--quiet")
    result = cli(*asked, "--junit", path)
    assert (result.exit_code, result.output) == (status, cli(*asked).output)
    suite = Xml.parse(path).getroot()
    assert suite.tag == "testsuite" and suite.attrib["name"] == "na-grunwald: run"
    assert tuple(int(suite.attrib[name]) for name in ("tests", "failures", "skipped")) == counts
    assert suite.attrib["errors"] == "0"
    tags = {"met": [], "missed": ["failure"], "undecided": ["skipped"], ODD: ["failure"]}
    cases = suite.findall("testcase")
    for name, case in zip(names, cases, strict=True):
        assert [child.tag for child in case] == [*tags[name], "system-out"]


def test_what_a_failure_says(run, cli, tmp_path):
    """It gives the place, the value with its interval, the bounds and the games needed, of all rows not met."""
    targets, path = write_targets(tmp_path / "targets.toml", TARGETS), tmp_path / "check.xml"
    cli("check", run, targets, "--quiet", "--junit", path)
    table = check_targets(RunFolder.open(run), read_targets(targets))
    wanted = {"met": "at least 1", "missed": "at most 1", "undecided, 4 players": "22 to 28", ODD: "2 to 3"}
    by_target = table.groupby("target", sort=False)
    for case, (target, rows) in zip(Xml.parse(path).getroot(), by_target, strict=True):
        lines = case.find("system-out").text.splitlines()
        for line, row in zip(lines, rows.itertuples(), strict=True):
            assert line.startswith(row.verdict) and f"{row.players} players, base" in line
            mean = f"mean {row.value:.2f} ({row.low:.2f} to {row.high:.2f})"
            assert f"{mean}, wanted {wanted[target]}, n = {row.n:,}" in line
        if target != "met":
            outcome = case[0]
            not_met = [line for line in lines if not line.startswith("pass")]
            assert outcome.text.splitlines() == not_met and outcome.attrib["message"] in not_met
    told = r"undecided, about [\d,]+ more games: 4 players, base, seat_win_share (1st|2nd|3rd|4th): "
    assert re.search(told, path.read_text("utf-8"))


def test_names_are_shown_as_they_are(run, cli, tmp_path):
    """Only letters that XML cannot hold are replaced."""
    targets, path = write_targets(tmp_path / "targets.toml", [ODD]), tmp_path / "check.xml"
    cli("check", run, targets, "--quiet", "--junit", path)
    (case,) = Xml.parse(path).getroot()
    assert case.attrib["name"] == ODD.replace("\u0001", "\ufffd").replace("\u001b", "\ufffd")


def test_targets_that_differ_only_in_where_they_hold(cli, tmp_path):
    """Each is a separate test, named by its cells; a missed one does not fail the others."""
    run = play(tmp_path / "run", players=[2, 4], variants=["base", "hire-dear"], games=40)
    seat = 'measure = "seat_win_share"\n'
    met, missed = "least = 0", "least = 100"
    texts = [
        f'{seat}{bound}\ntitle = "seat"\ngroups = ["{group}"]\nvariants = ["{variant}"]'
        for bound, group, variant in ((met, 0, "base"), (missed, 1, "base"), (met, 0, "hire-dear"))
    ]
    texts += [
        'measure = "score"\nleast = 1\nplayers = [2]',
        'measure = "score"\nleast = 1\nplayers = [2, 4]\nvariants = ["hire-dear"]',
        *["measure = 'score'\nmost = 1"] * 2,
    ]
    targets, path = tmp_path / "targets.toml", tmp_path / "check.xml"
    targets.write_text("".join(f"[[targets]]\n{text}\n" for text in texts))
    printed = cli("check", run, targets, "--quiet", "--junit", path).output.splitlines()
    suite = Xml.parse(path).getroot()
    found = {case.attrib["name"]: case.find("failure") is not None for case in suite}
    assert found == {
        "seat, 1st seat, base": False,
        "seat, 2nd seat, base": True,
        "seat, 1st seat, hire-dear": False,
        "score at least 1, 2 players": False,
        "score at least 1, 2 and 4 players, hire-dear": False,
        "score at most 1": True,
        "score at most 1 (2)": True,
    }
    assert suite.attrib["tests"] == "7" == str(len(suite)) and suite.attrib["failures"] == "3"
    assert [line for line in printed if line in found] == list(found)
