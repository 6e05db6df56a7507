"""War: targets and claims (INV, CSB), battles (CMB, LOS, DEF, REV), sieges (SGE)."""

import pytest
from support.korona import Realm, s

ZERO = ("good_harvest", "new_house")  # attack 0, defence 0
LINES = ["malopolska", "mazowsze", "kujawy", "dolny_slask", "gorny_slask"]


def test_inv_1_targets():
    """INV-1: adjoining fiefs that the ruler doesn't hold; a claim is paid now."""
    scene = Realm().units("gniezno", 0, infantry=2).units("swiecie", 0, infantry=1)
    scene.do("gniezno invade")
    assert scene.options() == ["target kruszwica claim"]
    before = int(scene.state.denars[0])
    scene.take("target kruszwica claim")
    assert scene.state.denars[0] == before - 4
    assert scene.log.seats[0].claims == 1
    empty = Realm().units("gniezno", 0, engine=2).units("poznan", 0, infantry=1)
    assert empty.orders("gniezno invade").options() == ["drop gniezno invade"]


def test_inv_2_sending():
    """INV-2: any of the units with one of the ruler's own; engines only against a building that counts."""
    scene = Realm().units("gniezno", 0, infantry=1, knight=1, engine=1, foreign=1)
    scene.do("gniezno invade", "target swiecie")
    sent = {tuple(map(int, each.split(":"))) for each in scene.words("send")}
    assert sent == {(i, 0, k, 0, f) for i in (0, 1) for k in (0, 1) for f in (0, 1) if i + k}
    walls = Realm().units("gniezno", 0, infantry=1, engine=2).building("swiecie", "grod")
    walls.do("gniezno invade", "target swiecie")
    assert walls.words("send") == {"1:0:0:0:0", "1:0:0:1:0", "1:0:0:2:0"}


def way_to(source: str, target: str, scene: Realm | None = None) -> str:
    """Return how an infantry of seat 0 may invade: `free`, `claim` or `never`."""
    scene = (scene or Realm()).units(source, 0, infantry=1).orders(f"{source} invade")
    if f"do {source} invade" not in scene.options():
        return "never"
    scene.take(f"do {source} invade")
    found = [label for label in scene.options() if label.split()[1] == target]
    return {0: "never", 2: "free", 3: "claim"}[len(found[0].split()) if found else 0]


def test_csb_1_the_holder_decides():
    """CSB-1: unheld fiefs and foreign states in Piast districts are free; other foreign fiefs and rulers are not."""
    assert way_to("gniezno", "swiecie") == "free"
    assert way_to("gniezno", "swiecie", Realm().units("swiecie", foreign=1)) == "free"
    assert way_to("krosno", "berlin") == "claim"
    own = Realm().owner("brandenburgia", 0).units("berlin", foreign=1)
    assert way_to("krosno", "berlin", own) == "free"
    assert way_to("gniezno", "kruszwica") == "claim"
    assert way_to("gniezno", "kruszwica", Realm().begin().denars(0, 3)) == "never"


def test_csb_1_peace():
    """CSB-1: never in peace, with any cause."""
    scene = Realm().units("kalisz", 3, infantry=1).stays("marriage", 3, 0)
    assert way_to("gniezno", "kruszwica", scene) == "never"


def test_csb_2_occupation():
    """CSB-2: it occupies a fief of the ruler's state."""
    assert way_to("gniezno", "kruszwica", Realm().units("kalisz", 3, infantry=1)) == "free"


@pytest.mark.parametrize(("invaded", "way"), [(5, "free"), (4, "free"), (3, "claim"), (0, "claim")])
def test_csb_2_feuds(invaded, way):
    """CSB-2: it invaded a fief held by the ruler in this or the last round."""
    scene = Realm().begin()
    scene.state.round_number, scene.state.offset = 5, 0  # seat 0 begins round 5
    scene.state.feud[3, 0] = invaded
    assert way_to("gniezno", "kruszwica", scene) == way


def test_csb_2_the_zakon():
    """CSB-2: the Zakon needs no claim; against it none is needed once it has a Piast fief."""
    zakon = {"lines": ["zakon", *LINES]}
    scene = Realm(changes=zakon).units("torun", 0, infantry=1)
    assert way_to("krolewiec", "grodno", scene) == "free"
    assert way_to("rypin", "plock", Realm(changes=zakon)) == "never"
    ruled = {"lines": ["wielkopolska", "zakon", *LINES[1:]], "second_players": 0}
    assert way_to("swiecie", "torun", Realm(changes=ruled)) == "claim"
    assert way_to("swiecie", "torun", Realm(changes=ruled).units("rypin", 1, infantry=1)) == "free"


@pytest.mark.parametrize(("occupied", "way"), [([], "free"), (["wielun"], "free"), (["wielun", "sieradz"], "claim")])
def test_csb_2_pretenders(occupied, way):
    """CSB-2: a score of the crown less 1: 9 or 8 of 9, but not 7."""
    scene = Realm().owner("leczyca", 3).owner("sieradz", 3)
    for fief in occupied:
        scene.units(fief, 1, infantry=1)
    assert way_to("gniezno", "kruszwica", scene) == way


def test_csb_2_interdicts():
    """CSB-2: an interdict."""
    assert way_to("gniezno", "kruszwica", Realm().stays("interdict", 3)) == "free"


def fight(scene: Realm, target: str, sent: str, *others: str, cards: tuple[str, str] = ZERO) -> Realm:
    """Give the orders of seat 0 from gniezno and of others, and carry out the invasion with these cards of fate."""
    scene.orders("gniezno invade", *others).stack(*cards).take("do gniezno invade")
    way = next(label for label in scene.options() if label.split()[1] == target)
    return scene.take(way, f"send {sent}")


def test_cmb_1_an_example_of_sums():
    """CMB-1: 3 infantry + trait 2 against the levy's 4 wins by one; 2 infantry against 4 are repelled."""
    three = fight(Realm().units("gniezno", 0, infantry=3), "swiecie", "3:0:0:0:0")
    assert three.kind == "victory"
    two = fight(Realm().units("gniezno", 0, infantry=2), "swiecie", "2:0:0:0:0")
    assert two.kind != "victory"  # 4 against 4
    assert two.log.seats[0].repelled == 1


def test_cmb_1_fate_decides():
    """CMB-1, LOS-1: the attacker's card gives its attack number, the defender's its defence number."""
    scene = Realm().units("gniezno", 0, infantry=2)
    fight(scene, "swiecie", "2:0:0:0:0", cards=("alms", "new_house"))  # 1 and 0
    assert scene.kind == "victory"
    assert scene.said[-2:] == ["fate attack alms 1 1", "fate defence new_house 5 0"]
    assert scene.seen().discards == ["alms", "new_house"]


def test_cmb_1_no_levy_in_capitals():
    """CMB-1: an empty fief of a capital district has no levy, but its ruler's defence trait of 2."""
    scene = fight(Realm().units("gniezno", 0, infantry=1), "kruszwica", "1:0:0:0:0")
    assert scene.kind == "victory"  # 1 + 2 against 0 + 2
    away = Realm().units("gniezno", 0, infantry=1).owner("leczyca", 3)
    away.stands(3, "leczyca").stands(0, "leczyca")
    assert fight(away, "kruszwica", "1:0:0:0:0").kind == "victory"  # 1 against 0


@pytest.mark.parametrize(("relics", "wins"), [(3, True), (2, False)])
def test_cmb_1_relics_and_the_way_from_abroad(relics, wins):
    """CMB-1: 2 infantry and relics against 4; the attack trait counts only from the ruler's own state."""
    scene = Realm().units("leczyca", 0, infantry=2).orders("leczyca invade").stack(*ZERO)
    scene.state.relics[0] = relics
    scene.take("do leczyca invade", "target piotrkow", "send 2:0:0:0:0")
    assert (scene.kind == "victory") == wins


@pytest.mark.parametrize(("relics", "engines", "wins"), [(1, 1, False), (1, 2, True), (1, 4, True), (0, 3, False)])
def test_cmb_1_engines_against_walls(relics, engines, wins):
    """CMB-1: 5 for each engine, at most the building's 10; 2 infantry and the trait of 2 against 4 + 10."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=engines).building("swiecie", "grod")
    scene.state.relics[0] = relics
    fight(scene, "swiecie", f"2:0:0:{engines}:0")
    assert (scene.kind == "victory") == wins
    assert scene.fief("gniezno").units[3] == 0  # CMB-7


@pytest.mark.parametrize(
    ("marks", "wins"),
    [({"damage": 1}, True), ({"besieger": 0, "siege_round": 0}, True), ({"besieger": 0, "siege_round": 1}, False)],
)
def test_cmb_2_walls_that_do_not_count(marks, wins):
    """CMB-2: damaged, or against the besieger whose marker lies there since an earlier round."""
    scene = Realm().units("gniezno", 0, infantry=3).building("swiecie", "grod").begin()
    fight(scene.mark("swiecie", **marks), "swiecie", "3:0:0:0:0")
    assert (scene.kind == "victory") == wins


def test_cmb_3_the_victor_loses_and_stands_there():
    """CMB-3: against the levy of 4 the loss is at least 1: one infantry; the others stand in the target."""
    scene = Realm().units("gniezno", 0, infantry=4, cavalry=1).building("swiecie", "grod", damage=1)
    fight(scene.mark("swiecie", besieger=0), "swiecie", "3:1:0:0:0").take("occupy")
    assert scene.fief("swiecie").units == [2, 1, 0, 0, 0]
    assert scene.fief("gniezno").units == [1, 0, 0, 0, 0]
    assert scene.fief("swiecie").besieger == s.NOTHING
    assert (scene.log.seats[0].invasions, scene.log.seats[0].won) == (1, 1)


def test_cmb_3_the_beaten_are_gone_with_their_tokens():
    """CMB-3: all units of the target are removed, and its orders too."""
    scene = Realm().units("gniezno", 0, knight=4).units("kruszwica", 3, infantry=1, engine=1, foreign=1)
    fight(scene, "kruszwica", "0:0:4:0:0", "", "", "kruszwica muster, kruszwica build").take("occupy")
    assert scene.fief("kruszwica").holder == 0
    assert scene.state.token_count[3] == 0
    assert scene.log.seats[3].lost_fiefs == 1


def test_cmb_4_the_order_of_losses():
    """CMB-4: infantry, foreign, cavalry, knights; the winner keeps one unit."""
    scene = Realm().units("gniezno", 0, infantry=1, cavalry=2, knight=1, foreign=1)
    scene.units("swiecie", foreign=6)
    scene.state.relics[0] = 9
    fight(scene, "swiecie", "1:2:1:0:1").take("occupy")
    # a quarter of 12 is 3: infantry 1, foreign 1, cavalry 2
    assert scene.fief("swiecie").units == [0, 1, 1, 0, 0]
    last = Realm(changes={"winner_loss": 100}).units("gniezno", 0, infantry=2)
    last.units("swiecie", foreign=6).state.relics[0] = 12
    assert fight(last, "swiecie", "2:0:0:0:0").take("occupy").fief("swiecie").units[0] == 1


def test_cmb_5_devastate():
    """CMB-5: it takes 2 denars and devastates; not offered if already devastated."""
    scene = fight(Realm().units("gniezno", 0, infantry=4), "swiecie", "4:0:0:0:0")
    assert scene.options() == ["occupy", "devastate"]
    before = int(scene.state.denars[0])
    scene.take("devastate")
    assert scene.state.denars[0] == before + 2
    assert scene.fief("swiecie").devastated
    again = Realm().units("gniezno", 0, infantry=4).mark("swiecie", devastated=1)
    assert fight(again, "swiecie", "4:0:0:0:0").options() == ["occupy"]


def test_cmb_6_repelled():
    """CMB-6: half of those sent, rounded up, are lost; the defender loses a quarter of their attack in defence."""
    scene = Realm().units("gniezno", 0, infantry=3, knight=2)
    scene.units("kruszwica", 3, infantry=2, knight=3)
    fight(scene, "kruszwica", "3:0:2:0:0")  # 9 + 2 against 13 + 2
    assert scene.fief("gniezno").units == [0, 0, 2, 0, 0]  # three of five
    assert scene.fief("kruszwica").units == [1, 0, 3, 0, 0]  # a quarter of 9 is 2: one infantry


def test_cmb_7_engines_are_destroyed_either_way():
    """CMB-7: engines in the target are destroyed too, though it holds."""
    scene = Realm().units("gniezno", 0, infantry=1).units("kruszwica", 3, infantry=3, engine=2)
    fight(scene, "kruszwica", "1:0:0:0:0")
    assert scene.fief("kruszwica").units == [3, 0, 0, 0, 0]


@pytest.mark.parametrize("relics", [1, 0])
def test_cmb_7_engines_count_among_the_units_that_are_lost(relics):
    """CMB-7, CMB-3, CMB-6: one infantry and both engines of the attacker, and the engine of the defender."""
    scene = Realm().units("gniezno", 0, infantry=2, engine=2).building("swiecie", "grod")
    scene.units("swiecie", 3, infantry=2, engine=1).orders("gniezno invade").stack(*ZERO)
    scene.state.relics[0] = relics
    scene.take("do gniezno invade", "target swiecie claim")
    fought = next(parts for name, parts in scene.outcomes("send 2:0:0:2:0") if name == "fought")
    assert (fought["conquered"], fought["lost"]) == (relics, 3)
    assert fought["killed"] == (3 if relics else 1)


def test_def_1_defend_comes_into_force():
    """DEF-1: 2 for each, used up."""
    scene = Realm().units("gniezno", 0, infantry=3).units("kruszwica", 3, infantry=1)
    scene.orders("gniezno invade", "", "", "kruszwica defend, kruszwica defend").stack(*ZERO)
    scene.take("do gniezno invade", "target kruszwica claim")
    ((_, battle), (_, fought)) = scene.outcomes("send 3:0:0:0:0")[:2]
    assert (battle["attack"], battle["defence"], battle["defends"]) == (5, 2 + 2 + 4, 2)
    assert fought["conquered"] == 0
    assert scene.state.token_count[3] == 0


def test_cmb_3_a_defend_in_force_stays_for_the_phase():
    """CMB-3, DEF-1, EXE-1: it defends the new holder until the tokens are taken off."""
    scene = Realm().units("gniezno", 0, infantry=6).units("inowroclaw", 3, infantry=1)
    scene.units("kruszwica", 3, infantry=1)
    fight(scene, "kruszwica", "6:0:0:0:0", "", "", "kruszwica defend, inowroclaw invade").take("occupy")
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
    scene = fight(revenge_scene(), "kruszwica", "1:0:0:0:0", "", "", "kruszwica revenge")
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
    invade = ("do gniezno invade", "target kruszwica claim", "send 1:0:0:0:0")
    scene = revenge_scene().units("gniezno", 0, infantry=2)
    scene.orders("gniezno invade, gniezno invade", "", "", "kruszwica revenge")
    for _ in range(2):
        assert scene.stack(*ZERO).take(*invade).kind == "revenge"
        scene.take("none")
    damaged = revenge_scene().orders("gniezno invade", "", "", "kruszwica revenge").stack(*ZERO)
    assert damaged.mark("brzesc", damage=1).take(*invade).kind != "revenge"


def test_rev_1_without_a_target():
    """REV-1, DEC-1: `none` is the only label, and it is logged; not asked of the bot."""
    scene = Realm(changes={"feud_rounds": 0, "claim_cost": 99}).denars(0, 99)
    scene.units("gniezno", 0, infantry=1).units("kruszwica", 3, knight=4).building("brzesc", "castle")
    for near in ("inowroclaw", "brzesc", "uniejow"):
        scene.units(near, 3, infantry=1)
    fight(scene, "kruszwica", "1:0:0:0:0", "", "", "kruszwica revenge")
    assert (scene.kind, scene.seat) == ("revenge", 3)
    assert scene.options() == ["none"]


def siege_scene() -> Realm:
    scene = Realm().units("gniezno", 0, infantry=1).building("poznan", "grod")
    return scene.building("kruszwica", "castle").units("kalisz", 3, infantry=1)


def test_sge_1_sieges():
    """SGE-1: a marker on an opponent's adjoining gród or castle against which no claim is needed."""
    scene = siege_scene().do("gniezno siege")
    assert scene.options() == ["siege kruszwica"]
    assert scene.take("siege kruszwica").fief("kruszwica").besieger == 0
    claim = siege_scene().units("kalisz").orders("gniezno siege")
    assert claim.options() == ["drop gniezno siege"]  # a claim would be needed
    taken = siege_scene().orders("gniezno siege").mark("kruszwica", besieger=2)
    assert taken.options() == ["drop gniezno siege"]


def test_sge_2_effect():
    """SGE-2: nothing is mustered, built or raised there."""
    scene = siege_scene().mark("kruszwica", besieger=0)
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
