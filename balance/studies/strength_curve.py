"""The games of a strength curve: each level of play against itself on the same deals, and against its neighbours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from balance.contract.game import Game, get_game
from balance.contract.sides import SEAT
from balance.experiments.experiment import make_experiment
from balance.experiments.networks import EXPERT, has_expert
from balance.experiments.plan import Plan, make_tier
from balance.experiments.planning import make_plan
from balance.experiments.profiles import RANDOM_NAME, strongest_profile
from balance.experiments.strategies import Strategy, load_strategy
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.folder import RunFolder
from balance.runs.workers import Workers
from balance.stats.curves import LEAST_LEVELS
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
            "{game} has no expert for all these player counts: the searchers have no prior network.",
            game=game.title,
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
    return CurveGames(levels, mirror, field)


def plan_curve(asked: StrengthCurve) -> tuple[list[Level], Plan]:
    """Return the levels, and the plan in which each plays against itself."""
    game = get_game(asked.game)
    game.sides.require("balance curve", (SEAT,))
    counts = list(asked.players or game.players)
    data = {"game": asked.game, "variants": [asked.variant], "players": counts, "log": "rounds"}
    names = asked.levels or default_levels(game, counts, asked.top)
    levels = [_read_level(game, name) for name in names]
    _check_levels(levels)
    tiers = [
        {**level.keys, "games": asked.search_games if level.budget else asked.games} for level in levels
    ]
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
        raise BalanceError(tr("--top: must be at least {least} iterations", least=least))
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
                tr(
                    "--levels: {name!r}: write a level such as champion@loss=0.3 or expert@temperature=1",
                    name=name,
                )
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
    adapted = {
        (mirror.first_variant.name, players): _as_in_mirror(mirror, names, players) for players in counts
    }
    tier = make_tier(experiment, keys, _as_in_mirror(mirror, names), lineups, adapted)
    return replace(mirror, experiment=experiment, tiers=[tier], active_tier=0)


def _as_in_mirror(mirror: Plan, names: Sequence[str], players: int = 0) -> list[Strategy]:
    """Return the strategies of all levels by their names, novices with their mistakes at this player count if any."""
    cell = (mirror.first_variant.name, players)
    own = (tier.adapted.get(cell, tier.strategies)[0] for tier in mirror.tiers)
    return [replace(each, name=name) for each, name in zip(own, names, strict=True)]
