"""A game told: scene by scene, with the position in each, the scores by round and the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from balance.contract.panel import Panel
from balance.contract.records import CHANCE
from balance.contract.telling import name_round, tell
from balance.contract.words import player
from balance.engine.moves import moves_of
from balance.engine.search.thinker import Thought
from balance.engine.stepper import Step, Stepper, walk_labels
from balance.log.folder import RunFolder
from balance.plan.plan import Cell
from balance.report.replay.result import Result, read_result


@dataclass(frozen=True)
class Scene:
    """What happens, and the position then.

    Attributes
    ----------
    seat : int
        Who decides; -1 for chance, and for what the rules bring about.
    text : str
        A sentence; of a decision it begins with the player's name.
    about : str
        Title of the panel that it is about, or "".
    outcome : bool
        Whether it is a resolution.
    thoughts : str
        What a searcher thought of, or "".
    """

    round: int
    seat: int
    text: str
    observation: Any
    about: str = ""
    outcome: bool = False
    thoughts: str = ""


@dataclass(frozen=True)
class Replay:
    """A game to tell.

    Attributes
    ----------
    game : Series
        Its row of the games table.
    trace : DataFrame
        Its rows of the trace table.
    seats : DataFrame
        Its rows of the seats table.
    thoughts : dict
        Of searchers, by the number of the decision; empty if nobody asked.
    """

    run: RunFolder
    cell: Cell
    game: pd.Series
    trace: pd.DataFrame
    seats: pd.DataFrame
    thoughts: Mapping[int, Sequence[Thought]] = field(default_factory=dict)

    @property
    def game_id(self) -> int:
        """Its number in the run."""
        return int(self.game["game_id"])

    @property
    def title(self) -> str:
        """Number, game and variant."""
        return f"Game {self.game_id}: {self.run.plan.game.title}, variant {self.cell.variant.name}"

    @property
    def names(self) -> list[str]:
        """Players, counted from one, with their strategies."""
        return [f"{player(row.seat)} ({row.strategy})" for row in self.seats.itertuples()]

    @cached_property
    def result(self) -> Result:
        """Who won, how the scores came about, and what decided."""
        return read_result(self.run.plan.game.analytics, self.game, self.seats, self.names)

    @property
    def scenes(self) -> list[Scene]:
        """All of the game; the last is its end."""
        return self._played[0]

    @property
    def scores(self) -> list[list[float]]:
        """What each seat would score if the game ended after each round; after the last, what it scored."""
        return self._played[1]

    @cached_property
    def round_names(self) -> dict[int, str]:
        """What sets each round apart, "" where nothing does."""
        display, rules = self.run.plan.game.display, self.cell.variant.rules
        return {scene.round: name_round(display, rules, scene.observation) for scene in self.scenes}

    def panels(self, scene: Scene) -> list[Panel]:
        """The position of a scene."""
        return self.run.plan.game.display.show(self.cell.variant.rules, scene.observation, self.names)

    @cached_property
    def _played(self) -> tuple[list[Scene], list[list[float]]]:
        rules = self.cell.variant.rules
        seed = int(self.game["deck_seed"])
        stepper = Stepper.deal(self.run.plan.game, rules, self.cell.players, seed)
        stepper.log.keep_rounds = 1
        labels = self.trace.loc[self.trace["seat"] >= 0, "label"].tolist()
        scenes = list(self._scenes(stepper, walk_labels(stepper, labels)))
        scenes.append(Scene(stepper.round, CHANCE, self.result.sentence, scenes[-1].observation))
        return scenes, self._scores(stepper)

    def _scenes(self, stepper: Stepper, steps: Iterator[Step]) -> Iterator[Scene]:
        display, rules = self.run.plan.game.display, self.cell.variant.rules
        decision, decided = -1, -1
        for step, move in moves_of(stepper, steps, self.names):
            decided = step.seat != CHANCE
            decision += decided
            thoughts = write_thoughts(self.thoughts.get(decision, ())) if decided else ""
            for told in tell(display, rules, move):
                seat = CHANCE if told.outcome else step.seat
                thoughts = "" if told.outcome else thoughts
                yield Scene(
                    step.round, seat, told.text, told.observation, told.about, told.outcome, thoughts
                )

    def _scores(self, stepper: Stepper) -> list[list[float]]:
        rounds, players = int(self.game["rounds"]), self.cell.players
        history = stepper.log.history["score"][:rounds, :players].astype(float)
        if self.game["status"] != "truncated":
            history[-1:] = self.seats["score"].to_numpy(float)
        return [[round(score, 3) for score in row] for row in history.tolist()]

    def tell(self) -> Iterator[str]:
        """The game in words, line by line."""
        yield self.title
        yield from self.lines(self.scenes[:-1])
        yield from self._summary(self.scenes[-1])
        yield ""
        yield "Result"
        yield from indented(self.result.lines())

    def lines(self, scenes: Iterable[Scene], under_way: int = 0) -> Iterator[str]:
        """Scenes in words: a heading where a round begins, and before it what everybody has.

        Parameters
        ----------
        under_way : int
            The round whose heading stands already.
        """
        last: Scene | None = None
        for scene in scenes:
            if scene.round != (last.round if last else under_way):
                if last:
                    yield from self._summary(last)
                name = self.round_names[scene.round]
                yield ""
                yield f"Round {scene.round}{f': {name}' if name else ''}"
            yield f"  {'→ ' if scene.outcome else ''}{scene.text}"
            if scene.thoughts:
                yield f"      {scene.thoughts}"
            last = scene

    def _summary(self, scene: Scene) -> Iterator[str]:
        return indented(self.run.plan.game.display.summarise(scene.observation, self.names))

    def labels(self) -> Iterator[str]:
        """The rows of the trace as they are, tab-separated."""
        columns = ["step", "round", "seat", "kind", "label", "options"]
        yield "\t".join(columns)
        for row in self.trace[columns].itertuples(index=False):
            yield "\t".join(map(str, row))


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Lines below a heading."""
    return (f"  {line}" for line in lines)


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
