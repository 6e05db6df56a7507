"""The compiled rules against the plain oracle: legal sets, the whole table, outcome and columns agree."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.oracles import grody as oracle
from support.oracles.grody.base import RANGES, TERRAIN_RANGES, base_rules
from support.oracles.grody.table import BUILDINGS, CARDS, TERRAINS

from balance.contract.game import get_game
from balance.engine.stepper import Stepper
from balance.games.grody.rules.vocabulary import ENDINGS
from balance.plan.variants import load_variant
from balance.testing.oracle import agree, pick_any

GAME = get_game("grody")
GAMES = 150  # of each variant, a third in each style


def fiercely(rng: np.random.Generator, judge: oracle.Game, options: list[str]) -> int:
    """Attacks, cards, answers, buildings and ransoms more often than not."""
    attacks = [i for i, label in enumerate(options) if attacks_by(judge, label)]
    deeds = [i for i, label in enumerate(options) if label.split()[0] in ("play", "build", "ransom")]
    for wanted in (attacks, deeds):
        if wanted and rng.random() < 0.7:
            return int(rng.choice(wanted))
    return int(rng.integers(len(options)))


def attacks_by(judge: oracle.Game, label: str) -> bool:
    words = label.split()
    return words[0] == "move" and judge.segments[words[2]].warriors[1 - judge.active] > 0


def forward(rng: np.random.Generator, judge: oracle.Game, options: list[str]) -> int:
    """To the enemy's gród more often than not, so that it is taken."""
    ahead = [i for i, label in enumerate(options) if leads_ahead(judge, label)]
    if ahead and rng.random() < 0.9:
        return int(rng.choice(ahead))
    if options[0] == "done" and rng.random() < 0.5:
        return 0
    return fiercely(rng, judge, options)


def leads_ahead(judge: oracle.Game, label: str) -> bool:
    words = label.split()
    if words[0] != "move":
        return False
    goal, origin, target = (
        [int(part) for part in name[1:].split("r")]
        for name in (judge.players[1 - judge.active].grod, *words[1:])
    )
    before, after = (sum(abs(a - b) for a, b in zip(goal, x, strict=True)) for x in (origin, target))
    return after < before


STYLES = (pick_any, fiercely, forward)


def watch(stepper, judge, step) -> None:
    """Everything that lies on the table agrees before every decision."""
    stepper.log.keep_rounds = 1
    found, expected = compiled_table(stepper), oracle_table(judge)
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == value, (step, name, found[name], value)


def compiled_table(stepper: Stepper) -> dict[str, Any]:
    """What lies on the table of the compiled game, in plain words and numbers."""
    state, rules = stepper.state, stepper.rules
    table: dict[str, Any] = {
        "terrains": counted(TERRAINS, state.terrain_deck),
        "pile": counted(CARDS, state.pile),
        "tokens": counted(BUILDINGS, state.tokens),
    }
    for i, name in enumerate(rules.board.names):
        table[name] = (
            named([*TERRAINS, "grod"], state.terrain[i]),
            named([0, 1], state.owner[i]),
            named(BUILDINGS, state.building[i]),
            state.warriors[:, i].tolist(),
        )
    for seat in (0, 1):
        table[f"hand {seat}"] = counted(CARDS, state.hand[seat])
        table[f"discards {seat}"] = counted(CARDS, state.discards[seat])
        table[f"prisoners {seat}"] = state.prisoners[seat]
    return table


def counted(names: list[str], numbers: Any) -> Counter[str]:
    return +Counter(dict(zip(names, numbers.tolist(), strict=True)))


def named(names: list[Any], number: int) -> Any:
    return names[number] if number >= 0 else None


def oracle_table(judge: oracle.Game) -> dict[str, Any]:
    """The same of the oracle's."""
    table: dict[str, Any] = {"terrains": +judge.terrains, "pile": +judge.pile, "tokens": +judge.tokens}
    for name, here in judge.segments.items():
        table[name] = (here.terrain, here.owner, here.building, here.warriors)
    for seat, player in enumerate(judge.players):
        table[f"hand {seat}"] = +player.hand
        table[f"discards {seat}"] = +player.discards
        table[f"prisoners {seat}"] = player.prisoners
    return table


def play_both(rules, seed: int, style=None) -> str:
    """Play one game with both, comparing every step and all tables; returns how it ended."""
    stepper, judge = agree(GAME, rules, 2, seed, oracle.play, style or STYLES[seed % 3], watch)
    game, _ = stepper.result()
    for name in ("turns", "combats", "combat_rounds", "reshuffles"):
        assert game[name] == getattr(judge, name), name
    assert ENDINGS[game.ended_by] == judge.ended_by
    assert stepper.round == judge.round == len(judge.rounds)
    for number, rows in enumerate(judge.rounds):
        for seat, row in enumerate(rows):
            kept = stepper.log.history[number, seat]
            assert {name: kept[name] for name in row} == row, f"round {number + 1}, seat {seat}"
    return judge.ended_by


def load(data: dict[str, Any]) -> Any:
    """A rule set of a designer's own."""
    return GAME.rules.load_rules({"title": "Odd", "description": "Odd rules.", **data}, "test", Path())


def test_the_base_rules_are_those_of_the_page():
    """What ships as base holds the values of section 10."""
    shipped = load_variant(GAME, "base", Path()).rules.model_dump(by_alias=True)
    for name, value in base_rules().items():
        assert shipped[name] == value, name


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.shipped("variants"))
def test_every_variant_agrees(variant):
    """All rules of every shipped variant; games end in more than one way."""
    rules = load_variant(GAME, variant, Path()).rules
    ends = Counter(play_both(rules, seed) for seed in range(GAMES))
    assert len(ends) > 1, ends


@pytest.mark.slow
@pytest.mark.parametrize("key", RANGES)
def test_the_extremes_of_each_key_agree(key):
    """The least and the greatest value of every key."""
    for value in RANGES[key]:
        rules = load({**base_rules(), key: value})
        for seed in range(6):
            play_both(rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("key", TERRAIN_RANGES)
def test_the_extremes_of_each_terrain_agree(key):
    """The least and the greatest value of every key of every terrain."""
    for name in TERRAINS:
        for value in TERRAIN_RANGES[key]:
            data = base_rules()
            data["terrain"][name][key] = value
            rules = load(data)
            for seed in range(3):
                play_both(rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("card", CARDS)
def test_many_of_one_card_agree(card):
    """Thirty of one card, and none of it."""
    for number in (30, 0):
        data = base_rules()
        data["cards"][card] = number
        for seed in range(6):
            play_both(load(data), seed)


def odd_rules(seed: int) -> dict[str, Any]:
    """A quarter of all keys at one of their extremes; no game so short that nothing happens."""
    rng, data = np.random.default_rng(seed), base_rules()

    def change(table: dict[str, Any], ranges: dict[str, list[Any]]) -> None:
        for key, values in ranges.items():
            if rng.random() < 0.25:
                table[key] = values[rng.integers(len(values))]

    change(data, {**RANGES, "turn_limit": [10, 60]})
    for name in TERRAINS:
        change(data["terrain"][name], TERRAIN_RANGES)
    change(data["buildings"], {kind: [0, 20] for kind in BUILDINGS})
    change(data["cards"], {card: [0, 1, 9] for card in CARDS})
    data["first_warriors"] = min(data["first_warriors"], data["grod_capacity"])
    data["second_warriors"] = min(data["second_warriors"], data["grod_capacity"])
    return data


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_odd_rules_agree(seed):
    """Extreme values of many keys at once."""
    rules = load(odd_rules(seed))
    for number in range(6):
        play_both(rules, number)
