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
        Columns of the seats table with their factors: the sum of the first over that of the second.
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
        own, whole = (
            sum(
                factor * seats[column].reshape(count, -1).sum(1, dtype=float)
                for column, factor in sums.items()
            )
            for sums in (self.of, self.over)
        )
        return np.asarray(np.divide(own, whole, out=np.zeros(count), where=np.asarray(whole) > 0))
