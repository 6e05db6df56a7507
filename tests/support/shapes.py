"""A small game in plain Python whose rule keys set its shape: rounds, choices, chance, ties, the size of scores."""

from pathlib import Path

RULES = {"rounds": 4, "options": 3, "die": 4, "points": 1.0, "tied": False, "apart": False}
"""The keys with the values of `base`: a game with choices, chance and some ties."""
GAME = """
from dataclasses import dataclass

from pydantic import Field

from balance.plain import PlainGame, RuleSet


class Rules(RuleSet):
    rounds: int = Field(ge=1, le=9, description="rounds")
    options: int = Field(ge=1, le=3, description="actions at each decision")
    die: int = Field(ge=1, le=6, description="sides of a die added to an action; 1: no chance")
    points: float = Field(ge=-1e7, le=1e7, description="worth of a point")
    tied: bool = Field(description="all seats get the sum of all points")
    apart: bool = Field(description="a point for the number of the seat breaks all ties")


@dataclass
class State:
    rules: Rules
    got: list
    turns: int = 0
    seat: int = 0
    round: int = 1


class Shape(PlainGame):
    title = "Shape"
    players = (2, 3)
    Rules = Rules
    FEATURES = {"size": "number of the action"}
    COLUMNS = {"taken": "points before they count", "first": "points of the first seat, missing for others"}
    MOST_ROUNDS = 9

    def setup(self, rules, players, chance):
        return State(rules, [0] * players)

    def actions(self, state):
        return [f"take {number}" for number in range(state.rules.options)]

    def apply(self, state, action, chance):
        die = chance.randint(0, state.rules.die - 1) if state.rules.die > 1 else 0
        state.got[state.seat] += int(action.split()[1]) + die
        state.turns += 1
        if not self.over(state):
            state.seat = state.turns % len(state.got)
            state.round = 1 + state.turns // len(state.got)

    def over(self, state):
        return state.turns == state.rules.rounds * len(state.got)

    def scores(self, state):
        got = [sum(state.got)] * len(state.got) if state.rules.tied else state.got
        if state.rules.apart:
            got = [len(got) * each + seat for seat, each in enumerate(got)]
        return [state.rules.points * each for each in got]

    def columns(self, state, seat):
        return {"taken": state.got[seat], "first": None if seat else state.got[0]}

    def features(self, state, action):
        return {"size": int(action.split()[1])}
"""


def write_shape(folder: Path, other: dict[str, object] | None = None, **base: object) -> Path:
    """Write the game into a folder; `base` are keys of its variant `base`, `other` those that `other` changes."""
    path = folder / "shape"
    for name in ("variants", "profiles"):
        (path / name).mkdir(parents=True)
    (path / "game.py").write_text(GAME, encoding="utf-8")
    _write(path / "variants" / "base.toml", {"title": "Shape", "description": "A test.", **RULES, **base})
    changed = {"extends": "base", "title": "Other", "description": "Another test.", **(other or {})}
    _write(path / "variants" / "other.toml", changed)
    (path / "profiles" / "most.toml").write_text(
        'title = "Most"\ndescription = "Takes most."\n[weights]\nsize = 1.0\n', encoding="utf-8"
    )
    (path / "profiles" / "least.toml").write_text(
        'title = "Least"\ndescription = "Takes least."\n[weights]\nsize = -1.0\n', encoding="utf-8"
    )
    return path


def _write(path: Path, keys: dict[str, object]) -> None:
    lines = (f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in keys.items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
