"""Plots of a run, drawn as in the report: the methods of `run.plot`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from balance.analyses import Analyses
from balance.analysis.head_to_head import matrix_of
from balance.analysis.leads import reached
from balance.analysis.luck import WINS
from balance.analysis.sweeps import spread_table
from balance.contract.game import faction_column
from balance.foundation.errors import BalanceError, unknown
from balance.foundation.language import tr, trn
from balance.foundation.text import listed
from balance.report.chapter import write_section
from balance.report.context import ReportContext
from balance.report.figures.bars import draw_bars, draw_intervals
from balance.report.figures.curves import draw_forest, draw_matrix
from balance.report.figures.saving import Drawing
from balance.report.rows.length import box_minutes
from balance.report.sections.effects import forests, named_effects
from balance.report.sections.luck import draw_sources, named_sources
from balance.report.sections.runaway import draw_leader, draw_lost
from balance.report.sections.sweep import draw_means, draw_seats
from balance.report.words import capital, label_of


@dataclass(frozen=True)
class Plots:
    """The plots of a run.

    Each method returns a `matplotlib.figure.Figure` with a title, units, n and 95 % intervals: a notebook shows it,
    ``figure.savefig("seats.png")`` saves it, and ``figure.axes`` may be changed as usual. A method raises a
    `BalanceError` of one line if the run has nothing to draw.
    """

    run: Analyses

    @cached_property
    def _facts(self) -> ReportContext:
        return ReportContext(self.run.folder)

    def seats(self) -> Drawing:
        """Draw the win share of every seat in percent, a dot for each variant, with the fair share.

        The figures are those of `Run.seat_shares`. The band counts as balanced.

        Examples
        --------
        >>> run.plot.seats().savefig("seats.png")  # doctest: +SKIP
        """
        return self._shares(tr("Win share by seat."), self.run.seat_shares(), "seat")

    def strategies(self) -> Drawing:
        """Draw the win share of every strategy in percent, per seat played, with the fair share.

        The figures are those of `Run.strategy_shares`. The band counts as alive and not too strong.

        Examples
        --------
        >>> run.plot.strategies()  # doctest: +SKIP
        """
        self._need_strategies()
        caption = tr("Win share by strategy, per seat played.")
        return self._shares(caption, self.run.strategy_shares(), "strategy")

    def factions(self) -> Drawing:
        """Draw the win share of every faction in percent, in the games in which it was drawn, with the fair share.

        The figures are those of `Run.faction_shares`. The band counts as balanced.

        Examples
        --------
        >>> run.plot.factions()  # doctest: +SKIP
        """
        shares, context = self.run.faction_shares(), self._facts
        column = faction_column(context.plan.game)
        names = [context.factions[each] for each in shares[column]]
        return self._shares(tr("Win share by faction."), shares.assign(faction=names), "faction")

    def win_shares(self, by: str) -> Drawing:
        """Draw the win share of seats in percent by any column of the seats table, with the fair share.

        The figures are those of `Run.mean` of ``win_share``. The band is that of `seats`.

        Examples
        --------
        >>> run.plot.win_shares("relics")  # Korona Piastów  # doctest: +SKIP
        """
        shares = self.run.mean("win_share", [by], share=True)
        shares["fair"] = self._facts.plan.fair_share(shares["players"])
        shares["limit"] = self._facts.thresholds.seat_limit(shares["fair"])
        return self._shares(tr("Win share by {column}.", column=by), shares, by)

    def _shares(self, caption: str, shares: pd.DataFrame, by: str) -> Drawing:
        return draw_intervals(by, caption, self._some(shares), by, self._facts.colours).drawing

    def measure(self, name: str) -> Drawing:
        """Draw the mean of a measure in its unit, a bar for each player count and variant.

        The figures are those of `Run.measures`. The band of ``minutes`` is the time on the box.

        Examples
        --------
        >>> run.plot.measure("comeback")  # doctest: +SKIP
        """
        means = self._some(self.run.measures([name]))
        measure, box = self._facts.measures[name], box_minutes(self._facts.plan)
        band = box if name == "minutes" else None
        caption = tr("{measure}, mean.", measure=capital(tr(measure.label)))
        return draw_bars(name, caption, means, label_of(measure), self._facts.colours, band).drawing

    def effects(self, baseline: str, variant: str | None = None, measures: Sequence[str] | None = None) -> Drawing:
        """Draw the effects of a variant compared with a baseline on the same deals, a row each (a forest plot).

        The figures are those of `Run.compare`; n counts pairs of games.

        Parameters
        ----------
        variant : str or None
            None if the run has only one variant besides the baseline.
        measures : sequence of str or None
            Measures to draw, in percent of the baseline. None for the win shares of seats and strategies, in points;
            effects in their band do not matter.

        Examples
        --------
        >>> run.plot.effects("base", "mine", ["score", "comeback"])  # doctest: +SKIP
        """
        known = self._facts.measures
        shares = [name for name, measure in known.items() if measure.threshold is not None]
        if measures is not None and set(measures) & set(shares):
            raise BalanceError(tr("win shares are drawn in points: leave `measures` out to draw them"))
        effects = self.run.compare(baseline, shares if measures is None else measures)
        name = self._variant(effects, variant)
        found = forests(named_effects(known, effects), name, baseline)
        if not found:
            raise BalanceError(tr("{run}: nothing to draw: all means of the baseline are 0", run=self._path))
        return found[0].drawing

    def head_to_head(self) -> Drawing:
        """Draw how often the row's strategy finishes above the column's, in percent of the games with both.

        The figures are those of `Run.head_to_head`: a panel for each player count and variant, with ± half the
        interval in each cell.

        Examples
        --------
        >>> run.plot.head_to_head()  # doctest: +SKIP
        """
        self._need_strategies()
        meetings = self._some(self.run.head_to_head())
        meetings["half"] = (meetings["high"] - meetings["low"]) / 2
        several = meetings["variant"].nunique() > 1
        values, halves = {}, {}
        for (players, variant), cell in meetings.groupby(["players", "variant"], sort=False):
            panel = trn("{n} player, n ≥ {least:,}", "{n} players, n ≥ {least:,}", players, least=int(cell["n"].min()))
            panel = f"{variant}, {panel}" if several else panel
            values[panel] = 100 * matrix_of(cell)
            half = cell.pivot(index="row_strategy", columns="column_strategy", values="half")
            halves[panel] = 100 * half
        caption = tr("Head to head: how often a strategy finishes above the other, with half the 95 % interval.")
        labels = (tr("this strategy"), tr("finishes above this one"))
        return draw_matrix("head-to-head", caption, values, labels, tr("meetings won, %"), 50.0, halves).drawing

    def sweep(self, *measures: str, seat: int | None = None) -> Drawing:
        """Draw the effect of a sweep's keys on the seats or on measures: curves for one key, a heat map for two.

        The figures are those of `Run.seat_shares` and `Run.measures`.

        Parameters
        ----------
        measures : str
            One panel each, in its unit; only one measure for two keys. Without measures, draw the win shares of the
            seats; for two keys, the distance of the furthest seat from fair, in points.
        seat : int or None
            Draw only this seat, 0 for the first; for two keys, its points above fair.

        Examples
        --------
        >>> run.plot.sweep("score", "comeback")  # doctest: +SKIP
        >>> run.plot.sweep(seat=0)  # doctest: +SKIP
        """
        context = self._facts
        keys = list(context.plan.experiment.sweep)
        if not keys:
            raise BalanceError(tr("{run}: no sweep: play with `sweep` in the experiment", run=self._path))
        if not measures:
            spread = spread_table(context.plan, self._some(self.run.seat_shares()))
            if seat is not None and seat not in set(spread["seat"]):
                raise BalanceError(tr("{run}: no seat {seat}; the first is 0", run=self._path, seat=seat))
            return draw_seats(context, spread, seat).drawing
        if len(keys) > 1 < len(measures):
            raise BalanceError(
                tr("a heat map by {keys} takes one measure, not {count}", keys=listed(keys), count=len(measures))
            )
        # Base is no point of the sweep.
        means = self._some(self.run.measures(measures)).dropna(subset=keys)
        titles = {name: label_of(context.measures[name]) for name in measures}
        return draw_means(context, means.assign(title=means["measure"].map(titles)))[0].drawing

    def runaway(self) -> Drawing:
        """Draw how often the sole leader after each round wins, in percent of the games, with the fair share.

        The figures are those of `Run.runaway`, without rounds that hardly any game reaches; needs the log level rounds.

        Examples
        --------
        >>> run.plot.runaway()  # doctest: +SKIP
        """
        return draw_leader(self._some(reached(self.run.runaway())), self._facts).drawing

    def lost(self) -> Drawing:
        """Draw the points behind the leader at which a seat hardly wins any more, after each round.

        The figures are those of `Run.lost`; needs the log level rounds.

        Examples
        --------
        >>> run.plot.lost()  # doctest: +SKIP
        """
        return draw_lost(self._some(self.run.lost()), self._facts.colours).drawing

    def luck(self, variant: str | None = None) -> Drawing:
        """Draw how much wins depend on each source: 0 if a new draw changes nothing, 100 if as much as another game.

        The figures are those of `Run.luck`, for one variant (the first if None); needs `luck` in the experiment.

        Examples
        --------
        >>> run.plot.luck()  # doctest: +SKIP
        """
        luck = named_sources(self._some(self.run.luck()))
        wins = luck[luck["outcome"] == WINS]
        name = variant or self._facts.first
        part = wins[wins["variant"] == self._variant(wins, name)]
        return draw_sources("luck", part, name).drawing

    def choices(self, variant: str | None = None) -> Drawing:
        """Draw the association of one more of each early choice, in points of win share; n counts seats.

        The figures are those of `Run.early_choices`, for one variant (the first if None). They are associations, not
        effects. Needs the log level rounds.

        Examples
        --------
        >>> run.plot.choices("base")  # doctest: +SKIP
        """
        name = variant or self._facts.first
        table = self._some(self.run.early_choices(name))
        shares = table[table["outcome"] == "win_share"].rename(columns={"choice": "row", "value": "effect"})
        caption = tr("Associations of early choices, variant {variant}.", variant=name)
        return draw_forest("choices", caption, shares, tr("points of win share"), False, "seats").drawing

    def section(self, name: str) -> dict[str, Drawing]:
        """Return all figures of one section of the report, by name, as on the page; for names see `Run.tables`.

        Examples
        --------
        >>> run.plot.section("scores")["scores"]  # doctest: +SKIP
        """
        found = write_section(self.run.folder, name).figures
        return {figure.name: figure.drawing for figure in found}

    @property
    def _path(self) -> str:
        return str(self.run.folder.path)

    def _need_strategies(self) -> None:
        if not self._facts.has_several_strategies:
            raise BalanceError(
                tr("{run}: one strategy sits on every seat, so there is nothing to compare", run=self._path)
            )

    def _some(self, table: pd.DataFrame) -> pd.DataFrame:
        """Return the table; raise if it has no rows."""
        if table.empty:
            raise BalanceError(tr("{run}: too few games to draw this", run=self._path))
        return table

    def _variant(self, table: pd.DataFrame, name: str | None) -> str:
        """Return the name of a variant in the table; None for the only one."""
        known = list(dict.fromkeys(table["variant"]))
        if name is None and len(known) == 1:
            return str(known[0])
        if name is None:
            raise BalanceError(tr("{run}: name a variant: {known}", run=self._path, known=", ".join(known)))
        if name not in known:
            raise unknown("variant", name, known, self._path)
        return name
