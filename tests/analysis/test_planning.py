"""Games that a question needs, from what a run shows."""

from __future__ import annotations

import math

import pytest
from support.runs import play

import balance
from balance.analysis.planning import plan_from_run, plan_games
from balance.log.folder import RunFolder
from balance.stats.power import games_needed

FIRST = "does a seat differ from fair?"


def needed(table):
    return int(table[table["question"] == FIRST]["games"].iloc[0])


def test_the_spread_is_that_of_the_run(tmp_path):
    """The largest error of a seat, as of so many independent games."""
    run = play(tmp_path / "run", players=[3], games=120)
    shares = balance.open_run(run).seat_shares()
    seats = shares.assign(spread=shares["error"] * shares["n"].pow(0.5))
    expected = games_needed(2.0, float(seats["spread"].max()), 0.8, 0.05, 1)
    assert needed(plan_from_run(RunFolder.open(run), 2.0, 0.8, 1)) == pytest.approx(expected, abs=1)


def test_decks_that_are_all_alike(tmp_path):
    """One of two always wins, from either seat: a deck counts as a trial, so it takes as many games more as it has."""
    lineups = [["champion", "random"]]
    run = play(tmp_path / "run", players=[2], strategies=[], lineups=lineups, games=60)
    shares = balance.open_run(run).seat_shares()
    assert (shares["error"] == 0).all() and (shares["value"] == 50).all()
    alike = needed(plan_from_run(RunFolder.open(run), 2.0, 0.8, 1))
    each = shares["n"].iloc[0] / shares["clusters" if "clusters" in shares else "decks"].iloc[0]
    assert each == 2
    assert alike == pytest.approx(each * needed(plan_games(2.0, [2], 0.8, 1)), rel=0.01)
    assert math.isfinite(alike)
