"""Win shares by faction: planted shares give verdicts and targets; a game without factions has no trace of them."""

import json

import numpy as np
import pandas as pd
import pytest
from support.runs import plant, play, report_text

import balance
from balance.analysis.target_checks import check_targets
from balance.contract.game import find_games, get_game
from balance.experiments.measures import all_measures, measures_of
from balance.experiments.targets import Target
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder

pytestmark = pytest.mark.usefixtures("undrawn")

WEAK, NAME = "malopolska", "Małopolska"
VARIANTS = {"players": [4], "variants": ["base", "great-crown"], "strategies": ["random"]}
GAMES = 800


def weaken(line: str, chance: float, variant: str):
    """Return a change of seats: a line wins a game less often than the others of the game, under one variant."""

    def change(rows: pd.DataFrame) -> None:
        rng = np.random.default_rng(3)
        weak = ((rows["line"] == line) & (rows["variant"] == variant)).to_numpy().reshape(-1, 4)
        winners = (rng.random(weak.shape) * np.where(weak, chance, 1.0)).argmax(axis=1)
        rows["win_share"] = (rows["seat"].to_numpy() == np.repeat(winners, 4)).astype("float32")

    return change


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return random games with four players in which Małopolska wins few games of base, and its share of the other."""
    path = play(tmp_path_factory.mktemp("factions") / "run", game="korona-piastow", games=GAMES, **VARIANTS)
    plant(path, "seats", weaken(WEAK, 0.35, "base"))
    return path


def target(*groups: str, **keys: float) -> Target:
    return Target(measure="faction_win_share", groups=[*groups], **keys)


def test_a_weak_faction_is_disfavoured_of_the_games_in_which_it_is(run):
    """Seven lines for four seats: a fair share is a quarter of a line's own games, not a seventh of all."""
    opened = balance.open_run(run)
    shares = opened.faction_shares().set_index(["variant", "line"])
    seats = opened.seats()
    own = seats[(seats["line"] == WEAK) & (seats["variant"] == "base")]
    weak = shares.loc["base", WEAK]
    assert weak["n"] == len(own) < GAMES
    assert weak["value"] == pytest.approx(100 * own["win_share"].mean())
    assert (shares["fair"] == 25).all() and (shares["limit"] == 2.5).all()
    assert weak["verdict"] == "disfavoured"
    assert set(shares.loc["great-crown", "verdict"]) <= {"balanced", "undecided"}
    assert len(shares.loc["base"]) == 7


def test_targets_pass_and_fail_by_faction(run):
    """`within` is a distance from the share of a seat; without groups every faction is checked."""
    opened = RunFolder.open_finished(run)
    base = {"variants": ["base"]}
    found = check_targets(
        opened,
        [
            target(WEAK, within=5, **base),
            target("zakon", within=20, **base),
            target(within=24.9, variants=["great-crown"]),
        ],
    )
    assert found.loc[found["group"] == WEAK, "verdict"].iloc[0] == "fail"
    assert found.loc[found["group"] == "zakon", "verdict"].iloc[0] == "pass"
    assert set(found.loc[found["variant"] == "great-crown", "verdict"]) == {"pass"}
    assert found["target"].iloc[0].endswith(f"within 5 points of fair, faction {WEAK}, base")
    assert found[found["variant"] == "great-crown"]["group"].nunique() == 7
    with pytest.raises(BalanceError, match=r"unknown faction 'malopolsk'.*did you mean 'malopolska'"):
        check_targets(opened, [target("malopolsk", within=5)])


def test_a_variant_that_helps_a_faction_is_shown(run, tmp_path, cli):
    """The paired effect is that of seats with the line in both games; the page names it in words, and in the grid."""
    words = ["compare", run, "--baseline", "base", "--measure", "faction_win_share", "--json"]
    rows = {row["group"]: row for row in json.loads(cli(*words, status=0).stdout)}
    assert rows[WEAK]["verdict"] == "higher" and rows[WEAK]["low"] > 5
    assert len(rows) == 7
    page = report_text(run, tmp_path / "out")
    assert f"{NAME} wins" in page and f"strengthens {NAME}" in page
    assert "Factions fair" in page
    assert f"win share of {NAME}" in page
    assert WEAK not in page.split("## ")[0]


@pytest.mark.parametrize("name", find_games())
def test_only_games_with_factions_have_the_measure(name):
    """The list of measures of `balance games`, and the parts of the contract."""
    named = [measure for measure in all_measures(get_game(name)) if measure.name == "faction_win_share"]
    assert [measure.by for measure in named] == (["line"] if name == "korona-piastow" else [])


@pytest.mark.long
def test_a_game_without_factions_has_no_trace_of_them(traced_run, tmp_path, cli):
    """Neither in measures, page and tables, nor in JSON; asking for them is one line."""
    opened = RunFolder.open_finished(traced_run)
    assert not any(measure.groups for measure in measures_of(opened.plan))
    text = report_text(traced_run, tmp_path / "out")
    assert "faction" not in text.lower()
    assert not list((tmp_path / "out").rglob("*faction*"))
    assert "faction" not in cli("games", "na-grunwald", "--json", status=0).stdout
    with pytest.raises(BalanceError, match="na-grunwald has no factions"):
        balance.open_run(traced_run).faction_shares()
    with pytest.raises(BalanceError, match="unknown measure 'faction_win_share'"):
        check_targets(opened, [target(within=5)])
