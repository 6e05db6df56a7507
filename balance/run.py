"""A run opened for reading: its tables, every analysis, and plots. The code that draws is imported when it is used."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import pandas as pd

from balance.analyses import Analyses

if TYPE_CHECKING:
    from balance.plots import Plots


class Run(Analyses):
    """A run: its tables (`balance.analyses.Opened`), every analysis of the reports, and plots."""

    @cached_property
    def plot(self) -> Plots:
        """The figures of the page and more, as matplotlib figures: ``run.plot.seats()``."""
        from balance.plots import Plots

        return Plots(self)

    def follow(self, games: int = 1000) -> pd.DataFrame:
        """Follow the chances to win in the first games of each cell, as `balance chances`, and keep what they show.

        Returns
        -------
        DataFrame
            As from `chances`.
        """
        from balance.studies.reruns import follow_chances

        follow_chances(self.folder, games)
        return self.chances()

    def tables(self, section: str) -> dict[str, pd.DataFrame]:
        """Return the tables of one section of the report, as numbers, by the name of the table's CSV.

        Parameters
        ----------
        section : str
            ``scores``, ``points``, ``ties``, ... or one of the game's own sections, such as ``events``.
        """
        from balance.report.chapter import write_section

        return {table.name: table.numbers for table in write_section(self.folder, section).tables}
