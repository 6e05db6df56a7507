"""The turning point of a replay, against a walk through the game and the compiled win chances of a searcher."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support.runs import game_of

from balance.contract.game import get_game
from balance.engine.search import ismcts
from balance.engine.stepper import Stepper, walk_labels
from balance.experiments.searchers import load_search, pack_searchers
from balance.report.replay import open_replay
from balance.report.replay.turning import LEAST_RISE, find_turning_point


def chances_by_decision(replay):
    """Return the winner's chance before each decision with several options, as searchers estimate it."""
    game, players = replay.run.plan.game, replay.cell.players
    search = load_search(
        game, {"kind": "search", "iterations": 1}, game.folder / "searchers" / "default.toml"
    )
    table = pack_searchers(game, [search], [None], players).tables[0]
    stepper = Stepper.deal(game, replay.cell.variant.rules, players, int(replay.game["deal_seed"]))
    winner = int(replay.seats["seat"][replay.seats["rank"] == 1].iloc[0])
    found = []
    labels = replay.trace.loc[replay.trace["seat"] >= 0, "label"].tolist()
    for step in walk_labels(stepper, labels):
        if len(step.options) > 1:
            reward = np.zeros(players)
            progress = game.heuristics.estimate(stepper.packed, stepper.state, stepper.scratch)
            ismcts._share_chances(table, players, progress, stepper.scratch, reward)
            found.append((step.label, reward[winner]))
    return found


@pytest.mark.parametrize("number", range(6))
def test_the_largest_rise_is_found(traced_run, tmp_path, number):
    """It is the decision after which the winner's chance rises most; none if no rise is large."""
    replay = open_replay(traced_run, game_of(2, number), tmp_path)
    labels, chances = zip(*chances_by_decision(replay), strict=True)
    rises = np.diff([*chances, 1.0])
    turn = find_turning_point(replay)
    if rises.max() < LEAST_RISE or (replay.seats["rank"] == 1).sum() > 1:
        assert turn is None
        return
    most = int(rises.argmax())
    assert turn.after - turn.before == pytest.approx(rises[most], abs=1e-6)
    assert turn.before == pytest.approx(chances[most], abs=1e-6)
    told = get_game("na-grunwald").display.say(
        labels[most], replay.names[replay.scenes[turn.scene].seat]
    )
    assert replay.scenes[turn.scene].text == told


def test_a_chosen_game_opens_at_its_turning_point(traced_run, cli, tmp_path):
    """The page names the move; a game that the user named by its number opens at the start."""
    pages = []
    for which in ("comeback", str(game_of(2, 2))):
        cli(f"replay {traced_run} {which} --html {tmp_path / 'page.html'}", status=0)
        pages.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    move = re.search(r'turning point is <a href="#m(\d+)">', pages[0])
    assert move
    assert f'"start": {int(move[1]) - 1}' in pages[0]
    assert '"start": 0' in pages[1]
