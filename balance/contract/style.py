"""A way of playing that a game names: what its profile leads in, told from the rows of seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Style:
    """What a named profile does more of than the others.

    Attributes
    ----------
    what : str
        In words, e.g. "share of its score from crown knights".
    of, over : mapping
        Columns of the seats table with their factors: the sum of the first over that of the second, or, where
        there is no second, over the number of rows.
    """

    what: str
    of: Mapping[str, float]
    over: Mapping[str, float]

    def measure(self, seats: Any) -> np.ndarray:
        """The axis of each candidate.

        Parameters
        ----------
        seats : record array (candidates, ...)
            Rows of the seats table.

        Returns
        -------
        float array (candidates,)
            A ratio of totals over all rows of a candidate; 0 where there is nothing to divide by.
        """
        count = len(seats)
        own = self._sum(self.of, seats)
        whole = self._sum(self.over, seats) if self.over else np.full(count, seats.size / count)
        return np.asarray(np.divide(own, whole, out=np.zeros(count), where=whole > 0))

    def _sum(self, columns: Mapping[str, float], seats: Any) -> np.ndarray:
        """Of each candidate over all its rows."""
        total = np.zeros(len(seats))
        for column, factor in columns.items():
            total += factor * seats[column].reshape(len(seats), -1).sum(1, dtype=float)
        return total
