"""The simulator of a custom bot: a new deal at each call, never the real one, and no effect on the game."""

import re
from pathlib import Path

import numpy as np
import pytest
from support.runs import play, read_rows

from balance.contract.game import find_games, get_game
from balance.engine.sandbox import Sandbox
from balance.engine.stepper import Stepper
from balance.experiments.variants import load_variant
from balance.foundation.errors import BalanceError

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
SEARCHING = re.findall(r'title="lookahead.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.S)[0]


def begin(name: str, players: int, deal_seed: int = 3) -> Stepper:
    """Return a dealt game by base rules."""
    game = get_game(name)
    return Stepper.deal(game, load_variant(game, "base", Path()).rules, players, deal_seed)


@pytest.mark.parametrize("name", find_games())
def test_a_simulator_is_not_told_what_is_hidden(name):
    stepper = begin(name, get_game(name).players[-1])
    rng = np.random.default_rng(1)
    differed = 0
    while not stepper.over:
        other = stepper.copy()
        other.determinize(int(rng.integers(2**63)))
        assert other.known() == stepper.known()
        differed += other.state.tobytes() != stepper.state.tobytes()
        stepper.take(rng.integers(len(stepper.options())))
    assert differed > 20, "there was something hidden"


@pytest.mark.parametrize("name", find_games())
def test_deals_differ_and_repeat(name):
    """They depend on number and seed; all offer the game's options, and the game does not change."""
    stepper = begin(name, 2)
    before = stepper.state.tobytes()
    rooms = []
    for seed in (5, 5, 6):
        room = Sandbox(stepper.game.package, stepper.rules.model_dump(by_alias=True), 2, seed)
        room.look(stepper.known())
        rooms.append([room.deal() for _ in range(3)])
    states = [[trial.state.tobytes() for trial in trials] for trials in rooms]
    assert states[0] == states[1]
    assert len({state for found in states[1:] for state in found}) == 6
    for trial in rooms[0]:
        assert trial.options() == stepper.options()
        trial.take(0)
    assert stepper.state.tobytes() == before


def test_a_trial_knows_scores():
    """They are those of the game's `score_now`, and of the result at the end."""
    stepper = begin("na-grunwald", 3)
    while not stepper.over:
        stepper.options()
        stepper.take(0)
    _, seats = stepper.result()
    assert stepper.scores() == seats.score.tolist()


def test_a_game_without_scores_says_so(monkeypatch):
    stepper = begin("polska", 2)
    monkeypatch.delattr(stepper.game.heuristics, "score_now")
    with pytest.raises(BalanceError, match=r"heuristics\.score_now is missing"):
        stepper.scores()


@pytest.mark.long
def test_a_bot_that_searches_wins(tmp_path):
    """One deal per action beats random play, by the variant's rules and with the same rows on two workers."""
    bot = tmp_path / "bot.py"
    bot.write_text(SEARCHING)
    keys = {"players": [2], "strategies": [f"{bot}:Tries", "random"], "games": 8}
    keys["variants"] = ["base", "krzyzacy-hard"]
    one = play(tmp_path / "one", **keys)
    two = play(tmp_path / "two", workers=2, **keys)
    assert read_rows(one, "seats").equals(read_rows(two, "seats"))
    seats = read_rows(one, "seats")
    assert seats[seats["strategy"] == "Tries"]["win_share"].mean() > 0.8


def test_what_a_bot_does_to_its_simulator_touches_nobody(tmp_path):
    """The rows equal those of a bot without a simulator."""
    spoils = "trial = simulator.deal(); trial.state.over = 1; trial.options(); trial.take(0); "
    runs = []
    for more, before in ((", simulator", spoils), ("", "")):
        bot = tmp_path / f"bot{len(runs)}" / "bot.py"
        bot.parent.mkdir()
        head = f"class First:\n    def choose(self, observation, actions{more}):\n        "
        bot.write_text(f"{head}{before}return 0\n")
        strategies = [f"{bot}:First", "random"]
        runs.append(play(tmp_path / f"run{len(runs)}", players=[2], strategies=strategies, games=4))
    assert read_rows(runs[0], "seats").equals(read_rows(runs[1], "seats"))
