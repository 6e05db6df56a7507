"""End of the game: END, with the last two worked examples of the rulebook."""

import pytest
from support.na_grunwald import Scene


def final(players=2, goods=(), **changes):
    """Return a game of one round that ends when the last player passes; `goods` are those of each seat."""
    scene = Scene(players, {"rounds": 1, **changes})
    for seat, own in enumerate(goods):
        scene.give(seat, **own)
    for _ in range(players - 1):
        scene.take("pass")
    return scene


def crown(*strengths):
    return [("crown", strength) for strength in strengths]


def mercenaries(*strengths):
    return [("mercenary", strength) for strength in strengths]


def test_unfed_knights_are_given_up_exactly_as_many_as_are_missing():
    """END-1: asked in turn order from the next round's starter; Krzyżacy need no provisions."""
    first = {"hand": crown(2), "camp": [*crown(2), *mercenaries(5)], "provisions": 1, "captives": [4]}
    scene = final(goods=[first, {"hand": mercenaries(1), "provisions": 0}]).take("pass")
    assert (scene.seat, scene.options()) == (1, ["starve mercenary 1"])
    scene.take("starve mercenary 1")
    assert (scene.seat, scene.options()) == (0, ["starve crown 2", "starve mercenary 5"])
    scene.take("starve crown 2", "starve crown 2")
    assert scene.state.over
    assert list(scene.finish().starved) == [2, 1]


def test_worked_example_3():
    """Section 8, example 3 (END-1): 2 crown, 3 mercenaries, 1 Krzyżak, 4 provisions: one is given up."""
    hand = [*crown(1, 4), *mercenaries(2)]
    goods = {"hand": hand, "camp": mercenaries(5, 6), "provisions": 4, "captives": [3]}
    scene = final(goods=[goods]).take("pass", "starve crown 1")
    assert scene.state.over
    assert scene.finish()[0].crown_count == 1


@pytest.mark.parametrize(("per", "starved"), [(1, 3), (2, 1), (3, 0)])
def test_knights_fed_per_provision_is_a_rule(per, starved):
    """END-1: the number is a rule's value."""
    goods = {"hand": crown(3, 3, 3, 3, 3), "provisions": 2}
    scene = final(goods=[goods], scoring={"knights_per_provision": per})
    assert scene.take("pass").finish()[0].starved == starved


def test_points_for_strength():
    """END-2: the strengths of all crown, mercenary and captured cards, hand and camp."""
    goods = {"hand": crown(2), "camp": mercenaries(5), "captives": [4], "provisions": 2}
    row = final(goods=[goods]).take("pass").finish()[0]
    assert (row.crown_strength, row.mercenary_strength, row.captive_strength) == (2, 5, 4)


@pytest.mark.parametrize("kind", ["crown", "mercenary"])
@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ([[1, 1, 1], [6, 6], []], [3, 0, 0]),
        ([[1, 2], [6, 1], []], [0, 2, 0]),
        ([[1, 2], [2, 1], [3]], [2, 2, 0]),
        ([[], [], []], [0, 0, 0]),
    ],
)
def test_commander_has_most_knights(kind, hands, points):
    """END-3: by count, ties by strength, still tied all; as many points as knights."""
    goods = [{"hand": [(kind, strength) for strength in hand], "provisions": 5} for hand in hands]
    assert list(final(3, goods).take("pass").finish()[f"{kind}_commander"]) == points


def test_quartermaster_has_most_spare_provisions():
    """END-4: provisions less knights fed; ties, all of them."""
    goods = [{"provisions": 5, "hand": crown(1)}, {"provisions": 4}, {"provisions": 4, "hand": crown(1)}]
    rows = final(3, goods).take("pass").finish()
    assert list(rows.quartermaster) == [4, 4, 0]
    assert list(rows.provisions) == [5, 4, 4]


@pytest.mark.parametrize("value", ["count", 7])
def test_no_spare_provisions_no_quartermaster(value):
    """END-4: where no player has any, a title that scores a number scores nothing either."""
    goods = [{"hand": crown(1), "provisions": 1}] * 2
    scene = final(goods=goods, titles={"quartermaster": value})
    assert list(scene.take("pass").finish().quartermaster) == [0, 0]


@pytest.mark.parametrize(("value", "points"), [("count", 4), (7, 7), ("off", 0)])
def test_titles_are_rules(value, points):
    """END-3, END-4: a title scores its count, a fixed number, or nothing."""
    titles = ("crown_commander", "mercenary_commander", "quartermaster")
    goods = {"hand": [*crown(1, 1, 1, 1), *mercenaries(1, 1, 1, 1)], "provisions": 12}
    row = final(goods=[goods], titles=dict.fromkeys(titles, value)).take("pass").finish()[0]
    assert [row[title] for title in titles] == [points] * 3


@pytest.mark.parametrize(("ducats", "points"), [(0, 0), (1, 0), (2, 1), (7, 3)])
def test_points_for_ducats(ducats, points):
    """END-5: 1 point for every 2 ducats, rounded down."""
    assert final(goods=[{"ducats": ducats}]).take("pass").finish()[0].ducat_points == points


def test_worked_example_4():
    """Section 8, example 4 (END-6): 46, 46 and 43 points, the tie broken by the number of cards."""
    titles = {"crown_commander": 6, "mercenary_commander": 6, "quartermaster": 5}
    jacek = {"hand": crown(9, 9, 9, 9), "captives": [9, 1], "ducats": 0, "provisions": 4}
    ania = {"hand": mercenaries(5, 5, 5, 5, 5, 6), "captives": [4], "ducats": 0, "provisions": 6 + 9}
    marek = {"hand": crown(5, 5, 5, 5, 4, 4), "captives": [7], "ducats": 4, "provisions": 6}
    rows = final(3, [jacek, ania, marek], titles=titles).take("pass").finish()
    assert list(rows.crown_strength + rows.mercenary_strength) == [36, 31, 28]
    assert list(rows.captive_strength) == [10, 4, 7]
    assert list(rows.score) == [46, 46, 43]
    assert rows[0].crown_count + rows[0].captive_count < 7
    assert list(rows["rank"]) == [2, 1, 3]


def test_a_victory_may_be_shared():
    """END-6: same points, same number of cards."""
    rows = final(3, [{"ducats": ducats} for ducats in (8, 9, 2)]).take("pass").finish()
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
