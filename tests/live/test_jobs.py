"""Jobs of the page: what they work with, what they select, and how their faults are shown."""

import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.foundation.progress import SILENCE
from balance.live import jobs
from balance.live.arms import ArmStore, Settings
from balance.live.draft import Draft
from balance.live.shown import ask_variants, place_on_scale, render, show
from balance.report.screen import Grid


@pytest.fixture
def page(open_site):
    return open_site()


@pytest.fixture
def fake(monkeypatch):
    """Return a function that replaces a job."""
    return lambda name, job: monkeypatch.setitem(jobs.JOBS, name, job)


def is_idle(status):
    return not status["busy"]


def test_a_job_has_the_draft_of_its_start(page, fake):
    """Changes of the page while it works do not reach it."""
    seen, changed = [], threading.Event()

    def job(context, body):
        assert changed.wait(60)
        seen.append((context.draft.state.values, context.now.rules.rounds))
        variant = jobs.with_value(context.draft, "tie_rule", "last-placed", "last-placed")
        seen.append(variant.rules.rounds)

    fake("value", job)
    page.ask("set", key="rounds", value=7)
    page.ask("job", name="value")
    page.ask("set", key="rounds", value=6)
    changed.set()
    page.wait("status", lambda status: seen and is_idle(status))
    assert seen == [({"rounds": 7}, 7), 7] and page.message("state")["values"] == {"rounds": 6}


def test_strong_players_are_compared_with_verdicts_on_the_same_rules(page, fake, monkeypatch):
    """If the page shows those of other rules, they are played first."""
    seen = []

    def job(context, body):
        seen.append((context.cells, jobs.cells_of(context)))

    fake("strong", job)
    page.wait("result", lambda result: result["games"] == 96)
    page.ask("job", name="strong")
    page.wait("status", lambda status: seen and is_idle(status))
    shown, cells = seen.pop()
    assert cells is shown and {place.variant for place in cells} == {"base"}
    page.wait("status", lambda status: "96 games" in status["text"] and is_idle(status))

    def fail(*arguments):
        raise ValueError("no result yet")

    monkeypatch.setattr("balance.live.session.ask_variants", fail)
    page.ask("set", key="rounds", value=7)
    page.wait("status", lambda status: "no result yet" in status["error"])
    page.ask("job", name="strong")
    page.wait("status", lambda status: bool(seen))
    shown, cells = seen.pop()
    assert shown is None and {place.variant for place in cells} == {"base", "now"}


def test_no_verdicts_contradict_nothing():
    tier = {"name": "expert", "games": 48, "grid": Grid([2], ["base"], []), "differ": []}
    for compared, words in ((False, "There are no verdicts to compare with yet."), (True, "No verdict of the page")):
        html = render("jobs.html.jinja", kind="strong", tiers=[tier], compared=compared)
        assert words in html and html.count('class="muted"') == 1


def test_a_fault_of_a_job_is_shown_in_its_panel(page, fake):
    """And in the status; the page lives on."""
    faults = {
        "ValueError: boom": ValueError("boom"),
        "not enough memory: close other programs": MemoryError(),
        "rounds: too many": BalanceError("rounds: too many"),
    }

    def job(context, body):
        raise faults[body["fault"]]

    fake("others", job)
    for words in faults:
        page.ask("job", name="others", fault=words)
        page.wait("job others", lambda job, words=words: words in job["html"])
        page.wait("status", is_idle)
    page.wait("result", lambda result: result["games"] == 96)


def test_the_largest_steps_of_all_player_counts_come_first():
    """They are shrunk for selection; steps that are not shown are left out."""
    effects = pd.DataFrame(
        {
            "players": [2, 2, 4],
            "key": ["small", "none", "large"],
            "step": "8 to 9",
            "size": [0.1, 0.0, 0.5],
            "effect": [1.0, 0.0, 5.0],
            "quoted": [0.8, 0.0, 4.5],
            "low": 0.5,
            "high": 6.0,
        }
    )
    rows = jobs.largest_steps(effects)
    assert [row[:3] for row in rows] == [("large", "8 to 9", 4), ("small", "8 to 9", 2)]
    assert rows[0][3].startswith("+4.50 (")


def test_what_moved_most_is_the_figure_of_the_table(few_games):
    """The interval holds for all changes together, from which this one was selected by its shrunk size."""
    game = get_game("na-grunwald")
    draft = Draft(game, "base")
    store = ArmStore(Settings(game, "base", [2], ["champion", "generalist"], 1, Path()).plan(draft.start), 1)
    draft.change("rounds", 6)
    comparison = ask_variants(store, draft.start, draft.variant, 1, SILENCE)
    effects = comparison.effects
    line = show(comparison, 1).moved[0]
    assert line.startswith("estimated minutes ")
    (row,) = effects[effects["measure"] == "minutes"].itertuples()
    assert f" {row.effect:+.1f} (" in line
    assert float(line.partition("(")[2].partition(" to")[0]) < row.low - 0.1


def test_a_key_without_a_playable_value_says_so(page, monkeypatch):
    def fail(*arguments):
        raise BalanceError("can't be played")

    monkeypatch.setattr(jobs, "with_value", fail)
    page.ask("job", name="value", key="rounds", measure="score", target="20")
    html = page.wait("job value", lambda job: job["html"])["html"]
    assert "No value of this key can be played." in html


def test_a_closer_look_at_few_games_says_what_is_missing(page, monkeypatch):
    """Chances are learned from 200 deals; what else is seen is shown."""
    monkeypatch.setattr("balance.live.jobs.LOOK_GAMES", 48)
    page.ask("job", name="closer")
    html = page.wait("job closer", lambda job: job["html"])["html"]
    assert "from 200 deals or more" in html and "seats that use" in html and "out of it early" not in html


def test_infinite_ends_reach_the_ends_of_the_scale():
    """An interval without an end is not drawn in the middle."""
    assert [place_on_scale(each, (0, 10)) for each in (-np.inf, 5, np.inf, np.nan)] == [0, 50, 100, 50]
