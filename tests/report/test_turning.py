"""The turning point of a replay, against a walk through the game and the formula of a value file."""

import re

import numpy as np
import pytest
from support.runs import game_of

from balance.contract.game import get_game
from balance.engine.stepper import Stepper, walk_labels
from balance.foundation.toml import read_toml
from balance.report.replay import open_replay
from balance.report.replay.turning import LEAST_RISE, find_turning_point

pytestmark = pytest.mark.usefixtures("undrawn")


def chances(weights, names, progress, stepper):
    """Return the win chances of all seats: a softmax of features, with weights between two stages of the game."""
    worth = []
    for seat in range(int(stepper.packed.players)):
        total = 0.0
        for feature, stages in weights.items():
            at = progress * (len(stages) - 1)
            early = min(int(at), len(stages) - 2)
            now = stages[early] + (at - early) * (stages[early + 1] - stages[early])
            total += now * stepper.scratch.position[seat, names.index(feature)]
        worth.append(total)
    powers = np.exp(np.array(worth) - max(worth))
    return powers / powers.sum()


def chances_by_decision(replay):
    """Return the winner's chance before each decision with several options, with its label."""
    game, players = replay.run.plan.game, replay.cell.players
    weights = read_toml(game.folder / "values" / "default.toml")["weights"][str(players)]
    stepper = Stepper.deal(game, replay.cell.variant.rules, players, int(replay.game["deal_seed"]))
    winner = int(replay.seats["seat"][replay.seats["rank"] == 1].iloc[0])
    labels = replay.trace.loc[replay.trace["seat"] >= 0, "label"].tolist()
    found = []
    for step in walk_labels(stepper, labels):
        if len(step.options) > 1:
            progress = game.heuristics.estimate(stepper.packed, stepper.state, stepper.scratch)
            now = chances(weights, list(game.position), progress, stepper)
            found.append((step.label, now[winner]))
    return found


@pytest.mark.parametrize("number", range(6))
def test_the_largest_rise_is_found(traced_run, tmp_path, number):
    """It is the decision after which the winner's chance rises most; none if no rise is large."""
    replay = open_replay(traced_run, game_of(2, number), tmp_path)
    labels, before = zip(*chances_by_decision(replay), strict=True)
    rises = np.diff([*before, 1.0])
    turn = find_turning_point(replay)
    if rises.max() < LEAST_RISE or (replay.seats["rank"] == 1).sum() > 1:
        assert turn is None
        return
    most = int(rises.argmax())
    assert turn.after - turn.before == pytest.approx(rises[most], abs=1e-6)
    assert turn.before == pytest.approx(before[most], abs=1e-6)
    told = get_game("na-grunwald").display.say(labels[most], replay.names[replay.scenes[turn.scene].seat])
    assert replay.scenes[turn.scene].text == told


@pytest.mark.long
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
