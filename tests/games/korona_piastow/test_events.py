"""Events: EVN, EVT, FOR, and every effect."""

import pytest
from support.errors import refused
from support.korona import Realm, make_rules, s

from balance.foundation.errors import BalanceError
from balance.foundation.toml import validate
from balance.games.korona_piastow.rules.tables import Events


def drawn(card: str, scene: Realm | None = None) -> Realm:
    """Return the event of round 1 drawn by seat 0, carried out or waiting for its choice."""
    scene = scene or Realm()
    return scene.stack(card).orders().skip_to("choose")


def test_numbers_of_the_base_deck():
    """Each of 0 to 5 four times as attack and as defence; sums of 0 to 10 with mean 5."""
    cards = make_rules().events.cards
    for what in ("attack", "defence"):
        assert sorted(getattr(card, what) for card in cards) == sorted([*range(6)] * 4)
    sums = [card.attack + card.defence for card in cards]
    assert (min(sums), max(sums), sum(sums) / 24) == (0, 10, 5)


def test_evn_1_the_beginner_draws():
    """EVN-1: the draw is a chance outcome; the drawer chooses."""
    scene = drawn("plague")
    assert "event plague" in scene.said
    assert (scene.kind, scene.seat) == ("choose", 0)


def test_evn_2_reshuffles():
    """EVN-2: the discards make a new stack, without the event in progress."""
    scene = Realm().units("gniezno", 0, infantry=2).orders("gniezno invade").stack("alms")
    count = int(scene.state.stack_count)
    scene.state.discards[: count - 1] = scene.state.stack[: count - 1]
    scene.state.discard_count, scene.state.stack_count = count - 1, 1
    scene.state.stack[0] = scene.cards.index("alms")
    scene.take("do gniezno invade", "target swiecie", "send 1:0:0:0:0")
    assert "reshuffle" in scene.said
    assert scene.log.game.reshuffles == 1
    assert len(scene.seen().stack) + len(scene.seen().discards) == count


@pytest.mark.parametrize(
    ("card", "change"),
    [
        ("good_harvest", [2, 2, 2, 2]),
        ("silver", [4, 0, 0, 0]),
        ("alms", [0, 4, 4, 0]),
        ("peters_pence", [-1, 0, 0, -1]),
        ("court_luxury", [-4, 0, 0, 0]),
    ],
)
def test_gain_and_pay(card, change):
    """Events: all, the drawer, the poorest, the richest; a player with too little pays everything."""
    scene = Realm().stack(card).orders()
    before = [10, 0, 0, 5]
    for seat, number in enumerate(before):
        scene.denars(seat, number)
    tribute = scene.log.seats["tribute"].copy()
    scene.skip_to()
    gained = scene.state.denars[:4] - (scene.log.seats["tribute"] - tribute)[:4] - before
    assert gained.tolist() == change


def test_plague_and_settle():
    """Events: a fief that a ruler holds is devastated; a devastated fief is restored."""
    scene = drawn("plague", Realm().units("sieradz", 1, infantry=1))
    assert "choose sieradz" in scene.options()
    assert "choose wielun" not in scene.options()
    assert scene.take("choose sieradz").fief("sieradz").devastated
    scene = Realm()
    scene.state.devastated[5] = 1
    scene = drawn("settlers", scene)
    assert scene.options() == [f"choose {scene.fiefs[5]}"]
    scene.take(scene.options()[0])
    assert not scene.state.devastated.any()
    assert drawn("settlers").state.round_number == 2  # nothing is possible: no row


def test_fire():
    """Events: n time units, of which one passes at the end of this round."""
    scene = drawn("fire", Realm().building("poznan", "grod")).take("choose poznan")
    assert scene.fief("poznan").damage == 1


def test_rebellion():
    """Events: half of the units, rounded up, in the order of losses; engines aren't counted."""
    scene = Realm().units("poznan", 0, infantry=1, cavalry=1, knight=1, engine=2, foreign=0)
    scene = drawn("mayor_albert", scene)
    scene.take("choose poznan")
    assert scene.fief("poznan").units == [0, 0, 1, 2, 0]


def test_for_3_raids():
    """FOR-3: strength and fate against the fief's defence; the winners devastate and stay."""
    scene = Realm().building("gdansk", "grod").units("slawno", 0, infantry=1)
    scene.begin().stack("brandenburgers", *("alms", "good_harvest")).skip_to("choose")
    assert scene.kind == "choose"
    assert set(scene.options()) == {f"choose {fief}" for fief in ("slawno", "lubusz", "santok", "krosno")}
    scene.take("choose lubusz")  # 8 + 1 against the levy's 4
    assert scene.fief("lubusz").devastated
    assert scene.fief("lubusz").units == [0, 0, 0, 0, 2]
    assert scene.said.index("fate attack alms 1 1") < scene.said.index("fate defence good_harvest 0 0")


def test_for_3_a_raid_is_cut_at_the_limit():
    """FOR-3: the card's two units stand there as far as the limit of a fief allows."""
    scene = Realm(changes={"fief_limit": 1}).begin().stack("brandenburgers", "alms", "good_harvest")
    scene.skip_to("choose").take("choose lubusz")
    assert scene.fief("lubusz").units == [0, 0, 0, 0, 1]


def test_for_3_a_raid_repelled():
    """FOR-3: otherwise nothing is lost; a gród counts."""
    scene = Realm().building("lubusz", "grod").units("lubusz", 0, infantry=1)
    scene.begin().stack("brandenburgers", "alms", "good_harvest").skip_to("choose").take("choose lubusz")
    assert scene.fief("lubusz").units[0] == 1
    assert not scene.fief("lubusz").devastated


def test_for_1_no_raid_from_a_ruled_district():
    """FOR-1: nothing happens if a ruler owns the district that the raid comes from."""
    assert drawn("brandenburgers", Realm().owner("brandenburgia", 1)).state.round_number == 2


def test_for_2_foreign_units_stay():
    """FOR-2: they stay in place round after round."""
    scene = Realm(changes={"foreign_garrison": 3, "events": "flat"}, bare=False)
    scene.place_all()
    before = scene.state.units[:, s.FOREIGN].tolist()
    scene.next_round().next_round()
    assert scene.state.units[:, s.FOREIGN].tolist() == before


def test_allies_and_levies():
    """Events: as far as the limit allows."""
    scene = drawn("hungarian_help", Realm().units("poznan", 0, infantry=5))
    assert scene.options() == ["choose poznan"]
    assert scene.take("choose poznan").fief("poznan").units == [5, 0, 0, 0, 1]
    scene = drawn("general_levy")
    assert scene.options() == ["choose poznan", "choose gniezno", "choose kalisz"]
    assert scene.take("choose poznan").fief("poznan").units == [2, 0, 0, 0, 0]


def test_heir_and_works():
    """Events: the drawer draws a magnate; every building loses a time unit, and one more at the end."""
    assert len(drawn("new_house").ruler(0).free_magnates) == 1
    assert drawn("masons", Realm().building("poznan", "castle", damage=3)).fief("poznan").damage == 1


@pytest.mark.parametrize(("everywhere", "damage"), [(False, [2, 3, 3]), (True, [2, 2, 2])])
def test_works_where_fiefs_are_occupied_or_besieged(everywhere, damage):
    """Events, BLD-4: as at the end of a round, or everywhere; `time_passes = 0` leaves the event alone."""
    scene = Realm(changes={"works_everywhere": everywhere, "time_passes": 0})
    for fief in ("poznan", "gniezno", "kalisz"):
        scene.building(fief, "castle", damage=3)
    scene.units("gniezno", 1, infantry=1)  # occupied
    scene.mark("kalisz", besieger=1)
    scene = drawn("masons", scene)
    assert [scene.fief(fief).damage for fief in ("poznan", "gniezno", "kalisz")] == damage


def test_evt_1_cards_that_stay():
    """EVT-1: peace 3 lasts through two rounds, then goes to the discards."""
    scene = drawn("marriage")
    assert scene.options() == ["choose 1", "choose 2", "choose 3"]
    scene.take("choose 3")
    assert [(stay.card, stay.time, stay.seat, stay.other) for stay in scene.seen().stays] == [("marriage", 2, 0, 3)]
    scene.next_round()  # from a stack without it
    assert len(scene.seen().stays) >= 1
    scene.next_round()
    assert "marriage" not in [stay.card for stay in scene.seen().stays]


def test_evt_1_when_a_ruler_is_out():
    """EVT-1: a card goes at once when one of its rulers is out."""
    scene = drawn("interdict").take("choose 1")
    assert scene.seen().stays[0].seat == 1
    for fief in ("krakow", "wislica", "sacz"):
        scene.units(fief, 2, infantry=1)
    scene.skip_to()
    assert scene.state.out_round[1] > 0
    assert "interdict" in scene.seen().discards + scene.seen().stack


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"effect": "raid"}, "effect 'raid' takes from, strength, units"),
        ({"n": 99}, "n is 0 to 50, got 99"),
        ({"who": "richest"}, "who must be one of all, drawer, poorest"),
        ({"effect": "miracle"}, "effect"),
        ({"attack": 10}, "attack"),
    ],
)
def test_a_wrong_card_is_one_line(change, message):
    """Events: a card needs the keys of its effect, within their ranges."""
    data = make_rules().events.model_dump(by_alias=True)
    data["cards"][0] = {key: value for key, value in data["cards"][0].items() if value is not None} | change
    with refused(message):
        validate(Events, data, "my.toml")


def test_a_deck_needs_cards_that_pass():
    """Events: 8 to 60 cards, at least 4 neither peace nor interdict; raids from foreign districts of the map."""
    data = make_rules().events.model_dump(by_alias=True)
    peace = next(card for card in data["cards"] if card["effect"] == "peace")
    data["cards"] = data["cards"][:3] + [{**peace, "id": f"peace_{i}"} for i in range(5)]
    with pytest.raises(BalanceError, match="neither peace nor interdict, got 3"):
        validate(Events, data, "my.toml")
    with pytest.raises(BalanceError, match="cards"):
        validate(Events, {**data, "cards": data["cards"][:4]}, "my.toml")
    raid = make_rules().events.model_dump(by_alias=True)
    next(card for card in raid["cards"] if card["effect"] == "raid")["from"] = "kujawy"
    with pytest.raises(BalanceError, match="no foreign district 'kujawy'"):
        make_rules({"events": raid})
