"""Card phases and fate cards: CRD-1 to CRD-5, rule by rule."""

import pytest
from support.grody import FIGHT, FLEE, FURY, Campaign, battle, s


def test_crd_1_two_declines_in_a_row():
    """CRD-1: A has priority, one card at a time by turns; two declines in a row end the phase."""
    scene = Campaign().hand(0, "wieszczba", "zwiad").hand(1).window("start")
    scene.take("play zwiad")  # B holds nothing and declines silently
    assert scene.seat == 0
    assert scene.options() == ["decline", "play wieszczba"]
    scene.take("decline")
    assert scene.asked == "move"


def test_crd_1_before_ends_when_a_side_is_gone():
    """CRD-1: an ambush on the only attacker ends the phase at once; no die is rolled."""
    scene = battle(1, 1, hands=(("na_pewno_sie_uda",), ("zasadzka", "piesn_bojowa")))
    scene.take("decline", "play zasadzka 1")
    assert scene.chance("roll") == []
    assert scene.count("defences_won", 1) == 1
    assert scene.stepper.result()[0].combat_rounds == 0


def test_crd_2_a_card_is_laid_off_first():
    """CRD-2: a card goes on its player's pile before it is answered, so it may draw itself."""
    scene = Campaign().hand(0, "wieszczba").hand(1, "czarodziej").pile().window("start")
    scene.take("play wieszczba")
    assert scene.state.discards[0, s.PROPHECY] == 1
    scene.take("accept")
    assert "draw 0 wieszczba" in scene.said


def test_crd_3_answers():
    """CRD-3: an odd number of czarodziej cancels; then the player who did not play last is next."""
    scene = Campaign().hand(0, "zwiad", "forsowny_marsz", "czarodziej").window("start")
    scene.hand(1, "czarodziej", "czarodziej").take("play zwiad")
    assert (scene.seat, scene.asked) == (1, "answer")
    assert scene.options() == ["accept", "play czarodziej"]
    scene.take("play czarodziej")
    assert scene.seat == 0
    scene.take("play czarodziej")
    assert scene.seat == 1
    scene.take("accept")
    # Two of them: the card stands. A played last; B holds nothing for this phase and declines silently.
    assert scene.state.scouts == 1
    assert scene.count("cancelled", 0) == 0
    scene.take("play forsowny_marsz", "play czarodziej")
    assert scene.state.marches == 0  # A could not answer: it accepts silently
    assert scene.count("cancelled", 0) == 1
    assert (scene.count("played_czarodziej", 0), scene.count("played_czarodziej", 1)) == (1, 2)


def test_crd_3_an_answer_is_a_play():
    """CRD-3: after B cancelled A's card it is A's turn in the phase, and the count of declines starts again."""
    scene = Campaign().hand(0, "zwiad", "zwiad").hand(1, "czarodziej", "wieszczba").window("start")
    scene.take("play zwiad", "play czarodziej")
    assert (scene.seat, scene.asked) == (0, "card")
    scene.take("decline")
    assert (scene.seat, scene.options()) == (1, ["decline", "play wieszczba"])


def test_crd_3_no_wizard_no_question():
    """DEC-1: a player without a czarodziej is not asked."""
    scene = Campaign().hand(0, "zwiad", "zwiad").hand(1, "okup").window("start").take("play zwiad")
    assert (scene.seat, scene.asked) == (0, "card")


def test_na_pewno_sie_uda():
    """CRD-4: +1 morale of an own warrior for the combat; of equal warriors only the lowest is offered."""
    hands = (("na_pewno_sie_uda", "na_pewno_sie_uda", "odwrot"), ())
    scene = battle(3, 1, hands=hands, dice=(4, 4, 4, 3))
    assert scene.options() == ["decline", "play na_pewno_sie_uda 1"]
    scene.take("play na_pewno_sie_uda 1")
    assert scene.options() == ["decline", "play na_pewno_sie_uda 1", "play na_pewno_sie_uda 2"]
    scene.take("play na_pewno_sie_uda 1")
    assert scene.behaviours(0) == [s.FIGHTING, s.STANDING, s.STANDING]
    assert scene.state.boost[0, 0] == 2


def test_piesn_bojowa():
    """CRD-4: all own warriors get +1, in the first round only."""
    scene = battle(2, 1, hands=(("piesn_bojowa", "odwrot"), ()), dice=(5, 4, 4, 4, 4))
    scene.take("play piesn_bojowa")
    assert scene.behaviours(0) == [s.STANDING, s.FIGHTING]
    assert scene.behaviours(1) == [s.STANDING]


def test_zasadzka():
    """CRD-4: B only, an attacker dies; it counts as lost."""
    scene = battle(2, 1, hands=(("zasadzka", "odwrot"), ("zasadzka",)), dice=(4, 4))
    assert scene.seat == 1  # A can't play it
    assert scene.options() == ["decline", "play zasadzka 1"]
    scene.take("play zasadzka 1")
    assert scene.behaviours(0) == [s.GONE, s.STANDING]
    assert scene.count("lost", 0) == 1


def test_wilczy_dol():
    """CRD-4: an enemy's roll is 1 more; not for the fleeing, nor if the roll does not count."""
    scene = battle(3, 2, hands=((), ("wilczy_dol", "wilczy_dol")), dice=(FIGHT, FLEE, FIGHT, FIGHT, FIGHT))
    assert scene.options() == ["decline", "play wilczy_dol 1"]  # 3 is alike, 2 flees
    scene.take("play wilczy_dol 1")
    assert scene.behaviours(0) == [s.STANDING, s.FLEEING, s.FIGHTING]
    assert scene.options() == ["decline", "play wilczy_dol 1", "play wilczy_dol 3"]
    scene.take("play wilczy_dol 1")
    assert scene.count("fled", 0) == 2


def test_doskonaly_manewr():
    """CRD-4: one behaviour better, not for the furious; the roll no longer counts."""
    hands = (("doskonaly_manewr", "doskonaly_manewr", "doskonaly_manewr"), ())
    scene = battle(3, 1, hands=hands, dice=(FURY, FIGHT, FLEE, 3))
    assert scene.options() == ["decline", "play doskonaly_manewr 2", "play doskonaly_manewr 3"]
    scene.take("play doskonaly_manewr 3", "play doskonaly_manewr 2")
    assert scene.behaviours(0) == [s.FURIOUS, s.FURIOUS, s.STANDING]
    assert scene.state.roll[0].tolist()[:3] == [1, 0, 0]


def test_odwrot():
    """CRD-4: all own warriors flee; playable as long as one of them does not."""
    scene = battle(2, 1, hands=(("odwrot",), ()), dice=(FURY, FLEE, 3))
    scene.take("play odwrot")
    assert scene.warriors(0, "c2r3") == 2
    assert scene.count("lost", 1) == 0
    scene = battle(1, 1, hands=(("odwrot",), ()), dice=(FLEE, 3))
    assert scene.state.hand[0, s.RETREAT] == 1  # not asked: its only warrior flees anyway
    assert scene.warriors(0, "c2r3") == 1


def test_poscig():
    """CRD-4: for the winner only; one enemy who fled from this combat dies where it stands."""
    hands = (("poscig", "poscig", "poscig"), ("poscig",))
    scene = battle(3, 2, hands=hands, dice=(FIGHT, FIGHT, FIGHT, FLEE, FLEE))
    assert scene.options() == ["decline", "play poscig c4r3"]
    scene.take("play poscig c4r3", "play poscig c4r3")
    assert scene.warriors(1, "c4r3") == 0
    assert scene.count("lost", 1) == 2
    assert scene.asked != "card"  # nobody is left who fled


def test_forsowny_marsz_and_zwiad_are_as_own_turn():
    """CRD-4: `forsowny_marsz` and `zwiad` are for A only; `wieszczba` is for either player."""
    scene = Campaign().hand(0).hand(1, "forsowny_marsz", "zwiad", "wieszczba").window("start")
    scene.hand(0, "zwiad").take("play zwiad")
    assert (scene.seat, scene.options()) == (1, ["decline", "play wieszczba"])


def test_zwiad():
    """CRD-4: each card allows one exchange of a terrain, asked each time until used; the first replaces MOV-3."""
    scene = Campaign().army(0, c1r3=3).hand(0, "zwiad").window("start").take("play zwiad")
    scene.terrains("bagno", "bagno", "rzeka", "rownina")
    scene.take("move c1r3 c2r3", "move c1r3 c1r2", "move c1r3 c1r4")
    scene.take("keep")  # the first of the game
    assert scene.options() == ["keep", "exchange"]
    scene.take("keep")
    assert (scene.state.scouts, scene.options()) == (1, ["keep", "exchange"])
    scene.take("exchange")
    assert scene.count("exchanged") == 1
    assert scene.seat == 1


def test_ochotnicy():
    """CRD-4: a warrior in the own gród or an own forest, with room; B too."""
    scene = Campaign().land(0, "las", "c2r3").land(1, "las", "c4r3").army(0, c1r3=4)
    scene.hand(0, "ochotnicy").hand(1, "ochotnicy").window("end")
    assert scene.options() == ["decline", "play ochotnicy c2r3"]
    scene.take("play ochotnicy c2r3")
    assert scene.warriors(0, "c2r3") == 1
    assert scene.options() == ["decline", "play ochotnicy c4r3", "play ochotnicy c5r3"]
    assert scene.count("joined") == 1


def test_sabotaz():
    """CRD-4: a building of the enemy next to an own warrior goes back to the tokens."""
    scene = Campaign().land(1, "rownina", "c2r3", "c3r3", building="zasieki")
    scene.hand(0, "sabotaz").window("end")
    assert scene.options() == ["decline", "play sabotaz c2r3"]
    scene.take("play sabotaz c2r3")
    assert scene.state.building[scene.at("c2r3")] == s.NOTHING
    assert scene.state.tokens[s.ABATIS] == 2


def test_okup():
    """CRD-4: all own prisoners return, as far as there is room."""
    scene = Campaign().army(0, c1r3=2).hand(0, "okup").window("end")
    scene.state.prisoners[1] = 3
    scene.take("play okup")
    assert (scene.warriors(0, "c1r3"), scene.state.prisoners[1]) == (4, 1)
    assert scene.count("freed") == 2
    full = Campaign().army(0, c1r3=4).hand(0, "okup", "wieszczba")
    full.state.prisoners[1] = 3
    assert full.window("end").options() == ["decline", "play wieszczba"]


def test_wieszczba():
    """CRD-4, DRW-2: draw two, discard down to 6 at once; the phase continues with the other player."""
    hand = ("wieszczba", "zwiad", "zwiad", "odwrot", "okup", "sabotaz")
    scene = Campaign().hand(0, *hand).hand(1).window("start").take("play wieszczba")
    assert len(scene.chance("draw 0")) == 2
    assert (scene.seat, scene.asked) == (0, "discard")
    scene.take(scene.options()[0])
    assert scene.state.hand_size[0] == 6
    assert scene.asked == "card"
    assert scene.count("discarded") == 1


def test_crd_6_a_card_that_draws_itself_is_set_aside():
    """CRD-6: it is in the hand, and can't be played until the turn ends."""
    scene = Campaign().hand(0, "wieszczba").hand(1).pile().window("start").take("play wieszczba")
    assert "draw 0 wieszczba" in scene.said
    assert (scene.state.hand[0, s.PROPHECY], scene.state.aside[0]) == (1, 1)
    assert scene.asked == "move"
    assert scene.stepper.observe().aside == 1
    scene.take("done")  # the phase `end` offers it no more; the next turn does
    assert (scene.state.active, scene.state.aside.tolist()) == (1, [0, 0])
    assert (scene.seat, scene.options()) == (0, ["decline", "play wieszczba"])


def test_crd_6_copies_set_aside_are_discarded_first():
    """CRD-6: the copy that was already in the hand can still be played."""
    scene = Campaign({"hand_limit": 2}).hand(0, "wieszczba", "wieszczba").hand(1)
    scene.pile("wieszczba", "wieszczba").window("start").take("play wieszczba")
    assert scene.state.hand[0, s.PROPHECY] == 2  # of three, one discarded: only one label is left
    assert scene.state.aside[0] == 1
    assert scene.options() == ["decline", "play wieszczba"]
    scene.take("play wieszczba")
    assert scene.asked == "move"


def test_crd_5_what_is_hidden():
    """CRD-5: the other's hand and the pile are a random split of unseen cards; CRD-6: none is set aside."""
    scene = Campaign().hand(0, "zwiad").hand(1, "okup", "sabotaz")
    scene.state.aside[1] = 1
    one, two = scene.stepper.copy(), scene.stepper.copy()
    one.determinize(1)
    two.determinize(2)
    for other in (one, two):
        assert other.state.hand_size.tolist() == [1, 2]
        assert other.state.aside.tolist() == [0, 0]
        assert other.state.hand[0].tolist() == scene.state.hand[0].tolist()
        unseen = other.state.hand[1] + other.state.pile
        assert unseen.tolist() == (scene.state.hand[1] + scene.state.pile).tolist()
    assert one.state.hand[1].tolist() != two.state.hand[1].tolist()
    seen = scene.stepper.observe()
    assert (seen.hand, seen.cards) == (["zwiad"], (1, 2))


@pytest.mark.parametrize(("key", "card"), [("sure_morale", "na_pewno_sie_uda 1"), ("song_morale", "piesn_bojowa")])
def test_numbers_of_the_cards(key, card):
    """Section 10: how much a card raises morale."""
    scene = battle(1, 1, hands=((card.split()[0], "odwrot"), ()), changes={key: 3}, dice=(6, 3))
    scene.take(f"play {card}")
    assert scene.behaviours(0) == [s.FIGHTING]
