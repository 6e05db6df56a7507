"""Tests of the compiled loop: games that end, consistent rows, traces, bounds checks and uncompiled code."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np

from balance.contract.records import CHANCE, DRAW, FINISHED, TRUNCATED, flat_rows
from balance.contract.view import TraceWords
from balance.engine.buffers import Rows
from balance.engine.stepper import Stepper, walk_labels
from balance.testing.cases import Cases
from balance.testing.digest import LIMIT, Played, digest, play_some


class LoopTests(Cases):
    """Tests of games played by the loop."""

    def test_games_end_or_are_truncated(self, variant: str) -> None:
        """Every game has a status; its rows are consistent; the last round's score is the final score."""
        players = self.players_of(variant)
        self._rows_hold(play_some(self.subject, players, 4, variant=variant).rows, players)
        cut = play_some(self.subject, players, 2, limit=1, variant=variant).rows
        assert (cut.games.status == TRUNCATED).all(), "a game of one decision is not truncated"
        assert (cut.games.decisions == 1).all()

    def _rows_hold(self, rows: Rows, players: int) -> None:
        ranks = rows.seats["rank"].reshape(-1, players)
        assert (ranks.min(axis=1) == 1).all(), "a game has no seat of rank 1"
        assert (ranks <= players).all(), "a rank is larger than the number of players"
        ended = rows.games.status != TRUNCATED
        assert (rows.games.decisions[~ended] == LIMIT).all(), (
            "a game has the status truncated before the limit of decisions"
        )
        assert np.isin(rows.games.status, (FINISHED, DRAW, TRUNCATED)).all()
        scores = rows.seats.score.reshape(-1, players).astype(float)
        assert np.isfinite(scores).all(), "a score is not a number"
        parts = [column for column, _ in self.subject.analytics.SCORE_PARTS]
        if parts:
            seats = flat_rows(rows.seats, self.subject.column_names)
            total = sum(seats[part].astype(float) for part in parts)
            assert np.allclose(total, scores.ravel()), "the parts of the score do not sum to the score"
        rounds = rows.games.rounds.astype(int)
        inside = (rounds >= 1) & (rounds <= rows.rounds.shape[1])
        assert inside.all(), "a number of rounds is outside the log"
        last = rows.rounds["score"][np.flatnonzero(ended), rounds[ended] - 1, :players]
        assert np.isfinite(last).all(), "a value in the record of a round is not a number"

    def test_the_trace_is_the_game(self, players: int) -> None:
        """The loop's trace and the stepper agree from the same deal: rounds, kinds and options."""
        played = play_some(self.subject, players, 4)
        for number in range(4):
            traced = self._steps(played, number)
            stepper = Stepper.deal(self.subject, played.rules, players, int(played.deal_seeds[number]))
            steps = walk_labels(stepper, [label for _, seat, _, label, _ in traced if seat != CHANCE])
            ended = played.rows.games[number].status != TRUNCATED
            walked = [
                (step.round, step.seat, step.kind, step.label, len(step.options))
                for step in (steps if ended else islice(steps, len(traced)))
            ]
            assert walked == traced, "the loop and the stepper play different games"
            if ended:
                self._same_rows(played.rows, number, stepper)

    def _steps(self, played: Played, number: int) -> list[tuple[int, int, str, str, int]]:
        """Return round, seat, kind, label and number of options of every row of a trace."""
        words = TraceWords(self.subject.kernel, self.subject.display, played.rules)
        trace = played.trace_of(number)
        labels = [words.label(code, parts) for code, parts in trace[["code", "parts"]].tolist()]
        kinds = [words.kind(code) for code in trace["code"].tolist()]
        rounds, seats, options = (trace[name].tolist() for name in ("round", "seat", "options"))
        return list(zip(rounds, seats, kinds, labels, options, strict=True))

    def _same_rows(self, rows: Rows, number: int, stepper: Stepper) -> None:
        assert stepper.over, "a game that ended in the loop continues in the stepper"
        game, seats = stepper.result()
        meanings, names = self.subject.kernel.COLUMNS.meanings, self.subject.column_names
        own = flat_rows(rows.games, names)[number]
        for name in meanings["games"].keys() & own.dtype.names:
            assert own[name] == game[name], f"{name} differs from the loop's"
        own = flat_rows(rows.seats, names)[number * len(seats) : (number + 1) * len(seats)]
        for name in ("score", "rank", *meanings["seats"]):
            assert (own[name] == seats[name]).all(), f"{name} differs from the loop's"

    def test_the_same_seeds_give_the_same_games(self) -> None:
        """Two runs with the same seeds give the same rows, rounds and traces."""
        assert digest(self.subject) == digest(self.subject)

    def test_bounds_checked(self, tmp_path: Path) -> None:
        """Bounds checks change no row and find no index out of range, in every variant."""
        assert self._digest_with("NUMBA_BOUNDSCHECK", tmp_path) == digest(self.subject)

    def test_uncompiled(self, tmp_path: Path) -> None:
        """Uncompiled code gives the same rows."""
        assert self._digest_with("NUMBA_DISABLE_JIT", tmp_path) == digest(self.subject)

    def _digest_with(self, setting: str, cache: Path) -> str:
        """Return the digest from a process with a setting of Numba switched on."""
        game = type(self).game
        name = game if isinstance(game, str) else f"{game.package}:GAME"
        path = os.pathsep.join(each for each in sys.path if each)
        done = subprocess.run(
            [sys.executable, "-m", "balance.testing.digest", name],
            env={**os.environ, setting: "1", "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()
