"""What components are worth: seen, how often they are there and who takes them; tried, what one more does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from balance.analysis.again import kept_rows, play_again
from balance.analysis.component_sums import (
    CHANGED,
    EFFECT,
    FIRST,
    KEYS,
    TAKEN,
    THERE,
    WINS,
    sums_of,
)
from balance.analysis.halves import WHOLE, remeasure, with_all_decks
from balance.analysis.sums import interval_columns, intervals_of
from balance.batch.giving import check_components, play_batch
from balance.contract.component import components_of
from balance.errors import BalanceError
from balance.log.beside import COMPONENTS, write_beside
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.progress import SILENCE, Progress
from balance.stats.comparisons import judge, p_value, p_within
from balance.stats.intervals import Interval

_TOPS = {THERE: 100.0, TAKEN: 100.0, FIRST: 100.0, WINS: 100.0, CHANGED: 100.0}
"""What stands for all in measures that are shares."""


def try_components(
    run: RunFolder, games: int, workers: int | None = None, progress: Progress = SILENCE
) -> pd.DataFrame:
    """Play the first games of each cell of the tier that is read again, giving components; keep what came of it.

    Each time a component turns up the game goes on twice: as dealt, and with one more of it for a seat that is drawn
    by lot, with the same deals, line-up and lots of the bots. A component that can't be given is left out instead.

    Parameters
    ----------
    games : int
        Of each cell; fewer where it has fewer.
    workers : int or None
        Threads; None for one on each core.

    Returns
    -------
    DataFrame
        A row for each ``players``, ``variant``, ``family``, ``component``, ``measure`` and ``half`` of the decks
        (`halves.WHOLE`: all), with ``value``, ``low``, ``high``, ``n``, ``clusters`` (decks), ``error``. Measures:
        `THERE`, percent of games in which it turns up; `TAKEN`, percent of those times; `FIRST`, percent of the seats
        of the ``strategy`` that takes it first most often (chosen on one half of the decks, measured on the other);
        `WINS`, win share in percent of seats that took one; `EFFECT`, points of win share that one more adds to a
        seat; `POINTS`, of score (of all seats, where it was left out); `CHANGED`, percent of games in which other
        seats win for that. Written into the run's folder too.

    Raises
    ------
    BalanceError
        The game names no components, the tier has bots in Python, no game came to an end, or the file can't be
        written.
    """
    check_components(run.plan)
    sums = play_again(run, COMPONENTS, games, _play, workers, progress)
    table = pd.concat(
        [
            read_sums(sums[cell.number]).assign(players=cell.players, variant=cell.variant.name)
            for cell in run.plan.tier_cells
        ],
        ignore_index=True,
    )
    if table.empty:
        raise BalanceError(f"{run.path}: no game came to an end, so nothing can be said of components")
    write_beside(COMPONENTS, run, table, run.plan.tier.name)
    return table


def _play(run: RunFolder, cell: Cell, first: int, last: int) -> pd.DataFrame:
    batch = play_batch(run.plan, cell, first, last)
    strategies = [strategy.name for strategy in cell.tier.strategies]
    return sums_of(batch, components_of(run.plan.game, cell.variant.rules), strategies)


def kept_components(run: RunFolder) -> pd.DataFrame:
    """The rows about the tier that is read that `try_components` has left in the run's folder; empty if none.

    Raises
    ------
    BalanceError
        The file is damaged, or of another run.
    """
    return kept_rows(run, COMPONENTS)


def judged_effects(table: pd.DataFrame, threshold: float, families: int = 1) -> pd.DataFrame:
    """What one more of each component adds to a seat's win share, with verdicts corrected together.

    Parameters
    ----------
    table : DataFrame
        Of `try_components`.
    threshold : float
        Points that do not matter.
    families : int
        How many families of verdicts stand on the page, see `balance.stats.comparisons.judge`.

    Returns
    -------
    DataFrame
        Its rows of `EFFECT` and all decks, with ``p`` and ``verdict``.
    """
    effects = table[(table["measure"] == EFFECT) & (table["half"] == WHOLE)].reset_index(drop=True)
    found = Interval(
        *(effects[name].to_numpy() for name in ("value", "low", "high", "n", "clusters", "error"))
    )
    verdicts = judge(found, p_value(found), p_within(found, threshold), families)
    return effects.assign(p=verdicts.p, verdict=verdicts.words)


def read_sums(sums: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Intervals from the sums of all batches of a cell, for what ever turned up."""
    added = pd.concat(sums).groupby([*KEYS, "half"], as_index=False, sort=False).sum()
    whole = with_all_decks(added, KEYS)
    parts = [
        part[[*KEYS, "half"]].assign(**interval_columns(intervals_of(part, "v", _TOPS.get(measure))))
        for measure, part in whole.groupby("measure", sort=False)
    ]
    table = pd.concat(parts, ignore_index=True)
    there = table[(table["measure"] == THERE) & (table["half"] == WHOLE) & (table["value"] > 0)]
    table = table[_named(table, there)]
    first = table[table["measure"] == FIRST]
    chosen = remeasure(first.assign(size=first["value"]), ["family", "component"], ["strategy"])
    chosen = chosen.assign(half=WHOLE)[table.columns]
    return pd.concat([table[table["measure"] != FIRST], chosen], ignore_index=True)


def _named(table: pd.DataFrame, kept: pd.DataFrame) -> np.ndarray:
    names = set(zip(kept["family"], kept["component"], strict=True))
    return np.array(
        [each in names for each in zip(table["family"], table["component"], strict=True)], bool
    )


def most_valuable(table: pd.DataFrame) -> pd.DataFrame:
    """The component that adds most to a seat's win share in each cell, chosen and measured on halves of the decks."""
    effects = table[table["measure"] == EFFECT]
    return remeasure(
        effects.assign(size=effects["value"]), ["players", "variant"], ["family", "component"]
    )


def most_flattered(table: pd.DataFrame, fair: Mapping[int, float]) -> pd.DataFrame:
    """The component whose takers win most beyond what one more of it adds, in each cell.

    Chosen by that gap on one half of the decks; ``value``, ``low``, ``high`` are the win share of takers on the other,
    ``effect``, ``effect_low``, ``effect_high`` what one more adds there.

    Parameters
    ----------
    fair : dict
        Player count to the fair share, in percent.
    """
    keys = ["players", "variant", "family", "component", "half"]
    wins = table[table["measure"] == WINS]
    effects = table[table["measure"] == EFFECT][[*keys, "value", "low", "high"]]
    both = wins.merge(effects, on=keys, suffixes=("", "_effect"))
    gap = both["value"] - both["players"].map(fair) - both["value_effect"]
    both = both.rename(
        columns={"value_effect": "effect", "low_effect": "effect_low", "high_effect": "effect_high"}
    )
    return remeasure(both.assign(size=gap), ["players", "variant"], ["family", "component"])
