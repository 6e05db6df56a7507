"""People's games next to those of bots in a run: seats, scores and length, the tier that plays most alike, the pace."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import special

from balance.analysis.ended import MOST
from balance.analysis.question import interval_columns, scale
from balance.analysis.row_tables import NO_REPEAT, declare_repeats
from balance.analysis.shares import judge_shares, share_limit
from balance.analysis.traced import CELL
from balance.contract.records import STATUSES, TRUNCATED
from balance.experiments.targets import Thresholds
from balance.foundation.language import N_
from balance.people.folder import People
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.stats.comparisons import (
    ALPHA,
    LEAST_DECKS,
    TOO_FEW,
    UNDECIDED,
    games_needed,
    games_to_balance,
    smallest_effect,
)
from balance.stats.intervals import (
    Interval,
    difference_of,
    fair_share,
    ratio_interval,
    share_interval,
    student_quantile,
)

MEASURES = {
    "score": N_("mean score of the players"),
    "best": N_("best score"),
    "margin": N_("margin"),
    "rounds": N_("rounds"),
    "shared": N_("shared victories, %"),
}
"""What a record of people's games and a log of bots' games both have, for each game."""
ALIKE = ("score", "best", "margin", "rounds")
"""The measures by which tiers are compared with people, if all games have them."""
_BOT_GAMES = 20_000  # of a cell that are read
_DRAWS = 2000  # of the bootstrap
_MOST_OF_ONE = 0.5  # of the games that one person may sit in a seat
_READ = ("players", "variant", "status", "deal_seed", "rounds", "margin", "winners", "choice_blocks")
_PACE = (0.1, 3600.0)  # seconds a choice that `thresholds.seconds_per_choice` accepts


@dataclass(frozen=True)
class Likeness:
    """Which tier plays most like the people.

    Attributes
    ----------
    distances : dict of str to float
        Root mean square of the differences in `measures`, in standard deviations of a game; the nearest tier first.
    measures : list of str
        Those of `ALIKE` that all games have.
    share : float
        Share of bootstrap samples in which the first tier is nearer than all others.
    needed : float
        The share from which on it is shown to be the nearest.
    more : int
        Games that would show it with a power of 80 %, estimated from these; 0 if it is shown, or if the two nearest
        tiers play alike.
    """

    distances: dict[str, float]
    measures: list[str]
    share: float
    needed: float
    more: int

    @property
    def nearest(self) -> str:
        """The tier with the smallest distance."""
        return next(iter(self.distances))

    @property
    def is_shown(self) -> bool:
        """Whether the nearest tier is shown to be the nearest."""
        return self.share >= self.needed


@dataclass(frozen=True)
class Pace:
    """Seconds that people take for a choice."""

    low: float
    high: float
    tier: str  # the tier whose number of choices was used; "" if the interval spans all tiers
    n: int  # games with minutes


@dataclass(frozen=True)
class PeopleComparison:
    """People's games and the games of every tier of a run, in the cells (players, variant) of the people's games."""

    people: People
    bots: pd.DataFrame  # a row for each game: tier, deal_seed, CELL, MEASURES, choice_blocks
    truncated: dict[str, float]  # share of each tier's games in the people's cells that were truncated

    @property
    def before(self) -> PeopleComparison:
        """The comparison as it was before games were last added."""
        return replace(self, people=self.people.first(self.people.updates[-2]))

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row for each game of people: CELL, MEASURES, minutes."""
        return per_game(self.people.games, self.people.seats)

    def seat_shares(self, thresholds: Thresholds) -> pd.DataFrame:
        """Return the win share of each seat with verdicts, see `balance.analysis.shares.judge_shares`.

        Each time games are added, the error rate is half of the one before, as in an extended run. A few games don't
        show how far off a seat is, so ``more_games`` is 0; see `games_for_fair_seats`. Cells in `unmixed` have no
        verdict.
        """
        shares = seat_shares(self.people)
        limit = share_limit(thresholds, "seat", fair_share(shares["players"].to_numpy()))
        judged = judge_shares(shares, "seat", limit, self.update_families)
        cells = judged[CELL].itertuples(index=False, name=None)
        withheld = np.array([cell in self.unmixed for cell in cells], bool)
        judged.loc[withheld & judged["verdict"].ne(TOO_FEW), "verdict"] = UNDECIDED
        return judged.assign(more_games=0)

    @property
    def update_families(self) -> int:
        """Divisor of the error rate: 1 for the first analysis, twice as large after each update."""
        return int(2 ** (len(self.people.updates) - 1))

    @cached_property
    def unmixed(self) -> set[tuple[int, str]]:
        """The cells in which a seat can't be separated from its players.

        There, one person has a seat in more than half of the games, or no names were noted.
        """
        seats = self.people.seats
        found = set()
        for (players, variant, _), part in seats.groupby([*CELL, "seat"]):
            names = part["strategy"]
            if (names == "").any() or names.value_counts(normalize=True).iloc[0] > _MOST_OF_ONE:
                found.add((int(players), str(variant)))
        return found

    @cached_property
    def tiers(self) -> list[str]:
        """The tiers with games in the people's cells, except those with too many truncated games."""
        names = dict.fromkeys(self.bots["tier"])
        return [name for name in names if self.truncated[name] <= MOST]

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Means by cell and source, with intervals; the differences tier less people as ``d_value``, ``d_low``, ...

        The columns are CELL, ``measure``, ``source`` (``people`` or a tier), the interval, and the difference.
        """
        rows = []
        own = {key: _means(part) for key, part in self.games.groupby(CELL)}
        rows += [_row(key, name, "people", found) for key, each in own.items() for name, found in each.items()]
        parts = self.bots.groupby([*CELL, "tier"], sort=False)
        for (players, variant, tier), part in parts:
            key = (players, variant)
            for name, found in _means(part).items():
                if name in own.get(key, {}):
                    apart = difference_of(found, own[key][name])
                    rows.append(
                        {
                            **_row(key, name, tier, found),
                            "d_value": apart.value,
                            "d_low": apart.low,
                            "d_high": apart.high,
                        }
                    )
        return pd.DataFrame(rows)

    @cached_property
    def likeness(self) -> Likeness | None:
        """The tier that plays most like the people; None with one tier, or fewer than `LEAST_DECKS` games."""
        bots = self.bots[self.bots["tier"].isin(self.tiers)]
        return find_likeness(self.games, bots, ALPHA / self.update_families)

    @cached_property
    def pace(self) -> Pace | None:
        """Seconds that people take for a choice, over all player counts."""
        return self._pace_of(self.games)

    @cached_property
    def paces(self) -> dict[int, Pace]:
        """Seconds that people take for a choice by player count, where enough games have minutes."""
        found = {int(players): self._pace_of(part) for players, part in self.games.groupby("players")}
        return {players: pace for players, pace in found.items() if pace}

    def _pace_of(self, games: pd.DataFrame) -> Pace | None:
        """Return the seconds that people take for a choice; None with fewer than `LEAST_DECKS` games with minutes.

        The number of choices is that of the nearest tier, if it is shown, or of the only one; otherwise the interval
        spans all tiers.
        """
        found = self.likeness
        tiers = [found.nearest] if found and found.is_shown else self.tiers
        parts = (self.bots[self.bots["tier"] == tier] for tier in tiers)
        paces = [pace for part in parts if (pace := _seconds_of_choice(games, part))]
        if not paces:
            return None
        ends = min(pace.low for pace in paces), max(pace.high for pace in paces)
        low, high = (float(np.clip(end, *_PACE)) for end in ends)
        return Pace(low, high, tiers[0] if len(tiers) == 1 else "", int(paces[0].clusters))


def compare_people(run: RunFolder, people: People) -> PeopleComparison:
    """Read the games of every tier of a run in the cells of the people's games."""
    wanted = set(people.games[CELL].itertuples(index=False, name=None))
    cells = [cell for cell in run.plan.cells if (cell.players, cell.variant.name) in wanted]
    if not cells:
        columns = [*CELL, *MEASURES, "choice_blocks", "deal_seed", "tier"]
        return PeopleComparison(people, pd.DataFrame(columns=columns), {})
    frames = []
    with connect(run.path, run.bond, cells={cell.number for cell in cells}) as connection:
        declare_repeats(connection, "games")
        for cell in cells:
            rows = f"WHERE game_id >= {cell.first_id} AND game_id < {cell.first_id + _BOT_GAMES} AND {NO_REPEAT}"
            games = connection.sql(f"SELECT game_id, {', '.join(_READ)} FROM games {rows}").df()
            scores = connection.sql(f"SELECT game_id, score FROM seats {rows}").df()
            frames.append(per_game(games, scores).assign(tier=cell.tier.name))
    bots = pd.concat(frames, ignore_index=True)
    broken = bots["status"] == STATUSES[TRUNCATED]
    return PeopleComparison(people, bots[~broken], broken.groupby(bots["tier"]).mean().to_dict())


def per_game(games: pd.DataFrame, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the games with `MEASURES` as floats, NaN where they were not noted."""
    scores = seats.astype({"score": float}).groupby("game_id")["score"].agg(score="mean", best="max")
    found = games.drop(columns=["score"], errors="ignore").merge(scores, left_on="game_id", right_index=True)
    found["shared"] = 100.0 * (found["winners"] > 1)
    numbers = [name for name in (*MEASURES, "minutes", "choice_blocks") if name in found]
    return found.astype(dict.fromkeys(numbers, float))


def seat_shares(people: People) -> pd.DataFrame:
    """Return the win share of each seat in percent, in the columns of a question about shares."""
    rows = []
    for (players, variant, seat), part in people.seats.groupby([*CELL, "seat"]):
        found = scale(share_interval(_mean(part["win_share"].to_numpy(float))), 100)
        rows.append({"players": players, "variant": variant, "seat": seat, **interval_columns(found)})
    return pd.DataFrame(rows)


def games_for_fair_seats(players: int, limit: float, tries: int) -> int:
    """Return how many games show that seats which are fair are within `limit` points, with a power of 80 %."""
    return games_to_balance(limit, _spread(players), comparisons=tries)


def smallest_shown(players: int, games: int, tries: int) -> float:
    """Return the smallest advantage of a seat, in points, that these games show with a power of 80 %."""
    return smallest_effect(games, _spread(players), comparisons=tries)


def _spread(players: int) -> float:
    """Return the standard deviation of a fair seat's win share in a game, in points."""
    fair = fair_share(players) / 100
    return 100 * math.sqrt(fair * (1 - fair))


def _mean(values: np.ndarray) -> Interval:
    """Return the mean of independent values."""
    return ratio_interval(values, np.ones(len(values)))


def _means(games: pd.DataFrame) -> dict[str, Interval]:
    """Return the means of the measures, and of minutes, that any of these games have."""
    found = {}
    for name in (*MEASURES, "minutes"):
        values = games[name].dropna().to_numpy(float) if name in games else np.empty(0)
        if len(values):
            plain = _mean(values / 100) if name == "shared" else _mean(values)
            found[name] = scale(share_interval(plain), 100) if name == "shared" else plain
    return found


def _row(key: tuple[int, str], measure: str, source: str, found: Interval) -> dict[str, object]:
    return {"players": key[0], "variant": key[1], "measure": measure, "source": source, **interval_columns(found)}


def find_likeness(people: pd.DataFrame, bots: pd.DataFrame, alpha: float = ALPHA) -> Likeness | None:
    """Return which tier's games are most like the people's games, from rows of `per_game` with tier and deal_seed.

    A tier is shown to be the nearest if it is in all but alpha / 2 of the bootstrap samples: so of two tiers that play
    alike one is shown in alpha of all cases. The samples vary the people's games within each cell, and the means of
    each tier by the variance over its deals.
    """
    tiers = list(dict.fromkeys(bots["tier"]))
    names = [name for name in ALIKE if people[name].notna().all() and bots[name].notna().all()]
    cells = bots.groupby(CELL)["tier"].nunique()
    games = people[people.set_index(CELL).index.isin(cells.index[cells == len(tiers)])]
    if len(tiers) < 2 or not names or len(games) < LEAST_DECKS:
        return None
    spread = bots.groupby([*CELL, "tier"])[names].std().groupby(CELL).mean()
    names = [name for name in names if (spread.loc[pd.MultiIndex.from_frame(games[CELL])][name] > 0).all()]
    if not names:
        return None
    rng = np.random.default_rng(0)
    away, drawn = _differences(games, bots, spread[names], rng)
    distances = np.sqrt((away.mean(axis=1) ** 2).mean(axis=1))  # (tiers,)
    order = np.argsort(distances, kind="stable")
    squares = (drawn**2).mean(axis=2)[order]  # (tiers, draws)
    share, needed = float((squares[0] < squares[1:].min(axis=0)).mean()), 1 - alpha / 2
    more = 0 if share >= needed else _games_to_show(away[order[0]], away[order[1]], alpha)
    return Likeness({tiers[i]: float(distances[i]) for i in order}, names, share, needed, more)


def _differences(
    games: pd.DataFrame, bots: pd.DataFrame, spread: pd.DataFrame, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return people's games less the mean of each tier, in standard deviations, and bootstrap samples of the means.

    The shapes are (tiers, games, measures) and (tiers, draws, measures).
    """
    names = list(spread.columns)
    sample = np.concatenate(
        [rng.choice(own, (_DRAWS, len(own))) for own in games.groupby(CELL, sort=False).indices.values()], axis=1
    )
    place = pd.MultiIndex.from_frame(games[CELL])
    scale = spread.loc[place].to_numpy(float)
    away, drawn = [], []
    for _, own in bots.groupby("tier", sort=False):
        cells = own.groupby(CELL)
        apart = (games[names].to_numpy(float) - cells[names].mean().loc[place].to_numpy(float)) / scale
        moved = _widen(len(games)) * (apart[sample].mean(axis=1) - apart.mean(axis=0))
        for cell, part in cells:
            weight = (place == cell).mean()
            if weight:
                moved += weight * _draw_means(part, names, rng) / spread.loc[cell].to_numpy(float)
        away.append(apart)
        drawn.append(apart.mean(axis=0) + moved)
    return np.stack(away), np.stack(drawn)


def _draw_means(games: pd.DataFrame, names: list[str], rng: np.random.Generator) -> np.ndarray:
    """Return draws (draws, measures) of the error of the means of bots' games; deals are the clusters."""
    deals = games.groupby("deal_seed")[names].mean().to_numpy(float)
    if len(deals) < 2:
        return np.full((_DRAWS, len(names)), np.inf)
    error = np.atleast_2d(np.cov(deals, rowvar=False)) / len(deals)
    return rng.multivariate_normal(np.zeros(len(names)), error, _DRAWS, method="svd")


def _widen(games: int) -> float:
    """Return the factor by which means of bootstrap samples vary too little: the sample's variance, and Student's t."""
    tail = 0.025
    return math.sqrt(games / (games - 1)) * float(student_quantile(games - 1, tail) / special.ndtri(tail))


def _games_to_show(near: np.ndarray, next_nearest: np.ndarray, alpha: float) -> int:
    """Return how many games show which of two tiers is nearer, from standardised games (games, measures).

    The games are projected on the line between both tiers; their mean lies on the nearer tier's side of the middle.
    """
    apart = (next_nearest - near).mean(axis=0)
    length = float(np.linalg.norm(apart))
    if length == 0:
        return 0
    along = near @ apart / length + length / 2  # from the middle
    return games_needed(max(1e-3, abs(float(along.mean()))), float(along.std(ddof=1)) or 1e-3, alpha=alpha)


def _seconds_of_choice(people: pd.DataFrame, bots: pd.DataFrame) -> Interval | None:
    """Return the seconds of a choice: all minutes of the games divided by the mean choices of bots in their cells."""
    choices = bots.groupby(CELL)["choice_blocks"].mean().rename("expected")
    timed = people.join(choices[choices > 0], on=CELL).dropna(subset=["minutes", "expected"])
    if len(timed) < LEAST_DECKS:
        return None
    return ratio_interval(60 * timed["minutes"].to_numpy(float), timed["expected"].to_numpy(float))
