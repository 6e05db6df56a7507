"""The map of a replay, recorded outcomes, and the sentences about them."""

import re
from collections import Counter
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.korona import GAME, Realm, make_rules
from support.replays import read_replay
from support.runs import play, read_rows

from balance.engine.stepper import Stepper, moves_of, walk
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.games.korona_piastow.display.board import MAP, RADIUS, SIGNS, draw_map, show

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


def test_the_key_explains_what_the_map_draws():
    """Each sign is a drawing; discs, letters and the arrow of a position stand in the key."""
    signs = [(ElementTree.fromstring(drawing), meaning) for drawing, meaning in SIGNS]
    assert all(meaning and len(root) for root, meaning in signs)
    meanings = " ".join(meaning for _, meaning in signs)
    for sign in ("c cavalry", "K cathedral", "V diversion", "? face down", "foreign", "siege", "invasion"):
        assert sign in meanings
    assert [root.find("path") is not None for root, _ in signs].count(True) == 1


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


@pytest.mark.long
def test_a_long_game_makes_a_small_page(tmp_path, cli):
    """The longest of some games with six players takes less than 1 MB, with the map in every scene."""
    run = play(tmp_path / "run", game=GAME.name, players=[6], games=12, trace=12)
    games = read_rows(run, "games").sort_values("decisions")
    page = tmp_path / "page.html"
    cli("replay", run, int(games["game_id"].iloc[-1]), "--html", page, status=0)
    assert page.stat().st_size < 1_000_000
    (game,) = read_replay(page)["games"]
    heads = {game["pieces"][panel[0]] for panel in game["panels"]}
    (number,) = [game["pieces"].index(head) for head in heads if f"<h3>{MAP}<" in head]
    maps = [i for i, panel in enumerate(game["panels"]) if panel[0] == number]
    assert len(maps) > 500
    assert all(set(scene[4]) & set(maps) for scene in game["scenes"])
    assert {len(game["panels"][i]) for i in maps} == {49 + 5}  # fiefs, and what frames them


ZERO = ("good_harvest", "new_house")  # attack 0, defence 0
NAMES = [f"{number} player (a)" for number in ("1st", "2nd", "3rd", "4th")]


@cache
def game_of(players: int, seed: int):
    """Return a game of conquerors that sometimes err, with its rows."""
    strategy = load_strategy(GAME, "conqueror", Path())
    weights = pack_strategies(GAME, [strategy], players)[1][0]
    stepper = Stepper.deal(GAME, make_rules(), players, seed)
    rng = np.random.default_rng(seed)

    def choose(_, options):
        if rng.random() < 0.2:
            return int(rng.integers(len(options)))
        return int(np.argmax(stepper.evaluate(weights)))

    names = [f"player {seat}" for seat in range(players)]
    return stepper, [move for _, move in moves_of(stepper, walk(stepper, choose), names)]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_outcomes_add_up_to_the_columns_of_the_seats(players):
    """Battles, districts, buildings, quests and tribute are as many as each seat's columns count."""
    for seed in range(3):
        stepper, moves = game_of(players, seed)
        names = ("invasions", "won", "joined", "built", "quests", "tribute")
        found = {name: Counter() for name in names}
        for move in moves:
            seat, parts = move.parts.get("player", -1), move.parts
            found["invasions"][seat] += move.outcome == "battle"
            found["won"][seat] += move.outcome == "fought" and parts["conquered"]
            found["joined"][seat] += move.outcome == "owner"
            found["built"][seat] += move.outcome == "built"
            found["quests"][seat] += move.outcome == "quest"
            found["tribute"][seat] += parts["denars"] if move.outcome == "tribute" else 0
        game, rows = stepper.result()
        for name, counts in found.items():
            assert rows[name].tolist() == [counts[seat] for seat in range(players)], name
        assert moves[-1].outcome == "end"
        assert moves[-1].parts["reason"] == game.end


def test_losses_are_the_units_that_are_gone():
    """CMB-3, CMB-6: what both sides lose in a battle is what the map then lacks."""
    seen = Counter()
    for seed in range(4):
        _, moves = game_of(4, seed)
        sent = None
        for move in moves:
            if move.kind == "send":
                sent = move
            if move.outcome != "fought" or move.parts["player"] < 0:
                continue
            parts, target = move.parts, move.parts["place"]
            went = sum(sent.parts[name] for name in ("infantry", "cavalry", "knights", "allies"))
            stood = int(sent.before.units[target].sum())
            after = int(move.after.units[target].sum())
            if parts["conquered"]:
                assert (went - parts["lost"], parts["killed"]) == (after, stood)
            else:
                assert stood - parts["killed"] == after
                back = int(move.after.units[int(sent.before.fief), :3].sum())
                assert back >= went - parts["lost"] - sent.parts["allies"]
            assert parts["conquered"] == (parts["attack"] > parts["defence"])
            seen[parts["conquered"]] += 1
    assert min(seen[0], seen[1]) > 5


def test_owners_and_rulers_are_those_of_the_position():
    """JOI-2, END-1: an outcome names the owner that the position then has, and the ruler that is out."""
    seen = Counter()
    for seed in range(6):
        _, moves = game_of(3, seed)
        for move in moves:
            if move.outcome == "owner":
                district = move.parts["district"]
                assert move.before.owner[district] == move.parts["former"]
                assert move.after.owner[district] == move.parts["player"]
            if move.outcome == "out":
                seat = move.parts["player"]
                assert (move.before.out_round[seat], move.after.out_round[seat] > 0) == (0, True)
            seen[move.outcome] += 1
    assert seen["owner"] > 3
    assert seen["out"] > 0


def test_an_invasion_in_words():
    """The battle has both sums, the walls and the losses."""
    scene = Realm().units("gniezno", 0, infantry=6).units("poznan", 0, infantry=1)
    scene.units("kruszwica", 3, infantry=1).building("kruszwica", "grod").building("poznan", "grod")
    scene.orders("gniezno invade", "", "", "").stack(*ZERO)
    scene.take("do gniezno invade", "target kruszwica claim")
    texts = [told.text for told in scene.tell("send 6:0:0:0:0", NAMES)]
    assert texts[0] == "1st player (a) sends 6 infantry"
    assert texts[1] == "Attack on Kruszwica: 8 against 14, 10 of it by the gród"
    assert texts[4].startswith("Kruszwica is held, 8 against 14; the attacker loses")


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("good_harvest", "The knight does not come back"),
        ("silver", "The quest finds nothing"),
        ("settlers", "The quest finds 6 denars"),
        ("mayor_albert", "The quest finds a magnate"),
        ("interdict", "The quest finds a relic"),
    ],
)
def test_quests_in_words(card, text):
    """QST-1: the sentence says what is found."""
    scene = Realm().units("gniezno", 0, knight=1).stack(card).orders("gniezno quest")
    told = scene.tell("do gniezno quest", NAMES)
    assert told[0].text == "1st player (a) turns up quest in Gniezno"
    assert told[2].text == text
