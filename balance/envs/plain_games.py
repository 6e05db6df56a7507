"""Games in plain Python as environments: their spaces, found from random games, and the loop of a batch."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from balance.contract.game import Game, get_game
from balance.contract.records import MAX_SEATS, TRUNCATED
from balance.engine.buffers import Buffers
from balance.engine.environments import SCORE, WIN_SHARE, Played, Seen
from balance.engine.stepper import Stepper
from balance.envs.spaces import Spaces
from balance.experiments.variants import load_variant
from balance.plain.chance import Chance, derive
from balance.plain.inputs import Inputs
from balance.plain.table import Job, Saved, Table, write_games
from balance.training.plain_inputs import find_inputs, random_game

OTHER = "any other action"
"""The last action of a space: the first legal action that no random game had."""
Kept = tuple[Saved, np.ndarray]
"""A game under way, and the random streams of its agents."""
_GAMES = 200  # random games of each variant


class PlainSpaces(Spaces):
    """The spaces of a game in plain Python: what learned players see, and the labels of random games.

    `inputs` reads a decision, see `balance.plain.inputs.Inputs`.
    """

    def __init__(self, game: Game, rules: Any, players: int) -> None:
        self._game = game
        self.inputs = Inputs(find_inputs(game, rules, players), players)
        labels = [*number_labels(game, players), OTHER]
        code = game.labels.code  # type: ignore[attr-defined]
        self.codes = {code(label): number for number, label in enumerate(labels)}
        self.action_names = labels
        flags = [f"seat_{seat}" for seat in range(players)]
        self.observation_names = [*self.inputs.context, *flags]
        self.option_names = list(self.inputs.action)
        self.high = np.ones(len(self.observation_names), np.float32)
        self.low = np.zeros_like(self.high)

    def number(self, label: str) -> int:
        """Return the number of an action."""
        return self.numbers.get(label, len(self.action_names) - 1)

    def describe(self, position: Any, actions: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return the observation of the seat to choose, and the features of each action as rows."""
        found = self.inputs.describe(self._game.guarded, position, actions)  # type: ignore[attr-defined]
        seen = np.zeros(len(self.high), np.float32)
        seen[found.context] = 1.0
        seen[len(self.inputs.context) + position.seat] = 1.0
        options = np.zeros((len(actions), len(self.option_names)), np.float32)
        for row, columns in zip(options, found.options, strict=True):
            row[columns] = 1.0
        return seen, options

    def observe(self, stepper: Stepper) -> np.ndarray:
        """Return the observation of the seat to choose in a game step by step."""
        return self.describe(stepper.state["position"], stepper.options())[0]

    def observe_options(self, stepper: Stepper) -> np.ndarray:
        """Return the features of each legal action, as rows in the order of `Stepper.options`."""
        return self.describe(stepper.state["position"], stepper.options())[1]


@cache
def number_labels(game: Game, players: int) -> tuple[str, ...]:
    """Return the labels of random games of all shipped variants, sorted; those of `base` come first."""
    found: dict[str, None] = {}
    for name in sorted(game.shipped("variants"), key=lambda name: name != "base"):
        rules = load_variant(game, name, Path()).rules
        found |= dict.fromkeys(sorted(_labels_of(game, rules, players)))
    return tuple(found)


def _labels_of(game: Game, rules: Any, players: int) -> set[str]:
    """Return the labels of random games of a rule set."""
    author: Any = game.guarded  # type: ignore[attr-defined]
    found: set[str] = set()
    rng = np.random.default_rng([players, 2])
    for number in range(_GAMES):
        for _, actions, _ in random_game(author, rules, players, number, rng):
            found.update(actions)
    return found


def make_spaces(game: Game, rules: Any, players: int) -> Spaces:
    """Return the spaces of a game under a rule set."""
    return (PlainSpaces if game.own_loop else Spaces)(game, rules, players)


def spaces_of(game: str, variant: str = "base", players: int | None = None) -> Spaces:
    """Return the spaces of a game under a variant; without `players`, at the largest player count."""
    found = get_game(game)
    return make_spaces(found, load_variant(found, variant, Path()).rules, players or found.players[-1])


class PlainGames:
    """The loop of a batch of games in plain Python, with the functions of the compiled one.

    See `balance.engine.environments`; a batch has one worker, because Python runs one thread at a time.
    """

    def __init__(self, game: Game, spaces: PlainSpaces) -> None:
        self._game, self._spaces = game, spaces
        self._tables: list[Table] = []

    def start_games(self, packed: Any, rooms: Buffers, played: Played, numbers: np.ndarray) -> None:
        """Begin games `numbers`; the next step, with -1 as answers, describes the first decision of each."""
        rooms.episode["keep_rounds"] = rooms.episode["tracing"] = 0
        self._tables = [Table(self._game, packed, rooms, None) for _ in numbers]
        for place, number in enumerate(numbers.tolist()):
            self._begin(rooms, played, place, number)

    def _begin(self, rooms: Buffers, played: Played, place: int, number: int) -> None:
        """Begin game `number`; its deal, seed and line-up are those of the same game of `balance run`."""
        series, rotations = played.series[0], len(played.lineups)
        job = played.jobs[place]
        job["game_id"] = number
        job["deal_seed"] = derive(int(series["deals"]), number // rotations)
        job["seed"] = derive(int(series["seeds"]), number)
        job["lineup"][:MAX_SEATS] = played.lineups[number % rotations]
        table = self._tables[place]
        table.deal(Job._make(job[name].tolist() for name in Job._fields))
        streams = [derive(int(job["seed"]), seat) for seat in range(table.players)]
        rooms.episode["streams"][place, : table.players] = streams

    def step_games(self, packed: Any, rooms: Buffers, played: Played, answers: np.ndarray, seen: Seen) -> None:
        """Carry out the legal action with index ``answers[place]`` in each game, and describe its next decision."""
        seen.done[:] = seen.truncated[:] = 0
        seen.reward[:] = 0.0
        for place, answer in enumerate(answers.tolist()):
            if self._advance(rooms, played, place, answer, seen):
                self._describe(rooms, played, place, seen)

    def _advance(self, rooms: Buffers, played: Played, place: int, answer: int, seen: Seen) -> bool:
        """Play a game on to the next decision of an agent; return False if the game ends and none follows."""
        table, series = self._tables[place], played.series[0]
        while not table.play_on(int(series["limit"]), answer):
            self._end(played, place, seen)
            if not series["stride"]:
                return False
            self._begin(rooms, played, place, int(played.jobs[place]["game_id"] + series["stride"]))
            answer = -1
        return True

    def _end(self, played: Played, place: int, seen: Seen) -> None:
        """Write the rows and rewards of a game that has ended; a truncated one has no winner."""
        table = self._tables[place]
        write_games(played.rows, place, [table.result()], self._game.sides.first_seats(table.players))
        seen.done[place] = 1
        if played.rows.games["status"][place] == TRUNCATED:
            seen.truncated[place] = 1
            return
        seats = played.rows.seats[place * table.players : (place + 1) * table.players]
        reward = int(played.series[0]["reward"])
        if reward == WIN_SHARE:
            seen.reward[place] = seats["win_share"]
        elif reward == SCORE:
            seen.reward[place] = seats["score"]
        else:
            seen.reward[place] = (table.players - seats["rank"]) / max(1.0, table.players - 1.0)

    def _describe(self, rooms: Buffers, played: Played, place: int, seen: Seen) -> None:
        """Write what the agent to choose sees, and its legal actions."""
        table, state = self._tables[place], rooms.state[place]
        state["players"], state["position"], state["over"] = table.players, table.position, 0
        state["seat"], state["round_number"] = table.position.seat, table.round
        actions = table.list_actions()
        most = played.options.shape[1]  # fewer than the actions only if random games lack many of them
        numbers = [self._spaces.number(action) for action in actions[:most]]
        seen.seat[place] = table.position.seat
        seen.observation[place], options = self._spaces.describe(table.position, actions)
        seen.mask[place] = 0
        seen.mask[place, numbers] = 1
        played.options[place, : len(numbers)] = numbers
        played.counts[place] = len(numbers)
        described = min(seen.option.shape[1], len(numbers))
        seen.option[place] = -1
        seen.option[place, :described] = numbers[:described]
        seen.option_features[place, :described] = options[:described]

    def draw(self, rooms: Buffers, played: Played, actions: np.ndarray) -> None:
        """Write a random legal action of each game, drawn as the strategy `random` draws it."""
        for place, table in enumerate(self._tables):
            streams, seat = rooms.episode["streams"][place], table.position.seat
            stream = Chance(int(streams[seat]))
            actions[place] = played.options[place, stream.below(int(played.counts[place]))]
            streams[seat] = stream.word

    def save(self, rooms: Buffers) -> list[Kept]:
        """Return all games in their current positions, each with the random streams of its agents."""
        return [(table.save(), rooms.episode["streams"][place].copy()) for place, table in enumerate(self._tables)]

    def load(self, packed: Any, rooms: Buffers, saved: list[Kept]) -> None:
        """Continue all games from saved positions."""
        self._tables = [Table(self._game, packed, rooms, None) for _ in saved]
        for place, (table, (own, streams)) in enumerate(zip(self._tables, saved, strict=True)):
            table.load(own)
            rooms.episode["streams"][place] = streams
            rooms.state["position"][place] = table.position
