"""The replay's sentences about moves, land and victories in Grody."""

from __future__ import annotations

import pytest
from support.grody import Campaign, battle

from balance.contract.records import blank
from balance.contract.view import Move
from balance.games.grody.display import say, show, summarise, tell

NAMES = ["1st player (a)", "2nd player (b)"]


def told(scene: Campaign, label: str):
    """Return the replay's sentences about a label taken in a scene."""
    before = blank(1, scene.state.dtype)
    before[0] = scene.state
    seat = int(scene.state.seat)
    scene.take(label)
    return tell(scene.rules, Move(label, seat, before[0], scene.state, seat, NAMES))


@pytest.mark.parametrize(
    ("label", "who", "sentence"),
    [
        ("move c1r3 c2r3", "Ada", "Ada moves a warrior from c1r3 to c2r3"),
        ("play wilczy_dol 2", "Ada", "Ada plays Wilczy dół on warrior 2"),
        ("play ochotnicy c2r3", "Ada", "Ada plays Ochotnicy on c2r3"),
        ("play odwrot", "Ada", "Ada plays Odwrót"),
        ("hit 2", "Ada", "Ada strikes warrior 2"),
        ("build twierdza c2r2", "Ada", "Ada builds: fort on c2r2"),
        ("explore c2r2 bagno", "", "c2r2 turns out to be a swamp"),
        ("draw 1 okup", "", "The 2nd player draws Okup"),
        ("roll 0 1 6", "", "The 1st player rolls 1 6"),
    ],
)
def test_sentences(label, who, sentence):
    assert say(label, who) == sentence


def test_land_and_prisoners():
    """The results of a move are outcomes."""
    scene = Campaign().land(0, "rownina", "c2r3").land(1, "rownina", "c3r3").army(0, c2r3=1, c1r3=0)
    scene.army(1, c3r3=1).dice(3, 6)
    found = told(scene, "move c2r3 c3r3")
    assert [each.text for each in found] == [
        "1st player (a) moves a warrior from c2r3 to c3r3",
        "c3r3 now belongs to the 1st player",
        "the 1st player takes 1 prisoner",
    ]
    assert [each.outcome for each in found] == [False, True, True]


def test_a_conquest():
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c4r3").army(0, c4r3=1, c1r3=0).army(1, c5r3=0)
    assert told(scene, "move c4r3 c5r3")[-1].text == "The 1st player conquers the enemy's gród"


def test_a_combat_is_shown():
    """It shows the fighters, their behaviour and their rolls."""
    scene = battle(2, 1, hands=(("odwrot",), ()), dice=(1, 4, 3))
    panels = {panel.title: panel for panel in show(scene.rules, scene.stepper.observe(), NAMES)}
    rows = panels["Combat on c3r3"].rows
    assert [row[2] for row in rows] == ["is furious, rolled 1", "stands, rolled 4", "fights, rolled 3"]
    assert ">plain<" in panels["Board"].svg and ">c3r3<" in panels["Board"].svg
    assert summarise(scene.stepper.observe(), NAMES)[0].startswith(
        "1st player (a): 1 point, 1 segment, 3 w"
    )
