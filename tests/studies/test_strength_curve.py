"""`balance curve`: levels against themselves, the forecast and its gate, resumed and reread."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.runs import play, read_rows

import balance
from balance.analysis.gather import gather
from balance.analysis.head_to_head import BAGS
from balance.contract.game import get_game
from balance.foundation.errors import BalanceError
from balance.runs.folder import RunFolder
from balance.stats.curves import shares
from balance.studies.curve import (
    BagSums,
    CurveGames,
    curve_measures,
    default_levels,
    of_faction,
    plan_curve,
    play_curve,
    resample,
)
from balance.studies.settings import StrengthCurve

pytestmark = pytest.mark.usefixtures("undrawn")

LEVELS = "champion@loss=0.5,champion,expert@temperature=1,expert,expert-search-2,expert-search-4"
CURVE = f"curve --game na-grunwald --players 2 --levels {LEVELS} --games 200 --search-games 100 --seed 3 --quiet --out"


def small(*levels, **changes):
    """Return the settings of a small curve."""
    settings = {
        "game": "na-grunwald", "variant": "base", "players": (2,), "levels": levels, "games": 100,
        "search_games": 100, "top": 24, "seed": 1,
    }  # fmt: skip
    return StrengthCurve(**{**settings, **changes})


@pytest.mark.slow
def test_a_curve_is_played_and_reread(cli, tmp_path, monkeypatch):
    """The tables show the shares of the runs; a second call plays nothing; a failed test withholds the forecast."""
    first = cli(CURVE, tmp_path, status=0)
    assert "twice the thought (8 iterations)" in " ".join(first.output.split())
    cells = pd.read_csv(tmp_path / "curve.csv")
    assert cells["measure"].tolist() == ["seat_win_share", "seat_win_share", "comeback", "minutes"]
    assert (cells["predicted_low"] < cells["predicted_high"]).all()
    weights = cells[["constant", "linear", "levelling off"]].sum(axis=1)
    assert weights.tolist() == pytest.approx([1.0] * len(cells))
    levels = pd.read_csv(tmp_path / "levels.csv")
    assert list(levels["level"].unique()) == LEVELS.split(",")
    run = balance.open_run(tmp_path / "runs" / "mirror", tier="expert-search-4")
    own = levels[(levels["level"] == "expert-search-4") & (levels["seat"] > 0)]
    assert own["value"].tolist() == pytest.approx(run.seat_shares()["value"].tolist(), abs=0.1)
    assert set(own["n"]) == {100}
    before = (tmp_path / "runs" / "field" / "parts.jsonl").read_bytes()
    monkeypatch.setattr("balance.studies.curve.LEAST_COVERED", 1.1)
    second = " ".join(cli(CURVE, tmp_path, status=0).output.split())
    assert (tmp_path / "runs" / "field" / "parts.jsonl").read_bytes() == before
    assert "No forecast is shown: from the levels below it, expert-search-4 was predicted in" in second
    again = pd.read_csv(tmp_path / "curve.csv")
    assert again["next"].isna().all()
    np.testing.assert_allclose(again["predicted"], cells["predicted"])
    assert "No forecast is shown" in (tmp_path / "curve.html").read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.slow
def test_neighbours_meet_as_they_play_themselves(tmp_path):
    """In the field a novice has the temperature found for it, and the expert its own; each pair is rotated."""
    played = play_curve(small(*LEVELS.split(","), players=(2, 3)), tmp_path)
    mirror, field = played.mirror.plan, played.field.plan
    for cell in field.cells:
        novice, _, warm, expert, *_ = cell.strategies
        own = mirror.tiers[0].adapted["base", cell.players][0].profile.temperature
        assert novice.name == "champion@loss=0.5"
        assert novice.profile.temperature == own > 0
        assert (warm.network.temperature, expert.network.temperature) == (1, 0)
    assert field.tier.lineups[:2] == [LEVELS.split(",")[:2], LEVELS.split(",")[1:3]]
    novice, champion = LEVELS.split(",")[:2]
    assert [novice, champion, novice] in field.tier.lineups
    assert [champion, novice, champion] in field.tier.lineups
    assert RunFolder.open(tmp_path / "field").plan.cells[0].strategies == field.cells[0].strategies


@pytest.mark.slow
def test_a_curve_has_the_factions_of_a_game(tmp_path):
    """In Korona Piastów each line has a cell; its share is that of the seats with this line, whichever seat."""
    keys = {"game": "korona-piastow", "players": [3], "strategies": ["random"], "games": 60, "log": "rounds"}
    run = RunFolder.open(play(tmp_path / "run", **keys))
    measure = curve_measures(run.plan)["faction_win_share"]
    names = [each.id for each in run.plan.base.map.districts if each.line]
    assert [name for name, _ in measure.groups] == names
    seats = read_rows(run.path, "seats")
    sums = gather(run, [BagSums(measure)])[BagSums(measure)]
    for name in names:
        effects, n = resample([of_faction(sums, name)], 3, measure, np.ones((1, BAGS)))
        own = seats[seats["line"] == name]
        assert n.tolist() == [len(own)]
        if 0 < own["win_share"].mean() < 1:
            assert shares(effects)[0, 0, 0] == pytest.approx(own["win_share"].mean(), abs=0.03)
    assert "faction_win_share" not in curve_measures(plan_curve(small())[1])


@pytest.fixture
def no_expert(monkeypatch):
    """Let no game have an expert, like a game of the user's own."""
    monkeypatch.setattr("balance.studies.curve.has_expert", lambda game, counts: False)


def test_default_levels():
    """Novices, the champion, the expert, then searchers with it as prior."""
    found = default_levels(get_game("na-grunwald"), [2, 3], 100)
    assert found[0] == "champion@loss=0.6"
    assert found[-5:] == ["expert", *(f"expert-search-{each}" for each in (12, 25, 50, 100))]


def test_default_levels_without_an_expert(no_expert):
    without = default_levels(get_game("korona-piastow"), [5], 50)
    assert not any("expert" in name for name in without)
    assert without[-3:] == ["search-12", "search-25", "search-50"]


def test_a_game_without_an_expert_is_named(no_expert):
    asked = small(game="korona-piastow", players=(5,), top=50)
    levels, plan = plan_curve(asked)
    run = SimpleNamespace(plan=plan)
    assert "Korona" in CurveGames(asked, levels, run, run).without_expert


def test_where_the_expert_plays_nothing_is_missing():
    levels, plan = plan_curve(small())
    run = SimpleNamespace(plan=plan)
    assert CurveGames(small(), levels, run, run).without_expert == ""


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (small("champion"), "needs at least 6 levels, but got 1"),
        (small(*["random"] * 5, "nobody"), "unknown na-grunwald strategy 'nobody'"),
        (small(*LEVELS.split(",")[::-1]), "the last two must be searchers"),
        (small(*LEVELS.split(",")[:-1], "search-2"), "the last with more iterations"),
        (small("champion@warmth=1", *LEVELS.split(",")), "'champion@warmth=1': write a level such as"),
        (small("champion@loss=much", *LEVELS.split(",")), "'champion@loss=much': write a level such as"),
        (small("search-1@temperature=1", *LEVELS.split(",")), "applies to profiles and networks"),
        (small("champion@loss=2", *LEVELS.split(",")), "loss"),
        (small("champion", *LEVELS.split(",")), "tiers: a value is repeated"),
        (small(top=20), "--top: must be at least 24 iterations"),
        (small(players=(7,)), "has no 7-player game"),
    ],
)
def test_bad_input_is_refused(asked, words):
    with pytest.raises(BalanceError, match=words):
        plan_curve(asked)
