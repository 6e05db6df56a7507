"""A game scene by scene, with positions, scores and result; alone, or next to the same deal under another variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd

from balance.contract.game import Game
from balance.contract.records import CHANCE
from balance.contract.sides import TABLE, TEAM, Sides
from balance.contract.view import Move, Panel, name_round, tell, tie_break
from balance.engine.search.thinker import Thought
from balance.engine.stepper import Step, Stepper, moves_of, walk_labels
from balance.experiments.plan import Cell
from balance.foundation.language import tr, trn, write_number
from balance.foundation.text import listed, player
from balance.runs.folder import RunFolder


@dataclass(frozen=True)
class Result:
    """The end of a game."""

    sentence: str  # the winner and the margin or tie-break
    columns: list[str]  # the sources of points
    # Rank, name, points by column, score; best first. Empty if all win or lose together: the sentence says it all.
    rows: list[tuple[int, str, list[float], float]]

    def lines(self) -> Iterator[str]:
        """Yield ranks and scores with their parts, best first; then the sentence."""
        for rank, name, parts, score in self.rows:
            found = [
                f"{label} {write_number(value, 'g')}" for label, value in zip(self.columns, parts, strict=True) if value
            ]
            listing = f" ({', '.join(found)})" if found else ""
            yield f"{rank}. {name}: {_points(score)}{listing}"
        yield self.sentence


def read_result(own: Game, game: pd.Series, seats: pd.DataFrame, names: list[str]) -> Result:
    """Return the end of a game from its rows of the games and seats tables."""
    if own.sides.kind == TABLE:
        return Result(_sentence(own, game, seats, names), [], [])
    parts = [(column, label) for column, label in own.analytics.SCORE_PARTS if column in seats]
    ranked = seats.sort_values(["rank", "seat"], kind="stable")
    points = ranked[[column for column, _ in parts]].to_numpy(float).tolist()
    ranks, scores = ranked["rank"].astype(int), ranked["score"].astype(float)
    players = [names[int(seat)] for seat in ranked["seat"]]
    rows = list(zip(ranks, players, points, scores, strict=True))
    return Result(_sentence(own, game, ranked, names), [tr(label) for _, label in parts], rows)


def _points(number: float) -> str:
    return trn("{n:g} point", "{n:g} points", number)


def _sentence(own: Game, game: pd.Series, ranked: pd.DataFrame, names: list[str]) -> str:
    if game["status"] == "truncated":
        return tr("Broken off: no winner")
    if game["status"] == "draw":
        return tr("A draw")
    best = ranked["score"].iloc[0]
    if own.sides.kind == TABLE:
        return _say_table(own.sides, ranked)
    if own.sides.kind == TEAM:  # one seat speaks for a team
        ranked = ranked.drop_duplicates(TEAM)
        names = ranked.set_index("seat")[TEAM].reindex(range(len(names))).tolist()
    winners = [names[int(seat)] for seat in ranked["seat"][ranked["rank"] == 1]]
    level = ranked[ranked["score"] == best]
    if len(winners) > 1:
        return tr("{winners} share the victory with {points}", winners=listed(winners), points=_points(best))
    if len(level) == 1:
        second = ranked["score"].iloc[1] if len(ranked) > 1 else 0
        return tr("{winner} wins by {points}", winner=winners[0], points=_points(best - second))
    others = [names[int(seat)] for seat in level["seat"][level["rank"] != 1]]
    return trn(
        "{winner} wins with {points}, as {others} has: {tie_break}",
        "{winner} wins with {points}, as {others} have: {tie_break}",
        len(others),
        winner=winners[0],
        points=_points(best),
        others=listed(others),
        tie_break=_tie(own.analytics, level),
    )


def _say_table(sides: Sides, ranked: pd.DataFrame) -> str:
    """Return how a game ended in which all players win together."""
    points = _points(ranked["score"].iloc[0])
    if not sides.has_wins:
        return trn("{n} player: {points}", "{n} players together: {points}", len(ranked), points=points)
    won, count = bool(ranked["rank"].iloc[0] == 1), len(ranked)
    text = trn("The player loses", "The players lose", count)
    if won:
        text = trn("The player wins", "The players win", count)
    return f"{text}, {points}" if sides.has_scores else text


def _tie(analytics: Any, level: pd.DataFrame) -> str:
    """Return the tie-break between players with equal scores, with their counts, the winner first."""
    what, columns = tie_break(analytics)
    if not what:
        return tr("the rules' tie-break decides")
    counts = [write_number(count, "g") for count in level[list(columns)].sum(axis=1)]
    first, *others = counts
    text = first
    for other in others:
        text = tr("{count} to {other}", count=text, other=other)
    return tr("more {things} decide, {counts}", things=tr(what), counts=text)


@dataclass(frozen=True)
class Scene:
    """An event of a game, and the position after it."""

    round: int
    seat: int  # the seat that decides; -1 for chance and for consequences of the rules
    text: str  # a sentence; for a decision it begins with the player's name
    observation: Any
    about: str = ""  # title of the panel that it is about, or ""
    outcome: bool = False  # whether it is a resolution
    thoughts: str = ""  # the best actions by the searcher's estimate, or ""


@dataclass(frozen=True)
class Replay:
    """A replay of a game."""

    run: RunFolder
    cell: Cell
    game: pd.Series  # the game's row of the games table
    trace: pd.DataFrame  # the game's rows of the trace table
    seats: pd.DataFrame  # the game's rows of the seats table
    # The searchers' thoughts by number of the decision; empty if they were not requested.
    thoughts: Mapping[int, Sequence[Thought]] = field(default_factory=dict)

    @property
    def game_id(self) -> int:
        """The game's number in the run."""
        return int(self.game["game_id"])

    @property
    def title(self) -> str:
        """Number, game and variant."""
        return tr(
            "Game {number}: {game}, variant {variant}",
            number=self.game_id,
            game=self.run.plan.game.title,
            variant=self.cell.variant.name,
        )

    @cached_property
    def names(self) -> list[str]:
        """The players, counted from one, with their strategies."""
        return [f"{player(row.seat)} ({row.strategy})" for row in self.seats.itertuples()]

    @cached_property
    def result(self) -> Result:
        """The winner, the sources of the scores, and the tie-break if there was one."""
        return read_result(self.run.plan.game, self.game, self.seats, self.names)

    @property
    def scenes(self) -> list[Scene]:
        """All scenes of the game; the last is its end."""
        return self._played[0]

    @property
    def decisions(self) -> list[tuple[int, np.record]]:
        """The scene of each decision with more than one option, and the state before it."""
        return self._played[2]

    @property
    def scores(self) -> list[list[float]]:
        """The score of each seat if the game ended after each round; after the last round, the final score."""
        return self._played[1]

    @cached_property
    def round_names(self) -> dict[int, str]:
        """The name of each round, from the first scene that has one; "" for none."""
        display, rules = self.run.plan.game.display, self.cell.variant.rules
        names: dict[int, str] = {}
        for scene in self.scenes:
            names[scene.round] = names.get(scene.round) or name_round(display, rules, scene.observation)
        return names

    def panels(self, scene: Scene) -> list[Panel]:
        """Return the panels that show the position of a scene."""
        return self.run.plan.game.display.show(self.cell.variant.rules, scene.observation, self.names)

    @cached_property
    def _played(self) -> tuple[list[Scene], list[list[float]], list[tuple[int, np.record]]]:
        rules = self.cell.variant.rules
        seed = int(self.game["deal_seed"])
        stepper = Stepper.deal(self.run.plan.game, rules, self.cell.players, seed)
        stepper.log.keep_rounds = 1
        labels = self.trace.loc[self.trace["seat"] >= 0, "label"].tolist()
        scenes: list[Scene] = []
        decisions: list[tuple[int, np.record]] = []
        for step, move, told in self._told(stepper, walk_labels(stepper, labels)):
            if len(step.options) > 1 and told:
                decisions.append((len(scenes), move.before))
            scenes += told
        last = scenes[-1].observation if scenes else stepper.observe(0)  # a game may end in its setup
        scenes.append(Scene(stepper.round, CHANCE, self.result.sentence, last))
        return scenes, self._scores(stepper), decisions

    def _told(self, stepper: Stepper, steps: Iterator[Step]) -> Iterator[tuple[Step, Move, list[Scene]]]:
        """Yield each step with its scenes."""
        display, rules = self.run.plan.game.display, self.cell.variant.rules
        decision = -1
        for step, move in moves_of(stepper, steps, self.names):
            decided = step.seat != CHANCE
            decision += decided
            thoughts = write_thoughts(self.thoughts.get(decision, ())) if decided else ""
            scenes = []
            for told in tell(display, rules, move):
                seat = CHANCE if told.outcome else step.seat
                thoughts = "" if told.outcome else thoughts
                about = (told.about, told.outcome, thoughts)
                scenes.append(Scene(step.round, seat, told.text, told.observation, *about))
            yield step, move, scenes

    def _scores(self, stepper: Stepper) -> list[list[float]]:
        rounds, players = int(self.game["rounds"]), self.cell.players
        history = stepper.log.history["score"][:rounds, :players].astype(float)
        history[-1:] = self.seats["score"].to_numpy(float)  # the last round may be broken off
        return [[round(score, 3) for score in row] for row in history.tolist()]

    def tell(self) -> Iterator[str]:
        """Yield the game in words, line by line."""
        yield self.title
        yield from self.lines(self.scenes[:-1])
        yield from self._summary(self.scenes[-1])
        yield ""
        yield tr("Result")
        yield from indented(self.result.lines())

    def lines(self, scenes: Iterable[Scene], under_way: int = 0) -> Iterator[str]:
        """Yield scenes in words; each round begins with a heading and ends with a summary of the position.

        Repeated scenes, such as units placed one by one, share a line.

        The heading of the round `under_way` is already written.
        """
        last: Scene | None = None
        for _, same in groupby(scenes, key=lambda scene: (scene.round, scene.text, scene.thoughts)):
            *repeated, scene = same
            if scene.round != (last.round if last else under_way):
                if last:
                    yield from self._summary(last)
                name = self.round_names[scene.round]
                yield ""
                heading = tr("Round {round}", round=scene.round)
                yield f"{heading}: {name}" if name else heading
            times = f" × {len(repeated) + 1}" if repeated else ""
            yield f"  {'→ ' if scene.outcome else ''}{scene.text}{times}"
            if scene.thoughts:
                yield f"      {scene.thoughts}"
            last = scene

    def _summary(self, scene: Scene) -> Iterator[str]:
        return indented(self.run.plan.game.display.summarise(scene.observation, self.names))

    def labels(self) -> Iterator[str]:
        """Yield the rows of the trace, tab-separated."""
        columns = ["step", "round", "seat", "kind", "label", "options"]
        yield "\t".join(columns)
        for row in self.trace[columns].itertuples(index=False):
            yield "\t".join(map(str, row))


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines indented under a heading."""
    return (f"  {line}" for line in lines)


_SHOWN = 3  # thoughts of a decision


def write_thoughts(thoughts: Sequence[Thought]) -> str:
    """Return the best actions of a searcher's shortlist in words, with visits and estimated win chance."""
    total = sum(thought.visits for thought in thoughts)
    best = [
        tr(
            "{action} ({visits} of {total}, {value:.2f})",
            action=thought.label, visits=thought.visits, total=total, value=thought.value,
        )
        for thought in thoughts[:_SHOWN]
        if thought.visits
    ]  # fmt: skip
    return tr("considered {actions}", actions="; ".join(best)) if best else ""


@dataclass(frozen=True)
class Row:
    """A row of the comparison: a scene of each game."""

    round: int
    scenes: tuple[int, ...]  # the scene of each game that is shown
    # Whether the scene starts in this row; False if a game waits for the other's round to end.
    new: tuple[bool, ...]
    parted: bool = False  # whether the games differ here


def line_up(replays: Sequence[Replay]) -> list[Row]:
    """Return the scenes of games side by side, round by round."""
    rounds = [_by_round(replay.scenes) for replay in replays]
    rows: list[Row] = []
    shown = [0] * len(replays)
    for number in sorted(set().union(*rounds)):
        scenes = [game.get(number, []) for game in rounds]
        for place in range(max(map(len, scenes))):
            new = tuple(place < len(each) for each in scenes)
            shown = [each[place] if is_new else before for each, is_new, before in zip(scenes, new, shown, strict=True)]
            parted = _differ(replays, shown) or not all(new)
            rows.append(Row(number, tuple(shown), new, parted))
    return rows


def _by_round(scenes: Sequence[Scene]) -> dict[int, list[int]]:
    numbered = groupby(enumerate(scenes), key=lambda item: item[1].round)
    return {number: [place for place, _ in group] for number, group in numbered}


def _differ(replays: Sequence[Replay], shown: Sequence[int]) -> bool:
    texts = [replay.scenes[place].text for replay, place in zip(replays, shown, strict=True)]
    return len(set(texts)) > 1


def tell_side_by_side(replay: Replay, other: Replay) -> Iterator[str]:
    """Yield two games in words: the common part once, then the rest of each."""
    yield tr(
        "{title}, compared with {variant} (game {number})",
        title=replay.title,
        variant=other.cell.variant.name,
        number=other.game_id,
    )
    rows = line_up([replay, other])
    parted = next((number for number, row in enumerate(rows) if row.parted), None)
    if parted is None:
        yield from replay.lines(replay.scenes[:-1])
        yield ""
        yield tr("Both games are the same, move by move")
        yield from indented(replay.result.lines())
        return
    yield from replay.lines(replay.scenes[row.scenes[0]] for row in rows[:parted])
    number = rows[parted].round
    yield ""
    yield tr("First difference, in round {round}", round=number)
    for place, each in enumerate((replay, other)):
        yield f"\n{each.cell.variant.name}"
        after = [each.scenes[row.scenes[place]] for row in rows[parted:] if row.new[place]]
        yield from each.lines(after[:-1], number)
        yield from indented(each.result.lines())
