"""The values that a tuning study may change: single numbers by player count and seat, ranges and choices."""

import pytest
from support.errors import refused
from support.own_game import write

from balance.contract.game import get_game
from balance.contract.rule_tables import by_seat
from balance.experiments.parameters import RuleSpace, read_space
from balance.experiments.targets import Tune


def space(game: str, players: list[int], start: str = "base", **keys) -> RuleSpace:
    """Return the parameters of a game for the keys of a `[tune]` table."""
    return read_space(get_game(game), start, players, Tune(**keys), "here: tune")


def rules(found: RuleSpace, *changes):
    """Return the rules with changes."""
    variant = found.variant(changes, "changed")
    assert variant is not None
    return variant.rules


def test_a_number_by_player_count_is_a_parameter_for_each_count():
    found = space("na-grunwald", [3, 4], keys=["krzyzacy.bonus"])
    assert [each.name for each in found.parameters] == ["krzyzacy.bonus.3", "krzyzacy.bonus.4"]
    assert found.parameters[1].values == (3, 4, 5, 6, 7, 8, 9)
    changed = rules(found, ("krzyzacy.bonus.4", 8))
    assert [changed.krzyzacy.bonus.at(count) for count in (2, 3, 4)] == [2, 4, 8]
    assert found.write((("krzyzacy.bonus.4", 8),)) == "krzyzacy.bonus.4: 6 → 8"


def test_seats_change_together_and_one_by_one():
    """A key by seat has a parameter for all seats and one for each seat at each count; both add up."""
    found = space("na-grunwald", [4], start="later-seats-richer", keys=["start.ducats"])
    names = [each.name for each in found.parameters]
    assert names == ["start.ducats", *(f"start.ducats.4 seat {seat}" for seat in range(1, 5))]
    assert [each.start for each in found.parameters] == [3, 3, 4, 4, 4]
    changed = rules(found, ("start.ducats", 4), ("start.ducats.4 seat 4", 6))
    assert by_seat(changed.start.ducats, 4) == [4, 5, 5, 7]
    assert by_seat(changed.start.ducats, 3) == [4, 5, 5]


def test_limits_ranges_and_fixed_keys():
    """Values stay within the key's limits and the table's range; fixed patterns leave keys or single values out."""
    found = space("grody", [2], ranges={"hand_start": [0, 2]})
    assert [each.values for each in found.parameters] == [(0, 1, 2)] * 3
    found = space("grody", [2], keys=["hand_start"], fixed=["hand_start seat 1"])
    assert [each.name for each in found.parameters] == ["hand_start", "hand_start seat 2"]
    assert found.parameters[0].values == (0, 1, 2, 3)
    assert rules(found, ("hand_start seat 2", 1)).hand_start == [0, 1]


def test_choices_are_words_and_whole_values():
    """A key with choices is one parameter; any other value is one step away."""
    found = space("na-grunwald", [2], choices={"tie_rule": ["first-placed", "last-placed"]})
    (tie,) = found.parameters
    assert tie.steps_to("first-placed") == 0 and tie.steps_to("last-placed") == 1
    assert rules(found, ("tie_rule", "last-placed")).tie_rule == "last-placed"


def test_rules_that_cannot_be_played_are_refused():
    """A quest whose results are not in order has no variant."""
    found = space("korona-piastow", [4], keys=["quest.*"], steps=8)
    assert found.variant((("quest.lost", 9),), "wrong") is None


def test_default_is_every_number():
    """Switches, words and where data come from are left out."""
    found = space("na-grunwald", [2, 3, 4])
    names = {each.key for each in found.parameters}
    assert {"rounds", "start.ducats", "krzyzacy.bonus", "scoring.ducats_per_point"} <= names
    assert not {"tie_rule", "hire.first_pays", "cards.crown.source"} & names
    assert all(each.is_number for each in found.parameters)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"keys": ["strat.*"]}, "here: tune: no rule key matches 'strat.*'"),
        ({"ranges": {"rounds": [9, 12]}}, "here: tune: rounds: 9 to 12 leaves out 8, the value of base"),
        ({"ranges": {"rouns": [6, 12]}}, "did you mean 'rounds'"),
        ({"ranges": {"rounds": [-9, -3]}}, "ranges: rounds: no value from -9 to -3 is allowed"),
        ({"choices": {"tie_rule": ["last-placed"]}}, "leaves out first-placed, the value of base"),
        ({"keys": ["rounds"], "fixed": ["rounds"]}, "here: tune: none of these keys has another value"),
    ],
)
def test_mistakes_are_one_clear_line(keys, says):
    with refused(says):
        space("na-grunwald", [2], **keys)


@pytest.mark.timeout(20)
def test_a_range_without_end_is_refused_at_once(tmp_path):
    """A number of one's own game need not have limits."""
    game = write(tmp_path, ("highest: int = Field(ge=10, le=20, ", "highest: int = Field(ge=10, "))
    with refused("here: tune: ranges: highest: 10 to ", "has more than 10,000 values"):
        space(str(game), [2], ranges={"highest": [0, 1e12]})


def test_a_decimal_0_has_steps(tmp_path):
    line = "highest: int = Field(ge=10, le=20, "
    game = write(tmp_path, (line, f"extra: float = Field(default=0.0, ge=0, le=1)\n    {line}"))
    (found,) = space(str(game), [2], keys=["extra"]).parameters
    assert found.values == pytest.approx((0.0, 0.1, 0.2, 0.3))


def test_the_ends_of_a_decimal_range_are_tried(tmp_path):
    """2.1 and three steps of 0.21 is 2.7300000000000004."""
    line = "prize: int"
    game = write(tmp_path, (line, f"extra: float = Field(default=2.1, ge=0, le=9)\n    {line}"))
    (found,) = space(str(game), [2], ranges={"extra": [1.47, 2.73]}).parameters
    assert found.values == pytest.approx((1.47, 1.68, 1.89, 2.1, 2.31, 2.52, 2.73))
