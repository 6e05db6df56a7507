"""Environments for reinforcement learning: games in batches, for Gymnasium and for PettingZoo.

`batch` needs NumPy only. If Gymnasium and PettingZoo are installed (``pip install "game-balance[rl]"``), importing this
package registers an environment of each game with both, and one for games in plain Python.
"""

from __future__ import annotations

from typing import Any

from balance.envs.plain_games import spaces_of
from balance.envs.registration import register_all
from balance.envs.spaces import Spaces
from balance.envs.stepping import Batch
from balance.envs.table import set_table

__all__ = ["Batch", "Spaces", "batch", "spaces_of"]


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


register_all()
