"""Resolution of the fields other than `krzyzacy`: RES, CRN, PRV, DUC, MRC, HLP and player counts."""

import pytest
from support.na_grunwald import Scene, shown

from balance.games.na_grunwald.kernel import state as s


def test_strength_of_pawns_and_ducats():
    """RES-1: officer 2, helper 1, each ducat on `provisions` 1."""
    scene = Scene(3, shown(provisions=[6, 3]))
    placed = "place provisions officer 0", "place provisions helpers 2 1", "place provisions helpers 1 0"
    scene.take(*placed).pass_all()
    assert scene.all("provisions") == [1 + 3, 1 + 6, 1]


def test_only_ducats_count_on_mercenaries():
    """RES-1, MRC-1: the pawn does not matter, the ducats do."""
    scene = Scene(4).show_knights(s.MERCENARY_FIELD, 6, 2)
    placed = ("place mercenaries officer 1", "place mercenaries helpers 1 3", "place mercenaries officer 2")
    scene.take(*placed).pass_all()
    assert [scene.hand(p) for p in range(3)] == [[], [("mercenary", 6)], [("mercenary", 2)]]


@pytest.mark.parametrize(("rule", "winner"), [("first-placed", 0), ("last-placed", 1)])
def test_ties_go_to_the_first_pawn(rule, winner):
    """RES-2: the first pawn placed on the field decides, for any later pawns."""
    scene = Scene(4, {"tie_rule": rule})
    scene.show_knights(s.CROWN_FIELD, 5, 4)
    scene.take("place crown helpers 1", "place crown officer", "pass", "pass")
    scene.state.helpers_free[0] = 0
    scene.state.officer_free[0] = 1
    scene.state.officer_strength = 1
    scene.take("place crown officer", "place crown helpers 1").pass_all()
    # both have strength 2 now; seat 0 came first
    assert scene.hand(winner) == [("crown", 5)]
    assert scene.hand(1 - winner) == [("crown", 4)]


def test_nobody_wins_twice_on_a_field():
    """RES-3: alone on a field, a player wins one benefit."""
    scene = Scene(4, shown(ducats=[6, 4, 2]))
    scene.show_knights(s.CROWN_FIELD, 5, 4)
    scene.take("place crown officer", "pass", "pass", "pass", "place ducats helpers 2")
    assert scene.hand(0) == [("crown", 5)]
    assert scene.state.ducats[0] == 3 + 6


def test_stakes_that_won_go_to_the_bank_and_the_others_back():
    """RES-4: a third on `mercenaries` gets its ducats back; pawns return."""
    scene = Scene(4).take(*(f"place mercenaries officer {stake}" for stake in (3, 2, 1))).pass_all()
    assert scene.all("ducats") == [0, 1, 3, 3]
    assert scene.state.officer_free[0] == 1


def test_crown_gives_the_stronger_knight_first():
    """CRN-1: the first gets the stronger, the second the other, other players nothing."""
    scene = Scene(4).show_knights(s.CROWN_FIELD, 6, 1)
    scene.take("place crown helpers 1", "place crown officer", "place crown helpers 2").pass_all()
    assert [scene.hand(p) for p in range(4)] == [[], [("crown", 6)], [("crown", 1)], []]


def test_provisions_give_the_high_value_first():
    """PRV-1: high, low; a second who wins nothing gets the ducats back."""
    for second, good, own in (("officer 0", "provisions", [5, 1, 1]), ("helpers 1 1", "ducats", [2, 3, 3])):
        scene = Scene(3, shown(provisions=[4]))
        scene.take("place provisions officer 1", f"place provisions {second}", "pass").pass_all()
        assert scene.all(good) == own


def test_ducats_give_three_values():
    """DUC-1: first, second and third in descending order, the fourth nothing."""
    scene = Scene(4, shown(ducats=[6, 4, 2]))
    scene.take("place ducats helpers 1", "place ducats helpers 1", "place ducats officer")
    scene.take("place ducats helpers 2").pass_all()
    assert scene.all("ducats") == [3 + 2, 3, 3 + 6, 3 + 4]


def test_first_helper_is_free_and_second_pays_as_many_as_owned():
    """HLP-1: price = helpers owned; the helper is used from the next round on."""
    scene = Scene(4)
    scene.take("place helpers officer", "place helpers helpers 2").pass_all()
    assert scene.state.helpers[0] == 3
    assert scene.seat == 1
    assert scene.options() == ["hire no", "hire yes"]
    scene.take("hire yes")
    assert scene.state.helpers[1] == 3
    assert scene.state.ducats[1] == 1
    assert scene.state.helpers_free[1] == 3  # round 2 now


def test_an_offer_is_recorded_for_one_who_cannot_pay():
    """HLP-1, section 7: the second on the field is named with price and purse, and is not asked."""
    scene = Scene(3)
    scene.give(1, ducats=1)
    scene.take("place helpers officer", "place helpers helpers 2", "place helpers helpers 1", "pass", "pass")
    offers = [parts for name, parts in scene.outcomes("pass") if name == "offer"]
    assert [(found["player"], found["price"], found["purse"]) for found in offers] == [(1, 2, 1)]
    assert not scene.asked("hire")


def test_nobody_else_gains_a_helper():
    """HLP-2: not the third, even if the second declines or cannot pay."""
    for ducats, answers in ((3, ["hire no"]), (1, [])):
        scene = Scene(3)
        scene.give(1, ducats=ducats)
        scene.take("place helpers officer", "place helpers helpers 2", "place helpers helpers 1")
        scene.pass_all().take(*answers)
        assert scene.state.round_number == 2
        assert scene.all("helpers") == [3, 2, 2]


@pytest.mark.parametrize(("price", "paid"), [(2, 2), ([9, 9, 1, 9, 9], 1), ("owned", 2)])
def test_hire_price_is_a_rule(price, paid):
    """HLP-1: the price may be a number or a table by helpers owned."""
    scene = Scene(2, {"hire": {"price": price}})
    scene.take("place helpers officer", "place helpers helpers 1").pass_all()
    scene.take("hire yes")
    assert scene.state.ducats[1] == 3 - paid


def test_the_first_pays_where_the_rules_say_so():
    """HLP-1 with `first_pays`: the first is asked too."""
    scene = Scene(2, {"hire": {"first_pays": True}})
    scene.take("place helpers officer").pass_all()
    assert scene.options() == ["hire no", "hire yes"]
    scene.take("hire yes")
    assert (scene.state.helpers[0], scene.state.ducats[0]) == (3, 1)


@pytest.mark.parametrize(("players", "second"), [(2, []), (3, [("crown", 2)]), (4, [("crown", 2)])])
def test_crown_by_player_count(players, second):
    """Section 4.3: with two players only the first takes a knight."""
    scene = Scene(players).show_knights(s.CROWN_FIELD, 5, 2)
    scene.take("place crown officer", "place crown helpers 1").pass_all()
    assert scene.hand(0) == [("crown", 5)]
    assert scene.hand(1) == second


@pytest.mark.parametrize(
    ("values", "players", "won"), [([6, 3], 2, [3, 0]), ([6, 3], 3, [6, 3]), ([6, 3], 4, [6, 3]), ([4], 2, [4, 0])]
)
def test_provisions_by_player_count(values, players, won):
    """Section 4.3: with two players the first takes the low or only value, and the second nothing."""
    scene = Scene(players, shown(provisions=values))
    scene.take("place provisions officer 0", "place provisions helpers 1 0").pass_all()
    assert [own - 1 for own in scene.all("provisions")[:2]] == won


@pytest.mark.parametrize(("players", "won"), [(2, [4, 2]), (3, [6, 4, 0]), (4, [6, 4, 2, 0])])
def test_ducats_by_player_count(players, won):
    """Section 4.3: the two lowest with two, the two highest with three, all three with four."""
    scene = Scene(players, shown(ducats=[6, 4, 2]))
    scene.take(*["place ducats officer"] * players).pass_all()
    assert [own - 3 for own in scene.all("ducats")] == won
