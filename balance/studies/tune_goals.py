"""The goals of a tuning study: the bounds of every target in each cell, and how far a candidate is from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

LENGTH = -1
TOLERANCE = 0.05  # of a bound, where a target has only one


@dataclass(frozen=True)
class Goals:
    """The bounds of each target at each player count and for each group (seat, strategy or faction).

    Distances are in units: how far the start variant is from the bounds or, where it meets them, half the width of the
    bounds (5 % of a single bound).
    """

    # int (cells,): number of the target; `LENGTH` for the length of the game, which has no bounds unless a target
    # gives it some.
    target: np.ndarray
    least: np.ndarray  # float (cells,): lower bound of the mean, may be infinite
    most: np.ndarray  # float (cells,): upper bound, may be infinite
    start: np.ndarray  # float (cells,): mean of the start variant
    error: np.ndarray  # float (cells,): its standard error
    names: Sequence[str]  # of the targets

    @property
    def unit(self) -> np.ndarray:
        """The distance that counts as 1 in each cell."""
        width = (self.most - self.least) / 2
        bound = np.where(np.isfinite(self.least), self.least, self.most)
        tolerance = np.where(np.isfinite(width), width, TOLERANCE * np.abs(bound))
        tolerance = np.where(np.isfinite(tolerance), tolerance, 1.0)  # no bounds
        return np.asarray(np.maximum(np.maximum(tolerance, self._beyond(self.start)), 1e-9))

    def only(self, number: int) -> Goals:
        """Return the goals of one target, as if there were no others."""
        own = self.target == number
        least, most = np.where(own, self.least, -np.inf), np.where(own, self.most, np.inf)
        return replace(self, least=least, most=most)

    def _beyond(self, values: np.ndarray) -> np.ndarray:
        return np.asarray(np.maximum(np.maximum(self.least - values, values - self.most), 0.0))

    def misses(self, effects: np.ndarray) -> np.ndarray:
        """Return how far means are outside the bounds (n, cells), in units, from effects (n, cells)."""
        return np.asarray(self._beyond(self.start + effects) / self.unit)

    def distances(self, effects: np.ndarray) -> np.ndarray:
        """Return the worst distance to a target (n,), in units."""
        return np.asarray(self.misses(effects).max(-1))

    def depths(self, effects: np.ndarray) -> np.ndarray:
        """Return the worst distance to a bound (n,), below 0 inside of all bounds."""
        values = self.start + effects
        beyond = np.maximum(self.least - values, values - self.most) / self.unit
        return np.asarray(beyond.max(-1))

    def longer(self, effects: np.ndarray) -> np.ndarray:
        """Return the largest change of the length at any player count (n,), in percent of the start variant's."""
        own = self.target == LENGTH
        effects, start = np.abs(effects[:, own]), np.abs(self.start[own])
        return np.asarray((100 * effects / start).max(-1, initial=0.0))

    def chances(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that each cell is within its bounds (n, cells), for normal errors of the effects."""
        spread = np.maximum(np.hypot(errors, self.error), 1e-12)
        values = self.start + effects
        above, below = ((end - values) / spread for end in (self.most, self.least))
        inside = special.ndtr(above) - special.ndtr(below)
        return np.asarray(inside)

    def chance_of_all(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that every target is met (n,), with cells as if independent."""
        return np.asarray(self.chances(effects, errors).prod(-1))

    def chances_by_target(self, effects: np.ndarray, errors: np.ndarray) -> np.ndarray:
        """Return the probability that each target is met in all its cells (n, targets)."""
        each = self.chances(effects, errors)
        numbers = range(len(self.names))
        return np.stack([each[:, self.target == number].prod(-1) for number in numbers], -1)
