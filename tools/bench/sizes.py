"""The sizes of the measurements."""

from __future__ import annotations

from typing import NamedTuple


class Sizes(NamedTuple):
    """Games, repeats and seconds of each measurement.

    Attributes
    ----------
    repeats : int
        Measurements for a median.
    pairs : int
        Pairs of alternating measurements for a ratio.
    random, generalist : int
        Games of Na Grunwald! by strategy; a quarter of them with the trace.
    c_random : int
        Games of the C program.
    polska_random, marker_runner : int
        Games of Polska by strategy.
    grody_random, grody_champion : int
        Games of Grody by strategy.
    korona_random, korona_champion : int
        Games of Korona Piastów by strategy.
    oracle_seconds : float
        Playing time of a plain-Python oracle.
    searchers : int
        Seats of searchers in the games of a measurement.
    thinkers : float
        Share of the games of `bench.playing.THINKERS`.
    two_workers, two_searchers : int
        Games of one worker, then of two, by strategy.
    environment_seconds : float
        Time of the steps of an environment.
    memory, reading : (int, int)
        Games of a small and of a large run.
    traced : int
        Games of a run with trace.
    """

    repeats: int = 5
    pairs: int = 3
    random: int = 60_000
    generalist: int = 12_000
    c_random: int = 200_000
    polska_random: int = 3_000
    marker_runner: int = 6_000
    grody_random: int = 6_000
    grody_champion: int = 3_000
    korona_random: int = 2_000
    korona_champion: int = 1_000
    oracle_seconds: float = 2
    searchers: int = 240
    thinkers: float = 1.0
    two_workers: int = 240_000
    two_searchers: int = 800
    environment_seconds: float = 2
    memory: tuple[int, int] = (50_000, 1_000_000)
    reading: tuple[int, int] = (100_000, 1_000_000)
    traced: int = 4_500


FULL = Sizes()
# Only to check that everything works.
TINY = Sizes(1, 1, 40, 40, 40, 10, 10, 10, 10, 10, 10, 0.05, 4, 0.01, 80, 4, 0.01, (40, 80), (300, 600), 30)
