"""Orders at home: MUS, REG, BLD, QST, TTH."""

import pytest
from support.korona import Realm, s


def test_mus_1_muster():
    """MUS-1: up to two units, paid at once, `done` from the second on; not where a siege or devastation is."""
    scene = Realm().begin().denars(0, 3).do("poznan muster")
    assert scene.options() == ["muster infantry", "muster cavalry", "muster knight"]
    scene.take("muster cavalry")
    assert scene.options() == ["muster infantry", "muster knight", "done"]
    scene.take("muster infantry")
    assert scene.fief("poznan").units == [1, 1, 0, 0, 0]
    assert scene.state.denars[0] == 0
    for key, value in (("devastated", 1), ("besieger", 1)):
        scene = Realm().orders("poznan muster")
        scene.state[key][0] = value
        assert scene.options() == ["drop poznan muster"]


def test_mus_2_knights_and_engines():
    """MUS-2: a knight needs a free own fief, counted again each time; an engine needs units with it."""
    scene = Realm(changes={"muster_units": 9}).do("poznan muster")
    assert "engine" not in scene.words("muster")
    scene.take("muster knight")
    assert "engine" in scene.words("muster")
    scene.take("muster knight", "muster knight")
    assert "knight" not in scene.words("muster")  # three fiefs, three knights
    abroad = Realm().units("sieradz", 0, infantry=1).do("sieradz muster")
    assert abroad.words("muster") == {"infantry", "cavalry", "engine"}


def test_reg_1_regroup():
    """REG-1: three moves out of the fief or into it, to fiefs held; allies only where own units are."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=1, foreign=1).units("kalisz", 0, cavalry=1)
    scene.do("gniezno regroup")
    assert set(scene.options()) == {
        "move gniezno poznan infantry",
        "move gniezno kalisz infantry",
        "move gniezno kalisz foreign",
        "move kalisz gniezno cavalry",
    }
    scene.take("move gniezno poznan infantry", "move gniezno kalisz infantry")
    assert scene.kind == "ruler"  # gniezno is the foreign unit's now: nothing more is possible (DEC-1)
    assert scene.fief("gniezno").holder == s.FOREIGN_STATES
    scene = Realm().units("gniezno", 0, infantry=2).units("kalisz", 0, cavalry=1)
    scene.do("gniezno regroup", "move gniezno kalisz infantry")
    assert "done" in scene.options()
    scene.take("move kalisz gniezno cavalry", "move gniezno poznan cavalry")
    assert scene.kind == "ruler"
    assert scene.fief("gniezno").units == [1, 0, 0, 0, 0]


def test_reg_2_too_many_and_all_is_taken_back():
    """REG-2: the order's fief or a neighbour over its limit."""
    scene = Realm().units("gniezno", 0, infantry=2).units("kalisz", 0, infantry=6)
    scene.do("gniezno regroup")
    scene.take("move gniezno poznan infantry", "move gniezno kalisz infantry", "done")
    assert scene.fief("gniezno").units[0] == 2
    assert scene.fief("poznan").units[0] == 0
    assert scene.fief("kalisz").units[0] == 6


def test_bld_1_and_2_buildings():
    """BLD-1, BLD-2: an own fief without a building; the price is paid at once; a castle replaces a gród."""
    scene = Realm().building("kalisz", "grod").units("sieradz", 0, infantry=1)
    scene.orders("poznan build, kalisz build, sieradz build")
    assert "do sieradz build" not in scene.options()  # not own
    scene.take("do poznan build")
    assert scene.words("build") == {"grod", "castle", "cathedral", "townhall", "clothhall"}
    scene.take("build townhall")
    assert scene.state.denars[0] == 8 + 11 - 12
    scene.denars(0, 12).take("do kalisz build")
    assert scene.options() == ["build castle"]
    scene.take("build castle")
    assert (scene.fief("kalisz").building, scene.fief("kalisz").rising) == ("grod", "castle")


def test_bld_3_time_trait():
    """BLD-3: the time trait makes a building quicker, never below 1."""
    for worth, left in ((0, 2), (1, 1), (9, 1)):
        scene = Realm(changes={"ruler": {"time": worth}}).do("poznan build", "build grod")
        assert scene.fief("poznan").time_left == left


def test_bld_4_time_passes():
    """BLD-4: one unit a round, two for a hasten; what is under construction before damage; not besieged."""
    scene = Realm().building("poznan", "grod", damage=2).orders("poznan build, poznan build")
    scene.take("do poznan build", "build castle")
    assert scene.take("do poznan build", "hasten").fief("poznan").time_left == 3
    scene.stack("good_harvest").next_round()
    assert (scene.fief("poznan").time_left, scene.fief("poznan").damage) == (2, 2)
    scene.stack("good_harvest").next_round().stack("good_harvest").next_round()
    assert (scene.fief("poznan").building, scene.fief("poznan").damage) == ("castle", 0)
    assert scene.log.built[0].tolist() == [0, 1, 0, 0, 0]
    besieged = Realm().building("poznan", "grod", damage=2).units("gniezno", 1, infantry=1)
    besieged.state.besieger[0] = 1
    besieged.stack("good_harvest").next_round()
    assert besieged.fief("poznan").damage == 2


def test_bld_5_and_6_damage_and_owners():
    """BLD-5: a damaged building is inactive; BLD-6: it serves the owner of the district."""
    scene = Realm().building("leczyca", "clothhall").owner("leczyca", 2).begin()
    assert scene.log.seats[2].tribute == 4 + 12 + 1 + 1
    scene = Realm().building("leczyca", "clothhall", damage=1).owner("leczyca", 2).begin()
    assert scene.log.seats[2].tribute == 4 + 12 + 1


@pytest.mark.parametrize("magnate", [True, False])
def test_bld_7_a_protected_diocese(magnate):
    """BLD-7, END-2: with its owner's magnate a diocese counts whole for the score."""
    scene = Realm().owner("leczyca", 0).building("leczyca", "cathedral")
    scene.units("uniejow", 1, infantry=1)
    if magnate:
        scene.magnate("leczyca", "time")
    assert scene.begin().ruler(0).score == 5 + magnate


@pytest.mark.parametrize(
    ("card", "outcome"),
    [
        ("good_harvest", "knight"),  # 0
        ("silver", "nothing"),  # 3
        ("crusade", "nothing"),  # 3
        ("settlers", "denars"),  # 5
        ("mayor_albert", "magnate"),  # 8
        ("interdict", "relic"),  # 9
    ],
)
def test_qst_1_quests(card, outcome):
    """QST-1: both numbers added: 0-1 lost, 2-4 nothing, 5-6 six denars, 7-8 a magnate, 9-10 a relic."""
    scene = Realm().units("gniezno", 0, knight=1).stack(card).orders("gniezno quest")
    before = int(scene.state.denars[0])
    scene.take("do gniezno quest")
    ruler = scene.ruler(0)
    assert any(label.startswith(f"fate quest {card}") for label in scene.said)
    assert (scene.fief("gniezno").units[2] == 0) == (outcome == "knight")
    assert ruler.denars - before == (6 if outcome == "denars" else 0)
    assert len(ruler.free_magnates) == (outcome == "magnate")
    assert ruler.relics == (outcome == "relic")


def test_qst_1_without_a_knight():
    """EXE-2: the knight must still be there."""
    scene = Realm().units("gniezno", 0, knight=1).orders("gniezno quest")
    scene.units("gniezno", 0, infantry=1)
    assert scene.options() == ["drop gniezno quest"]


def test_tth_1_tithes():
    """TTH-1: two denars in an own fief of a diocese, with an active cathedral in the state."""
    scene = Realm().building("poznan", "cathedral").orders("kalisz tithe, gniezno tithe")
    scene.denars(0, 0).take("do kalisz tithe")
    assert scene.state.denars[0] == 2
    scene.mark("gniezno", devastated=1)
    assert scene.options() == ["drop gniezno tithe"]
    scene.state.devastated[:] = 0
    scene.state.damage[0] = 1
    assert scene.options() == ["drop gniezno tithe"]
