"""Strategy profiles: which ship, what they give away, and how a temperature changes them."""

from pathlib import Path

import numpy as np
from support.na_grunwald import GAME, skirmish
from support.runs import play, read_rows

from balance.experiments.strategies import load_strategies, pack_strategies

PROFILES = GAME.shipped("profiles")


def test_gifts_cost_the_fewest_points():
    """A profile plundered for 2 gives the spare provisions, not the strong knight."""
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
    text = (GAME.folder / "profiles" / "generalist.toml").read_text().replace("= 0.0", "= 2.0", 1)
    warm = tmp_path / "warm.toml"
    warm.write_text(text)
    keys = {"games": 200, "players": [2], "strategies": [str(warm), "generalist"]}
    one, two = play(tmp_path / "one", **keys), play(tmp_path / "two", workers=2, **keys)
    assert read_rows(one, "seats").equals(read_rows(two, "seats"))
    shares = read_rows(one, "seats").groupby("strategy")["win_share"].mean()
    assert shares["warm"] < shares["generalist"]
