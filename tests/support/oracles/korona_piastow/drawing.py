"""Random rule sets of Korona Piastów from everything that the rule page allows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .board import TRAITS
from .events import EFFECTS
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
        "orders_per_turn": upto(4),
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
        effect = str(
            rng.choice(STAYING if staying else [name for name in EFFECTS if name not in STAYING])
        )
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
