"""Map, units, traits and set-up: MAP-1 to MAP-5, UNT-1, TRT-1 to TRT-3, SET-1 to SET-7."""

import re
from collections import Counter

import pytest
from support.errors import refused
from support.korona import GAME, POSITION, Realm, make_rules, s

from balance.experiments.variants import hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.toml import merge, validate
from balance.games.korona_piastow.rules.tables import Map


def test_map_1_the_map():
    """MAP-1: 18 districts, 49 fiefs, 36 of them Piast, 107 borders; seven districts have a line."""
    found = make_rules().map
    piast = {district.id for district in found.districts if district.piast}
    assert (len(found.districts), len(found.fiefs), len(found.borders)) == (18, 49, 107)
    assert sum(fief.district in piast for fief in found.fiefs) == 36
    assert sum(district.line for district in found.districts) == 7
    assert found.reconstruction


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data["borders"].pop(), "no path leads from poznan to troki"),
        (lambda data: data["fiefs"][3].update(district="kujawy"), "kujawy is not connected: "),
        (lambda data: data["fiefs"][3].update(district="prusy"), "krakow lies in 'prusy'"),
        (lambda data: data["borders"].append(["gniezno", "poznan"]), "write first the fief that `fiefs`"),
        (lambda data: data["borders"].append(["poznan", "gniezno"]), "poznan-gniezno appears twice"),
        (lambda data: data["fiefs"][1].update(id="poznan"), "fiefs: two are called 'poznan'"),
    ],
)
def test_map_1_a_map_is_checked(change, message):
    """MAP-1: it is connected, districts are whole, each border exists once; one line names the fault."""
    data = make_rules().map.model_dump()
    if "troki" in message:  # troki adjoins two others
        data["borders"] = [pair for pair in data["borders"] if pair != ["krolewiec", "troki"]]
    change(data)
    with refused("my.toml", message):
        validate(Map, data, "my.toml")


def test_map_1_a_line_is_a_district_of_the_map():
    """MAP-1: its capitals must exist."""
    with pytest.raises(BalanceError, match="lines: 'prusy' is not a district"):
        make_rules({"lines": [*make_rules().lines[:6], "prusy"]})


def test_map_2_limit():
    """MAP-2: six units in all; a building, and one under construction."""
    scene = Realm().units("poznan", 0, infantry=2, knight=1, engine=1, foreign=1)
    scene.do("poznan muster", "muster infantry")
    assert sum(scene.fief("poznan").units) == 6
    assert scene.kind == "ruler"  # no second unit is possible: the order ends (DEC-1)


def test_map_3_allies():
    """MAP-3: foreign units with a ruler's obey it; alone they hold the fief for the foreign states."""
    scene = Realm().units("poznan", 0, infantry=1, foreign=2).units("kalisz", foreign=1).begin()
    assert scene.fief("poznan").holder == 0
    assert scene.ruler(0).units == 3
    assert scene.fief("kalisz").holder == s.FOREIGN_STATES


def test_map_4_holders():
    """MAP-4: units, then foreign units, then the district's owner; engines don't count."""
    scene = Realm().units("sieradz", 0, infantry=1).units("wielun", 0, engine=1)
    scene.units("krakow", 0, cavalry=1).begin()
    holders = {name: scene.fief(name).holder for name in ("sieradz", "wielun", "krakow", "berlin")}
    assert holders == {"sieradz": 0, "wielun": -1, "krakow": 0, "berlin": -2}
    assert scene.ruler(1).fiefs == 2  # krakow is occupied
    assert scene.ruler(0).fiefs == 3


def test_map_5_devastated():
    """MAP-5: no muster, no building, no free fief; a building site is lost, a finished building stays."""
    scene = Realm().units("poznan", 0, infantry=1).building("poznan", "grod").mark("poznan", rising=1)
    scene.stack("plague").orders().skip_to("choose").take("choose poznan")
    poznan = scene.fief("poznan")
    assert (poznan.devastated, poznan.building, poznan.rising) == (True, "grod", "")
    assert scene.log.seats[0].tribute == 2 * (4 + 6 + 1) - 2  # one free fief less in round 2
    scene = Realm().units("poznan", 0, infantry=1).mark("poznan", devastated=1)
    assert scene.orders("poznan muster, poznan build").words("do") == set()


def test_unt_1_engines_left_alone_are_removed():
    """UNT-1, JOI-1: when the other units have gone."""
    scene = Realm().units("gniezno", 0, infantry=1, engine=1)
    scene.do("gniezno regroup", "move gniezno poznan infantry", "done")
    assert scene.fief("gniezno").units == [0, 0, 0, 0, 0]


def test_trt_2_who_acts_in_a_district():
    """TRT-1, TRT-2: with the ruler only its money, elsewhere the magnate's; none in a capital without the ruler."""
    away = Realm().owner("leczyca", 0).magnate("leczyca", "money")
    assert away.begin().log.seats[0].tribute == 4 + 2 * 6 + 1 + 1
    there = Realm().owner("leczyca", 0).magnate("leczyca", "money").stands(0, "leczyca")
    assert there.begin().log.seats[0].tribute == 4 + 2 * 6 + 1


def test_trt_3_the_bag():
    """TRT-3: six tokens of each trait; each drawn leaves it, and an empty bag gives nothing."""
    scene = Realm(6, {"start": {"magnates": 4}})
    drawn = [label.split()[2] for label in scene.said if label.startswith("magnate")]
    assert len(drawn) == 24
    assert scene.seen().bag == [0, 0, 0, 0]
    assert Counter(drawn) == dict.fromkeys(("attack", "defence", "money", "time"), 6)
    few = Realm(6, {"start": {"magnates": 4}, "magnate": {"tokens": 2}})
    assert sum(label.startswith("magnate") for label in few.said) == 8


def test_trt_3_a_magnate_goes_back():
    """TRT-3: with its district, before the new owner draws (JOI-2)."""
    scene = Realm(changes={"magnate": {"tokens": 0}}).owner("leczyca", 1).magnate("leczyca", "time")
    scene.state.bag[:] = 0
    for fief in ("leczyca", "uniejow", "inowlodz"):
        scene.units(fief, 0, infantry=1)
    scene.do("poznan build", "build grod")
    assert scene.owner_of("leczyca") == 0
    assert scene.ruler(0).free_magnates == ["time"]


def test_set_1_lines():
    """SET-1: each draws a line as a chance outcome; in fixed order there is no chance outcome."""
    scene = Realm(6, bare=False)
    lines = [label.split() for label in scene.said if label.startswith("line")]
    assert [int(seat) for _, seat, _ in lines] == list(range(6))
    assert len({line for _, _, line in lines}) == 6
    assert [ruler.line for ruler in scene.seen().seats] == [line for _, _, line in lines]
    ordered = Realm(3, {"lines_drawn": False}, bare=False)
    assert [ruler.line for ruler in ordered.seen().seats] == make_rules().lines[:3]
    assert not any(label.startswith(("line", "second")) for label in ordered.said)


def test_set_1_lines_are_chosen():
    """SET-1, `lines_chosen`: in seat order each takes a line of those left; a second line is still drawn."""
    scene, pool = Realm(2, {"lines_chosen": True}, bare=False), make_rules().lines
    assert (scene.kind, scene.seat, scene.options()) == ("line", 0, [f"choose {line}" for line in pool])
    assert [ruler.line for ruler in scene.seen().seats] == ["", ""]
    scene.take("choose zakon")
    assert scene.seat == 1 and "choose zakon" not in scene.options()
    scene.take("choose kujawy")
    assert [ruler.line for ruler in scene.seen().seats] == ["zakon", "kujawy"]
    assert [label.split()[0] for label in scene.said if "second" in label] == ["second", "second"]
    assert (scene.kind, scene.owner_of("kujawy")) == ("place", 1)


def test_set_2_start():
    """SET-2: a free magnate and 8 denars."""
    scene = Realm(4, bare=False)
    assert all(len(ruler.free_magnates) == 1 for ruler in scene.seen().seats)
    assert [ruler.denars for ruler in scene.seen().seats] == [8] * 4


def test_sets_2_and_3_by_seat():
    """Start values may be by seat, the last for all later seats, or by player count."""
    counts = {str(players): 0 for players in GAME.players}
    start = {"denars": [8, 9], "infantry": {**counts, "3": [2, 1]}, "cavalry": 0, "magnates": [0, 1, 2]}
    start["knights"] = {**counts, "3": [0, 0, 1]}
    scene = Realm(3, {"start": start, "second_players": 0}, bare=False)
    assert [ruler.denars for ruler in scene.seen().seats] == [8, 9, 9]
    assert [len(ruler.free_magnates) for ruler in scene.seen().seats] == [0, 1, 2]
    placed = []
    while scene.kind == "place":
        placed.append((scene.seat, scene.options()[0].split()[1]))
        scene.take(scene.options()[0])
    assert placed == [(0, "infantry")] * 2 + [(1, "infantry"), (2, "infantry"), (2, "knight")]


def test_set_6_a_line_may_start_with_more_or_less():
    """SET-6: in addition to the start of all rulers, and never below 0; a line without numbers has those of all."""
    lines = {
        "wielkopolska": {"denars": 3, "infantry": -9, "knights": 1},
        "malopolska": {"denars": -9, "cavalry": 1, "magnates": 1},
        "mazowsze": {"denars": 0},
    }
    scene = Realm(4, {"lines_drawn": False, "start": {"lines": lines}}, bare=False)
    assert [ruler.denars for ruler in scene.seen().seats] == [11, 0, 8, 8]
    assert [len(ruler.free_magnates) for ruler in scene.seen().seats] == [1, 2, 1, 1]
    placed = Counter[tuple[int, str]]()
    while scene.kind == "place":
        placed[scene.seat, scene.options()[0].split()[1]] += 1
        scene.take(scene.options()[0])
    others = {"infantry": 4, "cavalry": 1, "knight": 1}
    expected = [{"cavalry": 1, "knight": 2}, {**others, "cavalry": 2}, others, others]
    assert placed == {(seat, unit): count for seat, own in enumerate(expected) for unit, count in own.items()}


def test_set_6_equal_lines_leave_the_rules_as_they_are():
    """Lines without a difference do not change a rule set's hash; other lines are written as their differences."""
    plain, equal = make_rules({}), make_rules({"start": {"lines": {"zakon": {"denars": 0}}}})
    assert hash_rules(plain) == hash_rules(equal)
    assert "lines" not in equal.model_dump()["start"]
    own = make_rules({"start": {"lines": {"zakon": {"denars": 0, "knights": -1}}}})
    assert own.model_dump()["start"]["lines"] == {"zakon": {"knights": -1}}
    assert type(own).model_validate(own.model_dump(by_alias=True)) == own
    with pytest.raises(BalanceError, match=r"start\.lines: 'prusy' is not a district of the map with a line"):
        make_rules({"start": {"lines": {"prusy": {"denars": 1}}}})


def test_set_3_placing():
    """SET-3: seat by seat, unit by unit: 4 infantry, 1 cavalry, 1 knight in the capital district."""
    scene = Realm(4, {"lines_drawn": False}, bare=False)
    for seat in range(4):
        for unit in ["infantry"] * 4 + ["cavalry", "knight"]:
            assert scene.seat == seat
            assert {label.split()[1] for label in scene.options()} == {unit}
            scene.take(scene.options()[0])
    assert scene.seen().fiefs[0].units == [4, 1, 1, 0, 0]
    assert scene.kind == "fief"


def test_set_3_a_unit_without_room_is_lost():
    """SET-3: nine infantry in three fiefs of two."""
    scene = Realm(2, {"fief_limit": 2, "start": {"infantry": 9}, "second_players": 0}, bare=False)
    placed = 0
    while scene.kind == "place" and scene.seat == 0:
        scene.take(scene.options()[-1])
        placed += 1
    assert placed == 6


@pytest.mark.parametrize("players", [2, 3])
def test_set_4_second_lines(players):
    """SET-4: a second Piast line with a magnate granted and 3 infantry."""
    scene = Realm(players, bare=False, seed=players)
    labels = [label.split()[0] for label in scene.said if label[0] in "ls"]
    assert labels == ["line"] * players + ["second"] * players
    seconds = [scene.districts[d] for d in scene.state.second[:players]]
    rules = scene.rules.map
    assert all(rules.districts[rules.district_ids.index(line)].piast for line in seconds)
    for seat, line in enumerate(seconds):
        assert scene.owner_of(line) == seat
        assert scene.seen().districts[scene.districts.index(line)].magnate
    scene.place_all()
    assert all(scene.fief(rules.fiefs_of(line)[0]).units[0] == 3 for line in seconds)
    assert Realm(4, bare=False).state.second[0] == s.NOTHING


def test_set_5_garrisons():
    """SET-5: three foreign units in each fief of a foreign district without a ruler, up to the limit; else none."""
    foreign = {district.id for district in make_rules().map.districts if not district.piast}
    fresh = Realm(4, {"lines_drawn": False}, bare=False)
    for fief in fresh.seen().fiefs:
        assert fief.units == [0, 0, 0, 0, 3 if fief.district in foreign else 0]
    ruled = Realm(4, {"lines_drawn": False, "lines": ["zakon", *make_rules().lines[:6]]}, bare=False)
    assert ruled.fief("malbork").units == [0, 0, 0, 0, 0]
    small = Realm(4, {"foreign_garrison": 5, "fief_limit": 2}, bare=False)
    assert max(fief.units[4] for fief in small.seen().fiefs) == 2


def test_set_7_a_scenario():
    """SET-7: the position is that which is written, and the tribute of its round comes first."""
    scene = Realm(2, POSITION, bare=False)
    assert (scene.kind, scene.seat, scene.said) == ("fief", 0, [])  # round 3 of two: seat 0 begins
    first, second = scene.seen().seats
    assert (first.line, first.stands, first.relics, first.free_magnates) == ("wielkopolska", "pomorze", 2, ["money"])
    assert (second.line, second.stands) == ("malopolska", "malopolska")
    found = {district.name: (district.owner, district.magnate) for district in scene.seen().districts}
    assert found["pomorze"] == (0, "attack") and found["lubusz"] == (0, "")
    assert found["mazowsze"] == (1, "time")
    poznan, krakow = scene.fief("poznan"), scene.fief("krakow")
    assert (poznan.units, poznan.building, poznan.damage) == ([2, 0, 0, 1, 0], "grod", 1)
    assert (krakow.units, krakow.rising, krakow.time_left) == ([0, 0, 1, 0, 1], "townhall", 2)
    assert scene.fief("sieradz").devastated
    assert [scene.fief(name).units[4] for name in ("berlin", "mysliborz")] == [1, 3]  # SET-5
    assert scene.seen().rounds == 10


def test_set_7_a_line_without_a_ruler_falls_away():
    """SET-7: with two players nobody rules Kujawy; with three Mazowsze has its own ruler."""
    scene = Realm(2, POSITION, bare=False)
    assert scene.owner_of("dobrzyn") == s.NOBODY
    assert scene.fief("dobrzyn").units == [0, 0, 0, 0, 1]
    scene = Realm(3, POSITION, bare=False)
    assert scene.owner_of("mazowsze") == 2
    assert (scene.seat, scene.state.bag.tolist()) == (2, [5, 6, 5, 6])  # round 3 of three: seat 2 begins


def test_set_7_equal_rules_are_equal():
    """SET-7: a scenario without a round is none, and is not written."""
    assert "scenario" not in make_rules().model_dump()
    assert make_rules({"scenario": {"round": 0}}) == make_rules()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"lines_drawn": True}, "scenario: set lines_drawn = false and lines_chosen = false"),
        ({"scenario": {"round": 0}}, "scenario.round: name the round that begins, because rulers and fiefs"),
        ({"scenario": {"round": 13}}, "scenario.round: 13 is after the last round, 12"),
        ({"scenario": {"rulers": {"litwa": {}}}}, "scenario.rulers.litwa: 'litwa' is not one of `lines`"),
        ({"scenario": {"rulers": {"kujawy": {"stands": "rus"}}}}, "kujawy.stands: 'rus' is not a district of this"),
        ({"scenario": {"rulers": {"kujawy": {"districts": {"lubusz": "none"}}}}}, "belongs to wielkopolska already"),
        ({"scenario": {"rulers": {"kujawy": {"districts": {"mars": "none"}}}}}, "'mars' is not a further district"),
        ({"scenario": {"rulers": {"kujawy": {"magnates": ["time"] * 6}}}}, "7 magnates of time are more than"),
        ({"scenario": {"fiefs": {"mars": {}}}}, "scenario.fiefs.mars: the map has no such fief"),
        ({"scenario": {"fiefs": {"opole": {"infantry": 1}}}}, "scenario.fiefs.opole: name in ruler whose infantry"),
        ({"scenario": {"fiefs": {"poznan": {"infantry": 6}}}}, "fiefs.poznan: 7 units are more than fief_limit (6)"),
        ({"scenario": {"fiefs": {"opole": {"damage": 1}}}}, "scenario.fiefs.opole: damage needs a building"),
        ({"scenario": {"fiefs": {"opole": {"site": "castle"}}}}, "scenario.fiefs.opole: site and time go together"),
        ({"scenario": {"fiefs": {"krakow": {"devastated": True}}}}, "nothing is under construction in a devastated"),
        ({"scenario": {"fiefs": {"opole": {"walls": 1}}}}, "unknown key 'scenario.fiefs.opole.walls'"),
    ],
)
def test_set_7_a_wrong_scenario_is_one_line(changes, message):
    """SET-7: one line names the key."""
    with pytest.raises(BalanceError, match=re.escape(message)) as error:
        make_rules(merge(POSITION, changes))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rounds": 41}, "rounds: "),
        ({"orders": 9, "orders_max": 8}, "orders: 9 are more than orders_max"),
        ({"crown_fiefs": [1, 2]}, "crown_fiefs: "),
        ({"lines": ["zakon"]}, "lines: 6 players need 6 lines, got 1"),
        ({"quest": {"lost": 5}}, "lost, nothing, denars and magnate must rise"),
        ({"buildings": {"grod": {"walls": 3}}}, "unknown key 'buildings.grod.walls'"),
        ({"units": {"foreign": {"cost": 1}}}, "unknown key 'units.foreign.cost'"),
        ({"time_passes": 2}, "time_passes: "),
        ({"map": "mars"}, "unknown map 'mars'"),
    ],
)
def test_a_wrong_value_is_one_line(changes, message):
    """Section 9: ranges and cross-checks; one line names the key."""
    with refused(message):
        make_rules(changes)


def test_six_players_need_six_lines_and_three_need_six_piasts():
    """SET-4: second lines for 3 players need six Piast lines."""
    lines = [line for line in make_rules().lines if line != "kujawy"]
    with pytest.raises(BalanceError, match="3 players with two Piast lines each"):
        make_rules({"lines": lines})
    assert make_rules({"lines": lines, "second_players": 2}).second_players == 2
