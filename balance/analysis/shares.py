"""Win shares of seats and strategies compared with a fair share, and how they depend on the other players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from balance.analysis.ended import WITHHELD, Played, withhold
from balance.analysis.gather import Answers
from balance.analysis.holdout import estimate_on_holdout, with_all_decks
from balance.analysis.question import (
    Means,
    Question,
    deal_sums,
    estimates,
    interval_of_frame,
    means,
    measure_means,
    moments,
    scale,
    sort_rows,
    tally,
)
from balance.contract.analytics import Measure, literal
from balance.contract.sides import SEAT, TEAM
from balance.experiments.measures import SEAT_SHARE, share_of
from balance.experiments.plan import Plan
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_
from balance.stats.comparisons import (
    ALPHA,
    NEXT_LOOK,
    PLAYERS_DIFFER,
    TOO_FEW,
    UNDECIDED,
    more_to_place,
    place_in_bands,
    shrink,
)
from balance.stats.intervals import fair_share, share_error, share_interval, share_p_beyond, share_p_within

FAVOURED, DISFAVOURED, BALANCED = N_("favoured"), N_("disfavoured"), N_("balanced")
SEATS = "seats"
"""The question of the grid, and the family of verdicts: is a seat favoured?"""
PRIMARY = "primary"
"""The family of the same verdicts on the first variant and the strongest tier, whose error rate is its own."""
CountFamilies = Callable[[str], int]
"""A function from a family of verdicts of a tier to the number of families that share an error rate with it.

0 for a `PRIMARY` that is no family of its own.
"""


VERDICTS = (FAVOURED, DISFAVOURED, BALANCED, UNDECIDED, PLAYERS_DIFFER, TOO_FEW)


class Own(NamedTuple):
    """The rows of a variant that are a family of verdicts with an error rate of its own."""

    variant: str
    looks: int  # the divisor of this rate, see `balance.experiments.plan.Plan.look_families`


def share_question(measure: Measure) -> Means:
    """Return the question about win shares in percent by seat, strategy or faction."""
    return measure_means([measure], ["players", "variant", measure.by])


def share_limit(thresholds: Thresholds, by: str, fair: np.ndarray) -> np.ndarray:
    """Return the points of fair within which a share is balanced; factions and teams have the limit of seats."""
    if by == "strategy":
        return np.asarray(thresholds.alive / 100 * fair)
    return np.asarray(thresholds.seat_limit(fair))


def judge_shares(
    answer: pd.DataFrame, by: str, limit: np.ndarray | float, families: int = 1, own: Own | None = None,
    fair: np.ndarray | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Judge whether each win share lies within a limit of fair, or beyond it.

    The interval, widened for all rows of the table and families of the page (Bonferroni), is compared with the
    limit, so that with 95 % confidence no verdict on the page is wrong.

    Parameters
    ----------
    answer : DataFrame
        The answer to `share_question`.
    by : str
        ``seat``, ``team``, ``strategy`` or a game's column of factions.
    limit : float or array
        In percentage points, see `share_limit`.
    families : int
        The number of families of verdicts on the page.
    own : Own or None
        The rows that are a family with an error rate of its own.
    fair : float array or None
        The fair share of each row, in percent; None where each seat wins alone.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, `by`, ``value``, ``low``, ``high`` and ``fair`` in
        percent, ``limit``, ``wide_low`` and ``wide_high`` (the widened interval), ``p`` of the verdict (with the same
        correction), ``verdict`` (``favoured``, ``disfavoured``: shown to lie beyond the limit; ``balanced``: shown to
        lie within; ``undecided``; ``players differ``: more games can't decide; ``too few deals`` to judge),
        ``more_games`` to settle an undecided row, ``n``, ``decks``, ``error``, ``networks``, ``apart`` (see
        `balance.stats.intervals.Interval`).
    """
    fair = fair_share(answer["players"].to_numpy()) if fair is None else fair
    limit = np.broadcast_to(limit, len(answer))
    share, least, most = scale(interval_of_frame(answer), 0.01), fair - limit, fair + limit
    tries = np.full(len(answer), families * len(answer))  # verdicts that share the error rate with a row
    if own:
        mine = (answer["variant"] == own.variant).to_numpy()
        tries = np.where(mine, own.looks * mine.sum(), families * (~mine).sum())
    wide = scale(share_interval(share, 1 - ALPHA / tries), 100)
    lasting = scale(share_interval(share.of_networks, 1 - ALPHA / tries), 100)
    ends = (least / 100, most / 100)
    p = np.minimum(share_p_within(share, *ends), share_p_beyond(share, *ends))
    table = answer.rename(columns={"clusters": "decks"}).assign(
        fair=fair, limit=limit, wide_low=wide.low, wide_high=wide.high, p=np.minimum(1.0, tries * p)
    )
    words = place_in_bands(wide, lasting, least, most, (BALANCED, DISFAVOURED, FAVOURED))
    table["verdict"] = words
    shares = 100 / fair if by == TEAM else answer["players"]  # in a game
    asked = answer.assign(shares=shares)
    table["more_games"] = _more_games(asked, fair, limit, words == UNDECIDED, NEXT_LOOK * ALPHA / tries)
    columns = ["value", "low", "high", "fair", "limit", "wide_low", "wide_high", "p", "verdict"]
    counts = ["more_games", "n", "decks", "error", "networks", "apart"]
    table = table.assign(networks=share.networks, apart=100 * np.asarray(share.apart))
    return table[["players", "variant", by, *columns, *counts]]


def judged_shares(plan: Plan, answers: Answers, by: str, families: int = 1, own: Own | None = None) -> pd.DataFrame:
    """Call `judge_shares` with the run's thresholds; see `withhold_shares`."""
    answer = answers[share_question(share_of(plan, by))]
    fair = plan.fair_share(answer["players"].to_numpy())
    limit = share_limit(plan.experiment.thresholds, by, fair)
    judged = judge_shares(answer, by, limit, families, own, fair)
    return withhold_shares(judged, plan, by, answers[Played()])


def judged_seats(plan: Plan, answers: Answers, family: CountFamilies) -> pd.DataFrame:
    """Call `judged_shares` by seat or, where teams win, by team.

    Those of the first variant are the `PRIMARY` question where `family` says so.
    """
    looks = family(PRIMARY)
    own = Own(plan.first_variant.name, looks) if looks else None
    is_alone = own and len(plan.variants) == 1
    return judged_shares(plan, answers, plan.game.sides.kind, 1 if is_alone else family(SEATS), own)


def withhold_shares(table: pd.DataFrame, plan: Plan, by: str, played: pd.DataFrame) -> pd.DataFrame:
    """Withhold verdicts on cells with too many broken games, and those of `withhold_unmixed`."""
    return withhold(withhold_unmixed(table, plan, [by] * len(table)), played)


def withhold_unmixed(table: pd.DataFrame, plan: Plan, by: Sequence[str]) -> pd.DataFrame:
    """Replace verdicts on seats and strategies by `WITHHELD` where a seat can't be told apart from its strategy.

    Those on seats also where the players are weak. `by` is what each row is split by, such as ``seat``; see `unmixed`
    and `weak` of `balance.experiments.plan.Plan`.
    """
    split = pd.Series(by, table.index)
    held = table["players"].isin(plan.unmixed) & split.isin([SEAT, TEAM, "strategy"])
    held |= table["players"].isin(plan.weak) & split.isin([SEAT, TEAM])
    verdict, more = table["verdict"].mask(held, WITHHELD), table["more_games"].mask(held, 0)
    return table.assign(verdict=verdict, more_games=more)


def _more_games(
    answer: pd.DataFrame, fair: np.ndarray, limit: np.ndarray, undecided: np.ndarray, level: np.ndarray
) -> np.ndarray:
    """Return how many more games would settle each undecided row; 0 for other rows."""
    seats = answer.groupby(["players", "variant"])["n"].transform("sum")
    each_game = answer["n"] * answer["shares"] / seats  # seats or teams of this row in a game
    error = 100 * share_error(answer["value"] / 100, answer["error"] / 100, answer["clusters"])
    away = interval_of_frame(answer.assign(value=answer["value"] - fair, error=error))
    more = np.round(more_to_place(away, limit, level) / each_game.to_numpy())
    return np.where(undecided, more, 0).astype(np.int64)


def halves_question(measure: Measure) -> Means:
    """Return the question about win shares in each half of the deals, divided by the last bit of the deal's seed."""
    return measure_means([measure], ["players", "variant", measure.by, "half"])


def remeasure_best(halves: pd.DataFrame, by: str) -> pd.DataFrame:
    """Return the best of each cell, chosen on one half of the deals and measured on the held-out half.

    Returns
    -------
    DataFrame
        ``players``, ``variant``, `by`, ``chosen_value``, then ``value``, ``low``, ``high``, ``n`` of
        the held-out half.
    """
    sized = halves.assign(size=halves["value"])
    columns = ["players", "variant", by, "chosen_value", "value", "low", "high", "n"]
    return estimate_on_holdout(sized, ["players", "variant"], [by])[columns]


def with_distances(shares: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `judge_shares` with ``away``, their distance from fair by which they are ranked.

    It is shrunk towards 0, by an amount estimated from all rows: a noisy share is not ahead by its noise.
    """
    error = 100 * share_error(shares["value"] / 100, shares["error"] / 100, shares["decks"])
    return shares.assign(away=shrink((shares["value"] - shares["fair"]).to_numpy(float), error))


def furthest_shares(shares: pd.DataFrame, largest: bool = False) -> pd.DataFrame:
    """Return the row of each cell that is furthest from fair; with `largest`, the one with the largest share.

    `shares` is from `judge_shares`. The cells keep their order; rows have the column of `with_distances`, and their
    intervals, ``wide_low`` to ``wide_high``, hold for all rows together.
    """
    found = with_distances(shares)
    away = found["away"].to_numpy(float)
    found = found.assign(size=np.round(away if largest else np.abs(away), 9))
    # Of two equally far seats, the favoured one.
    order = found.sort_values(["size", "value"], kind="stable")
    last = order.groupby(["players", "variant"], sort=False).tail(1).set_index(["players", "variant"])
    cells = list(dict.fromkeys(zip(shares["players"], shares["variant"], strict=True)))
    return last.loc[cells].reset_index().drop(columns="size")


ALONE, SHARED = N_("alone"), N_("shared")


def seat_wins_question() -> Means:
    """Return the question how many games, in percent, each seat wins alone, and how many it shares."""
    values = {ALONE: "100 * (rank = 1 AND winners = 1)::INT", SHARED: "100 * (rank = 1 AND winners > 1)::INT"}
    return means(values, ["players", "variant", "seat"], top=100)


SHARE = "share"
ENDS = ("least", "most")


def seat_strategy_question() -> Means:
    """Return the question about win shares in percent by seat and strategy."""
    return measure_means([SEAT_SHARE], ["players", "variant", "seat", "strategy"])


@dataclass(frozen=True)
class LeavingOut(Question):
    """Win share of every seat in the games without one strategy, for each strategy.

    Each line-up has its own deals (see `leaving_out_applies`), so the sums over the deals of line-ups add up. The
    answer has ``players``, ``variant``, ``seat``, ``half`` (0, 1, or all deals), ``without`` (a strategy), and
    ``value``, ``low``, ``high`` in percent, ``n``, ``clusters``, ``error``.
    """

    keys = ("players", "variant", "seat", "half", "field")

    @property
    def sql(self) -> str:
        return f"""
            WITH decks AS (
                SELECT players, variant, seat, half, deal_seed,
                       any_value(field) AS field,
                       {tally(SHARE, SEAT_SHARE.scaled)}
                FROM seat_rows GROUP BY ALL
            )
            SELECT players, variant, seat, half, field, {moments(SHARE)} FROM decks GROUP BY ALL
        """

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        cell = ["players", "variant", "seat", "half", "without"]
        fields = sums.pop("field").str.split(",")
        names = sorted({name for field in fields for name in field})
        sums["without"] = [[name for name in names if name not in field] for field in fields]
        sums = sums.explode("without").dropna(subset="without")
        halves = sums.groupby(cell, as_index=False, sort=False).sum()
        left = with_all_decks(halves, [name for name in cell if name != "half"])
        return estimates(left, cell, SHARE, SEAT_SHARE.scale)


def leaving_out_applies(plan: Plan) -> bool:
    """Return whether seats win alone, and every player count has games without each strategy."""
    has_spare = len(plan.tier.strategies) > max(plan.experiment.players)
    return plan.game.sides.kind == SEAT and not plan.tier.lineups and has_spare


def seat_ranges(left_out: pd.DataFrame) -> pd.DataFrame:
    """Return how far each seat's share moves when one strategy leaves the field.

    The strategies that move it furthest down and furthest up are chosen on one half of the deals and measured on the
    held-out half.

    Returns
    -------
    DataFrame
        Two rows for each seat, in the order of `left_out`: ``players``, ``variant``, ``seat``, ``end`` (``least`` or
        ``most``), ``without`` (the strategy that does not play), ``chosen_value``, ``value``, ``low``, ``high`` in
        percent, ``n``.
    """
    seat = ["players", "variant", "seat"]
    columns = [*seat, "end", "without", "chosen_value", "value", "low", "high", "n"]
    sizes = [left_out.assign(size=sign * left_out["value"], end=end) for end, sign in zip(ENDS, (-1, 1), strict=True)]
    found = [estimate_on_holdout(sized, [*seat, "end"], ["without"]) for sized in sizes]
    ranges = pd.concat(found, ignore_index=True)
    return sort_rows(ranges, seat, left_out["variant"])[columns]


GAIN = "gain"
CELL = ["players", "variant", "half", "after", "distance"]


@dataclass(frozen=True)
class Neighbours(Question):
    """What a seat wins beyond the mean of the other seats, by its distance after a strategy.

    The numbers of a game add up to 0, so the answer shows which position gains, not how weak the strategy is. It has
    the columns `CELL` (`half`: 0, 1, or all deals; ``distance`` 1 is the next seat to act), and ``value``, ``low``,
    ``high`` in percentage points of win share, ``n``, ``clusters``, ``error``.

    The strategies `after` have at most one seat in a game.
    """

    after: tuple[str, ...]

    keys = tuple(CELL)

    @property
    def sql(self) -> str:
        keys = {name: f"a.{name}" for name in ("players", "variant", "half")}
        keys |= {"after": "a.strategy", "distance": "((b.seat - a.seat + a.players) % a.players)::INT"}
        gain = "100 * (b.win_share - (1 - a.win_share) / (a.players - 1))"
        after = ", ".join(map(literal, self.after))
        pairs = f"""
            seat_rows a JOIN seat_rows b USING (game_id)
            WHERE a.players > 2 AND a.seat <> b.seat AND a.strategy IN ({after})
        """
        return deal_sums(keys, {GAIN: gain}, pairs, "a.deal_seed")

    def read(self, sums: pd.DataFrame) -> pd.DataFrame:
        both = with_all_decks(sums, [name for name in CELL if name != "half"])
        return estimates(both, CELL, GAIN)


def neighbours_question(plan: Plan) -> Neighbours | None:
    """Return the question about the strategies of the active tier; None if it does not apply."""
    if max(plan.experiment.players) < 3 or plan.unmixed:
        return None
    names = [strategy.name for strategy in plan.tier.strategies]
    alone = [name for name in names if all(lineup.count(name) <= 1 for lineup in plan.tier.lineups)]
    return Neighbours(tuple(alone)) if alone and len(names) > 1 else None
