"""What a perfect opponent gains against learned players, in a game in plain Python of few positions.

All that chance may draw is tried, so a game must draw whole numbers, as dice and shuffles do. A perfect opponent knows
how the others play and remembers what it has seen (`PlainGame.seen`) and done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import exp, prod
from typing import Any

import numpy as np

from balance.contract.game import Game
from balance.plain.chance import Chance
from balance.plain.inputs import freeze
from balance.plain.interface import sees_all
from balance.plain.learned import LearnedPlayer
from balance.training.plain_play import reward

MOST_POSITIONS = 100_000  # that are reached against a player from one seat
_DEEPEST = 150  # decisions and draws of a game


class TooLargeError(Exception):
    """A game has too many positions, or draws something other than whole numbers."""


class _Script(Chance):
    """Chance that draws what a script says, then the first of all; `counts` are the numbers of outcomes."""

    def __init__(self, script: Sequence[int]) -> None:
        super().__init__(0)
        self._script, self.counts = script, list[int]()

    def _randbelow(self, n: int) -> int:
        at = len(self.counts)
        self.counts.append(n)
        if len(self.counts) > _DEEPEST or n > MOST_POSITIONS:
            raise TooLargeError
        return self._script[at] if at < len(self._script) else 0

    below = _randbelow

    def randint(self, a: int, b: int) -> int:
        """Return a whole number in a..b."""
        return a + self._randbelow(b - a + 1)

    def shuffle(self, x: Any) -> None:
        """Shuffle in place."""
        for last in range(len(x) - 1, 0, -1):
            other = self._randbelow(last + 1)
            x[last], x[other] = x[other], x[last]

    def random(self) -> float:
        """Refuse to draw a float."""
        raise TooLargeError

    def _next(self) -> int:
        raise TooLargeError


def _try_all(act: Callable[[Chance], Any]) -> Iterator[tuple[Any, float]]:
    """Yield what an act returns for each outcome of its chance, with the chance of that outcome."""
    script: list[int] = []
    while True:
        chance = _Script(script)
        found = act(chance)
        counts = chance.counts
        yield found, 1.0 / prod(counts)
        script += [0] * (len(counts) - len(script))
        while script and script[-1] == counts[len(script) - 1] - 1:
            script.pop()
        if not script:
            return
        script[-1] += 1


Weighed = tuple[Any, float]
"""A position, and its weight: how likely chance and the other players lead to it."""


class _Responder:
    """What the best play of a seat wins against a player in all other seats, and what that player wins there."""

    def __init__(self, author: Any, players: int, player: LearnedPlayer, draws: bool, seat: int) -> None:
        self._author, self._players, self._player, self._draws = author, players, player, draws
        self._seat, self._left = seat, MOST_POSITIONS
        self._policies: dict[Any, list[float]] = {}
        self._known: dict[Any, float] = {}  # values of positions, where all is seen
        self._is_open = sees_all(author)

    def gain(self, starts: Sequence[Weighed]) -> float:
        """Return how much more the best play wins than the player."""
        values = []
        for self._follows in (False, True):
            self._known.clear()
            values.append(self._value(starts, 0))
        return values[0] - values[1]

    def _value(self, states: Sequence[Weighed], depth: int) -> float:
        """Return what the seat wins from positions that it can't tell apart, weighed."""
        if depth > _DEEPEST:
            raise TooLargeError
        total, groups = 0.0, dict[Any, dict[Any, Weighed]]()
        waiting = list(states)
        while waiting:
            state, weight = waiting.pop()
            self._count()
            if self._author.over(state):
                total += weight * reward(self._author, state, self._players)[self._seat]
                continue
            actions = self._author.actions(state)
            if state.seat != self._seat:
                chances = self._policy(state, actions)
                for action, chance in zip(actions, chances, strict=True):
                    if chance > 0:
                        waiting += self._after(state, action, weight * chance)
                continue
            view = freeze(self._author.seen(self._author.clone(state), self._seat))
            group = groups.setdefault((view, tuple(actions)), {})
            key = view if self._is_open else freeze(state)
            group[key] = state, weight + (group[key][1] if key in group else 0.0)
        for (view, actions_seen), group in groups.items():
            total += self._decide(view, list(actions_seen), list(group.values()), depth)
        return total

    def _decide(self, view: Any, actions: list[str], group: list[Weighed], depth: int) -> float:
        """Return what the seat wins from a decision: by its best action, or as the player would play."""
        weight = sum(each for _, each in group)
        if self._is_open and view in self._known:
            return weight * self._known[view]
        chances = self._policy(group[0][0], actions) if self._follows else [1.0] * len(actions)
        worth = [
            self._value([then for state, own in group for then in self._after(state, action, own)], depth + 1)
            if chance > 0
            else 0.0
            for action, chance in zip(actions, chances, strict=True)
        ]
        found = float(np.dot(chances, worth)) if self._follows else max(worth)
        if self._is_open:
            self._known[view] = found / weight
        return found

    def _after(self, state: Any, action: str, weight: float) -> list[Weighed]:
        """Return the positions after an action, weighed."""

        def act(chance: Chance) -> Any:
            then = self._author.clone(state)
            self._author.apply(then, action, chance)
            return then

        found = []
        for then, chance in _try_all(act):
            self._count()
            found.append((then, weight * chance))
        return found

    def _count(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise TooLargeError

    def _policy(self, state: Any, actions: list[str]) -> list[float]:
        """Return the chance of each action to the player."""
        if len(actions) == 1:
            return [1.0]
        view = self._author.seen(self._author.clone(state), state.seat)
        key = state.seat, freeze(view), tuple(actions)
        if key not in self._policies:
            scores = self._player.weigh(self._author, state, actions)
            best = scores.index(max(scores))
            odds = [exp(each - scores[best]) if self._draws else 0.0 for each in scores]
            odds[best] = 1.0
            self._policies[key] = [each / sum(odds) for each in odds]
        return self._policies[key]


def perfect_gains(game: Game, rules: Any, players: int, nets: Sequence[LearnedPlayer], draws: bool) -> list[float]:
    """Return what a perfect opponent gains in each seat, on average over networks; empty if the game is too large.

    The gain is what it wins there more than the network itself: a share of the win or, if that counts, score. `draws`
    says whether networks draw their actions.
    """
    author = game.guarded  # type: ignore[attr-defined]
    try:
        deals = _try_all(lambda chance: author.setup(rules, players, chance))
        starts = list(islice(deals, MOST_POSITIONS))
        return [
            float(np.mean([_Responder(author, players, net, draws, seat).gain(starts) for net in nets]))
            for seat in range(players)
        ]
    except TooLargeError:
        return []
