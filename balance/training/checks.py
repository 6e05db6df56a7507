"""What every training refuses."""

from __future__ import annotations

from collections.abc import Sequence

from balance.contract.game import Game
from balance.errors import BalanceError, unknown
from balance.plan.strategies import Strategy


def counts_of(game: Game, players: Sequence[int]) -> tuple[int, ...]:
    """The player counts that are asked for; where none is, all of the game's.

    Raises
    ------
    BalanceError
        The game has no such count; names those that it has.
    """
    for count in players:
        if count not in game.players:
            raise unknown("player count", str(count), map(str, game.players), game.name)
    return tuple(players) or game.players


def check_compiled(strategies: Sequence[Strategy], where: str = "") -> None:
    """Refuse bots in Python, which the bare compiled loop can't ask.

    Raises
    ------
    BalanceError
        Names `where`, and the first of them.
    """
    for each in strategies:
        if each.kind == "custom":
            raise BalanceError(f"{where}{each.name} is a bot in Python, which can't be asked here")
