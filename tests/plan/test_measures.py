"""Measures by name: what is wrong with one that a run does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.errors import BalanceError
from balance.plan.experiment import make_experiment
from balance.plan.make import check_targets_fit, make_plan
from balance.plan.measures import choose_measures
from balance.plan.targets import Target

KEYS = {"game": "na-grunwald", "players": [4], "games": 4}


def plan_of(**keys):
    return make_plan(
        make_experiment({**KEYS, "strategies": ["balanced", "random"], **keys}), Path(), "x"
    )


@pytest.mark.parametrize("name", ["comeback", "drama", "lead_changes"])
def test_a_measure_of_rounds_names_the_log_level(name):
    """`check` and `compare` say what to log, and what the run has."""
    says = f'measure \'{name}\' needs log = "rounds" or "trace" (--log rounds), and this run has "games"'
    plan = plan_of()
    with pytest.raises(BalanceError) as chosen:
        choose_measures(plan, [name])
    assert str(chosen.value) == says
    with pytest.raises(BalanceError) as checked:
        check_targets_fit(plan, [Target(measure=name, least=1)], "goals.toml")
    assert str(checked.value) == f"goals.toml: {says}"
    assert choose_measures(plan_of(log="rounds"), [name])[0].name == name


def test_a_share_of_strategies_needs_several():
    """One strategy on every seat has no share of its own."""
    plan = plan_of(strategies=["random"])
    with pytest.raises(BalanceError, match="'strategy_win_share' needs several strategies"):
        choose_measures(plan, ["strategy_win_share"])


def test_a_name_that_no_measure_has():
    """The nearest is proposed."""
    with pytest.raises(BalanceError, match="unknown measure 'scores'; did you mean 'score'"):
        choose_measures(plan_of(), ["scores"])
