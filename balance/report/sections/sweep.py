"""A sweep: response curves (one key) or heat maps (two), and its best point measured again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from balance.analysis.cells import cell_questions
from balance.analysis.gather import Answers
from balance.analysis.question import Question
from balance.analysis.response import best_point, response, spread_table, values_of
from balance.analysis.shares import halves_question, share_question
from balance.contract.words import nth
from balance.report.facts import Facts
from balance.report.figures.curves import Curves, Guide, draw_curves, draw_matrix
from balance.report.layout import label_of, side_by_side
from balance.report.model import Figure, Said, Section, Table, write_estimate
from balance.report.section import Written
from balance.stats.fair import fair_share

PLACE = 220
NOTHING = 1e-9
"""A difference that is a rounding's."""
_SHOWN = ("score", "margin", "comeback", "minutes")  # and the game's own


def questions(facts: Facts) -> Sequence[Question]:
    """Win shares by seat, in halves of the decks too, and means of all measures."""
    if not facts.plan.points:
        return []
    measure = facts.seat_share
    return [share_question(measure), halves_question(measure), *cell_questions(facts.whole_measures)]


def write(facts: Facts, answers: Answers) -> Written | None:
    """Response curves (one key) or heat maps (two) of a sweep, and its best point measured again."""
    plan = facts.plan
    if not plan.points:
        return None
    keys = list(plan.experiment.sweep)
    spread = spread_table(plan, answers[share_question(facts.seat_share)])
    own = [measure.name for measure in plan.game.analytics.MEASURES]
    wanted = [name for name in [*_SHOWN, *own] if name in facts.measures]
    means = response(plan, answers, facts.whole_measures, wanted)
    label = {name: label_of(facts.measures[name]) for name in wanted}
    means["title"] = means["measure"].map(label)
    if len(keys) == 1:
        figures = _curves(facts, keys[0], means, spread)
    else:
        values = {key: values_of(plan, key) for key in keys}
        figures = _maps(values, means, spread, wanted[:4], label)
    best = best_point(plan, answers[halves_question(facts.seat_share)])
    shown = means.rename(columns={"title": "mean of"})
    points = side_by_side("sweep", "Every point of the sweep.", shown, ["point", "mean of"])
    text = [f"Every combination of {' and '.join(keys)} was played on the same decks."]
    says = [*_no_effect(keys, pd.concat([means, spread])), *_says(best)]
    tables = [_best_table(best), points]
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


def _best_table(best: pd.DataFrame) -> Table:
    frame = best[["players", "point"]].copy()
    frame["where it was chosen"] = best["chosen_value"]
    frame["on fresh decks"] = [write_estimate(row, 2) for row in best.itertuples()]
    frame["n"] = best["n"]
    caption = (
        "The point with the fairest seats, chosen on half of the decks and measured again on the other half: the "
        "largest distance of a seat from fair, in points."
    )
    return Table("sweep-best", caption, frame, {"where it was chosen": ".2f", "n": ","}, best)


def _says(best: pd.DataFrame) -> list[Said]:
    return [
        Said(
            f"With {row.players} players the seats are fairest at {row.point}: the furthest is "
            f"{write_estimate(row, 2)} points from fair on fresh decks (n = {row.n:,} games)."
        )
        for row in best.itertuples()
    ]


def _curves(facts: Facts, key: str, means: pd.DataFrame, spread: pd.DataFrame) -> list[Figure]:
    """A panel for each measure, a curve for each player count; values that are no numbers stand in their order."""
    ticks: list[str] = []
    if not pd.api.types.is_numeric_dtype(means[key]):
        order = values_of(facts.plan, key)
        ticks = [str(value) for value in order]
        means, spread = (
            frame.assign(**{key: [order.index(value) for value in frame[key]]})
            for frame in (means, spread)
        )
    curves = means.assign(curve=[f"{players} players" for players in means["players"]])
    caption = f"Response to {key}."
    how = Curves(key, (key, "mean"), "title", guides=_wanted(facts, means), ticks=ticks)
    first = draw_curves("sweep", caption, curves, how)
    seats = spread.assign(curve=[f"{nth(seat)} seat" for seat in spread["seat"]])
    caption = f"Win share of the seats by {key}."
    how = Curves(key, (key, "win share, %"), guides=_fair(facts), ticks=ticks)
    return [draw_curves("sweep-seats", caption, seats, how), first]


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


def _maps(
    keys: Mapping[str, Sequence[Any]],
    means: pd.DataFrame,
    spread: pd.DataFrame,
    names: Sequence[str],
    label: dict[str, str],
) -> list[Figure]:
    """A heat map for each measure, a panel for each player count; `keys` have their values in order."""
    (row, rows), (column, columns) = keys.items()
    spread = spread.assign(away=(spread["value"] - fair_share(spread["players"])).abs())
    spread["half"] = (spread["high"] - spread["low"]) / 2
    worst = spread.loc[spread.groupby(["players", *keys], sort=False)["away"].idxmax()]
    means = means.assign(half=(means["high"] - means["low"]) / 2)

    def draw(name: str, caption: str, frame: pd.DataFrame, values: str, unit: str) -> Figure:
        value, half = (
            {
                f"{players} players, n ≥ {int(cell['n'].min()):,}": cell.pivot(
                    index=row, columns=column, values=shown
                ).reindex(index=rows, columns=columns)
                for players, cell in frame.groupby("players")
            }
            for shown in (values, "half")
        )
        return draw_matrix(name, caption, value, (row, column), unit, None, half)

    caption = "Largest distance of a seat from fair, with half its 95 % interval."
    figures = [draw("sweep-seats", caption, worst, "away", "points")]
    for name in names:
        part = means[means["measure"] == name]
        caption = f"{label[name]}, with half the 95 % interval."
        figures.append(draw(f"sweep-{name}", caption, part, "value", label[name]))
    return figures
