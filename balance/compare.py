"""What a variant changes: paired differences from a baseline on the same games, measure by measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd

from balance.errors import BalanceError, unknown
from balance.readings import connect, to_intervals
from balance.runfolder import RunFolder
from balance.stats.comparisons import holm, judge, p_value
from balance.stats.intervals import Interval

SEAT_THRESHOLD = 1.0  # percentage points
STRATEGY_THRESHOLD = 3.0


@dataclass(frozen=True)
class Measure:
    """Something whose mean a variant may change.

    Attributes
    ----------
    name : str
        For each group, if `by` is given, the group follows it.
    value : str
        An SQL expression over columns of seats (`s`) and games (`g`).
    by : str
        A column of seats to split by, or "".
    per_game : bool
        Whether the value is the game's, so that one seat stands for all.
    scale : float
        Factor to the unit shown, e.g. 100 for percentage points.
    threshold : float or None
        Differences within it, in the unit shown, do not matter.
    """

    name: str
    value: str
    by: str = ""
    per_game: bool = False
    scale: float = 1.0
    threshold: float | None = None


MEASURES = (
    Measure("win share % of seat", "s.win_share", "s.seat", scale=100, threshold=SEAT_THRESHOLD),
    Measure("win share % of", "s.win_share", "s.strategy", scale=100, threshold=STRATEGY_THRESHOLD),
    Measure("score", "s.score"),
    Measure("margin", "g.margin", per_game=True),
    Measure("decisions", "g.decisions", per_game=True),
    Measure("shared victories %", "(g.winners > 1)::INT", per_game=True, scale=100),
)


def compare_variants(path: Path, baseline: str) -> pd.DataFrame:
    """Effects of every other variant of a run on every measure, at each player count.

    Games are paired with the baseline's of the same deck, line-up and seeds. Intervals are 95 % and
    cluster-robust on the deck; p-values are corrected by Holm's method over the whole table.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, ``measure``, ``baseline`` (its mean), ``effect``, ``low``,
        ``high``, ``p`` (corrected), ``verdict`` (see `balance.stats.comparisons.judge`), ``n``
        (pairs), ``decks``, ``gain`` (how many times as many games would be needed unpaired).

    Raises
    ------
    BalanceError
        The run has no such variant, or no other.
    """
    run = RunFolder.open(path)
    names = [variant.name for variant in run.plan.variants]
    if baseline not in names:
        raise unknown("baseline", baseline, names, str(path))
    others = [name for name in names if name != baseline]
    if not others:
        raise BalanceError(f"{path} has one variant only ({baseline}): there is nothing to compare")
    measures = [*MEASURES, *run.plan.game.module("report").MEASURES]
    with connect(path) as connection:
        rows = [
            row
            for variant in others
            for measure in measures
            for row in _effects(connection, measure, variant, baseline)
        ]
    table = pd.DataFrame(rows)
    table["p"] = holm([p_value(effect) for effect in table["interval"]])
    table["verdict"] = [
        judge(row.interval, row.p, row.threshold) for row in table.itertuples(index=False)
    ]
    table["order"] = table["variant"].map({name: number for number, name in enumerate(names)})
    table = table.sort_values(["players", "order"], kind="stable", ignore_index=True)
    shown = ["players", "variant", "measure", "baseline", "effect", "low", "high", "p", "verdict"]
    return table[[*shown, "n", "decks", "gain"]]


# The difference of each pair is what the clusters are made of; the arms are summed beside it to tell
# what pairing gained.
_MOMENTS_OF_PAIRS = """
    WITH rows AS (
        SELECT g.variant, g.players, g.seed, g.deck_seed, s.seat, {by} AS grp,
               {scale} * CAST({value} AS DOUBLE) AS v
        FROM seats s JOIN games g USING (game_id)
        WHERE g.variant IN (?, ?) AND {where}
    ), clusters AS (
        SELECT a.players, a.grp, a.deck_seed, count(*) AS n, sum(a.v - b.v) AS d,
               sum(a.v) AS s1, sum(b.v) AS s0
        FROM rows a JOIN rows b USING (players, seed, seat)
        WHERE a.variant = ? AND b.variant = ? GROUP BY ALL
    )
    SELECT players, grp, count(*) AS clusters, sum(n)::DOUBLE AS n,
           unnest([sum(d), sum(s1), sum(s0)]) AS s,
           unnest([sum(d * d), sum(s1 * s1), sum(s0 * s0)]) AS ss,
           unnest([sum(d * n), sum(s1 * n), sum(s0 * n)]) AS sn,
           sum(n * n)::DOUBLE AS nn, unnest(['difference', 'variant', 'baseline']) AS arm
    FROM clusters GROUP BY players, grp ORDER BY players, grp
"""


def _effects(
    connection: duckdb.DuckDBPyConnection, measure: Measure, variant: str, baseline: str
) -> list[dict[str, object]]:
    """One row for each player count and group of a measure."""
    sql = _MOMENTS_OF_PAIRS.format(
        by=measure.by or "''",
        scale=measure.scale,
        value=measure.value,
        where="s.seat = 0" if measure.per_game else "true",
    )
    moments = connection.execute(sql, [variant, baseline, variant, baseline]).df()
    arms: dict[tuple[int, object], dict[str, Interval]] = {}
    for row, interval in to_intervals(moments):
        arms.setdefault((int(row.players), row.grp), {})[row.arm] = interval
    return [
        {
            "players": players,
            "variant": variant,
            "measure": f"{measure.name} {group}".strip(),
            "baseline": found["baseline"].value,
            "effect": found["difference"].value,
            "low": found["difference"].low,
            "high": found["difference"].high,
            "interval": found["difference"],
            "threshold": measure.threshold,
            "n": found["difference"].n,
            "decks": found["difference"].clusters,
            "gain": _gain(found),
        }
        for (players, group), found in arms.items()
    ]


def _gain(arms: dict[str, Interval]) -> float:
    """Variance of the difference of independent samples over that of the paired one."""
    paired = arms["difference"].error ** 2
    unpaired = arms["variant"].error ** 2 + arms["baseline"].error ** 2
    return unpaired / paired if paired > 0 else float("inf")
