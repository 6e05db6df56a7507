"""Pages of the plainest runs: one variant, players who keep their seats, equal rules, games that were broken off."""

import re
from pathlib import Path

import pandas as pd
import pytest
from support.runs import plan_of, play, report_text

import balance
from balance.experiments.planning import equal_cells
from balance.foundation.errors import BalanceError

pytestmark = pytest.mark.usefixtures("undrawn")
SMALL = {"players": [2], "strategies": ["champion"], "games": 100}
KEPT = {"strategies": [], "lineups": [["champion", "treasurer"]], "rotate": False}
SAME = 'extends = "base"\ntitle = "Same"\ndescription = "The same rules."\n'
SEATS = '[[targets]]\nmeasure = "seat_win_share"\nwithin = 2\n'
APART = "seats can't be told apart from strategies"


@pytest.mark.slow
def test_one_variant_without_targets_gets_no_advice(tmp_path):
    """Where nothing is compared, nothing is advised."""
    text = report_text(play(tmp_path / "run", **SMALL), tmp_path / "page")
    assert "unfair" in text
    assert "So:" not in text and "keep base" not in text


@pytest.fixture(scope="module")
def kept(tmp_path_factory) -> Path:
    """Return a run of two variants whose strategies keep their seats."""
    folder = tmp_path_factory.mktemp("kept")
    return play(folder / "run", **{**SMALL, **KEPT, "variants": ["base", "hire-dear"]})


@pytest.mark.slow
def test_seats_and_strategies_that_cannot_be_told_apart_are_not_judged(kept, tmp_path):
    """Neither on the page nor in the summary; the warning says why."""
    text = report_text(kept, tmp_path)
    assert f"**Warning:** With 2 players each strategy keeps its seat, so {APART}" in text
    assert "withheld 1st" in text and "withheld champion" in text
    assert not re.search("unfair|player wins|champion wins|wins most|is the whole equilibrium of|are balanced", text)
    shares = pd.read_csv(tmp_path / "tables" / "seats.csv")
    assert set(shares["verdict"]) == {"withheld"} and not shares["more_games"].any()
    effects = pd.read_csv(tmp_path / "tables" / "effects.csv").set_index("measure")
    assert set(effects.loc["seat_win_share", "verdict"]) == {"withheld"}
    assert effects.loc["decisions", "verdict"] != "withheld"
    assert "ranking" not in {path.stem for path in (tmp_path / "tables").glob("*.csv")}


@pytest.mark.slow
def test_commands_and_python_withhold_them_too(kept, tmp_path, cli):
    (tmp_path / "targets.toml").write_text(SEATS)
    checked = cli("check", kept, tmp_path / "targets.toml", status=3)
    printed = " ".join(checked.output.split())
    assert "4 withheld" in printed and APART in printed
    cli("report", kept, "--summary", "--quiet", "--out", tmp_path, status=0)
    assert APART in (tmp_path / "summary.md").read_text(encoding="utf-8")
    compared = cli("compare", kept, status=0)
    assert "withheld" in compared.output and APART in " ".join(compared.output.split())
    run = balance.open_run(kept)
    for table in (run.seat_shares(), run.seat_shares(5.0), run.strategy_shares()):
        assert set(table["verdict"]) == {"withheld"}


@pytest.mark.parametrize(
    ("keys", "unmixed"),
    [
        (KEPT, {2}),
        ({**KEPT, "rotate": True}, set()),
        ({**KEPT, "lineups": [["champion", "treasurer"], ["treasurer", "champion"]]}, set()),
        ({**KEPT, "lineups": [["champion", "champion"]]}, set()),
        ({**KEPT, "lineups": [["champion", "champion"], ["champion", "treasurer"]]}, {2}),
        ({**KEPT, "players": [2, 3], "lineups": [["champion"] * 2, ["champion"] * 2 + ["treasurer"]]}, {3}),
        ({"rotate": False, "strategies": ["champion", "treasurer"]}, set()),
    ],
)
def test_seats_are_apart_where_each_has_the_same_strategies_equally_often(keys, unmixed):
    """A pool is seated at random or in every arrangement, also without rotation."""
    assert plan_of(**{**SMALL, **keys}).unmixed == unmixed


def test_a_stop_rule_needs_seats_that_can_be_told_apart():
    with pytest.raises(BalanceError, match=APART):
        plan_of(**{**SMALL, **KEPT, "stop": {"threshold_points": 3, "ceiling": 1000}})


@pytest.fixture(scope="module")
def same(tmp_path_factory) -> Path:
    """Return a run of base and of the same rules under another name."""
    folder = tmp_path_factory.mktemp("same")
    (folder / "same.toml").write_text(SAME)
    return play(folder / "run", **{**SMALL, "variants": ["base", str(folder / "same.toml")]})


@pytest.mark.slow
def test_a_variant_with_the_rules_of_base_has_equal_games(same, tmp_path, cli):
    """The page and the comparison say so, and ask for no more games of it."""
    text = report_text(same, tmp_path)
    assert "the games of same are those of base." in text
    assert set(pd.read_csv(tmp_path / "tables" / "effects.csv")["verdict"]) == {"equal"}
    said = " ".join(cli("compare", same, status=0).output.split())
    assert "All games are equal to those of base: same, 2 players." in said
    assert "undecided" not in said and "multiplied" not in said


def test_rules_are_equal_at_the_player_counts_where_they_are(tmp_path):
    """Strategies that are trained for each variant may play other games."""
    (tmp_path / "four.toml").write_text(f"{SAME}[krzyzacy]\nbonus = {{ 2 = 2, 3 = 4, 4 = 9 }}\n")
    keys = {"players": [2, 4], "strategies": ["champion"], "variants": ["base", str(tmp_path / "four.toml")]}
    assert equal_cells(plan_of(**keys), "base") == {(2, "four")}
    assert equal_cells(plan_of(**keys, adapt=100_000), "base") == set()


@pytest.mark.slow
def test_a_sweep_of_one_value_compares_nothing(tmp_path):
    text = report_text(play(tmp_path / "run", **SMALL, sweep={"rounds": [7]}), tmp_path / "page")
    assert not re.search("same games|No effect|fairer|So:|Which value", text)


@pytest.mark.slow
def test_broken_games_ask_for_a_larger_limit(tmp_path, cli):
    """More games would be broken off too."""
    run = play(tmp_path / "run", **{**SMALL, "variants": ["base", "hire-dear"]}, decision_limit=10)
    text = report_text(run, tmp_path / "page")
    assert "**Warning:** base and hire-dear, 2 players: 100 of 100 games were broken off" in text
    assert "withheld.." not in text
    (tmp_path / "targets.toml").write_text(SEATS)
    for command in (["check", run, tmp_path / "targets.toml"], ["compare", run]):
        said = cli(*command).output
        assert "100 of 100 games were broken off" in said or "200 of 200 games were broken off" in said
        assert "larger decision_limit" in said and "play more games" not in said


@pytest.mark.slow
def test_a_page_with_some_broken_games_of_several_strategies_can_be_written(tmp_path):
    keys = {**SMALL, "strategies": ["generalist", "treasurer"], "decision_limit": 98}
    text = report_text(play(tmp_path / "run", **keys), tmp_path / "page")
    assert "all verdicts are withheld" in text and "No verdict is shown." in text


@pytest.mark.slow
def test_names_of_240_letters_have_files(tmp_path):
    """Two variants whose names begin alike have figures of their own."""
    names = ["v" * 239 + end for end in "ab"]
    for name in names:
        (tmp_path / f"{name}.toml").write_text(SAME.replace('"base"', '"hire-dear"'))
    variants = ["base", *(str(tmp_path / f"{name}.toml") for name in names)]
    report_text(play(tmp_path / "run", **SMALL, variants=variants), tmp_path / "page")
    assert len(list((tmp_path / "page" / "figures").glob("forest-shares-*.svg"))) == 2
