"""How much is played and read for a figure."""

from __future__ import annotations

from typing import NamedTuple


class Sizes(NamedTuple):
    """Games, repeats and seconds of each measurement.

    Attributes
    ----------
    repeats : int
        Of a figure that is a median.
    pairs : int
        Of two measurements that alternate, for a ratio.
    random, balanced : int
        Games of Na Grunwald! by strategy; a quarter of them with the trace.
    polska_random, marker_runner : int
        Games of Polska by strategy.
    grody_random, grody_champion : int
        Games of Grody by strategy.
    korona_random, korona_champion : int
        Games of Korona Piastów by strategy.
    oracle_seconds : float
        For which a plain-Python oracle plays.
    searchers : int
        Seats of searchers in the games of a measurement.
    two_workers, two_searchers : int
        Games of one worker, then of two, by strategy.
    memory, reading : (int, int)
        Games of a small and of a large run.
    """

    repeats: int = 5
    pairs: int = 3
    random: int = 60_000
    balanced: int = 12_000
    polska_random: int = 3_000
    marker_runner: int = 6_000
    grody_random: int = 6_000
    grody_champion: int = 3_000
    korona_random: int = 2_000
    korona_champion: int = 1_000
    oracle_seconds: float = 2
    searchers: int = 240
    two_workers: int = 240_000
    two_searchers: int = 800
    memory: tuple[int, int] = (50_000, 1_000_000)
    reading: tuple[int, int] = (100_000, 1_000_000)


FULL = Sizes()
TINY = Sizes(
    1, 1, 40, 40, 10, 10, 10, 10, 10, 10, 0.05, 4, 80, 4, (40, 80), (300, 600)
)  # to see that all works
