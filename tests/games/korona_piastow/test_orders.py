"""A round but for war: RND, TRB, ORD, SPY, DIV, EXE, MUS, REG, BLD, QST, TTH."""

from __future__ import annotations

import pytest
from support.korona import Realm, s


def test_rnd_1_the_beginner():
    """RND-1: seat (r-1) mod n begins, or the next who isn't out."""
    scene = Realm(3).begin()
    assert scene.seat == 0
    assert scene.next_round().seat == 1
    scene.state.out_round[2] = 1
    scene.next_round()
    assert (scene.state.round_number, scene.seat) == (3, 0)


def test_trb_1_free_fiefs():
    """TRB-1: own fiefs not devastated, less the knights, not below 0."""
    scene = Realm().units("poznan", 0, knight=2)
    scene.state.devastated[scene.fiefs.index("gniezno")] = 1
    assert scene.begin().log.tribute[0] == 4 + 0 + 1
    assert scene.log.tribute[1] == 4 + 2 * 3 + 1


def test_trb_2_cloth_halls():
    """TRB-2: 4, 2 for each free fief, money traits, 1 for each active cloth hall."""
    scene = Realm().building("poznan", "clothhall").building("gniezno", "clothhall", damage=1)
    scene.building("krakow", "clothhall").units("krakow", 0, infantry=1).begin()
    assert scene.log.tribute[0] == 4 + 6 + 1 + 1
    assert scene.log.tribute[1] == 4 + 4 + 1  # krakow is occupied


def test_ord_1_tokens():
    """ORD-1: five, one more for each active town hall, at most eight; on fiefs that the ruler holds."""
    scene = Realm(changes={"same_kind": 12}).begin()
    assert scene.words("fief") == {"poznan", "gniezno", "kalisz"}
    for _ in range(5):
        scene.take("fief poznan", "order defend")
    assert scene.seat == 1
    assert scene.log.orders_given[0] == 5
    halls = Realm(changes={"same_kind": 12, "orders": 6})
    for fief in ("poznan", "gniezno", "kalisz"):
        halls.building(fief, "townhall")
    halls.units("sieradz", 0, infantry=1).begin()
    assert "sieradz" in halls.words("fief")
    while halls.seat == 0:
        halls.take("fief sieradz", "order defend")
    assert halls.log.orders_given[0] == 8


def test_ord_2_orders_are_hidden():
    """ORD-2: nobody sees another's until phase 3, and then how many of whose lie where."""
    scene = Realm().begin().take("fief poznan", "order defend", "fief poznan", "order muster", "done")
    assert scene.seat == 1
    assert scene.fief("poznan").tokens == []
    assert scene.seen(0).fiefs[0].tokens == ["muster", "defend"]
    scene.orders("", "krakow build")
    assert scene.seat == 0
    assert scene.kind == "turn"
    assert scene.fief("krakow").tokens == ["?"]
    assert (scene.fief("krakow").tokens_of, scene.fief("poznan").tokens_of) == (1, 0)


def test_ord_3_kinds():
    """ORD-3: at most three of a kind; quest, siege, tithe, diversion and revenge have conditions."""
    always = {"muster", "regroup", "build", "invade", "defend"}
    scene = Realm().begin().take("fief gniezno")
    assert scene.words("order") == always
    for kind in ["order defend"] * 3:
        scene.take(kind, "fief gniezno")
    assert scene.words("order") == always - {"defend"}
    full = Realm().units("gniezno", 0, knight=1).building("gniezno", "castle")
    full.building("poznan", "cathedral").building("kalisz", "clothhall").begin().take("fief gniezno")
    assert full.options() == [
        f"order {kind}"
        for kind in (
            *("muster", "regroup", "build", "invade", "defend"),
            *("quest", "siege", "tithe", "diversion", "revenge"),
        )
    ]
    full.take("order quest", "fief kalisz")
    assert "quest" not in full.words("order")  # no legendary place


def test_ord_3_a_gród_allows_sieges_alone():
    """ORD-3: revenge needs a castle; a damaged building allows nothing."""
    scene = Realm().building("poznan", "grod").begin().take("fief poznan")
    assert "siege" in scene.words("order")
    assert "revenge" not in scene.words("order")
    damaged = Realm().building("poznan", "castle", damage=1).begin().take("fief poznan")
    assert not {"siege", "revenge"} & damaged.words("order")


def spying(*orders: str) -> Realm:
    """Seat 0 has a cloth hall; orders are given."""
    return Realm().building("poznan", "clothhall").orders(*orders)


def test_spy_1_spies():
    """SPY-1: 2 denars for a look at all orders of a fief; not asked where no other's lie."""
    scene = spying("", "krakow build, krakow invade, sacz muster")
    assert (scene.kind, scene.seat) == ("spy", 0)
    assert scene.options() == ["none", "spy krakow", "spy sacz"]
    scene.denars(0, 5).take("spy krakow").skip_to("turn")
    assert scene.state.denars[0] == 3
    assert scene.seen(0).fiefs[scene.fiefs.index("krakow")].tokens == ["build", "invade"]
    assert scene.seen(0).fiefs[scene.fiefs.index("sacz")].tokens == ["?"]
    assert scene.seen(2).fiefs[scene.fiefs.index("krakow")].tokens == ["?", "?"]
    assert spying("poznan build").kind == "turn"
    poor = Realm().building("poznan", "clothhall").begin().denars(0, 1).orders("", "krakow build")
    assert poor.kind == "turn"


def test_div_1_diversions():
    """DIV-1: each diversion of the holder may damage a finished building of the spy's; it is removed."""
    scene = Realm().building("poznan", "clothhall").building("krakow", "clothhall")
    scene.building("lubusz", "grod").units("lubusz", 0, infantry=1)
    scene.orders("", "krakow diversion, krakow diversion, krakow build")
    scene.take("spy krakow")
    assert (scene.kind, scene.seat) == ("damage", 1)
    assert scene.options() == ["none", "damage poznan", "damage lubusz"]
    scene.take("damage poznan", "none").skip_to("turn")
    assert scene.fief("poznan").damage == 1
    assert scene.fief("lubusz").damage == 0
    assert scene.seen(1).fiefs[scene.fiefs.index("krakow")].tokens == ["build"]


def test_exe_1_one_order_each_in_turn():
    """EXE-1: one after another each turns up one; `defend` never; then all tokens are taken off."""
    scene = Realm().orders("poznan build, kalisz build, gniezno defend", "krakow build")
    seats = []
    while scene.kind == "turn":
        seats.append(scene.seat)
        scene.take(next(label for label in scene.options() if label.startswith("drop")))
    assert seats == [0, 1, 0]
    assert scene.fief("gniezno").tokens == []
    assert scene.log.dropped[0] == 2


def test_exe_1_all_at_once():
    """EXE-1, key `orders_per_turn`: 0 for all, 2 for two before the next ruler."""
    for number, expected in ((0, [0, 0, 0, 1, 1]), (2, [0, 0, 1, 1, 0])):
        scene = Realm(changes={"orders_per_turn": number})
        scene.orders("poznan build, kalisz build, gniezno build", "krakow build, sacz build")
        seats = []
        while scene.kind == "turn":
            seats.append(scene.seat)
            scene.take(next(label for label in scene.options() if label.startswith("drop")))
        assert seats == expected


def test_exe_2_what_can_be_done():
    """EXE-2: `do` where the order's first decision has a label; equal tokens are one label."""
    scene = Realm().orders("poznan build, poznan build, gniezno regroup")
    assert scene.options() == [
        "do poznan build",
        "drop poznan build",
        "drop gniezno regroup",
    ]
    scene.denars(0, 5)
    assert "do poznan build" not in scene.options()


def test_mus_1_muster():
    """MUS-1: up to two units, paid at once, `done` from the second on; not where a siege or devastation is."""
    scene = Realm().begin().denars(0, 3).orders("poznan muster").take("do poznan muster")
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
    """MUS-2: a knight needs a free own fief, counted anew; an engine units beside it."""
    scene = Realm(changes={"muster_units": 9}).orders("poznan muster").take("do poznan muster")
    assert "engine" not in scene.words("muster")
    scene.take("muster knight")
    assert "engine" in scene.words("muster")
    scene.take("muster knight", "muster knight")
    assert "knight" not in scene.words("muster")  # three fiefs, three knights
    abroad = Realm().units("sieradz", 0, infantry=1).orders("sieradz muster").take("do sieradz muster")
    assert abroad.words("muster") == {"infantry", "cavalry", "engine"}


def test_reg_1_regroup():
    """REG-1: three moves out of the fief or into it, to fiefs held; allies only where own units are."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=1, foreign=1).units("kalisz", 0, cavalry=1)
    scene.orders("gniezno regroup").take("do gniezno regroup")
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
    scene.orders("gniezno regroup").take("do gniezno regroup", "move gniezno kalisz infantry")
    assert "done" in scene.options()
    scene.take("move kalisz gniezno cavalry", "move gniezno poznan cavalry")
    assert scene.kind == "ruler"
    assert scene.fief("gniezno").units == [1, 0, 0, 0, 0]


def test_reg_2_too_many_and_all_is_taken_back():
    """REG-2: the order's fief or a neighbour over its limit."""
    scene = Realm().units("gniezno", 0, infantry=2).units("kalisz", 0, infantry=6)
    scene.orders("gniezno regroup").take("do gniezno regroup")
    scene.take("move gniezno poznan infantry", "move gniezno kalisz infantry", "done")
    assert scene.fief("gniezno").units[0] == 2
    assert scene.fief("poznan").units[0] == 0
    assert scene.fief("kalisz").units[0] == 6


def test_bld_1_and_2_buildings():
    """BLD-1, BLD-2: an own fief where nothing stands; the price at once; a castle replaces a gród."""
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
        scene = Realm(changes={"ruler": {"time": worth}}).orders("poznan build")
        scene.take("do poznan build", "build grod")
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
    assert scene.log.built[0] == 1
    besieged = Realm().building("poznan", "grod", damage=2).units("gniezno", 1, infantry=1)
    besieged.state.besieger[0] = 1
    besieged.stack("good_harvest").next_round()
    assert besieged.fief("poznan").damage == 2


def test_bld_5_and_6_damage_and_owners():
    """BLD-5: a damaged building is inactive; BLD-6: it serves whoever owns the district."""
    scene = Realm().building("leczyca", "clothhall").owner("leczyca", 2).begin()
    assert scene.log.tribute[2] == 4 + 12 + 1 + 1
    scene = Realm().building("leczyca", "clothhall", damage=1).owner("leczyca", 2).begin()
    assert scene.log.tribute[2] == 4 + 12 + 1


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
    scene.state.devastated[scene.fiefs.index("gniezno")] = 1
    assert scene.options() == ["drop gniezno tithe"]
    scene.state.devastated[:] = 0
    scene.state.damage[0] = 1
    assert scene.options() == ["drop gniezno tithe"]


def test_dec_1_one_label_is_logged():
    """DEC-1: a decision with one label is a row, and nobody's choice."""
    scene = Realm(changes={"orders": 1, "orders_max": 1}).begin().denars(0, 0).take("done")
    assert scene.state.phase == s.ASK_FIEF
    scene.skip_to("ruler")
    assert "none" in scene.options()
