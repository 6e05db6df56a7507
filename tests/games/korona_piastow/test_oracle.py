"""The compiled rules against the plain oracle: legal labels, the board, outcome and columns agree."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.korona import GAME, POSITION, make_rules
from support.oracles import korona_piastow as oracle
from support.oracles.korona_piastow.board import Fief
from support.oracles.korona_piastow.choosing import draw_deck, draw_rules, pick
from support.oracles.korona_piastow.game import Game
from support.oracles.korona_piastow.page import base_rules, small_map

from balance.engine.stepper import Step, Stepper
from balance.games.korona_piastow.rules.tables import BUILDINGS, ENDINGS, ORDERS, TRAITS, UNITS
from balance.testing.oracle import agree

QUICK = ("base", "bloody-war", "no-zakon", "pretenders")
"""The variants of `make test`."""
NUMBERS = {"": -1, **{kind: i for i, kind in enumerate(BUILDINGS)}}


def test_the_base_rules_are_those_of_the_pages():
    """Every value, fief, border and card equals a copy made by hand (section 9, UNT-1, TRT-1)."""
    found, wanted = make_rules().model_dump(by_alias=True), base_rules()
    found["events"] = {"cards": [{k: v for k, v in card.items() if v is not None} for card in found["events"]["cards"]]}
    for fief in found["map"]["fiefs"]:
        del fief["place"]  # for the drawing
    found["map"] = {name: found["map"][name] for name in wanted["map"]}
    assert found == wanted | {name: found[name] for name in ("title", "description")}


FIEF = ("units", "lord", "building", "damage", "rising", "time_left", "devastated")
WATCHED = (
    *FIEF,
    *("besieger", "siege_round", "defended", "owner", "magnate", "bag", "free_magnates"),
    *("denars", "relics", "out_round", "stands", "token_count", "token_fief", "token_kind"),
    *("stack", "stack_count", "discards", "discard_count"),
    *("stay_card", "stay_time", "stay_with", "stay_other", "stay_count"),
)


def watch(stepper: Stepper, judge: Game, step: Step) -> None:
    """Compare the whole board before every decision: fiefs, districts, rulers, orders and cards."""
    stepper.log.keep_rounds = 1
    state = {name: stepper.state[name].tolist() for name in WATCHED}
    for fief, seen in zip(judge.fiefs.values(), seen_fiefs(state), strict=False):
        assert seen == plain_fief(fief), (fief.name, step)
    for i, district in enumerate(judge.districts.values()):
        magnate = TRAITS.index(district.magnate) if district.magnate else -1
        assert (state["owner"][i], state["magnate"][i]) == (district.owner, magnate), (district, step)
    places = list(judge.districts)
    for seat, me in enumerate(judge.rulers):
        purse = [state[name][seat] for name in ("denars", "relics", "out_round")]
        assert purse == [me.denars, me.relics, me.out_round], (seat, step)
        assert state["free_magnates"][seat] == [me.free[trait] for trait in TRAITS], (seat, step)
        if me.line and not me.out_round:
            assert places[state["stands"][seat]] == me.stands, (seat, step)
    assert state["bag"] == [judge.bag[trait] for trait in TRAITS], step
    watch_tokens(state, judge, step)
    watch_cards(state, judge, step)


def seen_fiefs(state: dict[str, Any]) -> Iterator[list[Any]]:
    """Return the fiefs of the compiled game."""
    columns = [state[name] for name in (*FIEF, "besieger", "siege_round", "defended")]
    for units, lord, building, damage, rising, time, devastated, *rest in zip(*columns, strict=True):
        besieger, siege_round, defended = rest
        siege = (besieger, siege_round) if besieger >= 0 else None
        built = (building, damage, rising, time if rising >= 0 else 0)
        yield [units, lord if any(units[:3]) else -1, built, devastated, siege, defended]


def plain_fief(fief: Fief) -> list[Any]:
    """Return the same for the oracle."""
    building = (NUMBERS[fief.building], fief.damage, NUMBERS[fief.site], fief.time)
    units = [fief.units[kind] for kind in UNITS]
    lord = fief.seat if fief.army(fief.seat) else -1
    return [units, lord, building, fief.devastated, fief.siege, fief.defended]


def watch_tokens(state: dict[str, Any], judge: Game, step: Step) -> None:
    """Compare every seat's tokens, face down or not."""
    fiefs = list(judge.fiefs)
    found: Counter[tuple[int, str, str]] = Counter()
    for seat in range(judge.n):
        count = state["token_count"][seat]
        lying, kinds = state["token_fief"][seat][:count], state["token_kind"][seat][:count]
        for fief, kind in zip(lying, kinds, strict=True):
            found[seat, fiefs[fief], ORDERS[kind]] += 1
    assert found == judge.tokens, step


def watch_cards(state: dict[str, Any], judge: Game, step: Step) -> None:
    """Compare stack and discards as sets, and the cards that stay, with their seats and rounds."""
    names = list(judge.cards)
    stack = state["stack"][: state["stack_count"]]
    discards = state["discards"][: state["discard_count"]]
    assert sorted(names[card] for card in stack) == sorted(judge.stack), step
    assert sorted(names[card] for card in discards) == sorted(judge.discards), step
    found = []
    for i in range(state["stay_count"]):
        seats = {seat for seat in (state["stay_with"][i], state["stay_other"][i]) if seat >= 0}
        found.append((names[state["stay_card"][i]], seats, state["stay_time"][i]))
    assert sorted(found) == sorted((c.card, set(c.seats), c.time) for c in judge.staying), step


def play_both(rules: Any, players: int, seed: int) -> Counter[str]:
    """Play one game with both, comparing every step and all columns; return sums of the seats' columns."""
    stepper, judge = agree(GAME, rules, players, seed, oracle.play, pick, watch)
    game, _ = stepper.result()
    assert ENDINGS[game.end] == judge.end
    assert game.reshuffles == judge.reshuffles
    for kept, rows in zip(stepper.log.history, judge.rounds, strict=False):
        for found, row in zip(kept, rows, strict=False):
            assert {name: found[name] for name in row} == row
    counts = Counter({judge.end: 1})
    for ruler in judge.rulers:
        counts += ruler.counters + Counter({"relics": ruler.relics, "out": bool(ruler.out_round)})
    return counts


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in GAME.shipped("variants")],
)
def test_every_variant_agrees(variant):
    """All rules and decks agree; the base rules at each player count, others at the least and the most."""
    counts = GAME.players if variant == "base" else (GAME.players[0], GAME.players[-1])
    for players in counts:
        play_both(make_rules(variant=variant), players, 0)


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
        "map": SMALL, "crown_fiefs": [40] * 5, "zakon_fiefs": [40] * 5, "rounds": 20, "loser_loss": 20,
        "foreign_garrison": 1, "start": {"infantry": 6},
    },
    "by seat": {
        "buildings": CHEAP,
        "start": {
            "denars": [4, 8, 20], "infantry": {"2": [2, 5], "3": [1, 2, 3], "4": 4, "5": [9, 0], "6": 3},
            "cavalry": [0, 2], "knights": {"2": 1, "3": [0, 1], "4": [3, 2, 1, 0], "5": 1, "6": [0, 2]},
            "magnates": [0, 1, 2],
        },
    },
    "by line": {
        "start": {
            "denars": [4, 8],
            "lines": {
                "zakon": {"denars": -9, "infantry": -2, "knights": 1, "magnates": -1},
                "malopolska": {"denars": 5, "infantry": 2, "cavalry": -3, "magnates": 2},
                "kujawy": {"infantry": -9, "cavalry": 2},
            },
        },
    },
    "rich": {
        "crown_fiefs": [6] * 5, "zakon_fiefs": [5] * 5, "levy": 0, "foreign_garrison": 0, "buildings": CHEAP,
        "start": {"denars": 60, "infantry": 6, "cavalry": 3, "knights": 3, "magnates": 2},
    },
    "large": {
        "crown_fiefs": [30] * 5, "rounds": 25, "levy": 0, "claim_cost": 0, "loser_loss": 100, "winner_loss": 0,
        "foreign_garrison": 9, "fief_limit": 9, "muster_units": 9, "regroup_moves": 9, "orders_per_turn": 3,
        "magnate": {"per_district": 4, "tokens": 1},
    },
    "walls": {
        "orders": 9, "orders_max": 12, "same_kind": 12, "orders_per_turn": 0, "siege_rounds": 0,
        "time_passes": 0, "works_everywhere": True, "hasten_units": 9, "fief_limit": 3, "levy": 9,
        "second_infantry": 9,
        "buildings": {**CHEAP, "grod": {"cost": 0, "defence": 40}, "castle": {"cost": 0, "defence": 5}},
        "units": {"engine": {"attack": 9, "cost": 1, "defence": 2}, "foreign": {"attack": 0, "defence": 0}},
    },
    "heroes": {
        "map": SMALL, "lines_drawn": False, "second_players": 0, "feud_rounds": 0, "pretender_gap": 99,
        "spy_cost": 0, "tithe": 20, "quest": {"lost": 0, "nothing": 0, "denars": 1, "magnate": 2},
        "relic_attack": 9, "ruler": {"attack": 9, "defence": 0, "money": 9, "time": 9}, "loot": 20,
        "defend": 20, "revenge": 20, "start": {"denars": 99, "knights": 9, "infantry": 0, "cavalry": 0},
        "buildings": CHEAP,
    },
    "scenario": {**POSITION, "orders_per_turn": "any", "rounds": 8},
    "by choice": {"lines_chosen": True, "orders_per_turn": "any", "orders": 8, "rounds": 6},
    "narrow": {"rounds": 5, "fief_limit": 1, "orders": 1, "orders_max": 1, "magnate": {"tokens": 0}},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", ODD_RULES)
@pytest.mark.long
def test_rules_of_a_designers_own_agree(name):
    """Switches and values that no shipped variant has agree."""
    rules = make_rules(ODD_RULES[name])
    counts: Counter[str] = Counter()
    for players in GAME.players:
        for seed in range(3):
            counts += play_both(rules, players, seed)
    if name not in ("narrow", "by choice", "scenario"):
        assert set(counts) >= {"won", "repelled", "lost_fiefs", "joined", "built", "quests"}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_rules_drawn_at_random_agree(seed):
    """Values within the limits, small decks that run out and both maps agree."""
    rng = np.random.default_rng(seed)
    changes = {**draw_rules(rng), "events": draw_deck(rng)}
    if rng.random() < 0.5:
        changes["map"] = SMALL
    for players in GAME.players:
        play_both(make_rules(changes), players, seed)


FAR = {"crown_fiefs": [99] * 5, "zakon_fiefs": [99] * 5}  # no ruler reaches the crown


def first(options: list[str], *starts: str) -> int:
    """Return the first option that begins with one of these, tried in turn."""
    return next(i for start in starts for i, label in enumerate(options) if label.startswith(start))


def seek_relics(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Send all knights to legendary places, and make every order a quest."""
    for i, label in enumerate(options):
        words = label.split()
        fief = judge.fiefs.get(words[-1])
        if fief and fief.legendary and (words[0] == "place" or fief.units["knight"]):
            return i
    wanted = [i for i, label in enumerate(options) if label in ("done", "none", "order quest")]
    return wanted[-1] if wanted else 0


@pytest.mark.long
def test_a_life_of_quests_brings_more_relics_than_a_byte_holds():
    """QST-1: 40 rounds with only relics to find."""
    changes = {
        "rounds": 40, "orders": 9, "orders_max": 12, "same_kind": 12, "events": "flat",
        "quest": {"lost": 0, "nothing": 0, "denars": 0, "magnate": 0},
        "start": {"knights": 6, "infantry": 0, "cavalry": 0},
    }  # fmt: skip
    _, judge = agree(GAME, make_rules(FAR | changes), 4, 0, oracle.play, seek_relics)
    assert max(ruler.relics for ruler in judge.rulers) > 127


def march_out(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Make every ruler leave its capital with all other units once allies stand in both."""
    capitals = [judge.districts[ruler.line].fiefs[0] for ruler in judge.rulers]
    if options[0] == "done":
        ready = all(fief.units["foreign"] for fief in capitals)
        return first(options, *(f"fief {fief.name}" for fief in capitals)) if ready else 0
    if options[0].startswith("order"):
        return options.index("order invade")
    if options[0].startswith("send"):  # I:C:K:E:F
        counts = [[int(n) for n in label.split()[1].split(":")] for label in options]
        return max(range(len(options)), key=lambda i: sum(counts[i][:3]) - 9 * sum(counts[i][3:]))
    return 0


@pytest.mark.long
def test_the_last_rulers_fall_together():
    """END-1, EVN-1: without rulers there is no draw; the game ends as `last`, shared by all."""
    card = {"name": "Card", "effect": "allies", "attack": 0, "defence": 0, "n": 2}
    cards = [{"id": f"card_{i}", **card} for i in range(12)]
    changes = {
        "map": SMALL,
        "events": {"name": "allies", "source": "test", "reconstruction": True, "cards": cards},
        "second_players": 0,
        "orders": 1,
        "start": {"infantry": 1, "knights": 2},
    }
    _, judge = agree(GAME, make_rules(FAR | changes), 2, 0, oracle.play, march_out)
    assert judge.end == "last"
    assert {ruler.out_round for ruler in judge.rulers} == {judge.round}
