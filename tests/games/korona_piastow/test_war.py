"""War: INV, CSB, CMB, LOS, DEF, REV, SGE; worked examples of sums and losses."""

from __future__ import annotations

import pytest
from support.korona import Realm, s


def fight(scene: Realm, target: str, sent: str, cards: tuple[str, str], *others: str) -> Realm:
    """Give the orders of seat 0 from gniezno and of others, and carry the invasion out with these cards of fate."""
    scene.orders("gniezno invade", *others).stack(*cards)
    way = next(label for label in _targets(scene) if label.split()[1] == target)
    return scene.take(way, f"send {sent}")


def _targets(scene: Realm) -> list[str]:
    return scene.take("do gniezno invade").options()


ZERO = ("good_harvest", "new_house")  # attack 0, defence 0


def test_inv_1_targets():
    """INV-1: adjoining fiefs that the ruler doesn't hold; a claim is paid now."""
    scene = Realm().units("gniezno", 0, infantry=2).units("swiecie", 0, infantry=1)
    scene.orders("gniezno invade").take("do gniezno invade")
    assert scene.options() == ["target kruszwica claim"]
    before = int(scene.state.denars[0])
    scene.take("target kruszwica claim")
    assert scene.state.denars[0] == before - 4
    assert scene.log.claims[0] == 1
    empty = Realm().units("gniezno", 0, engine=2).units("poznan", 0, infantry=1)
    assert empty.orders("gniezno invade").options() == ["drop gniezno invade"]


def test_inv_2_sending():
    """INV-2: any of the units with one of the ruler's own; engines only against a building that counts."""
    scene = Realm().units("gniezno", 0, infantry=1, knight=1, engine=1, foreign=1)
    scene.orders("gniezno invade").take("do gniezno invade", "target swiecie")
    sent = {tuple(map(int, each.split(":"))) for each in scene.words("send")}
    assert sent == {(i, 0, k, 0, f) for i in (0, 1) for k in (0, 1) for f in (0, 1) if i + k}
    walls = Realm().units("gniezno", 0, infantry=1, engine=2).building("swiecie", "grod")
    walls.orders("gniezno invade").take("do gniezno invade", "target swiecie")
    assert walls.words("send") == {"1:0:0:0:0", "1:0:0:1:0", "1:0:0:2:0"}


def way_to(scene: Realm, source: str, target: str) -> str:
    """How seat 0 may invade: `free`, `claim` or `never`."""
    scene.orders(f"{source} invade")
    if f"do {source} invade" not in scene.options():
        return "never"
    scene.take(f"do {source} invade")
    found = [label for label in scene.options() if label.split()[1] == target]
    return {0: "never", 2: "free", 3: "claim"}[len(found[0].split()) if found else 0]


def test_csb_1_the_holder_decides():
    """CSB-1: nobody and foreign states in Piast districts are free; other foreign fiefs and rulers need a claim."""
    assert way_to(Realm().units("gniezno", 0, infantry=1), "gniezno", "swiecie") == "free"
    held = Realm().units("gniezno", 0, infantry=1).units("swiecie", foreign=1)
    assert way_to(held, "gniezno", "swiecie") == "free"
    assert way_to(Realm().units("krosno", 0, infantry=1), "krosno", "berlin") == "claim"
    own = Realm().units("krosno", 0, infantry=1).owner("brandenburgia", 0).units("berlin", foreign=1)
    assert way_to(own, "krosno", "berlin") == "free"
    assert way_to(Realm().units("gniezno", 0, infantry=1), "gniezno", "kruszwica") == "claim"
    poor = Realm().units("gniezno", 0, infantry=1).begin().denars(0, 3)
    assert way_to(poor, "gniezno", "kruszwica") == "never"


def test_csb_1_peace():
    """CSB-1: never in peace, whatever cause there is."""
    scene = Realm().units("gniezno", 0, infantry=1).units("kalisz", 3, infantry=1)
    scene.state.stay_count = 1
    scene.state.stay_with[0], scene.state.stay_other[0], scene.state.stay_time[0] = 3, 0, 2
    scene.state.stay_card[0] = scene.cards.index("marriage")
    assert way_to(scene, "gniezno", "kruszwica") == "never"


def cause_realm() -> Realm:
    return Realm().units("gniezno", 0, infantry=1)


def test_csb_2_occupation():
    """CSB-2: it occupies a fief of the ruler's state."""
    assert way_to(cause_realm().units("kalisz", 3, infantry=1), "gniezno", "kruszwica") == "free"


@pytest.mark.parametrize(("invaded", "way"), [(5, "free"), (4, "free"), (3, "claim"), (0, "claim")])
def test_csb_2_feuds(invaded, way):
    """CSB-2: it invaded a fief held by the ruler in this or the last round."""
    scene = cause_realm().begin()
    scene.state.round_number = 5
    scene.state.seat = 0
    scene.state.feud[3, 0] = invaded
    scene.state.offset = 3  # seat 0 is asked last in round 5
    scene.state.round_number = 5
    order = [(5 - 1 + offset) % 4 for offset in range(4)]
    scene.state.offset = order.index(0)
    scene.take("fief gniezno", "order invade")
    scene.orders("", "", "", "")
    scene.skip_to("turn").take("do gniezno invade")
    found = next(label for label in scene.options() if "kruszwica" in label)
    assert found == ("target kruszwica" if way == "free" else "target kruszwica claim")


def test_csb_2_the_zakon():
    """CSB-2: the Zakon needs no claim; against it none is needed once it has a Piast fief."""
    lines = ["zakon", "malopolska", "mazowsze", "kujawy", "dolny_slask", "gorny_slask"]
    scene = Realm(changes={"lines": lines}).units("torun", 0, infantry=1).units("krolewiec", 0, knight=1)
    assert way_to(scene, "krolewiec", "grodno") == "free"
    assert (
        way_to(Realm(changes={"lines": lines}).units("rypin", 0, cavalry=1), "rypin", "plock") == "never"
    )
    ruled = ["wielkopolska", "zakon", "mazowsze", "kujawy", "dolny_slask", "gorny_slask"]
    peaceful = Realm(changes={"lines": ruled, "second_players": 0}).units("swiecie", 0, infantry=1)
    assert way_to(peaceful, "swiecie", "torun") == "claim"
    greedy = (
        Realm(changes={"lines": ruled}).units("swiecie", 0, infantry=1).units("rypin", 1, infantry=1)
    )
    assert way_to(greedy, "swiecie", "torun") == "free"


def test_csb_2_pretenders_and_interdicts():
    """CSB-2: a score of the crown less 1; an interdict."""
    scene = cause_realm()
    for district in ("leczyca", "sieradz"):
        scene.owner(district, 3)
    assert way_to(scene, "gniezno", "kruszwica") == "free"  # 9 of 9
    eight = cause_realm().owner("leczyca", 3).owner("sieradz", 3).units("wielun", 1, infantry=1)
    assert way_to(eight, "gniezno", "kruszwica") == "free"
    seven = cause_realm().owner("leczyca", 3).owner("sieradz", 3)
    seven.units("wielun", 1, infantry=1).units("sieradz", 1, infantry=1)
    assert way_to(seven, "gniezno", "kruszwica") == "claim"
    banned = cause_realm()
    banned.state.stay_count = 1
    banned.state.stay_with[0], banned.state.stay_other[0], banned.state.stay_time[0] = 3, s.NOTHING, 2
    banned.state.stay_card[0] = banned.cards.index("interdict")
    assert way_to(banned, "gniezno", "kruszwica") == "free"


def test_cmb_1_an_example_of_sums():
    """CMB-1: 3 infantry + trait 2 against the levy's 4 wins by one; 2 infantry against 4 are repelled."""
    three = fight(Realm().units("gniezno", 0, infantry=3), "swiecie", "3:0:0:0:0", ZERO)
    assert three.kind == "victory"
    two = fight(Realm().units("gniezno", 0, infantry=2), "swiecie", "2:0:0:0:0", ZERO)
    assert two.kind != "victory"  # 4 against 4
    assert two.log.repelled[0] == 1


def test_cmb_1_fate_decides():
    """CMB-1, LOS-1: the attacker's card gives its attack number, the defender's its defence number."""
    scene = Realm().units("gniezno", 0, infantry=2)
    fight(scene, "swiecie", "2:0:0:0:0", ("alms", "new_house"))  # 1 and 0
    assert scene.kind == "victory"
    assert scene.said[-2:] == ["fate attack alms 1 1", "fate defence new_house 5 0"]
    assert scene.seen().discards == ["alms", "new_house"]


def test_cmb_1_no_levy_in_capitals():
    """CMB-1: an empty fief of a capital district has no levy, but its ruler's defence trait of 2."""
    scene = fight(Realm().units("gniezno", 0, infantry=1), "kruszwica", "1:0:0:0:0", ZERO)
    assert scene.kind == "victory"  # 1 + 2 against 0 + 2
    away = Realm().units("gniezno", 0, infantry=1).owner("leczyca", 3)
    away.state.stands[3] = away.districts.index("leczyca")
    away.state.stands[0] = away.districts.index("leczyca")
    assert fight(away, "kruszwica", "1:0:0:0:0", ZERO).kind == "victory"  # 1 against 0


def test_cmb_1_relics_and_the_way_from_abroad():
    """CMB-1: relics count; the attack trait only from the ruler's own state."""
    scene = Realm().units("leczyca", 0, infantry=2).orders("leczyca invade").stack(*ZERO)
    scene.state.relics[0] = 3
    scene.take("do leczyca invade", "target piotrkow", "send 2:0:0:0:0")
    assert scene.kind == "victory"  # 2 + 3 against 4; without a trait
    scene = Realm().units("leczyca", 0, infantry=2).orders("leczyca invade").stack(*ZERO)
    scene.state.relics[0] = 2
    assert scene.take("do leczyca invade", "target piotrkow", "send 2:0:0:0:0").kind != "victory"


@pytest.mark.parametrize(("engines", "wins"), [(1, False), (2, True), (4, True)])
def test_cmb_1_engines_against_walls(engines, wins):
    """CMB-1: 5 for each engine, at most the building's 10: 3 infantry and 2 engines against levy and gród."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=engines).building("swiecie", "grod")
    scene.state.relics[0] = 1
    fight(scene, "swiecie", f"2:0:0:{engines}:0", ZERO)
    assert (scene.kind == "victory") == wins  # 2 + 2 + 1 + 5 or 10 against 4 + 10
    assert scene.fief("gniezno").units[3] == 0  # CMB-7


def test_cmb_1_engines_do_not_exceed_the_walls():
    """CMB-1: three engines against a gród are worth its 10, and no more."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=3).building("swiecie", "grod")
    assert fight(scene, "swiecie", "2:0:0:3:0", ZERO).kind != "victory"  # 2 + 2 + 10 against 14


def test_cmb_2_walls_that_do_not_count():
    """CMB-2: damaged, or against the besieger whose marker lies there since an earlier round."""
    damaged = Realm().units("gniezno", 0, infantry=3).building("swiecie", "grod", damage=1)
    assert fight(damaged, "swiecie", "3:0:0:0:0", ZERO).kind == "victory"
    for since, wins in ((0, True), (1, False)):
        scene = Realm().units("gniezno", 0, infantry=3).building("swiecie", "grod").begin()
        scene.state.besieger[scene.fiefs.index("swiecie")] = 0
        scene.state.siege_round[scene.fiefs.index("swiecie")] = since
        assert (fight(scene, "swiecie", "3:0:0:0:0", ZERO).kind == "victory") == wins


def test_cmb_3_the_victor_loses_and_stands_there():
    """CMB-3: against the levy of 4 the loss is at least 1: one infantry; the others stand in the target."""
    scene = Realm().units("gniezno", 0, infantry=4, cavalry=1).building("swiecie", "grod", damage=1)
    scene.state.besieger[scene.fiefs.index("swiecie")] = 0
    fight(scene, "swiecie", "3:1:0:0:0", ZERO)
    scene.take("occupy")
    assert scene.fief("swiecie").units == [2, 1, 0, 0, 0]
    assert scene.fief("gniezno").units == [1, 0, 0, 0, 0]
    assert scene.fief("swiecie").besieger == s.NOTHING
    assert (scene.log.invasions[0], scene.log.won[0]) == (1, 1)


def test_cmb_3_the_beaten_are_gone_with_their_tokens():
    """CMB-3: all units of the target; the orders there are taken off."""
    scene = Realm().units("gniezno", 0, knight=4).units("kruszwica", 3, infantry=1, engine=1, foreign=1)
    fight(scene, "kruszwica", "0:0:4:0:0", ZERO, "", "", "kruszwica muster, kruszwica build")
    scene.take("occupy")
    assert scene.fief("kruszwica").holder == 0
    assert scene.state.token_count[3] == 0
    assert scene.log.lost_fiefs[3] == 1


def test_cmb_4_the_order_of_losses():
    """CMB-4: infantry, foreign, cavalry, knights; the winner keeps one unit."""
    scene = Realm().units("gniezno", 0, infantry=1, cavalry=2, knight=1, foreign=1)
    scene.units("swiecie", foreign=6)
    scene.state.relics[0] = 9
    fight(scene, "swiecie", "1:2:1:0:1", ZERO).take("occupy")
    # a quarter of 12 is 3: infantry 1, foreign 1, cavalry 2
    assert scene.fief("swiecie").units == [0, 1, 1, 0, 0]
    last = (
        Realm(changes={"winner_loss": 100}).units("gniezno", 0, infantry=2).units("swiecie", foreign=6)
    )
    last.state.relics[0] = 12
    assert fight(last, "swiecie", "2:0:0:0:0", ZERO).take("occupy").fief("swiecie").units[0] == 1


def test_cmb_5_devastate():
    """CMB-5: it takes 2 denars and devastates; not offered where that is done already."""
    scene = fight(Realm().units("gniezno", 0, infantry=4), "swiecie", "4:0:0:0:0", ZERO)
    assert scene.options() == ["occupy", "devastate"]
    before = int(scene.state.denars[0])
    scene.take("devastate")
    assert scene.state.denars[0] == before + 2
    assert scene.fief("swiecie").devastated
    again = Realm().units("gniezno", 0, infantry=4)
    again.state.devastated[again.fiefs.index("swiecie")] = 1
    assert fight(again, "swiecie", "4:0:0:0:0", ZERO).options() == ["occupy"]


def test_cmb_6_repelled():
    """CMB-6: half of those sent, rounded up, are lost; the defender loses a quarter of their attack in defence."""
    scene = Realm().units("gniezno", 0, infantry=3, knight=2)
    scene.units("kruszwica", 3, infantry=2, knight=3)
    fight(scene, "kruszwica", "3:0:2:0:0", ZERO)  # 9 + 2 against 13 + 2
    assert scene.fief("gniezno").units == [0, 0, 2, 0, 0]  # three of five
    assert scene.fief("kruszwica").units == [1, 0, 3, 0, 0]  # a quarter of 9 is 2: one infantry


def test_cmb_7_engines_are_destroyed_either_way():
    """CMB-7: those in the target too, though it holds."""
    scene = Realm().units("gniezno", 0, infantry=1).units("kruszwica", 3, infantry=3, engine=2)
    fight(scene, "kruszwica", "1:0:0:0:0", ZERO)
    assert scene.fief("kruszwica").units == [3, 0, 0, 0, 0]


def test_def_1_defend_comes_into_force():
    """DEF-1: 2 for each, used up, in force until the end of the phase."""
    scene = Realm().units("gniezno", 0, infantry=3).units("poznan", 0, infantry=3)
    scene.units("kruszwica", 3, infantry=1).building("poznan", "grod")
    scene.orders("gniezno invade", "", "", "kruszwica defend, kruszwica defend").stack(*ZERO)
    scene.take("do gniezno invade", "target kruszwica claim", "send 3:0:0:0:0")
    assert scene.kind != "victory"  # 5 against 2 + 2 + 4
    assert scene.state.defended[scene.fiefs.index("kruszwica")] == 2 or scene.kind == "ruler"
    assert scene.state.token_count[3] == 0


def revenge_scene() -> Realm:
    """Seat 0 invades kruszwica and is beaten; seat 3 has a castle and revenge there."""
    scene = Realm().units("gniezno", 0, infantry=1).units("kruszwica", 3, knight=4)
    return scene.building("brzesc", "castle")


def test_rev_1_revenge():
    """REV-1: the defender who has won may invade from there with attack +2; or lets it be."""
    scene = fight(revenge_scene(), "kruszwica", "1:0:0:0:0", ZERO, "", "", "kruszwica revenge")
    assert (scene.kind, scene.seat) == ("revenge", 3)
    assert scene.options()[0] == "none"
    assert "target gniezno" in scene.options()  # a feud: no claim
    scene.stack(*ZERO).take("target gniezno", "send 0:0:1:0:0")
    assert scene.kind == "victory"  # 3 + 2 + 2 against 2 of the trait
    scene.take("occupy")
    assert scene.fief("gniezno").holder == 3
    assert scene.log.invasions[3] == 1


def test_rev_1_again_and_not_without_a_castle():
    """REV-1: the token stays for the next invasion; a castle that is damaged gives nothing."""
    scene = (
        revenge_scene()
        .units("gniezno", 0, infantry=2)
        .orders("gniezno invade, gniezno invade", "", "", "kruszwica revenge")
    )
    for _ in range(2):
        scene.stack(*ZERO).take("do gniezno invade", "target kruszwica claim", "send 1:0:0:0:0")
        assert scene.kind == "revenge"
        scene.take("none")
    damaged = revenge_scene().orders("gniezno invade", "", "", "kruszwica revenge").stack(*ZERO)
    damaged.state.damage[damaged.fiefs.index("brzesc")] = 1
    damaged.take("do gniezno invade", "target kruszwica claim", "send 1:0:0:0:0")
    assert damaged.kind != "revenge"


def siege_scene() -> Realm:
    scene = Realm().units("gniezno", 0, infantry=1).building("poznan", "grod")
    return scene.building("kruszwica", "castle").units("kalisz", 3, infantry=1)


def test_sge_1_sieges():
    """SGE-1: a marker on an adjoining gród or castle of another against whom no claim is needed."""
    scene = siege_scene().orders("gniezno siege").take("do gniezno siege")
    assert scene.options() == ["siege kruszwica"]
    scene.take("siege kruszwica")
    assert scene.fief("kruszwica").besieger == 0
    claim = siege_scene().units("kalisz").orders("gniezno siege")
    assert claim.options() == ["drop gniezno siege"]  # a claim would be needed
    taken = siege_scene().orders("gniezno siege")
    taken.state.besieger[taken.fiefs.index("kruszwica")] = 2
    assert taken.options() == ["drop gniezno siege"]


def test_sge_2_effect():
    """SGE-2: nothing is mustered, built or raised there."""
    scene = siege_scene()
    scene.state.besieger[scene.fiefs.index("kruszwica")] = 0
    scene.orders("", "", "", "kruszwica muster, kruszwica build")
    assert scene.words("do") == set()
    scene.skip_to("ruler")
    while scene.seat != 3:
        scene.take("none").skip_to("ruler")
    assert scene.words("raise") == {"inowroclaw", "brzesc"}


def test_sge_3_lifted():
    """SGE-3: when the besieger has no units next to it any more."""
    scene = siege_scene().orders("gniezno siege, gniezno regroup")
    scene.take("do gniezno siege", "siege kruszwica")
    assert scene.fief("kruszwica").besieger == 0
    scene.take("do gniezno regroup", "move gniezno poznan infantry", "done")
    assert scene.fief("kruszwica").besieger == s.NOTHING
