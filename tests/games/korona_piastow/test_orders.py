"""Tribute, orders given and turned up, spies: RND, TRB, ORD, SPY, DIV, EXE."""

import pytest
from support.korona import Realm, s

from balance.games.korona_piastow.rules.tables import ORDERS


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
    scene.mark("gniezno", devastated=1)
    assert scene.begin().log.seats[0].tribute == 4 + 0 + 1
    assert scene.log.seats[1].tribute == 4 + 2 * 3 + 1


def test_trb_2_cloth_halls():
    """TRB-2: 4, 2 for each free fief, money traits, 1 for each active cloth hall."""
    scene = Realm().building("poznan", "clothhall").building("gniezno", "clothhall", damage=1)
    scene.building("krakow", "clothhall").units("krakow", 0, infantry=1).begin()
    assert scene.log.seats[0].tribute == 4 + 6 + 1 + 1
    assert scene.log.seats[1].tribute == 4 + 4 + 1  # krakow is occupied


def test_ord_1_tokens():
    """ORD-1: five, one more for each active town hall, at most eight; on fiefs that the ruler holds."""
    scene = Realm(changes={"same_kind": 12}).begin()
    assert scene.words("fief") == {"poznan", "gniezno", "kalisz"}
    for _ in range(5):
        scene.take("fief poznan", "order defend")
    assert scene.seat == 1
    assert scene.log.seats[0].orders_given == 5
    halls = Realm(changes={"same_kind": 12, "orders": 6})
    for fief in ("poznan", "gniezno", "kalisz"):
        halls.building(fief, "townhall")
    halls.units("sieradz", 0, infantry=1).begin()
    assert "sieradz" in halls.words("fief")
    while halls.seat == 0:
        halls.take("fief sieradz", "order defend")
    assert halls.log.seats[0].orders_given == 8


def test_ord_2_orders_are_hidden():
    """ORD-2: no other player sees an order until phase 3, and then the number, owner and place."""
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
    assert full.options() == [f"order {kind}" for kind in ORDERS]
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
    """Set up seat 0 with a cloth hall and all orders given."""
    return Realm().building("poznan", "clothhall").orders(*orders)


def test_spy_1_spies():
    """SPY-1: 2 denars to see all orders of a fief; not asked if no opponent's order is there."""
    scene = spying("", "krakow build, krakow invade, sacz muster")
    assert (scene.kind, scene.seat) == ("spy", 0)
    assert scene.options() == ["none", "spy krakow", "spy sacz"]
    scene.denars(0, 5).take("spy krakow").skip_to("turn")
    assert scene.state.denars[0] == 3
    assert scene.fief("krakow", 0).tokens == ["build", "invade"]
    assert scene.fief("sacz", 0).tokens == ["?"]
    assert scene.fief("krakow", 2).tokens == ["?", "?"]
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
    assert scene.fief("krakow", 1).tokens == ["build"]


def give_up_all(scene: Realm) -> list[int]:
    """Give up every order; return the seats that turn them up."""
    seats = []
    while scene.kind == "turn":
        seats.append(scene.seat)
        scene.take(next(label for label in scene.options() if label.startswith("drop")))
    return seats


def test_exe_1_one_order_each_in_turn():
    """EXE-1: one after another each turns up one; `defend` never; then all tokens are taken off."""
    scene = Realm().orders("poznan build, kalisz build, gniezno defend", "krakow build")
    assert give_up_all(scene) == [0, 1, 0]
    assert scene.fief("gniezno").tokens == []
    assert scene.log.seats[0].dropped == 2


@pytest.mark.parametrize(("number", "seats"), [(0, [0, 0, 0, 1, 1]), (2, [0, 0, 1, 1, 0])])
def test_exe_1_all_at_once(number, seats):
    """EXE-1, key `orders_per_turn`: 0 for all, 2 for two before the next ruler."""
    scene = Realm(changes={"orders_per_turn": number})
    scene.orders("poznan build, kalisz build, gniezno build", "krakow build, sacz build")
    assert give_up_all(scene) == seats


def test_exe_1_any_number():
    """EXE-1, `orders_per_turn = "any"`: after the first, a ruler turns up another or leaves the turn to the next."""
    scene = Realm(changes={"orders_per_turn": "any"})
    scene.orders("poznan build, kalisz build, gniezno build", "krakow build, sacz build")
    assert "done" not in scene.options()
    scene.take("drop poznan build")
    assert scene.seat == 0 and scene.options()[-1] == "done"
    scene.take("drop kalisz build", "done", "drop krakow build", "done")
    assert scene.seat == 0 and "done" not in scene.options()
    scene.take("drop gniezno build")
    assert scene.seat == 1 and "done" not in scene.options()


def test_exe_2_what_can_be_done():
    """EXE-2: `do` where the order's first decision has a label; equal tokens are one label."""
    scene = Realm().orders("poznan build, poznan build, gniezno regroup")
    assert scene.options() == ["do poznan build", "drop poznan build", "drop gniezno regroup"]
    scene.denars(0, 5)
    assert "do poznan build" not in scene.options()


def test_dec_1_one_label_is_logged():
    """DEC-1: a decision with one label is a row without a chooser."""
    scene = Realm(changes={"orders": 1, "orders_max": 1}).begin().denars(0, 0).take("done")
    assert scene.state.phase == s.ASK_FIEF
    scene.skip_to("ruler")
    assert "none" in scene.options()
