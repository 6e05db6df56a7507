"""Repeated extension of a run does not inflate the error: a planted truth, seven interim analyses."""

from dataclasses import fields

import numpy as np
import pytest
from support.runs import play

import balance
from balance.analysis.compare import compare_variants
from balance.experiments.growth import extend_plan, resume_plan
from balance.experiments.plan import Plan
from balance.runs.folder import RunFolder
from balance.stats.comparisons import ALPHA, judge, p_value
from balance.stats.intervals import Interval

pytestmark = pytest.mark.usefixtures("undrawn")

LOOKS = 7
RUNS = 4_000
FIRST = 200  # decks at the first look, twice as many at each further one


def called_different(families: list[int]) -> np.ndarray:
    """Return at which interim analyses (runs, looks) equal variants are called different."""
    rng = np.random.default_rng(7)
    decks = FIRST * 2 ** np.arange(LOOKS)
    # What each look adds, as sums of that many unit normals.
    added = rng.normal(size=(RUNS, LOOKS)) * np.sqrt(np.diff(decks, prepend=0))
    means = np.cumsum(added, axis=1) / decks
    error = np.broadcast_to(1 / np.sqrt(decks), means.shape)
    found = []
    for look in range(LOOKS):
        value, spread = means[:, look], error[:, look]
        n = np.full(RUNS, decks[look])
        each = Interval(value, value - 1.96 * spread, value + 1.96 * spread, n, n, spread)
        words = [judge(_row(each, i), p_value(_row(each, i)), families=families[look]).words[0] for i in range(RUNS)]
        found.append([word in ("higher", "lower") for word in words])
    return np.array(found).T


def _row(each: Interval, i: int) -> Interval:
    return Interval(*(np.broadcast_to(getattr(each, field.name), RUNS)[i : i + 1] for field in fields(each)))


@pytest.fixture(scope="module")
def plan(tmp_path_factory) -> Plan:
    run = play(tmp_path_factory.mktemp("looks") / "run", variants=["base", "no-events"], games=80)
    return RunFolder.open(run).plan


def looked_at(plan: Plan, looks: int) -> Plan:
    """Return the plan of a run with this number of interim analyses."""
    for games in range(81, 80 + looks):
        plan = resume_plan(extend_plan(plan, games, [], "run"), plan)
    return plan


@pytest.mark.long
def test_all_looks_together_are_wrong_at_most_twice_as_often_as_one(plan):
    """Seven analyses at 5 % each would be wrong nearly three times as often; each by itself keeps its level."""
    families = [looked_at(plan, looks).look_families for looks in range(1, LOOKS + 1)]
    naive, ours = called_different([1] * LOOKS), called_different(families)
    assert naive.any(axis=1).mean() > 2.5 * ALPHA
    margin = 3 * np.sqrt(2 * ALPHA / RUNS)
    assert ours.any(axis=1).mean() < 2 * ALPHA + margin
    for look in range(LOOKS):
        assert ours[:, look].mean() < ALPHA / 2**look + margin


def test_a_run_made_longer_is_judged_more_strictly(cli, tmp_path):
    """The same games played at once and in two steps give the same figures and twice the p."""
    keys = {"players": [2], "variants": ["base", "krzyzacy-hard"], "strategies": ["generalist"]}
    once = play(tmp_path / "once", games=600, **keys)
    twice = play(tmp_path / "twice", games=300, **keys)
    cli("run", "--resume", twice, "--games", 600)
    first, second = (compare_variants(RunFolder.open(run), "base", ["score"]) for run in (once, twice))
    assert first[["effect", "low", "high", "n"]].equals(second[["effect", "low", "high", "n"]])
    assert np.allclose(np.minimum(1, 2 * first["p"]), second["p"])


def test_results_in_python_are_judged_as_strictly(cli, tmp_path):
    """Early choices and a section alone have twice the p; verdicts are those of `seat_shares`."""
    keys = {"players": [2], "variants": ["base"], "strategies": ["generalist", "treasurer", "random"]}
    once = play(tmp_path / "once", games=900, log="rounds", **keys)
    twice = play(tmp_path / "twice", games=450, log="rounds", **keys)
    cli("run", "--resume", twice, "--games", 900)
    first, second = balance.open_run(once), balance.open_run(twice)
    chosen = [run.early_choices("base") for run in (first, second)]
    assert (chosen[0]["p"] < 0.5).any()
    assert np.allclose(np.minimum(1, 2 * chosen[0]["p"]), chosen[1]["p"])
    alone = [run.tables("seats")["seats"]["p"] for run in (first, second)]
    assert np.allclose(alone[1], second.seat_shares()["p"])
    assert np.allclose(np.minimum(1, 2 * alone[0]), alone[1])


def test_a_page_says_so(cli, tmp_path):
    """The page states the earlier length and the error of this interim analysis."""
    run = play(tmp_path / "run", variants=["base", "no-events"], games=80)
    cli("run", "--resume", run, "--games", 120)
    cli("run", "--resume", run, "--games", 200)
    cli("report", run, "--out", tmp_path / "out", status=0)
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "The run was extended: before, a cell had at most 80 and 120 games." in page
    assert "at interim analysis 3" in page
    assert "all pages of this run together hold with 90 %" in page
