"""The answers of restricted play: what each option is worth, how often it is used, and whether it is needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import duckdb
import numpy as np
import pandas as pd

from balance.analysis.ended import Played, refuse_broken
from balance.analysis.gather import gather
from balance.analysis.question import (
    STRATUM,
    Question,
    interval_columns,
    intervals_of,
    join_strata,
    literal,
    moments,
)
from balance.analysis.traced import ratios, read_traced
from balance.contract.restrictions import KIND
from balance.engine.networks import DEAL_SHIFT
from balance.experiments.plan import Cell
from balance.foundation.language import N_
from balance.foundation.progress import SILENCE, Progress
from balance.stats.comparisons import ALPHA, LEAST_DECKS, widen_alike
from balance.stats.intervals import LEVEL, t_ratio
from balance.studies.restrict import RestrictedGames

NEEDED, NOT_MISSED = N_("needed"), N_("not missed")
MISUSED, OPEN = N_("misused"), N_("not enough games")
NEVER_USED = N_("never used")
"""Verdicts, see `judge_worth`."""


@dataclass(frozen=True)
class Worth(Question):
    """Points of win share that a seat loses without an option, on the same deals; deals are the clusters.

    The answer has the columns ``players``, ``group`` (the option), and those of an interval.
    """

    # Player count, strategy, and the option that it goes without.
    without: tuple[tuple[int, str, str], ...]
    # Player count, the strategy with all options, and the line-up in which it plays; "" for any.
    baseline: tuple[tuple[int, str, str], ...]
    # Player count, and the number of networks of the free strategy.
    networks: tuple[tuple[int, int], ...]

    keys = ("players", "group", STRATUM)

    @property
    def sql(self) -> str:
        return f"""
            WITH own AS (
                SELECT o."group", r.players, r.seat, r.deal_seed, r.win_share
                FROM seat_rows r JOIN (VALUES {_values(self.without)}) o(players, strategy, "group")
                USING (players, strategy)
            ), base AS (
                SELECT r.players, r.seat, r.deal_seed, r.win_share
                FROM seat_rows r JOIN (VALUES {_values(self.baseline)}) b(players, strategy, wanted)
                USING (players, strategy) WHERE b.wanted IN ('', r.lineup)
            ), decks AS (
                SELECT own."group", players, deal_seed, {self._stratum} AS {STRATUM},
                       count(*)::DOUBLE AS "worth.count",
                       100 * sum(base.win_share - own.win_share)::DOUBLE AS "worth.total"
                FROM own JOIN base USING (players, seat, deal_seed)
                GROUP BY ALL HAVING count(*) = players
            )
            SELECT players, "group", {STRATUM}, {moments("worth")} FROM decks GROUP BY ALL
        """

    @property
    def _stratum(self) -> str:
        """The network that plays a deal, as a number below 0; 0 if there are not several."""
        if all(count == 1 for _, count in self.networks):
            return "0"
        counts = " ".join(f"WHEN {players} THEN {count}" for players, count in self.networks)
        return f"-1 - ((deal_seed >> {DEAL_SHIFT}) % (CASE players {counts} END))::BIGINT"

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        sums = join_strata(sums, ["players", "group"])
        worth = widen_alike(intervals_of(sums, "worth"))
        return sums[["players", "group"]].assign(**interval_columns(worth))


def _values(rows: tuple[tuple[int, str, str], ...]) -> str:
    return ", ".join(f"({count}, {literal(one)}, {literal(other)})" for count, one, other in rows)


def read_worth(games: RestrictedGames, progress: Progress = SILENCE) -> pd.DataFrame:
    """Return what each option is worth at each player count, the largest worth first.

    Returns
    -------
    DataFrame
        ``players``, ``option``, ``title``, ``strategy`` (who plays without it), ``value``, ``low``, ``high`` (points of
        win share; all intervals hold together with 95 % confidence), ``n`` (games), ``clusters`` (deals), ``verdict``,
        and ``used``, ``used_low``, ``used_high``, ``used_n``: in how many games, in percent, the player with all
        options uses this one; missing if too few games were traced.
    """
    question = _question(games)
    answers = gather(games.run, [question, Played()], progress)
    refuse_broken(games.run, answers[Played()])
    table = widen_worth(answers[question]).rename(columns={"group": "option"})
    table = table.merge(read_usage(games), how="left", on=["players", "option"])
    table["verdict"] = judge_worth(table, games.asked.threshold)
    table["title"] = [games.restrictions[option].title for option in table["option"]]
    keys = zip(table["players"], table["option"], strict=True)
    table["strategy"] = [games.names[players, option] for players, option in keys]
    columns = [
        "players", "option", "title", "strategy", "value", "low", "high", "n", "clusters", "verdict",
        "used", "used_low", "used_high", "used_n",
    ]  # fmt: skip
    order = ["players", "value"]
    return table.sort_values(order, ascending=[True, False], kind="stable", ignore_index=True)[columns]


def _question(games: RestrictedGames) -> Worth:
    counts = games.run.plan.experiment.players
    without = [
        (players, name, option) for (players, option), name in games.names.items() if option
    ]  # fmt: skip
    baseline = [(players, name, _lineup_of(games, players)) for players, name in games.baselines.items()]
    networks = [(players, games.free.networks(players)) for players in counts]
    return Worth(tuple(without), tuple(baseline), tuple(networks))


def _lineup_of(games: RestrictedGames, players: int) -> str:
    """Return the line-up of the baseline if that is the free strategy itself, which sits at every table."""
    name = games.names[players, ""]
    return ",".join([name] * players) if name == games.free.name else ""


def widen_worth(table: pd.DataFrame) -> pd.DataFrame:
    """Return intervals that all hold together with 95 % confidence (Bonferroni).

    Where all deals are alike, as for an option that is never used, there may still be other deals: at most a share of
    1 - alpha^(1 / deals) of them (Clopper and Pearson 1934 for a count of zero), each with at most 100 points more or
    less.
    """
    alpha = ALPHA / max(1, len(table))
    value, clusters = table["value"].to_numpy(float), table["clusters"].to_numpy(float)
    alike = (table["error"] == 0).to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio, unseen = t_ratio(1 - alpha, clusters, LEVEL), 100 * (1 - alpha ** (1 / clusters))
        ends = {
            end: np.where(alike, value + sign * unseen, value + ratio * (table[end] - value))
            for end, sign in (("low", -1), ("high", 1))
        }
    return table.assign(**ends)


def judge_worth(table: pd.DataFrame, threshold: float) -> list[str]:
    """Return the verdict on each option: where its interval lies.

    Above `threshold` it is ``needed``, within `threshold` of 0 ``not missed``, below minus `threshold` ``misused``: the
    strategies would win more without it. Otherwise, or with fewer than `LEAST_DECKS` deals, there are ``not enough
    games``. An option that is not shown to be needed, and that the player who has it used in no traced game, is ``never
    used``: going without it changes nothing for this player, so its worth was not measured.
    """
    low, high = table["low"].to_numpy(float), table["high"].to_numpy(float)
    inside = (low >= -threshold) & (high <= threshold)
    few, unused = table["clusters"].to_numpy() < LEAST_DECKS, (table["used"] == 0).to_numpy()
    words = np.select(
        [few, low > threshold, unused, inside, high < -threshold],
        [OPEN, NEEDED, NEVER_USED, NOT_MISSED, MISUSED],
        OPEN,
    )
    return [str(word) for word in words]


def read_usage(games: RestrictedGames) -> pd.DataFrame:
    """Return in how many traced games, in percent, the player with all options chooses what the restriction forbids.

    Of an option that is allowed N times, only games with more uses count.

    Returns
    -------
    DataFrame
        ``players``, ``option``, ``used``, ``used_low``, ``used_high``, ``used_n`` (games); intervals are clustered by
        deal.
    """
    variant = games.run.plan.first_variant.name
    rows = read_traced(games.run, [variant], partial(_read_uses, games))
    names = {"value": "used", "low": "used_low", "high": "used_high", "n": "used_n"}
    if rows is None:
        return pd.DataFrame(columns=["players", "option", *names.values()])
    found = ratios(rows, ["option"], "used", is_share=True).rename(columns=names)
    return found[["players", "option", *names.values()]]


def _read_uses(
    games: RestrictedGames, cell: Cell, connection: duckdb.DuckDBPyConnection, which: str
) -> pd.DataFrame:
    """Return a row for each option and traced game of the baseline in a seat: ``deal_seed`` and whether ``used``."""
    parts = [part for part in getattr(games.run.plan.game.kernel, "PARTS", {}) if part != KIND]
    columns = ", ".join(['"label"', KIND, *(f'"{part}"' for part in parts)])
    taken = connection.execute(f"SELECT DISTINCT {columns} FROM trace WHERE options > 1").df()
    concerned = [
        (option, restriction.at_most, row["label"], row[KIND])
        for row in taken.to_dict("records")
        for option, restriction in games.restrictions.items()
        if restriction.concerns(row["label"], _words(row, parts))
    ]
    frame = pd.DataFrame(concerned, columns=["option", "at_most", "label", KIND])
    connection.register("concerned", frame)
    options = ", ".join(map(literal, games.restrictions))
    name, lineup = games.names[cell.players, ""], _lineup_of(games, cell.players)
    wanted = f"AND lineup = {literal(lineup)}" if lineup else ""
    return connection.execute(f"""
        WITH seated AS (
            SELECT game_id, seat, deal_seed FROM seats JOIN games USING (game_id)
            WHERE strategy = {literal(name)} {wanted} AND status <> 'truncated' AND {which}
        ), used AS (
            SELECT "option", game_id, seat FROM trace JOIN concerned USING (label, {KIND})
            WHERE trace.options > 1 GROUP BY ALL HAVING count(*) > any_value(at_most)
        )
        SELECT o."option", deal_seed, (used."option" IS NOT NULL)::INT AS used
        FROM seated CROSS JOIN (SELECT unnest([{options}]) AS "option") o
        LEFT JOIN used USING (game_id, seat, "option")
        ORDER BY ALL
    """).df()


def _words(row: Mapping[str, object], parts: list[str]) -> dict[str, str]:
    """Return the kind and the parts of a row of the trace; parts that it lacks are left out."""
    own = {part: str(row[part]) for part in parts if not pd.isna(row[part])}
    return {KIND: str(row[KIND]), **own}
