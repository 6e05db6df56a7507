"""A game in plain Python for tests: the draft of `balance new game`, with lines of its code replaced."""

from pathlib import Path

import numpy as np

from balance.contract.game import get_game
from balance.experiments.drafts import write_game
from balance.experiments.variants import load_variant
from balance.plain.inputs import Inputs
from balance.training.network_files import write_learned
from balance.training.plain_inputs import find_inputs
from balance.training.plain_play import Board


def write(folder: Path, *changes: tuple[str, str], name: str = "duel") -> Path:
    """Write the draft of a game and return its folder; each change replaces one text of `game.py` by another."""
    path = write_game(name, folder).path
    text = (path / "game.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (path / "game.py").write_text(text, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> str:
    """Return the place of the first line of `game.py` with a text, as in an error."""
    lines = (path / "game.py").read_text(encoding="utf-8").splitlines()
    return f"{path / 'game.py'}:{next(n for n, line in enumerate(lines, 1) if text in line)}"


def write_untrained(path: Path, folder: Path, players: int = 2) -> Path:
    """Write players of the game in a folder as they are before any training."""
    game = get_game(str(folder))
    schema = find_inputs(game, load_variant(game, "base", Path()).rules, players)
    weights = Board(game, None, players, Inputs(schema, players)).first_weights(np.random.default_rng(1))
    path.parent.mkdir(exist_ok=True)
    write_learned(path, game, {players: schema}, {players: [weights]}, {})
    return path


PLAINEST = """
from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    pass


class State:
    def __init__(self, players):
        self.players, self.seat, self.points, self.left = players, 0, [0] * players, 3 * players


class Plainest(PlainGame):
    title = "Plainest"
    players = (2, 3)
    Rules = Rules

    def setup(self, rules, players, chance):
        return State(players)

    def actions(self, state):
        return ["low", "high"]

    def apply(self, state, action, chance):
        state.points[state.seat] += chance.randint(1, 3 if action == "low" else 4)
        state.left -= 1
        state.seat = (state.seat + 1) % state.players

    def over(self, state):
        return state.left == 0

    def scores(self, state):
        return state.points
"""


def write_plainest(folder: Path) -> Path:
    """Write a game with nothing that may be left out, not even a rule key or a round; return its folder."""
    path = folder / "plainest"
    (path / "variants").mkdir(parents=True)
    (path / "game.py").write_text(PLAINEST, encoding="utf-8")
    base = 'title = "Plainest"\ndescription = "As it is."\n'
    (path / "variants" / "base.toml").write_text(base, encoding="utf-8")
    return path
