"""Features for networks, on hand-made maps."""

from math import exp

import pytest
from support.korona import GAME, Realm

from balance.contract.records import SHORTLIST_FEATURES
from balance.testing.cases import describe

Features = dict[str, float]


def features_of(scene: Realm) -> tuple[str, Features, dict[str, Features]]:
    """Return the kind of a decision, the features of the position, and those of each action other than 0."""
    head, context, actions = describe(scene.stepper)
    names = list(GAME.network_features.action)[len(SHORTLIST_FEATURES) :]
    rows = actions[:, len(SHORTLIST_FEATURES) :].tolist()
    found = [{name: x for name, x in zip(names, row, strict=True) if x} for row in rows]
    position = dict(zip(GAME.network_features.context, context.tolist(), strict=True))
    return (GAME.network_features.heads[head], position, dict(zip(scene.options(), found, strict=True)))


def chance_at(margin: float) -> float:
    """Return the chance to win with an attack that is larger by `margin` before fate."""
    return 1 / (1 + exp(-(margin - 0.5) / 1.4))


def test_an_invasion_of_a_free_fief():
    """3 infantry and the trait of 2 against the levy of 4; one of three fiefs of a Piast district."""
    scene = Realm().units("gniezno", 0, infantry=3).do("gniezno invade")
    head, _, actions = features_of(scene)
    chance = chance_at(1)
    assert head == "target"
    assert actions["target swiecie"] == pytest.approx(
        {
            "chance": chance,
            "margin": 0.1,
            "if_defended": chance,
            "share": chance / 9,
            "free": chance,
            "losses": (1 - chance) * 3 / 2 / 3,
            "target_front": 4 / 5,
        },
        rel=1e-5,
    )


def test_an_invasion_of_a_rival():
    """3 infantry and the trait of 2 against the trait of 2; the holder's token may be a defend of 2."""
    scene = Realm().units("gniezno", 0, infantry=3)
    scene.orders("gniezno invade", "", "", "kruszwica muster").take("do gniezno invade")
    found = features_of(scene)[2]["target kruszwica claim"]
    chance = chance_at(3)
    wanted = {
        **dict.fromkeys(("chance", "from_ruler", "taken", "from_leader", "from_capital", "legendary_won"), chance),
        "margin": 0.3,
        "guard": 1 / 3,
        "if_defended": chance_at(1),
        "claim": 1.0,
        "share": chance / 9,
        "losses": (1 - chance) / 2,
        "target_front": 3 / 4,
    }
    assert found == pytest.approx(wanted, rel=1e-5)


def test_the_last_fief_of_a_district():
    """Own units hold two of three fiefs: the third brings three points, and six before make the crown of 9."""
    scene = Realm().owner("leczyca", 0).units("poznan", 0, infantry=4)
    scene.units("krosno", 0, infantry=1).units("lubusz", 0, infantry=1).do("poznan invade")
    found = features_of(scene)[2]["target santok"]
    for name in ("joins", "points", "wins", "share"):
        assert found[name] == pytest.approx(found["chance"]), name
    assert found["reserve"] == pytest.approx(0.2)  # of Krosno and Lubusz
    assert "abandon" not in found


def test_units_that_stay():
    """2 of 4 infantry stay against 4 knights: an attack of 12 on a defence of 4, cut to 8."""
    scene = Realm().units("gniezno", 0, infantry=4).units("kruszwica", 3, knight=4)
    scene.do("gniezno invade").take("target swiecie")
    head, position, actions = features_of(scene)
    assert head == "send"
    found = actions["send 2:0:0:0:0"]
    assert found["kept"] == pytest.approx(2 / 6)
    assert found["kept_threat"] == pytest.approx(0.8)
    assert "margin" not in found  # 2 infantry and the trait of 2 against 4
    assert position["target_strength"] == pytest.approx(4 / 15)
    assert position["here_threat"] == pytest.approx(0.4)


def test_a_position_is_seen_from_the_seat_to_choose():
    """Seats follow in turn order; tokens are hidden while orders are given, and seen later."""
    scene = Realm().units("gniezno", 0, infantry=2).units("kruszwica", 3, knight=4).begin()
    scene.denars(3, 10)
    _, position, _ = features_of(scene)
    assert position["third_denars"] == pytest.approx(0.5)
    assert position["third_attack"] == pytest.approx((12 + 1) / 25)  # an infantry in Brześć too
    assert position["third_faces"] == pytest.approx(12 / 20)
    assert position["own_faces"] == pytest.approx((12 - 4) / 15)
    assert position["capital_threat"] == pytest.approx((12 - 4) / 10)
    scene.take("fief gniezno", "order muster")
    assert features_of(scene)[1]["own_orders"] == pytest.approx(0.2)
    scene.take("done")
    head, position, _ = features_of(scene)  # of seat 1
    assert head == "fief"
    assert position["second_denars"] == pytest.approx(0.5)
    assert position["third_orders"] == 0.0
    assert position["own_score"] == pytest.approx(3 / 9)
    assert position["own_lead"] == 0.0
    scene.take("done", "done", "done")
    assert features_of(scene)[1]["own_orders"] == pytest.approx(0.2)


def test_a_muster_is_paid_and_adds_to_the_best_invasion():
    """Cavalry has attack 2: 2 infantry, the trait of 2 and cavalry against the levy of 4."""
    scene = Realm().units("gniezno", 0, infantry=2).denars(0, 0).do("gniezno muster")
    scene.denars(0, 3)  # no claim can be paid
    head, position, actions = features_of(scene)
    assert head == "muster"
    assert position["here_chance"] == pytest.approx(chance_at(0))
    found = actions["muster cavalry"]
    assert found["unit_cavalry"] == 1.0
    assert found["chance"] == pytest.approx(chance_at(2))
    assert (found["price"], found["denars_left"]) == pytest.approx((0.2, 0.05))
