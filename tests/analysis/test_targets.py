"""Targets: pass, fail and undecided, their exit status, and errors in target files."""

import math

import numpy as np
import pytest
from scipy import stats
from support.runs import old_profile, play

import balance
from balance.analysis.compare import compare_runs
from balance.analysis.gather import LEAST_GAMES
from balance.analysis.target_checks import check_targets, exit_status, games_to_settle
from balance.analysis.traced import read_options
from balance.experiments.targets import Target, name_targets
from balance.foundation.errors import BalanceError
from balance.runs import lock
from balance.runs.folder import RunFolder
from balance.stats.comparisons import NEXT_LOOK
from balance.stats.intervals import Interval


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a run with two and four players and two variants."""
    names = ("balanced", "treasurer", "quartermaster", "krzyzacy-hunter")
    keys = {"players": [2, 4], "variants": ["base", "krzyzacy-hard"], "games": 1_200}
    path = tmp_path_factory.mktemp("targets") / "run"
    return play(path, workers=2, strategies=[old_profile(name) for name in names], **keys)


def verdicts(run, **keys) -> dict[tuple[int, str, str], str]:
    table = check_targets(RunFolder.open(run), [Target(**keys)])
    return {(row.players, row.variant, row.group): row.verdict for row in table.itertuples()}


def test_pass_fail_and_undecided(run):
    """Bounds lie far above, far below, and at the mean itself."""
    means = balance.open_run(run).measures(["score"]).set_index(["players", "variant"])["value"]
    assert set(verdicts(run, measure="score", least=1).values()) == {"pass"}
    assert set(verdicts(run, measure="score", most=1).values()) == {"fail"}
    on_it = verdicts(run, measure="score", least=float(means[2, "base"]), players=[2], variants=["base"])
    assert on_it == {(2, "base", ""): "undecided"}


def test_groups_players_and_variants(run):
    """A target covers all cells unless it names some."""
    assert len(verdicts(run, measure="seat_win_share", within=1.0)) == 2 * (2 + 4)
    some = verdicts(run, measure="strategy_win_share", most=99, players=[4], groups=["treasurer"])
    assert some == {(4, "base", "treasurer"): "pass", (4, "krzyzacy-hard", "treasurer"): "pass"}


def test_intervals_are_widened_for_the_number_of_checks(run):
    one = check_targets(RunFolder.open(run), [Target(measure="score", least=1, players=[2], variants=["base"])])
    all_cells = check_targets(RunFolder.open(run), [Target(measure="score", least=1)])
    same = all_cells[(all_cells["players"] == 2) & (all_cells["variant"] == "base")].iloc[0]
    assert same["high"] - same["low"] > one.iloc[0]["high"] - one.iloc[0]["low"]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('measure = "score"\nleast = 1', 0),
        ('measure = "score"\nmost = 1', 1),
        ('measure = "seat_win_share"\nwithin = 3\nplayers = [4]\nvariants = ["base"]', 3),
    ],
)
def test_the_exit_status(run, cli, tmp_path, text, status):
    """0: all pass; 1: one fails; 3: one is undecided."""
    (tmp_path / "targets.toml").write_text(f"[[targets]]\n{text}\n")
    result = cli("check", run, tmp_path / "targets.toml", status=status)
    assert "checks:" in result.output


def test_a_failure_outweighs_what_is_undecided(run):
    targets = [Target(measure="score", most=1), Target(measure="seat_win_share", within=3.0, players=[4])]
    table = check_targets(RunFolder.open(run), targets)
    assert {"fail", "undecided"} <= set(table["verdict"])
    assert exit_status(table) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('measure = "score"\nleest = 1', ["targets.0.leest", "least"]),
        ('measure = "scores"\nleast = 1', ["unknown measure 'scores'", "'score'"]),
        ('measure = "out_of_itt"\nmost = 25', ["did you mean 'out_of_it'"]),
        ('measure = "score"', ["within", "least", "most"]),
        ('measure = "score"\nwithin = 1', ["within", "win shares"]),
        ('measure = "score"\nleast = 2\nmost = 1', ["least (2) is more than most (1)"]),
        ('measure = "score"\nleast = 2\nplayers = [3]', ["no 3-player games"]),
        ('measure = "score"\nleast = 2\nvariants = ["bass"]', ["unknown variant 'bass'", "'base'"]),
        ('measure = "strategy_win_share"\nmost = 2\ngroups = ["x"]', ["unknown strategy 'x'"]),
    ],
)
def test_wrong_targets_get_one_line(run, cli, tmp_path, text, words):
    (tmp_path / "targets.toml").write_text(f"[[targets]]\n{text}\n")
    result = cli("check", run, tmp_path / "targets.toml", status=2)
    (line,) = (line for line in result.output.splitlines() if line.startswith("Error: "))
    assert "targets.toml" in line
    for word in words:
        assert word in line


def test_a_run_still_being_written(run, cli, tmp_path):
    """A run locked by this process, or stopped early, is refused."""
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    info = (copy / "run.json").read_text(encoding="utf-8")
    (copy / "run.json").write_text(info.replace('"finished"', '"running"'), encoding="utf-8")
    for command in (["compare", copy, "--baseline", "base"], ["report", copy, "--out", tmp_path / "out"]):
        result = cli(*command, status=1)
        assert "is not finished; finish it with: balance run --resume" in result.output
    with lock.hold(copy):
        result = cli("report", copy, "--out", tmp_path / "out")
    assert "is being written by another process" in result.output


def test_no_two_targets_have_one_name():
    """Names differ for any titles, so a reader knows which target a verdict belongs to."""
    targets = [
        Target(measure="score", title=title, least=least) for title in ("a", "a (2)", "a", "") for least in (1, 2)
    ]
    names = name_targets(targets)
    assert names == ["a", "a (2)", "a (2) (2)", "a (2) (3)", "a (3)", "a (4)", "score at least 1", "score at least 2"]


@pytest.mark.parametrize(("least", "most"), [(10, 12), (10, math.inf), (-math.inf, 12)])
def test_as_many_more_games_as_are_named_decide_in_four_of_five(least, most):
    """After 400 games the undecided targets are extended: within two bounds, or on one side of a bound."""
    rng, level = np.random.default_rng(9), 0.95
    truth = rng.uniform(3, 19, 40_000)
    seen = truth + rng.normal(0, 1, truth.size)
    reach = stats.norm.isf((1 - level) / 2)
    undecided = (np.abs(seen - least) < reach) | (np.abs(seen - most) < reach)
    truth, seen = truth[undecided], seen[undecided]
    games, decks, error, low, high = (np.full(seen.size, each) for each in (400, 200, 1.0, least, most))
    more = games_to_settle(Interval(seen, seen, seen, games, decks, error), low, high, level)
    means = (400 * seen + more * rng.normal(truth, np.sqrt(400 / more))) / (400 + more)
    reach = stats.norm.isf(NEXT_LOOK * (1 - level) / 2) * np.sqrt(400 / (400 + more))
    inside = (least <= means - reach) & (means + reach <= most)
    outside = (means + reach < least) | (means - reach > most)
    found = inside | outside
    for region in (slice(None), np.abs(seen - 11) < 0.5, np.abs(seen - 10) < 0.5, seen > 12.5):
        there = found[region]
        if there.size:
            assert there.mean() == pytest.approx(0.8, abs=4 * np.sqrt(0.8 * 0.2 / there.size))


def test_decks_that_are_all_alike_say_how_many_more_games(tmp_path):
    """One of two always wins, from either seat: more deals would show that each seat wins half."""
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=[["champion", "random"]], games=60)
    table = check_targets(RunFolder.open(run), [Target(measure="seat_win_share", within=5)])
    assert (table["value"] == 50).all() and (table["verdict"] == "undecided").all()
    shares = balance.open_run(run).seat_shares()
    assert (shares["verdict"] == "undecided").all()
    assert (table["more_games"] > 1000).all() and (shares["more_games"] > 1000).all()


def test_options_are_a_target(run, tmp_path):
    """Traced games show how many seats use each option: as on the page, in checks and between runs."""
    opened = RunFolder.open(play(tmp_path / "run", strategies=["generalist", "random"], games=LEAST_GAMES, log="trace"))
    table = check_targets(opened, [Target(measure="option_use", least=5)])
    shown = read_options(opened)
    assert table["value"].tolist() == pytest.approx(shown["value"].tolist())
    assert {"krzyzacy", "crown", "provisions"} <= {*table["group"]}
    assert table["decks"].dtype.kind == "i" and table["decks"].max() <= LEAST_GAMES
    named = check_targets(opened, [Target(measure="option_use", least=5, groups=["crown"])])
    assert [*named["group"].unique()] == ["crown"] and (named["more_games"] == 0).all()
    with pytest.raises(BalanceError, match="unknown option 'moon'"):
        check_targets(opened, [Target(measure="option_use", least=5, groups=["moon"])])
    with pytest.raises(BalanceError, match="too few games were traced; play it with --trace 300"):
        check_targets(RunFolder.open(run), [Target(measure="option_use", least=5)])
    same = compare_runs(opened, opened, ["option_use"])
    assert len(same) == len(shown) and (same["effect"] == 0).all()
