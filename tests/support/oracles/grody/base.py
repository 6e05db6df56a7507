"""The base rule set, typed from SET-4 and section 10 of the rule page, so that the oracle can be played alone."""

from __future__ import annotations

from typing import Any

from support.oracles.grody.table import BUILDINGS, CARDS, TERRAINS

COLUMNS = ["cards", "capacity", "points", "warriors", "building", "defence", "gloom", "deadly_from"]
TERRAIN = {
    "rownina": (5, 4, 1, 0, "zasieki", 0, 0, 0),
    "pustynia": (2, 4, -1, 0, "zasieki", 0, 0, 3),
    "las": (4, 4, 1, 1, "none", 0, 0, 0),
    "wzgorza": (3, 4, 1, 0, "twierdza", 1, 0, 0),
    "rzeka": (3, 2, 1, 0, "most", 0, 0, 0),
    "bagno": (3, 2, -1, 0, "none", 0, 1, 0),
}
NUMBERS = (3, 2, 2, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 3)  # of each card, in the order of CRD-4
KEYS: dict[str, Any] = {
    "between": 3,
    "rows": 5,
    "corners": False,
    "first_warriors": 1,
    "second_warriors": 2,
    "unexplored_capacity": 4,
    "grod_capacity": 4,
    "grod_cushion": 1,
    "grod_morale": 0,
    "hand_start": 0,
    "hand_limit": 6,
    "draw": 1,
    "draw_won": 2,
    "morale": 3,
    "leader_at": 4,
    "leader_morale": 1,
    "cushion_per": "combat",
    "build_warriors": 2,
    "abatis_morale": -1,
    "bridge_capacity": 4,
    "fort_cushion": 1,
    "recruits": 1,
    "recruits_more": 1,
    "recruits_segments": 13,
    "ransoms": 1,
    "sure_morale": 1,
    "song_morale": 1,
    "prophecy_draw": 2,
    "dominance_lead": 9,
    "dominance_segments": 10,
    "dominance_at": "round",
    "turn_limit": 40,
    "conquest_score": 20,
}


def base_rules() -> dict[str, Any]:
    """A new dictionary with all keys of a rule set; its tables may be changed."""
    assert list(TERRAIN) == TERRAINS and len(NUMBERS) == len(CARDS) and sum(NUMBERS) == 30
    terrain = {name: dict(zip(COLUMNS, values, strict=True)) for name, values in TERRAIN.items()}
    cards = dict(zip(CARDS, NUMBERS, strict=True))
    return {**KEYS, "terrain": terrain, "buildings": dict.fromkeys(BUILDINGS, 3), "cards": cards}
