"""The compiled rules against the plain oracle: legal sets, the whole table, outcome and columns agree."""

from collections import Counter
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.oracles import grody as oracle
from support.oracles.grody.base import RANGES, TERRAIN_RANGES, base_rules
from support.oracles.grody.table import BUILDINGS, CARDS, TERRAINS

from balance.contract.game import get_game
from balance.engine.stepper import Step, Stepper
from balance.experiments.variants import load_variant
from balance.games.grody.rules.ruleset import ENDINGS
from balance.testing.oracle import agree, pick_any

GAME = get_game("grody")
QUICK = ("base", "blitz", "wide")
"""The variants of `make test`."""
GAMES = 15  # of the base rules, a third in each style
FEWER = 6  # of each other variant
DECISIONS = ["card", "answer", "move", "exchange", "hit", "flee", "discard", "build", "ransom"]
"""Kinds of decision (section 7)."""


def fiercely(rng: np.random.Generator, judge: oracle.Game, options: list[str]) -> int:
    """Prefer attacks, cards, answers, buildings and ransoms."""
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
    """Prefer steps to the enemy's gród, so that it is taken."""
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
        [int(part) for part in name[1:].split("r")] for name in (judge.players[1 - judge.active].grod, *words[1:])
    )
    before, after = (sum(abs(a - b) for a, b in zip(goal, x, strict=True)) for x in (origin, target))
    return after < before


STYLES = (pick_any, fiercely, forward)


def compiled_table(stepper: Stepper) -> dict[str, Any]:
    """Return the table of the compiled game, in numbers."""
    state = stepper.state
    count = len(stepper.rules.board.names)
    names = ["terrain_deck", "pile", "tokens", "hand", "discards", "aside", "prisoners"]
    table = {name: state[name].tolist() for name in names}
    table |= {name: state[name][:count].tolist() for name in ("terrain", "owner", "building")}
    table["warriors"] = state["warriors"][:, :count].T.tolist()
    return table


def oracle_table(stepper: Stepper, judge: oracle.Game) -> dict[str, Any]:
    """Return the same for the oracle."""
    here = [judge.segments[name] for name in stepper.rules.board.names]
    terrains = [*TERRAINS, "grod"]
    return {
        "terrain_deck": [judge.terrains[name] for name in TERRAINS],
        "pile": [judge.pile[card] for card in CARDS],
        "tokens": [judge.tokens[kind] for kind in BUILDINGS],
        "hand": [[player.hand[card] for card in CARDS] for player in judge.players],
        "discards": [[player.discards[card] for card in CARDS] for player in judge.players],
        "aside": [player.aside for player in judge.players],
        "prisoners": [player.prisoners for player in judge.players],
        "terrain": [terrains.index(s.terrain) if s.terrain else -1 for s in here],
        "owner": [-1 if s.owner is None else s.owner for s in here],
        "building": [BUILDINGS.index(s.building) if s.building else -1 for s in here],
        "warriors": [s.warriors for s in here],
    }


class Watch:
    """Comparison of the whole table with the oracle's before every decision of a game.

    Attributes
    ----------
    met : Counter
        How often each kind of decision was asked.
    kept_from : int
        The first round that the log has kept; none is kept before the first decision.
    """

    def __init__(self) -> None:
        self.met: Counter[str] = Counter()
        self.kept_from = 0

    def __call__(self, stepper: Stepper, judge: oracle.Game, step: Step) -> None:
        if not self.met:
            stepper.log.keep_rounds, self.kept_from = 1, step.round
        self.met[step.kind] += 1
        found, expected = compiled_table(stepper), oracle_table(stepper, judge)
        for name, value in expected.items():
            assert found[name] == value, f"{name} before {step}: {found[name]} is not {value}"

    def compare_end(self, stepper: Stepper, judge: oracle.Game) -> None:
        """Compare the game's columns, and its rows of the table of rounds, with the oracle's."""
        game, _ = stepper.result()
        for name in ("turns", "combats", "combat_rounds", "reshuffles"):
            assert game[name] == getattr(judge, name), name
        assert ENDINGS[game.ended_by] == judge.ended_by
        assert stepper.round == judge.round == len(judge.rounds)
        for number in range(self.kept_from, stepper.round + 1):
            for seat, row in enumerate(judge.rounds[number - 1]):
                kept = stepper.log.history[number - 1, seat]
                assert {name: kept[name] for name in row} == row, f"round {number}, seat {seat}"


def play_both(rules: Any, seeds: Iterable[int]) -> Counter[str]:
    """Play games with both, comparing every step, all tables and the end.

    Return counts of the kinds of decisions, of the oracle's events, and of the endings.
    """
    met: Counter[str] = Counter()
    for seed in seeds:
        watch = Watch()
        stepper, judge = agree(GAME, rules, 2, seed, oracle.play, STYLES[seed % len(STYLES)], watch)
        watch.compare_end(stepper, judge)
        met += watch.met + judge.players[0].counts + judge.players[1].counts
        met[judge.ended_by] += 1
    return met


def load(data: dict[str, Any]) -> Any:
    """Return a designer's own rule set."""
    return GAME.rules.load_rules({"title": "Odd", "description": "Odd rules.", **data}, "test", Path())


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in GAME.shipped("variants")],
)
def test_every_variant_agrees(variant):
    """All rules of every shipped variant agree; games end in more than one way.

    The base rules meet every kind of decision; for the rare `hit` see `RARE`.
    """
    games = GAMES if variant == "base" else FEWER
    met = play_both(load_variant(GAME, variant, Path()).rules, range(games))
    assert sum(met[name] > 0 for name in ENDINGS) > 1
    if variant == "base":
        assert [kind for kind in DECISIONS if not met[kind]] in ([], ["hit"])


def odd_rules(seed: int) -> dict[str, Any]:
    """Return rules with a quarter of all keys at an extreme; no game is too short for events."""
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


@pytest.mark.long
@pytest.mark.parametrize("seed", range(0, 50, 10))
def test_odd_rules_agree(seed):
    """Extreme values of many keys at once agree."""
    for number in range(seed, seed + 10):
        play_both(load(odd_rules(number)), range(3))


BIG = {"grod_capacity": 8, "unexplored_capacity": 8, "first_warriors": 8, "second_warriors": 8}
CROWDS = {**BIG, "recruits": 4, "draw": 4, "hand_start": 6, "dominance_lead": 60}
SMALL = {**CROWDS, "between": 1, "rows": 3, "morale": 2}
ALL_SURE = {**dict.fromkeys(CARDS, 0), "na_pewno_sie_uda": 20}
RARE = {
    "hit": ({**SMALL, "recruits_more": 4, "recruits_segments": 0, "turn_limit": 100}, 8, ALL_SURE),
    "strayed": ({**CROWDS, "rows": 7, "corners": True}, 1, {"forsowny_marsz": 30}),
    "freed": ({**CROWDS, "morale": 1}, 4, {"okup": 30}),
    "cancelled": ({**CROWDS, "hand_limit": 12}, 4, {"czarodziej": 30}),
    "ransomed": ({**CROWDS, "morale": 1, "ransoms": 3}, 4, {}),
    "played_wieszczba": (CROWDS, 4, {**dict.fromkeys(CARDS, 0), "wieszczba": 6, "odwrot": 2}),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", RARE)
@pytest.mark.long
def test_what_is_rare_agrees(what):
    """Rules under which rare events are frequent agree."""
    changes, capacity, cards = RARE[what]
    data = {**base_rules(), **changes}
    data["cards"] |= cards
    for terrain in data["terrain"].values():
        terrain["capacity"] = capacity
    met = play_both(load(data), range(20))
    assert met[what] >= 8, met[what]


@pytest.mark.long
@pytest.mark.parametrize("key", RANGES)
def test_the_extremes_of_each_key_agree(key):
    """The smallest and the largest value of every key agree."""
    for value in RANGES[key]:
        play_both(load({**base_rules(), key: value}), range(6))


@pytest.mark.long
@pytest.mark.parametrize("key", TERRAIN_RANGES)
def test_the_extremes_of_each_terrain_agree(key):
    """The smallest and the largest value of every key of every terrain agree."""
    for name, value in product(TERRAINS, TERRAIN_RANGES[key]):
        data = base_rules()
        data["terrain"][name][key] = value
        play_both(load(data), range(3))


@pytest.mark.long
@pytest.mark.parametrize("card", CARDS)
def test_many_of_one_card_agree(card):
    for number in (30, 0):
        data = base_rules()
        data["cards"][card] = number
        play_both(load(data), range(6))
