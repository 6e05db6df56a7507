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
    wait(lambda: "Verdicts" in panel.figures.value)
    assert 'sandbox=""' in panel.figures.value and "<script" not in panel.figures.value
    panel.change("rounds", "7")
    assert panel.changed.value == "rounds = 7"
    wait(lambda: "now" in panel.figures.value)
    panel.act("undo", {})
    assert panel.changed.value == "nothing changed"


def test_a_mistake_is_shown(panel):
    """It changes nothing, and what was typed stays."""
    panel.value.value = "99"
    panel.change("rounds", "99")
    assert "must be at most 12" in panel.error.value
    assert panel.changed.value == "nothing changed" and panel.value.value == "99"
    panel.change("rounds", "6")
    assert panel.error.value == "" and panel.value.value == "6"
    panel.key.value = "tie_rule"
    assert panel.value.value == '"first-placed"'


def test_a_wrong_call_is_one_line():
    with pytest.raises(BalanceError, match="unknown game 'frob'"):
        balance.live_panel("frob")
