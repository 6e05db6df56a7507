"""Set-up, rounds and the placement phase: SET, RND, PLC."""

import pytest
from support.na_grunwald import Scene, event_deck, war

from balance.games.na_grunwald.display import observe
from balance.games.na_grunwald.kernel import state as s


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_the_same(players):
    """SET-2, section 1: 2 helpers, 3 ducats, 1 provision; seat 0 begins."""
    scene = Scene(players)
    assert scene.seat == 0
    for good, number in (("ducats", 3), ("provisions", 1), ("helpers", 2)):
        assert scene.all(good) == [number] * players


def test_a_recruited_knight_goes_to_the_hand_and_a_used_one_to_the_camp():
    """SET-3: used knights can't be used again, and count at the end."""
    scene = Scene(2, war())
    scene.give(0, hand=[("crown", 6)])
    scene.take("place krzyzacy officer").pass_all()
    assert scene.asked("fight")
    before = scene.state.decks[s.CROWN_DECK].copy()
    scene.take("fight crown 6")
    scene.to_round(2)
    assert ("crown", 6) in scene.camp(0)
    assert scene.hand(0) == []
    assert (scene.state.decks[s.CROWN_DECK] == before).all()


def test_no_event_in_round_one():
    """RND-1: events come in rounds 2 to 8, before the reveal."""
    scene = Scene(2, {"event_deck": event_deck(effect="gain", bundle={"ducats": 1})})
    assert scene.said[0].startswith("reveal crown")
    scene.to_round(2)
    later = scene.said[scene.said.index("reveal event it") :]
    assert later[1].startswith("reveal crown")
    scene.finish()
    assert scene.said.count("reveal event it") == 7


def test_order_of_the_reveal():
    """RND-2: crown, provisions, ducats, mercenaries and, from round 4 on, Krzyżacy."""
    scene = Scene(2)
    assert [label.split()[1] for label in scene.said] == ["crown", "provisions", "ducats", "mercenaries"]
    scene.to_round(3)
    assert not any("krzyzacy" in label for label in scene.said)
    scene.to_round(4)
    assert scene.said[-1].startswith("reveal krzyzacy")


def test_each_round_turns_up_the_next_card_of_each_stack():
    """RND-2, RND-3: one card from each of two equal stacks; cards not taken leave the game."""
    scene = Scene(2)
    deck = scene.state.decks[s.CROWN_DECK].copy()
    assert scene.said[0] == f"reveal crown {deck[0]} {deck[8]}"
    scene.to_round(2)
    assert f"reveal crown {deck[1]} {deck[9]}" in scene.said
    assert scene.hand(0) == scene.hand(1) == []


def test_turns_go_round_until_all_have_passed():
    """PLC-1: clockwise; a player who has passed or has no pawn left is not asked again."""
    scene = Scene(3)
    scene.take("place crown officer", "pass", "place crown officer")
    assert scene.seat == 0
    scene.take("place ducats helpers 2")
    assert scene.seat == 2  # seat 1 has passed
    scene.take("place ducats helpers 1")
    assert scene.seat == 2  # seat 0 has no pawn left


def test_officer_or_helpers_but_not_both():
    """PLC-2: one placement is the officer, or one or more helpers."""
    crown = [label for label in Scene(4).options() if label.startswith("place crown")]
    assert crown == ["place crown officer", "place crown helpers 1", "place crown helpers 2"]


def test_helpers_never_join_own_helpers():
    """PLC-3: the officer may join own helpers and helpers the officer."""
    scene = Scene(2)
    scene.take("place crown helpers 1", "place crown officer")
    assert "place crown officer" in scene.options()
    assert "place crown helpers 1" not in scene.options()
    scene.take("pass")
    assert "place crown helpers 1" in scene.options()


def test_krzyzacy_takes_one_pawn_from_round_four():
    """PLC-4: `krzyzacy` is open from round 4, for one pawn of each player."""
    scene = Scene(2)
    assert not any("krzyzacy" in label for label in scene.options())
    scene.to_round(4)
    labels = [label for label in scene.options() if "krzyzacy" in label]
    assert labels == ["place krzyzacy officer", "place krzyzacy helpers 1"]
    scene.take("place krzyzacy officer", "pass")
    assert not any("krzyzacy" in label for label in scene.options())


def test_mercenaries_take_one_pawn_with_ducats():
    """PLC-4: one pawn with at least one ducat, in one placement only."""
    scene = Scene(2)
    labels = [label for label in scene.options() if "mercenaries" in label]
    expected = [f"place mercenaries {pawn} {d}" for pawn in ("officer", "helpers 1") for d in (1, 2, 3)]
    assert labels == expected
    scene.take("place mercenaries officer 1", "pass")
    assert not any("mercenaries" in label for label in scene.options())
    assert not any("mercenaries" in label for label in Scene(2, {"start": {"ducats": 0}}).options())


def test_helpers_field_only_below_five_helpers():
    """PLC-4: a player with 5 helpers may not stand on `helpers`."""
    for helpers in (4, 5):
        options = Scene(2, {"start": {"helpers": helpers}}).options()
        assert any("place helpers" in label for label in options) == (helpers < 5)


def test_ducats_are_out_of_the_purse_until_resolution():
    """PLC-5: ducats go only with pawns, in the same placement, and leave the purse."""
    scene = Scene(2)
    assert "place provisions officer 0" in scene.options()
    assert "place provisions helpers 2 3" in scene.options()
    scene.take("place provisions officer 2", "pass")
    assert scene.state.ducats[0] == 1
    assert scene.state.stake[s.PROVISIONS, 0] == 2
    assert "place provisions helpers 1 2" not in scene.options()
    scene.take("place provisions helpers 1 1")
    assert scene.state.stake[s.PROVISIONS, 0] == 3


def test_secret_cards_stay_in_hands_as_others_see_them():
    """PLC-6: hands are public, choices made in secret are not."""
    scene = Scene(2, war())
    scene.give(0, hand=[("crown", 6)])
    scene.give(1, hand=[("mercenary", 2)])
    scene.take("place krzyzacy officer", "place krzyzacy officer").pass_all()
    before = observe(scene.rules, scene.state, 1)
    scene.take("fight crown 6")
    after = observe(scene.rules, scene.state, 1)
    assert after.seats == before.seats
    assert after.seats[0].hand["crown"] == [6]


def test_redealing_what_is_hidden_keeps_what_was_seen():
    """PLC-6: the decks' multisets are known, their order is not."""
    scene = Scene(3).to_round(5)
    before = scene.state.decks[s.CROWN_DECK].copy()
    scene.stepper.determinize(1)
    after = scene.state.decks[s.CROWN_DECK]
    seen = [*range(5), *range(8, 13)]
    assert (after[seen] == before[seen]).all()
    assert sorted(after) == sorted(before)
    assert (after != before).any()
