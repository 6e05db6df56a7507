"""The replay's sentences about moves, land and victories in Grody."""

import pytest
from support.grody import Campaign, battle

from balance.games.grody.display import ACTIONS, show, summarise

NAMES = ["1st player (a)", "2nd player (b)"]


@pytest.mark.parametrize(
    ("label", "who", "sentence"),
    [
        ("move c1r3 c2r3", "Ada", "Ada moves a warrior from c1r3 to c2r3"),
        ("play wilczy_dol 2", "Ada", "Ada plays Wilczy dół on warrior 2"),
        ("play ochotnicy c2r3", "Ada", "Ada plays Ochotnicy on c2r3"),
        ("play odwrot", "Ada", "Ada plays Odwrót"),
        ("hit 2", "Ada", "Ada strikes warrior 2"),
        ("build twierdza c2r2", "Ada", "Ada builds: fort on c2r2"),
        ("explore c2r2 bagno", "", "c2r2 is explored: swamp"),
        ("draw 1 okup", "", "The 2nd player draws Okup"),
        ("roll 0 1 6", "", "The 1st player rolls 1 6"),
    ],
)
def test_sentences(label, who, sentence):
    assert ACTIONS.say(label, who) == sentence


def test_land_and_prisoners():
    """The results of a move are outcomes."""
    scene = Campaign().land(0, "rownina", "c2r3").land(1, "rownina", "c3r3").army(0, c2r3=1, c1r3=0)
    scene.army(1, c3r3=1).dice(3, 6)
    found = scene.tell("move c2r3 c3r3", NAMES)
    assert [each.text for each in found][:6] == [
        "1st player (a) moves a warrior from c2r3 to c3r3",
        "Combat on c3r3: 1 attacker against 1 defender",
        "The 1st player rolls 3",
        "The 2nd player rolls 6",
        "A warrior of the 2nd player is taken prisoner on c3r3",
        "The 1st player wins the combat on c3r3",
    ]
    assert found[6].text == "c3r3 now belongs to the 1st player"
    assert [each.outcome for each in found][:7] == [False, True, False, False, True, True, True]
    owners = [each.observation.board["c3r3"].owner for each in found[5:7]]
    assert owners == [1, 0]


def test_the_lead_of_the_first_round():
    """CMB-1: a full team has a leader, hills raise the defender's morale."""
    scene = Campaign().land(0, "rownina", "c2r3").land(1, "wzgorza", "c3r3").army(0, c2r3=4, c1r3=0)
    scene.army(1, c3r3=1).dice(3, 3, 3, 3, 3).take(*["move c2r3 c3r3"] * 3)
    (name, parts), *_ = scene.outcomes("move c2r3 c3r3")
    assert name == "combat"
    assert (parts["attackers"], parts["defenders"], parts["leaders"], parts["lead"]) == (4, 1, 1, 0)


def test_a_cancelled_card():
    """CRD-3: a card that is answered has no effect."""
    scene = battle(1, 1, hands=(("na_pewno_sie_uda",), ("czarodziej",)), dice=(3, 3))
    scene.take("play na_pewno_sie_uda 1")
    name, parts = scene.outcomes("play czarodziej")[0]
    assert (name, parts["player"], parts["effect"]) == ("card", 0, 0)


def test_a_conquest():
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c4r3").army(0, c4r3=1, c1r3=0).army(1, c5r3=0)
    assert scene.tell("move c4r3 c5r3", NAMES)[-1].text == "The 1st player conquers the enemy's gród"


def test_a_combat_is_shown():
    scene = battle(2, 1, hands=(("odwrot",), ()), dice=(1, 4, 3))
    panels = {panel.title: panel for panel in show(scene.rules, scene.stepper.observe(), NAMES)}
    rows = panels["Combat on c3r3"].rows
    assert [row[2] for row in rows] == ["is furious, rolled 1", "stands, rolled 4", "fights, rolled 3"]
    assert ">plain<" in panels["Board"].svg and ">c3r3<" in panels["Board"].svg
    assert summarise(scene.stepper.observe(), NAMES)[0].startswith("1st player (a): 1 point, 1 segment, 3 w")
