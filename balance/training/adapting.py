"""A field of profiles trained again for other rules, each still playing its own way.

Weights that stay as they were under a changed rule confound its effect: what is seen is then the rigidity of the
bots, not the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np

from balance.compiling.streams import derive_many
from balance.contract.game import Game
from balance.log.files import make_folder
from balance.plan.plan import Plan
from balance.plan.strategies import Strategy
from balance.plan.tiers import Adapted, Tier
from balance.plan.variants import Variant, hash_rules
from balance.progress import SILENCE, Progress
from balance.training.arena import Arena
from balance.training.diary import Diary, MakeDiary, no_diaries
from balance.training.evolution import FAME, Aim, Budget, Fitness, evolve, win_fitness
from balance.training.mistakes import make_novices
from balance.training.provenance import hash_contents, hash_sources_of
from balance.training.styles import MEASURED_DECKS, Corner, style_fitness

ROUNDS = 3  # in which each profile of a field is trained


def adapt_field(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], budget: Budget,
    diary: MakeDiary = no_diaries, progress: Progress = SILENCE,
) -> list[Strategy]:  # fmt: skip
    """The strategies with every profile trained by these rules against the others, as they improve.

    Each starts from the weights it has. One that the game names as a style pays for playing less its own way
    than it does untrained under these rules. Whatever is no profile stays as it is and takes no part.

    Each is trained several times, in turn, against the others as they are and as they were (fictitious play:
    Brown 1951): of fields that answered one another only once, the last to answer would seem strong.

    Parameters
    ----------
    budget : Budget
        Games of all profiles together.
    """
    fixed = Arena(game, rules, players)
    rows = {each.name: fixed.row(each.profile) for each in strategies if each.profile}
    if not rows:
        return list(strategies)
    fitness = _keep_styles(fixed, rows)
    known = {name: [row] for name, row in rows.items()}
    games = budget.games // (ROUNDS * len(rows))
    for turn, (number, name) in product(range(ROUNDS), enumerate(rows)):
        others = [fixed.strategy(other, row) for other in rows if other != name for row in known[other]]
        alone = [fixed.strategy(name, rows[name])]
        seed = int(derive_many(budget.seed, players, turn * len(rows) + number)[0] % 2**31)
        rows[name] = evolve(
            Arena(game, rules, players, others or alone), rows[name], Budget(games, seed),
            Aim(fitness[name], fame=0.0 if others else FAME), diary(f"{name}-{turn}"), progress,
        )  # fmt: skip
        known[name].append(rows[name])

    def trained(each: Strategy) -> Strategy:
        if each.profile is None:
            return each
        own = fixed.tables(rows[each.name])
        return replace(each, profile=each.profile.model_copy(update=own))

    return [trained(each) for each in strategies]


def prepare_plan(plan: Plan, diaries: Path, progress: Progress = SILENCE) -> Plan:
    """The plan with the profiles of every tier that says so trained for each cell, or given to mistakes.

    Those who make mistakes make the same under every variant: they are people of one kind, who meet another rule.

    Parameters
    ----------
    diaries : Path
        A folder from which a training that was killed goes on; it may be removed when the run has begun.

    Raises
    ------
    BalanceError
        Mistakes can't cost a profile what its tier says, or a diary is of another training.
    """
    make_folder(diaries)
    numbers = count()

    def diary(told: dict[str, Any]) -> Diary:
        return Diary(diaries / f"{next(numbers)}.diary", told)

    tiers = [replace(tier, adapted=_prepare_tier(plan, tier, diary, progress)) for tier in plan.tiers]
    return replace(plan, tiers=tiers)


OpenDiary = Callable[[dict[str, Any]], Diary]


def _prepare_tier(plan: Plan, tier: Tier, diary: OpenDiary, progress: Progress) -> Adapted:
    """The profiles of a tier as they play each cell; empty where they play as they are."""
    found: dict[tuple[str, int], list[Strategy]] = {}
    for players in plan.experiment.players:
        if tier.loss:
            progress.note(f"mistakes of {tier.name} with {players} players")
            rules, seed = plan.first_variant.rules, plan.experiment.seed
            novices = make_novices(plan.game, rules, players, tier.strategies, tier.loss, seed)
            found |= {(variant.name, players): novices for variant in plan.variants}
        elif tier.adapt:
            for variant in plan.variants:
                progress.note(f"adapting {tier.name} to {variant.name} with {players} players")
                found[variant.name, players] = _adapt_tier(plan, tier, variant, players, diary, progress)
    return found


def _adapt_tier(
    plan: Plan, tier: Tier, variant: Variant, players: int, diary: OpenDiary, progress: Progress
) -> list[Strategy]:
    """A tier's field, trained by the rules of a variant."""
    told = {
        "game": plan.game.name,
        "rules": hash_rules(variant.rules),
        "players": players,
        "games": tier.adapt,
        "seed": plan.experiment.seed,
        **hash_contents(tier.strategies),
        **hash_sources_of(plan.game, styles=True),
    }
    return adapt_field(
        plan.game, variant.rules, players, tier.strategies, Budget(tier.adapt, plan.experiment.seed),
        lambda name: diary({**told, "strategy": name}), progress,
    )  # fmt: skip


def _keep_styles(arena: Arena, rows: Mapping[str, np.ndarray]) -> dict[str, Fitness]:
    """What each profile is trained for: to win, and to play no less its own way than it does now."""
    styles = {
        name: style
        for name, style in getattr(arena.game.analytics, "STYLES", {}).items()
        if name in rows
    }
    found: dict[str, Fitness] = dict.fromkeys(rows, win_fitness)
    if not styles:
        return found
    field = np.array(list(rows.values()))
    seats = arena.face_each_other(field, MEASURED_DECKS, 0)
    for name, style in styles.items():
        axes = style.measure(seats)
        own = list(rows).index(name)
        goal = float(axes[own])
        found[name] = style_fitness(style, Corner(field[own], goal, goal, float(axes.std())))
    return found
