"""A sweep: response curves (one key) or heat maps (two), and which points may have the fairest seats."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from balance.analysis.cells import cell_questions
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.response import read_fairest_points, response, spread_table, values_of
from balance.analysis.shares import halves_question, share_question
from balance.analysis.unfinished import Played
from balance.contract.words import nth
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, Guide, draw_curves, draw_matrix
from balance.report.layout import label_of, side_by_side
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.report.words import fairest_words
from balance.stats.fair import fair_share

PLACE = 220
NOTHING = 1e-9
"""A difference that is a rounding's."""
_MOST_MAPS = 4
_SHOWN = ("score", "margin", "comeback", "minutes")  # and the game's own


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by seat, in halves of the decks too, and means of all measures."""
    if not facts.plan.points:
        return []
    measure = facts.seat_share
    shares = [share_question(measure), halves_question(measure), Played()]
    return [*shares, *cell_questions(facts.whole_measures)]


def write(facts: Facts, answers: Answers) -> Written | None:
    """Response curves (one key) or heat maps (two) of a sweep, and which points may have the fairest seats."""
    plan = facts.plan
    if not plan.points:
        return None
    spread = spread_table(plan, answers[share_question(facts.seat_share)])
    own = [measure.name for measure in plan.game.analytics.MEASURES]
    wanted = [name for name in [*_SHOWN, *own] if name in facts.measures]
    means = response(plan, answers, facts.whole_measures, wanted)
    label = {name: label_of(facts.measures[name]) for name in wanted}
    means["title"] = means["measure"].map(label)
    keys = list(plan.experiment.sweep)
    drawn = means if len(keys) == 1 else means[means["measure"].isin(wanted[:_MOST_MAPS])]
    figures = [draw_seats(facts, spread), *draw_means(facts, drawn)]
    fairest = read_fairest_points(plan, answers, facts.families)
    shown = means.rename(columns={"title": "mean of"})
    points = side_by_side("sweep", "Every point of the sweep.", shown, ["point", "mean of"])
    text = [f"Every combination of {' and '.join(keys)} was played on the same decks."]
    says = [*_no_effect(keys, pd.concat([means, spread])), *_says(fairest)]
    tables = [_fairness_table(fairest), points]
    return Written(Section("sweep", "Sweep", text, says, figures=figures, tables=tables))


def _no_effect(keys: Sequence[str], estimates: pd.DataFrame) -> list[Said]:
    """The keys of which every value led to the same games, as far as anything shown can tell."""
    found = []
    for key in keys:
        others = [each for each in keys if each != key]
        same = [*others, *(c for c in ("players", "measure", "seat") if c in estimates)]
        values = estimates.groupby(same, dropna=False)["value"]
        if (values.max() - values.min()).max() < NOTHING:
            found.append(
                Said(f"No effect: {key} changes nothing that is shown here, on the same decks.")
            )
    return found


def _fairness_table(points: pd.DataFrame) -> Table:
    frame = points[["players", "point"]].copy()
    frame["fairness"] = np.where(points["fairest"], "not shown to be less fair", "less fair")
    frame["furthest seat, points from fair"] = [
        f"{row.least:.2f} to {row.most:.2f}" for row in points.itertuples()
    ]
    frame["on held-out deals"] = [
        f"{write_estimate(row, 2)}, n = {row.n:,}" if row.n else "" for row in points.itertuples()
    ]
    caption = (
        "How far the furthest seat of each point is from fair, by intervals that hold for all seats and points at "
        "once; a point is less fair where its interval lies above another's. The point that looks best on one half "
        "of the deals is measured on the other."
    )
    return Table("sweep-fairness", caption, frame, {}, points)


def _says(points: pd.DataFrame) -> list[Said]:
    return [Said(fairest_words(rows)) for _, rows in points.groupby("players", sort=False)]


def draw_seats(facts: Facts, spread: pd.DataFrame, seat: int | None = None) -> Figure:
    """Win shares by seat: a curve for each by one key, a heat map of distances from fair by two.

    Parameters
    ----------
    spread : DataFrame
        Of `balance.analysis.response.spread_table`.
    seat : int or None
        It alone, above or below fair; None for all, in a heat map the furthest of each point.
    """
    spread = spread if seat is None else spread[spread["seat"] == seat]
    if len(facts.plan.experiment.sweep) > 1:
        return _seat_map(facts, spread, seat)
    (key,) = facts.plan.experiment.sweep
    placed, ticks = _placed(facts, key, spread)
    curves = placed.assign(curve=[f"{nth(each)} seat" for each in placed["seat"]])
    how = Curves(key, (key, "win share, %"), guides=_fair(facts), ticks=ticks)
    whose = "seats" if seat is None else f"{nth(seat)} seat"
    return draw_curves("sweep-seats", f"Win share of the {whose} by {key}.", curves, how)


def draw_means(facts: Facts, means: pd.DataFrame) -> list[Figure]:
    """Means of measures: by one key a figure with a panel for each measure, by two a heat map for each.

    Parameters
    ----------
    means : DataFrame
        Of `balance.analysis.response.response`, with the ``title`` of each measure.
    """
    if len(facts.plan.experiment.sweep) > 1:
        means = means.assign(half=(means["high"] - means["low"]) / 2)
        return [
            _map(facts, f"sweep-{name}", f"{title}, with half the 95 % interval.", part, str(title))
            for (name, title), part in means.groupby(["measure", "title"], sort=False)
        ]
    (key,) = facts.plan.experiment.sweep
    placed, ticks = _placed(facts, key, means)
    curves = placed.assign(curve=[f"{players} players" for players in placed["players"]])
    how = Curves(key, (key, "mean"), "title", guides=_wanted(facts, placed), ticks=ticks)
    only = set(curves["curve"])
    caption = f"Response to {key}{', ' + only.pop() if len(only) == 1 else ''}."  # else a legend says it
    return [draw_curves("sweep", caption, curves, how)]


def _placed(facts: Facts, key: str, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Values that are no numbers stand in their order: the frame with their places, and what these stand for."""
    if pd.api.types.is_numeric_dtype(frame[key]):
        return frame, []
    order = values_of(facts.plan, key)
    return frame.assign(**{key: [order.index(each) for each in frame[key]]}), [str(e) for e in order]


def _fair(facts: Facts) -> dict[int, Guide]:
    """The fair share at each player count, and the shares that are near enough."""
    room = facts.thresholds.seats
    fair = {players: fair_share(players) for players in facts.plan.experiment.players}
    return {players: Guide(level, (level - room, level + room)) for players, level in fair.items()}


def _wanted(facts: Facts, means: pd.DataFrame) -> dict[str, Guide]:
    """The bounds of targets, of the measures of which they are the same at all player counts."""
    found = {}
    for title, cell in means.groupby("title"):
        asked = [
            each for each in facts.plan.experiment.targets if each.measure == cell["measure"].iloc[0]
        ]
        bounds = {each.bounds(players) for each in asked for players in facts.plan.experiment.players}
        if len(bounds) == 1:
            found[str(title)] = Guide(band=_drawable(bounds.pop(), cell))
    return found


def _drawable(bounds: tuple[float, float], cell: pd.DataFrame) -> tuple[float, float]:
    """Bounds of which a missing one is as far as anything is drawn."""
    low, high = bounds
    least, most = float(cell["low"].min()), float(cell["high"].max())
    return (low if low > -math.inf else min(least, high), high if high < math.inf else max(most, low))


def _seat_map(facts: Facts, spread: pd.DataFrame, seat: int | None) -> Figure:
    """How far the seat is from fair, or the furthest of each point."""
    away = spread["value"] - fair_share(spread["players"])
    spread = spread.assign(value=away, half=(spread["high"] - spread["low"]) / 2)
    if seat is not None:
        caption = f"What the {nth(seat)} seat wins above a fair share, with half its 95 % interval."
        return _map(facts, "sweep-seat", caption, spread, "points above fair", 0.0)
    spread["value"] = spread["value"].abs()
    cells = spread.groupby(["players", *facts.plan.experiment.sweep], sort=False)["value"]
    caption = "Largest distance of a seat from fair, with half its 95 % interval."
    return _map(facts, "sweep-seats", caption, spread.loc[cells.idxmax()], "points")


def _map(
    facts: Facts, name: str, caption: str, frame: pd.DataFrame, unit: str, middle: float | None = None
) -> Figure:
    """A heat map of ``value`` with ``half`` its interval, a panel for each player count, keys in order."""
    keys = {key: values_of(facts.plan, key) for key in facts.plan.experiment.sweep}
    (row, rows), (column, columns) = keys.items()
    value, half = (
        {
            f"{players} players, n ≥ {int(cell['n'].min()):,}": cell.pivot(
                index=row, columns=column, values=shown
            ).reindex(index=rows, columns=columns)
            for players, cell in frame.groupby("players")
        }
        for shown in ("value", "half")
    )
    return draw_matrix(name, caption, value, (row, column), unit, middle, half)
