"""The compiled rules against the plain oracle: legal labels, the board, outcome and columns agree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.oracles import korona_piastow as oracle
from support.oracles.korona_piastow.page import base_rules, small_map
from support.oracles.korona_piastow.walking import pick

from balance.contract.game import get_game
from balance.plan.variants import load_variant, merge, read_extended
from balance.testing.oracle import agree

GAME = get_game("korona-piastow")
GAMES = 4  # of each variant and player count
BASE = read_extended(GAME, GAME.folder / "variants" / "base.toml")


def test_the_base_rules_are_those_of_the_pages():
    """Every value, fief, border and card, against a copy made by hand."""
    found = load_variant(GAME, "base", Path()).rules.model_dump(by_alias=True)
    assert set(found) - set(base_rules()) == {"title", "description"}
    for name, value in base_rules().items():
        if name not in ("map", "events"):
            assert found[name] == value, name
    wanted = base_rules()
    assert found["map"]["districts"] == wanted["map"]["districts"]
    for fief in found["map"]["fiefs"]:
        del fief["place"]  # for the drawing
    assert found["map"]["fiefs"] == wanted["map"]["fiefs"]
    assert found["map"]["borders"] == wanted["map"]["borders"]
    cards = [{k: v for k, v in card.items() if v is not None} for card in found["events"]["cards"]]
    assert cards == wanted["events"]["cards"]


def play_both(rules: Any, players: int, seed: int) -> oracle.Game:
    """One game with both, comparing every step, the rows and the game's columns; the oracle's game."""
    stepper, judge = agree(GAME, rules, players, seed, oracle.play, pick, watch)
    game, _ = stepper.result()
    assert ENDINGS[game.end] == judge.end
    assert game.reshuffles == judge.reshuffles
    return judge


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
def test_every_variant_agrees(variant):
    """All rules, decks and player counts."""
    rules = load_variant(GAME, variant, Path()).rules
    for players in GAME.players:
        for seed in range(GAMES):
            play_both(rules, players, seed)


# Short ways to everything that is rare: one fief a district, cheap buildings, values at their limits.
SMALL = {"name": "small", "source": "test", "reconstruction": True, **small_map()}
CHEAP = {
    "grod": {"cost": 1, "time": 1},
    "castle": {"cost": 2, "time": 1},
    "cathedral": {"cost": 2, "time": 1},
    "townhall": {"cost": 2, "time": 1, "orders": 3},
    "clothhall": {"cost": 2, "time": 1, "money": 3},
}
ODD_RULES: dict[str, dict[str, Any]] = {
    "small": {"map": SMALL},
    "small and long": {
        "map": SMALL,
        "crown_fiefs": [40] * 5,
        "zakon_fiefs": [40] * 5,
        "rounds": 20,
        "loser_loss": 20,
        "foreign_garrison": 1,
        "start": {"infantry": 6},
    },
    "rich": {
        "crown_fiefs": [6] * 5,
        "zakon_fiefs": [5] * 5,
        "levy": 0,
        "foreign_garrison": 0,
        "start": {"denars": 60, "infantry": 6, "cavalry": 3, "knights": 3, "magnates": 2},
        "buildings": CHEAP,
    },
    "large": {
        "crown_fiefs": [30] * 5,
        "rounds": 25,
        "levy": 0,
        "claim_cost": 0,
        "loser_loss": 100,
        "winner_loss": 0,
        "foreign_garrison": 9,
        "fief_limit": 9,
        "muster_units": 9,
        "regroup_moves": 9,
        "magnate": {"per_district": 4, "tokens": 1},
        "orders_per_turn": 3,
    },
    "walls": {
        "orders": 9,
        "orders_max": 12,
        "same_kind": 12,
        "orders_per_turn": 0,
        "siege_rounds": 0,
        "time_passes": 0,
        "hasten_units": 9,
        "fief_limit": 3,
        "levy": 9,
        "second_infantry": 9,
        "buildings": {**CHEAP, "grod": {"cost": 0, "defence": 40}, "castle": {"cost": 0, "defence": 5}},
        "units": {"engine": {"attack": 9, "cost": 1, "defence": 2}, "foreign": {"attack": 0, "defence": 0}},
    },
    "heroes": {
        "map": SMALL,
        "lines_drawn": False,
        "second_players": 0,
        "feud_rounds": 0,
        "pretender_gap": 99,
        "spy_cost": 0,
        "tithe": 20,
        "quest": {"lost": 0, "nothing": 0, "denars": 1, "magnate": 2},
        "relic_attack": 9,
        "ruler": {"attack": 9, "defence": 0, "money": 9, "time": 9},
        "loot": 20,
        "defend": 20,
        "revenge": 20,
        "start": {"denars": 99, "knights": 9, "infantry": 0, "cavalry": 0},
        "buildings": CHEAP,
    },
    "narrow": {"rounds": 5, "fief_limit": 1, "orders": 1, "orders_max": 1, "magnate": {"tokens": 0}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD_RULES)
def test_rules_of_a_designers_own_agree(name):
    """Switches and values that no shipped variant has."""
    rules = GAME.rules.load_rules(merge(BASE, ODD_RULES[name]), "test", Path())
    told: Counter[str] = Counter()
    for players in GAME.players:
        for seed in range(6):
            told += play_both(rules, players, seed).told()
    wanted = set() if name == "narrow" else {"won", "repelled", "lost_fiefs", "joined", "built", "quests"}
    assert wanted <= set(told), wanted - set(told)
