"""Running, stopping, resuming: the rows are the same in all cases; the expected time of searchers is announced."""

import signal
import subprocess
import sys
import time
import tomllib
from functools import partial

import pyarrow.parquet as pq
import pytest
from support.runs import digest, plan_of, play, read_info, read_rows, resume

from balance.analysis.sequences import seat_verdicts
from balance.foundation.errors import BalanceError
from balance.foundation.progress import Progress
from balance.runs import runner
from balance.runs.folder import RunFolder
from balance.runs.workers import Threads
from balance.studies.playing import play_plan

EXPERIMENT = """
game = "na-grunwald"
players = [2, 3]
variants = ["base", "no-events"]
strategies = ["random", "generalist"]
games = 60000
seed = 5
log = "rounds"
"""


def test_workers_do_not_change_the_rows(tmp_path):
    """1 and 2 workers give the same bytes."""
    keys = {"games": 30_000, "players": [2, 4]}
    one = play(tmp_path / "one", workers=1, **keys)
    two = play(tmp_path / "two", workers=2, **keys)
    assert digest(one) == digest(two)
    assert len(digest(one)) == 2 * 2 * 2


@pytest.mark.long
@pytest.mark.parametrize("moment", [0.8, 1.3, 2.0, 3.0])
def test_a_killed_run_resumes_to_the_same_bytes(tmp_path, moment, undisturbed):
    """kill -9 at several moments loses only the current parts."""
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT)
    run = tmp_path / "run"
    command = [sys.executable, "-m", "balance", "run", experiment, "--out", run, "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (run / "run.json").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(moment)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = digest(run)
    assert all(before[name] == undisturbed[name] for name in before)
    assert RunFolder.open(run).faults() == []
    resume(run, 2)
    assert digest(run) == undisturbed
    assert read_info(run)["status"] == "finished"
    assert not list(run.rglob("*.tmp"))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Return the hashes of the same run without a disturbance."""
    run = play(tmp_path_factory.mktemp("undisturbed") / "run", workers=2, **tomllib.loads(EXPERIMENT))
    return digest(run)


@pytest.mark.slow
def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path):
    """After SIGINT one line gives the command to resume."""
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT.replace("60000", "20000"))
    run = tmp_path / "run"
    command = [sys.executable, "-m", "balance", "run", experiment, "--out", run]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not list(run.glob("games/*.parquet")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip().splitlines()[-1].endswith(f"balance run --resume {run}")
    assert "Traceback" not in errors
    resume(run, 2)
    whole = play(tmp_path / "whole", workers=2, **tomllib.loads(experiment.read_text()))
    assert digest(run) == digest(whole)


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_keeps_what_is_finished(tmp_path):
    """Finished parts are safe, and the run resumes later."""
    run = tmp_path / "run"
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000));"
        "from balance.cli.commands import main; main(sys.argv[1:])"
    )
    arguments = ["run", "--game", "na-grunwald", "--players", "2,4", "--strategies", "random"]
    arguments += ["--games", "20000", "--out", str(run), "--workers", "1"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: cannot write")
    assert len(done.stderr.strip().splitlines()) == 1
    assert "--resume" in done.stderr
    assert not list(run.rglob("*.tmp"))
    resume(run, 1)
    assert len(read_rows(run, "games")) == 40_000


def test_a_changed_experiment_is_not_resumed(tmp_path, cli):
    """The line names the change."""
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(EXPERIMENT.replace("60000", "100"))
    run = tmp_path / "run"
    cli("run", experiment, "--out", run, status=0)
    for change, key in ((("60000", "90"), "experiment.games"), (("60000", "100"), "experiment.seed")):
        experiment.write_text(EXPERIMENT.replace(*change).replace("seed = 5", "seed = 6"))
        assert key in cli("run", experiment, "--out", run, "--resume", status=1).stderr


def test_a_used_folder_is_refused(tmp_path):
    """Neither a run nor other files are overwritten."""
    run = play(tmp_path / "run")
    with pytest.raises(BalanceError, match="already contains a run"):
        play(run)
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.txt").write_text("mine")
    with pytest.raises(BalanceError, match="not an empty folder"):
        play(other)


def test_stop_rule_plays_until_every_seat_is_decided(tmp_path):
    """Games are analysed in order, so the number of workers does not change where a cell ends."""
    stop = {"threshold_points": 6.0, "ceiling": 40_000}
    keys = {"players": [2, 4], "games": 2_000, "stop": stop}
    one = play(tmp_path / "one", workers=1, **keys)
    two = play(tmp_path / "two", workers=2, **keys)
    assert digest(one) == digest(two)
    run = RunFolder.open(one)
    for cell in run.plan.cells:
        played = pq.read_table(one / "games", filters=[("players", "=", cell.players)]).num_rows
        assert 2_000 <= played < 40_000  # it did not play on to the ceiling
        assert "undecided" not in set(seat_verdicts(run, cell, played, 6.0)["verdict"])
        before = seat_verdicts(run, cell, played - 2_000, 6.0)["verdict"]
        assert played == 2_000 or "undecided" in set(before)
    ceiling = {**keys, "stop": {"threshold_points": 0.01, "ceiling": 6_000}}
    capped = play(tmp_path / "capped", **ceiling)
    assert len(read_rows(capped, "games")) == 2 * 6_000


def test_looks_of_a_resumed_run_see_no_later_games(tmp_path):
    """With early parts lost and later ones present, the analyses and the rows are the same."""
    stop = {"threshold_points": 3.0, "ceiling": 20_000}
    run = play(tmp_path / "run", players=[2], games=1_000, stop=stop)
    before = digest(run)
    parts = sorted(run.glob("games/*.parquet"))
    assert len(parts) > 3
    parts[0].unlink()
    parts[2].unlink()
    resume(run, 2)
    assert digest(run) == before


@pytest.mark.long
def test_memory_stays_flat_as_games_grow(tmp_path):
    """Six times the games need at most 1.3 times the memory (`make bench` measures 1,000,000)."""
    # VmHWM, and not ru_maxrss: that one is inherited from the process that starts this one.
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, 'tests'); from support.runs import play;"
        "play(Path(sys.argv[1]), workers=2, games=int(sys.argv[2]));"
        "lines = Path('/proc/self/status').read_text().splitlines();"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )
    peaks = []
    for games in (50_000, 300_000):
        command = [sys.executable, "-c", code, str(tmp_path / str(games)), str(games)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout) / 1024)
    assert peaks[1] < 1.3 * peaks[0]
    assert peaks[1] < 700


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "about a second"),
        (80, "about 80 seconds"),
        (300, "about 5.0 minutes"),
        (3000, "about 50 minutes"),
        (9000, "about 2.5 hours"),
    ],
)
def test_times_in_words(seconds, words):
    """Times are written as people say them."""
    assert runner.write_seconds(seconds) == words


search_plan = partial(plan_of, players=[2], strategies=["search-4", "generalist"], games=200)


@pytest.mark.slow
def test_more_work_takes_longer(monkeypatch):
    """Twenty times the iterations take several times as long; replayed games are counted."""
    monkeypatch.setattr(time, "perf_counter", time.process_time)  # whatever else the machine does

    def least(**keys):
        plan = search_plan(**keys)
        parts = plan.parts(plan.cells[0], 0, 200)
        return min(runner.seconds_needed(plan, parts) for _ in range(5))

    plain = least()
    assert least(strategies=["search-80", "generalist"]) > 3 * plain
    assert least(luck=200) > 3 * plain


class Listener(Progress):
    """Listener that records the extra lines."""

    def __init__(self):
        self.lines = []

    def tell(self, line):
        self.lines.append(line)


@pytest.mark.parametrize(
    ("seconds", "workers", "lines"),
    [
        (500, 2, ["searchers play: about 4.2 minutes on 2 workers"]),
        (60, 1, ["searchers play: about 60 seconds on one worker"]),
        (9, 1, []),  # not worth saying
    ],
)
def test_it_is_said_once(seconds, workers, lines, tmp_path, monkeypatch):
    """It is printed before the first game, for searchers only."""
    monkeypatch.setattr(runner, "seconds_needed", lambda plan, parts: seconds)
    listener = Listener()
    play_plan(search_plan(games=8), tmp_path / "one", Threads(workers), listener)
    assert listener.lines == lines
    play_plan(search_plan(games=8, strategies=["generalist"]), tmp_path / "two", progress=listener)
    assert listener.lines == lines
