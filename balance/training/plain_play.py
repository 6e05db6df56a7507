"""Self-play of a game in plain Python, many games at once.

Where all is seen, most games begin with random plies, so that all positions are learned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.contract.records import HIDDEN
from balance.contract.sides import TABLE
from balance.foundation.streams import derive_many
from balance.plain.chance import Chance
from balance.plain.faults import check_actions, raised
from balance.plain.inputs import Inputs
from balance.plain.interface import counts_score, has_own
from balance.plain.learned import Arrays, Batch, BatchLists, score_batch, shapes_of, weights_of
from balance.plain.results import read_places, read_scores
from balance.training.network_fit import Adam
from balance.training.plain_fit import VALUES, Learner, Played, draw_actions

LIMIT = 5_000  # decisions of a game of self-play
OPENED = 0.8  # share of the games with random plies first, where all is seen


@dataclass(frozen=True)
class Board:
    """A game at a player count, as it is learned."""

    game: Game
    rules: Any
    players: int
    inputs: Inputs

    @property
    def is_open(self) -> bool:
        """Whether all is seen."""
        return bool(self.inputs.schema["open"])

    def play(
        self, sets: Sequence[Arrays], lineups: np.ndarray, seed: int, openings: float = 0.0, greedy: int = 99
    ) -> Played:
        """Play a game for each line-up, numbers of sets of weights by seat, and return the decisions of set 0.

        Parameters
        ----------
        openings : float
            Most random plies at the start of `OPENED` of the games.
        greedy : int
            From this number on sets take the action with the highest score; the others draw.
        """
        try:
            return _Games(self, lineups, seed, openings).play(sets, greedy)
        except Exception as error:
            raise raised(error, self.game.folder, "self-play") from error

    def first_weights(self, rng: np.random.Generator) -> Arrays:
        """Return the weights of a new player, drawn so that its scores are small."""
        found = {name: np.zeros(shape, "f4") for name, shape in shapes_of(self.inputs).items()}
        for name, scale in (("context", 0.1), ("action", 0.2), ("out", 0.3 / np.sqrt(HIDDEN))):
            found[name] = rng.normal(0.0, scale, found[name].shape).astype("f4")
        return found


class _Game:
    """One of many games that are played at once."""

    __slots__ = ("chance", "choices", "decisions", "number", "plies", "state")

    def __init__(self, number: int, state: Any, chance: Chance, plies: int) -> None:
        self.number, self.state, self.chance, self.plies = number, state, chance, plies
        self.decisions = self.choices = 0


class _Games:
    """Games that are played at once, a choice of each at a time."""

    def __init__(self, board: Board, lineups: np.ndarray, seed: int, openings: float) -> None:
        self._board, self._lineups, self._author = board, lineups, board.game.author  # type: ignore[attr-defined]
        self._rng = np.random.default_rng(seed)
        count = len(lineups)
        plies = self._rng.integers(0, max(1, int(openings)) + 1, count) * (self._rng.random(count) < OPENED)
        seeds = derive_many(seed, np.arange(count)).tolist()
        self._live = []
        for number, own in enumerate(seeds):
            chance = Chance(own)
            state = self._author.setup(board.rules, board.players, chance)
            self._live.append(_Game(number, state, chance, int(plies[number]) if openings else 0))
        self._rewards = np.full((count, board.players), 1.0 / board.players)
        self._scores = np.zeros(count)
        self._is_close = says_how_close(self._author)
        self._choices = 0

    def play(self, sets: Sequence[Arrays], greedy: int) -> Played:
        lists, games, taken = BatchLists(), [], []
        lineups: list[list[int]] = self._lineups.tolist()
        weights = [weights_of(each) for each in sets]
        inputs, author = self._board.inputs, self._author
        while self._live:
            waiting: list[list[tuple[_Game, list[str]]]] = [[] for _ in sets]
            steps = [lists if n == 0 else BatchLists() for n in range(len(sets))]
            firsts = [len(each.seat) for each in steps]
            for each in self._live:
                actions = self._advance(each)
                if not actions:
                    continue
                own = lineups[each.number][each.state.seat]
                steps[own].add(each.state.seat, inputs.describe(author, each.state, actions))
                waiting[own].append((each, actions))
            for own, wait in enumerate(waiting):
                if not wait:
                    continue
                picks = self._pick(weights[own], _tail(steps[own], firsts[own]), own >= greedy)
                for (each, actions), pick in zip(wait, picks, strict=True):
                    author.apply(each.state, actions[pick], each.chance)
                    each.decisions += 1
                    if own == 0:
                        games.append(each.number)
                        taken.append(pick)
                self._choices += len(wait)
            self._live = sorted((each for wait in waiting for each, _ in wait), key=lambda each: each.number)
        length = self._choices / max(1, len(self._lineups))
        return Played(lists.batch(), np.array(games), np.array(taken, np.int32), self._rewards, self._scores, length)

    def _advance(self, game: _Game) -> list[str]:
        """Play on to a choice; return its actions, none at the end."""
        author, state, chance = self._author, game.state, game.chance
        while not author.over(state) and game.decisions < LIMIT:
            actions: list[str] = author.actions(state)
            if len(actions) > 1 and not game.plies:
                return actions
            if not actions:
                check_actions(author, actions)
            pick = 0
            if len(actions) > 1:
                game.plies -= 1
                pick = int(self._rng.integers(len(actions)))
            author.apply(state, actions[pick], chance)
            game.decisions += 1
        if game.decisions < LIMIT:
            self._rewards[game.number] = reward(author, state, self._board.players)
        if self._is_close:
            self._scores[game.number] = read_scores(author, state, 1)[0]
        return []

    def _pick(self, weights: tuple[np.ndarray, ...], batch: Batch, is_greedy: bool) -> list[int]:
        """Return which actions a player takes."""
        draws = self._rng.random(len(batch.seat)).astype("f4")
        scores = np.empty(len(batch.rows), np.float32)
        picks = np.empty(len(batch.seat), np.int32)
        score_batch(weights, batch, scores)
        draw_actions(scores, batch.option_first, draws, is_greedy, picks)
        found: list[int] = picks.tolist()
        return found


def _tail(lists: BatchLists, first: int) -> Batch:
    """Return the decisions of lists from one on."""
    context, option = lists.context_first[first], lists.option_first[first]
    column = lists.column_first[option]
    return Batch(
        np.array(lists.seat[first:], np.int32),
        np.array(lists.context_first[first:], np.int32) - np.int32(context),
        np.array(lists.context[context:], np.int32),
        np.array(lists.option_first[first:], np.int32) - np.int32(option),
        np.array(lists.column_first[option:], np.int32) - np.int32(column),
        np.array(lists.columns[column:], np.int32),
        np.array(lists.rows[option:], np.int32),
    )


def reward(author: Any, state: Any, players: int) -> list[float]:
    """Return what each seat has won at the end: its share of the win or, if the author says so, its score."""
    if counts_score(author):
        return read_scores(author, state, players)
    return [each.win_share for each in read_places(author, state, players)]


def says_how_close(author: Any) -> bool:
    """Return whether all players win or lose together, and a score says how close they were."""
    return author._sides.kind == TABLE and not counts_score(author) and has_own(author, "scores")


def new_learner(board: Board, start: Mapping[str, np.ndarray] | None, seed: int) -> Learner:
    """Return a learner with new weights or, for the player, those of a start."""
    rng = np.random.default_rng(seed)
    drawn = board.first_weights(rng)
    player = {name: np.array(each, "f4") for name, each in (start or drawn).items()}
    value = board.first_weights(rng)
    magnet = {name: each.copy() for name, each in player.items()}
    return Learner(Adam(player), Adam({name: value[name] for name in VALUES}), magnet, rng)
