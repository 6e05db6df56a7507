"""The replay's sentences about dice, moves, cities and history in Polska."""

from __future__ import annotations

import pytest
from support.polska import Journey

from balance.contract.records import blank
from balance.contract.view import Move
from balance.games.polska.display import show, tell
from balance.games.polska.display.labels import place, written

NAMES = ["1st player (a)", "2nd player (b)"]


def told(scene: Journey, label: str):
    """Return the replay's sentences about a label taken in a scene."""
    before = blank(1, scene.state.dtype)
    before[0] = scene.state
    seat = int(scene.state.seat)
    scene.take(label)
    return tell(scene.rules, Move(label, seat, before[0], scene.state, seat, NAMES))


@pytest.mark.parametrize(
    ("position", "card", "sentence"),
    [
        (
            1410,
            "grey 1410",
            "1st player (a) plays the grey card of 1410: 2 steps, to Hołd pruski (1525)",
        ),
        (
            966,
            "eagle",
            "1st player (a) plays the white eagle: 3 steps, to Testament Krzywoustego (1138)",
        ),
    ],
)
def test_a_card_and_the_history_it_leads_to(position, card, sentence):
    """Section 4: the steps that the card gave, and the field with its year and letters."""
    scene = Journey(2).dice(2).at(0, position).hand(0, card).take("die 2")
    found = told(scene, f"play {card}")
    assert found[0].text == sentence
    assert found[0].about == "Players"


def test_the_last_field_is_a_victory():
    """END-1: victory is a separate outcome."""
    scene = Journey(2).dice(2).at(0, 2004).hand(0, "eagle").take("die 2")
    found = told(scene, "play eagle")
    assert found[0].text.endswith(": 1 step, to Wizja miasta przyszłości")
    assert found[1].text == "1st player reaches Wizja miasta przyszłości first"
    assert found[1].outcome


def test_a_marker_and_its_cards():
    """MOV-5: the marker and cards that the pawn takes."""
    scene = Journey(2).dice(2).markers("poznan", "krakow").take("die 2")
    found = told(scene, "move poznan")
    assert found[0].text == "1st player (a) moves to Poznań and takes the marker: 3 cards"
    panels = {panel.title: panel for panel in show(scene.rules, found[0].observation, NAMES)}
    assert "Kraków" in panels["Map"].svg


def test_names_as_they_are_written():
    """Names of the shipped map and track have their letters; a user's own names do not change."""
    assert place("lodz-warszawa-1") == "step 1 from Łódź to Warszawa"
    assert written("hold_pruski") == "Hołd pruski"
    assert written("my_own_town") == "My own town"
