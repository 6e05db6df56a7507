"""Duels between tiers: played once at the end of a run, on deals of their own, and kept in its folder."""

import json

import numpy as np
import pandas as pd
import pytest
from support.runs import digest, play, report_text

import balance
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.runs.folder import RunFolder
from balance.runs.sidecar import DUELS, read_sidecar
from balance.runs.strength import read_strength
from balance.runs.workers import Threads
from balance.studies import duels
from balance.studies.duels import measure_strength

pytestmark = pytest.mark.slow
TIERS = [
    {"name": "weak", "strategies": ["random"], "games": 120},
    {"name": "strong", "strategies": ["generalist", "treasurer"], "games": 120},
]
KEYS = {"game": "na-grunwald", "players": [2, 3], "variants": ["base"], "tiers": TIERS}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Return a run of two tiers that have met."""
    path = tmp_path_factory.mktemp("duels") / "run"
    balance.play(KEYS, path, 1, progress=False)
    return path


def test_the_stronger_tier_wins_its_duel(measured):
    """Profiles beat random players at both player counts, by up to a fair share's distance from all."""
    found = read_strength(RunFolder.open(measured))
    assert found.is_measured and found.order == ["weak", "strong"] and found.ranks["strong"] == 1
    assert list(found.duels["players"]) == [2, 3]
    by_pair = found.duels.set_index(["tier", "other"])
    assert set(by_pair.index) <= {("strong", "weak"), ("weak", "strong")}
    sign = 1 if ("strong", "weak") in by_pair.index else -1
    assert (sign * by_pair["value"] > [30, 25]).all()  # all of it: 50 points, and 50 with three players
    assert (found.duels["n"] <= 120).all() and (found.duels["n"] >= 114).all()


def test_another_seed_and_other_workers_change_no_duel(measured, tmp_path):
    """The same players under the same rules have one order of strength."""
    other = balance.play({**KEYS, "seed": 99}, tmp_path / "run", 2, progress=False)
    one, two = (read_sidecar(DUELS, RunFolder.open(path)) for path in (measured, other.folder.path))
    pd.testing.assert_frame_equal(one, two)


def test_pooled_runs_keep_the_duels(measured, tmp_path):
    """They depend on no seed."""
    balance.play({**KEYS, "seed": 5}, tmp_path / "other", 1, progress=False)
    balance.pool([measured, tmp_path / "other"], tmp_path / "pooled")
    one, pooled = (read_sidecar(DUELS, RunFolder.open(path)) for path in (measured, tmp_path / "pooled"))
    pd.testing.assert_frame_equal(one, pooled)
    assert not list(RunFolder.open(tmp_path / "pooled").faults())


def test_resuming_a_finished_run_lets_its_tiers_meet(tmp_path, cli):
    """As for a run from before there were duels; the games stay as they are."""
    run = play(tmp_path / "run", **{**KEYS, "strategies": [], "games": None})
    games = digest(run / "games")
    cli("run --resume", run, status=0)
    assert read_strength(RunFolder.open(run)).is_measured
    assert digest(run / "games") == games


def test_a_duel_that_is_kept_is_not_played_again(measured, monkeypatch):
    """Nor by an extension; so a report plays nothing."""
    monkeypatch.setattr(duels, "play_duel", lambda *_: pytest.fail("played"))
    measure_strength(RunFolder.open(measured))
    assert not list(RunFolder.open(measured).faults())


def test_new_neighbours_meet_too(tmp_path):
    """A search of one iteration loses to the profile that it was assumed to beat, and then meets the next tier."""
    search = {"name": "search", "strategies": ["search-1"], "games": 60}
    run = balance.play({**KEYS, "players": [2], "tiers": [*TIERS, search]}, tmp_path / "run", 1, False)
    found = read_strength(RunFolder.open(run.folder.path))
    pairs = {frozenset(pair) for pair in zip(found.duels["tier"], found.duels["other"], strict=True)}
    names = found.order
    assert {frozenset(names[:2]), frozenset(names[1:])} <= pairs


def test_everyone_sits_alone_in_every_seat():
    """A deal has each seat once for a player of one tier among the other, and with more than two players once more."""
    plan = make_plan(make_experiment({**KEYS, "players": [2, 4]}), None, "test")
    weak, strong = plan.tiers
    for players, sides in ((2, [1, 1]), (4, [1] * 4 + [-1] * 4)):
        lineups, alone, signs = duels.draw_tables(plan, strong, weak, players)
        assert signs.tolist() == sides
        assert (alone == np.tile(np.arange(players), len(sides) // players)).all()
        is_strong = lineups < len(strong.strategies)
        own = np.take_along_axis(is_strong, alone[..., None], -1)[..., 0]
        assert (own == (np.array(sides) == 1)).all()
        assert (is_strong.sum(-1) == np.where(np.array(sides) == 1, 1, players - 1)).all()


def test_slow_searchers_play_fewer_games():
    tiers = [*TIERS[1:], {"name": "search", "strategies": ["search-3000"], "games": 900}]
    plan = make_plan(make_experiment({**KEYS, "tiers": tiers}), None, "test")
    assert duels.games_of(plan, plan.tiers[1], plan.tiers[0]) == 10


@pytest.mark.usefixtures("undrawn")
def test_the_page_shows_the_duels_or_says_that_the_order_is_assumed(measured, tmp_path):
    page = report_text(measured, tmp_path / "out")
    assert "By strength: weak < strong" in page and "How strong the tiers are" in page
    table = pd.read_csv(tmp_path / "out" / "tables" / "tiers-strength.csv")
    assert len(table) == 2
    run = play(tmp_path / "old", **{**KEYS, "strategies": [], "games": None})
    page = report_text(run, tmp_path / "old-out")
    assert "This order is assumed" in page and f"balance run --resume {run}" in page
    measure_strength(RunFolder.open(run), Threads(1))
    assert "This order is assumed" not in report_text(run, tmp_path / "new-out")


def test_truncated_games_count_for_no_tier(tmp_path):
    """A limit of decisions ends every game: nothing is shown."""
    run = balance.play({**KEYS, "players": [2], "decision_limit": 5}, tmp_path / "run", 1, False)
    strength = read_strength(RunFolder.open(run.folder.path))
    assert set(strength.ranks.values()) == {0}
    assert (strength.duels["n"] == 0).all()
    assert json.loads((run.folder.path / "run.json").read_text("utf-8"))["status"] == "finished"
