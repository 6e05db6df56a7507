"""Features for networks: positions set up by hand, with values worked out on paper."""

import pytest
from support.polska import GAME, Journey

from balance.testing.cases import describe

NAMES = GAME.network_features


def described(scene: Journey) -> tuple[str, dict[str, float], dict[str, dict[str, float]]]:
    """Return the head, the features of the position by name, and those of each action by label and name."""
    options = scene.options()
    head, context, rows = describe(scene.stepper)
    actions = {
        label: dict(zip(NAMES.action, row.tolist(), strict=True)) for label, row in zip(options, rows, strict=True)
    }
    position = dict(zip(NAMES.context, context.tolist(), strict=True))
    return NAMES.heads[head], position, actions


def check(found: dict[str, float], **expected: float) -> None:
    """Compare some features by name."""
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_dice():
    """The marker is 5 steps from seat 0 and 7 from seat 1, whom only the 1 brings there."""
    scene = Journey(players=2).markers("szczecin").pawn(1, "torun").hand(0).dice(1, 3, 6)
    head, position, actions = described(scene)
    assert head == "die"
    check(position, own_marker=5 / 12, own_near=1 / 6, own_reach=2 / 3, own_own_markers=1 / 4)
    check(position, next_marker=7 / 12, next_reach=1 / 3, next_own_markers=0, second_marker=0)
    check(position, dice_1=1 / 2, dice_2=0, dice_left=3 / 7, rolls_before=0, dice_next=1 / 7)
    check(actions["die 1"], one=1, steps=10 / 6, marker=1, choices=1 / 4, kept=1, unused=5 / 6)
    check(actions["die 1"], left_best=1, left_second=1 / 2, next_reaches=0, next_misses=1)
    check(actions["die 3"], marker=0, distance=2 / 12, nearer=3 / 6, next_reaches=1, next_misses=0)
    check(actions["die 6"], marker=1, unused=1 / 6, left_best=10 / 6, last_of_side=1)


def test_cards_in_their_best_order():
    """The eagle carries the marker to the date of the grey card, and past that of the blue one: 3 + 2 + 2 steps."""
    scene = Journey(players=2).markers("zamosc").hand(0, "grey 1241", "eagle", "blue 1079")
    head, position, actions = described(scene.at(0, 1000).dice(2, 2).take("die 2"))
    assert head == "act"
    check(position, own_track=1 / 30, own_lead=1 / 12, own_left=1, own_hand=3 / 5)
    check(position, has_grey=1 / 2, has_eagle=1 / 2, has_stop=0, match_0=0, match_3=1, blue_past=0)
    check(position, best_card=1, best_run=7 / 8, next_run=7 / 8, potential=7 / 10, run_wins=0)
    check(actions["play eagle"], is_eagle=1, gain=1, run=7 / 8, run_lost=0, matches=1, balance=0)
    check(actions["play eagle"], next_run=4 / 8, hand_after=2 / 5, lead_after=4 / 12, cards_left=2 / 3)
    check(actions["play grey 1241"], gain=1 / 3, forgone=1 / 2, exact=0, waits=3 / 12)
    check(actions["play grey 1241"], run=6 / 8, run_lost=1 / 3, balance=-1 / 4, matches=0)
    check(actions["nothing"], nothing=1, run_lost=7 / 3, marker=0, hand_after=3 / 5)
    scene.take("play eagle")
    head, position, actions = described(scene)
    assert head == "more"
    check(position, best_run=4 / 8, played=1 / 3, match_0=1, blue_past=1 / 2)
    check(actions["play grey 1241"], exact=1, gain=2 / 3, forgone=0, run=4 / 8, cards_left=1 / 3)


def test_arrivals():
    """A marker of three cards with space for one, or for two after the train has left the hand."""
    scene = Journey(players=2).markers("poznan", "wroclaw").pawn(1, "lodz")
    scene.hand(0, "city poznan", "stop", "train", "coach").dice(2, 2).take("die 2")
    head, position, actions = described(scene)
    assert head == "collect"
    check(position, cards_now=1, cards_of_set=1, markers_left=2 / 7, city=1 / 3, in_city=0, next_run=0)
    check(actions["move poznan"], move=1, marker=1, cards=1, kept=1 / 3, overflow=2 / 3, hand_after=1)
    check(actions["move poznan"], city=1, city_marker=1, to_city=1, next_run=3 / 8, renews=0)
    check(actions["move poznan"], distance=3 / 12, near=1 / 4, nearer=-1 / 6, second=1, taken_from=0)
    check(actions["play train wroclaw"], is_train=1, kept=2 / 3, overflow=1 / 3, hand_after=1)
    check(actions["play train wroclaw"], taken_from=1 / 3, taken_from_next=1, city=0, to_city=1 / 4)
    check(actions["play coach"], is_coach=1, marker=1, kept=2 / 3, city_marker=1, steps=4 / 6)
    check(actions["move gniezno-poznan-1"], marker=0, kept=0, distance=1 / 12, nearer=1 / 6)


def test_stops():
    """Two steps from the end, a seat with two cards can win; a seat that is stopped has a head of its own."""
    scene = Journey(players=3).markers("zamosc").hand(0, "stop", "eagle").hand(1, "eagle", "coach")
    head, position, actions = described(scene.hand(2).at(1, 1980).dice(2, 2, 2, 2).take("die 2"))
    check(position, next_left=2 / 12, next_can_win=1, next_may_win=1, second_can_win=0, third_left=0)
    check(actions["play stop 1"], is_stop=1, rival_first=1, rival_can_win=1, rival_order=1 / 3)
    check(actions["play stop 1"], rival_lead=1, rival_close=1 / 1.4, rival_hand=2 / 5, run=3 / 8)
    check(actions["play stop 2"], rival_first=0, rival_can_win=0, rival_order=2 / 3, rival_lead=0)
    scene.take("play stop 1", "nothing")
    head, position, _ = described(scene)
    assert head == "stopped"
    check(position, own_stops=1 / 2)


def test_a_hand_over_the_limit():
    """The steps that the hand loses with each card."""
    scene = Journey(players=2).markers("poznan", "zamosc")
    scene.hand(0, "grey 1000", "blue 1079", "stop", "eagle", "city krakow").dice(2, 2)
    scene.take("die 2", "move poznan")
    scene.hand(0, "grey 1000", "blue 1079", "stop", "eagle", "city krakow", "train")
    head, _, actions = described(scene)
    assert head == "discard"
    check(actions["discard grey 1000"], is_grey=1, gain=1 / 3, forgone=1 / 2, waits=1 / 12, balance=-2 / 4)
    check(actions["discard eagle"], gain=1, forgone=0, balance=-3 / 4, next_run=3 / 8)
    check(actions["discard stop"], is_stop=1, gain=0, balance=0, same_kind=0)
