"""Measure how many games are saved by correcting chance out of win shares (AIVAT), in mirrors of Na Grunwald!

    python tools/aivat STRATEGY [--by STRATEGY] [--players 2,3,4] [--games N] [--replays 1,2,4,8] [--seed N]

Each round is replayed from its beginning with other cards; see "Chance corrected out" in docs/statistics.md.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from balance.contract.game import get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB, TRACE
from balance.engine.loop import SEARCHES
from balance.experiments.lineups import Schedule
from balance.experiments.strategies import load_strategies
from balance.experiments.variants import load_variant
from balance.runs.jobs import jobs_of, make_loop
from balance.stats.regression import stage_shares, win_chances

JUDGE = "search-25"  # a strategy with the shipped value
LIMIT = 100_000  # decisions of a game
RESAMPLES = 400


class Turn(NamedTuple):
    """The last decision before a round."""

    state: np.recarray  # (1,)
    code: int  # of the action taken


class Table:
    """The game at hand and its replays, each in a room of its own."""

    def __init__(self, players: int, strategy: str, by: str, seed: int) -> None:
        self.game, self.players = get_game("na-grunwald"), players
        names = list(dict.fromkeys([strategy, by, JUDGE]))
        rules = load_variant(self.game, "base", Path.cwd()).rules
        strategies = load_strategies(self.game, names, Path.cwd())
        loop = make_loop(self.game, rules, players, strategies, SEARCHES)
        self.simulator, self.actual, self.packed = loop
        self.replay = make_loop(self.game, rules, players, strategies, SEARCHES)[1]
        self.weights = self.actual.thinking.tables[names.index(JUDGE)].weights[players]
        self.numbers = names.index(strategy), names.index(by)
        self.rows = self.simulator.rows(1, players, False, 0)
        self.trace = blank(8, TRACE)
        self.rng = np.random.default_rng(seed)

    def begin(self, room: Any, job: Any, number: int, deal_seed: int) -> None:
        """Begin a game of one strategy; the network is that of the job's deal."""
        own = job.copy()
        own.lineup[: self.players], own.deal_seed = number, deal_seed
        self.simulator.begin(self.packed, room, own)
        room.thinking.desk[0].deal = job.deal_seed

    def restart(self, job: Any, turn: Turn | None, fresh: bool) -> None:
        """Set the replay to the beginning of a round, with the same cards or with fresh ones."""
        room, kernel, seed = self.replay, self.game.kernel, int(self.rng.integers(2**63))
        if turn is None:
            self.begin(room, job, self.numbers[1], seed if fresh else job.deal_seed)
            return
        room.state[0] = turn.state[0]
        if fresh:  # only the decks: what seats chose in secret stays
            streams = np.array([seed], np.uint64)
            kernel.determinize(self.packed, room.state[0], room.scratch[0], streams, 0)
            decks = room.state[0].decks.copy()
            room.state[0] = turn.state[0]
            room.state[0].decks[:] = decks
        kernel.apply(self.packed, room.state[0], room.log[0], room.scratch[0], turn.code)

    def play_round(self, room: Any) -> Turn:
        """Play until the next round has begun or the game is over; return the decision that led there."""
        state, episode = room.state[0], room.episode[0]
        number, before = int(state.round_number), room.state.copy()
        while not state.over and state.round_number == number:
            before[0] = state
            episode.tracing, episode.trace_used = 1, 0
            limit = int(episode.decisions) + 1
            self.simulator.play_on(self.packed, room, self.trace, limit, -1)
            episode.tracing = 0
        return Turn(before, int(self.trace[0].code))

    def value(self, room: Any) -> np.ndarray:
        """Return the win chance of each seat, at the end its win share."""
        state, scratch = room.state[0], room.scratch[0]
        if state.over:
            self.simulator.finish(self.packed, room, blank(1, JOB)[0], self.rows, 0)
            return np.array(self.rows.seats.win_share, float)
        heuristics: Any = self.game.heuristics
        progress = heuristics.estimate(self.packed, state, scratch)
        shares = stage_shares(np.array([progress]), len(self.weights))
        features = scratch.position[None, : self.players]
        chances: np.ndarray = win_chances(self.weights, features, shares)[0]
        return chances

    def correct(self, job: Any, replays: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Play a game; return its win shares, and what chance added to them by each number of replays."""
        own = self.numbers[0] == self.numbers[1]
        luck, turn = np.zeros((len(replays), self.players)), None
        self.begin(self.actual, job, self.numbers[0], job.deal_seed)
        while not self.actual.state[0].over:
            others = np.array([self.value_after(job, turn, True) for _ in range(max(replays))])
            found = None if own else self.value_after(job, turn, False)
            turn = self.play_round(self.actual)
            found = self.value(self.actual) if found is None else found
            luck += [found - others[:count].mean(axis=0) for count in replays]
        return self.value(self.actual), luck

    def value_after(self, job: Any, turn: Turn | None, fresh: bool) -> np.ndarray:
        """Return the value after a replay of a round."""
        self.restart(job, turn, fresh)
        self.play_round(self.replay)
        return self.value(self.replay)

    def cost(self, jobs: Any) -> float:
        """Return the time of a game of the replays' strategy, in games of the strategy."""
        seconds = []
        if self.numbers[0] == self.numbers[1]:
            return 1.0
        for number in self.numbers:
            own, rows = jobs.copy(), self.simulator.rows(len(jobs), self.players, False, 0)
            own.lineup[:, : self.players] = number
            self.simulator.play_games(self.packed, self.actual, own[:1], rows, LIMIT)
            start = time.process_time()
            self.simulator.play_games(self.packed, self.actual, own, rows, LIMIT)
            seconds.append(time.process_time() - start)
        return seconds[1] / seconds[0]


def spread(x: np.ndarray) -> float:
    """Return the variance of an outcome, summed over the seats."""
    return float(x.var(axis=0).sum())


def weigh(won: np.ndarray, luck: np.ndarray) -> float:
    """Return by which factor the corrected variance is smaller, with the coefficient of the other half of the games."""
    half, left = np.arange(len(won)) % 2 == 1, 0.0
    for chosen in (half, ~half):
        y, x = (part[chosen] - part[chosen].mean(axis=0) for part in (won, luck))
        factor = (x * y).sum() / (x * x).sum()
        left += spread(won[~chosen] - factor * luck[~chosen]) / 2
    return spread(won) / left


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strategy")
    parser.add_argument("--by", help="strategy that plays the replays (default: the same)")
    parser.add_argument("--players", default="2,3,4")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--replays", default="1,2,4,8")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    by = given.by or given.strategy
    replays = [int(count) for count in given.replays.split(",")]
    print("| players | replays | factor | best factor | net of time | mean correction / its error |")
    print("|---|---|---:|---:|---:|---|")
    for players in map(int, given.players.split(",")):
        table = Table(players, given.strategy, by, given.seed)
        schedule = Schedule(players, 0, [(0,) * players], False, given.seed)
        jobs = jobs_of(schedule, 0, given.games)
        cost = table.cost(jobs[:300])
        games = [table.correct(job, replays) for job in jobs]
        won, luck = np.array([game[0] for game in games]), np.array([game[1] for game in games])
        drawn = table.rng.integers(given.games, size=(RESAMPLES, given.games))
        for count, x in zip(replays, luck.swapaxes(0, 1), strict=True):
            factors = [spread(won[i]) / spread(won[i] - x[i]) for i in drawn]
            low, high = np.percentile(factors, [2.5, 97.5])
            best = weigh(won, x)
            net = best / (1 + cost * (count + (by != given.strategy)))
            errors = x.std(axis=0, ddof=1) / np.sqrt(given.games)
            means = " ".join(f"{each:.1f}" for each in x.mean(axis=0) / errors)
            factor = f"{spread(won) / spread(won - x):.2f} ({low:.2f} to {high:.2f})"
            print(f"| {players} | {count} | {factor} | {best:.2f} | {net:.2f} | {means} |", flush=True)


if __name__ == "__main__":
    main()
