"""Strategy profiles: they beat `random`, each leads in what its name says, and none is hopeless."""

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


def test_seven_profiles_and_a_champion_are_shipped():
    """The seven of the game's own advice."""
    assert PROFILES == [
        "balanced",
        "champion",
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


STYLES = GAME.analytics.STYLES


@pytest.fixture(scope="module", params=GAME.players)
def field(request, tmp_path_factory):
    """Rows of the styles against each other, and the player count."""
    run = play(
        tmp_path_factory.mktemp("field") / "run", workers=2, players=[request.param], games=12_000,
        strategies=list(STYLES),
    )  # fmt: skip
    return seats_of(run), request.param


@pytest.mark.slow
@pytest.mark.parametrize("name", STYLES)
def test_each_leads_in_what_its_name_says(field, name):
    """On its own axis, the mean of its games; no other is ahead (everybody comes to hold the most helpers)."""
    seats, _ = field
    groups = {strategy: rows.to_records() for strategy, rows in seats.groupby("strategy")}
    axes = {strategy: STYLES[name].measure(rows[None])[0] for strategy, rows in groups.items()}
    slack = 0.01 * axes[name] if name == "helpers-first" else 0.0
    assert axes[name] >= max(axes.values()) - slack, axes


@pytest.mark.slow
def test_no_style_is_hopeless(field):
    """Each wins at least half of a fair share in the field of styles."""
    seats, players = field
    shares = seats.groupby("strategy")["win_share"].mean()
    assert set(shares.index) == set(STYLES)
    assert shares.min() > 0.5 / players, shares


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
