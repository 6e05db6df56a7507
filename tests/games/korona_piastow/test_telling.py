"""Recorded outcomes and the sentences about them agree with the position and with the game's columns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support.korona import GAME, Realm, make_rules

from balance.engine.stepper import Stepper, moves_of, walk
from balance.experiments.strategies import load_strategy, pack_strategies
from balance.games.korona_piastow.display import observe

ZERO = ("good_harvest", "new_house")  # attack 0, defence 0
NAMES = [f"{number} player (a)" for number in ("1st", "2nd", "3rd", "4th")]


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
        found = {
            name: Counter() for name in ("invasions", "won", "joined", "built", "quests", "tribute")
        }
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
            went = (
                sent.parts["infantry"]
                + sent.parts["cavalry"]
                + sent.parts["knights"]
                + sent.parts["allies"]
            )
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


def test_scores_and_holders_are_looked_up():
    """An observation has the kernel's scores and holders in every position (MAP-4, END-2)."""
    stepper, moves = game_of(3, 2)
    seen = [observe(stepper.rules, move.after, 0) for move in moves[-60:]]
    assert [ruler.score for ruler in seen[-1].seats] == stepper.result()[1]["score"].tolist()
    for each in seen:
        held = Counter(fief.holder for fief in each.fiefs)
        assert sum(held.values()) == len(each.fiefs)
