"""Random rule sets that the rule page allows, and choices that meet every rule more often than chance."""

from typing import Any

import numpy as np

from .board import TRAITS
from .events import EFFECTS
from .game import Game
from .page import VALUES, WORDS

STAYING = ("peace", "interdict")
SMALL = ("second_infantry", "foreign_garrison", "levy", "siege_rounds", "relic_attack")
AMOUNTS = (
    *("tribute_fief", "tribute_base", "loot", "defend", "revenge", "spy_cost"),
    *("tithe", "quest_denars", "repair_cost", "raise_cost", "collect"),
)


def draw_rules(rng: np.random.Generator) -> dict[str, Any]:
    """Return random values that section 9 allows, half of them as in the base rules."""

    def upto(most: int, least: int = 0) -> int:
        return int(rng.integers(least, most + 1))

    most = upto(12, 1)
    values: dict[str, Any] = {
        **{name: upto(9) for name in SMALL},
        **{name: upto(20) for name in AMOUNTS},
        **{name: upto(9, 1) for name in ("fief_limit", "muster_units", "regroup_moves", "hasten_units")},
        "rounds": upto(16, 1),
        "crown_fiefs": [upto(30, 4) for _ in range(5)],
        "zakon_fiefs": [upto(30, 4) for _ in range(5)],
        "pretender_gap": upto(20),
        "lines_drawn": bool(upto(1)),
        "second_players": upto(3),
        "orders": upto(min(9, most), 1),
        "orders_max": most,
        "same_kind": upto(12, 1),
        "orders_per_turn": "any" if upto(2) == 0 else upto(4),
        "lines_chosen": bool(upto(1)),
        "time_passes": upto(1),
        "works_everywhere": bool(upto(1)),
        "claim_cost": upto(12),
        "feud_rounds": upto(5),
        "loser_loss": upto(100),
        "winner_loss": upto(100),
        "start": {
            **{name: upto(9) for name in ("infantry", "cavalry", "knights")},
            **{"denars": upto(40), "magnates": upto(4)},
        },
        "ruler": {trait: upto(9) for trait in TRAITS},
        "magnate": {**{trait: upto(9) for trait in (*TRAITS, "tokens")}, "per_district": upto(4)},
        "quest": dict(zip(VALUES["quest"], sorted(upto(12) for _ in range(4)), strict=True)),
    }
    kept = {name: value for name, value in values.items() if rng.random() < 0.5}
    if "orders" in kept or "orders_max" in kept:
        kept |= {name: values[name] for name in ("orders", "orders_max")}
    kept["units"] = {kind: {what: upto(6) for what in row} for kind, row in VALUES["units"].items()}
    limits = {"cost": (0, 12), "time": (1, 5), "defence": (0, 40), "orders": (0, 3), "money": (0, 9)}
    kept["buildings"] = {
        kind: {what: upto(limits[what][1], limits[what][0]) for what in row}
        for kind, row in VALUES["buildings"].items()
    }
    return kept


def draw_deck(rng: np.random.Generator) -> dict[str, Any]:
    """Return a deck of a few cards, a third of which stay, so that stack and discards run out."""
    cards = []
    foreign = ("zakon", "brandenburgia", "czechy", "wegry", "rus", "litwa")
    for number in range(int(rng.integers(8, 16))):
        staying = number >= 4 and rng.random() < 0.5
        effect = str(rng.choice(STAYING if staying else [name for name in EFFECTS if name not in STAYING]))
        words: dict[str, Any] = {
            "who": str(rng.choice(("all", "drawer", "richest" if effect == "pay" else "poorest"))),
            "n": int(rng.integers(1, 9)),
            "from": str(rng.choice(foreign)),
            "strength": int(rng.integers(0, 30)),
            "units": int(rng.integers(0, 9)),
            "time": int(rng.integers(1, 6)),
        }
        card = {"id": f"card_{number}", "name": "Card", "effect": effect}
        card |= {name: int(rng.integers(0, 10)) for name in ("attack", "defence")}
        cards.append(card | {name: words[name] for name in WORDS.get(effect, ())})
    return {"name": "drawn", "source": "test", "reconstruction": True, "cards": cards}


RARE = ("siege", "revenge", "diversion", "tithe", "quest")  # orders
FORCE = (1, 2, 3, 2, 1)  # of what is sent, roughly
PICKED = {  # kind: how often, and what the label must begin with, the first that fits
    "fief": (0.97, ("fief",)),
    "turn": (0.93, ("do",)),
    "muster": (0.9, ("muster knight", "muster infantry", "muster cavalry")),
    "victory": (0.8, ("occupy",)),
    "build": (0.5, ("build castle", "build clothhall", "build grod")),
    "revenge": (0.9, ("target",)),
    "damage": (0.8, ("damage",)),
    "grant": (0.8, ("grant",)),
    "magnate": (0.8, ("repair", "raise")),
    "ruler": (0.6, ("repair", "raise", "collect")),
}


def pick(rng: np.random.Generator, judge: Game, options: list[str]) -> int:
    """Return the index of a label: warlike, mostly with all units, and fond of the rarer orders."""
    words = [label.split() for label in options]
    verb = words[-1][0]
    if rng.random() < 0.15:
        return int(rng.integers(len(options)))
    if verb == "send":
        force = [forceful(label[1]) for label in words]
        return int(np.argmax(force)) if rng.random() < 0.7 else int(rng.integers(len(options)))
    if verb == "target":
        return int(np.argmax([wanted(rng, judge, label) for label in words]))
    if verb == "order":
        return order(rng, words)
    kind = {"fief": "fief", "drop": "turn", "do": "turn", "muster": "muster", "damage": "damage"}
    kind |= {"occupy": "victory", "devastate": "victory", "build": "build", "grant": "grant"}
    often, starts = PICKED.get(kind.get(verb, ""), (0.0, ()))
    if rng.random() < often:
        for start in starts:
            fit = [i for i, label in enumerate(options) if label.startswith(start)]
            if fit:
                return int(rng.choice(fit))
    return int(rng.integers(len(options)))


def forceful(sent: str) -> int:
    return sum(a * int(b) for a, b in zip(FORCE, sent.split(":"), strict=True))


def wanted(rng: np.random.Generator, judge: Game, label: list[str]) -> float:
    """Return how much a fief to invade helps to win its district, and how weak it is."""
    if label[0] == "none":
        return -9.0
    fief = judge.fiefs[label[1]]
    taken = {place.seat for place in judge.districts[fief.district].fiefs if place is not fief}
    weak = -0.3 * judge.worth(fief.units, "defence") - 0.2 * judge.building_defence(fief, judge.n)
    return weak + (2.0 if any(seat >= 0 for seat in taken) else 0.0) + 3 * float(rng.random())


def order(rng: np.random.Generator, words: list[list[str]]) -> int:
    kinds = [label[1] for label in words]
    weights = np.array([3.0 if k in RARE else 3.0 if k in ("invade", "muster") else 1.0 for k in kinds])
    return int(rng.choice(len(kinds), p=weights / weights.sum()))
