"""Which decisions matter: a searcher's estimates of the best action, the second best and the action taken."""

from __future__ import annotations

import numpy as np
import pandas as pd

from balance.analysis.holdout import WHOLE, estimate_on_holdout, is_significant, with_all_decks
from balance.analysis.question import estimates
from balance.stats.intervals import Moments

GAP, LOST, CLOSE, AGREED = "gap", "lost", "close", "agreed"
MATTERS = {points: f"matters_{points}" for points in (1, 3, 10)}
"""The measures of decisions that matter by this number of points of win chance."""
_TOPS = {GAP: None, LOST: None, **dict.fromkeys((CLOSE, AGREED, *MATTERS.values()), 100.0)}
STAGES = ("early", "middle", "late")  # thirds of a game's decisions
ALL = "all"
NEAR = 1.0  # the best two actions are close within these points of win chance; the report says "1 point"
_ERRORS = 2  # or within these standard errors of the gap


def read_decisions(rows: pd.DataFrame) -> pd.DataFrame:
    """Return estimates from the judged decisions of a cell (`balance.runs.batches.judge_batch`), by kind and stage."""
    stage = np.array(STAGES)[np.minimum((len(STAGES) * rows["done"]).astype(int), len(STAGES) - 1)]
    close = rows["gap"].abs() <= np.maximum(NEAR / 100, _ERRORS * rows["gap_error"])
    close = close.where(rows["gap"].notna())
    values = {GAP: rows["gap"], LOST: rows["lost"], CLOSE: close.astype(float), AGREED: rows["agreed"]}
    shown = rows["spread"] >= _ERRORS * rows["spread_error"]
    for points, name in MATTERS.items():
        values[name] = (shown & (rows["spread"] >= points / 100)).astype(float)
    parts = [
        rows[["deck", "kind"]].assign(stage=each, measure=measure, value=100.0 * value)
        for measure, value in values.items()
        for each in (stage, ALL)
    ]
    long = pd.concat(parts, ignore_index=True)
    every = long.assign(kind=ALL)
    long = pd.concat([long, every[every["stage"] != ALL], every[every["stage"] == ALL]])
    long = long.dropna(subset="value")
    by = ["kind", "stage", "measure"]
    decks = long.groupby([*by, "deck"], as_index=False, sort=False)["value"].agg(["size", "sum"])
    n, s = decks["size"].astype(float), decks["sum"].astype(float)
    decks = decks[by].assign(half=decks["deck"] % 2)
    moments = Moments(1.0, n, s, s * s, s * n, n * n)
    for name, column in vars(moments).items():
        decks[f"v.{name}"] = column
    sums = with_all_decks(decks.groupby([*by, "half"], as_index=False, sort=False).sum(), by)
    found = [
        estimates(part, [*by, "half"], "v", _TOPS[str(measure)])
        for measure, part in sums.groupby("measure", sort=False)
    ]
    return pd.concat(found, ignore_index=True)


def most_at_stake(table: pd.DataFrame) -> pd.DataFrame:
    """Return the kind of decision with the largest gap in each cell, estimated on held-out deals.

    Cells where no kind is shown to have a gap on the first half are left out.
    """
    kinds = table[(table["measure"] == GAP) & (table["stage"] == ALL) & (table["kind"] != ALL)]
    halves = kinds[kinds["half"] != WHOLE].reset_index(drop=True)
    size = halves["value"].where(is_significant(halves))
    return estimate_on_holdout(halves.assign(size=size), ["players", "variant"], ["kind"])
