"""The base rule set and the range of each key, typed from SET-4 and section 10 of the rule page."""

from typing import Any

from support.oracles.grody.table import BUILDINGS, CARDS, TERRAINS

# Base value, then the extremes of each key, and what lies between where that is another rule.
KEYS: dict[str, tuple[Any, list[Any]]] = {
    "between": (3, [1, 5]),
    "rows": (5, [3, 7]),
    "corners": (False, [True]),
    "first_warriors": (1, [0, 4]),
    "second_warriors": (2, [0, 4]),
    "unexplored_capacity": (4, [1, 8]),
    "grod_capacity": (4, [2, 8]),  # not less than `second_warriors`
    "grod_cushion": (1, [0, 4]),
    "grod_morale": (0, [-2, 2]),
    "hand_start": (0, [6, [0, 4]]),
    "hand_limit": (6, [1, 12]),
    "draw": (1, [0, 4]),
    "draw_won": (2, [0, 6]),
    "morale": (3, [1, 6]),
    "leader_at": (4, [1, 9]),
    "leader_morale": (1, [0, 3]),
    "cushion_per": ("combat", ["round"]),
    "build_warriors": (2, [0, 4]),
    "abatis_morale": (-1, [-3, 0]),
    "bridge_capacity": (4, [1, 8]),
    "fort_cushion": (1, [0, 4]),
    "recruits": (1, [0, 4]),
    "recruits_more": (1, [0, 4]),
    "recruits_segments": (13, [0, 40]),
    "ransoms": (1, [0, 3]),
    "sure_morale": (1, [0, 3]),
    "song_morale": (1, [0, 3]),
    "prophecy_draw": (2, [0, 4]),
    "dominance_lead": (9, [1, 60]),
    "dominance_segments": (10, [0, 40]),
    "dominance_at": ("round", ["start", "end"]),
    "turn_limit": (40, [1, 200]),
    "conquest_score": (20, [0, 100]),
}
RANGES = {key: values for key, (_, values) in KEYS.items()}
TERRAIN_RANGES: dict[str, list[Any]] = {
    "cards": [0, 20],
    "capacity": [1, 8],
    "points": [-3, 3],
    "warriors": [0, 2],
    "building": ["none"],
    "defence": [-2, 2],
    "gloom": [0, 3],
    "deadly_from": [0, 1, 9],
}
TERRAIN = {  # values in the order of `TERRAIN_RANGES`
    "rownina": (5, 4, 1, 0, "zasieki", 0, 0, 0),
    "pustynia": (2, 4, -1, 0, "zasieki", 0, 0, 3),
    "las": (4, 4, 1, 1, "none", 0, 0, 0),
    "wzgorza": (3, 4, 1, 0, "twierdza", 1, 0, 0),
    "rzeka": (3, 2, 1, 0, "most", 0, 0, 0),
    "bagno": (3, 2, -1, 0, "none", 0, 1, 0),
}
NUMBERS = (3, 2, 2, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 3)  # of each card, in the order of CRD-4


def base_rules() -> dict[str, Any]:
    """Return a new dictionary with all keys of a rule set; its tables may be changed."""
    assert list(TERRAIN) == TERRAINS and sum(NUMBERS) == 30
    terrain = {name: dict(zip(TERRAIN_RANGES, values, strict=True)) for name, values in TERRAIN.items()}
    cards = dict(zip(CARDS, NUMBERS, strict=True))
    numbers = {key: value for key, (value, _) in KEYS.items()}
    return {**numbers, "terrain": terrain, "buildings": dict.fromkeys(BUILDINGS, 3), "cards": cards}
