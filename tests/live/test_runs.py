"""Runs and targets on the page, and the history that `balance check` keeps."""

import json
import shutil
from types import SimpleNamespace

import pytest
from support.runs import read_info

from balance.foundation.errors import BalanceError
from balance.live.runs import RunWatch, read_charts
from balance.report.checks import read_checks
from balance.runs.lock import hold

TARGETS = """
[[targets]]
measure = "seat_win_share"
within = 40
players = [2]
variants = ["base"]

[[targets]]
measure = "minutes"
most = 1
players = [4]
variants = ["base"]
"""


@pytest.fixture(scope="module")
def history(traced_run, tmp_path_factory, cli):
    """Return a folder with targets and the history of two checks."""
    folder = tmp_path_factory.mktemp("history")
    (folder / "targets.toml").write_text(TARGETS, encoding="utf-8")
    for _ in range(2):
        cli("check", traced_run, folder / "targets.toml", "--history", folder / "checks.jsonl", status=1)
    return folder


@pytest.fixture
def checked(history, tmp_path):
    """Return a copy of the history, next to its targets."""
    shutil.copytree(history, tmp_path, dirs_exist_ok=True)
    return tmp_path / "checks.jsonl"


def test_the_history_has_a_line_for_each_check(checked):
    """Seats as pages name them, bounds, verdict, and the sources that played."""
    table = read_checks(checked)
    assert len(table) == 6 and len(checked.read_text(encoding="utf-8").splitlines()) == 6
    seats = table[table["players"] == 2]
    assert [*seats["group"]] == ["1st", "2nd"] * 2 and (seats["least"] == 10).all()
    minutes = table[table["players"] == 4]
    assert (minutes["verdict"] == "fail").all() and (minutes["least"] == -float("inf")).all()
    assert table["source"].str.len().min() == 16 and (table["low"] < table["value"]).all()


def test_a_chart_for_each_target(checked):
    """Dots lie inside, with their interval and in order of time."""
    charts = read_charts(checked)
    assert [chart.title for chart in charts] == [
        "seat_win_share within 40 points of fair, 2 players, base, 1st",
        "seat_win_share within 40 points of fair, 2 players, base, 2nd",
        "minutes at most 1, 4 players, base",
    ]
    for chart in charts:
        first, last = chart.dots
        assert first.x < last.x and 0 <= first.high <= first.y <= first.low <= 90
        assert 0 <= chart.band[0] <= chart.band[1] <= 90


CHECK = {
    "target": "minutes", "players": 2, "variant": "base", "group": "", "value": 3.5, "low": None, "high": 4,
    "least": None, "most": 1, "time": "2026-01-01", "run": "r", "source": "s", "verdict": "fail", "n": 24,
}  # fmt: skip
WRONG = [
    {"target": ["a"]}, {"variant": None}, {"players": "2"}, {"players": True}, {"n": 2.5}, {"value": "3"}, {"time": 3},
]  # fmt: skip


def test_a_line_of_a_history(tmp_path):
    """A bound may be missing, which the wrong lines below are not about."""
    path = tmp_path / "checks.jsonl"
    path.write_text(json.dumps(CHECK) + "\n", encoding="utf-8")
    (row,) = read_checks(path).itertuples()
    assert row.high == 4 and row.least == -float("inf") and len(read_charts(path)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "{", "3", "{}", '{"target": "a", "players": 2}', "[" * 100_000,
        *(json.dumps({**CHECK, **each}) for each in WRONG),
    ],
)  # fmt: skip
def test_another_file_is_refused_and_unchanged(checked, line, cli, traced_run, tmp_path):
    """Before the run is read; the line is named."""
    with checked.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    before = checked.read_bytes()
    result = cli("check", traced_run, tmp_path / "targets.toml", "--history", checked, status=2)
    assert "line 7 is not a check" in result.stderr and result.stderr.count("\n") == 1
    assert checked.read_bytes() == before
    with pytest.raises(BalanceError, match="line 7"):
        read_charts(checked)


def test_a_history_in_no_folder(cli, traced_run, tmp_path):
    """It is refused before the run is read."""
    result = cli("check", traced_run, "--history", tmp_path / "none" / "checks.jsonl", status=2)
    assert "the folder does not exist" in result.stderr


def test_runs_under_way_and_finished_ones(open_site, traced_run, checked, tmp_path):
    """Progress, first figures, targets; a report is written on demand."""
    done, stopped = tmp_path / "done", tmp_path / "stopped"
    for path in (done, stopped):
        shutil.copytree(traced_run, path)
    info = read_info(stopped)
    (stopped / "run.json").write_text(json.dumps({**info, "status": "running"}), encoding="utf-8")
    page = open_site(game=None, runs=[done, stopped, tmp_path / "none"], history=checked)
    html = page.wait("runs", lambda runs: "Targets over builds" in runs["html"])["html"]
    assert "144 of 144 games" in html and "base, 2 players: the 1st player wins" in html.replace("2nd", "1st")
    finished, unfinished = (part for part in html.split("<article")[1:3])
    words = ("balanced", "favoured", "undecided", "too few deals")
    assert "generalist, random, treasurer, krzyzacy-hunter" in finished and ", n = 24" in finished
    assert any(f", {word}, n" in finished for word in words)
    assert ", n = 24" in unfinished and not any(word in unfinished for word in words)
    assert "stopped" in html and "not started" in html and "minutes at most 1" in html
    with hold(stopped):
        page.wait("runs", lambda runs: "under way" in runs["html"])
    assert page.post("report", run="2").status_code == 422
    for wrong in ("/etc", "3", "-1", "²"):
        answer = page.post("report", run=wrong)
        assert answer.json()["error"] == f"{wrong} is not one of the runs of this page"


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_the_report_of_a_run(open_site, traced_run, tmp_path):
    shutil.copytree(traced_run, tmp_path / "done")
    page = open_site(game=None, runs=[tmp_path / "done"])
    address = page.ask("report", run="0")["page"]
    assert "balance report" in page.get(address).text
    assert (tmp_path / "done-report" / "index.html").exists()


def test_a_report_is_written_into_a_new_folder(open_site, traced_run, tmp_path, monkeypatch):
    """An older report stays; two runs of one name have reports of their own."""

    def write(runs, out):
        out.mkdir()
        (out / "index.html").write_text(f"report of {runs[0].path}", encoding="utf-8")
        return SimpleNamespace(page=out / "index.html")

    monkeypatch.setattr("balance.report.write_report", write)
    runs = [tmp_path / name / "a#1?" for name in ("one", "two")]
    for run in runs:
        shutil.copytree(traced_run, run)
    (tmp_path / "one" / "a#1?-report").mkdir()
    page = open_site(game=None, runs=runs)
    addresses = [page.ask("report", run=str(number))["page"] for number in range(2)]
    for run, address in zip(runs, addresses, strict=True):
        assert page.get(address).text == f"report of {run}"
    assert (tmp_path / "one" / "a#1?-report-2" / "index.html").exists()
    html = page.wait("runs", lambda runs: runs["html"].count("Report</a>") == 2)["html"]
    assert all(f'href="{address}"' in html for address in addresses)


def test_a_fault_of_a_run_leaves_the_others(traced_run, tmp_path, monkeypatch):
    """It is shown with the run; the thread goes on."""
    watch = RunWatch([traced_run])

    def fail(path):
        raise TypeError("boom")

    monkeypatch.setattr("balance.live.runs.RunFolder.open", fail)
    line = watch.line(0, traced_run)
    assert (line.state, line.error) == ("can't be read", "TypeError: boom")
    monkeypatch.setattr("balance.live.runs.read_charts", fail)
    assert RunWatch([], tmp_path / "none").charts() == ([], "TypeError: boom")


def test_a_history_is_read_again_only_if_it_changed(checked, monkeypatch):
    read = []
    monkeypatch.setattr("balance.live.runs.read_charts", lambda path: read.append(path) or [])
    watch = RunWatch([], checked)
    for _ in range(3):
        watch.charts()
    assert len(read) == 1
    with checked.open("a", encoding="utf-8") as file:
        file.write(json.dumps(CHECK) + "\n")
    watch.charts()
    assert len(read) == 2


def test_a_full_history_says_what_to_do(checked, monkeypatch):
    monkeypatch.setattr("balance.report.checks.MOST_BYTES", 1000)
    with pytest.raises(BalanceError, match="move it away, or name a new file with --history"):
        read_checks(checked)


def test_a_damaged_run_is_one_line(open_site, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "run.json").write_text("{", encoding="utf-8")
    page = open_site(game=None, runs=[tmp_path / "bad"])
    html = page.wait("runs", lambda runs: "read" in runs["html"])["html"]
    assert "not valid JSON" in html
