"""Pooled runs: more deals, or more variants on the same deals; every question to a run works for the pool."""

import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path

import pandas as pd
import pytest
from support.runs import digest, edit_info, plan_of, play, read_info, read_rows

import balance
from balance.analysis.compare import compare_variants
from balance.analysis.gather import gather
from balance.experiments.experiment import MOST_GAMES
from balance.experiments.growth import pool
from balance.foundation.errors import BalanceError
from balance.report.context import ReportContext
from balance.report.sections import luck
from balance.runs import lock
from balance.runs.folder import RunFolder
from balance.runs.pooling import pool_next_to, pool_runs, why_apart

pytestmark = pytest.mark.usefixtures("undrawn")

KEYS = {"players": [2, 3], "variants": ["base", "no-events"], "trace": 12, "luck": 10, "log": "rounds"}
KEYS |= {"strategies": ["random", "generalist", "treasurer"]}


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Return two runs with different seeds and lengths."""
    folder = tmp_path_factory.mktemp("days")
    monday = play(folder / "monday", seed=1, games=130, **KEYS)
    return monday, play(folder / "tuesday", seed=2, games=70, **KEYS)


@pytest.fixture(scope="module")
def both(two, tmp_path_factory):
    """Return the pool of both."""
    out = tmp_path_factory.mktemp("pooled") / "both"
    pool_runs(opened(two), out)
    return out


def play_days(folder, **keys):
    """Return two small runs with different seeds."""
    keys = {"players": [2], "games": 20, **keys}
    return [play(folder / name, seed=seed, **keys) for seed, name in enumerate(("one", "two"))]


@pytest.fixture(scope="module")
def unchanged_days(tmp_path_factory):
    return play_days(tmp_path_factory.mktemp("small"))


@pytest.fixture
def days(unchanged_days, tmp_path):
    """Return copies of two small runs, to be changed."""
    return [Path(shutil.copytree(run, tmp_path / run.name)) for run in unchanged_days]


def opened(paths):
    """Return them opened as the command line opens them."""
    return [RunFolder.open_finished(path) for path in paths]


def table(run, name):
    """Return a table as written, with the number of a game in its cell instead of its id."""
    frame = read_rows(run, name)
    return frame.assign(cell=frame["game_id"] // MOST_GAMES, game_id=frame["game_id"] % MOST_GAMES)


@pytest.mark.parametrize("name", ["games", "seats", "rounds", "trace", "luck"])
def test_rows_are_those_of_both(two, both, name):
    """Every row of every table is there once; the second run's games come after the first's."""
    first, second = (table(run, name) for run in two)
    expected = pd.concat([first, second.assign(game_id=second["game_id"] + 130)])
    by = list(expected.columns)
    found = table(both, name)[by]
    assert len(found) == len(expected) > 0
    assert found.sort_values(by, ignore_index=True).equals(expected.sort_values(by, ignore_index=True))


def test_runs_stay_as_they_are_and_the_new_one_is_whole(two, both, cli):
    """Checksums are of the new files; the pool is finished and names its members."""
    before = [digest(run) for run in two]
    assert cli("verify", both).output.startswith(f"{both}: intact, ")
    assert [digest(run) for run in two] == before
    info = read_info(both)
    assert info["rows"]["games"] == 4 * 200
    assert [member["run"] for member in info["members"]] == ["monday", "tuesday"]
    plan = RunFolder.open(both).plan
    assert (plan.tier.most_games, plan.tier.earlier, plan.looks) == (200, (130,), 2)


def test_shares_are_those_of_all_games_and_decks_of_both(two, both):
    """It is a mean over both runs; deals of two seeds are never one."""
    runs = [balance.open_run(path) for path in two]
    for by in ("seat_shares", "strategy_shares"):
        parts = pd.concat([getattr(run, by)() for run in runs])
        keys = ["players", "variant", parts.columns[2]]
        parts["won"] = parts["value"] * parts["n"]
        sums = parts.groupby(keys, sort=False)[["won", "n", "decks"]].sum()
        found = getattr(balance.open_run(both), by)().set_index(keys)
        assert (found["n"] == sums["n"]).all()
        assert (found["decks"] == sums["decks"]).all()
        assert (found["value"] - sums["won"] / sums["n"]).abs().max() < 1e-9


def test_a_game_of_either_is_played_again_as_it_was(two, both, cli):
    """The schedule knows the seed of each game."""
    monday, tuesday = two
    for number, run, own in ((5, monday, 5), (129, monday, 129), (130, tuesday, 0), (180, tuesday, 50)):
        game = 3 * MOST_GAMES + number
        here = cli("replay", both, game).output.splitlines()
        there = cli("replay", run, 3 * MOST_GAMES + own).output.splitlines()
        assert here[1:] == there[1:]
        assert len(here) > 20


def test_every_page_and_question_takes_it(both, cli, tmp_path):
    """Report, comparison and plan work; the page names the members."""
    cli("report", both, "--out", tmp_path / "out", status=0)
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    told = "Pooled from monday (seed 1, at most 130 games in a cell) and tuesday (seed 2, at most 70"
    assert told in page
    assert "at interim analysis 2" in page
    assert "An extended run" not in page
    cli("compare", both, "--baseline", "base", "--measure", "score", status=0)
    done = cli("run", "--resume", both, "--games", 500, status=1)
    assert "was pooled of monday and tuesday" in done.output


def test_the_page_says_whose_first_games_were_played_again(tmp_path):
    """They are the first games of each seed, and for one run those of each cell."""
    pool_runs(opened(play_days(tmp_path, games=60, luck=60)), tmp_path / "both")
    for name, is_pooled in (("one", False), ("both", True)):
        facts = ReportContext(RunFolder.open(tmp_path / name))
        section = luck.write(facts, gather(facts.run, luck.questions(facts)))
        (told,) = (each for each in section.paragraphs if "the first 60 games of each cell" in each)
        assert ("This holds for each of the pooled runs." in told) == is_pooled


@pytest.mark.long
def test_two_runs_named_in_a_report_are_pooled_beside_the_first(two, cli, tmp_path):
    """They are pooled once; the second report reads the same pool. A member that grew since is reported."""
    for _ in range(2):
        done = cli("report", *two, "--out", tmp_path / "out", status=0)
        assert f"pooled: {two[0].parent / 'monday+tuesday'} (800 games)" in " ".join(done.output.split())
    cli("run", "--resume", two[1], "--games", 80)
    done = cli("report", *two, "--out", tmp_path / "again", status=1)
    assert "monday+tuesday exists already" in done.output


def test_other_variants_on_the_same_decks_are_paired(tmp_path, cli):
    """The effects equal those of one run, to the last digit."""
    keys = {"players": [2], "strategies": ["generalist", "treasurer"], "games": 300, "seed": 4}
    one = play(tmp_path / "one", variants=["base"], **keys)
    other = play(tmp_path / "other", variants=["base", "krzyzacy-hard"], **keys)
    together = play(tmp_path / "together", variants=["base", "krzyzacy-hard"], **keys)
    cli("pool", one, other, "--out", tmp_path / "both", status=0)
    frames = [compare_variants(RunFolder.open(path), "base") for path in (tmp_path / "both", together)]
    assert frames[0].equals(frames[1])
    assert len(read_rows(tmp_path / "both", "games")) == 600  # base once


def test_looks_are_counted_whichever_run_is_named_first(tmp_path, cli):
    """An extended run keeps its analyses in a pool with one that was not extended, or at other lengths."""
    keys = {"players": [2], "seed": 4}
    once = play(tmp_path / "once", variants=["base"], games=60, **keys)
    grown = play(tmp_path / "grown", variants=["no-events"], games=20, **keys)
    for games in (40, 60):
        cli("run", "--resume", grown, "--games", games)
    later = play(tmp_path / "later", variants=["krzyzacy-hard"], games=30, **keys)
    cli("run", "--resume", later, "--games", 50)
    runs = opened((once, grown, later))
    for order in permutations(runs):
        plan = pool([run.plan for run in order], [run.path.name for run in order])
        assert (plan.tier.most_games, plan.tier.earlier, plan.looks) == (60, (20, 30, 40), 4)
    found = pool_runs(runs, tmp_path / "all")
    assert RunFolder.open(found.path).plan.looks == 4


def test_two_variants_of_one_name_are_told_apart(tmp_path, cli):
    """A file was edited between two runs."""
    keys = {"players": [2], "games": 60, "seed": 4}
    runs = []
    for ducats in (3, 5):
        mine = tmp_path / "mine.toml"
        mine.write_text(f'extends = "base"\n[start]\nducats = {ducats + 1}\n')
        runs.append(play(tmp_path / f"at-{ducats}", variants=["base", str(mine)], **keys))
    cli("pool", *runs, "--out", tmp_path / "both", status=0)
    run = RunFolder.open_finished(tmp_path / "both")
    assert [variant.name for variant in run.plan.variants] == ["base", "mine", "mine-2"]
    assert [variant.rules.model_dump()["start"]["ducats"] for variant in run.plan.variants[1:]] == [4, 6]
    assert set(read_rows(run.path, "games")["variant"]) == {"base", "mine", "mine-2"}
    assert set(compare_variants(run, "base", ["score"])["variant"]) == {"mine", "mine-2"}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"seed": 1}, "they have the same seed, 1, and so the same games"),
        ({"strategies": ["random", "generalist"]}, "they differ in experiment.strategies"),
        ({"players": [2]}, "experiment.players"),
        pytest.param(
            {"game": "grody", "players": [2], "variants": ["base"], "strategies": ["random"]},
            "they differ in game",
            marks=pytest.mark.long,
        ),
        ({"variants": ["base", "krzyzacy-hard"], "seed": 3}, "variants.krzyzacy-hard"),
        ({"log": "games"}, "experiment.log"),
        ({"stop": {"ceiling": 100}}, "they differ in experiment.stop"),
    ],
)
def test_what_differs_in_more_is_not_pooled(two, tmp_path, changed, reason):
    """One line names the difference; nothing is written."""
    other = play(tmp_path / "other", **{"games": 40, "seed": 9, **KEYS, **changed})
    runs = opened((two[0], other))
    assert reason in why_apart(runs)
    with pytest.raises(BalanceError, match=r"can't be pooled: they (differ in|have the same seed)"):
        pool_runs(runs, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_more_games_than_a_cell_may_have_are_one_line():
    plans = [plan_of(games=60_000_000, seed=seed) for seed in (1, 2)]
    said = "a and b: games: must be at most 100,000,000"
    with pytest.raises(BalanceError, match=said):
        pool(plans, ["a", "b"])


def test_another_version_is_not_pooled(two, tmp_path):
    """Its rules may differ."""
    other = Path(shutil.copytree(two[1], tmp_path / "other"))
    edit_info(other, source_hash="0" * 16)
    assert why_apart(opened((two[0], other))) == "they differ in the package's source"


def test_a_failure_leaves_nothing(two, tmp_path, monkeypatch):
    """After a full disk no partial run remains."""

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("balance.runs.parts.os.replace", full)
    with pytest.raises(BalanceError, match="no space left"):
        pool_runs(opened(two), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_what_was_played_anew_is_not_read_from_an_old_pool(tmp_path):
    """A changed bot in the same experiment shows neither in the plan nor in the numbers of games."""
    bot = tmp_path / "bot.py"
    rows = []
    for choice in ("0", "len(actions) - 1"):
        bot.write_text(f"class Bot:\n    def choose(self, observation, actions):\n        return {choice}\n")
        paths = play_days(tmp_path, strategies=[f"{bot}:Bot", "random"], games=6)
        if rows:
            with pytest.raises(BalanceError, match=r"one\+two exists already, .* remove it"):
                pool_next_to(opened(paths))
            shutil.rmtree(tmp_path / "one+two")
        rows.append(table(pool_next_to(opened(paths)).path, "seats"))
        for path in paths:
            shutil.rmtree(path)
    assert not rows[0].equals(rows[1])


@pytest.mark.parametrize("changed", [{"source_hash": "0" * 16}, {"contents": None}, {"status": "running"}])
def test_a_pool_of_other_sources_or_of_earlier_days_is_told_of(days, tmp_path, changed):
    """For an old or unfinished pool the line names the remedy, and the same call then works."""
    there = pool_next_to(opened(days)).path
    edit_info(there, **changed)
    with pytest.raises(BalanceError, match=r"one\+two exists already, .* remove it"):
        pool_next_to(opened(days))
    shutil.rmtree(there)
    assert pool_next_to(opened(days)).info["rows"]["games"] == 40


def test_a_run_that_grows_while_it_is_pooled_is_refused(days, tmp_path, cli):
    """Its parts are listed after its `run.json` was read."""
    runs = opened(days)
    cli("run", "--resume", days[0], "--games", 40)
    with pytest.raises(BalanceError, match=r"one/parts\.jsonl is not the list .* being extended, wait"):
        pool_runs(runs, tmp_path / "both")
    assert not (tmp_path / "both").exists()
    assert pool_runs(opened(days), tmp_path / "both").info["rows"]["games"] == 60


def test_of_two_that_pool_into_one_folder_the_second_does_no_harm(days, tmp_path, monkeypatch):
    """Files of the first stay, whether it is running or finished."""
    runs = opened(days)
    place = tmp_path / ".both.pooling"
    (place / "both").mkdir(parents=True)
    with lock.hold(place):
        (place / "both" / "part").touch()
        with pytest.raises(BalanceError, match="is being written by another process"):
            pool_runs(runs, tmp_path / "both")
        assert (place / "both" / "part").exists()
        assert not (tmp_path / "both").exists()

    def quicker(*_):
        shutil.copytree(tmp_path / "one", tmp_path / "both")

    monkeypatch.setattr("balance.runs.pooling.copy_parts", quicker)
    with pytest.raises(BalanceError, match="both already contains a run; remove it"):
        pool_runs(runs, tmp_path / "both")
    assert digest(tmp_path / "both") == digest(tmp_path / "one")
    assert not place.exists()


def test_a_pool_that_was_killed_after_its_last_file_is_kept(days, tmp_path):
    """The same command says nothing of a run that is in the way."""
    once = pool_runs(opened(days), tmp_path / "both")
    before = digest(once.path)
    assert pool_runs(opened(days), tmp_path / "both").path == once.path
    assert digest(once.path) == before
    with pytest.raises(BalanceError, match="already contains a run"):
        pool_runs(opened(days)[::-1], tmp_path / "both")


def test_what_a_killed_pool_left_is_in_nobodys_way(days, tmp_path):
    """No unfinished run has its name, and the next call completes the pool."""
    killed = """
import os, sys
from pathlib import Path
from balance.runs import pooling
from balance.runs.folder import RunFolder
from balance.runs.writer import RunWriter

written = RunWriter.add_part
def add_part(self, part):
    written(self, part)
    os._exit(9)

RunWriter.add_part = add_part
pooling.pool_next_to([RunFolder.open_finished(Path(path)) for path in sys.argv[1:]])
"""
    done = subprocess.run([sys.executable, "-c", killed, *map(str, days)], check=False)
    assert done.returncode == 9
    assert [each.name for each in tmp_path.glob("*+*")] == [".one+two.pooling"]
    run = pool_next_to(opened(days))
    assert (run.path, run.info["rows"]["games"]) == (tmp_path / "one+two", 40)
    assert not run.faults()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one", "one+two", "two"]


def test_a_pool_beside_a_run_named_by_a_dot_is_no_part_of_it(days, tmp_path, monkeypatch):
    """The reported path is relative to the user's folder."""
    for here, named, told in (
        ("one", [".", "../two"], "../one+two"),
        ("one/games", ["..", "../../two"], "../../one+two"),
        (".", ["one", "two"], "one+two"),
    ):
        monkeypatch.chdir(tmp_path / here)
        run = pool_next_to(opened(map(Path, named)))
        assert run.named == Path(told)
        assert run.named.resolve() == tmp_path / "one+two"
        shutil.rmtree(tmp_path / "one+two")


@pytest.mark.parametrize("out", [".", "../empty"])
def test_a_folder_that_is_there_and_empty_is_filled(days, tmp_path, monkeypatch, out):
    """The current folder may be used too."""
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert not pool_runs(opened(days), Path(out)).faults()
    assert {"run.json", "games"} < {each.name for each in (tmp_path / "empty").iterdir()}
