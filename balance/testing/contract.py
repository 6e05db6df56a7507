"""Tests that every game passes; inherit them, name the game, and run pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import CHANCE, STATUSES, TRUNCATED
from balance.engine.stepper import Stepper, walk, walk_labels
from balance.plan.strategies import pack_strategies
from balance.plan.variants import load_variant
from balance.testing.digest import digest, load_game, play_some, shipped_profiles
from balance.testing.oracle import Choose, Oracle, agree, pick_any


class GameContract:
    """The contract suite of one game.

    Attributes
    ----------
    game : str or Game
        A name, ``MODULE:ATTRIBUTE``, or the game itself.
    games : int
        Random games of each player count in each test.
    most_steps : int
        Decisions after which a random game is left alone.
    oracle : callable or None
        The same rules in plain Python (see `balance.testing.oracle.Oracle`), as a staticmethod.
    oracle_games : int
        Games of each variant and player count that both play.
    choose : callable
        How the games with the oracle are played (see `balance.testing.oracle.Choose`).
    """

    game: str | Game
    games = 3
    most_steps = 400
    oracle: Oracle | None = None
    oracle_games = 5
    choose: Choose = staticmethod(pick_any)

    def pytest_generate_tests(self, metafunc: Any) -> None:
        """Run a test that asks for `players` or `variant` with each of the game's own."""
        game = load_game(type(self).game)
        if "players" in metafunc.fixturenames:
            metafunc.parametrize("players", game.players)
        if "variant" in metafunc.fixturenames:
            metafunc.parametrize("variant", game.shipped("variants"))

    @property
    def subject(self) -> Game:
        """The game."""
        return load_game(type(self).game)

    def base(self) -> Any:
        """The base rules."""
        return load_variant(self.subject, "base", Path()).rules

    def deals(self, players: int) -> Iterator[tuple[Stepper, np.random.Generator]]:
        """A few games at their first decision, and a generator to choose with."""
        for seed in range(type(self).games):
            rng = np.random.default_rng([seed, players])
            yield Stepper.deal(self.subject, self.base(), players, int(rng.integers(2**62))), rng

    def walks(self, players: int) -> Iterator[Stepper]:
        """A few random games, each given at every decision until it ends or is left alone."""
        for stepper, rng in self.deals(players):
            steps = walk(stepper, _chooser(rng))
            for number, step in enumerate(steps):
                if step.seat != CHANCE:
                    yield stepper
                if number == type(self).most_steps:
                    break

    # what a game brings

    def test_it_is_whole(self) -> None:
        """Every part has what the contract names; records, columns and bounds fit."""
        game = self.subject
        for part in ("rules", "kernel", "heuristics", "display", "analytics"):
            assert getattr(game, part)
        assert game.records.most_actions >= 1

    def test_variants_survive_run_json(self, variant: str) -> None:
        """A rule set written to `run.json` and read back is the same; it says what it is."""
        rules = load_variant(self.subject, variant, Path()).rules
        again = self.subject.rules.Rules.model_validate(rules.model_dump(by_alias=True))
        assert again == rules, f"{variant} differs when it is read back"
        assert rules.title and rules.description, f"{variant} lacks a title or description"

    def test_variants_are_played(self, variant: str) -> None:
        """A game of every shipped variant ends or is truncated, at the fewest players."""
        players = min(self.subject.players)
        assert len(play_some(self.subject, players, 1, variant=variant).games) == 1

    # decisions and labels

    def test_legal_sets(self, players: int) -> None:
        """There is always something to do, no label stands for two actions, codes have a kind."""
        display = self.subject.display
        for stepper in self.walks(players):
            options = stepper.options()
            assert options, "a seat is asked and has no legal action"
            assert len(set(options)) == len(options), f"two actions have one label: {options}"
            assert 0 <= stepper.seat < players, f"seat {stepper.seat} is asked"
            for code, label in zip(stepper.codes[: len(options)].tolist(), options, strict=True):
                kind = display.kind_name(code)
                assert kind not in ("", "chance"), f"{label!r} is of kind {kind!r}"
                assert display.say(label, "Ada"), f"{label!r} can't be told"

    def test_looking_changes_nothing(self, players: int) -> None:
        """Listing options and observing leave the state as it is."""
        for stepper in self.walks(players):
            before = stepper.state.tobytes()
            stepper.options()
            names = [f"seat {seat}" for seat in range(players)]
            for seat in range(players):
                seen = stepper.observe(seat)
                assert self.subject.display.show(stepper.rules, seen, names)
                assert len(self.subject.display.summarise(seen, names)) == players
            assert stepper.state.tobytes() == before, "looking at a game changed its state"

    def test_traces_are_replayed(self, players: int) -> None:
        """The labels of a game, taken again from the same deal, lead through the same steps."""
        for stepper, rng in self.deals(players):
            seed = int(rng.integers(2**62))
            one = Stepper.deal(self.subject, stepper.rules, players, seed)
            steps = list(walk(one, _chooser(rng)))
            two = Stepper.deal(self.subject, stepper.rules, players, seed)
            labels = [step.label for step in steps if step.seat != CHANCE]
            assert list(walk_labels(two, labels)) == steps, "a replay differs"
            assert one.result()[1].tobytes() == two.result()[1].tobytes(), "a replay ends otherwise"

    def test_a_copy_goes_its_own_way(self, players: int) -> None:
        """An action on a copy leaves the game alone, and does there what it does here."""
        for stepper in self.walks(players):
            copy = stepper.copy()
            before = stepper.state.tobytes()
            last = len(copy.options()) - 1
            copy.take(last)
            assert stepper.state.tobytes() == before, "a copy shares something with its game"
            again = stepper.copy()
            again.options()
            again.take(last)
            assert again.state.tobytes() == copy.state.tobytes(), "an action has two outcomes"

    def test_silence(self, players: int) -> None:
        """With a log that wants no chance outcomes none are noted, and the game goes on all the same."""
        for stepper in self.walks(players):
            told, silent = stepper.copy(), stepper.copy()
            silent.log.keep_news = 0
            for each in (told, silent):
                each.options()
                each.take(0)
            assert silent.log.news_count == 0, "chance outcomes are noted that nobody wants"
            assert silent.state.tobytes() == told.state.tobytes(), "the log changes the game"

    # what must hold

    def test_what_is_conserved(self, players: int) -> None:
        """What the game declares to stay the same stays the same."""
        for stepper, rng in self.deals(players):
            conserved = self.subject.display.conserved
            expected = dict(conserved(stepper.rules, stepper.state))
            steps = walk(stepper, _chooser(rng))
            for step in steps:
                found = dict(conserved(stepper.rules, stepper.state))
                assert found == expected, f"at {step}: {found}, not {expected}"

    def test_blindness(self, players: int) -> None:
        """With everything hidden dealt anew a seat has the same options, and values them the same."""
        game = self.subject
        rng = np.random.default_rng(players)
        _, weights = pack_strategies(game, shipped_profiles(game))
        for stepper in self.walks(players):
            other = stepper.copy()
            game.display.redeal_hidden(other.rules, other.state, rng)
            assert other.options() == stepper.options(), "the legal actions tell what is hidden"
            for each in weights:
                same = np.array_equal(stepper.evaluate(each), other.evaluate(each), equal_nan=True)
                assert same, "a profile sees what is hidden"

    def test_values_are_finite(self, players: int) -> None:
        """Every shipped profile values every legal action."""
        _, weights = pack_strategies(self.subject, shipped_profiles(self.subject))
        for stepper in self.walks(players):
            for each in weights:
                assert np.isfinite(stepper.evaluate(each)).all(), stepper.options()

    # the loop

    def test_games_end_or_are_truncated(self, players: int) -> None:
        """Every game says how it ended; its rows hold together."""
        rows = play_some(self.subject, players, 6)
        shares = rows.seats.win_share.reshape(-1, players)
        ranks = rows.seats["rank"].reshape(-1, players)
        assert np.allclose(shares.sum(axis=1), 1), "win shares do not sum to one"
        assert (ranks.min(axis=1) == 1).all(), "a game without a first"
        assert set(rows.games.status.tolist()) <= set(range(len(STATUSES)))
        parts = [column for column, _ in self.subject.analytics.SCORE_PARTS]
        if parts:
            total = sum(rows.seats[part].astype(float) for part in parts)
            assert np.allclose(total, rows.seats.score), "the parts of the score are not all of it"
        cut = play_some(self.subject, players, 2, limit=1)
        assert (cut.games.status == TRUNCATED).all(), "a game of one decision is not truncated"
        assert (cut.games.decisions == 1).all()

    def test_rounds_go_on(self, players: int) -> None:
        """A row's round is that in which it happens: it never goes back, nor beyond the last."""
        rows = play_some(self.subject, players, 4)
        for number in range(4):
            rounds = rows.trace["round"][rows.trace["game_id"] == number]
            assert (np.diff(rounds) >= 0).all(), "a trace goes back to an earlier round"
            assert rounds.max(initial=0) <= rows.games.rounds[number]

    def test_the_same_seeds_give_the_same_games(self) -> None:
        """Twice the same rows, rounds and traces."""
        assert digest(self.subject) == digest(self.subject)

    def test_bounds_checked(self, tmp_path: Path) -> None:
        """With every index checked: the same rows, and no index out of range."""
        assert self._digest_with("NUMBA_BOUNDSCHECK", tmp_path) == digest(self.subject)

    def test_uncompiled(self, tmp_path: Path) -> None:
        """As plain Python: the same rows."""
        assert self._digest_with("NUMBA_DISABLE_JIT", tmp_path) == digest(self.subject)

    def _digest_with(self, setting: str, cache: Path) -> str:
        """The digest from a process in which a setting of Numba is on."""
        game = type(self).game
        name = game if isinstance(game, str) else f"{game.package}:GAME"
        done = subprocess.run(
            [sys.executable, "-m", "balance.testing.digest", name],
            env={**os.environ, setting: "1", "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": _path()},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    def test_the_oracle_agrees(self, variant: str) -> None:
        """Plain Python and the compiled rules play the same games; skipped without an oracle."""
        oracle = type(self).oracle
        if oracle is None:
            import pytest

            pytest.skip("no oracle is given")
        rules = load_variant(self.subject, variant, Path()).rules
        for players in self.subject.players:
            for seed in range(type(self).oracle_games):
                agree(self.subject, rules, players, seed, oracle, type(self).choose)


def _chooser(rng: np.random.Generator) -> Callable[[Stepper, list[str]], int]:
    """Chooses any option, all alike."""
    return lambda _, options: int(rng.integers(len(options)))


def _path() -> str:
    return os.pathsep.join(path for path in sys.path if path)
