"""`make bench`: speed on this machine, as ratios within one run. Each figure is a median of several.

Noise of the machine moves the absolute figures; ratios are taken between runs that alternate.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from balance.batch.runner import start_run
from balance.contract.game import Game, get_game
from balance.contract.records import blank
from balance.engine.loop import Simulator
from balance.engine.records import JOB
from balance.plan.experiment import make_experiment
from balance.plan.make import make_plan
from balance.plan.strategies import load_strategies, pack_strategies

GAME = get_game("na-grunwald")
POLSKA = get_game("polska")
REPEATS = 5


def no_logs(strategy: str, players: int, games: int, game: Game = GAME) -> Callable[[], float]:
    """Games a second of the compiled loop alone, one worker."""
    rules = make_plan(experiment(strategy, players, games, game=game), Path(), "bench").variants[0].rules
    simulator = Simulator(game)
    work = simulator.room(
        *pack_strategies(load_strategies(game, [strategy], Path()), simulator.weights_type)
    )
    packed = game.kernel.pack_rules(rules, players)
    rng = np.random.default_rng(1)
    jobs = blank(games, JOB)
    jobs.deck_seed[:] = rng.integers(0, 2**63, games)
    jobs.seed[:] = rng.integers(0, 2**63, games)
    rows = simulator.rows(games, players, False, 0)

    def measure() -> float:
        started = time.perf_counter()
        simulator.play_games(packed, work, jobs, rows, 100_000)
        return games / (time.perf_counter() - started)

    return measure


def experiment(strategy: str, players: int, games: int, log: str = "games", game: Game = GAME):
    return make_experiment(
        {
            "game": game.name,
            "players": [players],
            "strategies": [strategy],
            "games": games,
            "log": log,
        }
    )


def logged(strategy: str, players: int, games: int, log: str, workers: int = 1) -> Callable[[], float]:
    """Games a second of a whole run with its files."""
    plan = make_plan(experiment(strategy, players, games, log), Path(), "bench")

    def measure() -> float:
        folder = Path(tempfile.mkdtemp())
        started = time.perf_counter()
        start_run(plan, folder / "run", workers, SILENT_PROGRESS)
        elapsed = time.perf_counter() - started
        shutil.rmtree(folder)
        return games / elapsed

    return measure


def oracle_speed() -> float:
    """Random games a second of the plain-Python oracle, its own chance included."""
    import random

    from support.oracles import na_grunwald as oracle

    rules = make_plan(experiment("random", 4, 1), Path(), "bench").variants[0].rules
    plain = rules.model_dump(by_alias=True)
    rng = random.Random(1)
    games, started = 0, time.perf_counter()
    while time.perf_counter() - started < 2:
        _, asking = oracle.play(plain, 4)
        decks = Decks(plain, rng)
        question = next(asking)
        try:
            while True:
                if question.seat < 0:
                    question = asking.send(decks.turn_up(question))
                else:
                    question = asking.send(rng.choice(question.labels))
        except StopIteration:
            games += 1
    return games / (time.perf_counter() - started)


class Decks:
    """Shuffled decks for the oracle to turn up."""

    def __init__(self, rules, rng) -> None:
        cards = rules["cards"]
        self._decks = {
            name: rng.sample(cards[name]["strengths"], len(cards[name]["strengths"]))
            for name in ("crown", "mercenaries", "krzyzacy")
        }
        for name in ("provisions", "ducats"):
            self._decks[name] = rng.sample(cards[name]["values"], len(cards[name]["values"]))
        events = [card["id"] for card in rules["event_deck"]["cards"] for _ in range(card["copies"])]
        self._decks["event"] = rng.sample(events, len(events))

    def turn_up(self, question) -> str:
        name = question.labels[0].split()[1]
        deck = self._decks[name]
        if name == "event":
            return f"reveal event {deck.pop()}"
        if name in ("provisions", "ducats"):
            values = deck.pop()
            shown = values + [0] * ((2 if name == "provisions" else 3) - len(values))
        else:
            shown = [deck.pop(), deck.pop()]
        return f"reveal {name} {' '.join(map(str, shown))}"


def polska_oracle_speed() -> float:
    """Turns a second of Polska's plain-Python oracle, random choices, its own chance included."""
    import random

    from support.oracles import polska as oracle

    rules = make_plan(experiment("random", 4, 1, game=POLSKA), Path(), "bench").variants[0].rules
    plain = rules.model_dump(by_alias=True)
    rng = random.Random(1)
    turns, started = 0, time.perf_counter()
    while time.perf_counter() - started < 2:
        game, asking = oracle.play(plain, 4)
        question = next(asking)
        try:
            while True:
                question = asking.send(_polska_answer(game, question, rng))
        except StopIteration:
            turns += game.turns
    return turns / (time.perf_counter() - started)


def _polska_answer(game, question, rng) -> str:
    """A random choice, or what chance brings."""
    if question.seat >= 0:
        return rng.choice(question.labels)
    prefix = question.labels[0]
    if prefix == "reshuffle":
        return prefix
    if prefix == "roll ":
        return prefix + " ".join(map(str, sorted(rng.randint(1, 6) for _ in range(7))))
    if prefix == "marker ":
        return prefix + rng.choice(sorted(game.aside))
    return prefix + rng.choice(list(game.pile.elements()))


def polska_speeds(table: Table) -> None:
    """Games and turns a second of Polska; random games go to the limit of 400 turns."""
    bare, profile = no_logs("random", 4, 3_000, POLSKA), no_logs("marker-runner", 4, 6_000, POLSKA)
    bare(), profile()
    pairs = [(400 * bare(), polska_oracle_speed()) for _ in range(3)]
    ratio = statistics.median(fast / slow for fast, slow in pairs)
    random_games = statistics.median(fast / 400 for fast, _ in pairs)
    table.add_row(
        "polska, random, 4 players, one worker",
        f"{random_games:,.0f} games/s",
        f"{400 * random_games:,.0f} turns/s",
    )
    table.add_row(
        "its plain-Python oracle",
        f"{statistics.median(p for _, p in pairs):,.0f} turns/s",
        f"compiled: {ratio:,.0f} x",
    )
    table.add_row("polska, marker-runner, 4 players, one worker", f"{median(profile):,.0f} games/s", "")


def median(measure: Callable[[], float], repeats: int = REPEATS) -> float:
    return statistics.median(measure() for _ in range(repeats))


def first_game(cold: bool) -> float:
    """Seconds of a fresh process that plays one game, with a cold or a warm compile cache."""
    code = (
        "from pathlib import Path; import sys, tempfile; sys.path.insert(0, 'tests');"
        "from support.runs import play; play(Path(tempfile.mkdtemp()) / 'run', games=1)"
    )
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache} if cold else dict(os.environ)
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        return time.perf_counter() - started


def help_time() -> float:
    started = time.perf_counter()
    command = [Path(sys.executable).parent / "balance", "--help"]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def peak_memory(games: int) -> float:
    """Peak memory in MiB of a process that plays `games` four-player games at level `games`."""
    code = (
        "import shutil, sys, tempfile; from pathlib import Path; sys.path.insert(0, 'tests');"
        "from support.runs import play; folder = Path(tempfile.mkdtemp());"
        f"play(folder / 'run', workers=2, games={games}); shutil.rmtree(folder);"
        "lines = Path('/proc/self/status').read_text().splitlines();"
        "print(next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout) / 1024


READ = {
    "report": "from balance.log.folder import RunFolder; from balance.report import write_report;"
    "write_report([RunFolder.open(run)], out)",
    "compare": (
        "from balance.log.folder import RunFolder; from balance.analysis.compare import compare_variants;"
        "compare_variants(RunFolder.open(run), 'base')"
    ),
    "its SQL alone": (
        "from balance.log.folder import RunFolder; from balance.report.chapters import ask;"
        "from balance.analysis.gather import gather; opened = RunFolder.open(run); gather(opened, ask(opened.plan))"
    ),
}


def reading(folder: Path, games: int) -> dict[str, tuple[float, float]]:
    """Seconds and peak memory (MiB) of reading a run of `games` games, each in a process of its own."""
    run = folder / "run"
    data = {
        "game": GAME.name,
        "players": [2, 3, 4],
        "variants": ["base", "krzyzacy-soft", "krzyzacy-hard", "hire-dear", "no-events"],
        "strategies": ["balanced", "helpers-first", "quartermaster", "krzyzacy-hunter", "treasurer"],
        "games": games // 15,
        "log": "rounds",
    }
    start_run(make_plan(make_experiment(data), Path(), "bench"), run, None, SILENT_PROGRESS)
    found = {}
    for name, call in READ.items():
        code = (
            f"import time; from pathlib import Path; run, out = Path({str(run)!r}), Path({str(folder / 'out')!r});"
            f"started = time.perf_counter(); {call}; elapsed = time.perf_counter() - started;"
            "lines = Path('/proc/self/status').read_text().splitlines();"
            "print(elapsed, next(line.split()[1] for line in lines if line.startswith('VmHWM')))"
        )
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        seconds, peak = done.stdout.split()
        found[name] = (float(seconds), float(peak) / 1024)
    return found


def speeds(table: Table) -> None:
    """Games a second, without logs, with level `games`, with `trace`; alternating repeats."""
    for strategy, games in (("random", 60_000), ("balanced", 12_000)):
        for players in (4, 3, 2):
            measures = [
                no_logs(strategy, players, games),
                logged(strategy, players, games, "games"),
                logged(strategy, players, games // 4, "trace"),
            ]
            for measure in measures:
                measure()  # compile, and warm the caches
            runs = [[measure() for measure in measures] for _ in range(REPEATS)]
            bare, with_games, with_trace = (
                statistics.median(column) for column in zip(*runs, strict=True)
            )
            cost = statistics.median(1 - run[1] / run[0] for run in runs)
            name = f"{strategy}, {players} players, one worker"
            table.add_row(f"{name}: no logs", f"{bare:,.0f} games/s", "")
            table.add_row(
                f"{name}: level games", f"{with_games:,.0f} games/s", f"{100 * cost:.0f} % cost"
            )
            ratio = statistics.median(run[2] / run[0] for run in runs)
            table.add_row(
                f"{name}: level trace", f"{with_trace:,.0f} games/s", f"{ratio:.2f} of no logs"
            )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="skip memory, cold compile and reports")
    quick = parser.parse_args().quick
    table = Table("what", "figure", "ratio", title="balance bench (medians)")
    speeds(table)
    polska_speeds(table)
    bare = no_logs("random", 4, 60_000)
    pairs = [(bare(), oracle_speed()) for _ in range(3)]
    plain = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(fast / slow for fast, slow in pairs)
    table.add_row(
        "plain-Python oracle, random, 4 players", f"{plain:,.0f} games/s", f"compiled: {ratio:,.0f} x"
    )
    one, two = (logged("random", 4, 240_000, "games", workers) for workers in (1, 2))
    pairs = [(one(), two()) for _ in range(3)]
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    table.add_row(
        "two workers, random, level games", f"{median(two, 1):,.0f} games/s", f"{ratio:.2f} x one"
    )
    table.add_row("balance --help", f"{median(help_time):.2f} s", "")
    first_game(False)
    table.add_row("first game, warm cache", f"{median(lambda: first_game(False)):.2f} s", "")
    if not quick:
        table.add_row("first game, cold cache", f"{first_game(True):.1f} s", "")
        small, large = peak_memory(50_000), peak_memory(1_000_000)
        table.add_row(
            "peak memory, 1,000,000 games", f"{large:,.0f} MiB", f"{large / small:.2f} x 50,000"
        )
        small = reading(Path(tempfile.mkdtemp()), 100_000)
        for name, (seconds, peak) in reading(Path(tempfile.mkdtemp()), 1_000_000).items():
            table.add_row(
                f"{name}, 1,000,000 games, 3 player counts, 5 variants",
                f"{seconds:.1f} s, {peak:,.0f} MiB",
                f"memory {peak / small[name][1]:.2f} x 100,000",
            )
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
