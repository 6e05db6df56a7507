"""Profiles that make mistakes: the temperature at which each loses a stated share of its wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game
from balance.errors import BalanceError
from balance.plan.strategies import Strategy
from balance.training.arena import Arena

GAMES = 1600  # in which each temperature is tried
ROUNDS = 7  # of bisection
TEMPERATURES = (1e-2, 1e3)  # within which it is looked for
FAR = 0.1  # a loss found that is further than this from the one asked for is refused


def make_novices(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], loss: float, seed: int
) -> list[Strategy]:
    """The strategies with every profile at the temperature that costs it a share of its wins.

    Each is tried alone among the profiles as they are without mistakes, itself one of them. Whatever is no profile
    stays as it is and takes no part.

    Parameters
    ----------
    loss : float
        Share of the wins that it has without mistakes, in (0, 1).

    Raises
    ------
    BalanceError
        No temperature costs a profile that much.
    """
    arena = Arena(game, rules, players)
    profiles = {each.name: arena.row(each.profile) for each in strategies if each.profile}
    rows = np.array(list(profiles.values()))
    found, lost = find_temperatures(arena, rows, loss, seed)
    for name, own in zip(profiles, lost, strict=True):
        if abs(own - loss) > FAR:
            raise BalanceError(
                f"loss: with {players} players {name} loses {own:.0%} of its wins where it should lose {loss:.0%}: "
                f"give the tier a `temperature` instead"
            )
    hot = dict(zip(profiles, found.tolist(), strict=True))
    return [each.heated(hot[each.name]) if each.name in hot else each for each in strategies]


def find_temperatures(
    arena: Arena, rows: np.ndarray, loss: float, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Where each row loses this share of its wins, by bisection on the same decks.

    Parameters
    ----------
    rows : float array (n, names)

    Returns
    -------
    temperatures, lost : float arrays (n,)
        What it loses there is told from the decks of the search.
    """

    def wins(logs: np.ndarray) -> np.ndarray:
        seats = arena.face_careful(rows, np.exp(logs), GAMES // arena.players, lots)
        return np.asarray(seats.win_share.mean((1, 2)))

    lots = int(derive_many(seed, arena.players)[0])
    low, high = (np.full(len(rows), np.log(bound)) for bound in TEMPERATURES)
    careful = wins(np.full(len(rows), -np.inf))
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        enough = wins(middle) <= (1 - loss) * careful
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    middle = (low + high) / 2
    lost = 1 - np.divide(wins(middle), careful, out=np.ones(len(rows)), where=careful > 0)
    return np.exp(middle), lost
