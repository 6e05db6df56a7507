"""Ratings game by game, as players in line are rated (openskill), whatever the order of the games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

ORDERS = 5


@dataclass(frozen=True)
class LineRatings:
    """Openskill's ratings: means over several random orders of the same games.

    Attributes
    ----------
    mu, sigma : float arrays (strategies,)
        The level and how unsure it is, as openskill says; a beginner has 25 and 25 / 3.
    spread : float array (strategies,)
        Standard deviation of `mu` over the orders.
    """

    mu: np.ndarray
    sigma: np.ndarray
    spread: np.ndarray


def rate_in_line(lineups: np.ndarray, ranks: np.ndarray, count: int, seed: int = 0) -> LineRatings:
    """Rate by the Plackett-Luce model of Weng and Lin (2011), as the package openskill has it.

    Such a rating leans to the latest games. So the games are put into an order of their own and rated in
    `ORDERS` random ones: the result is the same whatever order they come in.

    Parameters
    ----------
    lineups : int array (games, players)
        Who sat where; nobody twice in a game.
    ranks : int array (games, players)
        1 is best, ties alike: openskill takes them as shared places.
    count : int
        Strategies.
    """
    rows = np.concatenate([lineups, ranks], axis=1)
    rows = rows[np.lexsort(rows.T)]
    rng = np.random.default_rng(seed)
    found = np.array([_rate_once(rng.permutation(rows), count) for _ in range(ORDERS)])
    mu, sigma = found[:, :, 0], found[:, :, 1]
    return LineRatings(mu.mean(axis=0), sigma.mean(axis=0), mu.std(axis=0, ddof=1))


def _rate_once(rows: np.ndarray, count: int) -> np.ndarray:
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings = [model.rating() for _ in range(count)]
    seats = rows.shape[1] // 2
    for row in rows.tolist():
        lineup = row[:seats]
        rated = model.rate([[ratings[number]] for number in lineup], ranks=row[seats:])
        for number, (own,) in zip(lineup, rated, strict=True):
            ratings[number] = own
    return np.array([[rating.mu, rating.sigma] for rating in ratings])
