"""The plain oracle alone: conditions of every game, and single rules worked out by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.oracles.korona_piastow import carrying, events, giving, joining, one_round, war
from support.oracles.korona_piastow.board import FOREIGN, Staying
from support.oracles.korona_piastow.building import pass_everywhere
from support.oracles.korona_piastow.game import Game
from support.oracles.korona_piastow.page import base_deck, base_rules
from support.oracles.korona_piastow.walking import check, walk


def scene(*lines: str, **changes: Any) -> Game:
    """Return rulers in their districts, no units, and a stack of cards that add nothing to fate."""
    game = Game({**base_rules(), **changes}, len(lines))
    for seat, line in enumerate(lines):
        game.rulers[seat].line = game.rulers[seat].stands = line
        game.districts[line].owner = seat
    for card in game.cards.values():
        card["attack"] = card["defence"] = 0
    return game


def stand(game: Game, fief: str, seat: int, **units: int) -> None:
    for kind, count in units.items():
        game.fiefs[fief].put(seat, kind, count)


def run(asking: Any, *labels: str) -> list[str]:
    """Answer decisions with these labels and chance with its first; return all labels taken."""
    waiting, taken = iter(labels), []
    try:
        question = next(asking)
        while True:
            taken.append(next(waiting, "nothing") if question.seat >= 0 else question.labels[0])
            question = asking.send(taken[-1])
    except StopIteration:
        assert next(waiting, None) is None, "not all labels were taken"
        return taken


def units(game: Game, fief: str) -> dict[str, int]:
    return {kind: count for kind, count in game.fiefs[fief].units.items() if count}


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_nothing_is_lost_or_doubled(players):
    """Magnates, cards and units are conserved; JOI-1 holds before every decision."""
    told: Counter[str] = Counter()
    for seed in range(6):
        game, rows = walk(base_rules(), players, seed, check)
        assert game.round <= 12
        for row in rows:
            told.update({name: row[name] for name in ("invasions", "built", "quests", "orders_given")})
    assert len(told) == 4 and min(told.values()) > 0


def test_numbers_of_the_base_deck():
    """Attack and defence numbers: each of 0 to 5 four times; sums 0 to 10, mean 5."""
    for what in ("attack", "defence"):
        assert Counter(card[what] for card in base_deck()) == dict.fromkeys(range(6), 4)
    sums = [card["attack"] + card["defence"] for card in base_deck()]
    assert (min(sums), max(sums), sum(sums) / 24) == (0, 10, 5)


def test_tribute():
    """TRB-2: 4, 2 for each of 3 fiefs less a knight, the ruler's money trait, a cloth hall."""
    game = scene("mazowsze", "zakon")
    stand(game, "plock", 0, knight=1)
    game.fiefs["plock"].building = "clothhall"
    giving.tribute(game)
    assert [ruler.told["tribute"] for ruler in game.rulers] == [4 + 4 + 1 + 1, 4 + 6 + 1]


def test_an_invasion_won():
    """CMB-1, CMB-3: 6 + 2 + 0 against 4; a quarter of the 2 infantry's defence falls on the attacker."""
    game = scene("mazowsze", "zakon")
    stand(game, "plock", 0, infantry=3, knight=1)
    labels = ["target leczyca", "send 2:0:1:0:0", "devastate"]
    run(war.invade(game, 0, game.fiefs["plock"]), *labels)
    assert units(game, "leczyca") == {"infantry": 1, "knight": 1}
    assert units(game, "plock") == {"infantry": 1}
    assert game.fiefs["leczyca"].devastated and game.rulers[0].denars == 10


def test_an_invasion_repelled():
    """CMB-6: half of those sent, rounded up; the defender loses a quarter of the attack, rounded down."""
    game = scene("mazowsze", "kujawy")
    stand(game, "ciechanow", 0, infantry=5, engine=1)
    stand(game, "rypin", 1, knight=2, infantry=1, foreign=1)
    game.tokens[1, "rypin", "defend"] = 2
    with pytest.raises(AssertionError, match="illegal"):  # no building counts there
        run(war.invade(game, 0, game.fiefs["ciechanow"]), "target rypin claim", "send 5:0:0:1:0")
    game = scene("mazowsze", "kujawy")
    stand(game, "ciechanow", 0, infantry=5)
    stand(game, "rypin", 1, knight=2, infantry=1, foreign=1)
    game.tokens[1, "rypin", "defend"] = 2
    run(war.invade(game, 0, game.fiefs["ciechanow"]), "target rypin claim", "send 5:0:0:0:0")
    assert units(game, "ciechanow") == {"infantry": 2}
    assert units(game, "rypin") == {"knight": 2, "foreign": 1}
    assert game.fiefs["rypin"].defended == 2 and not game.tokens
    assert game.rulers[0].denars == 4 and game.rulers[0].told["repelled"] == 1


def test_engines_and_sieges():
    """CMB-1, CMB-2, CMB-7: two engines make a gród even; besieged since an earlier round it counts 0."""
    game = scene("mazowsze", "kujawy")
    stand(game, "ciechanow", 0, infantry=3, engine=3)
    stand(game, "rypin", 1, infantry=1)
    game.districts["dobrzyn"].owner = 1
    game.fiefs["rypin"].building = "grod"
    game.fiefs["plock"].building = "castle"
    game.invaded[1, 0] = 1
    labels = ["target rypin", "send 3:0:0:3:0", "occupy"]  # 3 + 10 + 2 against 2 + 10
    run(war.invade(game, 0, game.fiefs["ciechanow"]), *labels)
    assert units(game, "rypin") == {"infantry": 3} and units(game, "ciechanow") == {}
    game.fiefs["lipno"].building = "grod"
    run(carrying.siege(game, 0, game.fiefs["rypin"]), "siege lipno")
    assert game.building_defence(game.fiefs["lipno"], 0) == 10
    game.round = 2
    assert game.building_defence(game.fiefs["lipno"], 0) == 0
    assert game.building_defence(game.fiefs["lipno"], FOREIGN) == 10
    game.fiefs["rypin"].clear()
    run(joining.settle(game))
    assert game.fiefs["lipno"].siege is None


def test_revenge():
    """REV-1: a repelled invasion is answered with attack +2, and that one has no answer."""
    game = scene("mazowsze", "kujawy")
    game.districts["dobrzyn"].owner = 1
    game.fiefs["kruszwica"].building = "castle"
    stand(game, "ciechanow", 0, infantry=3)
    stand(game, "rypin", 1, infantry=4)
    game.tokens[1, "rypin", "revenge"] = 1
    labels = ["target rypin claim", "send 1:0:0:0:0", "target ciechanow", "send 4:0:0:0:0"]
    run(war.invade(game, 0, game.fiefs["ciechanow"]), *labels)  # 4 + 2 against 2 + 2 + 2
    assert units(game, "ciechanow") == {"infantry": 1} and units(game, "rypin") == {"infantry": 2}
    assert [r.told["invasions"] for r in game.rulers] == [1, 1]
    assert game.rulers[1].told["claims"] == 0, "an invasion is a cause"


def test_moves_over_the_limit_are_taken_back():
    """REG-2: moves beyond the limit are undone."""
    game = scene("mazowsze", "kujawy")
    stand(game, "plock", 0, infantry=6)
    stand(game, "czersk", 0, cavalry=3, foreign=1)
    asking = carrying.regroup(game, 0, game.fiefs["plock"])
    run(asking, "move czersk plock cavalry", "move czersk plock cavalry", "move plock czersk infantry")
    assert units(game, "plock") == {"infantry": 6}
    assert units(game, "czersk") == {"cavalry": 3, "foreign": 1}
    asking = carrying.regroup(game, 0, game.fiefs["plock"])
    run(asking, "move plock czersk infantry", "move czersk plock foreign", "done")
    assert units(game, "plock") == {"infantry": 5, "foreign": 1}


def test_a_district_joins_and_a_ruler_is_out():
    """JOI-2, END-1, TRT-3: the last fief of a capital district is taken."""
    game = scene("mazowsze", "kujawy", "zakon")
    game.districts["dobrzyn"].owner = 1
    game.districts["dobrzyn"].magnate = "time"
    game.bag["time"] -= 1
    game.staying.append(Staying("marriage", "peace", (1, 2), 2))
    game.stack.remove("marriage")
    for name in ("kruszwica", "inowroclaw", "brzesc", "lipno", "rypin"):
        stand(game, name, 0, infantry=1)
    taken = run(joining.settle(game))
    assert taken == ["magnate 0 attack"], "Dobrzyń still has a fief of nobody's"
    assert game.rulers[1].out_round == 1 and game.rulers[1].denars == 0
    assert game.districts["kujawy"].owner == 0 and game.districts["dobrzyn"].owner == -1
    assert game.bag == {"attack": 5, "defence": 6, "money": 6, "time": 6}
    assert game.discards == ["marriage"] and not game.staying
    assert game.score(0) == 6 and game.seats() == [0, 2]


def test_buildings_take_time():
    """BLD-3, BLD-4, BLD-5: a castle for a gród; nothing passes where it is besieged."""
    game = scene("mazowsze", "kujawy")
    fief = game.fiefs["plock"]
    fief.building, fief.damage = "grod", 3
    game.rulers[0].denars = 12
    run(carrying.build(game, 0, fief), "build castle")
    assert (fief.time, game.rulers[0].denars) == (5, 0)
    run(carrying.build(game, 0, fief), "hasten")
    fief.siege = (1, 1)
    pass_everywhere(game, 1)
    assert fief.time == 3 and fief.damage == 3
    fief.siege = None
    for _ in range(3):
        pass_everywhere(game, 1)
    assert (fief.building, fief.damage, game.rulers[0].told["built"]) == ("castle", 0, 1)


def test_a_spy_meets_a_diversion():
    """SPY-1, DIV-1: a spy meets a diversion."""
    game = scene("mazowsze", "kujawy")
    game.fiefs["plock"].building = "clothhall"
    game.tokens[1, "brzesc", "diversion"] = 1
    game.tokens[1, "brzesc", "muster"] = 1
    run(giving.spy(game), "spy brzesc", "damage plock")
    assert game.rulers[0].denars == 6 and game.fiefs["plock"].damage == 1
    assert list(game.tokens) == [(1, "brzesc", "muster")]


def test_causes_for_war():
    """CSB-1, CSB-2: all causes for war."""
    game = scene("mazowsze", "kujawy", "zakon")
    brzesc, torun = game.fiefs["brzesc"], game.fiefs["torun"]
    game.staying = [Staying("marriage", "peace", (0, 1), 2)]
    assert war.cause(game, 0, brzesc) == war.cause(game, 1, game.fiefs["plock"]) == ""
    game.staying = []
    assert war.cause(game, 0, brzesc) == war.cause(game, 0, torun) == "claim"
    assert war.cause(game, 2, brzesc) == war.cause(game, 2, game.fiefs["grodno"]) == "free"
    assert war.cause(game, 0, game.fiefs["grodno"]) == "claim"
    game.staying = [Staying("interdict", "interdict", (1,), 2)]
    assert war.cause(game, 0, brzesc) == "free"
    game.staying = []
    stand(game, "gdansk", 2, knight=1)
    assert war.cause(game, 0, torun) == "free"
    game.invaded[1, 0] = 3
    game.round = 4
    assert war.cause(game, 0, brzesc) == "free"
    game.round = 5
    assert war.cause(game, 0, brzesc) == "claim"


def test_a_protected_diocese_and_the_order_of_the_cross():
    """END-2: occupied fiefs count in a protected diocese; the Zakon's score adds `crown_fiefs` - `zakon_fiefs`."""
    game = scene("mazowsze", "zakon")
    stand(game, "plock", 1, infantry=1)
    assert [game.score(seat) for seat in (0, 1)] == [2, 3]
    game.fiefs["plock"].building = "cathedral"
    assert game.score(0) == 3
    game.rulers[0].stands = "kujawy"
    assert game.score(0) == 2
    game = scene("mazowsze", "kujawy", "sieradz", "zakon")
    assert game.score(3) == 3 + 9 - 10


def test_a_raid():
    """FOR-3: 12 against two infantry and a trait; units, siege and building site are gone."""
    game = scene("malopolska", "kujawy")
    stand(game, "sandomierz", 0, infantry=2)
    game.fiefs["sandomierz"].site, game.fiefs["sandomierz"].time = "grod", 1
    card = game.cards["tatars"] | {"units": 2}
    run(events.raid(game, 0, card), "choose sandomierz")
    fief = game.fiefs["sandomierz"]
    assert fief.devastated and not fief.site and units(game, "sandomierz") == {"foreign": 2}
    assert game.holder(fief) == FOREIGN


def test_a_card_stays_for_two_rounds():
    """EVT-1: `time` 3, one less in the round of the draw."""
    game = scene("mazowsze", "kujawy")
    run(events.stay(game, 0, {"id": "marriage", "effect": "peace", "time": 3}), "choose 1")
    left = []
    for _ in range(3):
        events.pass_cards(game)
        left.append(len(game.staying))
    assert left == [1, 1, 0]


def test_a_round_of_nothing():
    """Section 3: a ruler who gives no order is still asked for orders and a deed, and draws in turn."""
    game = scene("mazowsze", "kujawy")
    game.stack = ["silver"]
    game.round = 2
    taken = run(one_round(game), "done", "done", "none", "none")
    assert taken == ["done", "done", "none", "none", "event silver"]
    assert [ruler.denars for ruler in game.rulers] == [8 + 11, 8 + 11 + 4]


def test_engines_alone_are_no_garrison():
    """CMB-1, MAP-4: the levy of 2 infantry rises even where only engines were left."""
    game = scene("mazowsze", "kujawy")
    stand(game, "leczyca", 0, engine=2)
    assert war.defence_of_units(game, game.fiefs["leczyca"]) == 4
    assert war.defence_of_units(game, game.fiefs["plock"]) == 0
