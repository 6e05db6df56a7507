"""Features for bots of Korona Piastów, one by one on hand-made maps."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.korona import GAME, Realm

from balance.experiments.strategies import load_strategy, pack_strategies


def values_of(scene: Realm, tmp_path: Path, **weights: float) -> dict[str, float]:
    """Return the value of each action for a profile with these weights only."""
    lines = [f"{name} = {weight}" for name, weight in weights.items()]
    file = tmp_path / "one.toml"
    file.write_text(
        "\n".join(['title = "One"', 'description = "Sees nothing else."', "[weights]", *lines]) + "\n",
        encoding="utf-8",
    )
    players = scene.stepper.state.players
    _, packed, _ = pack_strategies(GAME, [load_strategy(GAME, str(file), Path())], players)
    return dict(zip(scene.options(), scene.stepper.evaluate(packed[0]).tolist(), strict=True))


def strong_in(fief: str) -> Realm:
    """Set up an invasion by seat 0 that is certain to win."""
    return Realm().units(fief, 0, infantry=2, cavalry=1, knight=3).orders(f"{fief} invade")


def test_free_land_is_told_from_rulers_land(tmp_path):
    """`gain_free`: only land without a holder, not a ruler's."""
    scene = strong_in("gniezno").take("do gniezno invade")
    found = values_of(scene, tmp_path, gain_free=1.0)
    assert found["target swiecie"] > 0.9
    assert found["target kruszwica claim"] == 0.0


def test_the_last_fief_of_a_district(tmp_path):
    """`gain_district`: only if own units hold the others."""
    scene = Realm().units("poznan", 0, infantry=2, cavalry=1, knight=3)
    scene.units("krosno", 0, infantry=1).units("lubusz", 0, infantry=1)
    scene.orders("poznan invade").take("do poznan invade")
    assert values_of(scene, tmp_path, gain_district=1.0)["target santok"] > 0.9
    scene = strong_in("poznan").take("do poznan invade")
    assert values_of(scene, tmp_path, gain_district=1.0)["target santok"] == 0.0


def test_the_leaders_land_is_worth_more(tmp_path):
    """`gain_leader`: times the holder's score as a share of the crown."""
    found = []
    for more in ((), ("leczyca", "sieradz")):
        scene = Realm().units("gniezno", 0, infantry=2, cavalry=1, knight=3).begin()
        for district in more:
            scene.owner(district, 3)
        scene.orders("gniezno invade").take("do gniezno invade")
        values = values_of(scene, tmp_path, gain_leader=1.0)
        found.append(max(worth for label, worth in values.items() if "kruszwica" in label))
    assert found[1] == pytest.approx(3 * found[0])


def test_legendary_places(tmp_path):
    """`gain_legendary`: Kruszwica is one, Świecie is none."""
    scene = strong_in("gniezno").take("do gniezno invade")
    found = values_of(scene, tmp_path, gain_legendary=1.0)
    assert found["target kruszwica claim"] > 0.9
    assert found["target swiecie"] == 0.0


def test_the_capital_in_danger(tmp_path):
    """`capital_threat`: only for a fief of the capital district, by the neighbour's strength."""
    scene = Realm().units("gniezno", 0, infantry=1).units("swiecie", 0, infantry=1)
    scene.units("kruszwica", 3, knight=4).units("inowroclaw", 3, knight=4)
    scene.begin()
    for fief, worth in (("gniezno", 10.0), ("swiecie", 0.0)):
        scene.take(f"fief {fief}")
        assert values_of(scene, tmp_path, capital_threat=1.0)["order defend"] == worth
        scene.take("order defend")


def test_the_ruler_rides_to_the_front(tmp_path):
    """`ride_front`: a district amid own land is worth less than one amid others' land."""
    scene = Realm().owner("leczyca", 0).skip_to("ruler")
    found = values_of(scene, tmp_path, ride_front=1.0)
    assert found["none"] == 0.0
    assert found["ride leczyca"] != 0.0
    back = Realm().owner("leczyca", 0)
    back.state.stands[0] = back.districts.index("leczyca")
    there = values_of(back.skip_to("ruler"), tmp_path, ride_front=1.0)
    assert there["ride wielkopolska"] == pytest.approx(-found["ride leczyca"])
