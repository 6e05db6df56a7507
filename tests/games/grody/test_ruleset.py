"""The rule set of Grody: every key of section 10 with its base value and range, and refused values."""

import pytest
from support.errors import refused
from support.grody import GAME, make_rules
from support.oracles.grody.base import RANGES, TERRAIN_RANGES, base_rules

from balance.foundation.errors import BalanceError
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS

NUMBERS = {
    **{key: values for key, values in RANGES.items() if type(values[0]) is int and key != "rows"},
    "hand_start": [0, 6],
    **{f"terrain.las.{key}": values for key, values in TERRAIN_RANGES.items() if key != "building"},
    "cards.okup": [0, 30],
    "buildings.most": [0, 20],
}


def changed(key: str, value: object) -> dict[str, object]:
    """Return the change of a dotted key of a rule set."""
    first, _, rest = key.partition(".")
    return {first: changed(rest, value) if rest else value}


def value_of(rules: object, key: str) -> object:
    for name in key.split("."):
        rules = getattr(rules, name)
    return rules


@pytest.mark.parametrize("key", NUMBERS)
def test_numbers_and_their_ranges(key):
    """Section 10: the ends of the range are allowed, and one beyond is refused in one line that names the key."""
    least, most = min(NUMBERS[key]), max(NUMBERS[key])
    for allowed in (least, most):
        assert value_of(make_rules(changed(key, allowed)), key) == allowed
    for wrong in (least - 1, most + 1):
        with refused(key):
            make_rules(changed(key, wrong))


@pytest.mark.parametrize(
    "changes", [{"rows": 4}, {"corners": 1}, {"cushion_per": "game"}, {"dominance_at": "never"}, {"moral": 3}]
)
def test_words_and_unknown_keys_are_refused(changes):
    with pytest.raises(BalanceError, match=next(iter(changes))):
        make_rules(changes)


def test_a_terrain_allows_its_own_building_or_none():
    """Section 10: a bridge belongs on a river."""
    assert make_rules({"terrain": {"rzeka": {"building": "none"}}}).terrain.rzeka.building == "none"
    with pytest.raises(BalanceError, match=r"rownina\.building: .*'zasieki', 'none', got 'most'"):
        make_rules({"terrain": {"rownina": {"building": "most"}}})
    with pytest.raises(BalanceError, match=r"las\.building: .*'none', got 'zasieki'"):
        make_rules({"terrain": {"las": {"building": "zasieki"}}})


def test_starting_warriors_fit_into_the_grod():
    """SET-3: at most `grod_capacity`."""
    with pytest.raises(BalanceError, match=r"second_warriors is 2, more than grod_capacity \(1\)"):
        make_rules({"grod_capacity": 1})


def test_set_1_and_set_4_base_values():
    """SET-1, SET-4, section 10: the shipped base has the page's values and keys, and no others."""
    base = make_rules()
    assert sum(base.terrain_named(name).cards for name in TERRAINS) == 20
    assert sum(getattr(base.cards, card) for card in CARDS) == 30
    assert [getattr(base.buildings, kind) for kind in BUILDINGS] == [3, 3, 3]
    dumped = base.model_dump(by_alias=True)
    assert {key: value for key, value in dumped.items() if key not in ("title", "description")} == base_rules()


def test_reports_say_that_it_is_a_reconstruction():
    found = GAME.rules.list_reconstructions(make_rules())
    assert any("board" in line for line in found)
    assert any("terrain" in line for line in found)
