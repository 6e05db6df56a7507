"""Duels between the tiers of a run: how strong each is, measured on deals of their own.

A player of one tier sits alone among players of its neighbour, in every seat, and the other way round. Deals, seeds and
line-ups do not depend on the experiment's seed: the same players under the same rules have one order of strength.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from balance.analysis.holdout import WHOLE
from balance.contract.game import Game
from balance.contract.records import TRUNCATED, blank
from balance.contract.sides import RIVALS
from balance.engine.buffers import JOB
from balance.experiments.plan import Plan, Tier
from balance.experiments.strategies import Strategy
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.foundation.streams import derive_many
from balance.runs.folder import RunFolder
from balance.runs.jobs import make_loop
from balance.runs.sidecar import DUELS, read_sidecar, write_sidecar
from balance.runs.strength import rank_tiers
from balance.runs.workers import Workers, kept_threads
from balance.stats.intervals import Interval, ratio_interval

GAMES = 600  # of two tiers at a player count; fewer if one of them has fewer games in a cell
ITERATIONS = 30_000  # games times iterations of a searcher, or fewer games
_PLAIN_ITERATIONS = 300  # the same in a game in plain Python
_SEED = 2026
_DEALS, _SEEDS = range(2)  # stages of seeds
_TASK = 40  # games of a call, which Ctrl-C waits for


def measure_strength(run: RunFolder, workers: Workers | None = None, progress: Progress = SILENCE) -> None:
    """Let neighbouring tiers of a finished run meet, and keep the results in its folder (see `runs.strength`).

    Each duel is kept when it has been played. Duels that are kept are not played again. Where a duel changes the order,
    the new neighbours meet too. Tiers with Python bots do not play, nor do tiers of a game without rivals.
    """
    if not run.plan.game.sides.allow((RIVALS,)):
        return
    found = read_sidecar(DUELS, run)
    duels = DUELS.schema.empty_table().to_pandas() if found is None else found
    while pair := _next_pair(run.plan, duels):
        tier, other = pair
        progress.note(tr("strength: {tier} against {other}", tier=tier.name, other=other.name))
        rows = play_duel(run.plan, tier, other, workers or kept_threads())
        duels = pd.concat([duels, rows], ignore_index=True)
        write_sidecar(DUELS, run, duels[duels["tier"] == tier.name], tier.name)


def _next_pair(plan: Plan, duels: pd.DataFrame) -> tuple[Tier, Tier] | None:
    """Return two neighbours that have not met, the one assumed to be stronger first; None if all have."""
    met = {frozenset(pair) for pair in zip(duels["tier"], duels["other"], strict=True)}
    tiers = {tier.name: tier for tier in plan.tiers if not tier.has_custom_bots}
    order = [name for name in rank_tiers(plan.tiers, duels).order if name in tiers]
    for below, above in pairwise(order):
        if {below, above} not in met:
            return tiers[above], tiers[below]
    return None


def play_duel(plan: Plan, tier: Tier, other: Tier, workers: Workers) -> pd.DataFrame:
    """Return the duel of two tiers, a row for each player count."""
    rows = []
    for players in plan.experiment.players:
        lineups, alone, signs = draw_tables(plan, tier, other, players)
        shares = _win_shares(plan, tier, other, lineups, workers)
        own = np.take_along_axis(shares, alone[..., None], axis=-1)[..., 0]
        gains = signs * (100 * own - plan.fair_share(players))
        cell = {"tier": tier.name, "other": other.name, "players": players}
        rows.append({**cell, "variant": plan.first_variant.name, "half": WHOLE, **vars(_mean(gains))})
    return pd.DataFrame(rows)


def _mean(gains: np.ndarray) -> Interval:
    """Return the mean of gains (deals, games), clustered by deal; NaN in truncated games, which count nowhere."""
    n, total = (~np.isnan(gains)).sum(axis=1), np.nansum(gains, axis=1)
    ended = n > 0
    if not ended.any():
        return Interval(np.nan, np.nan, np.nan, 0, 0)
    return replace(ratio_interval(total[ended], n[ended].astype(float)), n=int(n.sum()))


def _win_shares(plan: Plan, tier: Tier, other: Tier, lineups: np.ndarray, workers: Workers) -> np.ndarray:
    """Return the win share of each seat in games with these line-ups, (deals, games, players)."""
    deals, games, players = lineups.shape
    jobs: Any = blank(deals * games, JOB)
    jobs.deal_seed[:] = derive_many(_SEED, _DEALS, players, np.arange(deals)).repeat(games)
    jobs.seed[:] = derive_many(_SEED, _SEEDS, players, np.arange(len(jobs)))
    jobs.lineup[:, :players] = lineups.reshape(-1, players)
    place = plan.first_variant.name, players
    both = [each for own in (tier, other) for each in own.adapted.get(place, own.strategies)]
    rules, limit = plan.first_variant.rules, plan.experiment.decision_limit
    play = partial(_play_games, plan.game, rules, players, both, limit)
    parts = np.array_split(jobs, -(-len(jobs) // _TASK))
    return np.concatenate(list(workers.map(plan.game, play, parts))).reshape(lineups.shape)


def draw_tables(plan: Plan, tier: Tier, other: Tier, players: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the line-ups (deals, games, players), who sits alone, and for which tier (1 or -1), both (deals, games).

    Strategies of the tier come first. With two players, the seat of one decides that of the other.
    """
    games = games_of(plan, tier, other)
    sides = [1, -1] if players > 2 else [1]
    deals = max(1, games // (players * len(sides)))
    rng = np.random.default_rng([_SEED, players])
    own = _drawn(plan, tier, players, deals, rng)
    others = len(tier.strategies) + _drawn(plan, other, players, deals, rng)
    seats = np.arange(players)
    tables = [
        np.where(seats[:, None] == seats, alone[:, None, :], hosts[:, None, :])
        for alone, hosts in ((own, others), (others, own))[: len(sides)]
    ]
    shape = (deals, players * len(sides))
    signs = np.repeat(sides, players)
    return np.concatenate(tables, axis=1), np.broadcast_to(np.tile(seats, len(sides)), shape), signs


def _drawn(plan: Plan, tier: Tier, players: int, deals: int, rng: np.random.Generator) -> np.ndarray:
    """Return a line-up of a tier for each deal, (deals, players)."""
    numbers = {strategy.name: number for number, strategy in enumerate(tier.strategies)}
    fitting = [[numbers[name] for name in line] for line in tier.lineups if len(line) == players]
    if fitting:
        lines = np.array(fitting)[rng.integers(len(fitting), size=deals)]
        return np.asarray(rng.permuted(lines, axis=1))
    pool = np.tile(np.arange(len(numbers)), -(-players // len(numbers)))
    return np.asarray(rng.permuted(np.tile(pool, (deals, 1)), axis=1)[:, :players])


def games_of(plan: Plan, tier: Tier, other: Tier) -> int:
    """Return about how many games two tiers play at a player count."""
    games = min(GAMES, tier.most_games, other.most_games)
    iterations = max(tier.iterations, other.iterations)
    most = _PLAIN_ITERATIONS if plan.game.own_loop else ITERATIONS
    return min(games, max(1, most // iterations)) if iterations else games


def _play_games(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], limit: int, jobs: Any
) -> np.ndarray:
    """Return the win shares of all seats (games, players); NaN for truncated games."""
    simulator, room, packed = make_loop(game, rules, players, strategies)
    rows = simulator.rows(len(jobs), players, False, 0)
    simulator.play_games(packed, room, jobs, rows, limit)
    shares = rows.seats["win_share"].reshape(-1, players).astype(float)
    shares[rows.games["status"] == TRUNCATED] = np.nan
    return np.asarray(shares)
