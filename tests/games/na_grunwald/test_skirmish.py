"""The field `krzyzacy`: KRZ, with the first two worked examples of the rulebook."""

import pytest
from support.na_grunwald import Scene, skirmish, war


@pytest.mark.parametrize(("players", "bonus"), [(2, 2), (3, 4), (4, 6)])
def test_strength_is_both_cards_and_the_bonus(players, bonus):
    """KRZ-1: the bonus is 2, 4 or 6."""
    scene = skirmish({0: []}, (3, 2), players)
    scene.take("fight peasant")
    assert scene.state.plunder == 3 + 2 + bonus


def test_cards_are_chosen_in_turn_order_from_the_hand():
    """KRZ-2: a crown knight, a mercenary or the peasant; only players on the field."""
    scene = skirmish({1: [("crown", 4), ("crown", 4), ("mercenary", 2)], 3: []}, (4, 4))
    assert scene.seat == 1
    assert scene.options() == ["fight peasant", "fight crown 4", "fight mercenary 2"]
    scene.take("fight crown 4")
    assert scene.seat == 3
    assert scene.options() == ["fight peasant"]


@pytest.mark.parametrize(
    ("card", "krzyzacy", "taken"),
    [(5, (4, 2), [4]), (4, (4, 2), [2]), (3, (4, 2), [2]), (2, (4, 2), []), (2, (2, 1), [1])],
)
def test_strongest_takes_the_stronger_it_beats(card, krzyzacy, taken):
    """KRZ-3: strictly higher than the stronger, else than the weaker, else none."""
    scene = skirmish({0: [("crown", card)]}, krzyzacy)
    scene.take(f"fight crown {card}").to_round(2)
    assert scene.captives(0) == taken


def test_ties_between_cards_go_to_the_first_pawn():
    """KRZ-3, RES-2: of two equal cards the one whose pawn came first is the strongest."""
    hands = {0: [("crown", 5)], 1: [("crown", 5)]}
    first = skirmish(hands, (4, 2)).take("fight crown 5", "fight crown 5").to_round(2)
    assert (first.captives(0), first.captives(1)) == ([4], [2])
    later = skirmish(hands, (4, 2), order=[1, 0])
    later.take("fight crown 5", "fight crown 5").to_round(2)
    assert (later.captives(0), later.captives(1)) == ([2], [4])


@pytest.mark.parametrize(
    ("first", "second", "captors", "taken"),
    [(5, 3, 2, ([4], [2])), (5, 2, 2, ([4], [])), (4, 3, 2, ([2], [])), (5, 0, 2, ([4], [])), (6, 5, 1, ([4], []))],
)
def test_second_takes_the_weaker_if_it_is_still_there(first, second, captors, taken):
    """KRZ-4: strictly higher too; the peasant takes nothing. With one captor the second takes nothing."""
    hands = {0: [("crown", first)], 1: [("crown", max(1, second))]}
    scene = skirmish(hands, (4, 2), captors=dict.fromkeys("234", captors))
    scene.take(f"fight crown {first}", f"fight crown {second}" if second else "fight peasant")
    scene.to_round(2)
    assert (scene.captives(0), scene.captives(1)) == taken


def test_a_won_skirmish_costs_nothing():
    """KRZ-5: the sum of the cards is at least the strength of the Krzyżacy."""
    scene = skirmish({0: [("crown", 6)], 1: [("crown", 5)]}, (3, 2))
    scene.take("fight crown 6", "fight crown 5")
    assert (scene.log.game.skirmishes_won, scene.log.game.skirmishes_lost) == (1, 0)
    assert scene.state.round_number == 2


def test_everybody_pays_for_a_lost_skirmish():
    """KRZ-5: players who stayed away pay too, each at least the difference."""
    scene = skirmish({0: [("crown", 6)]}, (4, 3))
    for seat in range(4):
        scene.give(seat, provisions=9)
    scene.take("fight crown 6")
    assert scene.log.game.plunder_total == 13 - 6
    payers = []
    while scene.asked("give"):
        payers.append(scene.seat)
        scene.take("give provision")
    assert payers == [0] * 7 + [1] * 7 + [2] * 7 + [3] * 7


def test_items_are_given_one_at_a_time_without_change():
    """KRZ-6: a provision is worth 1, a card its strength; overpaying is allowed."""
    scene = skirmish({0: [("crown", 1)]}, (1, 1), players=2)  # strength 4, lost by 3
    scene.give(0, camp=[("mercenary", 2)], captives=[4], hand=[("crown", 5)])
    scene.give(1, provisions=1)
    scene.take("fight crown 1")
    items = ["provision", "hand crown 5", "camp mercenary 2", "captive 4"]
    assert scene.options() == [f"give {item}" for item in items]
    scene.take("give camp mercenary 2", "give hand crown 5")  # 7 for 3: no change
    assert scene.seat == 1
    scene.take("give provision")  # has nothing more: seat 1 is let off
    assert not scene.asked("give")


def test_what_is_on_the_table_cannot_be_given():
    """KRZ-7: cards played and Krzyżacy captured in this skirmish stay out of it."""
    scene = skirmish({0: [("crown", 3)]}, (2, 1), players=2)
    scene.give(0, provisions=5)
    scene.take("fight crown 3")
    assert scene.options() == ["give provision"]
    switched = skirmish({0: [("crown", 3)]}, (2, 1), players=2, give_from_table=True)
    switched.give(0, provisions=5)
    switched.take("fight crown 3")
    assert switched.options() == ["give provision", "give camp crown 3", "give captive 2"]


def test_an_unopposed_skirmish_is_lost_with_strength_zero():
    """KRZ-8: with no player there; with `ignore` nothing happens."""
    scene = Scene(4, war()).pass_all()
    assert scene.log.game.skirmishes_lost == 1
    assert scene.asked("give")
    ignored = Scene(4, war(unopposed="ignore")).pass_all()
    assert ignored.log.game.skirmishes_lost == ignored.log.game.skirmishes_won == 0
    assert ignored.state.round_number == 2


def test_after_the_skirmish_cards_go_to_the_camps():
    """KRZ-9: played knights and captives to the camps, the peasant back to the hand."""
    scene = skirmish({0: [("crown", 6)], 1: []}, (4, 3))
    scene.take("fight crown 6", "fight peasant").to_round(2)
    assert scene.camp(0) == [("crown", 6)]
    assert scene.captives(0) == [4]
    later = skirmish({1: []}, (4, 3))
    assert "fight peasant" in later.options()


def test_worked_example_1():
    """Section 8, example 1 (KRZ-3 to KRZ-6): Krzyżacy 3 and 2, bonus 6; cards 5, 2, 1, peasant."""
    marek, jacek, kasia, ania = range(4)
    hands = {
        marek: [("crown", 5)],
        jacek: [("crown", 2), ("mercenary", 4)],
        kasia: [("mercenary", 1)],
        ania: [("crown", 2)],
    }
    scene = skirmish(hands, (3, 2))
    scene.give(marek, provisions=3)
    scene.give(kasia, captives=[3])
    scene.give(ania, provisions=1)
    scene.take("fight crown 5", "fight crown 2", "fight mercenary 1", "fight peasant")
    assert scene.state.plunder == 3  # 11 against 8
    scene.take("give provision", "give provision", "give provision")  # Marek
    scene.take("give hand mercenary 4")  # Jacek overpays
    scene.take("give captive 3")  # Kasia
    scene.take("give hand crown 2", "give provision")  # Ania
    assert scene.state.round_number == 2
    assert scene.captives(marek) == [3]
    assert scene.captives(jacek) == scene.captives(ania) == []
    assert scene.camp(kasia) == [("mercenary", 1)]
    assert scene.hand(ania) == []


@pytest.mark.parametrize(
    "payment",
    [
        ["give hand crown 2"],
        ["give provision", "give provision"],
        ["give camp crown 1", "give captive 1"],
        ["give camp crown 1", "give provision"],
        ["give hand crown 3"],
    ],
)
def test_worked_example_2(payment):
    """Section 8, example 2 (KRZ-6): Krzyżacy 10 against 8; one card worth 3 is a legal payment."""
    scene = skirmish({0: [("crown", 6)], 1: [("crown", 2)]}, (2, 2))
    scene.give(0, hand=[("crown", 2), ("crown", 3)], camp=[("crown", 1)], captives=[1], provisions=2)
    scene.take("fight crown 6", "fight crown 2")
    assert scene.state.plunder == 2
    for label in payment:
        assert scene.seat == 0
        scene.take(label)
    assert scene.seat != 0
