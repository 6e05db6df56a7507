"""The contract suite of games in plain Python: games by random bots, and everything a method may get wrong.

A failure is one sentence with the file, the line and the command that shows it again.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.buffers import JOB
from balance.experiments.profiles import STRATEGY_FOLDERS
from balance.experiments.strategies import Strategy, load_strategy
from balance.experiments.variants import Variant, load_variant
from balance.foundation.errors import BalanceError
from balance.foundation.language import tr
from balance.foundation.progress import SILENCE, Progress
from balance.plain.chance import Chance, derive
from balance.plain.faults import check_actions, check_turn, copy_as_data, fault_in, raised
from balance.plain.hidden import as_data, hidden_things
from balance.plain.interface import counts_score, has_own
from balance.plain.results import (
    check_names,
    describe_seats,
    number_outcome,
    read_columns,
    read_places,
    read_scores,
    weigh,
)
from balance.runs.jobs import make_loop

MOST_DECISIONS = 10_000  # of a game
SECONDS = 20.0  # of a game
_WATCHED = 300  # decisions of a game that are checked
_GUESSES = 10  # of these, those at which what is hidden is dealt again
_DEALT_AGAIN = 8  # times at each position, as long as nothing else came up
_ENOUGH = 20  # times after which what never changed is known to searchers
_DEALS = 200  # at each player count, whose first decisions are compared
_SPEED_SECONDS = 1.0  # of timing
_CLOCKS = ("time", "time_ns", "monotonic", "perf_counter")

Trace = list[str]
"""The actions and noted outcomes of a game, then its scores."""


@dataclass(frozen=True)
class Case:
    """One game of the suite."""

    variant: Variant
    players: int
    seed: int  # of chance, as `deal_seed` of a run, and of the random bots


@dataclass
class Checked:
    """What the suite found."""

    games: int = 0
    failures: list[str] = field(default_factory=list)  # one sentence each
    speed: float = 0.0  # random games a second, played as a run does on one core; 0 if the game failed
    decisions: float = 0.0  # mean number of decisions of a game


def check_game(
    game: Game, players: Sequence[int] = (), variants: Sequence[str] = (), seeds: Sequence[int] = range(5),
    progress: Progress = SILENCE,
) -> Checked:  # fmt: skip
    """Play games with every seed, variant and player count (empty: all of the game), and return all failures."""
    if not game.own_loop:
        raise BalanceError(
            tr("{game} has compiled rules: its contract suite is a test for pytest (see docs/games.md)", game=game.name)
        )
    found = Checked()
    names = variants or game.shipped("variants") or ["base"]  # a missing base is a failure
    loaded = list(_load_variants(game, names, found.failures))
    _load_strategies(game, found.failures)
    cases = [Case(variant, count, seed) for variant in loaded for count in players or game.players for seed in seeds]
    traces: dict[int, Trace] = {}
    secrets = {case.players: _Secrets() for case in cases}
    for number, case in enumerate(cases):
        progress.advance(number, len(cases))
        with _noting(game, case, found.failures):
            traces[number] = _check_case(game, case, secrets[case.players])
    found.games = len(cases)
    author: Any = game.author  # type: ignore[attr-defined]
    for count, each in secrets.items():
        if not found.failures:
            each.compare_deals(author, loaded[0].rules, count)
        found.failures += each.leaks(author, count)
    if len(traces) == len(cases) and cases:
        _compare_processes(game, cases, traces, found.failures)
    if not found.failures and cases:
        found.speed, found.decisions = _time(game, cases[0])
    return found


def _load_variants(game: Game, names: Sequence[str], failures: list[str]) -> Iterator[Variant]:
    """Yield the variants that can be loaded."""
    for name in names:
        try:
            yield load_variant(game, name, Path())
        except BalanceError as error:
            failures.append(str(error))


def _load_strategies(game: Game, failures: list[str]) -> None:
    for name in game.shipped(*STRATEGY_FOLDERS):
        try:
            load_strategy(game, name, game.folder)
        except BalanceError as error:
            failures.append(str(error))


@contextmanager
def _noting(game: Game, case: Case, failures: list[str]) -> Iterator[None]:
    """Add a failure in the block to the list, with the command that shows it, unless it is there already."""
    try:
        yield
    except BalanceError as error:
        if not any(each.startswith(str(error)) for each in failures):
            failures.append(
                tr(
                    "{error}; seed {seed} shows it: {command}",
                    error=error, seed=str(case.seed), command=_say_command(game, case),
                )
            )  # fmt: skip


def _say_command(game: Game, case: Case) -> str:
    place = game.name
    with suppress(ValueError):
        place = f".{os.sep}{Path(game.name).relative_to(Path.cwd())}"
    words = ("--variant", case.variant.name, "--players", case.players, "--seed", case.seed)
    return shlex.join(["balance", "test-game", place, *map(str, words)])


def _check_case(game: Game, case: Case, secrets: _Secrets) -> Trace:
    """Play a game with all checks, and again without; return its trace."""
    author: Any = game.author  # type: ignore[attr-defined]
    trace = _Walk(author, game.folder, case, _Watcher(author, case, secrets)).play()
    with _refuse_other_chance(author, game.folder):
        again = _Walk(author, game.folder, case).play()
    if again != trace:
        raise fault_in(
            author.setup,
            tr(
                "and the game after it differ for the same seed: {where}; keep all that changes in the state, not in a "
                "class, in self or in the file",
                where=_first(trace, again),
            ),
        )
    return trace


def _first(one: Trace, two: Trace) -> str:
    """Return the first difference of two traces in words."""
    both = zip([*one, tr("the end")], [*two, tr("the end")], strict=False)
    step, (before, now) = next(each for each in enumerate(both) if each[1][0] != each[1][1])
    return tr("step {step} is {before!r}, then {now!r}", step=step, before=before, now=now)


class _Walk:
    """A game played by random bots; `watch` is called with the state at each decision."""

    def __init__(self, author: Any, folder: Path, case: Case, watch: Callable[[Any], None] | None = None) -> None:
        self._author, self._folder, self._case, self._watch = author, folder, case, watch
        self._doing, self._trace = "setup()", list[str]()
        self._chance = Chance(derive(case.seed, 0))
        self._chance.on_note = self._trace.append
        self._chance.on_outcome = self._write_outcome
        self._bots = [Chance(derive(case.seed, seat)) for seat in range(case.players)]

    def play(self) -> Trace:
        """Return the trace of the game; an error names what the game's code did wrong."""
        try:
            with _time_limit():
                self._play()
        except BalanceError:
            raise
        except Exception as error:
            raise raised(error, self._folder, self._doing) from error
        return self._trace

    def _write_outcome(self, name: str, parts: Mapping[str, int]) -> None:
        self._trace.append(f"{name} {number_outcome(self._author, name, parts)[1]}")

    def _play(self) -> None:
        author, case = self._author, self._case
        state = author.setup(case.variant.rules, case.players, self._chance)
        number, last = 1, author.setup
        for _ in range(MOST_DECISIONS):
            check_turn(author, state, case.players, number, last)
            number = getattr(state, "round", 1)
            if author.over(state):
                self._doing = "scores()"
                self._trace += map(str, read_scores(author, state, case.players))
                self._doing = "columns()"
                for seat in range(case.players) if author.COLUMNS else ():
                    self._trace.append(str(read_columns(author, state, seat)))
                return
            if self._watch:
                self._doing = tr("the checks of a position")
                self._watch(state)
            actions = author.actions(state)
            pick = self._bots[state.seat].below(len(actions)) if len(actions) > 1 else 0
            self._trace.append(actions[pick])
            self._doing = f"apply({actions[pick]!r})"
            author.apply(state, actions[pick], self._chance)
            last = author.apply
        raise fault_in(author.over, tr("has not ended a game after {most:,} random decisions", most=MOST_DECISIONS))


Kind = tuple[int, str]
"""A seat, and the name under which something is hidden from it."""


@dataclass
class _Secrets:
    """What games with the same number of players hide: whether it ever changes when it is dealt again."""

    truths: dict[Kind, set[str]] = field(default_factory=dict)
    tries: Counter[Kind] = field(default_factory=Counter)
    changed: set[Kind] = field(default_factory=set)
    only_shuffled: set[Kind] = field(default_factory=set)  # though other things may be there, for all that is seen

    def watch(self, author: Any, state: Any, chance: Chance) -> None:
        """Deal again what the seat to choose can't see, until each kind has been something else once."""
        seat = state.seat
        view = author.seen(author.clone(state), seat)
        try:
            true = hidden_things(view, state)
        except ValueError:  # a view of another shape, with a guess() of its own
            return
        for _ in range(_DEALT_AGAIN):
            constant = [kind for kind in true if (seat, kind) not in self.changed]
            if not constant:
                return
            dealt = hidden_things(view, author.guess(author.clone(state), seat, chance))
            for kind in constant:
                before, now = (repr(as_data(each.get(kind))) for each in (true, dealt))
                self.truths.setdefault((seat, kind), set()).add(before)
                self.tries[seat, kind] += 1
                if now != before:
                    self.changed.add((seat, kind))

    def compare_deals(self, author: Any, rules: Any, players: int) -> None:
        """Find what looks alike to the first seat in two deals and is not, while guesses keep what is there."""
        sets: dict[tuple[Kind, str], list[str]] = {}
        redrawn: set[Kind] = set()
        for seed in range(_DEALS):
            state = author.setup(rules, players, Chance(derive(seed, 0)))
            if author.over(state):
                continue
            seat = state.seat
            view = author.seen(author.clone(state), seat)
            try:
                true = hidden_things(view, state)
                dealt = hidden_things(view, author.guess(author.clone(state), seat, Chance(derive(seed, 1))))
            except ValueError:  # a view of another shape, with a guess() of its own
                return
            seen = repr(as_data(view))
            for name, things in true.items():
                kind, own = (seat, name), _sorted(things)
                if _sorted(dealt[name]) != own:
                    redrawn.add(kind)
                if sets.setdefault((kind, seen), own) != own:
                    self.only_shuffled.add(kind)
        self.only_shuffled -= redrawn

    def leaks(self, author: Any, players: int) -> Iterator[str]:
        """Yield a failure for each kind of which a guess knows more than the seat."""
        for seat, kind in sorted(self.only_shuffled):
            text = tr(
                "hides {what} from seat {seat}, but with {players} players a guess only changes their order, and the "
                "seat can't know which ones there are, as with dice under a cup: write guess(), or keep all that could "
                "be there in the state, under one name",
                what=f'"{kind}"' if kind else "HIDDEN", seat=seat, players=players,
            )  # fmt: skip
            yield str(fault_in(author.seen, text))
        for seat, kind in sorted(self.truths.keys() - self.changed):
            if self.tries[seat, kind] >= _ENOUGH and len(self.truths[seat, kind]) > 1:
                text = tr(
                    "hides {what} from seat {seat} in vain: with {players} players a guess always has the true one; "
                    "hide it under one name with all that it could be, write guess(), or show it if the seat may "
                    "know it",
                    what=f'"{kind}"' if kind else "HIDDEN", seat=seat, players=players,
                )  # fmt: skip
                yield str(fault_in(author.seen, text))


def _sorted(things: Sequence[Any]) -> list[str]:
    return sorted(repr(as_data(each)) for each in things)


class _Watcher:
    """Checks every decision: nothing changes the state, copies are independent, nothing hidden is used."""

    def __init__(self, author: Any, case: Case, secrets: _Secrets) -> None:
        self._author, self._case, self._secrets = author, case, secrets
        self._chance, self._watched = Chance(case.seed), 0

    def __call__(self, state: Any) -> None:
        """Check the decision of a state."""
        if self._watched == _WATCHED:
            return
        self._watched += 1
        author = self._author
        before = copy_as_data(author, state)
        actions = self._unchanged(author.actions, before, state, state)
        check_actions(author, actions)
        if author.actions(author.clone(state)) != actions:
            raise fault_in(
                author.actions,
                tr("lists other actions for a copy of the state: a set has another order there: sort it"),
            )
        asked = [name for name in ("scores", "tie_break") if has_own(author, name)]
        asked += ["outcome"] if has_own(author, "outcome") and counts_score(author) else []
        for name in ("over", *asked):
            self._unchanged(getattr(author, name), before, state, state)
        read_places(author, state, self._case.players)
        if author.POSITION:
            describe_seats(author, state, self._case.players)
        for action in actions if author.FEATURES else ():
            own = self._unchanged(author.features, before, state, state, action)
            check_names(author.features, own, author.FEATURES, "FEATURES")
            weigh(author, state, [action], dict.fromkeys(author.FEATURES, 1.0))
        for action in actions:
            author.apply(author.clone(state), action, Chance(self._chance.word))
            if as_data(state) != before:
                shares = tr("shares a part of the state: apply({action!r}) changes both", action=action)
                if has_own(author, "clone"):
                    raise fault_in(author.clone, shares)
                raise fault_in(
                    author.setup,
                    tr("returns a state that shares a part with its copies: {action!r} changes both", action=action),
                )
        if self._watched <= _GUESSES:
            self._check_blind(state, actions)
        self._secrets.watch(author, state, Chance(derive(self._case.seed, self._watched)))

    def _unchanged(self, method: Callable[..., Any], before: Any, state: Any, *given: Any) -> Any:
        result = method(*given)
        if as_data(state) != before:
            raise fault_in(method, tr("changes the state; only setup() and apply() may"))
        return result

    def _check_blind(self, state: Any, actions: list[str]) -> None:
        """Deal again what the seat can't see; everything that its bots use must stay the same."""
        author, seat = self._author, state.seat
        seen = as_data(author.seen(author.clone(state), seat))
        try:
            guess = author.guess(author.clone(state), seat, self._chance)
        except ValueError as error:
            raise fault_in(author.seen, tr("can't be searched: {why}; or write guess()", why=error)) from error
        if as_data(author.seen(author.clone(guess), seat)) != seen:
            raise fault_in(author.guess, tr("changes what seat {seat} sees", seat=seat))
        both = [author.guess(author.clone(each), seat, Chance(self._chance.word)) for each in (state, guess)]
        if as_data(both[0]) != as_data(both[1]):
            what = tr("depends on what seen() hides from seat {seat}: sort hidden things before a shuffle", seat=seat)
            raise fault_in(author.guess, what)
        if author.actions(guess) != actions:
            raise fault_in(author.actions, tr("depends on what seen() hides from seat {seat}", seat=seat))
        for action in actions if author.FEATURES else ():
            if author.features(guess, action) != author.features(state, action):
                raise fault_in(
                    author.features,
                    tr("of {action!r} depend on what seen() hides from seat {seat}", action=action, seat=seat),
                )


@contextmanager
def _time_limit() -> Iterator[None]:
    """Stop a game that takes too long at the line that is being carried out, where the system can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TimeoutError(tr("a game takes longer than {seconds:g} s: is this loop endless?", seconds=SECONDS))

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _refuse_other_chance(author: Any, folder: Path) -> Iterator[None]:
    """Refuse chance in the block that does not come from the handed `Chance`: name the line that draws it."""
    found: list[str] = []

    def watch(frame: Any, event: str, called: Any) -> None:
        if event == "c_call" and not found and (what := _other_source(called)):
            while frame is not None and not Path(frame.f_code.co_filename).is_relative_to(folder):
                frame = frame.f_back
            if frame is not None:
                place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
                text = tr("draws from {source}, not from the handed chance", source=what)
                found.append(f"{place}: {text}")

    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(None)
    if found:
        raise BalanceError(found[0])


def _other_source(called: Any) -> str:
    """Return the source of chance that a built-in function draws from; "" if it draws from none, or from `Chance`."""
    owner, name = getattr(called, "__self__", None), getattr(called, "__name__", "")
    if isinstance(owner, random.Random) and not isinstance(owner, Chance):
        return "Python's random"
    if type(owner).__module__.startswith("numpy.random"):
        return "numpy.random"
    if name == "urandom":
        return tr("the system's random numbers")
    return tr("the clock") if name in _CLOCKS and getattr(called, "__module__", "") == "time" else ""


def _compare_processes(game: Game, cases: Sequence[Case], traces: dict[int, Trace], failures: list[str]) -> None:
    """Play all games in another process, where sets have another order, and compare the traces."""
    asked = [[each.variant.name, each.players, each.seed] for each in cases]
    done = subprocess.run(
        [sys.executable, "-m", "balance.studies.game_checks", game.name, json.dumps(asked)],
        env={**os.environ, "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        failures.append(tr("{game}: can't be played in another process: {why}", game=game.name, why=done.stderr[-300:]))
        return
    for number, trace in enumerate(json.loads(done.stdout)):
        if trace != traces[number]:
            author: Any = game.author  # type: ignore[attr-defined]
            with _noting(game, cases[number], failures):
                text = tr(
                    "or a method after it depends on the process: {where}; a set has another order in each process: "
                    "sort it",
                    where=_first(traces[number], trace),
                )
                raise fault_in(author.setup, text)
            return


def _time(game: Game, case: Case) -> tuple[float, float]:
    """Return random games a second on this core, and the mean number of decisions."""
    chosen = [Strategy("random", "random")]
    loop, room, packed = make_loop(game, case.variant.rules, case.players, chosen)
    games, decisions, began, size = 0, 0, time.perf_counter(), 50
    while time.perf_counter() - began < _SPEED_SECONDS:
        jobs, rows = blank(size, JOB), loop.rows(size, case.players, False, 0)
        jobs.deal_seed[:] = jobs.seed[:] = range(games, games + size)
        loop.play_games(packed, room, jobs, rows, MOST_DECISIONS)
        games, decisions = games + size, decisions + int(rows.games.decisions.sum())
    return games / (time.perf_counter() - began), decisions / games


def main(name: str, asked: str) -> None:
    """Print the traces of games as JSON; what the game prints goes to standard error."""
    with redirect_stdout(sys.stderr):
        game = get_game(name)
        author: Any = game.author  # type: ignore[attr-defined]
        cases = [
            Case(load_variant(game, variant, Path()), players, seed) for variant, players, seed in json.loads(asked)
        ]
        traces = [_Walk(author, game.folder, case).play() for case in cases]
    print(json.dumps(traces))


if __name__ == "__main__":
    main(*sys.argv[1:])
