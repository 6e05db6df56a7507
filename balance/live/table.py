"""The table at which a game is tried live: keys are turned, games played, answers held beside those of before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from balance.errors import BalanceError
from balance.live.asking import Arm, ask
from balance.live.games import games_in, play_games
from balance.live.turning import Turned, change_keys, read_change, turn
from balance.plan.measures import choose_measures
from balance.plan.plan import Plan
from balance.progress import SILENCE, Progress

GAMES = 10_000
MOST_IN_MEMORY = 200_000
"""Games of a cell; more are a matter of runs."""
SECONDS = 1.0  # that play may take where bots are slow
MEASURES = ("score", "margin", "comeback", "minutes")


class LiveTable:
    """Games of one variant, and the same games with keys turned.

    All are played on the same decks, with the same line-ups and seeds. What plays may be stopped by Ctrl-C, and
    whatever is refused or stopped changes nothing.

    Parameters
    ----------
    start : Plan
        Of one variant and no tiers; its games are played at once.
    paced : bool
        Whether to play fewer than the plan's games, where searchers or bots in Python would not be done in about a
        second.
    measures : sequence of str
        Names of measures shown beside the win shares.
    workers : int or None
        Threads; None for one on each core.

    Attributes
    ----------
    start, before, now : Arm

    Raises
    ------
    BalanceError
        There is no such measure, the games are too many for memory, or a custom bot failed.
    """

    def __init__(
        self, start: Plan, paced: bool, measures: Sequence[str] = MEASURES, workers: int | None = None,
        progress: Progress = SILENCE,
    ) -> None:  # fmt: skip
        choose_measures(start, measures)
        _check_games(start.tier.games)
        self._measures, self._workers = measures, workers
        if paced and (start.tier.iterations or start.tier.has_custom_bots):
            start = _with_games(start, games_in(start, SECONDS, start.tier.games, workers, progress))
        self.start = self.before = self.now = self._play(start, {}, progress)
        self._earlier: list[Turned] = []

    @property
    def games(self) -> int:
        """Games at each player count."""
        return self.start.plan.tier.games

    def change(self, line: str, progress: Progress = SILENCE) -> None:
        """Turn a key, as in ``rounds = 7``, and play; the value that it has is no change, and `undo` passes it over.

        Raises
        ------
        BalanceError
            It is no such line, or the rules or a strategy have no such key, or not with that value.
        KeyboardInterrupt
            The user stopped it.
        """
        earlier = self.now.turned
        self._go(change_keys(self.start.plan, earlier, read_change(line)), progress)
        if self.now.turned != earlier:
            self._earlier.append(earlier)

    def undo(self, progress: Progress = SILENCE) -> None:
        """Take the last change back.

        Raises
        ------
        BalanceError
            Nothing was changed.
        """
        if not self._earlier:
            raise BalanceError("undo: nothing was changed")
        self._go(self._earlier[-1], progress)
        self._earlier.pop()

    def reset(self) -> None:
        """Take all changes back; the start is what was before, again."""
        self.before = self.now = self.start
        self._earlier.clear()

    def keep(self) -> None:
        """Let what is now be what was before."""
        self.before = self.now

    def set_games(self, games: int, progress: Progress = SILENCE) -> None:
        """Play so many games at each player count, from here on and of all that is shown.

        Raises
        ------
        BalanceError
            They are none, or too many for memory.
        """
        _check_games(games)
        plan = _with_games(self.start.plan, games)
        played: list[Arm] = []
        for arm in (self.start, self.before, self.now):
            alike = [each for each in played if each.turned == arm.turned]
            played += alike[:1] or [self._play(turn(plan, arm.turned), arm.turned, progress)]
        self.start, self.before, self.now = played

    def ask(self) -> pd.DataFrame:
        """What is shown now, see `balance.live.asking.ask`."""
        return ask(self.before, self.now, self._measures)

    def _go(self, turned: Turned, progress: Progress) -> None:
        plan = turn(self.start.plan, turned)  # refuses 8.0 for 8, though a known arm's 8 equals it
        known = [arm for arm in (self.now, self.before, self.start) if arm.turned == turned]
        self.now = known[0] if known else self._play(plan, turned, progress)

    def _play(self, plan: Plan, turned: Turned, progress: Progress) -> Arm:
        return Arm(turned, plan, play_games(plan, self._workers, progress))


def _check_games(games: int) -> None:
    if not 0 < games <= MOST_IN_MEMORY:
        raise BalanceError(f"games: from 1 to {MOST_IN_MEMORY:,}; for more make a run")


def _with_games(plan: Plan, games: int) -> Plan:
    experiment = plan.experiment.model_copy(update={"games": games})
    tiers = [replace(tier, games=games, most_games=games) for tier in plan.tiers]
    return replace(plan, experiment=experiment, tiers=tiers)
