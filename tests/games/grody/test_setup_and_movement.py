"""Set-up, turns, movement and exploration: SET-2, SET-3, TRN-1, MOV-1 to MOV-7, rule by rule."""

import pytest
from support.grody import Campaign, make_rules, s


def moves(scene: Campaign) -> set[str]:
    return {label.removeprefix("move ") for label in scene.options() if label.startswith("move")}


def test_set_2_board():
    """SET-2: 5 by 5 without corners, three segments between the grody, 19 free ones; shared edges."""
    board = make_rules().board
    assert len(board.names) == 21
    assert (board.names[board.grody[0]], board.names[board.grody[1]]) == ("c1r3", "c5r3")
    assert {"c1r1", "c5r5"}.isdisjoint(board.names)
    near = {name: {board.names[i] for i in board.neighbours[k]} for k, name in enumerate(board.names)}
    assert near["c1r3"] == {"c1r2", "c1r4", "c2r3"}
    assert near["c2r1"] == {"c2r2", "c3r1"}
    assert near["c3r3"] == {"c2r3", "c4r3", "c3r2", "c3r4"}
    wide = make_rules({"between": 5, "rows": 7, "corners": True}).board
    assert (len(wide.names), wide.names[wide.grody[1]]) == (49, "c7r4")
    small = make_rules({"between": 1, "rows": 3}).board
    assert small.names == ["c1r2", "c2r1", "c2r2", "c2r3", "c3r2"]


def test_set_3_start():
    """SET-3: seat 0 with one warrior begins, seat 1 has two; no cards, full decks, nothing explored."""
    scene = Campaign()
    assert (scene.warriors(0, "c1r3"), scene.warriors(1, "c5r3")) == (1, 2)
    assert scene.seat == 0
    assert scene.said == []
    assert scene.state.hand_size.tolist() == [0, 0]
    assert (scene.state.pile_count, scene.state.terrain_count) == (30, 20)
    assert scene.options() == ["done", "move c1r3 c1r2", "move c1r3 c1r4", "move c1r3 c2r3"]


def test_set_3_start_cards():
    """DEC-3: with hand_start seat 0 draws all its cards, then seat 1, in round 1."""
    scene = Campaign({"hand_start": 3})
    assert [label.split()[:2] for label in scene.said] == [["draw", "0"]] * 3 + [["draw", "1"]] * 3


@pytest.mark.parametrize("cards", [[1, 3], {"2": [1, 3]}])
def test_set_3_start_cards_by_seat(cards):
    """Start cards by seat can compensate a weak seat."""
    scene = Campaign({"hand_start": cards})
    assert [label.split()[:2] for label in scene.said] == [["draw", "0"]] + [["draw", "1"]] * 3


def test_trn_1_rounds_and_turns():
    """TRN-1: seats in turn; turn t belongs to round 1 + t div 2."""
    scene = Campaign()
    seen = []
    for _ in range(4):
        seen.append((scene.stepper.round, scene.seat))
        scene.hand(0).hand(1).take("done")
    assert seen == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_mov_1_one_warrior_one_step():
    """MOV-1: each moves once a turn, any number may move, until done."""
    scene = Campaign().land(0, "rownina", "c2r3", "c2r2").army(0, c1r3=2)
    assert moves(scene) == {"c1r3 c2r3", "c1r3 c1r2", "c1r3 c1r4"}
    scene.take("move c1r3 c2r3")
    assert moves(scene) == {"c1r3 c2r3", "c1r3 c1r2", "c1r3 c1r4"}
    scene.take("move c1r3 c2r3")  # nobody is left to move: the movement ends by itself (DEC-1)
    assert scene.warriors(0, "c2r3") == 2
    assert scene.asked == "build"


def test_mov_2_capacity():
    """MOV-2: never more than the capacity, for any number of enemies there; 4 on an unexplored segment."""
    scene = Campaign().land(0, "bagno", "c2r3").army(0, c1r3=4, c2r3=2)
    assert "c1r3 c2r3" not in moves(scene)
    scene.take("move c2r3 c2r2")  # the front first
    assert "c1r3 c2r3" in moves(scene)
    scene = Campaign({"unexplored_capacity": 2}).army(0, c1r3=4)
    scene.take("move c1r3 c1r2", "move c1r3 c1r2")
    assert "c1r3 c1r2" not in moves(scene)
    scene = Campaign().land(0, "rownina", "c2r2").land(1, "rzeka", "c2r3")
    scene.army(0, c2r2=4).army(1, c2r3=2).take("move c2r2 c2r3", "move c2r2 c2r3")
    assert "c2r2 c2r3" not in moves(scene)


def test_mov_2_a_fallen_bridge():
    """MOV-2: a segment over its capacity keeps its warriors, and none may enter."""
    scene = Campaign().land(0, "rzeka", "c2r3", building="most").army(0, c2r3=3, c1r3=2)
    assert "c1r3 c2r3" in moves(scene)
    scene.state.building[scene.at("c2r3")] = s.NOTHING
    assert "c1r3 c2r3" not in moves(scene)
    scene.take("done")
    assert scene.warriors(0, "c2r3") == 3


def test_mov_2_where_a_move_ends():
    """MOV-2: an attack, an unexplored segment and the enemy's gród end a warrior's way, march or not."""
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c5r2", "c4r2").land(1, "rownina", "c4r3")
    scene.army(0, c1r3=0, c5r2=1, c4r2=2).army(1, c4r3=1, c5r3=0)
    scene.state.marches, scene.state.had_first[0] = 9, 1
    scene.take("move c5r2 c5r3", "move c4r2 c4r3", "move c4r2 c4r1")
    assert scene.state.over == 1  # nobody could go on, so exploration came, and then END-1


def test_mov_3_exploring_in_order():
    """MOV-3: after all moves, a card for each new segment in the order of entry; they belong to A."""
    scene = Campaign().army(0, c1r3=3).terrains("bagno", "rzeka", "wzgorza")
    scene.state.had_first[0] = 1
    scene.take("move c1r3 c2r3", "move c1r3 c1r2", "move c1r3 c1r4")
    assert scene.said[3:6] == ["explore c2r3 bagno", "explore c1r2 rzeka", "explore c1r4 wzgorza"]
    assert [scene.owner(name) for name in ("c2r3", "c1r2", "c1r4")] == [0, 0, 0]


def test_mov_3_the_first_terrain_may_be_exchanged():
    """MOV-3: asked at once, before the next; another is turned up and stays; only the first of the game."""
    scene = Campaign().army(0, c1r3=2).terrains("bagno", "rzeka", "wzgorza")
    scene.take("move c1r3 c2r3", "move c1r3 c1r2")
    assert scene.said[-1] == "explore c2r3 bagno"
    assert scene.options() == ["keep", "exchange"]
    scene.take("exchange")
    assert [label.split()[1] for label in scene.chance("explore")] == ["c2r3", "c2r3", "c1r2"]
    assert scene.count("exchanged") == 1
    assert scene.count("explored") == 2
    assert scene.state.terrain_count == 1
    assert scene.seat == 1


def test_mov_4_surplus_goes_back():
    """MOV-4: the last to enter first, each to where it came from."""
    scene = Campaign().land(0, "rownina", "c2r2").army(0, c2r2=2, c1r3=2).terrains("bagno", "las")
    scene.state.had_first[0] = 1
    scene.take("move c1r3 c2r3", "move c2r2 c2r3", "move c2r2 c2r3", "move c1r3 c2r3")
    assert scene.warriors(0, "c2r3") == 2
    assert scene.warriors(0, "c2r2") == 1
    assert scene.warriors(0, "c1r3") == 1 + 1  # and a recruit
    assert scene.count("strayed") == 0


def test_mov_4_no_room_at_home_is_death():
    """MOV-4: a warrior without room where it came from dies; a "+" finds no room on a full segment."""
    changes = {"terrain": {"las": {"capacity": 1}}, "recruits": 0}
    scene = Campaign(changes).land(0, "bagno", "c2r2").land(0, "rownina", "c2r1").terrains("las")
    scene.army(0, c1r3=0, c2r2=2, c2r1=2)
    scene.state.had_first[0] = 1
    scene.take("move c2r2 c3r2", "move c2r2 c3r2", "move c2r1 c2r2", "move c2r1 c2r2")
    assert (scene.warriors(0, "c3r2"), scene.warriors(0, "c2r2")) == (1, 2)
    assert scene.count("strayed") == 1
    assert scene.count("joined") == 0


def test_mov_4_a_plus_brings_one():
    """MOV-4: a forest brings one warrior, once, if there is room."""
    scene = Campaign().army(0, c1r3=3).terrains("las")
    scene.state.had_first[0] = 1
    scene.take(*["move c1r3 c2r3"] * 3)
    assert scene.warriors(0, "c2r3") == 4
    assert scene.count("joined") == 1
    scene.hand(0).hand(1).turn(0).take("done")
    assert scene.warriors(0, "c2r3") == 4


def test_mov_5_walking_takes_land():
    """MOV-5: at once, even when marching through; land stays owned when left empty, and so does a building."""
    scene = Campaign().land(1, "rownina", "c2r3", building="zasieki").land(1, "wzgorza", "c3r3")
    scene.army(0, c1r3=1)
    scene.state.marches = 1
    scene.take("move c1r3 c2r3")
    assert scene.owner("c2r3") == 0
    scene.take("move c2r3 c3r3")
    assert (scene.owner("c2r3"), scene.owner("c3r3")) == (0, 0)
    assert scene.state.building[scene.at("c2r3")] == s.ABATIS
    assert scene.count("taken") == 2


def test_mov_6_no_more_than_there_are_cards():
    """MOV-6: at most as many new segments per turn as cards left; one already entered may be entered again."""
    scene = Campaign().army(0, c1r3=3).terrains("rownina")
    scene.take("move c1r3 c2r3")
    assert moves(scene) == {"c1r3 c2r3"}
    scene = Campaign()
    scene.state.terrain_deck[:] = 0
    scene.state.terrain_count = 0
    scene.hand(0).turn(1)
    assert moves(scene) == set()


def test_mov_7_forced_march():
    """MOV-7: a second move, once for each card; FROM TO prefers a warrior that has not moved."""
    scene = Campaign().land(0, "rownina", "c2r3", "c3r3", "c4r3").army(0, c1r3=1, c2r3=1)
    scene.hand(0, "forsowny_marsz").window("start").take("play forsowny_marsz")
    scene.take("move c1r3 c2r3", "move c2r3 c3r3")
    assert moves(scene) >= {"c2r3 c3r3", "c3r3 c4r3"}
    scene.take("move c3r3 c4r3")  # the second move of that warrior uses up the card
    assert scene.seat == 1
    assert scene.warriors(0, "c4r3") == 1
