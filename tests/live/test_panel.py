"""The panel for notebooks, without a notebook."""

import time

import pytest

import balance
from balance.foundation.errors import BalanceError


@pytest.fixture
def panel(few_games):
    panel = balance.live_panel("na-grunwald", players=[2], strategies=["champion", "generalist"], workers=1)
    yield panel
    panel.close()


def wait(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_figures_follow_a_change(panel):
    """They are in a frame without scripts; undo leads back."""
    wait(lambda: "Verdicts" in panel._figures.value)
    assert 'sandbox=""' in panel._figures.value and "<script" not in panel._figures.value
    panel.change("rounds", "7")
    assert panel._changed.value == "rounds = 7"
    wait(lambda: "now" in panel._figures.value)
    panel._act("undo", {})
    assert panel._changed.value == "nothing changed"


def test_a_mistake_is_shown(panel):
    """It changes nothing, and what was typed stays."""
    panel._value.value = "99"
    panel.change("rounds", "99")
    assert "must be at most 12" in panel._error.value
    assert panel._changed.value == "nothing changed" and panel._value.value == "99"
    panel.change("rounds", "6")
    assert panel._error.value == "" and panel._value.value == "6"
    panel._key.value = "tie_rule"
    assert panel._value.value == '"first-placed"'


def test_a_wrong_call_is_one_line():
    with pytest.raises(BalanceError, match="unknown game 'frob'"):
        balance.live_panel("frob")
