"""End of the game: END, with the last two worked examples of the rulebook."""

import pytest
from support.na_grunwald import Scene, make_rules

from balance.foundation.errors import BalanceError

ONE_ROUND = {"rounds": 1}


def final(players=3, changes=None):
    """Return a game of one round that ends when the last player passes."""
    scene = Scene(players, {**ONE_ROUND, **(changes or {})})
    for _ in range(players - 1):
        scene.take("pass")
    return scene


def test_unfed_knights_are_given_up_exactly_as_many_as_are_missing():
    """END-1: asked in turn order from the next round's starter; Krzyżacy need no provisions."""
    scene = final(2)
    scene.give(0, hand=[("crown", 2)], camp=[("crown", 2), ("mercenary", 5)], provisions=1, captives=[4])
    scene.give(1, hand=[("mercenary", 1)], provisions=0)
    scene.take("pass")
    assert (scene.seat, scene.options()) == (1, ["starve mercenary 1"])
    scene.take("starve mercenary 1")
    assert (scene.seat, scene.options()) == (0, ["starve crown 2", "starve mercenary 5"])
    scene.take("starve crown 2", "starve crown 2")
    assert scene.state.over
    assert list(scene.rows().starved) == [2, 1]


def test_worked_example_3():
    """Section 8, example 3 (END-1): 2 crown, 3 mercenaries, 1 Krzyżak, 4 provisions: one is given up."""
    scene = final(2)
    scene.give(0, hand=[("crown", 1), ("crown", 4), ("mercenary", 2)], provisions=4, captives=[3])
    scene.give(0, camp=[("mercenary", 5), ("mercenary", 6)])
    scene.take("pass")
    scene.take("starve crown 1")
    assert scene.state.over
    assert scene.rows()[0].crown_count == 1


@pytest.mark.parametrize(("per", "starved"), [(1, 3), (2, 1), (3, 0)])
def test_knights_fed_per_provision_is_a_rule(per, starved):
    """END-1: the number is a rule's value."""
    scene = final(2, {"scoring": {"knights_per_provision": per}})
    scene.give(0, hand=[("crown", 3)] * 5, provisions=2)
    scene.take("pass")
    assert scene.finish()[0].starved == starved


def test_points_for_strength():
    """END-2: the strengths of all crown, mercenary and captured cards, hand and camp."""
    scene = final(2)
    scene.give(0, hand=[("crown", 2)], camp=[("mercenary", 5)], captives=[4], provisions=2)
    row = scene.take("pass").finish()[0]
    assert (row.crown_strength, row.mercenary_strength, row.captive_strength) == (2, 5, 4)


@pytest.mark.parametrize("kind", ["crown", "mercenary"])
def test_commander_has_most_knights(kind):
    """END-3: by count, ties by strength, still tied all; as many points as knights."""
    for hands, points in (
        ([[1, 1, 1], [6, 6], []], [3, 0, 0]),
        ([[1, 2], [6, 1], []], [0, 2, 0]),
        ([[1, 2], [2, 1], [3]], [2, 2, 0]),
        ([[], [], []], [0, 0, 0]),
    ):
        scene = final(3)
        for seat, hand in enumerate(hands):
            scene.give(seat, hand=[(kind, strength) for strength in hand], provisions=5)
        rows = scene.take("pass").finish()
        assert list(rows[f"{kind}_commander"]) == points


def test_quartermaster_has_most_spare_provisions():
    """END-4: provisions less knights fed; ties, all of them."""
    scene = final(3)
    scene.give(0, provisions=5, hand=[("crown", 1)])
    scene.give(1, provisions=4)
    scene.give(2, provisions=4, hand=[("crown", 1)])
    rows = scene.take("pass").finish()
    assert list(rows.quartermaster) == [4, 4, 0]
    assert list(rows.provisions) == [5, 4, 4]


@pytest.mark.parametrize("value", ["count", 7])
def test_no_spare_provisions_no_quartermaster(value):
    """END-4: where no player has any, a title that scores a number scores nothing either."""
    scene = final(2, {"titles": {"quartermaster": value}})
    for seat in range(2):
        scene.give(seat, hand=[("crown", 1)], provisions=1)
    assert list(scene.take("pass").finish().quartermaster) == [0, 0]


@pytest.mark.parametrize(("value", "points"), [("count", 4), (7, 7), ("off", 0)])
def test_titles_are_rules(value, points):
    """END-3, END-4: a title scores its count, a fixed number, or nothing."""
    titles = {"crown_commander": value, "mercenary_commander": value, "quartermaster": value}
    scene = final(2, {"titles": titles})
    scene.give(0, hand=[("crown", 1)] * 4 + [("mercenary", 1)] * 4, provisions=12)
    row = scene.take("pass").finish()[0]
    found = (row.crown_commander, row.mercenary_commander, row.quartermaster)
    assert found == (points, points, points)


@pytest.mark.parametrize(("ducats", "points"), [(0, 0), (1, 0), (2, 1), (7, 3)])
def test_points_for_ducats(ducats, points):
    """END-5: 1 point for every 2 ducats, rounded down."""
    scene = final(2)
    scene.give(0, ducats=ducats)
    assert scene.take("pass").finish()[0].ducat_points == points


def hand_of(total):
    """Return crown knights of this total strength."""
    return [("crown", 9)] * (total // 9) + ([("crown", total % 9)] if total % 9 else [])


def test_worked_example_4():
    """Section 8, example 4 (END-6): 46, 46 and 43 points, the tie broken by the number of cards."""
    titles = {"crown_commander": 6, "mercenary_commander": 6, "quartermaster": 5}
    scene = final(3, {"titles": titles})
    jacek, ania, marek = range(3)
    scene.give(jacek, hand=hand_of(36), captives=[9, 1], ducats=0, provisions=4)
    scene.give(ania, hand=[("mercenary", n) for n in (5, 5, 5, 5, 5, 6)], captives=[4], ducats=0)
    scene.give(ania, provisions=6 + 9)
    scene.give(marek, hand=[("crown", n) for n in (5, 5, 5, 5, 4, 4)], captives=[7], ducats=4)
    scene.give(marek, provisions=6, camp=[])
    scene.give(marek, hand=[])
    rows = scene.take("pass").finish()
    parts = rows.crown_strength + rows.mercenary_strength
    assert list(parts) == [36, 31, 28]
    assert list(rows.captive_strength) == [10, 4, 7]
    assert list(rows.score) == [46, 46, 43]
    assert rows.crown_count[jacek] + rows.captive_count[jacek] < 7
    assert list(rows["rank"]) == [2, 1, 3]


def test_a_victory_may_be_shared():
    """END-6: same points, same number of cards."""
    scene = final(3)
    scene.give(0, ducats=8)
    scene.give(1, ducats=9)
    scene.give(2, ducats=2)
    rows = scene.take("pass").finish()
    assert list(rows["rank"]) == [1, 1, 3]


def test_the_game_lasts_eight_rounds():
    """Section 2: rounds 1 to 8, and the token passes to the left after each."""
    scene = Scene(3)
    starts = []
    while not scene.state.over:
        if int(scene.state.round_number) > len(starts):
            starts.append(scene.seat)
        scene.take(scene.options()[0])
    assert starts == [0, 1, 2, 0, 1, 2, 0, 1]
    assert scene.state.round_number == 8


def test_awards_are_rules():
    """Section 4.3 as values: any shown value may go to any place."""
    awards = {"ducats": {"2": [-1, 1]}, "crown": {"2": [2]}}
    cards = {"ducats": {"source": "t", "reconstruction": False, "values": [[6, 4, 2]] * 8}}
    scene = Scene(2, {"awards": awards, "cards": cards})
    shown = [int(word) for word in scene.said[0].split()[2:]]
    scene.take("place ducats officer", "place ducats helpers 1", "place crown helpers 1").pass_all()
    assert list(scene.state.ducats[:2]) == [3 + 2, 3 + 6]
    assert scene.hand(0) == [("crown", min(shown))]


ONE_VALUE = {"source": "t", "reconstruction": False, "values": [[4]] * 8}
TWO_VALUES = {"source": "t", "reconstruction": False, "values": [[4, 2]] * 8}


@pytest.mark.parametrize(
    ("field", "players", "award", "same"),
    [
        ("crown", 4, [1, -2], "1 and -2 are the same of 2 shown values"),
        ("crown", 3, [-1, 2], "-1 and 2 are the same of 2 shown values"),
        ("mercenaries", 2, [1, 1], "1 and 1 are the same of 2 shown values"),
        ("ducats", 4, [2, 1, -3], "1 and -3 are the same of 3 shown values"),
        ("ducats", 2, [-2, 2], "-2 and 2 are the same of 3 shown values"),
        ("ducats", 3, [3, 1, -1], "3 and -1 are the same of 3 shown values"),
        ("provisions", 3, [1, -2], "1 and -2 are the same of 2 shown values"),
        ("provisions", 4, [1, -1], "1 and -1 are the same of 1 shown value;"),
    ],
)
def test_each_value_goes_to_one_place(field, players, award, same):
    """Section 4.3: two entries that are the same value are refused, by key, player count and both entries."""
    with pytest.raises(BalanceError) as refused:
        make_rules({"awards": {field: {str(players): award}}})
    assert f"awards.{field}.{players}: with {players} players, {same}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_awards_go_by_the_cards_that_there_are():
    """Section 4.3: 1 and -1 of provisions are two values where each card shows two, and one where one shows one."""
    awards = {"provisions": {"4": [1, -1]}}
    rules = make_rules({"awards": awards, "cards": {"provisions": TWO_VALUES}})
    assert rules.awards.provisions.at(4) == [1, -1]
    with pytest.raises(BalanceError, match=r"awards\.provisions\.4: .* 1 and -1 are the same"):
        make_rules({"awards": awards, "cards": {"provisions": ONE_VALUE}})
