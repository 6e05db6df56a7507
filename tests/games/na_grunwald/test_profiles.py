"""Strategy profiles: they beat `random`, differ in what their names say, and none crushes `balanced`."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from support.na_grunwald import GAME
from support.runs import play

PROFILES = GAME.shipped("profiles")


def seats_of(run: Path) -> pd.DataFrame:
    return pq.read_table(run / "seats").to_pandas()


def test_seven_profiles_are_shipped():
    """The seven of the game's own advice."""
    assert PROFILES == [
        "balanced",
        "crown-commander",
        "helpers-first",
        "krzyzacy-hunter",
        "mercenary-captain",
        "quartermaster",
        "treasurer",
    ]


@pytest.mark.parametrize("profile", PROFILES)
def test_each_beats_three_random(tmp_path, profile):
    """At least 85 % of four-player games, seats rotated."""
    run = play(
        tmp_path / "run", games=2000, strategies=[], lineups=[[profile, "random", "random", "random"]]
    )
    seats = seats_of(run)
    own = seats[seats["strategy"] == profile]
    assert set(own["seat"].value_counts()) == {500}
    assert own["win_share"].mean() > 0.85


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """All seven against each other at four players."""
    run = play(
        tmp_path_factory.mktemp("field") / "run", workers=2, games=35 * 4 * 40, strategies=PROFILES
    )
    seats = seats_of(run)
    seats["spare"] = (seats["provisions"] - seats["crown_count"] - seats["mercenary_count"]).clip(
        lower=0
    )
    return seats.groupby("strategy").mean(numeric_only=True)


@pytest.mark.parametrize(
    ("profile", "column"),
    [
        ("helpers-first", "helpers"),
        ("crown-commander", "crown_count"),
        ("mercenary-captain", "mercenary_count"),
        ("quartermaster", "spare"),
        ("krzyzacy-hunter", "captive_count"),
        ("treasurer", "ducats"),
    ],
)
def test_each_leads_in_what_its_name_says(field, profile, column):
    """Helpers, crown knights, mercenaries, spare provisions, captives, ducats at the end."""
    assert field[column].idxmax() == profile


def test_all_seven_can_win(field):
    """In the mixed field no profile is out of the running, none runs away."""
    assert field["win_share"].min() > 0.10
    assert field["win_share"].max() < 0.40
    assert len(field) == 7


@pytest.mark.parametrize("other", [name for name in PROFILES if name != "balanced"])
def test_balanced_holds_its_own_head_to_head(tmp_path, other):
    """Two against each other, and two and two at four players: at most a few points behind."""
    for players, lineup in ((2, ["balanced", other]), (4, ["balanced", other] * 2)):
        run = play(
            tmp_path / str(players),
            workers=2,
            players=[players],
            games=4000,
            strategies=[],
            lineups=[lineup],
        )
        seats = seats_of(run)
        won = seats[seats["strategy"] == "balanced"].groupby("game_id")["win_share"].sum().mean()
        assert won > 0.46, f"{players} players: balanced wins {won:.3f} of its games"


def test_gifts_cost_the_fewest_points():
    """A profile plundered for 2 gives the spare provisions, not the strong knight."""
    import numpy as np
    from support.na_grunwald import skirmish

    from balance.plan.strategies import load_strategies, pack_strategies

    strategies = load_strategies(GAME, PROFILES, Path())
    _, weights, _ = pack_strategies(GAME, strategies, 2)
    for strategy, own in zip(strategies, weights, strict=True):
        scene = skirmish({0: [("crown", 6)]}, (1, 1), players=2)
        scene.give(0, provisions=9, camp=[("mercenary", 5)])
        scene.state.plunder = 2
        scene.take("fight peasant")
        values = scene.stepper.evaluate(own)
        assert scene.options()[int(np.argmax(values))] == "give provision", strategy.name


def test_temperature_changes_choices_and_keeps_seeds(tmp_path):
    """A profile with a temperature draws its actions, the same ones from the same seed."""
    text = (GAME.folder / "profiles" / "balanced.toml").read_text().replace("= 0.0", "= 2.0", 1)
    warm = tmp_path / "warm.toml"
    warm.write_text(text)
    keys = {"games": 200, "players": [2], "strategies": [str(warm), "balanced"]}
    one, two = play(tmp_path / "one", **keys), play(tmp_path / "two", workers=2, **keys)
    assert seats_of(one).equals(seats_of(two))
    shares = seats_of(one).groupby("strategy")["win_share"].mean()
    assert shares["warm"] < shares["balanced"]
