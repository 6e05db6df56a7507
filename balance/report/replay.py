"""One game of a run again: from its trace if it has one, else played anew from its seeds."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pandas as pd

from balance.batch.thoughts import thoughts_of
from balance.batch.worker import Worker
from balance.contract.panel import Panel
from balance.contract.records import CHANCE
from balance.engine.search.thinker import Thought
from balance.engine.stepper import Step, Stepper, walk_labels
from balance.errors import BalanceError
from balance.log.database import connect
from balance.log.folder import RunFolder
from balance.log.manifest import append_part
from balance.plan.plan import Cell, Part


@dataclass(frozen=True)
class Scene:
    """The position as it stands, and what happens next."""

    round: int
    text: str
    panels: list[Panel]


@dataclass(frozen=True)
class Replay:
    """A game to tell.

    Attributes
    ----------
    trace : DataFrame
        Its rows of the trace table.
    seats : DataFrame
        Its rows of the seats table.
    thoughts : dict
        Of searchers, by the number of the decision; empty if nobody asked.
    """

    run: RunFolder
    cell: Cell
    game_id: int
    deck_seed: int
    trace: pd.DataFrame
    seats: pd.DataFrame
    thoughts: Mapping[int, Sequence[Thought]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Number, game and variant."""
        return f"Game {self.game_id}: {self.run.plan.game.title}, variant {self.cell.variant.name}"

    @property
    def names(self) -> list[str]:
        """Seats with their strategies."""
        return [f"seat {row.seat} ({row.strategy})" for row in self.seats.itertuples()]

    def _walk(self) -> tuple[Stepper, Iterator[Step]]:
        """The game, and its steps, which carry it on as they are asked for."""
        rules = self.cell.variant.rules
        stepper = Stepper.deal(self.run.plan.game, rules, self.cell.players, self.deck_seed)
        labels = self.trace.loc[self.trace["seat"] >= 0, "label"].tolist()
        return stepper, walk_labels(stepper, labels)

    def result(self) -> list[str]:
        """Ranks and scores, best first."""
        ranked = self.seats.sort_values("rank", kind="stable")
        return [
            f"{row.rank}. {self.names[int(row.seat)]}: {row.score:g} points"
            for row in ranked.itertuples()
        ]

    def _say(self, steps: Iterator[Step]) -> Iterator[tuple[Step, str, str]]:
        """Every step, what happens in words and, of a searcher, what it thought of."""
        decision = 0
        for step in steps:
            decided = step.seat != CHANCE
            text = self.run.plan.game.display.say(step.label, self.names[step.seat] if decided else "")
            yield step, text, write_thoughts(self.thoughts.get(decision, ())) if decided else ""
            decision += decided

    def scenes(self) -> Iterator[Scene]:
        """The position before every step, with the step in words; last, the end."""
        story, names = self.run.plan.game.display, self.names
        rules = self.cell.variant.rules
        stepper, steps = self._walk()
        for step, text, thoughts in self._say(steps):
            text = f"{text} ({thoughts})" if thoughts else text
            panels = story.show(rules, stepper.observe(max(step.seat, 0)), names)
            yield Scene(step.round, text, panels)
        yield Scene(step.round, "The end", story.show(rules, stepper.observe(0), names))

    def tell(self) -> Iterator[str]:
        """The game in words, line by line."""
        story, names = self.run.plan.game.display, self.names
        yield self.title
        stepper, steps = self._walk()
        current = 0
        for step, text, thoughts in self._say(steps):
            if step.round != current:
                if current:
                    yield from ("  " + line for line in story.summarise(stepper.observe(0), names))
                current = step.round
                yield f"\nRound {current}"
            yield f"  {text}"
            if thoughts:
                yield f"      {thoughts}"
        yield from ("  " + line for line in story.summarise(stepper.observe(0), names))
        yield "\nResult"
        yield from ("  " + line for line in self.result())

    def labels(self) -> Iterator[str]:
        """The rows of the trace as they are, tab-separated."""
        columns = ["step", "round", "seat", "kind", "label", "options"]
        yield "\t".join(columns)
        for row in self.trace[columns].itertuples(index=False):
            yield "\t".join(map(str, row))


_SHOWN = 3  # thoughts of a decision


def write_thoughts(thoughts: Sequence[Thought]) -> str:
    """The best of a shortlist in words: visits, and the win chance that was found."""
    total = sum(thought.visits for thought in thoughts)
    best = [
        f"{thought.label} ({thought.visits} of {total}, {thought.value:.2f})"
        for thought in thoughts[:_SHOWN]
        if thought.visits
    ]
    return f"thought of {'; '.join(best)}" if best else ""


def open_replay(
    path: Path, game_id: int, scratch: Path, run_bots: bool = False, thoughts: bool = False
) -> Replay:
    """Find a game of a run; `scratch` is an empty folder to play it in if it has no trace.

    Parameters
    ----------
    run_bots : bool
        Whether Python code that the run names may be run, should bots of this game be asked again.
    thoughts : bool
        Whether to read what searchers thought, for which the game is played again.

    Raises
    ------
    BalanceError
        There is no such game, or it has no trace and the rules have changed since, or a bot is needed that
        may not be run.
    """
    run = RunFolder.open(path)
    run.plan.bots_allowed = run_bots
    with connect(run.path, checksums=True) as connection:
        game = connection.execute("SELECT * FROM games WHERE game_id = ?", [game_id]).df()
        if game.empty:
            low, high, count = connection.execute(
                "SELECT min(game_id), max(game_id), count(*) FROM games"
            ).fetchall()[0]
            raise BalanceError(f"{path} has no game {game_id} ({count} games, {low} to {high})")
        seats = _read(connection, "seats", game_id)
        views = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        trace = _read(connection, "trace", game_id) if "trace" in views else pd.DataFrame()
    cell = _cell_of(run, game_id)
    if trace.empty:
        trace = _play_again(run, cell, game_id, seats, scratch)
    found = _think_again(run, cell, game_id) if thoughts else {}
    return Replay(run, cell, game_id, int(game["deck_seed"][0]), trace, seats, found)


def _read(connection: duckdb.DuckDBPyConnection, table: str, game_id: int) -> pd.DataFrame:
    frame: pd.DataFrame = connection.execute(f"SELECT * FROM {table} WHERE game_id = ?", [game_id]).df()
    key = "seat" if table == "seats" else "step"
    return frame.sort_values(key, ignore_index=True)


def _cell_of(run: RunFolder, game_id: int) -> Cell:
    return max(
        (cell for cell in run.plan.cells if cell.first_id <= game_id),
        key=lambda cell: cell.first_id,
    )


def _think_again(run: RunFolder, cell: Cell, game_id: int) -> dict[int, list[Thought]]:
    if changes := run.changes():
        raise BalanceError(
            f"game {game_id} can't be thought of again: changed since {run.path} began: {', '.join(changes)}"
        )
    if not cell.tier.iterations:
        raise BalanceError(f"game {game_id} of {run.path} has no searcher whose thoughts could be read")
    return thoughts_of(run.plan, cell, game_id - cell.first_id)


def _play_again(
    run: RunFolder, cell: Cell, game_id: int, seats: pd.DataFrame, scratch: Path
) -> pd.DataFrame:
    if changes := run.changes():
        raise BalanceError(
            f"game {game_id} has no trace, and cannot be played again: changed since {run.path} began: "
            f"{', '.join(changes)} (log traces with --trace N)"
        )
    number = game_id - cell.first_id
    part = Part(cell.number, number, number + 1, "trace")
    with closing(Worker(run.plan, scratch, threading.Event())) as worker:
        append_part(scratch, worker.play(part))
    with connect(scratch) as connection:
        again = _read(connection, "seats", game_id)
        if not again["score"].equals(seats["score"]):
            raise BalanceError(f"game {game_id} played again differs from the run's rows")
        return _read(connection, "trace", game_id)
