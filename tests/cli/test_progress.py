"""The progress bar shows games done, the rate and the time left, and only on a terminal."""

from __future__ import annotations

import io
import time

import pytest
from rich.console import Console

from balance.cli.terminal import show_progress


def shown(quiet: bool = False, terminal: bool = True) -> str:
    output = io.StringIO()
    console = Console(file=output, force_terminal=terminal, width=110)
    with show_progress(quiet, console=console) as progress:
        for done in (0, 20_000, 40_000):
            progress.advance(done, 60_000)
            time.sleep(0.15)
    return output.getvalue()


def test_the_bar_on_a_terminal():
    """It appears before planning and while games come in."""
    text = shown()
    assert "0/? games" in text or "0/60,000 games" in text
    assert "40,000/60,000 games" in text
    assert "games/s" in text
    assert "left" in text


@pytest.mark.parametrize(("quiet", "terminal"), [(True, True), (False, False)])
def test_no_bar_otherwise(quiet, terminal):
    """--quiet and a pipe show no bar."""
    assert "games" not in shown(quiet, terminal)
