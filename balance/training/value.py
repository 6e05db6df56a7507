"""The value of a position, fitted from games: win chances of every seat from named features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from balance.contract.game import Game, get_game
from balance.contract.sides import SEAT
from balance.engine.buffers import STAGES
from balance.engine.loop import SEARCHES
from balance.engine.search.trying import LookBuffers, Room, make_look_buffers, what_was_seen
from balance.experiments.experiment import DECISION_LIMIT
from balance.experiments.lineups import Schedule, check_pool
from balance.experiments.strategies import Strategy, load_strategies
from balance.experiments.variants import hash_rules, load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.files import check_file, write_file
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.runs.batches import with_room
from balance.runs.jobs import jobs_of, make_loop
from balance.runs.workers import Workers, kept_threads
from balance.stats.regression import brier, fit_choice, stage_shares, win_chances
from balance.training.diary import head_lines
from balance.training.profile import check_compiled, counts_of
from balance.training.settings import ValueTraining

BATCH = 100  # games between two updates of the progress bar
HELD_OUT = 5  # one game in this number is held out
_CHECKPOINTS = 400  # initial buffer for each game


@dataclass(frozen=True)
class Samples:
    """Positions at checkpoints."""

    game: np.ndarray
    progress: np.ndarray
    features: np.ndarray
    won: np.ndarray  # float (n, players): final win shares


@dataclass(frozen=True)
class Fit:
    """Weights for a player count, and how well they predict held-out games."""

    weights: np.ndarray
    brier: float  # Brier score
    constant: float  # that of equal chances
    error: float  # standard error of their difference, over games
    games: int  # played
    held_out: int  # how many of them were held out, one in `HELD_OUT`


def train_value(
    training: ValueTraining, out: Path, progress: Progress = SILENCE, workers: Workers | None = None
) -> dict[int, Fit]:
    """Play, fit and write a value file; return the fits by player count."""
    here = Path.cwd()
    check_file(out)
    game = get_game(training.game)
    game.sides.require("balance train value", (SEAT,))
    if not game.position:
        raise BalanceError(
            tr(
                "{game} has no features of a position (see {page}), so no value can be fitted",
                game=game.title,
                page=game.page,
            )
        )
    rules = load_variant(game, training.variant, here).rules
    strategies = load_strategies(game, training.strategies, here)
    check_compiled(strategies, "strategies: ")
    fits = {}
    for players in counts_of(game, training.players):
        check_pool(len(strategies), players, True)
        table = game, rules, players, strategies
        samples = collect(*table, training.games, training.seed, progress, workers)
        fits[players] = fit_value(samples)
    told = {
        "variant": training.variant,
        "rules": hash_rules(rules),
        "strategies": ", ".join(each.name for each in strategies),
        "games": training.games,
        "seed": training.seed,
    }
    write_file(out, write_value(game, out.stem, fits, told).encode())
    return fits


def collect(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], games: int, seed: int,
    progress: Progress = SILENCE, workers: Workers | None = None,
) -> Samples:  # fmt: skip
    """Play games of a field and collect the features of every position at a checkpoint.

    Line-ups are drawn from the strategies and rotated as in a run (`balance.experiments.lineups.Schedule`).
    """
    play = partial(_collect_batch, game, rules, players, strategies, seed)
    spans = [(first, min(games, first + BATCH)) for first in range(0, games, BATCH)]
    parts = []
    found = (workers or kept_threads()).map(game, play, spans)
    for (_, last), samples in zip(spans, found, strict=True):
        parts.append(samples)
        progress.advance(last, games)
    return Samples(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _collect_batch(
    game: Game, rules: Any, players: int, strategies: Sequence[Strategy], seed: int, span: tuple[int, int]
) -> tuple[np.ndarray, ...]:
    """Play a span of the games and return the arrays of `Samples`."""
    simulator, room, packed = make_loop(game, rules, players, strategies, SEARCHES)
    jobs = jobs_of(Schedule(players, len(strategies), [], True, seed), *span)
    rows = simulator.rows(len(jobs), players, False, 0)

    def play(size: int) -> LookBuffers | None:
        bench = make_look_buffers(game, room, Room(0, size * _CHECKPOINTS * len(jobs), 0))
        done = simulator.look_each(packed, room, jobs, rows, bench, 0, 1, DECISION_LIMIT) == len(jobs)
        return bench if done else None

    _, kept, _ = what_was_seen(with_room(play))
    won = rows.seats.win_share.reshape(-1, players)[kept.game]
    return span[0] + kept.game, kept.progress.copy(), kept.position[:, :players].copy(), won


def fit_value(samples: Samples) -> Fit:
    """Fit on four games in five, and score on the held-out fifth."""
    shares = stage_shares(samples.progress, STAGES)
    held = samples.game % HELD_OUT == 0
    if not held.any() or held.all():
        raise BalanceError(tr("too few games to fit a value: use more --games"))
    weights = fit_choice(samples.features[~held], shares[~held], samples.won[~held])
    won = samples.won[held]
    own = brier(win_chances(weights, samples.features[held], shares[held]), won)
    fair = brier(np.full(won.shape, 1 / won.shape[1]), won)
    by_game = pd.Series(own - fair).groupby(samples.game[held]).mean()
    games = len(np.unique(samples.game))
    return Fit(weights, own.mean(), fair.mean(), float(by_game.sem()), games, len(by_game))


def write_value(game: Game, title: str, fits: dict[int, Fit], training: dict[str, Any]) -> str:
    """Return a value file as TOML (see `balance.experiments.searchers.Value`)."""
    description = "Win chances from the features of every seat, at four stages of the game."
    lines = head_lines(title, description, training, game=game.name)
    for players, fit in fits.items():
        lines += [
            f"# {fit.games:,} games; Brier score on one held-out game in {HELD_OUT}: "
            f"{fit.brier:.3f}, with equal chances {fit.constant:.3f}",
            f"[weights.{players}]",
        ]
        for name, stages in zip(game.position, fit.weights.T, strict=True):
            lines.append(f"{name} = [{', '.join(f'{weight:.4f}' for weight in stages)}]")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
