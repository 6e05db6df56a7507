"""First moves: what each seat did at its first decision, and what goes with winning; of the games that were traced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from balance.analysis.halves import WHOLE, differs_for_sure, remeasure
from balance.analysis.traces import LEAST_GAMES, traced_cells
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.stats.effects import within_effects
from balance.stats.intervals import Moments, cluster_interval, share_interval

RARE = 1.0
"""Percent of the first decisions: what is chosen less often is hardly ever chosen."""
_JUDGED = 5.0  # percent, below which a move is too rare to be held against the others


@dataclass(frozen=True)
class Openings:
    """First decisions of a cell.

    Attributes
    ----------
    cell : Cell
    data : DataFrame
        A row a game and seat: ``game_id``, ``seat``, ``strategy``, ``deck_seed``, ``label``, ``win_share`` (percent).
    """

    cell: Cell
    data: pd.DataFrame

    @property
    def decks(self) -> list[int]:
        """Seeds of the decks that were played."""
        return [int(seed) for seed in self.data["deck_seed"].unique()]


def read_openings(run: RunFolder, variants: Sequence[str]) -> list[Openings]:
    """The first decisions of the traced games of these variants, cells with too few left out."""
    found = []
    for cell, connection, games in traced_cells(run, variants):
        data = connection.execute(
            f"""
            WITH firsts AS (
                SELECT game_id, seat, arg_min(label, step) AS label FROM trace
                WHERE seat >= 0 AND {games} GROUP BY ALL
            )
            SELECT game_id, seat, strategy, deck_seed, label, 100 * win_share AS win_share
            FROM firsts JOIN seats USING (game_id, seat) JOIN games USING (game_id)
            WHERE status <> 'truncated' ORDER BY game_id, seat
            """
        ).df()
        if data["game_id"].nunique() >= LEAST_GAMES:
            found.append(Openings(cell, data))
    return found


def shares_chosen(openings: Openings, offered: Sequence[str] = ()) -> pd.DataFrame:
    """How often each first move is chosen, those that are `offered` and never chosen too.

    Returns
    -------
    DataFrame
        ``label``, ``value``, ``low``, ``high`` (percent of first decisions), ``n`` (decisions); the most chosen first.
    """
    data = openings.data
    labels = list(dict.fromkeys([*data["label"].value_counts().index, *offered]))
    counts = pd.crosstab(data["deck_seed"], data["label"]).reindex(columns=labels, fill_value=0)
    part, whole = counts.to_numpy(float), counts.sum(axis=1).to_numpy(float)
    sums = Moments(
        len(whole), whole.sum(), part.sum(axis=0), (part * part).sum(axis=0), whole @ part, whole @ whole
    )
    share = share_interval(cluster_interval(sums))
    columns = {name: 100 * getattr(share, name) for name in ("value", "low", "high")}
    return pd.DataFrame({"label": labels, **columns, "n": len(data)})


def move_effects(openings: Openings) -> pd.DataFrame:
    """What each common first move goes with in win share, against all others, strategy and seat held.

    Returns
    -------
    DataFrame
        ``label``, ``half`` (0 or 1 of the decks, or `WHOLE`), ``value``, ``low``, ``high`` (points of win share),
        ``n``, ``clusters``, ``error``. A move that one of the halves can't tell of is left out.
    """
    data = openings.data
    often = 100 * data["label"].value_counts(normalize=True)
    common = often[(often >= _JUDGED) & (often <= 100 - _JUDGED)].index
    rows = [row for label in common for row in _effects_of(data, str(label))]
    columns = ["label", "half", "value", "low", "high", "n", "clusters", "error"]
    return pd.DataFrame(rows, columns=columns)


def _effects_of(data: pd.DataFrame, label: str) -> Iterator[dict[str, object]]:
    marked = data.assign(chosen=(data["label"] == label).astype(float))
    odd = (data["deck_seed"] % 2).to_numpy()
    for half in (WHOLE, 0, 1):
        part = marked if half == WHOLE else marked[odd == half]
        effects = within_effects(part, "win_share", ["chosen"], ["strategy", "seat"], "deck_seed")
        if effects:
            yield {"label": label, "half": half, **vars(effects["chosen"])}


def best_move(effects: pd.DataFrame) -> pd.DataFrame:
    """The move that goes with winning most, chosen on one half of the decks, measured on the other.

    Returns
    -------
    DataFrame
        One row as of `move_effects`, or none: where no move is better for sure, on both halves.
    """
    if effects.empty:
        return effects
    size = effects["value"].where(differs_for_sure(effects) & (effects["value"] > 0))
    found = remeasure(effects.assign(size=size, page=0), ["page"], ["label"])
    return found[np.asarray(found["low"] > 0, bool)]
