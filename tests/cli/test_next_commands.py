"""The last lines of a command: next commands that follow from its result and can be copied."""

import shlex
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from support.runs import play

import balance
from balance.analysis.sample_size import RunExtension
from balance.cli.next_commands import after_checking, after_comparing, after_report
from balance.cli.printing import tell_undecided
from balance.contract.sides import Sides
from balance.experiments.targets import Thresholds
from balance.report.screen import Grid, GridCell, GridRow
from balance.runs.folder import RunFolder
from balance.stats.intervals import fair_share

pytestmark = pytest.mark.usefixtures("undrawn")

RUN = Path("runs/mine")
COMPARE = ["compare", "runs/mine", "--baseline", "base"]
WATCH = ["replay", "runs/mine", "closest", "--html", "closest.html"]
PLAN = ["plan", "runs/mine", "--effect", "1.5"]
CHECK = ["check", "runs/mine"]
INFINITE = float("inf")


def plan_of(variants=1, targets=(), kind="profile", tier=0):
    """Return a plan with the parts that are read, and the tier that is read."""
    strategies = [SimpleNamespace(kind=kind)]
    tier_of = {"strategies": strategies, "plays_networks": kind == "network"}
    tiers = [SimpleNamespace(name=name, **tier_of) for name in ("styles", "search")]
    names = [SimpleNamespace(name=name) for name in ("base", "other")[:variants]]
    limits = Thresholds(seats=1.5, seat_margin=3)  # 1.5 points with two players
    experiment = SimpleNamespace(targets=targets, thresholds=limits, players=[2])
    chosen = {"first_variant": names[0], "tier": tiers[tier]}
    game = SimpleNamespace(sides=Sides())
    return SimpleNamespace(
        experiment=experiment, variants=names, tiers=tiers, game=game, fair_share=fair_share, **chosen
    )


def grid_of(*words, anchor="seats"):
    cells = [GridCell("open", word, "", "", "", "base", "base") for word in words]
    return GridRow("Seats fair", "", anchor, cells)


@pytest.mark.parametrize(
    ("plan", "words", "commands"),
    [
        ({}, ["fair"], [WATCH]),
        ({}, ["fair", "not enough games"], [PLAN, WATCH]),
        ({}, ["unfair", "not enough games"], [PLAN, WATCH]),
        ({}, ["fair", "players differ"], [WATCH]),  # no number of games would help
        ({"variants": 2}, ["fair"], [COMPARE]),
        ({"variants": 2}, ["unfair", "not enough games"], [COMPARE, PLAN]),
        ({"targets": ["t"]}, ["fair"], [CHECK, WATCH]),
        ({"targets": ["t"], "variants": 2}, ["not enough games"], [CHECK, COMPARE]),
        ({"targets": ["t"], "variants": 2}, ["too few deals", "withheld"], []),
        ({}, ["too few deals"], [WATCH]),
        ({"kind": "custom"}, ["fair"], []),
        ({"tier": 1}, ["not enough games"], [[*PLAN, "--tier", "search"], [*WATCH, "--tier", "search"]]),
    ],
)
def test_what_follows_on_a_report(plan, words, commands):
    """At most two commands follow from the first screen of the tier; an extension comes before a plan."""
    grid = Grid([2], ["base"], [grid_of(*words), grid_of("not enough games", anchor="strategies")])
    assert after_report(RUN, plan_of(**plan), grid, None) == commands
    longer = RunExtension(2000, 3.0, ["run", "--resume", "runs/mine", "--games", "2000"])
    replaced = [longer.command if command[0] == "plan" else command for command in commands]
    assert after_report(RUN, plan_of(**plan), grid, longer) == replaced


def test_variants_are_compared_as_the_strongest_play_them():
    """The page shows their verdicts, so the next command must not show others."""
    grid = Grid([2], ["base"], [grid_of("fair")])
    assert after_report(RUN, plan_of(variants=2), grid, None, speaker="search") == [[*COMPARE, "--tier", "search"]]
    assert after_report(RUN, plan_of(variants=2), grid, None, speaker="styles") == [COMPARE]


def test_no_games_are_planned_for_networks():
    """`balance plan` refuses them, because more games do not show how far other networks would differ."""
    grid = Grid([2], ["base"], [grid_of("not enough games")])
    assert after_report(RUN, plan_of(kind="network"), grid, None) == [WATCH]


def test_where_no_game_ended_nothing_follows():
    assert after_report(RUN, plan_of(variants=2, targets=["t"]), Grid([], [], []), None) == []


def table_of(*rows):
    return pd.DataFrame(rows, columns=["measure", "verdict", "players", "least", "most"])


def test_what_follows_on_effects():
    """A plan covers the undecided effects on seats, with the same correction."""
    seat = ("seat_win_share", "undecided", 2, 0, 0)
    assert after_comparing(RUN, plan_of(2), table_of(("score", "undecided", 2, 0, 0))) == []
    assert after_comparing(RUN, plan_of(2), table_of(("seat_win_share", "same", 2, 0, 0))) == []
    assert after_comparing(RUN, plan_of(2), table_of(seat)) == [PLAN]
    assert after_comparing(RUN, plan_of(2, tier=1), table_of(seat, seat)) == [
        [*PLAN, "--comparisons", "2", "--tier", "search"]
    ]


@pytest.mark.parametrize(
    ("least", "most", "effect"),
    [(47, 53, "3"), (-INFINITE, 52.5, "2.5"), (46, 51, "1"), (40, INFINITE, "10"), (50, 60, "10")],
)
def test_what_follows_on_checks(least, most, effect):
    """The effect to plan for is the smallest that an undecided target must find; a bound at the fair share is none."""
    row = ("seat_win_share", "undecided", 2, least, most)
    assert after_checking(RUN, plan_of(), table_of(row)) == [["plan", "runs/mine", "--effect", effect]]
    for other in ("pass", "fail", "too few deals"):
        assert after_checking(RUN, plan_of(), table_of((*row[:1], other, *row[2:]))) == []
    assert after_checking(RUN, plan_of(), table_of(("score", *row[1:]))) == []


def test_a_bound_at_the_fair_share_alone_is_no_effect():
    """No number of games shows that a fair seat is above its fair share."""
    assert after_checking(RUN, plan_of(), table_of(("seat_win_share", "undecided", 2, 50, INFINITE))) == []


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ([], ""),
        ([300, 500, 900], "3 undecided; about 500 more games in a cell would decide half of them"),
        ([400], "1 undecided; about 400 more games in a cell would decide it"),
        ([0, 300, 2_000_000], "3 undecided; about 300 more games in a cell would decide one of them"),
        ([0, 300, 500], "3 undecided; about 400 more games in a cell would decide half of the 2 that games can decide"),
        ([0, 2_000_000], "2 undecided; a million more games are not expected to decide any of them."),
    ],
)
def test_all_that_is_undecided_is_counted(games, said):
    """Rows that no number of games decides, or only over a million, count too."""
    rows = [("undecided", each) for each in games] + [("same", 0)]
    told = tell_undecided(pd.DataFrame(rows, columns=["verdict", "more_games"]))
    assert told.startswith(said) and bool(told) == bool(said)


def test_a_longer_run_is_not_said_to_decide_what_it_does_not(cli, tmp_path, monkeypatch):
    """A truth near its bound may need more games than are worth naming, here 10,000."""
    for module in ("balance.analysis.sample_size", "balance.report.words"):
        monkeypatch.setattr(f"{module}.MOST", 10_000)
    run = play(tmp_path / "run", players=[2], strategies=["random", "generalist"], games=200)
    mean = float(balance.open_run(run).measures(["score"])["value"].iloc[0])
    near, far = f"least = {mean + 0.5!r}", f"least = {mean + 1e-6!r}"
    for bounds, said in (
        ([near], "the undecided rows"),
        ([near, far], "the undecided rows that need at most 10,000 more games"),
    ):
        text = "".join(f'[[targets]]\nmeasure = "score"\n{bound}\n' for bound in bounds)
        (tmp_path / "targets.toml").write_text(text)
        result = cli("check", run, tmp_path / "targets.toml", status=3)
        assert ("more than a" in result.output) == (len(bounds) > 1)
        told = f"An extended run would probably settle {said} (probability 80 % for each row), about "
        assert told in " ".join(result.output.split())
        ((command, *_),) = lines(result)
        assert command == "run"


def lines(result):
    """Return the next commands that a command printed."""
    found = [line for line in result.output.splitlines() if line.startswith("next: ")]
    return [shlex.split(line.removeprefix("next: balance ")) for line in found]


@pytest.mark.slow
def test_commands_lead_from_one_to_the_next(cli, tmp_path, monkeypatch):
    """From playing to the last answer each command is copied from the previous output; the folder has a space."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(
        'game = "na-grunwald"\nplayers = [2]\nvariants = ["base", "hire-dear"]\n'
        'strategies = ["generalist", "treasurer"]\ngames = 60\n[thresholds]\nseats = 10\n'
        '[[targets]]\nmeasure = "seat_win_share"\nwithin = 10\nvariants = ["base"]\n'
    )
    waiting, seen = [["run", "mine.toml", "--out", "my runs/mine"]], []
    while waiting and len(seen) < 40:
        command = waiting.pop(0)
        run = Path("my runs/mine")
        if "--resume" in command and RunFolder.open(run).plan.tier.most_games >= int(command[-1]):
            continue  # another one has made it longer since
        result = cli(*command)
        assert result.exit_code in ((0, 3) if command[0] == "check" else (0,)), (command, result.output)
        seen.append(command[0])
        waiting += lines(result)
    assert seen[:4] == ["run", "report", "check", "compare"]
    assert "run" in seen[4:]  # what is undecided leads to a longer run
    assert not waiting  # and that to an end


@pytest.mark.long
def test_one_variant_leads_to_a_game(cli, tmp_path, monkeypatch):
    """Nothing follows with --quiet or if a program reads."""
    monkeypatch.chdir(tmp_path)
    run = play(tmp_path / "run", players=[2], strategies=["random", "generalist"], games=60)
    quiet = cli("report", run, "--out", tmp_path / "out", "--quiet")
    assert "next" not in quiet.output
    told = lines(cli("report", run, "--out", tmp_path / "out"))
    assert [command[0] for command in told] == ["run", "replay"]
    assert all(cli(*command).exit_code == 0 for command in told)
    assert (tmp_path / "closest.html").exists()
    two = play(tmp_path / "two", players=[2], variants=["base", "hire-dear"], games=60)
    asked = ("compare", two, "--baseline", "base", "--measure", "seat_win_share")
    assert lines(cli(*asked)) and not lines(cli(*asked, "--quiet")) and not lines(cli(*asked, "--json"))
