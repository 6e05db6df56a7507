"""Drawing, building, recruiting, victory and tables: DRW, BLD, REC, TRN-2, END and DEC, rule by rule."""

import pytest
from support.grody import Campaign, battle, make_rules, s
from support.runs import play, read_rows


def plains(count: int) -> list[str]:
    """Set up this number of segments next to the grody."""
    names = make_rules().board.names
    return [name for name in names if name not in ("c1r3", "c5r3")][:count]


def test_drw_1_cards_a_turn():
    """DRW-1: one, two after a combat won as attacker."""
    scene = Campaign().take("done")
    assert len(scene.chance("draw 0")) == 1
    won = battle(1, 1, dice=(1, 3))
    assert len(won.chance("draw 0")) == 2
    lost = battle(1, 1, dice=(3, 1))
    assert len(lost.chance("draw 0")) == 1


def test_drw_2_discards():
    """DRW-2: discard down to 6, one card per decision; equal cards are asked once."""
    scene = Campaign({"draw": 2}).hand(0, "zwiad", "zwiad", "odwrot", "odwrot", "okup", "sabotaz")
    scene.take("done")
    assert (scene.seat, scene.asked) == (0, "discard")
    labels = scene.options()
    assert len(set(labels)) == len(labels)
    scene.take("discard okup")
    assert scene.state.hand_size[0] == 7
    scene.take("discard sabotaz")
    assert scene.state.hand_size[0] == 6
    assert scene.state.discards[0, s.RANSOM_ALL] == 1
    alike = Campaign({"hand_limit": 1, "draw": 0}).hand(0, "odwrot", "odwrot").take("done")
    assert alike.seat == 1
    assert alike.state.hand_size[0] == 1


def test_drw_3_a_new_pile():
    """DRW-3: both discard piles; if they are empty too, nothing is drawn."""
    scene = Campaign().pile()
    scene.state.discards[0, s.SONG], scene.state.discards[1, s.WIZARD] = 1, 1
    scene.take("done")
    assert scene.said[-2] == "reshuffle"
    assert scene.said[-1].startswith("draw 0")
    assert scene.state.pile_count == 1
    assert scene.state.discards.sum() == 0
    assert scene.stepper.result()[0].reshuffles == 1
    scene.hand(0).pile()
    before = len(scene.said)
    scene.take("done")
    assert scene.said[before:] == ["1 done"]


def test_bld_1_building():
    """BLD-1: own land that allows it, without a building or a combat this turn, two warriors, a token."""
    scene = Campaign().land(0, "rownina", "c2r3", "c2r1").land(0, "las", "c2r2")
    scene.land(0, "wzgorza", "c3r3").land(0, "rzeka", "c2r4").land(1, "rownina", "c4r4")
    scene.land(0, "rownina", "c1r2", building="zasieki")
    scene.army(0, c2r3=2, c2r1=1, c2r2=2, c3r3=2, c2r4=2, c1r2=2).take("done")
    assert scene.asked == "build"
    assert scene.options() == ["none", "build zasieki c2r3", "build most c2r4", "build twierdza c3r3"]
    scene.take("build twierdza c3r3")
    assert scene.state.tokens.tolist() == [2, 3, 2]
    assert scene.count("built_twierdza") == 1
    assert scene.seat == 1


def test_bld_1_not_where_there_was_a_combat():
    """BLD-1: not on the field of this turn's combat, and not without a token."""
    scene = battle(3, 1, dice=(1, 1, 1, 3))
    assert (scene.owner("c3r3"), scene.warriors(0, "c3r3")) == (0, 3)
    assert scene.seat == 1  # nothing to build
    scene = Campaign().land(0, "rownina", "c2r3").army(0, c2r3=2)
    scene.state.tokens[s.ABATIS] = 0
    assert scene.take("done").seat == 1


def test_bld_1_a_bridge_makes_room():
    """BLD-1: the river's capacity is that of the bridge."""
    scene = Campaign().land(0, "rzeka", "c2r3").army(0, c2r3=2).take("done", "build most c2r3")
    scene.hand(0).hand(1).turn(0)
    assert "move c1r3 c2r3" in scene.options()


@pytest.mark.parametrize(("owned", "coming"), [(12, 1), (13, 2)])
def test_rec_1_recruits(owned, coming):
    """REC-1: one, two from 13 segments on, as far as there is room."""
    scene = Campaign({"dominance_lead": 60}).land(0, "las", *plains(owned)).take("done")
    assert scene.warriors(0, "c1r3") == 1 + coming
    assert scene.count("recruited") == coming
    full = Campaign({"dominance_lead": 60}).land(0, "las", *plains(owned)).army(0, c1r3=4).take("done")
    assert full.warriors(0, "c1r3") == 4


def test_rec_2_ransom():
    """REC-2: any card for a prisoner, once per turn, if the gród has room."""
    scene = Campaign().hand(0, "odwrot", "zwiad", "zwiad")
    scene.state.prisoners[1] = 2
    scene.take("done")
    assert scene.asked == "ransom"
    assert {"none", "ransom zwiad", "ransom odwrot"} <= set(scene.options())
    scene.take("ransom zwiad")
    assert (scene.state.prisoners[1], scene.warriors(0, "c1r3")) == (1, 3)
    assert scene.count("ransomed") == 1
    assert scene.asked != "ransom"
    full = Campaign().army(0, c1r3=3).hand(0, "odwrot")
    full.state.prisoners[1] = 2
    assert full.take("done").asked != "ransom"  # the recruit has taken the room


def test_rec_2_ransoms_a_turn():
    """Section 10: `ransoms` per turn."""
    scene = Campaign({"ransoms": 2}).hand(0, "odwrot", "zwiad")
    scene.state.prisoners[1] = 3
    scene.take("done", "ransom zwiad")
    assert scene.asked == "ransom"
    scene.take("none")
    assert scene.asked != "ransom"


def test_trn_2_desert():
    """TRN-2: one warrior of A dies on each own desert with at least three."""
    scene = Campaign().land(0, "pustynia", "c2r3", "c2r2").land(1, "pustynia", "c4r3")
    scene.army(0, c2r3=3, c2r2=2).army(1, c4r3=4).take("done")
    if scene.asked == "build":
        scene.take("none")
    assert (scene.warriors(0, "c2r3"), scene.warriors(0, "c2r2"), scene.warriors(1, "c4r3")) == (2, 2, 4)
    assert scene.count("thirst") == 1


def test_end_1_walking_in():
    """END-1: an empty gród entered is conquered when exploration is over, before any combat."""
    scene = Campaign().land(0, "rownina", "c4r3", "c2r3").land(1, "rownina", "c3r3")
    scene.army(0, c1r3=0, c4r3=1, c2r3=1).army(1, c5r3=0, c3r3=1)
    scene.take("move c2r3 c3r3", "move c4r3 c5r3")
    game, seats = scene.stepper.result()
    assert scene.state.over == 1
    assert (game.ended_by, game.combats) == (s.CONQUEST, 0)
    assert [int(rank) for rank in seats["rank"]] == [1, 2]
    assert seats.score.tolist() == [2 + 20, 1]


def test_end_1_by_combat():
    """END-1: at the end of a combat (CMB-8), before the cards after it."""
    scene = Campaign().land(0, "rownina", "c4r3").army(0, c1r3=0, c4r3=2).army(1, c5r3=1)
    scene.hand(0, "poscig").dice(1, 1, 6).take("move c4r3 c5r3", "move c4r3 c5r3")
    assert scene.state.over == 1
    assert scene.state.winner == 0
    assert scene.owner("c5r3") == 1  # a gród belongs to its seat for the whole game


def test_end_2_dominance_at_the_end_of_a_round():
    """END-2: 9 points more and 10 segments, after seat 1's turn."""
    scene = Campaign().land(0, "las", *plains(10)).land(1, "las", "c5r4").take("done")
    assert scene.state.over == 0
    scene.take("done")
    assert (scene.state.over, scene.state.winner) == (1, 0)
    assert scene.stepper.result()[0].ended_by == s.DOMINANCE
    for changes in ({"dominance_lead": 10}, {"dominance_segments": 11}):
        other = Campaign(changes).land(0, "las", *plains(10)).land(1, "las", "c5r4").take("done", "done")
        assert other.state.over == 0


@pytest.mark.parametrize(("when", "after_own_turn"), [("end", True), ("start", False)])
def test_end_2_asked_of_a_alone(when, after_own_turn):
    """END-2: "end": at the end of A's turn; "start": before its phase 1."""
    scene = Campaign({"dominance_at": when}).land(1, "las", *plains(10)).take("done")
    assert bool(scene.state.over) != after_own_turn
    if after_own_turn:
        scene.take("done")
    assert (scene.state.over, scene.state.winner) == (1, 1)


@pytest.mark.parametrize(
    ("land", "men", "winner"),
    [
        (("las", "rzeka"), (1, 1), 0),
        (("rzeka", "bagno", "rownina"), (1, 1), 0),
        (("rzeka",), (2, 1), 0),
        (("rzeka",), (1, 2), 1),
        (("rzeka",), (1, 1), s.NOBODY),
    ],
)
def test_end_3_limit(land, men, winner):
    """END-3: points, then segments, then warriors, else a draw."""
    scene = Campaign({"recruits": 0, "turn_limit": 5}).land(1, "rzeka", "c5r4")
    for terrain, name in zip(land, plains(3), strict=False):
        scene.land(0, terrain, name)
    scene.army(0, c1r3=men[0]).army(1, c5r3=men[1]).turn(0, 5).take("done", "done")
    assert scene.state.over == (2 if winner == s.NOBODY else 1)
    game, seats = scene.stepper.result()
    assert (game.ended_by, game.turns) == (s.LIMIT, 10)
    ranks = [1, 1] if winner == s.NOBODY else [1 + (winner != seat) for seat in range(2)]
    assert [int(rank) for rank in seats["rank"]] == ranks


def test_end_4_points():
    """END-4: the points of the owned segments, without the gród; a side without warriors plays on."""
    scene = Campaign({"recruits": 0}).land(0, "rownina", "c2r3", "c2r2").land(0, "bagno", "c2r4")
    scene.land(0, "pustynia", "c1r2").army(0, c1r3=0).turn(1).take("done")
    assert (scene.count("victory_points"), scene.count("segments")) == (0, 4)
    assert scene.state.over == 0
    assert scene.seat == 1  # the turn of seat 0, without warriors, passes by itself


def test_dec_1_everything_asked_has_two_labels(tmp_path):
    """DEC-1 and section 8: a row of a decision has two or more options; columns are words."""
    run = play(tmp_path / "run", game="grody", players=[2], strategies=["random"], games=40, log="trace")
    trace = read_rows(run, "trace")
    asked = trace[trace["seat"] >= 0]
    assert (asked["options"] >= 2).all()
    games = read_rows(run, "games").set_index("game_id")
    assert (asked.groupby("game_id").size() == games["decisions"]).all()
    assert set(games["ended_by"]) <= {"conquest", "dominance", "limit"}
    assert set(games["status"]) <= {"finished", "draw"}


def test_dec_2_chance_rows():
    """DEC-2: explore again after an exchange, the dice of a side in one row."""
    scene = Campaign().army(0, c1r3=1).terrains("bagno", "las").take("move c1r3 c2r3", "exchange")
    assert scene.said[-3:-1] == ["0 exchange", scene.said[-2]]
    assert scene.said[-2].startswith("explore c2r3 ")
    assert scene.said[-1].startswith("draw 0 ")


def test_dec_3_order_of_a_turn():
    """DEC-3: start cards, moves, exploration, combat, draws, discards, build, ransom, end cards."""
    hand = ("zwiad", "na_pewno_sie_uda", "odwrot", "poscig", "ochotnicy", "okup")
    scene = Campaign().land(0, "rownina", "c2r3", "c2r2").land(1, "rownina", "c3r3", "c4r3")
    scene.army(0, c2r3=3, c1r3=1, c2r2=2).army(1, c3r3=1).hand(0, *hand).window("start")
    scene.state.prisoners[1] = 1
    scene.dice(3, 3, 6)
    asked = []
    while scene.seat == 0 and not scene.stepper.over:
        asked.append((scene.asked, scene.stepper.observe().window))
        options = scene.options()
        wanted = ["play zwiad", "move c2r3 c3r3", "move c1r3 c1r2"]
        found = [label for label in wanted if label in options and f"0 {label}" not in scene.said[-2:]]
        scene.take(found[0] if found else options[0] if scene.asked != "exchange" else "keep")
    order = [key for i, key in enumerate(asked) if key not in asked[:i]]
    expected = [
        ("card", "start"), ("move", ""), ("exchange", ""), ("card", "before"), ("card", "during"),
        ("card", "after"), ("discard", ""), ("build", ""), ("ransom", ""), ("card", "end"),
    ]  # fmt: skip
    assert [key for key in order if key in expected] == [key for key in expected if key in order]
    assert len(set(order) & set(expected)) >= 7
