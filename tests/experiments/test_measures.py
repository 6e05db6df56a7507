"""Measures by name: the error for a measure that a run does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from balance.experiments.experiment import make_experiment
from balance.experiments.measures import choose_measures
from balance.experiments.planning import check_targets_fit, make_plan
from balance.experiments.targets import Target
from balance.foundation.errors import BalanceError

KEYS = {"game": "na-grunwald", "players": [4], "games": 4}


def plan_of(**keys):
    return make_plan(
        make_experiment({**KEYS, "strategies": ["generalist", "random"], **keys}), Path(), "x"
    )


@pytest.mark.parametrize("name", ["comeback", "winner_deficit", "lead_changes"])
def test_a_measure_of_rounds_names_the_log_level(name):
    """`check` and `compare` name the log level needed and that of the run."""
    says = f'measure \'{name}\' needs log = "rounds" or "trace" (--log rounds), and this run has log = "games"'
    plan = plan_of()
    with pytest.raises(BalanceError) as chosen:
        choose_measures(plan, [name])
    assert str(chosen.value) == says
    with pytest.raises(BalanceError) as checked:
        check_targets_fit(plan, [Target(measure=name, least=1)], "goals.toml")
    assert str(checked.value) == f"goals.toml: {says}"
    assert choose_measures(plan_of(log="rounds"), [name])[0].name == name


def test_a_share_of_strategies_needs_several():
    """One strategy on every seat has no share."""
    plan = plan_of(strategies=["random"])
    with pytest.raises(BalanceError, match="'strategy_win_share' needs several strategies"):
        choose_measures(plan, ["strategy_win_share"])


def test_a_name_that_no_measure_has():
    """The nearest name is suggested."""
    with pytest.raises(BalanceError, match="unknown measure 'scores'; did you mean 'score'"):
        choose_measures(plan_of(), ["scores"])
