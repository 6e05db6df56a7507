"""The five worked examples of the rulebook (section 9 of the rule page)."""

from support.grody import Campaign, battle, s, stream_that_draws


def test_example_1_declining():
    """A declines, B plays, A plays, B declines, A declines: the phase ends."""
    scene = Campaign().hand(0, "zwiad", "zwiad", "forsowny_marsz")
    scene.hand(1, "wieszczba", "wieszczba").window("start")
    scene.take("decline", "play wieszczba", "play zwiad")
    assert scene.seat == 1
    scene.take("decline")
    assert scene.seat == 0
    scene.take("decline")
    assert scene.asked == "move"


def test_example_2_four_against_three():
    """Three of B on a plain, four of A attack: legal; a fifth is not; seven stand there."""
    scene = Campaign({"grod_capacity": 8}).land(0, "rownina", "c2r3").land(1, "rownina", "c3r3")
    scene.land(0, "rownina", "c3r2").army(0, c2r3=4, c3r2=1).army(1, c3r3=3)
    scene.take(*["move c2r3 c3r3"] * 4)
    assert "move c3r2 c3r3" not in scene.options()
    assert scene.warriors(0, "c3r3") + scene.warriors(1, "c3r3") == 7


def test_example_3_a_swamp_exchanged_for_a_forest():
    """A's first terrain is a swamp, exchanged, then a forest: a second warrior stands there."""
    scene = Campaign().terrains("bagno", "las")
    scene.state.chance[s.TERRAIN_DECK] = stream_that_draws([2, 2], [1, 0])  # forests come before swamps
    scene.take("move c1r3 c2r3")
    assert scene.said[-1] == "explore c2r3 bagno"
    scene.take("exchange")
    assert "explore c2r3 las" in scene.said
    assert scene.warriors(0, "c2r3") == 2


def test_example_4_adam_and_bogdan():
    """Two against two: cards on single warriors, a cancelled one; one warrior of Adam is left and takes the land."""
    hands = (("na_pewno_sie_uda", "czarodziej"), ("wilczy_dol", "doskonaly_manewr"))
    scene = battle(2, 2, hands=hands, dice=(2, 3, 2, 4))
    scene.take("play na_pewno_sie_uda 1")
    assert scene.behaviours(0) == [s.FURIOUS, s.FIGHTING]
    assert scene.behaviours(1) == [s.FIGHTING, s.STANDING]
    scene.take("play wilczy_dol 1", "play czarodziej")
    assert scene.behaviours(0) == [s.FURIOUS, s.FIGHTING]
    assert scene.count("cancelled", 1) == 1
    scene.take("play doskonaly_manewr 2")
    assert (scene.count("lost", 0), scene.count("lost", 1)) == (1, 2)
    assert (scene.warriors(0, "c3r3"), scene.warriors(1, "c3r3")) == (1, 0)
    assert scene.owner("c3r3") == 0


def test_example_5_wolf_pit_then_manoeuvre():
    """Morale 3, roll 3: fighting; the pit makes it 4, standing; the manoeuvre makes it fighting."""
    scene = battle(1, 1, hands=(("doskonaly_manewr",), ("wilczy_dol", "wilczy_dol")), dice=(3, 3))
    assert scene.behaviours(0) == [s.FIGHTING]
    scene.take("decline", "play wilczy_dol 1")
    assert scene.behaviours(0) == [s.STANDING]
    scene.take("play doskonaly_manewr 1")
    assert scene.state.hand[1, s.WOLF_PIT] == 1
    assert (scene.count("lost", 0), scene.count("lost", 1)) == (1, 1)


def test_example_5_manoeuvre_then_wolf_pit():
    """In the other order the warrior is furious, its roll no longer counts, and the pit cannot be played on it."""
    scene = battle(1, 2, hands=(("doskonaly_manewr",), ("wilczy_dol", "odwrot")), dice=(3, 3, 4))
    scene.take("play doskonaly_manewr 1")
    assert scene.behaviours(0) == [s.FURIOUS]
    assert scene.seat == 1
    assert scene.options() == ["decline", "play odwrot"]
