"""Sweeps: points, their rules and names, and their part of the report."""

import pandas as pd
import pytest
from support.runs import play

import balance
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.experiments.saved_plan import describe_plan, restore_plan
from balance.foundation.toml import write_value
from balance.report import write_report
from balance.runs.folder import RunFolder

KEYS = {"game": "na-grunwald", "players": [4], "strategies": ["generalist", "treasurer"], "games": 4}


def plan_of(tmp_path, **sweep):
    return make_plan(make_experiment({**KEYS, "sweep": sweep}), tmp_path, "sweep.toml")


def test_one_key(tmp_path):
    """Each value is a variant; the value of base is base."""
    plan = plan_of(tmp_path, **{"krzyzacy.bonus.4": [2, 4, 6, 8]})
    names = [variant.name for variant in plan.variants]
    assert names == ["base", *(f"krzyzacy.bonus.4={value}" for value in (2, 4, 8))]
    assert plan.points["base"] == {"krzyzacy.bonus.4": 6}
    assert [variant.rules.krzyzacy.bonus.four for variant in plan.variants] == [6, 2, 4, 8]
    assert all(variant.rules.krzyzacy.bonus.two == 2 for variant in plan.variants)


def test_a_grid_of_two_keys(tmp_path):
    """Every combination is a point; names of decks are values too."""
    plan = plan_of(tmp_path, **{"event_deck": ["base", "calm"], "hire.price": [1, [0, 1, 2, 3, 4]]})
    points = [name for name in plan.points if name != "base"]
    assert len(points) == 4
    last = plan.variants[-1]
    assert last.rules.event_deck.name == "calm"
    assert last.rules.hire.price == [0, 1, 2, 3, 4]
    again = restore_plan(describe_plan(plan))
    assert again.points == plan.points
    assert [v.rules for v in again.variants] == [v.rules for v in plan.variants]


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ({"krzyzacy.bonuss.4": [2]}, ["sweep", "krzyzacy.bonuss", "krzyzacy.bonus"]),
        ({"krzyzacy.bonus.4": [2, 99]}, ["sweep", "krzyzacy.bonus.4", "50"]),
        ({"krzyzacy.bonus.4": []}, ["sweep.krzyzacy.bonus.4"]),
        ({"krzyzacy.bonus.4": [2, 2]}, ["is repeated"]),
        ({"rounds": list(range(1, 9)), "start.ducats": list(range(51))}, ["408 points", "400"]),
        ({"rounds": [7], "start.ducats": [1], "start.helpers": [1]}, ["sweep"]),
        ({"cards.crown.strengths": [[1, 2]]}, ["source"]),
        (
            {"krzyzacy.bonus.2": [4, 6]},  # base's is 2, and four play
            ["sweep: krzyzacy.bonus.2=4 and krzyzacy.bonus.2=6 are the same rules with 4 players"],
        ),
        (
            {"krzyzacy.bonus.2": [2, 4]},
            ["sweep: krzyzacy.bonus.2=2 and krzyzacy.bonus.2=4 are the same rules with 4 players"],
        ),
        ({"krzyzacy.bonus.2": [4]}, ["sweep: base and krzyzacy.bonus.2=4 are the same rules"]),
        ({"krzyzacy.bonus.4": [6]}, ["sweep: base and krzyzacy.bonus.4=6 are the same rules"]),
        ({"title": ["a", "b"]}, ["sweep: title=a and title=b are the same rules", "balance games"]),
        ({"krzyzacy.bonus.4": [2, 4], "description": ["a", "b"]}, ["are the same rules"]),
        ({"hire.price": [3, [3, 3, 3, 3, 3]]}, ["are the same rules"]),
    ],
)
def test_wrong_sweeps_get_one_line(cli, tmp_path, sweep, words):
    values = "\n".join(f'"{key}" = {write_value(value)}' for key, value in sweep.items())
    text = 'game = "na-grunwald"\nplayers = [4]\ngames = 4\nstrategies = ["random"]\n[sweep]\n'
    (tmp_path / "sweep.toml").write_text(text + values + "\n")
    result = cli("run", tmp_path / "sweep.toml", "--out", tmp_path / "run", status=1)
    (line,) = (line for line in result.output.splitlines() if line.startswith("Error: "))
    assert "sweep.toml" in line
    for word in words:
        assert word in line, line


LOST, SCORE = ({"measure": "skirmishes_lost_share", "least": 30, "most": 60}, {"measure": "score", "least": 1})


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """Return a sweep of one key over two player counts, with targets."""
    return play(
        tmp_path_factory.mktemp("swept") / "run", workers=2, players=[2, 4], games=480, log="rounds",
        strategies=["generalist", "treasurer", "quartermaster", "krzyzacy-hunter"],
        sweep={"krzyzacy.bonus.4": [0, 6, 12]}, targets=[LOST, SCORE],
    )  # fmt: skip


def test_the_response_to_a_key(swept):
    """The API gives the key's values next to the means; a higher bonus loses more skirmishes."""
    table = balance.open_run(swept).measures(["skirmishes_lost"])
    four = table[table["players"] == 4].set_index("krzyzacy.bonus.4")["value"]
    assert list(four.sort_index().index) == [0, 6, 12]
    assert four[0] < four[6] < four[12]
    two = table[table["players"] == 2]["value"]  # the key is of four players
    assert two.nunique() == 1


@pytest.mark.long
@pytest.mark.slow
def test_the_report_of_a_sweep(swept, tmp_path):
    """It has curves, the points that may be fairest, and the values that meet the targets."""
    write_report([RunFolder.open_finished(swept)], tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Response to krzyzacy.bonus.4" in text
    assert "## Sweep" in text
    points = pd.read_csv(tmp_path / "tables" / "sweep-fairness.csv")
    assert list(points["players"]) == [2, 2, 2, 4, 4, 4]
    assert points[points["players"] == 2]["fairest"].all()  # the key is of four players
    assert "With 2 players every value of the sweep gives the same games." in text
    measured = points[points["n"] > 0]
    assert list(measured["players"]) == [2, 4]
    assert (measured["low"] <= measured["value"]).all() and (measured["value"] <= measured["high"]).all()
    targets = pd.read_csv(tmp_path / "tables" / "targets.csv")
    lost = targets[(targets["players"] == 4) & (targets["measure"] == "skirmishes_lost_share")]
    assert dict(zip(lost["variant"], lost["verdict"], strict=True))["krzyzacy.bonus.4=0"] == "fail"
    assert "shown to meet all targets: base" in text


@pytest.mark.long
def test_the_report_of_a_grid(tmp_path):
    """It has heat maps with both keys."""
    sweep = {"krzyzacy.bonus.4": [2, 6], "start.ducats": [0, 3, 6]}
    strategies = ["generalist", "treasurer"]
    run = play(tmp_path / "run", strategies=strategies, games=40, log="rounds", sweep=sweep)
    assert len(RunFolder.open(run).plan.points) == 6
    write_report([RunFolder.open_finished(run)], tmp_path / "out")
    for figure in ("sweep-seats", "sweep-score"):
        assert (tmp_path / "out" / "figures" / f"{figure}.png").stat().st_size > 10_000
