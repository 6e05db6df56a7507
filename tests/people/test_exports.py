"""Exports of BG Stats and BoardGameGeek: what they note in other words than balance, and what they leave open."""

import json
from itertools import count

import pytest
from support.errors import refused

from balance.contract.game import get_game
from balance.people.reading import Meaning, read_playtests

GAME = get_game("na-grunwald")
NUMBERS = count()


def seat(person, score="", **keys):
    return {"playerRefId": person, "score": score, "winner": False, "startPlayer": False, "rank": 0} | {
        "seatOrder": 0, "newPlayer": False, **keys,
    }  # fmt: skip


def play(*seats, **keys):
    first = {"uuid": str(next(NUMBERS)), "playDate": "2026-11-07 19:30:00", "durationMin": 0, "rounds": 0}
    return first | {"gameRefId": 1, "ignored": False, "usesTeams": False, "playerScores": list(seats), **keys}


def bg_stats(tmp_path, *plays, meaning=None, **game):
    names = {1: "Anna", 2: "Jan", 3: "Ola"}
    people = [{"id": at, "name": name, "isAnonymous": at == 3} for at, name in names.items()]
    games = [{"id": 1, "name": "Na Grunwald!", "highestWins": True, **game}, {"id": 2, "name": "Catan"}]
    data = {"about": "BG Stats", "players": people, "games": games, "plays": plays, "userInfo": {}}
    path = tmp_path / "BGStatsExport.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return read_playtests(path, GAME, meaning)


def names(game):
    return [each.player for each in game.seats]


def test_bg_stats_is_read(tmp_path):
    """The start player begins, the others follow around the table; a winner breaks a tie; 0 is not noted."""
    one = play(
        seat(1, "30", seatOrder=3),
        seat(2, "30", seatOrder=1, winner=True),
        seat(3, "12", seatOrder=2, startPlayer=True),
        durationMin=95,
        rounds=8,
    )
    two = play(seat(1, "41"), seat(2, 38, startPlayer=True))
    (first, second), notes = bg_stats(tmp_path, one, two, play(seat(1, "3"), gameRefId=2))
    assert names(first) == ["", "Anna", "Jan"] and [each.rank for each in first.seats] == [3, 2, 1]
    assert (first.minutes, first.rounds, str(first.date)) == (95, 8, "2026-11-07")
    assert names(second) == ["Jan", "Anna"] and (second.minutes, second.rounds) == (None, None)
    assert notes == ["left out: 1 game of another title"]


def test_bg_stats_leaves_out_and_counts(tmp_path):
    kept = play(seat(1, "9", rank=1), seat(2, "8", rank=2), uuid="a")
    (game,), notes = bg_stats(tmp_path, kept, kept, play(seat(1), seat(2), ignored=True))
    assert [each.rank for each in game.seats] == [1, 2]
    assert "left out: 1 play that the file has twice" in notes
    assert "left out: 1 unfinished game" in notes
    assert "1 game has no order of seats: the order in the file counts as the turn order" in notes


@pytest.mark.parametrize(
    ("seats", "keys", "says"),
    [
        ([seat(1, "9"), seat(2, "8")], {"usesTeams": True}, "play 1 (2026-11-07): teams played"),
        ([seat(1, "9", team="A"), seat(2, "8")], {}, "teams played"),
        ([seat(1, "9", seatOrder=1), seat(2, "8", seatOrder=1)], {}, "two players have one seat"),
        ([seat(1, "9", startPlayer=True), seat(2, "8", startPlayer=True)], {}, "it has two start players"),
        ([seat(1, "9"), seat(2, "12", rank=0), seat(7, "8")], {}, "a game or a player that the file lacks"),
        ([seat(1, "9", rank=2), seat(2, "8", rank=1)], {}, "ranks 2, 1 (1 is the winner) contradict"),
        ([seat(1, "9", rank=2), seat(2, "9", rank=1)], {"playerScores": 3}, "plays.0.playerScores: must be a list"),
    ],
)
def test_bg_stats_that_cannot_be_compared_is_refused(tmp_path, seats, keys, says):
    with refused(says):
        bg_stats(tmp_path, play(*seats, **keys))


def test_a_game_with_the_lowest_score_is_refused(tmp_path):
    with refused("the file says that the lowest score wins"):
        bg_stats(tmp_path, play(seat(1, "9"), seat(2, "8")), highestWins=False)


def test_the_title_chooses_the_game(tmp_path):
    other = play(seat(1, "9"), seat(2, "8"), gameRefId=2)
    mine = play(seat(1, "5"), seat(2, "3"), gameRefId=1)
    with refused("which game? It has Prototype, Catan; name one with --title"):
        bg_stats(tmp_path, mine, other, name="Prototype")
    (game,), _ = bg_stats(tmp_path, mine, other, name="Prototype", meaning=Meaning(title="prototype"))
    assert [each.score for each in game.seats] == [5, 3]
    _, notes = bg_stats(tmp_path, mine, name="Prototype")
    assert "the file calls the game 'Prototype'" in notes


PLAYS = """<?xml version="1.0" encoding="utf-8"?>
<plays username="anna" userid="1" total="{total}" page="1">
 <play id="7" date="2026-11-07" quantity="1" length="0" incomplete="0" nowinstats="0" location="">
  <item name="Na Grunwald!" objecttype="thing" objectid="1"><subtypes><subtype value="boardgame"/></subtypes></item>
  <players>
   <player username="anna" userid="1" name="Anna" startposition="2" color="red" score="30" new="0" rating="0" win="0"/>
   <player username="jan" userid="2" name="" startposition="1" color="" score="30" new="0" rating="0" win="1"/>
  </players>
 </play>
 <play id="8" date="0000-00-00" quantity="1" length="60" incomplete="1" nowinstats="0" location="">
  <item name="Na Grunwald!" objecttype="thing" objectid="1"/>
  <players><player username="" userid="0" name="Anna" startposition="" score="" win="0"/></players>
 </play>
 <play id="9" date="2026-11-08" quantity="3" length="60" incomplete="0" nowinstats="0" location="">
  <item name="Na Grunwald!" objecttype="thing" objectid="1"/>
 </play>
</plays>
"""


def boardgamegeek(tmp_path, text):
    path = tmp_path / "plays.xml"
    path.write_text(text, encoding="utf-8")
    return read_playtests(path, GAME)


def test_boardgamegeek_is_read(tmp_path):
    (game,), notes = boardgamegeek(tmp_path, PLAYS.format(total=143))
    assert names(game) == ["jan", "Anna"] and [each.rank for each in game.seats] == [1, 2]
    assert str(game.date) == "2026-11-07" and game.minutes is None
    assert notes == [
        "the file has 3 of 143 plays; read the other pages too",
        "left out: 1 unfinished game",
        "left out: 1 game without players",
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('quantity="1" length="0"', 'quantity="2" length="0"', "play 7 (2026-11-07): quantity 2: give each game"),
        ('score="30" new="0" rating="0" win="1"', 'score="29" new="0" rating="0" win="1"', "contradict scores 29, 30"),
        ('startposition="2"', 'startposition="1"', "seats 1, 1: give each of 1 to 2 once"),
        ("<plays", "<!DOCTYPE plays [<!ENTITY x 'y'>]><plays", "remove the document type"),
        ("</plays>", "", "plays.xml: not XML"),
        ("plays", "items", "expected <plays>, not <items>"),
    ],
)
def test_boardgamegeek_that_cannot_be_compared_is_refused(tmp_path, old, new, says):
    with refused(says):
        boardgamegeek(tmp_path, PLAYS.format(total=3).replace(old, new))
