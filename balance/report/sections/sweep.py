"""A sweep: response curves (one key) or heat maps (two), and which points may have the fairest seats."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.ended import Played
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.shares import SEATS, halves_question, share_question
from balance.analysis.spread import cell_questions
from balance.analysis.sweeps import read_fairest_points, response, spread_table, values_of
from balance.foundation.language import N_, tr, write_number
from balance.foundation.text import listed, nth, seat_name
from balance.report.context import ReportContext
from balance.report.figures.curves import Curves, Guide, draw_curves, draw_matrix, fair_guides
from balance.report.kit import side_by_side
from balance.report.model import Figure, Headline, Section, Table
from balance.report.words import count_players, fairest_words, label_of, smallest_n, write_estimate

ORDER = 220
NOTHING = 1e-9
"""A smaller difference is a rounding error."""
_MOST_MAPS = 4
_SHOWN = ("score", "margin", "comeback", "minutes")  # and the game's own


def questions(context: ReportContext) -> Sequence[Question]:
    """Return the questions about win shares by seat, overall and in halves of the deals, and about all measures."""
    if not context.plan.points:
        return []
    means = cell_questions(context.whole_measures)
    if not context.has_rivals:
        return [*means, Played()]
    measure = context.side_share
    return [share_question(measure), halves_question(measure), Played(), *means]


def write(context: ReportContext, answers: Answers) -> Section | None:
    """Write response curves (one key) or heat maps (two), and which points may have the fairest seats."""
    plan = context.plan
    if not plan.points:
        return None
    spread = spread_table(plan, answers[share_question(context.side_share)])
    own = [measure.name for measure in plan.game.analytics.MEASURES]
    wanted = [name for name in [*_SHOWN, *own] if name in context.measures]
    means = response(plan, answers, context.whole_measures, wanted)
    means = _titled(context, means)
    keys = list(plan.experiment.sweep)
    drawn = means if len(keys) == 1 else means[means["measure"].isin(wanted[:_MOST_MAPS])]
    figures = [draw_seats(context, spread), *draw_means(context, drawn)]
    fairest = read_fairest_points(plan, answers, context.family(SEATS))
    heading = N_("mean of")

    def words(rows: pd.DataFrame) -> pd.DataFrame:
        return _titled(context, rows).rename(columns={"title": heading})

    caption = tr("Every point of the sweep.")
    points = side_by_side("sweep", caption, means, [N_("point"), heading], words=words)
    text = [tr("Every combination of {keys} was played on the same deals.", keys=listed(keys))]
    headlines = write_no_effect(keys, pd.concat([means, spread]))
    if len(plan.points) > 1:
        headlines += [Headline(fairest_words(rows)) for _, rows in fairest.groupby("players", sort=False)]
    tables = [_fairness_table(fairest), points]
    return Section("sweep", tr("Sweep"), text, headlines, figures=figures, tables=tables)


def _titled(context: ReportContext, means: pd.DataFrame) -> pd.DataFrame:
    """Return means with the label of each measure in the column ``title``."""
    labels = {name: label_of(context.measures[name]) for name in means["measure"].unique()}
    return means.assign(title=means["measure"].map(labels))


def write_no_effect(keys: Sequence[str], estimates: pd.DataFrame) -> list[Headline]:
    """Return a sentence for each key whose values all give the same results."""
    found = []
    for key in keys:
        others = [each for each in keys if each != key]
        same = [*others, *(c for c in ("players", "measure", "seat") if c in estimates)]
        values = estimates.groupby(same, dropna=False)["value"]
        several = estimates[key].nunique() > 1
        if several and (values.max() - values.min()).max() < NOTHING:
            text = tr("No effect: {key} changes no figure of this section, on the same deals.", key=key)
            found.append(Headline(text))
    return found


def _fairness_table(points: pd.DataFrame) -> Table:
    frame = points[["players", "point"]].copy()
    frame[N_("fairness")] = np.where(points["fairest"], N_("not shown to be less fair"), N_("less fair"))
    frame[N_("furthest seat, points from fair")] = [
        tr("{low:.2f} to {high:.2f}", low=row.least, high=row.most) for row in points.itertuples()
    ]
    frame[N_("on held-out deals")] = [
        f"{write_estimate(row, 2)}, n = {write_number(row.n, ',')}" if row.n else "" for row in points.itertuples()
    ]
    caption = tr(
        "Distance of the furthest seat of each point from fair, by intervals that hold for all seats and points "
        "together. A point is less fair if its interval lies above another's. The point that looks best on one half "
        "of the deals is measured on the held-out half."
    )
    return Table("sweep-fairness", caption, frame, {}, points)


def draw_seats(context: ReportContext, spread: pd.DataFrame, seat: int | None = None) -> Figure:
    """Draw win shares by seat: curves for one key, a heat map of distances from fair for two.

    `spread` is from `balance.analysis.sweeps.spread_table`. One `seat` is drawn as points above or below fair; None is
    for all seats, in a heat map the furthest of each point.
    """
    spread = spread if seat is None else spread[spread["seat"] == seat]
    if len(context.plan.experiment.sweep) > 1:
        return _seat_map(context, spread, seat)
    (key,) = context.plan.experiment.sweep
    placed, ticks = _placed(context, key, spread)
    curves = placed.assign(curve=[seat_name(each) for each in placed["seat"]])
    guides = fair_guides(context.plan.experiment.players, context.plan.fair_share, context.thresholds.seat_limit)
    how = Curves(key, (key, tr("win share, %")), "curve", guides=guides, ticks=ticks)
    caption = (
        tr("Win share of the seats by {key}.", key=key)
        if seat is None
        else tr("Win share of the {nth} seat by {key}.", nth=nth(seat), key=key)
    )
    return draw_curves("sweep-seats", caption, curves, how)


def draw_means(context: ReportContext, means: pd.DataFrame) -> list[Figure]:
    """Draw means of measures: for one key a figure with a panel for each measure, for two keys a heat map for each.

    `means` are from `balance.analysis.sweeps.response`, with the ``title`` of each measure.
    """
    if len(context.plan.experiment.sweep) > 1:
        means = means.assign(half=(means["high"] - means["low"]) / 2)
        return [
            _map(
                context, f"sweep-{name}", tr("{measure}, with half the 95 % interval.", measure=title), part, str(title)
            )
            for (name, title), part in means.groupby(["measure", "title"], sort=False)
        ]
    (key,) = context.plan.experiment.sweep
    placed, ticks = _placed(context, key, means)
    curves = placed.assign(curve=[count_players(players) for players in placed["players"]])
    how = Curves(key, (key, tr("mean")), "curve", "title", guides=_wanted(context, placed), ticks=ticks)
    only = set(curves["curve"])
    caption = tr("Response to {key}", key=key)
    caption += f", {only.pop()}." if len(only) == 1 else "."  # else in the legend
    return [draw_curves("sweep", caption, curves, how)]


def _placed(context: ReportContext, key: str, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Replace values that are not numbers by their positions; return the frame and the labels of the positions."""
    if pd.api.types.is_numeric_dtype(frame[key]):
        return frame, []
    order = values_of(context.plan, key)
    return frame.assign(**{key: [order.index(each) for each in frame[key]]}), [str(e) for e in order]


def _wanted(context: ReportContext, means: pd.DataFrame) -> dict[str, Guide]:
    """Return the bounds of targets, for measures whose bounds are the same at all player counts."""
    found = {}
    for title, cell in means.groupby("title"):
        asked = [each for each in context.plan.experiment.targets if each.measure == cell["measure"].iloc[0]]
        shares = set(map(context.plan.fair_share, context.plan.experiment.players))
        bounds = {each.bounds(fair) for each in asked for fair in shares}
        if len(bounds) == 1:
            found[str(title)] = Guide(band=_drawable(bounds.pop(), cell))
    return found


def _drawable(bounds: tuple[float, float], cell: pd.DataFrame) -> tuple[float, float]:
    """Return bounds for drawing; a missing bound is the end of the drawn range."""
    low, high = bounds
    least, most = float(cell["low"].min()), float(cell["high"].max())
    return (low if low > -math.inf else min(least, high), high if high < math.inf else max(most, low))


def _seat_map(context: ReportContext, spread: pd.DataFrame, seat: int | None) -> Figure:
    """Draw how far a seat is from fair; for `seat` None, the furthest seat of each point."""
    away = spread["value"] - context.plan.fair_share(spread["players"])
    spread = spread.assign(value=away, half=(spread["high"] - spread["low"]) / 2)
    if seat is not None:
        caption = tr("Win share of the {nth} seat above a fair share, with half its 95 % interval.", nth=nth(seat))
        return _map(context, "sweep-seat", caption, spread, tr("points above fair"), 0.0)
    spread["value"] = spread["value"].abs()
    cells = spread.groupby(["players", *context.plan.experiment.sweep], sort=False)["value"]
    caption = tr("Largest distance of a seat from fair, with half its 95 % interval.")
    return _map(context, "sweep-seats", caption, spread.loc[cells.idxmax()], tr("points"))


def _map(
    context: ReportContext, name: str, caption: str, frame: pd.DataFrame, unit: str, middle: float | None = None
) -> Figure:
    """Draw a heat map of ``value`` with ``half`` its interval: a panel for each player count, keys in order."""
    keys = {key: values_of(context.plan, key) for key in context.plan.experiment.sweep}
    (row, rows), (column, columns) = keys.items()
    value: dict[str, pd.DataFrame] = {}
    half: dict[str, pd.DataFrame] = {}
    for players, cell in frame.groupby("players"):
        title = f"{count_players(players)}, {smallest_n(cell)}"
        for shown, matrices in (("value", value), ("half", half)):
            wide = cell.pivot(index=row, columns=column, values=shown)
            matrices[title] = wide.reindex(index=rows, columns=columns)
    return draw_matrix(name, caption, value, (row, column), unit, middle, half)
