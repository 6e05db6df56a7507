"""Two runs that cannot be pooled: their means compared, each with its own deals."""

import json

import pandas as pd
import pytest
from support.runs import play

import balance
from balance.analysis.compare import COLUMNS, compare_runs, compare_variants
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

KEYS = {"players": [2, 3], "strategies": ["generalist", "treasurer", "quartermaster"], "games": 3000}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return base, base with a hard skirmish on other deals, and both on the deals of the first."""
    folder = tmp_path_factory.mktemp("runs")
    plain = play(folder / "plain", variants=["base"], seed=1, **KEYS)
    hard = play(folder / "hard", variants=["krzyzacy-hard"], seed=2, **KEYS)
    paired = play(folder / "paired", variants=["base", "krzyzacy-hard"], seed=1, **KEYS)
    return [RunFolder.open_finished(path) for path in (plain, hard, paired)]


def test_differences_are_of_the_means(runs):
    """Each row is the second mean less the first, and both equal those of the runs."""
    plain, hard, _ = runs
    table = compare_runs(plain, hard, ["score", "seat_win_share", "skirmishes_lost"])
    assert list(table.columns) == list(COLUMNS)
    assert set(table["variant"]) == {"krzyzacy-hard"}
    assert len(table) == 2 * 2 + 2 + 3  # two whole measures, seats of two and of three
    for players, rows in table[table["measure"] == "seat_win_share"].groupby("players"):
        shares = [balance.open_run(run.path).seat_shares() for run in (plain, hard)]
        one, other = (each[each["players"] == players]["value"].to_numpy() for each in shares)
        assert rows["baseline"].to_numpy() == pytest.approx(one)
        assert rows["effect"].to_numpy() == pytest.approx(other - one)


def test_they_agree_with_pairs_and_are_wider(runs):
    """The paired effect lies in nearly all unpaired intervals, and both methods find large effects."""
    plain, hard, paired = runs
    keys = ["players", "variant", "measure", "group"]
    both = compare_runs(plain, hard).merge(compare_variants(paired, "base"), on=keys, suffixes=("", "_paired"))
    both = both[both["low_paired"] < both["high_paired"]]
    inside = (both["low"] < both["high_paired"]) & (both["low_paired"] < both["high"])
    assert len(both) > 30
    assert inside.mean() > 0.9
    assert ((both["high"] - both["low"]) > 0.9 * (both["high_paired"] - both["low_paired"])).mean() > 0.9
    lost = both[both["measure"] == "skirmishes_lost"]
    assert set(lost["verdict"]) == set(lost["verdict_paired"]) == {"higher"}


@pytest.mark.long
def test_alike_runs_are_called_different_no_more_often_than_they_may(tmp_path):
    """In twelve pairs of runs with the same rules, all verdicts of a table share 5 %."""
    keys = {"players": [2], "variants": ["base"], "strategies": ["generalist", "treasurer"], "games": 200}
    found = [RunFolder.open(play(tmp_path / str(seed), seed=seed, **keys)) for seed in range(24)]
    tables = [compare_runs(*found[i : i + 2]) for i in range(0, 24, 2)]
    shown = ["higher", "lower", "slightly higher", "slightly lower"]
    wrong = [table["verdict"].isin(shown).any() for table in tables]
    assert sum(wrong) <= 3  # of 12 at 5 %: more with a chance of 0.2 %


def test_a_variant_in_both_runs_is_compared_with_itself(runs, tmp_path):
    """Without a common variant name all variants are compared with the first."""
    plain, _, paired = runs
    other = RunFolder.open(play(tmp_path / "other", variants=["base", "no-events"], seed=5, **{**KEYS, "games": 60}))
    assert set(compare_runs(paired, other, ["score"])["variant"]) == {"base"}
    assert set(compare_runs(plain, other, ["score"])["variant"]) == {"base"}


def test_what_has_nothing_in_common_is_one_line(runs, tmp_path):
    plain, *_ = runs
    grody = RunFolder.open(play(tmp_path / "grody", game="grody", players=[2], games=4))
    with pytest.raises(BalanceError, match="they can't be compared"):
        compare_runs(plain, grody)
    four = RunFolder.open(play(tmp_path / "four", players=[4], games=20))
    with pytest.raises(BalanceError, match="share no player count"):
        compare_runs(plain, four)


def test_where_no_game_was_finished_it_is_said_so(tmp_path):
    keys = {"players": [2], "games": 10}
    ended = RunFolder.open(play(tmp_path / "ended", **keys))
    broken = [RunFolder.open(play(tmp_path / f"broken-{seed}", seed=seed, decision_limit=5, **keys)) for seed in (1, 2)]
    for pair in (broken, [ended, broken[1]]):
        with pytest.raises(BalanceError, match=r"no game of .*broken-\d was finished"):
            compare_runs(*pair)


def test_other_strategies_share_no_group(tmp_path):
    """Only shares of different strategies were asked for, so no row remains."""
    pairs = [["generalist", "treasurer"], ["random", "quartermaster"]]
    one, other = (RunFolder.open(play(tmp_path / pair[0], players=[2], strategies=pair, games=20)) for pair in pairs)
    with pytest.raises(BalanceError, match="have player count, variant and group in common"):
        compare_runs(one, other, ["strategy_win_share"])
    assert not compare_runs(one, other, ["score"]).empty


@pytest.mark.long
@pytest.mark.parametrize(
    ("other", "why"),
    [
        pytest.param({"players": [3]}, "share no player count", marks=pytest.mark.long),
        pytest.param({"game": "grody", "players": [2]}, "of grody: they can't be compared", marks=pytest.mark.long),
        ({"players": [2], "decision_limit": 5}, "was finished: nothing can be compared"),
    ],
)
def test_pages_of_runs_that_share_nothing_stand_one_after_the_other(tmp_path, cli, other, why):
    """The pages have no chapter of differences and state why; compare prints only that line."""
    paths = [play(tmp_path / "one", players=[2]), play(tmp_path / "two", **other)]
    done = cli("report", *paths, "--out", tmp_path / "out", status=0)
    assert why in " ".join(done.output.split())
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert page.count("## What was played") == 2
    assert "What differs between the runs" not in page
    done = cli("compare", *paths, status=1)
    assert why in done.output.splitlines()[-1]


@pytest.mark.long
def test_on_the_command_line_and_on_a_page(runs, cli, tmp_path):
    """The reason is stated; table, JSON and page have the same figures."""
    plain, hard, _ = runs
    done = cli("compare", plain.path, hard.path, "--measure", "score", status=0)
    assert "the runs are shown side by side: they differ in variants.base, variants.krzyzacy-hard" in " ".join(
        done.output.split()
    )
    assert "hard minus plain" in done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    rows = json.loads(cli("compare", plain.path, hard.path, "--measure", "score", "--json", "--quiet").stdout)
    assert rows[0]["effect"] == pytest.approx(compare_runs(plain, hard, ["score"])["effect"][0])
    cli("compare", plain.path, hard.path, "--baseline", "base", status=2)
    done = cli("report", plain.path, hard.path, "--out", tmp_path / "out", status=0)
    following = [line for line in done.stdout.splitlines() if line.startswith("next: ")]
    for run in (plain, hard):
        assert any(str(run.path) in line for line in following), following
    pages = [line.partition("--html ")[2] for line in following if "--html" in line]
    assert len(set(pages)) == len(pages)
    page = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "What differs between the runs" in page
    assert page.index("What differs between the runs") < page.index("## What was played")
    table = pd.read_csv(tmp_path / "out" / "tables" / "effects.csv")
    assert len(table) == len(compare_runs(plain, hard))
