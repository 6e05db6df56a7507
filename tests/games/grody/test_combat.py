"""Combat: CMB-1 to CMB-8, rule by rule, with dice that the test chooses."""

import pytest
from support.grody import FIGHT, FLEE, FURY, STAND, Campaign, battle, s


def asked_during(*args, **kwargs) -> Campaign:
    """Return a battle that stops in the card phase of its first round: seat 0 holds a card for it."""
    return battle(*args, hands=(("odwrot",), ()), **kwargs)


@pytest.mark.parametrize(
    ("roll", "behaviour"),
    [(1, s.FURIOUS), (2, s.FIGHTING), (3, s.FIGHTING), (4, s.STANDING), (5, s.FLEEING), (6, s.FLEEING)],
)
def test_cmb_2_behaviour(roll, behaviour):
    """CMB-2: roll less morale 3: +2 flees, +1 stands, 0 or -1 fights, -2 is furious."""
    scene = asked_during(1, 1, dice=(FURY, roll))
    assert scene.behaviours(1) == [behaviour]


def test_cmb_2_order_of_the_dice():
    """CMB-2: a die each, A's first, in the order of their numbers."""
    scene = asked_during(2, 3, dice=(1, 2, 3, 4, 5))
    assert scene.chance("roll") == ["roll 0 1 2", "roll 1 3 4 5"]


@pytest.mark.parametrize("count", [3, 4])
def test_cmb_1_leader(count):
    """CMB-1: four at the beginning have a leader, +1 until the end."""
    scene = asked_during(count, 1, dice=(4,) * count + (3,))
    assert scene.behaviours(0) == [s.FIGHTING if count == 4 else s.STANDING] * count


def test_cmb_1_the_leader_stays_whoever_dies():
    """CMB-1: an ambush before the first roll leaves three, with morale 4."""
    scene = battle(4, 1, hands=(("odwrot",), ("zasadzka",)), dice=(4, 4, 4, 3))
    scene.take("play zasadzka 1")
    assert scene.behaviours(0) == [s.GONE, s.FIGHTING, s.FIGHTING, s.FIGHTING]


@pytest.mark.parametrize(
    ("terrain", "building", "attacker", "defender"),
    [
        ("rownina", "", s.FIGHTING, s.FIGHTING),
        ("bagno", "", s.STANDING, s.STANDING),
        ("wzgorza", "", s.FIGHTING, s.FIGHTING),
        ("rownina", "zasieki", s.STANDING, s.FIGHTING),
    ],
)
def test_cmb_1_terrain_and_abatis(terrain, building, attacker, defender):
    """CMB-1: a roll of 3 on a plain, in a swamp (-1 both), on hills (+1 defender), behind abatis (-1 attacker)."""
    scene = asked_during(1, 1, terrain=terrain, building=building, dice=(3, 3))
    assert (scene.behaviours(0), scene.behaviours(1)) == ([attacker], [defender])


def test_cmb_1_hills_help_in_the_first_round_alone():
    """CMB-1: morale is 4, then 3; a swamp takes 1 in every round."""
    scene = asked_during(1, 1, terrain="wzgorza", dice=(4, 5, 4, 4))
    assert (scene.behaviours(0), scene.behaviours(1)) == ([s.STANDING], [s.STANDING])
    scene.take("decline")
    assert (scene.behaviours(0), scene.behaviours(1)) == ([s.STANDING], [s.STANDING])
    scene = asked_during(1, 1, terrain="bagno", dice=(3, 3, 3, 3))
    scene.take("decline")
    assert (scene.behaviours(0), scene.behaviours(1)) == ([s.STANDING], [s.STANDING])


def test_cmb_4_the_furious_strike_first():
    """CMB-4: the furious of both sides strike at once; the dead no longer fight."""
    scene = battle(2, 2, dice=(FURY, FIGHT, FIGHT, FIGHT))
    # The furious kills one; then one blow falls on the furious, one on the last defender... and one is lost.
    assert scene.owner("c3r3") == 0
    assert (scene.count("lost", 0), scene.count("lost", 1)) == (1, 2)


def test_cmb_4_at_once():
    """CMB-4: two furious kill each other; no side has won, and the owner stays (CMB-8)."""
    scene = battle(1, 1, dice=(FURY, FURY))
    assert (scene.count("lost", 0), scene.count("lost", 1)) == (1, 1)
    assert scene.owner("c3r3") == 1
    assert (scene.count("attacks_won", 0), scene.count("defences_won", 1)) == (0, 0)


def test_cmb_4_order_of_the_targets():
    """CMB-4: blows fall on the furious, then the fighting, then the standing; the fleeing are gone."""
    scene = battle(3, 3, dice=(FURY, FLEE, FLEE, STAND, FIGHT, FURY))
    assert scene.behaviours(1) == [s.STANDING, s.FIGHTING, s.GONE]
    scene = battle(2, 2, dice=(FIGHT, FLEE, STAND, FIGHT))
    assert scene.behaviours(1) == [s.STANDING, s.GONE]
    assert scene.count("lost", 0) == 1


def test_cmb_4_the_striker_chooses_among_the_standing():
    """CMB-4: the striker is asked if the blows cannot kill all the standing and these differ in morale."""
    scene = battle(1, 2, hands=((), ("na_pewno_sie_uda",)), dice=(FIGHT, 5, STAND))
    scene.take("play na_pewno_sie_uda 1")
    assert scene.options() == ["hit 1", "hit 2"]
    assert scene.asked == "hit"
    assert scene.seat == 0
    scene.dice(FLEE).take("hit 2")
    assert scene.behaviours(1) == [s.GONE, s.GONE]  # the other fled in the next round
    assert (scene.count("lost", 1), scene.count("fled", 1)) == (1, 1)
    alike = battle(1, 2, hands=(("odwrot",), ()), dice=(FIGHT, STAND, STAND))
    alike.take("decline")  # alike in morale: not asked, the lowest number dies
    assert alike.state.behaviour[1, 0] == s.GONE


@pytest.mark.parametrize(("roll", "ignored"), [(FIGHT, 1), (FURY, 0)])
def test_cmb_5_cushion(roll, ignored):
    """CMB-5: a fort ignores the first blow of a fighting warrior, never one of a furious."""
    scene = asked_during(2, 2, terrain="wzgorza", building="twierdza", dice=(roll, roll, 5, 5))
    scene.take("decline")
    assert scene.count("blows_ignored", 1) == ignored
    assert scene.count("lost", 1) >= 2 - ignored


def test_cmb_5_once_a_combat_or_a_round():
    """CMB-5: the cushion of a combat is used up; with cushion_per = "round" it comes back."""
    for per, lost in (("combat", 1), ("round", 0)):
        # The attacker fights on by itself, the defender stands on hills (5, then 4), then flees.
        scene = battle(
            1, 1, terrain="wzgorza", building="twierdza", dice=(FIGHT, 5, 4, 6), changes={"cushion_per": per}
        )
        assert scene.count("lost", 1) == lost
        assert scene.owner("c3r3") == 0


def test_cmb_5_grod():
    """CMB-5: a gród has a cushion of 1 too."""
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c4r3").army(0, c4r3=1, c1r3=0).army(1, c5r3=1)
    scene.dice(FIGHT, FIGHT).take("move c4r3 c5r3")
    assert scene.count("blows_ignored", 1) == 1
    assert scene.count("lost", 0) == 1
    assert scene.count("defences_won", 1) == 1


def test_cmb_6_later_rounds():
    """CMB-6: the standing roll, the others fight without a roll."""
    scene = battle(1, 1, dice=(STAND, STAND, STAND, FIGHT))
    assert scene.chance("roll") == ["roll 0 4", "roll 1 4", "roll 0 4", "roll 1 3"]
    assert scene.owner("c3r3") == 1
    scene = battle(1, 2, dice=(FIGHT, STAND, STAND, FLEE))
    assert scene.chance("roll") == ["roll 0 3", "roll 1 4 4", "roll 1 6"]
    assert scene.owner("c3r3") == 0


def test_cmb_7_flight():
    """CMB-7: to a neighbouring own segment without an enemy and with room; a single refuge is taken."""
    scene = battle(1, 1, dice=(FLEE, FIGHT))
    assert scene.warriors(0, "c2r3") == 1
    assert scene.count("fled", 0) == 1
    assert scene.count("captured", 0) == 0


def test_cmb_7_choice():
    """CMB-7: their player chooses among several; A's leave first."""
    scene = Campaign().land(0, "rownina", "c2r3", "c3r2").land(1, "rownina", "c3r3", "c4r3", "c3r4")
    scene.army(0, c2r3=1).army(1, c3r3=1).dice(FLEE, FLEE).take("move c2r3 c3r3", "done")
    assert (scene.seat, scene.asked) == (0, "flee")
    assert scene.options() == ["flee c2r3", "flee c3r2"]
    scene.take("flee c3r2")
    assert scene.seat == 1
    assert scene.options() == ["flee c3r4", "flee c4r3"]
    scene.take("flee c4r3")
    assert scene.owner("c3r3") == 1  # nobody is left, the owner stays (CMB-8)


def test_cmb_7_prisoners():
    """CMB-7: a warrior without a refuge is a prisoner; another combat's field and a full segment are no refuge."""
    scene = Campaign().land(0, "rownina", "c2r3").land(1, "rownina", "c3r3", "c3r2")
    scene.land(1, "bagno", "c4r3").land(0, "rownina", "c2r2")
    scene.army(0, c2r3=1, c2r2=1).army(1, c3r3=1, c3r2=1, c4r3=2)
    scene.dice(FIGHT, FLEE, FURY, FIGHT).take("move c2r3 c3r3", "move c2r2 c3r2")
    if scene.options()[0] == "done":
        scene.take("done")
    assert scene.state.prisoners.tolist() == [1, 0]
    assert (scene.count("captured", 1), scene.count("fled", 1)) == (1, 1)


def test_combats_in_the_order_of_the_attacks():
    """Section 3: combats come in the order of the first warrior to enter."""
    scene = Campaign().land(0, "rownina", "c2r3", "c2r2").land(1, "rownina", "c3r3", "c3r2")
    scene.army(0, c2r3=1, c2r2=1, c1r3=0).army(1, c3r3=1, c3r2=1).hand(1, "piesn_bojowa")
    scene.take("move c2r3 c3r3", "move c2r2 c3r2")
    assert scene.state.here == scene.at("c3r3")


def test_cmb_8_the_winner_takes_the_segment():
    """CMB-8: A owns what it has won; a defender who wins keeps it."""
    scene = battle(1, 1, dice=(FURY, FIGHT))
    assert scene.owner("c3r3") == 0
    assert (scene.count("taken", 0), scene.count("attacks_won", 0)) == (1, 1)
    scene = battle(1, 1, dice=(FIGHT, FURY))
    assert scene.owner("c3r3") == 1
    assert (scene.count("defences", 1), scene.count("defences_won", 1)) == (1, 1)
    game, _ = scene.stepper.result()
    assert (game.combats, game.combat_rounds) == (1, 1)
