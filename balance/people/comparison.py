"""People's games next to those of bots in a run: seats, scores and length, the tier that plays most alike, the pace."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import stats

from balance.analysis.question import interval_columns, scale
from balance.analysis.shares import judge_shares
from balance.people.folder import People
from balance.runs.database import connect
from balance.runs.folder import RunFolder
from balance.stats.comparisons import LEAST_DECKS, games_needed, games_to_balance
from balance.stats.intervals import (
    Interval,
    Moments,
    cluster_interval,
    difference_of,
    fair_share,
    ratio_interval,
    share_interval,
)

CELL = ["players", "variant"]
MEASURES = {
    "score": "mean score of the players",
    "best": "best score",
    "margin": "margin",
    "rounds": "rounds",
    "shared": "shared victories, %",
}
"""What a record of people's games and a log of bots' games both have, for each game."""
_ALIKE = ("score", "best", "margin", "rounds")
_BOT_GAMES = 20_000  # of a cell that are read
_DRAWS, _SURE = 2000, 0.95  # bootstrap; the share of its draws that shows which tier is nearest
_PACE = (0.1, 3600.0)  # seconds a choice that `thresholds.seconds_per_choice` accepts


@dataclass(frozen=True)
class Likeness:
    """Which tier plays most like the people.

    Attributes
    ----------
    distances : dict of str to float
        Root mean square of the differences in score, best score, margin and rounds, in standard deviations of a game;
        the nearest tier first.
    share : float
        Share of bootstrap samples of the people's games in which the first tier is the nearest.
    more : int
        Games that would show it with a power of 80 %, estimated from these; 0 if it is shown.
    """

    distances: dict[str, float]
    share: float
    more: int

    @property
    def nearest(self) -> str:
        """The tier with the smallest distance."""
        return next(iter(self.distances))

    @property
    def is_shown(self) -> bool:
        """Whether the nearest tier is nearest in 95 % of the samples."""
        return self.share >= _SURE


@dataclass(frozen=True)
class PeopleComparison:
    """People's games and the games of every tier of a run, in the cells (players, variant) of the people's games."""

    people: People
    bots: pd.DataFrame  # a row for each game: tier, CELL, MEASURES, choice_blocks

    @property
    def before(self) -> PeopleComparison:
        """The comparison as it was before games were last added."""
        return replace(self, people=self.people.first(self.people.looks[-2]))

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row for each game of people: CELL, MEASURES, minutes."""
        return per_game(self.people.games, self.people.seats)

    def seat_shares(self, limit: float) -> pd.DataFrame:
        """Return the win share of each seat with verdicts, see `balance.analysis.shares.judge_shares`.

        Each time games are added, the error rate is half of the one before, as in an extended run. A few games don't
        show how far off a seat is, so ``more_games`` is 0; see `games_for_fair_seats`.
        """
        judged = judge_shares(seat_shares(self.people), "seat", limit, 2 ** (len(self.people.looks) - 1))
        return judged.assign(more_games=0)

    @cached_property
    def tiers(self) -> list[str]:
        """The tiers with games in the people's cells."""
        return list(dict.fromkeys(self.bots["tier"]))

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Means by cell and source, with intervals; the differences tier less people as ``d_value``, ``d_low``, ...

        The columns are CELL, ``measure``, ``source`` (``people`` or a tier), the interval, and the difference.
        """
        rows = []
        own = {key: _means(part) for key, part in self.games.groupby(CELL)}
        rows += [
            _row(key, name, "people", found) for key, each in own.items() for name, found in each.items()
        ]
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
        return find_likeness(self.games, self.bots)

    @cached_property
    def pace(self) -> Interval | None:
        """Seconds that people take for a choice; None with fewer than `LEAST_DECKS` games with minutes.

        The number of choices is that of the nearest tier, if it is shown; otherwise the interval spans all tiers.
        """
        found = self.likeness
        tiers = [found.nearest] if found and found.is_shown else self.tiers
        paces = [
            pace for tier in tiers if (pace := _pace(self.games, self.bots[self.bots["tier"] == tier]))
        ]
        if not paces:
            return None
        low, high = min(pace.low for pace in paces), max(pace.high for pace in paces)
        low, high = float(np.clip(low, *_PACE)), float(np.clip(high, *_PACE))
        first = paces[0]
        return Interval(first.value, low, high, first.clusters, first.clusters, first.error)


def compare_people(run: RunFolder, people: People) -> PeopleComparison:
    """Read the games of every tier of a run in the cells of the people's games."""
    wanted = set(people.games[CELL].itertuples(index=False, name=None))
    cells = [cell for cell in run.plan.cells if (cell.players, cell.variant.name) in wanted]
    if not cells:
        return PeopleComparison(
            people, pd.DataFrame(columns=[*CELL, *MEASURES, "choice_blocks", "tier"])
        )
    frames = []
    with connect(run.path, run.bond, cells={cell.number for cell in cells}) as connection:
        for cell in cells:
            last = cell.first_id + _BOT_GAMES
            rows = f"WHERE game_id >= {cell.first_id} AND game_id < {last} AND status = 'finished'"
            games = connection.sql(
                f"SELECT game_id, players, variant, rounds, margin, winners, choice_blocks FROM games {rows}"
            ).df()
            scores = connection.sql(
                f"SELECT game_id, score FROM seats WHERE game_id >= {cell.first_id} AND game_id < {last}"
            ).df()
            frames.append(per_game(games, scores).assign(tier=cell.tier.name))
    return PeopleComparison(people, pd.concat(frames, ignore_index=True))


def per_game(games: pd.DataFrame, seats: pd.DataFrame) -> pd.DataFrame:
    """Return the games with `MEASURES` as floats, NaN where they were not noted."""
    scores = seats.astype({"score": float}).groupby("game_id")["score"].agg(score="mean", best="max")
    found = games.drop(columns=["score"], errors="ignore").merge(
        scores, left_on="game_id", right_index=True
    )
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
    small = 0.01
    return _spread(players) * small * math.sqrt(games_needed(small, 1.0, comparisons=tries) / games)


def _spread(players: int) -> float:
    """Return the standard deviation of a fair seat's win share in a game, in points."""
    fair = fair_share(players) / 100
    return 100 * math.sqrt(fair * (1 - fair))


def _mean(values: np.ndarray) -> Interval:
    n, s, ss = len(values), values.sum(), (values * values).sum()
    return cluster_interval(Moments(n, n, s, ss, s, n))


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
    return {
        "players": key[0],
        "variant": key[1],
        "measure": measure,
        "source": source,
        **interval_columns(found),
    }


def find_likeness(people: pd.DataFrame, bots: pd.DataFrame) -> Likeness | None:
    """Return which tier's games are most like the people's games, from rows of `per_game`."""
    tiers = list(dict.fromkeys(bots["tier"]))
    names = [name for name in _ALIKE if people[name].notna().all() and bots[name].notna().all()]
    pairs = bots.groupby(CELL)["tier"].nunique()
    shared = pairs.index[pairs == len(tiers)] if len(tiers) else []
    games = people[people.set_index(CELL).index.isin(shared)]
    if len(tiers) < 2 or not names or len(games) < LEAST_DECKS:
        return None
    spread = bots.groupby([*CELL, "tier"])[names].std().groupby(CELL).mean().replace(0, np.nan)
    centre = bots.groupby([*CELL, "tier"])[names].mean()
    place = pd.MultiIndex.from_frame(games[CELL])
    scaled = np.stack(
        [
            (games[names].to_numpy(float) - centre.xs(tier, level="tier").reindex(place).to_numpy(float))
            / spread.reindex(place).to_numpy(float)
            for tier in tiers
        ]
    )  # (tiers, games, measures)
    scaled = scaled[:, :, ~np.isnan(scaled).any((0, 1))]
    if not scaled.shape[2]:
        return None
    centred = scaled.mean(axis=1)  # (tiers, measures)
    moved = (
        scaled[0][_resample(games)].mean(axis=1) - centred[0]
    )  # (draws, measures), the same for all tiers
    drawn = ((centred[:, None] + _widen(len(games)) * moved) ** 2).mean(axis=2)  # (tiers, draws)
    distance = np.sqrt((centred**2).mean(axis=1))
    order = np.argsort(distance, kind="stable")
    share = float((drawn.argmin(axis=0) == order[0]).mean())
    more = 0 if share >= _SURE else _games_to_show(scaled[order[0]], scaled[order[1]])
    return Likeness({tiers[i]: float(distance[i]) for i in order}, share, more)


def _resample(games: pd.DataFrame) -> np.ndarray:
    """Return bootstrap samples (draws, games): indices drawn within each cell."""
    rng = np.random.default_rng(0)
    cells = games.groupby(CELL, sort=False).indices.values()
    return np.concatenate([rng.choice(own, (_DRAWS, len(own))) for own in cells], axis=1)


def _widen(games: int) -> float:
    """Return the factor by which means of bootstrap samples vary too little: the sample's variance, and Student's t."""
    tail = 0.025
    return math.sqrt(games / (games - 1)) * float(stats.t.isf(tail, games - 1) / stats.norm.isf(tail))


def _games_to_show(near: np.ndarray, next_nearest: np.ndarray) -> int:
    """Return how many games show which of two tiers is nearer, from standardised games (games, measures).

    The games are projected on the line between both tiers; their mean lies on the nearer tier's side of the middle.
    """
    apart = (next_nearest - near).mean(axis=0)
    length = float(np.linalg.norm(apart))
    if length == 0:
        return 0
    along = near @ apart / length + length / 2  # from the middle
    return games_needed(
        max(1e-3, abs(float(along.mean()))), float(along.std(ddof=1)) or 1e-3, alpha=2 * (1 - _SURE)
    )


def _pace(people: pd.DataFrame, bots: pd.DataFrame) -> Interval | None:
    """Return the seconds of a choice: all minutes of the games divided by the mean choices of bots in their cells."""
    choices = bots.groupby(CELL)["choice_blocks"].mean().rename("expected")
    timed = people.join(choices, on=CELL).dropna(subset=["minutes", "expected"])
    if len(timed) < LEAST_DECKS:
        return None
    return ratio_interval(60 * timed["minutes"].to_numpy(float), timed["expected"].to_numpy(float))
