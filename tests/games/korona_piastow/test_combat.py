"""War: CMB, LOS, DEF, REV, SGE; worked examples of sums and losses."""

from __future__ import annotations

import pytest
from support.korona import Realm, s


def fight(scene: Realm, target: str, sent: str, cards: tuple[str, str], *others: str) -> Realm:
    """Give the orders of seat 0 from gniezno and of others, and carry out the invasion with these cards of fate."""
    scene.orders("gniezno invade", *others).stack(*cards)
    way = next(label for label in _targets(scene) if label.split()[1] == target)
    return scene.take(way, f"send {sent}")


def _targets(scene: Realm) -> list[str]:
    return scene.take("do gniezno invade").options()


ZERO = ("good_harvest", "new_house")  # attack 0, defence 0


def test_cmb_1_an_example_of_sums():
    """CMB-1: 3 infantry + trait 2 against the levy's 4 wins by one; 2 infantry against 4 are repelled."""
    three = fight(Realm().units("gniezno", 0, infantry=3), "swiecie", "3:0:0:0:0", ZERO)
    assert three.kind == "victory"
    two = fight(Realm().units("gniezno", 0, infantry=2), "swiecie", "2:0:0:0:0", ZERO)
    assert two.kind != "victory"  # 4 against 4
    assert two.log.seats[0].repelled == 1


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
    assert (scene.log.seats[0].invasions, scene.log.seats[0].won) == (1, 1)


def test_cmb_3_the_beaten_are_gone_with_their_tokens():
    """CMB-3: all units of the target are removed, and its orders too."""
    scene = Realm().units("gniezno", 0, knight=4).units("kruszwica", 3, infantry=1, engine=1, foreign=1)
    fight(scene, "kruszwica", "0:0:4:0:0", ZERO, "", "", "kruszwica muster, kruszwica build")
    scene.take("occupy")
    assert scene.fief("kruszwica").holder == 0
    assert scene.state.token_count[3] == 0
    assert scene.log.seats[3].lost_fiefs == 1


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
    """CMB-5: it takes 2 denars and devastates; not offered if already devastated."""
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
    """CMB-7: engines in the target are destroyed too, though it holds."""
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


def test_cmb_3_a_defend_in_force_stays_for_the_phase():
    """CMB-3, EXE-1: it defends the new holder until the tokens are taken off."""
    scene = Realm().units("gniezno", 0, infantry=6).units("inowroclaw", 3, infantry=1)
    scene.units("kruszwica", 3, infantry=1)
    scene.orders("gniezno invade", "", "", "kruszwica defend, inowroclaw invade").stack(*ZERO)
    scene.take("do gniezno invade", "target kruszwica claim", "send 6:0:0:0:0", "occupy")
    assert scene.fief("kruszwica").holder == 0
    kruszwica = scene.fiefs.index("kruszwica")
    assert scene.state.defended[kruszwica] == 1
    scene.stack(*ZERO).take("do inowroclaw invade", "target kruszwica")
    ((_, battle), (_, fought)) = scene.outcomes("send 1:0:0:0:0")[:2]
    assert (battle["defends"], fought["conquered"]) == (1, 0)
    scene.next_round()
    assert scene.state.defended[kruszwica] == 0


def revenge_scene() -> Realm:
    """Set up seat 0's lost invasion of kruszwica; seat 3 has a castle and revenge there."""
    scene = Realm().units("gniezno", 0, infantry=1).units("kruszwica", 3, knight=4)
    return scene.building("brzesc", "castle")


def test_rev_1_revenge():
    """REV-1: a winning defender may invade from there with attack +2, or decline."""
    scene = fight(revenge_scene(), "kruszwica", "1:0:0:0:0", ZERO, "", "", "kruszwica revenge")
    assert (scene.kind, scene.seat) == ("revenge", 3)
    assert scene.options()[0] == "none"
    assert "target gniezno" in scene.options()  # a feud: no claim
    scene.stack(*ZERO).take("target gniezno", "send 0:0:1:0:0")
    assert scene.kind == "victory"  # 3 + 2 + 2 against 2 of the trait
    scene.take("occupy")
    assert scene.fief("gniezno").holder == 3
    assert scene.log.seats[3].invasions == 1


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


def test_rev_1_without_a_target():
    """REV-1, DEC-1: `none` is the only label, and it is logged; not asked of the bot."""
    scene = Realm(changes={"feud_rounds": 0, "claim_cost": 99}).denars(0, 99)
    scene.units("gniezno", 0, infantry=1).units("kruszwica", 3, knight=4).building("brzesc", "castle")
    for near in ("inowroclaw", "brzesc", "uniejow"):
        scene.units(near, 3, infantry=1)
    scene.orders("gniezno invade", "", "", "kruszwica revenge").denars(0, 99).stack(*ZERO)
    scene.take("do gniezno invade", "target kruszwica claim", "send 1:0:0:0:0")
    assert (scene.kind, scene.seat) == ("revenge", 3)
    assert scene.options() == ["none"]


def siege_scene() -> Realm:
    scene = Realm().units("gniezno", 0, infantry=1).building("poznan", "grod")
    return scene.building("kruszwica", "castle").units("kalisz", 3, infantry=1)


def test_sge_1_sieges():
    """SGE-1: a marker on an opponent's adjoining gród or castle against which no claim is needed."""
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
    """SGE-3: the siege ends when the besieger has no units next to it."""
    scene = siege_scene().orders("gniezno siege, gniezno regroup")
    scene.take("do gniezno siege", "siege kruszwica")
    assert scene.fief("kruszwica").besieger == 0
    scene.take("do gniezno regroup", "move gniezno poznan infantry", "done")
    assert scene.fief("kruszwica").besieger == s.NOTHING
