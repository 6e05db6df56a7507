"""Environments for reinforcement learning: games in batches, for Gymnasium and for PettingZoo.

`batch` needs NumPy only. If Gymnasium and PettingZoo are installed (``pip install "game-balance[rl]"``), importing this
package registers an environment of each game with both, and one for games in plain Python.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from balance.contract.game import find_games
from balance.envs.plain_games import spaces_of
from balance.envs.spaces import Spaces
from balance.envs.stepping import Batch
from balance.envs.table import set_table

__all__ = ["Batch", "Spaces", "batch", "spaces_of"]
_OWN = "own-game"  # for games in plain Python: gymnasium.make("balance/OwnGame-v0", game="./mygame")


def batch(game: str, n: int, threads: int | None = None, described: int = 0, **options: Any) -> Batch:
    """Return N games that are stepped together, see `Batch`.

    `options` are those of `balance.envs.table.set_table`: players, variant, opponents, seat, reward, illegal,
    decision_limit.

    Examples
    --------
    >>> games = batch("na-grunwald", 1024, players=4, opponents="champion")  # doctest: +SKIP
    >>> seen = games.reset(seed=1)  # doctest: +SKIP
    >>> seen = games.step(games.draw_actions())  # doctest: +SKIP
    """
    return Batch(set_table(game, **options), n, threads, described)


def register_all() -> None:
    """Register every game with each of the two libraries that is installed, unless it is registered already."""
    games: dict[str, dict[str, Any]] = {game: {"game": game} for game in find_games()}
    games[_OWN] = {}
    if find_spec("gymnasium") is not None:
        import gymnasium

        for game, options in games.items():
            name = f"balance/{''.join(map(str.capitalize, game.split('-')))}-v0"  # balance/NaGrunwald-v0
            if name not in gymnasium.registry:
                gymnasium.register(
                    name,
                    "balance.envs.seats:SeatEnv",
                    vector_entry_point="balance.envs.seats:SeatVectorEnv",
                    kwargs=options,
                )
    if find_spec("pettingzoo") is not None:
        import pettingzoo

        for game, options in games.items():
            name = f"balance/{game}-v0"
            if name not in pettingzoo.aec_registry:
                pettingzoo.register("aec", name, "balance.envs.turns:TurnEnv", kwargs=options)


register_all()
