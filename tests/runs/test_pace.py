"""The expected time is printed before searchers begin."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.foundation.progress import Progress
from balance.runs.runner import seconds_needed, write_seconds
from balance.studies.playing import play_plan


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
    assert write_seconds(seconds) == words


def plan_of(**keys):
    data = {
        "game": "na-grunwald",
        "players": [2],
        "strategies": ["search-4", "generalist"],
        "games": 200,
        **keys,
    }
    return make_plan(make_experiment(data), Path(), "test")


@pytest.mark.slow
def test_more_work_takes_longer(monkeypatch):
    """Twenty times the iterations take several times as long; replayed games are counted."""
    monkeypatch.setattr(time, "perf_counter", time.process_time)  # whatever else the machine does

    def least(**keys):
        plan = plan_of(**keys)
        parts = plan.parts(plan.cells[0], 0, 200)
        return min(seconds_needed(plan, parts) for _ in range(5))

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
    from balance.runs import runner

    monkeypatch.setattr(runner, "seconds_needed", lambda plan, parts: seconds)
    listener = Listener()
    play_plan(plan_of(games=8), tmp_path / "one", workers=workers, progress=listener)
    assert listener.lines == lines
    play_plan(plan_of(games=8, strategies=["generalist"]), tmp_path / "two", progress=listener)
    assert listener.lines == lines
