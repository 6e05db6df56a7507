"""Targets, price and units of an invasion: INV-1, INV-2, CSB-1, CSB-2."""

from __future__ import annotations

import pytest
from support.korona import Realm, s


def test_inv_1_targets():
    """INV-1: adjoining fiefs that the ruler doesn't hold; a claim is paid now."""
    scene = Realm().units("gniezno", 0, infantry=2).units("swiecie", 0, infantry=1)
    scene.orders("gniezno invade").take("do gniezno invade")
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
    scene.orders("gniezno invade").take("do gniezno invade", "target swiecie")
    sent = {tuple(map(int, each.split(":"))) for each in scene.words("send")}
    assert sent == {(i, 0, k, 0, f) for i in (0, 1) for k in (0, 1) for f in (0, 1) if i + k}
    walls = Realm().units("gniezno", 0, infantry=1, engine=2).building("swiecie", "grod")
    walls.orders("gniezno invade").take("do gniezno invade", "target swiecie")
    assert walls.words("send") == {"1:0:0:0:0", "1:0:0:1:0", "1:0:0:2:0"}


def way_to(scene: Realm, source: str, target: str) -> str:
    """Return how seat 0 may invade: `free`, `claim` or `never`."""
    scene.orders(f"{source} invade")
    if f"do {source} invade" not in scene.options():
        return "never"
    scene.take(f"do {source} invade")
    found = [label for label in scene.options() if label.split()[1] == target]
    return {0: "never", 2: "free", 3: "claim"}[len(found[0].split()) if found else 0]


def test_csb_1_the_holder_decides():
    """CSB-1: unheld fiefs and foreign states in Piast districts are free; other foreign fiefs and rulers are not."""
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
    """CSB-1: never in peace, with any cause."""
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
    scene.state.round_number, scene.state.offset = 5, 0  # seat 0 begins round 5
    scene.state.feud[3, 0] = invaded
    scene.orders("gniezno invade").take("do gniezno invade")
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
