"""The map of a replay: holders and units, and the page with the map."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest
from support.korona import GAME, Realm, make_rules
from support.replays import read_replay
from support.runs import play

from balance.games.korona_piastow.display.board import MAP, RADIUS, draw_map, show

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene: Realm) -> dict[str, ElementTree.Element]:
    """Return the groups of the fiefs, by name."""
    root = ElementTree.fromstring(draw_map(scene.rules, scene.seen()))
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    return {str(group.findtext(f"{SVG}title")).partition(":")[0]: group for group in groups}


def texts(group: ElementTree.Element) -> list[str]:
    return [str(text.text) for text in group.iter(f"{SVG}text")]


def test_fiefs_say_who_stands_there():
    """They show holder, units by kind, building, time units, and the owner's rim if another player holds the fief."""
    scene = Realm().units("poznan", 0, infantry=2, knight=1).building("poznan", "grod", damage=2)
    scene.units("gniezno", 1, cavalry=3).units("berlin", foreign=2).begin()
    fiefs = drawn(scene)
    assert len(fiefs) == len(scene.fiefs)
    assert texts(fiefs["Poznań"]) == ["3", "2i 1k", "G!"]
    disc = {name: group.find(f"{SVG}circle").attrib for name, group in fiefs.items()}
    assert disc["Poznań"] == {"r": str(RADIUS), "fill": "var(--s0)"}
    assert disc["Gniezno"]["fill"] == "var(--s1)"
    assert disc["Gniezno"]["stroke"] == "var(--s0)"  # in Wielkopolska, the first seat's
    assert texts(fiefs["Berlin"]) == ["2", "2f"]
    assert texts(fiefs["Gdańsk"]) == []


def test_orders_and_the_invasion_under_way_are_drawn():
    """Letters are above the fief, and an arrow points to the target once chosen."""
    scene = Realm().units("poznan", 0, infantry=2).orders("poznan invade, poznan defend")
    assert texts(drawn(scene)["Poznań"])[-1] == "ID"
    arrow = re.compile(r"<path d=\"M[^\"]*l[^\"]*\" fill=\"none\"")
    assert not arrow.search(draw_map(scene.rules, scene.seen()))
    scene.take("do poznan invade", "target santok")
    assert scene.kind == "send" and arrow.search(draw_map(scene.rules, scene.seen()))


def test_a_map_without_places_is_told_in_words():
    """A designer's own map need not give places for its fiefs."""
    scene = Realm(changes={"map": placeless()}).units("poznan", 0, infantry=2).begin()
    seen = scene.seen()
    assert draw_map(scene.rules, seen) == ""
    (panel,) = [panel for panel in show(scene.rules, seen, ["a", "b", "c", "d"]) if panel.title == MAP]
    assert "Poznań: 2 infantry" in [row[1] for row in panel.rows]


def placeless() -> dict:
    """Return the shipped map without the places of its fiefs."""
    found = make_rules().map.model_dump()
    for fief in found["fiefs"]:
        del fief["place"]
    return found


@pytest.mark.slow
def test_a_long_game_makes_a_small_page(tmp_path, cli):
    """The longest of some games with six players takes less than 1 MB, with the map in every scene."""
    run = play(tmp_path / "run", game=GAME.name, players=[6], games=12, trace=12)
    games = pq.read_table(run / "games").to_pandas().sort_values("decisions")
    page = tmp_path / "page.html"
    assert cli("replay", run, int(games["game_id"].iloc[-1]), "--html", page).exit_code == 0
    assert page.stat().st_size < 1_000_000
    (game,) = read_replay(page)["games"]
    heads = {game["pieces"][panel[0]] for panel in game["panels"]}
    (number,) = [game["pieces"].index(head) for head in heads if f"<h3>{MAP} " in head]
    maps = [i for i, panel in enumerate(game["panels"]) if panel[0] == number]
    assert len(maps) > 500
    assert all(set(scene[4]) & set(maps) for scene in game["scenes"])
    assert {len(game["panels"][i]) for i in maps} == {49 + 5}  # fiefs, and what frames them
