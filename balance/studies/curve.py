"""A strength curve: levels of play, each against itself on the same deals and against its neighbours; the forecast."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.ended import Played, refuse_broken
from balance.analysis.gather import gather
from balance.analysis.head_to_head import BAGS, Meetings, bags_of
from balance.analysis.question import Question, column, deal_sums
from balance.contract.analytics import Measure
from balance.contract.game import Game, get_game
from balance.contract.sides import SEAT
from balance.experiments.experiment import make_experiment
from balance.experiments.measures import measures_of
from balance.experiments.networks import EXPERT, has_expert
from balance.experiments.plan import Plan, make_tier
from balance.experiments.planning import make_plan
from balance.experiments.profiles import CHAMPION, RANDOM_NAME, strongest_profile
from balance.experiments.strategies import Strategy, load_strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.runs.workers import Workers
from balance.stats.curves import (
    KINDS,
    LEAST_LEVELS,
    STRONGEST,
    Forecast,
    Levels,
    forecast,
    interval,
    log_ratios,
    measured_again,
    shares,
)
from balance.stats.ratings import DRAWS, draw_ratings
from balance.studies.ladder import LEAST_BUDGET, doublings_of, seed_of
from balance.studies.playing import play_or_resume
from balance.studies.settings import StrengthCurve

_WHERE = "curve"  # named in error messages
_LEVEL = re.compile(r"(?P<strategy>.+?)(?:@(?P<key>\w+)=(?P<value>.*))?")
_LOSSES = (0.6, 0.4, 0.2)  # of the wins, by novices
_TEMPERATURES = (2, 1, 0.5)  # of the expert


@dataclass(frozen=True)
class Level:
    """A level of play: a strategy, perhaps with mistakes or at a temperature."""

    name: str  # as the user writes it: champion@loss=0.3
    strategy: Strategy
    keys: dict[str, Any]  # of its tier

    @property
    def budget(self) -> int:
        """Iterations a decision; 0 for a strategy that does not search."""
        return self.strategy.search.switches.iterations if self.strategy.search else 0


@dataclass(frozen=True)
class CurveGames:
    """The runs of a strength curve."""

    asked: StrengthCurve
    levels: list[Level]  # the strongest last
    mirror: RunFolder  # each level against itself: a tier for each
    field: RunFolder  # each level against its neighbours

    @property
    def played(self) -> int:
        """Number of games of both runs."""
        return sum(int(run.info["rows"]["games"]) for run in (self.mirror, self.field))

    @property
    def without_expert(self) -> str:
        """Say that plain searchers play because the game has no expert for these player counts; "" if one plays."""
        if any(level.strategy.uses_networks for level in self.levels):
            return ""
        game = self.mirror.plan.game
        return tr(
            "{game} has no expert for all these player counts: the searchers have no prior network.", game=game.title
        )


def play_curve(
    asked: StrengthCurve, folder: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> CurveGames:
    """Play a curve's runs into a folder, or resume those that exist; finished runs are only read.

    `workers` play the games; None for a thread on each core.
    """
    levels, plan = plan_curve(asked)  # reports all mistakes before the first game
    mirror = play_or_resume(plan, folder / "mirror", progress, workers)
    field = play_or_resume(_plan_field(asked, levels, mirror.plan), folder / "field", progress, workers)
    return CurveGames(asked, levels, mirror, field)


def plan_curve(asked: StrengthCurve) -> tuple[list[Level], Plan]:
    """Return the levels, and the plan in which each plays against itself."""
    game = get_game(asked.game)
    game.sides.require("balance curve", (SEAT,))
    counts = list(asked.players or game.players)
    data = {"game": asked.game, "variants": [asked.variant], "players": counts, "log": "rounds"}
    names = asked.levels or default_levels(game, counts, asked.top)
    levels = [_read_level(game, name) for name in names]
    _check_levels(levels)
    tiers = [{**level.keys, "games": asked.search_games if level.budget else asked.games} for level in levels]
    experiment = make_experiment({**data, "tiers": tiers, "seed": seed_of(asked.seed, 0)}, _WHERE)
    return levels, make_plan(experiment, Path(), _WHERE)


def default_levels(game: Game, counts: Sequence[int], top: int) -> list[str]:
    """Return novices, the strongest profile, the expert at several temperatures, and searchers up to `top` iterations.

    Without an expert for all these player counts, the searchers have no network as prior.
    """
    best = strongest_profile(game)
    found = [f"{best}@loss={loss:g}" for loss in _LOSSES] if best != RANDOM_NAME else []
    found.append(best)
    prior = ""
    if set(counts) <= set(game.players) and has_expert(game, counts):
        found += [*(f"{EXPERT}@temperature={each:g}" for each in _TEMPERATURES), EXPERT]
        prior = f"{EXPERT}-"
    least = LEAST_BUDGET * 2 ** max(1, LEAST_LEVELS - 1 - len(found))
    if top < least:
        raise BalanceError(
            tr(
                "--top: must be at least {least} iterations, because {game} has {n} other levels of play; or name at "
                "least {all} levels with --levels",
                least=least, game=game.title, n=len(found), all=LEAST_LEVELS,
            )
        )  # fmt: skip
    steps = doublings_of(top)[::-1]
    return [*found, *(f"{prior}search-{each}" for each in (steps[0].half, *(s.budget for s in steps)))]


def _read_level(game: Game, name: str) -> Level:
    """Return the level of a name such as ``champion@loss=0.3`` or ``expert@temperature=1``."""
    found = _LEVEL.fullmatch(name)
    keys: dict[str, Any] = {}
    if found and found["key"]:
        try:
            keys[found["key"]] = float(found["value"])
        except ValueError:
            keys.clear()
        if not keys.keys() & {"loss", "temperature"}:
            raise BalanceError(
                tr("--levels: {name!r}: write a level such as champion@loss=0.3 or expert@temperature=1", name=name)
            )
    wanted = found["strategy"] if found else name
    strategy = load_strategy(game, wanted, Path())
    label = strategy.name + name.removeprefix(wanted)
    tier = re.sub(r"\W+", "-", label, flags=re.ASCII).strip("-")
    return Level(label, strategy, {"name": tier, "strategies": [wanted], **keys})


def _check_levels(levels: Sequence[Level]) -> None:
    """Refuse levels from which no stronger searcher can be predicted."""
    if len(levels) < LEAST_LEVELS:
        raise BalanceError(
            tr(
                "--levels: a curve needs at least {least} levels, but got {count}",
                least=LEAST_LEVELS, count=len(levels),
            )
        )  # fmt: skip
    before, last = levels[-2:]
    if not 0 < before.budget < last.budget:
        raise BalanceError(
            tr(
                "--levels: the last two must be searchers, the last with more iterations: not {before} and {last}",
                before=before.name,
                last=last.name,
            )
        )


def _plan_field(asked: StrengthCurve, levels: Sequence[Level], mirror: Plan) -> Plan:
    """Return the plan in which each level meets the next one, as both play in `mirror`."""
    counts = mirror.experiment.players
    names = [level.name for level in levels]
    lineups = [
        [(one, other)[seat % 2] for seat in range(players)]
        for players in counts
        for pair in pairwise(names)
        for one, other in ([pair] if players % 2 == 0 else [pair, pair[::-1]])
    ]
    data = {
        "game": asked.game, "variants": [asked.variant], "players": counts, "lineups": lineups,
        "games": asked.search_games * (len(levels) - 1), "seed": seed_of(asked.seed, 1),
    }  # fmt: skip
    experiment = make_experiment(data, _WHERE)
    (keys,) = experiment.every_tier
    adapted = {(mirror.first_variant.name, players): _as_in_mirror(mirror, names, players) for players in counts}
    tier = make_tier(experiment, keys, _as_in_mirror(mirror, names), lineups, adapted)
    return replace(mirror, experiment=experiment, tiers=[tier], active_tier=0)


def _as_in_mirror(mirror: Plan, names: Sequence[str], players: int = 0) -> list[Strategy]:
    """Return the strategies of all levels by their names, novices with their mistakes at this player count if any."""
    cell = (mirror.first_variant.name, players)
    own = (tier.adapted.get(cell, tier.strategies)[0] for tier in mirror.tiers)
    return [replace(each, name=name) for each, name in zip(own, names, strict=True)]


LEAST_COVERED = 0.9
"""Forecasts are shown if at least this share of the values measured at the strongest level lie within theirs."""
MEASURES = ("seat_win_share", "faction_win_share", "comeback", "minutes")
_POINTS = 60  # of a drawn curve


@dataclass(frozen=True)
class CurveResults:
    """The results of a strength curve; shares are in percent.

    Attributes
    ----------
    levels : DataFrame
        A row for each player count, level, measure, seat and faction: ``players``, ``level``, ``rating``,
        ``rating_low``, ``rating_high``, ``measure``, ``seat`` (counted from 1; 0 for other measures), ``faction``
        ("" for other measures), ``value``, ``low``, ``high``, ``n``.
    cells : DataFrame
        A row for each player count, measure, seat and faction: the strongest ``level``, its ``value``, ``low``,
        ``high``, ``n``; ``predicted``, ``predicted_low``, ``predicted_high`` from the levels below it, and whether the
        measured value is ``covered``; ``next``, ``next_low``, ``next_high`` with twice the iterations (NaN unless
        forecasts are shown), and the number of these ``iterations``; the weight of each of `KINDS`.
    curves : DataFrame
        Points of the weighted curves of seats: ``players``, ``seat``, ``rating``, ``value``, ``low``, ``high``; empty
        unless forecasts are shown.
    measures : mapping
        The measures by name: seats, factions if the game has some, comebacks and minutes.
    games : CurveGames
        The games that these are the results of.
    """

    levels: pd.DataFrame
    cells: pd.DataFrame
    curves: pd.DataFrame
    measures: Mapping[str, Measure]
    games: CurveGames

    @property
    def coverage(self) -> float:
        """The share of cells in which the strongest level was predicted."""
        return float(self.cells["covered"].mean())

    @property
    def is_shown(self) -> bool:
        """Whether forecasts may be shown."""
        return self.coverage >= LEAST_COVERED


@dataclass(frozen=True)
class BagSums(Question):
    """Sums of a measure over bags of deals, by seat, by faction or of games; the bags are the same for all tiers."""

    measure: Measure

    keys = ("players", "seat", "faction", "bag")

    @property
    def sql(self) -> str:
        of_factions = bool(self.measure.groups)
        keys = {
            "players": "players",
            "seat": "0" if of_factions else "seat",
            "faction": column(self.measure.by) if of_factions else "''",
            "bag": f"(deal_seed % {BAGS})::INT",
        }
        rows = "seat_rows WHERE seat = 0" if self.measure.per_game else "seat_rows"
        return deal_sums(keys, {"sum": self.measure.value}, rows)


def curve_measures(plan: Plan) -> dict[str, Measure]:
    """Return the measures of a curve by name, see `CurveResults.measures`."""
    known = {measure.name: measure for measure in measures_of(plan)}
    return {name: known[name] for name in MEASURES if name in known}


def find_curve(asked: StrengthCurve, folder: Path, progress: Progress, workers: Workers | None) -> CurveResults:
    """Play a curve as `play_curve`, and return its results."""
    return read_curve(play_curve(asked, folder, progress, workers))


def read_curve(games: CurveGames) -> CurveResults:
    """Compute all results of a strength curve."""
    seed = games.asked.seed  # of the bootstrap
    measures = curve_measures(games.mirror.plan)
    ratings = _ratings(games, seed)
    sums = _sums(games, [*measures.values()])
    lots = np.random.default_rng(seed).multinomial(BAGS, np.full(BAGS, 1 / BAGS), DRAWS)
    weights = np.concatenate([np.ones((1, BAGS)), lots])
    every = [
        _Cell(
            games,
            players,
            rated,
            measure,
            faction,
            *resample([of_faction(each, faction) for each in sums[measure]], players, measure, weights),
            seed,
        )
        for players, rated in ratings.items()
        for measure in measures.values()
        for faction in dict(measure.groups) or [""]
    ]
    # Not comebacks in games of one round, nor factions not drawn.
    parts = [part for part in every if part.n.all()]
    levels, cells = [part.levels() for part in parts], [part.forecasts() for part in parts]
    curves = [part.curve() for part in parts if part.measure.by == "seat"]
    tables = [pd.concat(each, ignore_index=True) for each in (levels, cells, curves)]
    found = CurveResults(tables[0], tables[1], tables[2], measures, games)
    if found.is_shown:
        return found
    withheld = dict.fromkeys(("next", "next_low", "next_high"), np.nan)
    return replace(found, cells=found.cells.assign(**withheld), curves=found.curves.iloc[:0])


def _ratings(games: CurveGames, seed: int) -> dict[int, np.ndarray]:
    """Return ratings (draws + 1, levels) by player count, in the order of the levels."""
    answers = gather(games.field, [Meetings(), Played()])
    refuse_broken(games.field, answers[Played()])
    order = [level.name for level in games.levels]
    anchor = CHAMPION if CHAMPION in order else order[0]
    found = {}
    for players, cell in answers[Meetings()].groupby("players"):
        won, _, names = bags_of(cell)
        drawn = draw_ratings(won, names.index(anchor), seed)
        found[int(players)] = drawn[:, [names.index(name) for name in order]]
    return found


def _sums(games: CurveGames, measures: list[Measure]) -> dict[Measure, list[pd.DataFrame]]:
    """Return the sums over bags of each measure, one frame for each level."""
    found: dict[Measure, list[pd.DataFrame]] = {measure: [] for measure in measures}
    for tier in games.mirror.plan.tiers:
        run = games.mirror.in_tier(tier.name)
        answers = gather(run, [*map(BagSums, measures), Played()])
        refuse_broken(run, answers[Played()])
        for measure, own in found.items():
            own.append(answers[BagSums(measure)])
    return found


def of_faction(sums: pd.DataFrame, faction: str) -> pd.DataFrame:
    """Return the rows of a faction in an answer to `BagSums`; "" for measures of seats and games."""
    return sums[sums["faction"] == faction]


def resample(
    sums: list[pd.DataFrame], players: int, measure: Measure, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return effects (draws + 1, levels, effects), and the number of games of each level."""
    seats = 1 if measure.per_game or measure.groups else players
    totals, counts = np.zeros((2, len(sums), seats, BAGS))
    for level, frame in enumerate(sums):
        own = frame[frame["players"] == players]
        totals[level, own["seat"], own["bag"]] = own["sum.s"]
        counts[level, own["seat"], own["bag"]] = own["sum.n"]
    by_seat = measure.by == "seat"
    if not by_seat:
        totals, counts = (each.sum(1, keepdims=True) for each in (totals, counts))
    total, count = (np.einsum("rb,lsb->rls", weights, each) for each in (totals, counts))
    if measure.is_share:
        options = total if by_seat else np.concatenate([total, count - total], axis=-1)
        return log_ratios(options), count[0, :, 0].astype(int)
    little = 1e-9  # a draw without games has the mean of all
    return np.log((total + little * total[0]) / (count + little * count[0])), count[0, :, 0].astype(int)


@dataclass(frozen=True)
class _Cell:
    """A measure at one player count, at all levels."""

    games: CurveGames
    players: int
    ratings: np.ndarray
    measure: Measure
    faction: str
    effects: np.ndarray
    n: np.ndarray
    seed: int

    def _shown(self, effects: np.ndarray) -> np.ndarray:
        """Return effects in the unit shown, on the last axis by seat."""
        if not self.measure.is_share:
            return np.asarray(self.measure.scale * np.exp(effects))
        found = self.measure.scale * shares(effects)
        return found if self.measure.by == "seat" else found[..., :1]

    @property
    def _known(self) -> Levels:
        return Levels(self.ratings, self.effects)

    def _seats(self) -> pd.DataFrame:
        seats = range(1, self.players + 1) if self.measure.by == "seat" else [0]
        named = {"measure": self.measure.name, "seat": [*seats], "faction": self.faction}
        return pd.DataFrame({"players": self.players, **named})

    def levels(self) -> pd.DataFrame:
        """Return the measured values of all levels, see `CurveResults.levels`."""
        parts = []
        for place, level in enumerate(self.games.levels):
            rated = self.ratings[:, place]
            low, high = interval(rated[1:])
            own = {"level": level.name, "rating": rated[0], "rating_low": low, "rating_high": high}
            parts.append(self._seats().assign(**own, **self._measured(place)))
        return pd.concat(parts)

    def _measured(self, place: int) -> dict[str, object]:
        found = self._shown(self.effects[:, place])
        low, high = interval(found[1:])
        return {"value": found[0], "low": low, "high": high, "n": self.n[place]}

    def forecasts(self) -> pd.DataFrame:
        """Return the strongest level as measured and as predicted, and twice its iterations: `CurveResults.cells`."""
        effects = self.effects[:, -1]
        before = forecast(self._known.below, self.ratings[:, -1:], self.seed)
        after = forecast(self._known, self._next_ratings()[:, None], self.seed)
        table = self._seats().assign(level=self.games.levels[-1].name, **self._measured(-1))
        table = table.assign(**self._named("predicted", before, measured_again(before, effects)))
        slack = 1e-6 * table["value"]  # rounding, where all games have the same value
        ends = (table["predicted_low"] - slack, table["predicted_high"] + slack)
        inside = table["value"].between(*ends)
        table = table.assign(covered=inside, **self._named("next", after, after.draws[:, 0]))
        weights = dict(zip(KINDS, after.weights, strict=True))
        return table.assign(iterations=2 * self.games.levels[-1].budget, **weights)

    def _named(self, name: str, found: Forecast, draws: np.ndarray) -> dict[str, np.ndarray]:
        low, high = interval(self._shown(draws))
        return {name: self._shown(found.value[0]), f"{name}_low": low, f"{name}_high": high}

    def _next_ratings(self) -> np.ndarray:
        """Return the ratings with twice the iterations: the gain of the last doublings, at most two, once more."""
        budgets = [level.budget for level in self.games.levels]
        first = -3 if len(budgets) > 2 and 0 < budgets[-3] < budgets[-2] else -2
        last, before = self.ratings[:, -1], self.ratings[:, first]
        return np.asarray(last + (last - before) / log2(budgets[-1] / budgets[first]))

    def curve(self) -> pd.DataFrame:
        """Return points of the weighted curve, where all fits have levels, and up to twice the iterations."""
        rated = np.append(self.ratings[0, -STRONGEST:], self._next_ratings()[0])
        places = np.linspace(rated.min(), rated.max(), _POINTS)
        at = np.broadcast_to(places, (len(self.ratings), _POINTS))
        found = forecast(self._known, at, self.seed)
        value, (low, high) = self._shown(found.value), interval(self._shown(found.draws))
        rows = pd.MultiIndex.from_product([places, range(1, self.players + 1)], names=["rating", "seat"])
        table = pd.DataFrame({"value": value.ravel(), "low": low.ravel(), "high": high.ravel()}, index=rows)
        return table.reset_index().assign(players=self.players)
