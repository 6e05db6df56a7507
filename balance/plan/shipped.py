"""What ships with a game, each with a line that says what it is: variants, tables, strategies."""

from __future__ import annotations

from collections.abc import Mapping

from balance.contract.game import Game
from balance.plan.profiles import RANDOM_NAME
from balance.settings import read_toml

STRATEGIES = "strategies"
_PROFILES = "profiles"
_SAYS = ("description", "source", "title")  # the first that a file has


def list_shipped(game: Game) -> dict[str, list[str]]:
    """Names by kind: variants first, then tables, strategies last."""
    found = {kind: game.shipped(kind) for kind in game.shelves()}
    profiles = found.pop(_PROFILES, [])
    return {**found, STRATEGIES: [RANDOM_NAME, *profiles]}


def describe_shipped(game: Game) -> dict[str, dict[str, str]]:
    """As `list_shipped`, with what each file says of itself; and the strategies that are no files.

    Raises
    ------
    BalanceError
        A file can't be read.
    """
    described = {
        kind: {name: _about(game, kind, name) for name in game.shipped(kind)} for kind in game.shelves()
    }
    profiles = described.pop(_PROFILES, {})
    return {**described, STRATEGIES: {**_MADE, **profiles}}


_MADE: Mapping[str, str] = {
    RANDOM_NAME: "Any legal action, all alike.",
    "search-N": "A searcher of N iterations a decision, such as search-100.",
    "FILE.toml": "A profile or searcher of your own.",
    "FILE.py:CLASS": "A bot of your own in Python.",
}


def _about(game: Game, kind: str, name: str) -> str:
    data = read_toml(game.folder / kind / f"{name}.toml")
    return next((str(data[key]) for key in _SAYS if key in data), "")
