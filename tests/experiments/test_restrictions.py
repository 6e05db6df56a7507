"""Restrictions: what a pattern matches, strategies that have one, and where they are refused."""

from pathlib import Path

import pytest

from balance.contract.game import get_game
from balance.contract.restrictions import Restriction, check_patterns
from balance.engine.restricting import MOST_RESTRICTIONS
from balance.experiments.experiment import make_experiment
from balance.experiments.planning import make_plan
from balance.experiments.saved_plan import describe_plan, restore_plan
from balance.experiments.strategies import list_restrictions, load_strategy
from balance.foundation.errors import BalanceError
from balance.runs.batches import check_components, load_judge

GAME = get_game("polska")


@pytest.mark.parametrize(
    ("pattern", "concerned"),
    [
        ("play train lodz", True),
        ("play *", True),
        ("play stop *", False),
        ("lodz", True),
        ("place=lodz", True),
        ("place=l*z", True),
        ("card=lodz", False),
        ("act", False),
        ("kind=act", True),
        ("kind=act & play *", True),
        ("kind=more & play *", False),
    ],
)
def test_a_pattern_is_about_label_or_parts(pattern, concerned):
    """The kind is matched only by its name."""
    restriction = Restriction(title="it", patterns=["nothing", pattern])
    assert restriction.concerns("play train lodz", {"kind": "act", "place": "lodz"}) is concerned


def test_wrong_patterns_are_refused():
    with pytest.raises(BalanceError, match="here: unknown part of an action 'plac'; did you mean 'place'"):
        check_patterns(GAME, ["plac=lodz"], "here")
    with pytest.raises(BalanceError, match="here: a pattern is empty"):
        check_patterns(GAME, [""], "here")


def test_a_strategy_goes_without_an_option_by_name():
    """It keeps the weights of the strategy and says so in its name."""
    own, free = (load_strategy(GAME, name, Path()) for name in ("champion without trains", "champion"))
    assert own.name == "champion without trains" and own.profile == free.profile
    assert own.restriction.patterns == ["play train *"] and free.restriction is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("champion without train", "unknown restriction of polska 'train'; did you mean 'trains'"),
        ("champoin without trains", "did you mean 'champion'"),
        ("search-10 without trains", "'search-10' can't have the restriction 'trains': only profiles"),
        ("champion without trains without eagles", "'champion without trains' can't .*: it has one"),
    ],
)
def test_a_wrong_name_is_one_line(name, message):
    with pytest.raises(BalanceError, match=message):
        load_strategy(GAME, name, Path())


def test_too_many_restrictions_are_refused():
    """The loop has a bit for each."""
    free = load_strategy(GAME, "random", Path())
    each = [free.without(str(n), Restriction(title="it", patterns=[str(n)])) for n in range(MOST_RESTRICTIONS + 1)]
    assert len(list_restrictions(each[1:])) == MOST_RESTRICTIONS
    with pytest.raises(BalanceError, match=r"32 restrictions, but .* at most 31"):
        list_restrictions(each)


def plan(**keys: object):
    """Return the plan of a tier with a restricted strategy."""
    strategies = ["champion without trains", "expert without trains", "champion"]
    tier = {"name": "one", "strategies": strategies, "games": 10, **keys}
    return make_plan(make_experiment({"game": "polska", "players": [2], "tiers": [tier]}), Path(), "test")


def test_run_json_keeps_restrictions():
    made = plan()
    assert restore_plan(describe_plan(made)).tier.strategies == made.tier.strategies


def test_run_json_with_a_restricted_searcher_is_refused():
    """It could not be played as it says."""
    told = describe_plan(plan())
    told["strategies"][0] |= {"kind": "random", "profile": None}
    assert restore_plan(told)
    told["strategies"][0] |= {"kind": "custom", "bot": "a.py:B"}
    with pytest.raises(BalanceError, match="of the kind custom can't have a `restriction`"):
        restore_plan(told)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"loss": 0.2}, "loss: does not apply to champion without trains"),
        ({"adapt": 50_000}, "adapt: does not apply to expert without trains"),
    ],
)
def test_training_that_does_not_know_restrictions_is_refused(keys, message):
    with pytest.raises(BalanceError, match=message):
        plan(**keys)


def test_games_that_continue_from_a_position_are_refused():
    """The loop could stop in the middle of them."""
    for refuse in (check_components, lambda made: load_judge(made, "search-10")):
        with pytest.raises(BalanceError, match="tier one has restricted strategies"):
            refuse(plan())
