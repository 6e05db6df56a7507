"""The rule set of Grody: every key of section 10 with its base value and range, and refused values."""

from __future__ import annotations

import pytest
from support.grody import GAME, make_rules

from balance.foundation.errors import BalanceError
from balance.games.grody.rules import BUILDINGS, CARDS, TERRAINS

NUMBERS = {  # base, least, most
    "between": (3, 1, 5),
    "first_warriors": (1, 0, 4),
    "second_warriors": (2, 0, 4),
    "unexplored_capacity": (4, 1, 8),
    "grod_capacity": (4, 2, 8),  # as many as start there at least
    "grod_cushion": (1, 0, 4),
    "grod_morale": (0, -2, 2),
    "hand_start": (0, 0, 6),
    "hand_limit": (6, 1, 12),
    "draw": (1, 0, 4),
    "draw_won": (2, 0, 6),
    "morale": (3, 1, 6),
    "leader_at": (4, 1, 9),
    "leader_morale": (1, 0, 3),
    "build_warriors": (2, 0, 4),
    "abatis_morale": (-1, -3, 0),
    "bridge_capacity": (4, 1, 8),
    "fort_cushion": (1, 0, 4),
    "recruits": (1, 0, 4),
    "recruits_more": (1, 0, 4),
    "recruits_segments": (13, 0, 40),
    "ransoms": (1, 0, 3),
    "sure_morale": (1, 0, 3),
    "song_morale": (1, 0, 3),
    "prophecy_draw": (2, 0, 4),
    "dominance_lead": (9, 1, 60),
    "dominance_segments": (10, 0, 40),
    "turn_limit": (40, 1, 200),
    "conquest_score": (20, 0, 100),
}
TERRAIN_NUMBERS = {
    "cards": (0, 20),
    "capacity": (1, 8),
    "points": (-3, 3),
    "warriors": (0, 2),
    "defence": (-2, 2),
    "gloom": (0, 3),
    "deadly_from": (0, 9),
}


@pytest.mark.parametrize("key", NUMBERS)
def test_numbers_and_their_ranges(key):
    """The base value is the page's; the ends of the range are allowed, and one beyond is refused in one line."""
    base, least, most = NUMBERS[key]
    assert getattr(make_rules(), key) == base
    for allowed in (least, most):
        assert getattr(make_rules({key: allowed}), key) == allowed
    for wrong in (least - 1, most + 1):
        with pytest.raises(BalanceError, match=key) as caught:
            make_rules({key: wrong})
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", TERRAIN_NUMBERS)
def test_terrain_numbers(key):
    least, most = TERRAIN_NUMBERS[key]
    for allowed in (least, most):
        changed = make_rules({"terrain": {"las": {key: allowed}}})
        assert getattr(changed.terrain.las, key) == allowed
    for wrong in (least - 1, most + 1):
        with pytest.raises(BalanceError, match=f"terrain.las.{key}"):
            make_rules({"terrain": {"las": {key: wrong}}})


def test_words():
    """They are rows, corners, cushion_per and dominance_at."""
    base = make_rules()
    assert (base.rows, base.corners, base.cushion_per, base.dominance_at) == (
        5,
        False,
        "combat",
        "round",
    )
    for changes in ({"rows": 4}, {"corners": 1}, {"cushion_per": "game"}, {"dominance_at": "never"}):
        (key,) = changes
        with pytest.raises(BalanceError, match=key):
            make_rules(changes)


def test_a_terrain_allows_its_own_building_or_none():
    """Section 10: a bridge belongs on a river."""
    assert make_rules({"terrain": {"rzeka": {"building": "none"}}}).terrain.rzeka.building == "none"
    with pytest.raises(BalanceError, match=r"rownina\.building: .*'zasieki' or 'none', got 'most'"):
        make_rules({"terrain": {"rownina": {"building": "most"}}})
    with pytest.raises(BalanceError, match=r"las\.building: .*'none', got 'zasieki'"):
        make_rules({"terrain": {"las": {"building": "zasieki"}}})


def test_starting_warriors_fit_into_the_grod():
    with pytest.raises(BalanceError, match=r"second_warriors is 2, more than grod_capacity \(1\)"):
        make_rules({"grod_capacity": 1})


def test_set_1_components():
    """SET-1: 20 terrain cards, 30 fate cards of 14 kinds, 9 buildings; limits 0-20, 0-30, 0-20."""
    base = make_rules()
    assert sum(base.terrain_named(name).cards for name in TERRAINS) == 20
    assert sum(getattr(base.cards, card) for card in CARDS) == 30
    assert [getattr(base.buildings, kind) for kind in BUILDINGS] == [3, 3, 3]
    for table, key, most in (("cards", "okup", 30), ("buildings", "most", 20)):
        assert make_rules({table: {key: most}})
        with pytest.raises(BalanceError, match=f"{table}.{key}"):
            make_rules({table: {key: most + 1}})


def test_set_4_terrain_table():
    """SET-4: cards, capacity, points, building and special of each terrain."""
    base = make_rules()
    table = {
        "rownina": (5, 4, 1, "zasieki", (0, 0, 0, 0)),
        "pustynia": (2, 4, -1, "zasieki", (0, 0, 0, 3)),
        "las": (4, 4, 1, "none", (1, 0, 0, 0)),
        "wzgorza": (3, 4, 1, "twierdza", (0, 1, 0, 0)),
        "rzeka": (3, 2, 1, "most", (0, 0, 0, 0)),
        "bagno": (3, 2, -1, "none", (0, 0, 1, 0)),
    }
    for name, expected in table.items():
        terrain = base.terrain_named(name)
        special = (terrain.warriors, terrain.defence, terrain.gloom, terrain.deadly_from)
        found = (terrain.cards, terrain.capacity, terrain.points, terrain.building, special)
        assert found == expected, name


def test_keys_of_the_rule_set():
    """run.json holds exactly the keys of section 10."""
    keys = {*NUMBERS, "rows", "corners", "cushion_per", "dominance_at", "terrain", "buildings", "cards"}
    assert set(make_rules().model_dump()) == keys | {"title", "description"}
    with pytest.raises(BalanceError, match="moral"):
        make_rules({"moral": 3})


def test_reports_say_that_it_is_a_reconstruction():
    found = GAME.rules.list_reconstructions(make_rules())
    assert any("board" in line for line in found)
    assert any("terrain" in line for line in found)
