"""Features of Grody for networks, in positions where their values were worked out by hand."""

import numpy as np
import pytest
from support.grody import GAME, Campaign, battle, front

from balance.testing.cases import describe

NAMES = GAME.network_features


def seen(scene: Campaign, label: str = "") -> tuple[str, dict[str, float], dict[str, float]]:
    """Return the head, the features of the position, and those of an action; the first one without a label."""
    head, context, rows = describe(scene.stepper)
    row = rows[scene.options().index(label) if label else 0]
    position = dict(zip(NAMES.context, context.tolist(), strict=True))
    return NAMES.heads[head], position, dict(zip(NAMES.action, row.tolist(), strict=True))


def test_an_attack():
    """Four on three: 1 / (1 + exp(-1.879)) with sqrt(7) * (0.88 * ln(4 / 3) + 0.55) - 0.65 / sqrt(7) = 1.879."""
    scene = front().army(0, c1r3=2, c3r3=4).army(1, c4r3=3)
    head, position, action = seen(scene, "move c3r3 c4r3")
    assert head == "explore"
    assert (position["own_points"], position["other_points"]) == pytest.approx((4 / 9, 1 / 9))
    assert position["own_lead"] == pytest.approx(3 / 9)
    assert (position["own_warriors"], position["own_largest"]) == (6 / 12, 1)
    assert (action["attack"], action["leader"]) == (1, 1)
    assert (action["defenders"], action["to_come"]) == (0.75, 1)
    assert action["odds_all"] == pytest.approx(0.8675, abs=1e-4)
    assert action["gain"] == pytest.approx(0.8675, abs=1e-4)
    assert action["slain"] == pytest.approx(0.8675 * 0.75, abs=1e-4)
    assert action["odds_now"] < 0.1
    assert (action["on_las"], action["points"], action["nearer"]) == (1, 1, 1)
    assert (action["fresh"], action["left"]) == (0.75, 0.75)
    again = seen(scene.take("move c3r3 c4r3"), "move c3r3 c4r3")
    assert again[0] == "strengthen"
    assert (again[2]["reinforce"], again[2]["attack"]) == (1, 0)
    assert again[2]["odds_before"] == pytest.approx(action["odds_now"])


def test_a_segment_that_decides():
    """A fifth plain makes a lead of 5 - 0 with five segments; walking home changes nothing."""
    scene = front(dominance_lead=5, dominance_segments=5).army(0, c1r3=1, c3r3=1)
    _, position, action = seen(scene, "move c3r3 c4r3")
    assert (position["own_lead"], position["own_dominates"]) == (pytest.approx(3 / 5), 0)
    assert position["own_land_missing"] == pytest.approx(1 / 10)
    assert (action["take"], action["gain"], action["dominates"]) == (1, 1, 1)
    _, _, quiet = seen(scene, "move c3r3 c2r3")
    assert (quiet["quiet"], quiet["gain"], quiet["dominates"], quiet["nearer"]) == (1, 0, 0, -1)
    scene.turn(1).army(1, c4r3=1, c5r3=2)
    scene.state.owner[scene.at("c4r3")] = 0
    _, position, action = seen(scene, "move c4r3 c3r3")
    assert (position["other_dominates"], action["stops"]) == (1, 1)


def test_what_a_move_leaves_behind():
    """Two on one win with 0.664: sqrt(3) * 0.88 * ln(2) - 0.65 / sqrt(3) = 0.681; on none with 1."""
    scene = front().army(0, c1r3=0, c3r3=1).army(1, c4r3=2, c5r3=0)
    _, position, action = seen(scene, "move c3r3 c2r3")
    risk = position["own_worst_risk"]
    assert risk == pytest.approx(0.664, abs=1e-3)
    assert position["own_men_risk"] == pytest.approx(risk / 6)
    assert action["start_risk"] == 1
    assert action["start_worse"] == pytest.approx(1 - risk)
    assert action["land_loss"] == pytest.approx((1 - risk) * 2 / 3)
    assert (action["start_enemies"], action["enemies"]) == (pytest.approx(2 / 6), 0)


def test_both_seats_have_one_view():
    """In a mirrored position the features differ only in the time."""
    scene = Campaign().land(0, "rownina", "c2r3", "c2r2").land(1, "rownina", "c4r3", "c4r2")
    scene.army(0, c1r3=2, c2r3=3).army(1, c5r3=2, c4r3=3)
    for seat in range(2):
        scene.hand(seat, "czarodziej")
    _, first, advance = seen(scene, "move c2r3 c3r3")
    _, second, mirrored = seen(scene.turn(1), "move c4r3 c3r3")
    for name in first:
        if name != "time_left":
            assert first[name] == pytest.approx(second[name]), name
    assert advance == pytest.approx(mirrored)
    assert (first["zone_3_own_men"], first["zone_5_other_men"]) == (0.5, 0.5)
    assert (first["zone_2_own_men"], first["zone_6_other_men"]) == pytest.approx((1 / 3, 1 / 3))
    assert (first["zone_2_unexplored"], first["zone_4_unexplored"]) == pytest.approx((2 / 5, 5 / 5))


def test_an_exchange():
    """A swamp is worth -1; it, a plain and a river have 1 / 3 on average, and room for 8 / 3 warriors."""
    scene = Campaign().terrains("bagno", "rownina", "rzeka").take("move c1r3 c2r3")
    head, _, keep = seen(scene, "keep")
    _, _, other = seen(scene, "exchange")
    assert head == "exchange"
    assert (keep["on_bagno"], keep["points"], keep["room"]) == (1, -1, 0.5)
    assert (other["on_bagno"], other["points"]) == (0, pytest.approx(1 / 3))
    assert other["room"] == pytest.approx(8 / 3 / 4)


def test_a_card_of_a_combat():
    """A pit makes a fighting attacker (1) a standing one (0.55): odds 0.5 become 1 / (1 + 0.55 ** 2.5)."""
    scene = battle(1, 1, hands=((), ("wilczy_dol",)), dice=(3, 3))
    head, position, card = seen(scene, "play wilczy_dol 1")
    assert head == "during_card"
    assert (position["combat"], position["attacker"], position["odds"]) == (1, 0, 0.5)
    assert (position["own_side_fighting"], position["other_side_fighting"]) == (0.25, 0.25)
    assert (position["hand_wilczy_dol"], position["own_side_refuges"]) == (0.5, 0.25)
    after = 1 / (1 + 0.55**2.5)
    assert card["odds_card"] == pytest.approx(after)
    assert card["swing_stake"] == pytest.approx((after - 0.5) / 3)
    assert (card["card_wilczy_dol"], card["hand_left"], card["copies"]) == (1, 0, 0)
    assert not any(seen(scene, "decline")[2].values())


def test_an_answer():
    """What cancelling a card saves is its effect on the chance to win of the seat that played it."""
    scene = battle(1, 1, hands=(("czarodziej",), ("wilczy_dol",)), dice=(3, 3))
    scene.take("play wilczy_dol 1")
    head, position, action = seen(scene, "play czarodziej")
    assert (head, position["own_card"], position["answered"]) == ("answer", 0, 0)
    assert (action["cancel"], action["card_wilczy_dol"]) == (1, 1)
    assert action["swing"] == pytest.approx(1 / (1 + 0.55**2.5) - 0.5)


def test_hidden_cards_are_averages():
    """Two unseen cards, one of them in the other hand: each is held with a chance of one half."""
    scene = Campaign().hand(1, "sabotaz").pile("okup")
    position = seen(scene)[1]
    assert position["may_hold_sabotaz"] == position["may_hold_okup"] == 0.5
    assert np.isclose(position["other_hand"], 1 / 6)
