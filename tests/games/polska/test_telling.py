"""The replay's sentences about dice, moves, cities and history in Polska."""

import pytest
from support.polska import Journey

from balance.games.polska.display import show
from balance.games.polska.display.names import place, written

NAMES = ["1st player (a)", "2nd player (b)"]


@pytest.mark.parametrize(
    ("position", "card", "sentences"),
    [
        (
            1410,
            "grey 1410",
            ["1st player (a) plays the grey card of 1410", "1st player: 2 steps, to Hołd pruski (1525)"],
        ),
        (
            966,
            "eagle",
            ["1st player (a) plays the white eagle", "1st player: 3 steps, to Testament Krzywoustego (1138)"],
        ),
    ],
)
def test_a_card_and_the_history_it_leads_to(position, card, sentences):
    """Section 4: the steps that the card gave, and the field with its year and letters."""
    scene = Journey(2).dice(2).at(0, position).hand(0, card).take("die 2")
    found = scene.tell(f"play {card}", NAMES)
    assert [each.text for each in found] == sentences
    assert [each.about for each in found] == ["Players", "Track of history"]


def test_the_last_field_is_a_victory():
    """END-1: victory is a separate outcome."""
    scene = Journey(2).dice(2).at(0, 2004).hand(0, "eagle").take("die 2")
    _, steps, end = scene.tell("play eagle", NAMES)
    assert steps.text == "1st player: 1 step, to Wizja miasta przyszłości"
    assert end.text == "1st player reaches Wizja miasta przyszłości first"
    assert end.outcome


def test_a_marker_and_its_cards():
    """MOV-5: the marker and cards that the pawn takes; the map shows each position."""
    scene = Journey(2).dice(2).markers("poznan", "krakow").take("die 2")
    found = scene.tell("move poznan", NAMES)
    assert [each.text for each in found[:2]] == [
        "1st player (a) moves to Poznań",
        "1st player takes the marker: 3 cards",
    ]
    there = ["poznan" in each.observation.markers for each in found[:2]]
    assert there == [True, False]
    panels = {panel.title: panel for panel in show(scene.rules, found[0].observation, NAMES)}
    assert "Kraków" in panels["Map"].svg
    track = panels["Track of history"].svg
    assert track.count("<circle") == len(scene.rules.track.fields) + len(panels["Players"].rows)


def test_a_stop_card_ends_the_turn():
    """TRN-3: the seat and nothing more."""
    scene = Journey(2).dice(2, 3)
    scene.state.stops[0] = 1
    assert scene.outcomes("die 2") == [("stopped", {"player": 0})]


def test_the_turn_limit_is_a_draw():
    """END-2: no player has won."""
    scene = Journey(2, {"turn_limit": 10}).dice(2)
    scene.state.turns = 9
    scene.state.hand_size[:] = 0
    scene.take("die 2")
    assert scene.outcomes("nothing") == [("end", {"player": -1, "reason": 1})]


def test_names_as_they_are_written():
    """Names of the shipped map and track have their letters; a user's own names do not change."""
    assert place("lodz-warszawa-1") == "step 1 from Łódź to Warszawa"
    assert written("hold_pruski") == "Hołd pruski"
    assert written("my_own_town") == "My own town"
