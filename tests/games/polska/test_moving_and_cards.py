"""Moves and cards: MOV-1 to MOV-7, CRD-1 to CRD-3 and the card table, rule by rule."""

import pytest
from support.polska import Journey, s


def at_start(*dice: int, markers: tuple[str, ...] = ("zamosc",), **keys) -> Journey:
    """Set seat 0 to take a die, with only these markers on the map."""
    return Journey(**keys).markers(*markers).dice(*dice)


def test_mov_1_steps():
    """MOV-1: up to the number on the die; a 1 allows up to 10."""
    scene = at_start(2).take("die 2")
    assert {"gniezno-poznan-1", "poznan", "torun"} <= scene.moves()
    assert "lodz" not in scene.moves()  # 3 steps
    assert "lodz" in at_start(3).take("die 3").moves()
    far = at_start(1).pawn(0, "szczecin").take("die 1").moves()
    assert "warszawa" in far  # 3 + 2 + 3 + 2 = 10
    assert "lublin" not in far  # 12


def test_mov_2_pawns_are_passed_and_not_joined():
    """MOV-2: a pawn may pass a field with another pawn, but not stop there."""
    scene = at_start(3).pawn(1, "gniezno-poznan-1").pawn(2, "poznan").take("die 3")
    assert "gniezno-poznan-1" not in scene.moves()
    assert "poznan" not in scene.moves()
    assert "poznan-szczecin-1" in scene.moves()


def test_mov_3_markers_end_a_move():
    """MOV-3: no passing through a marker; with a pawn on it the field is closed."""
    scene = at_start(4, markers=("poznan",)).take("die 4")
    assert "poznan" in scene.moves()
    assert "poznan-szczecin-1" not in scene.moves()
    closed = at_start(4, markers=("poznan",)).pawn(1, "poznan").take("die 4")
    assert not {"poznan", "poznan-szczecin-1"} & closed.moves()


def test_mov_4_no_field_twice():
    """MOV-4: a pawn cannot return to where it began; one that left gniezno cannot join other pawns there."""
    scene = at_start(6).take("die 6")
    assert "gniezno" not in scene.moves()
    scene.take("move poznan").dice(2).take("die 2", "nothing").dice(2).take("die 2", "nothing").dice(2)
    scene.take("die 2")
    assert scene.seat == 0
    assert "gniezno" not in scene.moves()  # two pawns still stand there
    scene.pawn(1, "lublin").pawn(2, "krakow")
    assert "gniezno" in scene.moves()


@pytest.mark.parametrize(("taken", "cards"), list(enumerate([3, 3, 3, 2, 2, 1, 1])))
def test_mov_5_cards_for_a_marker(taken, cards):
    """MOV-5: 3, 3, 3, 2, 2, 1, 1 cards for the first to the seventh of the set."""
    scene = at_start(2, markers=("poznan", "krakow"), players=2)
    scene.state.taken_of_set = taken
    scene.hand(0).take("die 2", "move poznan")
    assert scene.state.hand_size[0] == cards
    assert not scene.state.marker_on[scene.fields.index("poznan")]
    assert scene.log.seats[0].taken[taken] == 1


def test_mov_6_a_new_set():
    """MOV-6: after the seventh, seven new ones of those set aside; if they are too few, all 17 are mixed."""
    scene = at_start(2, markers=("poznan",)).hand(0)
    scene.state.taken_of_set = 6
    aside = {scene.fields[field] for field in scene.state.aside[:10]}
    before = len(scene.said)
    scene.take("die 2", "move poznan")
    laid = [label.split()[1] for label in scene.said[before:] if label.startswith("marker")]
    assert len(laid) == 7
    assert set(laid) <= aside
    assert (scene.state.aside_count, scene.state.taken_of_set) == (3, 0)
    scene.markers("torun").state.taken_of_set = 6
    before = len(scene.said)
    scene.dice(2, 2).take("die 2", "move torun")
    laid = [label.split()[1] for label in scene.said[before:] if label.startswith("marker")]
    assert len(set(laid)) == 7
    assert scene.state.aside_count == 10


def test_mov_6_a_marker_under_a_pawn_gives_nothing():
    """MOV-6: its pawn must leave and come back; until then the field is closed to others."""
    scene = at_start(2, players=2).pawn(0, "poznan").pawn(1, "torun").hand(0).hand(1)
    scene.markers("poznan").dice(2, 2, 2, 2)
    scene.take("die 2", "move poznan-szczecin-1")
    assert scene.cards(0) == []
    scene.take("die 2", "nothing", "die 2", "move poznan")
    assert len(scene.cards(0)) == 3


def test_mov_7_the_pile_is_renewed():
    """MOV-7: an empty pile takes the shuffled discards when a card is wanted; with both empty nothing is drawn."""
    scene = at_start(2, 2, markers=("poznan", "torun"), players=2).hand(0).hand(1)
    scene.state.draw_count = 1
    scene.state.discards[:2] = [scene.faces.index("eagle"), scene.faces.index("coach")]
    scene.state.discard_count = 2
    scene.take("die 2", "move poznan")
    assert "reshuffle" in scene.said
    assert {"eagle", "coach"} < set(scene.cards(0))
    assert (scene.state.draw_count, scene.state.discard_count) == (0, 0)
    scene.take("die 2", "move torun")
    assert scene.cards(1) == []


def test_mov_7_the_pile_waits_until_a_card_is_wanted():
    """MOV-7: the last card leaves an empty pile, so a card discarded before the next draw is shuffled too."""
    scene = at_start(2, 2, markers=("poznan", "torun"), players=2).hand(0).hand(1, "eagle")
    scene.state.draw_count, scene.state.discard_count = 3, 0
    scene.take("die 2", "move poznan")
    assert "reshuffle" not in scene.said
    assert (scene.state.draw_count, len(scene.cards(0))) == (0, 3)


@pytest.mark.parametrize(
    ("card", "year", "steps"),
    [
        ("grey 1410", 1410, 2),
        ("grey 1410", 1364, 1),
        ("grey 1410", 1466, 1),
        ("blue 1333", 1364, 2),
        ("blue 1333", 1320, 1),
        ("eagle", 1410, 3),
        ("city krakow", 1410, 3),
    ],
)
def test_card_table(card, year, steps):
    """Section 4: grey by the exact date, blue by a date not later, city and eagle three."""
    scene = at_start(2).pawn(0, "krakow").at(0, year).hand(0, card)
    before = scene.state.position[0]
    scene.take("die 2", f"play {card}")
    assert scene.state.position[0] == before + steps
    assert scene.discards() == [card]


def test_blue_is_worth_two_on_a_field_of_the_same_date():
    """Section 4 and the rulebook: earlier or the same."""
    cards = {"name": "x", "source": "test", "reconstruction": False, "grey": list(range(1001, 1021))}
    cards |= {"blue": [1410], "cities": [], "stop": 1, "train": 1, "coach": 1, "eagle": 1}
    scene = at_start(2, changes={"cards": cards}).at(0, 1410).hand(0, "blue 1410")
    before = scene.state.position[0]
    scene.take("die 2", "play blue 1410")
    assert scene.state.position[0] == before + 2


def test_a_city_card_needs_the_pawn_there():
    """Section 4: only while the player's pawn is in that city."""
    assert "play city krakow" not in at_start(2).hand(0, "city krakow").take("die 2").options()


def test_stop_names_an_opponent():
    """Section 4: played before any of the others, one option each."""
    scene = at_start(2).hand(0, "stop", "stop").take("die 2")
    assert [label for label in scene.options() if "stop" in label] == ["play stop 1", "play stop 2"]


def test_train():
    """Section 4: the only card of the turn, to any field without a pawn; a marker there is taken."""
    scene = at_start(2).pawn(1, "lublin").hand(0, "train", "grey 1000").take("die 2")
    rides = {label.split()[2] for label in scene.options() if label.startswith("play train")}
    assert rides == set(scene.fields) - {"gniezno", "lublin"}
    scene.take("play train zamosc")
    assert scene.seat == 1
    assert len(scene.cards(0)) == 1 + 3
    more = at_start(2).hand(0, "train", "coach", "grey 1000", "grey 1025").take("die 2", "play grey 1000")
    assert more.options() == ["nothing", "play grey 1025"]


@pytest.mark.parametrize(
    ("die", "added", "start", "reached", "out_of_reach"),
    [
        (1, 0, "szczecin", "warszawa", "lublin"),
        (1, 1, "gniezno", "poznan", "lodz"),
        (2, 1, "gniezno", "lodz", "czestochowa"),
        (4, 2, "gniezno", "olsztyn", "lublin"),
        (3, 2, "gniezno", "czestochowa", "olsztyn"),  # the rulebook's example: a 3 becomes a 5
        (6, 2, "gniezno", "sandomierz", "zamosc"),
    ],
)
def test_coach(die, added, start, reached, out_of_reach):
    """Section 4: 0, 1 or 2 more, then the pawn moves; 1 + 0 still allows 10, 1 + 1 allows 2, 6 + 2 allows 8."""
    scene = at_start(die).pawn(0, start).hand(0, "coach", "grey 1000").take(f"die {die}", "play coach")
    assert scene.options() == ["add 0", "add 1", "add 2"]
    scene.take(f"add {added}")
    assert scene.asked == s.ASK_COACHED
    assert reached in scene.moves()
    assert out_of_reach not in scene.moves()
    assert not [label for label in scene.options() if label.startswith("play")]
    scene.take(f"move {reached}")
    assert scene.seat == 1
    assert scene.discards() == ["coach"]


def test_crd_1_cards_are_judged_where_the_marker_then_stands():
    """CRD-1: 1364, 1385 and 1410 lie one after another: each is the very date when it is played."""
    scene = at_start(2).at(0, 1320).hand(0, "grey 1320", "grey 1385", "grey 1410")
    scene.take("die 2", "play grey 1320")
    assert scene.year(0) == 1385
    scene.take("play grey 1385")
    assert scene.year(0) == 1466  # 1410 was passed by
    scene.take("play grey 1410")
    assert scene.year(0) == 1525


def test_crd_2_a_stop_card_is_discarded_when_served():
    """CRD-2: others at once."""
    scene = at_start(2, 3).hand(0, "stop", "eagle").take("die 2", "play eagle", "play stop 1")
    assert scene.discards() == ["eagle"]
    scene.take("nothing", "die 3")
    assert scene.discards() == ["eagle", "stop"]


def test_crd_3_drawn_cards_wait():
    """CRD-3: taking a marker ends the turn."""
    scene = at_start(2, 3, markers=("poznan", "zamosc")).hand(0).take("die 2", "move poznan")
    assert scene.seat == 1
    assert scene.asked == s.ASK_DIE
