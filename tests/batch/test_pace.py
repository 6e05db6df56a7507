"""How long games will take is said before searchers begin."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.batch.pace import seconds_needed, write_seconds
from balance.plan.experiment import make_experiment
from balance.plan.make import make_plan


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
    """As people say them."""
    assert write_seconds(seconds) == words


def plan_of(**keys):
    data = {
        "game": "na-grunwald",
        "players": [2],
        "strategies": ["search-4", "balanced"],
        "games": 200,
        **keys,
    }
    return make_plan(make_experiment(data), Path(), "test")


@pytest.mark.slow
def test_more_work_takes_longer():
    """Ten times the games, ten times as long; ten times the iterations, several times; luck is counted."""
    plan = plan_of()
    parts = plan.parts(plan.cells[0], 0, 200)
    seconds_needed(plan, parts)  # compiled, and warm
    few, many = (min(seconds_needed(plan, parts[:n]) for _ in range(3)) for n in (1, len(parts)))
    assert many >= few
    searching = plan_of(strategies=["search-80", "balanced"])
    slow = seconds_needed(searching, searching.parts(searching.cells[0], 0, 200))
    assert slow > 3 * many
    lucky = plan_of(luck=200)
    assert seconds_needed(lucky, lucky.parts(lucky.cells[0], 0, 200)) > 3 * many


@pytest.mark.slow
def test_it_is_said_once(shell, tmp_path):
    """On standard error, before the first game; not of profiles, and not where nobody wants to hear."""
    arguments = ("run", "--game", "na-grunwald", "--players", 2, "--games", 8, "--workers", 2)
    told = shell(*arguments, "--strategies", "search-4,balanced", "--out", tmp_path / "one")
    assert told.stderr.count("searchers play: about a second on 2 workers") == 1
    assert (
        "searchers"
        not in shell(*arguments, "--strategies", "balanced", "--out", tmp_path / "two").stderr
    )
    quiet = shell(
        *arguments, "--strategies", "search-4,balanced", "--out", tmp_path / "three", "--quiet"
    )
    assert quiet.stderr == ""
