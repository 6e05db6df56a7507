"""An extended run has the games of a longer run, keeps its own, and records the extension."""

import shutil

import pytest
from support.runs import digest, edit_info, play, read_info, read_rows

import balance
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

TIERS = """
game = "na-grunwald"
players = [2, 3]
trace = 100
luck = 60
seed = 5

[[tiers]]
name = "styles"
strategies = ["random", "generalist", "treasurer"]
games = 300

[[tiers]]
name = "search"
strategies = ["search-2"]
games = 40
"""


KEYS = {"players": [2, 3], "trace": 70, "luck": 50}


def rows(run, table):
    """Return all rows of a table in order, without the columns about parts."""
    found = read_rows(run, table)
    return found.sort_values(list(found.columns[:1]) + list(found.columns[4:6]), ignore_index=True)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Return a finished run of 120 games in each cell."""
    return play(tmp_path_factory.mktemp("short") / "run", games=120, **KEYS)


@pytest.fixture(scope="module")
def begun(short, tmp_path_factory):
    """Return the same with an extension to 400 games that looks as if it had stopped before its last part."""
    run = shutil.copytree(short, tmp_path_factory.mktemp("begun") / "run")
    balance.play_on(run, 400)
    edit_info(run, status="interrupted")
    return run


@pytest.mark.parametrize("log", ["games", "rounds"])
def test_it_has_the_games_of_a_longer_run(cli, tmp_path, log):
    """It is extended twice, with the same traced and replayed games; existing files do not change."""
    keys = {**KEYS, "variants": ["base", "no-events"], "log": log}
    run = play(tmp_path / "run", games=130, **keys)
    before = digest(run)
    cli("run", "--resume", run, "--games", 180, status=0)
    cli("run", "--resume", run, "--games", 250, status=0)
    at_once = play(tmp_path / "at-once", games=250, **keys)
    after = digest(run)
    assert all(after[name] == before[name] for name in before)
    for table in ("games", "seats", "luck", "trace"):
        assert rows(run, table).equals(rows(at_once, table)), table
    info = read_info(run)
    assert (info["status"], info["rows"]["games"]) == ("finished", 1000)
    assert info["earlier"] == {"main": [130, 180]}
    assert RunFolder.open(run).plan.looks == 3
    cli("verify", run, status=0)


def test_in_python(tmp_path):
    """The function does the same, and two runs become one."""
    run = play(tmp_path / "run", games=40)
    assert len(balance.play_on(run, 60, workers=1).games()) == 60
    with pytest.raises(BalanceError, match="has 60 games in each cell already"):
        balance.play_on(run, 60)
    other = play(tmp_path / "other", games=50, seed=2)
    both = balance.pool([run, str(other)], tmp_path / "both")
    assert len(both.games()) == 110
    assert both.seat_shares()["n"].tolist() == [110] * 4


@pytest.mark.long
def test_one_tier_is_made_longer(cli, tmp_path):
    """The other tier keeps its games; without --tier each grows to this number, and none shrinks."""
    (tmp_path / "tiers.toml").write_text(TIERS)
    run = tmp_path / "run"
    cli("run", tmp_path / "tiers.toml", "--out", run, "--quiet")
    cli("run", "--resume", run, "--tier", "search", "--games", 60, status=0)
    plan = RunFolder.open_finished(run).plan
    lengths = {tier.name: (tier.most_games, tier.earlier) for tier in plan.tiers}
    assert lengths == {"styles": (300, (300,)), "search": (60, (40,))}
    for name in lengths:  # a page shows both
        assert plan.in_tier(name, "run").look_families == 2
    cli("run", "--resume", run, "--games", 310, status=0)
    plan = RunFolder.open_finished(run).plan
    earlier = [(tier.most_games, tier.earlier) for tier in plan.tiers]
    assert earlier == [(310, (300, 300)), (310, (40, 60))]
    assert plan.looks == 3
    cli("report", run, "--out", tmp_path / "out", status=0)
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "The run was extended: before, a cell had at most 300 games." in page
    assert "at interim analysis 3" in page


@pytest.mark.parametrize("games", [500, 300, 130, 120])
def test_a_length_that_was_begun_is_no_look_and_may_be_another(cli, short, begun, tmp_path, games):
    """Any new length gives the same files as if the unfinished one had never been asked for."""
    run, same = shutil.copytree(begun, tmp_path / "run"), shutil.copytree(short, tmp_path / "same")
    cli("run", "--resume", run, "--games", games, status=0)
    if games > 120:
        cli("run", "--resume", same, "--games", games, status=0)
    for folder in ("games", "seats", "trace", "luck"):
        assert digest(run / folder) == digest(same / folder), folder
    first, second = (RunFolder.open_finished(each) for each in (run, same))
    assert first.plan.looks == second.plan.looks == 1 + (games > 120)
    assert first.plan.tier.earlier == second.plan.tier.earlier
    assert first.info["rows"] == second.info["rows"]
    cli("verify", run, status=0)


def test_what_was_finished_is_not_given_up(cli, begun, tmp_path):
    """A run that was never finished keeps its length too."""
    run = shutil.copytree(begun, tmp_path / "run")
    done = cli("run", "--resume", run, "--games", 119, status=1)
    assert "needs at least 120 games in each cell; give this number or more" in done.output
    told = cli("report", run, "--out", tmp_path / "out").output
    assert told.endswith(f"--resume {run} (or cancel the extension with --games 120)\n")
    new = play(tmp_path / "new", games=120)
    edit_info(new, status="interrupted")
    assert "needs at least 120 games" in cli("run", "--resume", new, "--games", 100).output
    cli("run", "--resume", new, "--games", 150, status=0)
    assert RunFolder.open_finished(new).plan.looks == 1


def test_a_stop_rule_has_its_ceiling_raised(cli, tmp_path):
    """Decided cells stay, and its earlier analyses too. The rest of the page counts another interim analysis."""
    stop = {"ceiling": 1500, "threshold_points": 4.0}
    keys = {"players": [2], "variants": ["base", "no-events"], "games": 1000, "stop": stop}
    run = play(tmp_path / "run", **keys)
    cli("run", "--resume", run, "--games", 4000, status=0)
    at_once = play(tmp_path / "at-once", **{**keys, "stop": {**stop, "ceiling": 4000}})
    assert rows(run, "games").equals(rows(at_once, "games"))
    assert RunFolder.open(run).plan.looks == 2


def test_a_ceiling_is_that_of_all_tiers(cli, tmp_path):
    """A single tier cannot be named."""
    stop = "stop = { ceiling = 80, threshold_points = 4.0 }\n"
    (tmp_path / "tiers.toml").write_text(stop + TIERS.replace("games = 300", "games = 40"))
    run = tmp_path / "run"
    cli("run", tmp_path / "tiers.toml", "--out", run, "--quiet", status=0)
    done = cli("run", "--resume", run, "--tier", "search", "--games", 160, status=1)
    assert "a stop rule has one ceiling for all tiers; leave out --tier" in done.output
    cli("run", "--resume", run, "--games", 160, status=0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--games", "100"], "has 120 games in each cell already"),
        (["--games", "120"], "give more to extend it"),
        (["--games", "1000000000"], "100000000"),
        (["--tier", "main"], "--tier with --resume needs --games"),
        (["--games", "200", "--tier", "search"], "search"),
        (["--games", "200", "--seed", "3"], "give only its folder"),
    ],
)
def test_mistakes_are_one_line_and_change_nothing(cli, short, options, said):
    """Fewer games, too many, an unknown tier and another seed give one line."""
    before = (short / "run.json").read_bytes()
    done = cli("run", "--resume", short, *options)
    assert done.exit_code != 0
    assert said in done.output
    assert (short / "run.json").read_bytes() == before


def test_another_version_of_the_rules_is_refused(cli, short, tmp_path):
    """One run must not contain games of two versions of the rules."""
    run = shutil.copytree(short, tmp_path / "run")
    edit_info(run, source_hash="0" * 16)
    for games in ([], ["--games", 180]):
        done = cli("run", "--resume", run, *games, status=1)
        assert "changed since it began: the package's source" in done.output


def test_lengths_that_can_not_be_are_refused(cli, short, tmp_path):
    """A hand-written run.json with impossible lengths is refused."""
    run = shutil.copytree(short, tmp_path / "run")
    for earlier, said in (({"main": [121]}, "earlier.main"), ({"none": [10]}, "none")):
        edit_info(run, earlier=earlier)
        done = cli("report", run, "--out", tmp_path / "out", status=1)
        assert said in done.output
