"""Train profiles and networks for changed rules, profiles in their styles; find temperatures for those with mistakes.

Weights that do not adapt to a changed rule confound its effect: the results show the rigidity of the bots, not the
rule. A profile with mistakes plays at the temperature at which it loses a given share of its wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game, styles_of
from balance.experiments.experiment import DEFAULT_ADAPT
from balance.experiments.plan import Adapted, Plan, Tier
from balance.experiments.strategies import Strategy
from balance.experiments.variants import Variant, hash_rules
from balance.foundation.errors import BalanceError
from balance.foundation.files import make_folder
from balance.foundation.language import tr, trn
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.workers import Workers
from balance.training.arena import Arena
from balance.training.diary import Diary, MakeDiary, hash_contents, hash_sources_of, no_diaries
from balance.training.evolution import FAME, Aim, Budget, Fitness, evolve, win_fitness
from balance.training.network import SELF_GAMES, encode, play_on
from balance.training.network_files import Stages
from balance.training.network_play import Table
from balance.training.styles import MEASURED_DEALS, Corner, style_fitness

GAMES = 1600  # games to try each temperature
# Of these games, in every run: a novice is the same player under every seed of an experiment.
NOVICE_SEED = 1001
BISECTIONS = 7  # steps of bisection
TEMPERATURES = (1e-2, 1e3)  # limits of the search
FAR = 0.1  # largest difference between the loss found and the loss wanted


def make_novices(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], loss: float, workers: Workers | None = None
) -> list[Strategy]:
    """Return the strategies with every profile at the temperature that costs it a share of its wins.

    Each profile is tried alone among all profiles (itself included) without mistakes, and loses the share `loss`, in
    (0, 1), of its wins. Other strategies stay unchanged and take no part. The same profiles under the same rules have
    the same temperatures in every run.
    """
    arena = Arena(game, rules, players, workers=workers)
    profiles = {each.name: arena.row(each.profile) for each in strategies if each.profile}
    rows = np.array(list(profiles.values()))
    found, lost = find_temperatures(arena, rows, loss, NOVICE_SEED)
    for name, own in zip(profiles, lost, strict=True):
        if abs(own - loss) > FAR:
            raise BalanceError(
                tr(
                    "loss: with {players} players, {name} loses {own:.0%} of its wins instead of {loss:.0%}: use "
                    "`temperature` instead of `loss`, or another profile",
                    players=players,
                    name=name,
                    own=float(own),
                    loss=loss,
                )
            )
    hot = dict(zip(profiles, found.tolist(), strict=True))
    return [each.heated(hot[each.name]) if each.name in hot else each for each in strategies]


def find_temperatures(arena: Arena, rows: np.ndarray, loss: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Find the temperature at which each row loses this share of its wins, by bisection on the same deals.

    Returns temperatures and losses, float arrays (n,); losses are estimated from the deals of the search.
    """

    def wins(logs: np.ndarray) -> np.ndarray:
        seats = arena.face_careful(rows, np.exp(logs), GAMES // arena.players, lots)
        return np.asarray(seats.win_share.mean((1, 2)))

    lots = int(derive_many(seed, arena.players)[0])
    low, high = (np.full(len(rows), np.log(bound)) for bound in TEMPERATURES)
    careful = wins(np.full(len(rows), -np.inf))
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        enough = wins(middle) <= (1 - loss) * careful
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    middle = (low + high) / 2
    lost = 1 - np.divide(wins(middle), careful, out=np.ones(len(rows)), where=careful > 0)
    return np.exp(middle), lost


ROUNDS = 3  # each profile of a field is trained once per round


def adapt_field(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], budget: Budget,
    diary: MakeDiary = no_diaries, progress: Progress = SILENCE, workers: Workers | None = None,
) -> list[Strategy]:  # fmt: skip
    """Return the strategies with every profile trained under these rules against the others, as they improve.

    Each profile starts from its own weights. A named style of the game has a penalty for showing less of its style
    than it does untrained under these rules. Strategies other than profiles stay unchanged and take no part.

    Each profile is trained several times, in turn, against the current and the earlier versions of the others
    (fictitious play: Brown 1951). With only one round, the last profile to respond would seem strong. The budget is
    that of all profiles together.
    """
    fixed = Arena(game, rules, players, workers=workers)
    rows = {each.name: fixed.row(each.profile) for each in strategies if each.profile}
    if not rows:
        return list(strategies)
    fitness = _keep_styles(fixed, rows)
    bound = {each.name: each.restriction for each in strategies}
    known = {name: [row] for name, row in rows.items()}

    def play_as(name: str, row: np.ndarray) -> Strategy:
        return replace(fixed.strategy(name, row), restriction=bound[name])

    games = budget.games // (ROUNDS * len(rows))
    for turn, (number, name) in product(range(ROUNDS), enumerate(rows)):
        others = [play_as(other, row) for other in rows if other != name for row in known[other]]
        alone = [play_as(name, rows[name])]
        seed = int(derive_many(budget.seed, players, turn * len(rows) + number)[0] % 2**31)
        rows[name] = evolve(
            fixed.with_table(others or alone, (), bound[name]), rows[name], Budget(games, seed),
            Aim(fitness[name], fame=0.0 if others else FAME), diary(f"{name}-{turn}"), progress,
        )  # fmt: skip
        known[name].append(rows[name])

    def trained(each: Strategy) -> Strategy:
        if each.profile is None:
            return each
        own = fixed.tables(rows[each.name])
        return replace(each, profile=each.profile.model_copy(update=own))

    return [trained(each) for each in strategies]


STEPS = 40  # of self-play of a network, for the default budget: at most a minute for Na Grunwald! on two cores


def adapt_networks(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], budget: Budget,
    stages: Callable[[str], Stages], progress: Progress = SILENCE,
) -> list[Strategy]:  # fmt: skip
    """Return the strategies with every network trained under these rules by self-play from its own weights.

    A network that was trained with these rules stays unchanged, as do other strategies. The profiles also play. Labels
    are not needed: they take longer than the self-play, and so few steps forget little.

    The budget is that of each profile and network of the field. A game of a network takes far longer, so a network has
    `STEPS` steps for `DEFAULT_ADAPT` games. `stages` opens what a killed training resumes from, by the name of the
    strategy.
    """
    steps = max(1, round(STEPS * budget.games / DEFAULT_ADAPT))
    own = replace(budget, games=steps * SELF_GAMES)
    profiles = [each for each in strategies if each.profile]

    def trained(each: Strategy) -> Strategy:
        network = each.network
        if network is None or network.training.get("rules") == hash_rules(rules):
            return each
        table, kept = Table(game, rules, players), stages(each.name)
        texts = [
            encode(play_on(table, network, profiles, own, kept, progress, number=number))
            for number in range(each.networks(players))
        ]
        return replace(each, network=network.model_copy(update={"weights": {str(players): texts}}))

    return [trained(each) for each in strategies]


def prepare_plan(plan: Plan, diaries: Path, progress: Progress = SILENCE, workers: Workers | None = None) -> Plan:
    """Return the plan with `adapt` tiers trained for each cell, and with the profiles of `loss` tiers making mistakes.

    Temperatures for mistakes are the same under every variant: the same kind of people meets another rule. A killed
    training resumes from `diaries`, a folder that may be removed once the run has begun.
    """
    make_folder(diaries)
    kept = _Kept(diaries)
    tiers = [replace(tier, adapted=_prepare_tier(plan, tier, kept, progress, workers)) for tier in plan.tiers]
    return replace(plan, tiers=tiers)


class _Kept:
    """What a killed training resumes from, in a folder, numbered in the order in which it is opened."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, count()

    def diary(self, told: dict[str, Any]) -> Diary:
        """Open the diary of a profile."""
        return Diary(self._folder / f"{next(self._numbers)}.diary", told)

    def stages(self, told: dict[str, Any]) -> Stages:
        """Open the stages of a network."""
        return Stages(self._folder / str(next(self._numbers)), told)


def _prepare_tier(plan: Plan, tier: Tier, kept: _Kept, progress: Progress, workers: Workers | None) -> Adapted:
    """Return the prepared strategies of a tier for each cell; empty if they play unchanged."""
    found: dict[tuple[str, int], list[Strategy]] = {}
    for players in plan.experiment.players:
        if tier.loss:
            progress.note(
                trn(
                    "mistakes of {tier} with {n} player", "mistakes of {tier} with {n} players", players, tier=tier.name
                )
            )
            rules = plan.first_variant.rules
            novices = make_novices(plan.game, rules, players, tier.strategies, tier.loss, workers)
            found |= {(variant.name, players): novices for variant in plan.variants}
        elif tier.adapt:
            for variant in plan.variants:
                progress.note(
                    trn(
                        "adapting {tier} to {variant} with {n} player",
                        "adapting {tier} to {variant} with {n} players",
                        players, tier=tier.name, variant=variant.name,
                    )
                )  # fmt: skip
                found[variant.name, players] = _adapt_tier(plan, tier, variant, players, kept, progress, workers)
    return found


def _adapt_tier(
    plan: Plan, tier: Tier, variant: Variant, players: int, kept: _Kept, progress: Progress, workers: Workers | None
) -> list[Strategy]:
    """Train a tier's field under the rules of a variant: its profiles, then its networks."""
    told = {
        "game": plan.game.name,
        "rules": hash_rules(variant.rules),
        "players": players,
        "games": tier.adapt,
        "seed": plan.experiment.seed,
        **hash_contents(tier.strategies),
        **hash_sources_of(plan.game, styles=True),
    }
    cell, budget = (plan.game, variant.rules, players), Budget(tier.adapt, plan.experiment.seed)
    field = adapt_field(
        *cell, tier.strategies, budget, lambda name: kept.diary({**told, "strategy": name}), progress, workers
    )
    return adapt_networks(*cell, field, budget, lambda name: kept.stages({**told, "strategy": name}), progress)


def _keep_styles(arena: Arena, rows: Mapping[str, np.ndarray]) -> dict[str, Fitness]:
    """Return the fitness of each profile: to win, and to show no less of its style than it does now."""
    named = styles_of(arena.game)
    styles = {name: style for name, style in named.items() if name in rows}
    found: dict[str, Fitness] = dict.fromkeys(rows, win_fitness)
    if not styles:
        return found
    field = np.array(list(rows.values()))
    seats = arena.face_each_other(field, MEASURED_DEALS, 0)
    for name, style in styles.items():
        axes = style.measure(seats)
        own = list(rows).index(name)
        goal = float(axes[own])
        found[name] = style_fitness(style, Corner(field[own], goal, goal, float(axes.std())))
    return found
