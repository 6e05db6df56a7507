"""How strong players of a game in plain Python are: who they meet, and how far a player trained against them gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.sides import SEAT
from balance.experiments.networks import EXPLOITER, PERFECT, Gain
from balance.experiments.strategies import Strategy, load_strategies
from balance.foundation.language import N_, tr, trn
from balance.foundation.progress import Progress
from balance.foundation.streams import derive_many
from balance.foundation.text import listed
from balance.plain.inputs import Inputs
from balance.plain.interface import counts_score
from balance.plain.learned import Arrays, LearnedPlayer
from balance.report.words import write_gain, write_weakness
from balance.runs.workers import Workers
from balance.stats.intervals import fair_share, ratio_interval
from balance.training.arena import Arena, interval_of
from balance.training.network_files import Stages, as_learned, temperature_of
from balance.training.plain_exact import perfect_gains
from balance.training.plain_selfplay import SEGMENTS, learn_against
from balance.training.settings import LearnedTraining

EXPLOITER_STEPS = 0.3  # of those of the training
# Games; fewer with a searcher where games are long.
MEASURED, MEASURED_SEARCH, GLIMPSED = 2_000, 200, 200
SHORT, LEAST_SEARCH = 15, 20  # choices of a short game, and the fewest games with a searcher
ITERATIONS = 50  # of the searcher that is met
EXPLOITED, EXPLOITED_SCORE = 5.0, 0.1
"""Players are weak if an exploiter gains more: points above a fair share or, where the score counts, this part of the
score's standard deviation."""
_EXPLOIT, _MEET = 3, 4  # streams of the seed, after those of self-play
OLDER = "themselves half way"


@dataclass(frozen=True)
class Strength:
    """What is known of the players at a player count."""

    met: list[Gain]
    exploiter: Gain  # of a player that was trained against them, or of a perfect one
    perfect: tuple[float, ...]  # what a perfect opponent gains in each seat; empty if the game is too large
    # Largest difference between networks in the win share of a seat (in its score, if no seat wins), in points; None
    # for one network.
    spread: float | None
    bar: float

    @property
    def weak(self) -> list[Gain]:
        """What shows that the players are weak: the exploiter's gain, and profiles and random that beat them."""
        found = [self.exploiter] if self.exploiter.value > self.bar else []
        return found + [each for each in self.met if each.high < 0 and not each.who.startswith("search-")]


WEAK = N_("These players are weak: verdicts about seats are not shown as the rules'. Why: {reasons}.")


def write_strength(players: int, strength: Strength, together: bool = False) -> list[str]:
    """Return lines that say how strong the players are; `together`: seats win as teams or all together."""
    unit = tr("score above their mean") if strength.exploiter.is_score else tr("points above a fair share")
    if players == 1:
        unit = tr("score above theirs") if strength.exploiter.is_score else tr("points of wins above theirs")
    elif together:
        unit = tr("what one of them adds to the score or to the points of win share of the others")
    lines = [
        trn("{n} player, {unit}:", "{n} players, {unit}:", players, unit=unit),
        *(tr("- against {who}: {gain}", who=each.who, gain=write_gain(each)) for each in strength.met),
        _write_exploiter(strength),
    ]
    if strength.spread is not None:
        lines.append(tr("- the networks differ by up to {spread:.1f} points in a seat", spread=strength.spread))
    if strength.weak:
        lines.append(tr(WEAK, reasons=listed([write_weakness(each) for each in strength.weak])))
        if growth := [each for each in strength.met if each.who == OLDER and each.low > strength.bar]:
            lines.append(
                tr(
                    "They gain {gain} against themselves half way, so they still learn: train longer, with more "
                    "--steps.",
                    gain=write_gain(growth[0]),
                )
            )
    return lines


def _write_exploiter(strength: Strength) -> str:
    """Return a line about the player that knows how they play."""
    gain = strength.exploiter
    if not strength.perfect:
        return tr("- a player trained against them: {gain}", gain=write_gain(gain))
    seats = ", ".join(f"{each:+.{3 if gain.is_score else 1}f}" for each in strength.perfect)
    return tr("- a perfect opponent: {gain}; by seat {seats}", gain=write_gain(gain), seats=seats)


def describe_strength(strength: Strength) -> dict[str, Any]:
    """Return a strength as stored in a file, see `balance.experiments.networks.Network.weak`."""
    return {
        "unit": "score" if strength.exploiter.is_score else "points",
        "gains": {
            each.who: [*(round(end, 4) for end in (each.value, each.low, each.high)), int(each.n)]
            for each in (*strength.met, strength.exploiter)
        },
        "perfect": [round(each, 4) for each in strength.perfect],
        "weak": [each.who for each in strength.weak],
        **({} if strength.spread is None else {"spread": round(strength.spread, 2)}),
    }


@dataclass
class Candidates:
    """The players of a training at a player count, who are measured."""

    game: Game
    rules: Any
    players: int
    schema: dict[str, Any]
    rivals: Sequence[Strategy]  # random, and the profiles of the game
    training: LearnedTraining
    kept: Stages
    progress: Progress
    workers: Workers

    def _strategy(self, nets: Sequence[Arrays], name: str = "expert") -> Strategy:
        return as_learned(self.game, self.players, self.schema, nets, name)

    def glimpse(self, net: Arrays) -> str:
        """Return how a network does so far against the first profile or random, as text."""
        rival = self.rivals[1] if len(self.rivals) > 1 else self.rivals[0]
        gain = self._gain(self._strategy([net]), rival, GLIMPSED, 0.0)
        return tr("; {gain} against {rival}", gain=write_gain(gain), rival=rival.name)

    @property
    def is_score(self) -> bool:
        """Whether the score counts, not who wins."""
        return counts_score(self.game.author)  # type: ignore[attr-defined]

    def _gain(self, own: Strategy, rival: Strategy, games: int, fair: float, stream: int = 0) -> Gain:
        """Return what a strategy gains alone among copies of another, above a fair share or the score `fair`.

        Where seats win together, it is the gain over these copies alone: they have no fair share in every seat.
        """
        arena = Arena(self.game, self.rules, self.players, [own, rival], [1] * (self.players - 1), None, self.workers)
        seed = int(derive_many(self.training.seed, _MEET, stream)[0])
        deals = max(2, games // self.players)
        rows = arena.probe(0, deals, seed)[0]
        if self.game.sides.kind != SEAT:
            name, factor = ("score", 1.0) if self.is_score else ("win_share", 100.0)
            alone = arena.probe(1, deals, seed)[0]
            more, fair = (rows[name].astype(float) - alone[name]).sum(1), 0.0
            found = ratio_interval(more, np.full(deals, float(self.players)))
        elif self.is_score:
            scores = np.asarray(rows.score, float)
            found, factor = ratio_interval(scores.sum(1), np.full(len(scores), float(self.players))), 1.0
        else:
            found, factor, fair = interval_of(rows.win_share), 100.0, float(fair_share(self.players))
        value, low, high = (factor * float(each) - fair for each in (found.value, found.low, found.high))
        return Gain(rival.name, value, low, high, rows.size, self.is_score)

    def measure(self, nets: Sequence[Arrays], half: Sequence[Arrays] | None, length: float) -> Strength:
        """Return how strong the networks are, next to themselves half way; a game has about `length` choices."""
        own = self._strategy(nets)
        self.progress.note(tr("measuring against random, profiles and a searcher"))
        scores, spread = self._mirror(nets)
        fair, bar = (float(scores.mean()), EXPLOITED_SCORE * float(scores.std()) if self.is_score else EXPLOITED)
        searched = max(LEAST_SEARCH, min(MEASURED_SEARCH, round(MEASURED_SEARCH * (SHORT / length) ** 2)))
        (searcher,) = load_strategies(self.game, [f"search-{ITERATIONS}"], Path.cwd())
        meetings = [*((rival, MEASURED) for rival in self.rivals), (searcher, searched)]
        met = [self._gain(own, rival, games, fair, number) for number, (rival, games) in enumerate(meetings, 1)]
        if half is not None:
            met.append(self._gain(own, self._strategy(half, OLDER), MEASURED, fair, 99))
        if perfect := self._perfect(nets):
            mean = sum(perfect) / len(perfect)
            return Strength(met, Gain(PERFECT, mean, mean, mean, 0, self.is_score), perfect, spread, bar)
        self.progress.note(tr("training a player against them"))
        exploiter = self._strategy([self._exploit(nets)], EXPLOITER)
        exploited = self._gain(exploiter, own, MEASURED, fair, 100)._replace(who=EXPLOITER)
        return Strength(met, exploited, (), spread, bar)

    def _perfect(self, nets: Sequence[Arrays]) -> tuple[float, ...]:
        """Return what a perfect opponent gains in each seat; empty if the game has too many positions."""
        inputs = Inputs(self.schema, self.players)
        if not inputs.rows:  # random games found too many
            return ()
        self.progress.note(tr("computing what a perfect opponent gains"))
        learned = [LearnedPlayer(inputs, net) for net in nets]
        draws = temperature_of(self.schema) > 0
        scale = 1.0 if self.is_score else 100.0
        gains = perfect_gains(self.game, self.rules, self.players, learned, draws)
        return tuple(scale * each for each in gains)

    def _mirror(self, nets: Sequence[Arrays]) -> tuple[np.ndarray, float | None]:
        """Return the scores of games of each network alone, and how far networks differ in a seat, see `Strength`."""
        means, scores = [], []
        for net in nets:
            arena = Arena(self.game, self.rules, self.players, [self._strategy([net])], (), None, self.workers)
            lineups = np.zeros((MEASURED // 2, self.players), int)
            seeds = derive_many(self.training.seed, _MEET, 7, np.arange(len(lineups)))
            rows = arena.play(np.zeros((0, len(arena.names))), lineups, seeds, seeds + np.uint64(1))
            means.append(100 * rows.win_share.mean(0) if self.game.sides.has_wins else rows.score.mean(0))
            scores.append(np.asarray(rows.score, float))
        spread = float(np.ptp(means, axis=0).max()) if len(nets) > 1 else None
        return np.concatenate(scores), spread

    def _exploit(self, nets: Sequence[Arrays]) -> Arrays:
        """Return a player that was trained against the networks, from the first of them."""
        steps = max(SEGMENTS, round(EXPLOITER_STEPS * self.training.steps))
        seed = int(derive_many(self.training.seed, _EXPLOIT)[0] >> np.uint64(2))
        table = self.game, self.rules, self.players, self.schema
        return self.kept.once(
            f"exploiter-{self.players}", lambda: learn_against(*table, nets, steps, seed, self.workers)
        )
