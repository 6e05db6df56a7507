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


_SCORES = "    def scores(self, state):\n        return state.points\n"
_OUTCOME = "    def outcome(self, state):\n        return "
_ALONE = ("players = (2, 3)", "players = (1,)")
_OUTCOMES = ("import PlainGame, RuleSet", "import LOST, WON, PlainGame, RuleSet")
_OVER = "return state.left == 0"
_LONGER = (
    ("class Rules(RuleSet):\n    pass", "class Rules(RuleSet):\n    turns: int = 3"),
    ("def __init__(self, players):", "def __init__(self, players, turns):"),
    ("[0] * players, 3 * players", "[0] * players, turns * players"),
    ("State(players)", "State(players, rules.turns)"),
)
_TEAMS = """    def teams(self, players):
        return ["łoś", "<b>"] if players == 2 else ["łoś", "<b>", "<b>"]

    def scores(self, state):
        return [state.points[0], sum(state.points[1:])]
"""
STRANGE = {
    "plainest": (),
    "longer": _LONGER,
    "one round": (*_LONGER, ("self.players, self.seat", "self.round, self.players, self.seat"), ("= pl", "= 1, pl")),
    "race": (*_LONGER, ('["low", "high"]', '["roll"]')),
    "no chance": (*_LONGER, ('chance.randint(1, 3 if action == "low" else 4)', 'len(action) % 3')),
    "no ties": (*_LONGER, ("return state.points", "return [10 * own + seat for seat, own in enumerate(state.points)]")),
    "tied": (*_LONGER, ("return state.points", "return [1] * state.players")),
    "points": (
        *_LONGER, _ALONE, (_SCORES, f"{_OUTCOME}state.points[0]\n"),
        ("    Rules = Rules\n", '    Rules = Rules\n    GOAL = "score"\n'),
    ),
    "won": (*_LONGER, _ALONE, (_SCORES, f"{_OUTCOME}WON if state.points[0] > 6 else LOST\n"), _OUTCOMES),
    "won together": (*_LONGER, (_SCORES, f"{_OUTCOME}WON if sum(state.points) > 13 else LOST\n"), _OUTCOMES),
    "teams": (*_LONGER, (_SCORES, _TEAMS)),
    "żółw 日本": (*_LONGER, ('"Plainest"', '"Żółw 日本 <b>"'), ('"low", "high"', '"nisko ⚀", "<b>ż</b>"')),
    "long labels": (*_LONGER, ('"low", "high"', '"low" + "x" * 900, "high " + "y y " * 250')),
    "endless": (*_LONGER, (_OVER, "return False")),
    "choices for three": (('["low", "high"]', '["low", "high"][: state.players - 1]'),),
    "no action": (('["low", "high"]', '["low", "high"][: state.left - 1]'),),
}  # fmt: skip
"""Changes of `PLAINEST` that other people might have written; all from "longer" to "endless" have the key ``turns``."""


def write_strange(folder: Path, name: str) -> Path:
    """Write one of the games of `STRANGE` into a folder, and return its own."""
    game, text = write_plainest(folder), PLAINEST
    for old, new in STRANGE[name]:
        assert old in text, old
        text = text.replace(old, new)
    (game / "game.py").write_text(text, encoding="utf-8")
    return game
