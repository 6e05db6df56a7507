"""Measures at the table in studies: planted rules move them as known; one line says where they can't be measured."""

from pathlib import Path

import pytest

from balance.experiments.experiment import make_experiment
from balance.foundation.errors import BalanceError
from balance.studies.reruns import TRIED
from balance.studies.sensitivity import Sensitivity, find_effects
from balance.studies.settings import Tried
from balance.studies.trying import open_trial
from balance.studies.tune import play_tuning, read_tuning

GAME = """
from pydantic import Field

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    early: int = Field(default=0, ge=0, le=1, description="Whether the first round decides")
    kings: int = Field(default=0, ge=0, le=1, description="Whether the third player decides")
    turns: int = Field(default=1, ge=1, le=2, description="Choices of the first player in a row")


class State:
    def __init__(self, rules, players, lucky):
        self.rules, self.players, self.lucky = rules, players, lucky
        self.seat, self.round, self.made, self.points = 0, 1, 0, [0] * players


class Planted(PlainGame):
    title = "Planted"
    players = (2, 3)
    Rules = Rules

    def setup(self, rules, players, chance):
        return State(rules, players, chance.randint(0, 1))

    def actions(self, state):
        return ["0", "1"]

    def apply(self, state, action, chance):
        own, points, rules = state.seat, state.points, state.rules
        if own == 2:
            points[own] -= 50
            points[int(action)] += 40 * rules.kings * (state.round == 6)
        elif state.made == 0:
            points[own] += chance.randint(0, 4) + 100 * rules.early * (state.round == 1 and own == state.lucky)
        state.made += 1
        if own or state.made == rules.turns:
            state.made, state.seat = 0, (own + 1) % state.players
            state.round += state.seat == 0

    def over(self, state):
        return state.round > 6

    def scores(self, state):
        return state.points
"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted") / "planted"
    (folder / "variants").mkdir(parents=True)
    Path(folder / "game.py").write_text(GAME, encoding="utf-8")
    base = 'title = "Planted"\ndescription = "As it is."\nearly = 0\nkings = 0\nturns = 1\n'
    Path(folder / "variants" / "base.toml").write_text(base, encoding="utf-8")
    return folder


def asked(planted, measures, **keys):
    data = {"game": str(planted), "players": [2, 3], "strategies": ["random"], "games": 400, "seed": 4, **keys}
    return Sensitivity(make_experiment(data), (), measures)


MEASURES = ("out_of_it", "decided_at", "longest_wait", "kingmaking", "late_kingmaking")


@pytest.mark.slow
def test_steps_move_what_was_planted(planted, tmp_path):
    """A first round that decides leaves one without hope, a third player makes kings, the second waits longer."""
    table = find_effects(asked(planted, MEASURES), tmp_path).table
    table = table.set_index(["players", "key", "measure"]).sort_index()
    after = table["baseline"] + table["effect"]
    assert after[2, "early", "out_of_it"] == pytest.approx(100, abs=0.5)
    assert after[2, "early", "decided_at"] == pytest.approx(100 / 6, abs=1)
    assert (
        table["verdict"][2, "early", "out_of_it"] == "higher" and table["verdict"][2, "early", "decided_at"] == "lower"
    )
    assert table["effect"][2, "turns", "longest_wait"] == pytest.approx(0.5)  # of one of two players
    assert after[3, "kings", "late_kingmaking"] == pytest.approx(100 / TRIED, abs=12)  # each game, if it is tried
    kings = table.loc[(3, "kings", "kingmaking")]
    assert kings["low"] <= 100 / 6 <= kings["high"] and kings["verdict"] == "higher"
    for key, measure in (("turns", "out_of_it"), ("kings", "longest_wait"), ("turns", "decided_at")):
        row = table.loc[(2, key, measure)]
        assert row["low"] <= 0 <= row["high"]


def test_too_few_deals_are_one_line(planted, tmp_path):
    with pytest.raises(BalanceError, match="from 200 deals or more"):
        find_effects(asked(planted, ("out_of_it",), games=100, players=[2]), tmp_path)


def test_games_of_one_round_say_so_once(tmp_path):
    """Nim has one round under all rules: one line, and no advice to play more."""
    with pytest.raises(BalanceError) as error:
        find_effects(asked("examples/known/nim", ("out_of_it",), players=[2], games=100), tmp_path)
    assert str(error.value) == (
        "no measures at the table: no game was finished with two rounds or more, and chances are followed from "
        "round to round"
    )


@pytest.mark.slow
def test_a_try_shows_both_sides_and_the_change(planted):
    """The same figures as the steps; a comparison without a change has one side."""
    tried = Tried(str(planted), "base", (2,), ("random",), 400, measures=("out_of_it", "score"))
    trial = open_trial(tried, 1)
    alone = trial.compare().table.query("measure == 'out_of_it'")
    assert list(alone["side"]) == ["now"]
    trial.change("early = 1")
    rows = trial.compare().table.query("measure == 'out_of_it'").set_index("side")
    assert rows["value"]["now"] == pytest.approx(100, abs=0.5)
    assert rows["value"]["change"] == pytest.approx(rows["value"]["now"] - rows["value"]["before"])
    assert rows["verdict"]["change"] == "higher"


EXPERIMENT = """
game = "./planted"
players = [2]
variants = ["decided.toml"]
strategies = ["random"]
games = 400
seed = 3

[[targets]]
measure = "out_of_it"
most = 60

[tune]
keys = ["early", "turns"]
games = 10_000
"""


@pytest.mark.long
def test_tuning_finds_the_rule_that_leaves_hope(planted):
    """From a first round that decides, the one change is found, and held-out games show it by chances of their own."""
    decided = 'extends = "base"\ntitle = "Decided"\ndescription = "By its first round."\nearly = 1\n'
    (planted.parent / "decided.toml").write_text(decided, encoding="utf-8")
    (planted.parent / "tune.toml").write_text(EXPERIMENT, encoding="utf-8")
    results = play_tuning(read_tuning(planted.parent / "tune.toml"), planted.parent / "tuned")
    assert results.recommended is not None
    assert results.finalists[results.recommended] == (("early", 0),)
    checks = results.checks.set_index("variant")
    assert checks["verdict"]["decided"] == "fail" and checks["value"]["decided"] == 100
    assert checks["verdict"]["early=0"] == "pass"
