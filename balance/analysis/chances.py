"""Chances to win round by round, and what they say of sitting at the table: hope, and when a game is decided.

The chances are learned from the games themselves: a conditional logit of the features of all seats, by stage of the
game, made sharper or duller until it is true. Both fits are on other deals than those they speak of (cross-fitting in
`FOLDS` parts), so a chance knows nothing of how its own game ended. What the features do not show is in no chance: the
share of seats without hope is then too low rather than too high.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import duckdb
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from balance.analysis.holdout import TENTHS
from balance.analysis.interplay import (
    CONTACT,
    FIT_STAGES,
    HOPELESS,
    KINGMAKING,
    LATE_KINGMAKING,
    SOURCE,
    Trials,
    trials_of,
    waits_of,
)
from balance.analysis.question import (
    STRATUM,
    deal_sums,
    estimates,
    interval_columns,
    interval_of_frame,
    join_strata,
    scale,
    stratum_of_network,
)
from balance.experiments.plan import Cell, Plan
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.runs.batches import Seen
from balance.runs.folder import RunFolder
from balance.runs.sidecar import CHANCES
from balance.runs.strength import read_tier_rows
from balance.stats.intervals import LEVEL, jackknife_error, share_interval, student_quantile
from balance.stats.regression import brier, fit_choice, stage_shares, win_chances

FOLDS = 5
_PENALTIES = (1e-4, 0.0)  # of the first fit, and of the one that makes it true
LONG = 1 / 3  # of a game: who sits without hope for so long is "out of it"
DECIDED = 0.75  # chance of the leader
BINS = 10
# A class of chances with this part of them must be true within these points.
LEAST_PART, TRUE_WITHIN = 0.02, 2.0
LEAST_DEALS = 200  # of a cell; with fewer no chances are estimated
OUT_OF_IT, WITHOUT, DECIDED_AT = "out_of_it", "without_hope", "decided_at"
OPEN, SWINGS, OFF, SHOWN = "open", "swings", "off", "shown"
"""What is measured: see `read_chances`."""
MOST_OPEN, TYPICAL, TURBULENT = "most_open_game", "typical_game", "turbulent_game"
"""Games whose chances are kept, with a group for each seat and round: see `read_games`."""
ALL, CELL = "all", ["players", "variant"]
_SHARES = (OUT_OF_IT, WITHOUT, KINGMAKING, LATE_KINGMAKING)  # of a whole of 100
_KEYS = ["measure", "group"]


def followed_means(run: RunFolder, measure: str) -> pd.DataFrame:
    """Return an estimate for each cell whose chances are true; an error names the command that follows games."""
    found = told_chances(read_tier_rows(run, CHANCES))
    found = found[(found["measure"] == measure) & (found["group"] == ALL)]
    if found.empty:
        raise BalanceError(
            tr(
                "{run}: nothing is known of measure '{name}'; run this first: balance chances {run}",
                run=run.path, name=measure,
            )
        )  # fmt: skip
    return found.drop(columns=["tier", "group", "half"]).reset_index(drop=True)


def told_chances(found: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of cells whose chances are true: no class of chances with some weight is shown to be off."""
    off = found[found["measure"] == OFF]
    weighty = off["n"] >= LEAST_PART * off.groupby(CELL)["n"].transform("sum")
    wrong = off[weighty & ((off["low"] > TRUE_WITHIN) | (off["high"] < -TRUE_WITHIN))]
    untrue = pd.MultiIndex.from_frame(wrong[CELL])
    return found[~pd.MultiIndex.from_frame(found[CELL]).isin(untrue)].reset_index(drop=True)


def read_chances(seen: Seen, plan: Plan, cell: Cell, every: int = 1) -> pd.DataFrame:
    """Return what the games of a cell show that were followed.

    One in `every` of the choices that are not the first of their round was tried.

    Intervals include that the chances were learned from a sample of deals, by the jackknife over tenths of the deals,
    and how far networks differ.

    Returns
    -------
    DataFrame
        ``measure``, ``group``, and the columns of an interval, whose clusters are deals. `OUT_OF_IT`: percent of games
        in which a seat has less than `HOPELESS` of a fair chance for `LONG` of the rounds or more. `WITHOUT`: percent
        of the rounds that a seat plays so, for `ALL` seats, by final rank, and by round ("after 3"). `DECIDED_AT`:
        percent of the rounds played when the winner has more than `DECIDED` and keeps it; 100 if never before the end.
        `OPEN`: entropy of the chances, percent of that of equal ones. `SWINGS`: points of chance that change hands in a
        game, the result included. `OFF`: won less predicted, in points, by class of chances. `SHOWN`: percent of the
        Brier score of equal chances that these chances save. `WAIT`, `LONGEST_WAIT`: choices of others between two
        choices of a seat in a game, the median and the longest. `CONTACT`: percent of what single choices move the
        strength of seats that is the strength of others (squared). `SOURCE`: percent of how far choices and deals move
        the chances of a round (squared), by source. `KINGMAKING`: percent of the free choices of seats without hope
        that move who of the others wins. `LATE_KINGMAKING`: percent of the games with such a choice, of
        those tried, in the last third.
        The chances through a few games follow, see `read_games`. Empty with fewer than `LEAST_DEALS` deals.
    """
    followed = follow(seen, plan, cell, every)
    if not followed.teaches:
        return pd.DataFrame()
    table = followed.shown.table(plan.networks_apart([cell.players]))
    chance, _ = followed.chances(followed.lesson)
    return pd.concat([table, _keep_games(followed, chance, cell.first_id)], ignore_index=True)


def follow(seen: Seen, plan: Plan, cell: Cell, every: int = 1) -> Followed:
    """Return the positions of a cell's games, of a game that repeats only the first; `every` as in `read_chances`."""
    players, names, seen = cell.players, list(plan.game.position) or ["score"], _without_repeats(seen)
    positions = seen.rows[seen.rows["seat"] == 0].reset_index(drop=True)
    features = seen.rows[names].to_numpy().reshape(len(positions), players, len(names))
    won, rank = (seen.rows[each].to_numpy().reshape(-1, players) for each in ("won", "rank"))
    trials = trials_of(seen, players, len(names), every) if len(seen.trials) else None
    waits = waits_of(seen.choices).assign(group=ALL).astype({"deck": np.uint64})
    return Followed(positions, features, won, rank, trials, waits)


def read_games(found: pd.DataFrame) -> pd.DataFrame:
    """Return the chances through a few games: `CELL`, ``kind``, ``game_id``, ``round`` (from 0), ``seat``, ``value``.

    The kinds are `MOST_OPEN` (the mean entropy of the chances is the highest), `TYPICAL` (nearest to the medians of
    entropy, swings and the time of the decision, in mean deviations) and `TURBULENT` (the largest swings).
    """
    rows = found[found["measure"].isin((MOST_OPEN, TYPICAL, TURBULENT))]
    parts = rows["group"].str.split(" ", expand=True).reindex(columns=range(3)).astype(int)
    parts.columns = pd.Index(["game_id", "round", "seat"])
    return pd.concat([rows[[*CELL, "measure", "value"]].rename(columns={"measure": "kind"}), parts], axis=1)


def decided_in(games: pd.DataFrame) -> pd.DataFrame:
    """Return the round that decided each kind of game: ``kind``, ``decided``; none for one that ends undecided.

    `games` are from `read_games`, of one cell. From its end on, the winner has more than `DECIDED`.
    """
    last = games[games["round"] == games.groupby("kind")["round"].transform("max")]
    winners = last.loc[last["value"] == 100, ["kind", "seat"]]  # none of a shared victory
    led = games.merge(winners, on=["kind", "seat"]).set_index(["kind", "round"])["value"] > 100 * DECIDED
    found = {}
    for kind, own in led.groupby(level="kind"):
        rounds, clear = own.index.get_level_values("round").to_numpy(), own.to_numpy()
        after = rounds[~clear].max(initial=-1) + 1
        if after <= rounds.max():
            found[kind] = after
    return pd.DataFrame({"kind": list(found), "decided": list(found.values())})


def _keep_games(followed: Followed, chance: np.ndarray, first_id: int) -> pd.DataFrame:
    """Return the chances through a few games as rows without a spread, from equal chances to the result."""
    of_games, first = followed.of_games(chance)
    numbers = np.stack([of_games[name] for name in (OPEN, SWINGS, DECIDED_AT)])
    away = np.abs(numbers - np.median(numbers, axis=1, keepdims=True))
    away = (away / np.maximum(away.mean(axis=1, keepdims=True), 1e-9)).sum(axis=0)
    picked = {MOST_OPEN: int(numbers[0].argmax()), TYPICAL: int(away.argmin()), TURBULENT: int(numbers[1].argmax())}
    last, seats = np.append(first[1:], len(chance)), chance.shape[1]
    rows = []
    for kind, at in picked.items():
        own = slice(first[at], last[at])
        through = np.vstack([np.full(seats, 1 / seats), chance[own], followed.won[first[at]]])
        game = first_id + int(followed.positions["game"].iloc[first[at]])
        rows += [(kind, f"{game} {step} {seat}", 100 * value) for (step, seat), value in np.ndenumerate(through)]
    table = pd.DataFrame(rows, columns=[*_KEYS, "value"])
    ends = dict.fromkeys(("low", "high"), table["value"])
    return table.assign(**ends, n=1, clusters=1, error=0.0, networks=0, apart=0.0)


def _without_repeats(seen: Seen) -> Seen:
    """Return the games without those played before, see `balance.analysis.row_tables.declare_repeats`."""
    rows, same = seen.rows, seen.rows.groupby("lineup")
    is_first = rows["game"] == same["game"].transform("min")
    repeated = ~is_first & (same["moves"].transform("nunique") == 1)
    return seen.without(rows["game"][repeated].unique())


Weights = tuple[np.ndarray, np.ndarray]
"""Of both fits."""


@dataclass(frozen=True)
class Lesson:
    """What games have taught about chances, also for games of other variants on these deals or on others."""

    elsewhere: Mapping[int, Weights]  # by the fold of the deals that taught nothing
    without: Mapping[int, Weights]  # by the tenth of the deals that taught nothing


@dataclass(frozen=True)
class Shown:
    """What followed games show: `rows` of measures by deal, and the means without each tenth of the deals."""

    rows: pd.DataFrame  # ``deck``, ``measure``, ``group``, ``value``
    without: pd.DataFrame  # measures and groups by tenth: neither what it taught nor its games

    def table(self, networks: int) -> pd.DataFrame:
        """Return the columns of `read_chances`."""
        return _bounded(_with_errors(_estimate(self.rows, networks), self.without))

    def less(self, base: Shown, networks: int) -> pd.DataFrame:
        """Return how far the means for `ALL` differ from those of another variant on the same deals, as in `table`."""
        rows, n = _difference(self.rows, base.rows)
        table = _with_errors(_estimate(rows, networks), self.without - base.without)
        return table.assign(n=n.reindex(pd.MultiIndex.from_frame(table[_KEYS])).to_numpy())


@dataclass(frozen=True)
class Followed:
    """Positions after the rounds of games, in the order of the games."""

    positions: pd.DataFrame  # ``deck``, ``game``, ``step``, ``progress``
    features: np.ndarray  # float (n, seats, features)
    won: np.ndarray  # float (n, seats): win shares at the end
    rank: np.ndarray  # int (n, seats): at the end
    trials: Trials | None
    waits: pd.DataFrame  # see `waits_of`

    @property
    def decks(self) -> np.ndarray:
        """The seed of the deal of each position, uint64 (n,)."""
        found: np.ndarray = self.positions["deck"].to_numpy(np.uint64)
        return found

    @property
    def teaches(self) -> bool:
        """Whether there are enough deals to learn chances."""
        return len(np.unique(self.decks)) >= LEAST_DEALS

    def without(self, tenth: int) -> Followed:
        """Return the positions and trials without a tenth of the deals."""
        kept = self.decks % np.uint64(TENTHS) != tenth
        arrays = (self.features[kept], self.won[kept], self.rank[kept])
        trials = self.trials and self.trials.only(self.trials.decks % np.uint64(TENTHS) != tenth)
        waits = self.waits[self.waits["deck"].to_numpy(np.uint64) % np.uint64(TENTHS) != tenth]
        return Followed(self.positions[kept].reset_index(drop=True), *arrays, trials, waits)

    def learn(self, start: Weights | tuple[None, None] = (None, None)) -> Weights:
        """Return the weights of both fits on all positions, from those of another start."""
        weights: list[np.ndarray] = []
        seen = self.features
        for number, near in enumerate(start):
            shares = self._stages(number)
            weights.append(fit_choice(seen, shares, self.won, _PENALTIES[number], near))
            seen = _odds(win_chances(weights[-1], seen, shares))
        return weights[0], weights[1]

    def teach(self) -> Lesson:
        """Return what these games teach; both fits leave out the same deals."""
        first, chance = self._fit_elsewhere(self.features, 0)
        second, _ = self._fit_elsewhere(_odds(chance), 1)
        tenths, near = np.unique(self.decks % np.uint64(TENTHS)).tolist(), self.learn()
        without = {tenth: self.without(tenth).learn(near) for tenth in tenths}
        return Lesson({fold: (first[fold], second[fold]) for fold in first}, without)

    def _fit_elsewhere(self, seen: np.ndarray, number: int) -> tuple[dict[int, np.ndarray], np.ndarray]:
        """Return one of the fits without each fold of the deals, and its chances of this fold."""
        fold, shares = self.decks % np.uint64(FOLDS), self._stages(number)
        found, weights = np.full(self.won.shape, 1 / self.won.shape[1]), {}
        for own in np.unique(fold).tolist():
            there, others = fold == own, fold != own
            if others.any():
                weights[own] = fit_choice(seen[others], shares[others], self.won[others], _PENALTIES[number])
                found[there] = win_chances(weights[own], seen[there], shares[there])
        return weights, found

    def chances(self, lesson: Lesson) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the chance of each seat (n, seats), and `Trials.worth`, as learned from other deals."""
        chance, fold = np.full(self.won.shape, 1 / self.won.shape[1]), self.decks % np.uint64(FOLDS)
        worth = None if self.trials is None else np.zeros(self.trials.won.shape)
        for own, weights in lesson.elsewhere.items():
            there = fold == own
            chance[there] = self._chance_by(weights, there)
            if self.trials is not None and worth is not None:
                tried = self.trials.decks % np.uint64(FOLDS) == own
                worth[tried] = self.trials.only(tried).worth(*weights)
        return chance, worth

    def _chance_by(self, weights: Weights, there: np.ndarray) -> np.ndarray:
        """Return the chances of some positions by the weights of both fits."""
        first = win_chances(weights[0], self.features[there], self._stages(0)[there])
        return win_chances(weights[1], _odds(first), self._stages(1)[there])

    @cached_property
    def shown(self) -> Shown:
        """What these games show by chances that they have taught."""
        with threadpool_limits(1):  # the products are small, and threads that wait for each other take longer
            return self.show(self.lesson)

    @cached_property
    def lesson(self) -> Lesson:
        """What these games have taught."""
        return self.teach()

    def show(self, lesson: Lesson, jackknife: bool = True) -> Shown:
        """Return what these games show by chances that they, or others, have taught."""
        found = {}
        for tenth, weights in lesson.without.items() if jackknife else ():
            rest = self.without(tenth)
            worth = rest.trials.worth(*weights) if rest.trials else None
            chance = rest._chance_by(weights, np.ones(len(rest.positions), bool))
            found[tenth] = rest.measure(chance, worth).groupby(_KEYS)["value"].mean()
        rows = self.measure(*self.chances(lesson))
        return Shown(rows, pd.DataFrame(found))

    def _stages(self, number: int) -> np.ndarray:
        return stage_shares(self.positions["progress"].to_numpy(), FIT_STAGES[number])

    def measure(self, chance: np.ndarray, worth: np.ndarray | None = None) -> pd.DataFrame:
        """Return all measures as rows: ``deck``, ``measure``, ``group``, ``value``."""
        tried = self.trials.measure(worth) if self.trials and worth is not None else ()
        return pd.concat([*self._by_game(chance), *self._by_seat(chance), *tried, self.waits], ignore_index=True)

    def of_games(self, chance: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Return the measures that each game has, and where in the positions each game begins."""
        players, step = chance.shape[1], self.positions["step"].to_numpy()
        first = np.flatnonzero(self.positions["game"].diff().to_numpy() != 0)
        last = np.append(first[1:], len(step)) - 1
        rounds = step[last] + 1.0  # the last one is not followed
        hopeless = np.add.reduceat(chance < HOPELESS / players, first, axis=0)
        winners = (chance * (self.won == 1)).sum(axis=1)  # 0 if several share the victory
        undecided = np.where(winners > DECIDED, 0, step)
        logs = np.log(chance, out=np.zeros_like(chance), where=chance > 0)
        after = np.vstack([chance[1:], chance[-1:]])
        after[last] = self.won[last]
        moved = np.abs(after - chance).sum(axis=1) / 2
        moved[first] += np.abs(chance[first] - 1 / players).sum(axis=1) / 2  # from the start on
        of_games = {
            OUT_OF_IT: hopeless.max(axis=1) >= LONG * rounds,
            DECIDED_AT: (np.maximum.reduceat(undecided, first) + 1) / rounds,
            OPEN: np.add.reduceat(-(chance * logs).sum(axis=1), first) / np.log(players) / (rounds - 1),
            SWINGS: np.add.reduceat(moved, first),
        }
        return of_games, first

    def _by_game(self, chance: np.ndarray) -> list[pd.DataFrame]:
        of_games, first = self.of_games(chance)
        players = chance.shape[1]
        fair = brier(np.full(chance.shape, 1 / players), self.won)
        saved = (fair - brier(chance, self.won)) / fair.mean()
        found = [_rows(self.decks[first], name, ALL, values) for name, values in of_games.items()]
        return [*found, _rows(self.decks, SHOWN, ALL, saved)]

    def _by_seat(self, chance: np.ndarray) -> list[pd.DataFrame]:
        players, flat = chance.shape[1], chance.ravel()
        decks, hopeless = np.repeat(self.decks, players), flat < HOPELESS / players
        ranks = "rank " + pd.Series(self.rank.ravel().astype(int)).astype(str)
        steps = "after " + pd.Series(np.repeat(self.positions["step"].to_numpy(), players)).astype(str)
        classes = np.minimum((flat * BINS).astype(int), BINS - 1).astype(str)
        found = [_rows(decks, WITHOUT, group, hopeless) for group in (ALL, ranks, steps)]
        return [*found, _rows(decks, OFF, classes, self.won.ravel() - flat)]


def _odds(chance: np.ndarray) -> np.ndarray:
    """Return the logarithms of chances as the only feature."""
    odds: np.ndarray = np.log(np.maximum(chance, 1e-9))[:, :, None]
    return odds


def _rows(decks: np.ndarray, measure: str, group: object, values: np.ndarray) -> pd.DataFrame:
    return pd.DataFrame({"deck": decks, "measure": measure, "group": group, "value": 100.0 * values})


def _estimate(rows: pd.DataFrame, networks: int) -> pd.DataFrame:
    """Return the mean of each measure and group, with the interval of given chances."""
    stratum = stratum_of_network("deck", networks) if networks > 1 else "0"
    keys = {"measure": "measure", "group": '"group"', STRATUM: stratum}
    with duckdb.connect() as connection:
        connection.register("followed", rows)
        sums = connection.execute(deal_sums(keys, {"value": "value"}, "followed", "deck")).df()
    return estimates(join_strata(sums, _KEYS).sort_values(_KEYS, ignore_index=True), _KEYS, "value")


def _difference(now: pd.DataFrame, base: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Return a value for each measure of `ALL` and deal whose mean is the difference of means, and each smaller n.

    A mean is a ratio of totals over deals, and a deal's value its linearised part. Of a deal where one side lacks the
    measure, such as that of tried choices, the side counts as its mean, and its other deals count for their number.
    """
    means, parts, counts = [], [], []
    for rows in (now, base):
        own = rows[(rows["group"] == ALL) & ~rows["measure"].isin((OFF, SHOWN))]
        sums = own.groupby([*_KEYS, "deck"])["value"].agg(["sum", "count"])
        keys = sums.index.droplevel("deck")
        whole = sums.groupby(level=_KEYS).sum()
        means.append(whole["sum"] / whole["count"])
        deals = sums.groupby(level=_KEYS).size()
        away = (sums["sum"] - means[-1].reindex(keys).to_numpy() * sums["count"]) * deals.reindex(keys).to_numpy()
        parts.append(away / whole["count"].reindex(keys).to_numpy())
        counts.append(whole["count"])
    both = means[0].index.intersection(means[1].index)
    index = parts[0].index.union(parts[1].index)
    index = index[index.droplevel("deck").isin(both)]
    keys, every = index.droplevel("deck"), index.to_frame().groupby(level=_KEYS).size()
    found = (means[0] - means[1]).reindex(keys).to_numpy()
    for sign, part in zip((1, -1), parts, strict=True):
        scale = every / part.groupby(level=_KEYS).size()
        found = found + sign * part.reindex(index, fill_value=0.0).to_numpy() * scale.reindex(keys).to_numpy()
    n = pd.concat(counts, axis=1).min(axis=1).reindex(both).astype(int)
    return pd.Series(found, index, name="value").reset_index(), n


def _with_errors(table: pd.DataFrame, without: pd.DataFrame) -> pd.DataFrame:
    """Return estimates whose errors are at least those of the jackknife, with the intervals that follow."""
    if without.empty:
        return table
    names = pd.MultiIndex.from_frame(table[_KEYS])
    error = jackknife_error(without.reindex(names).T.to_numpy())[0]
    found, tail = interval_of_frame(table), (1 + LEVEL) / 2
    wider = student_quantile(without.shape[1] - 1, tail) / student_quantile(found.freedom, tail)
    error = np.fmax(np.hypot(wider * error, found.apart), found.error)
    reach = student_quantile(found.freedom, tail) * error
    found = replace(found, error=error, low=found.value - reach, high=found.value + reach)
    return table[_KEYS].assign(**interval_columns(found))


def _bounded(table: pd.DataFrame) -> pd.DataFrame:
    """Return estimates whose intervals stay where means can be: shares within 0 and 100 %."""
    found = interval_of_frame(table)
    shares = scale(share_interval(scale(found, 0.01)), 100)
    is_share = table["measure"].isin(_SHARES).to_numpy()
    ends = {name: np.where(is_share, getattr(shares, name), getattr(found, name)) for name in ("low", "high")}
    table = table.assign(**ends)
    parts = table["measure"].isin((DECIDED_AT, OPEN, CONTACT, SOURCE)), ["value", "low", "high"]
    table.loc[parts] = table.loc[parts].clip(0, 100)
    return table
