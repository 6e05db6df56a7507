"""Who wins together: each seat alone, teams, or all players. Fair shares follow from it, and which questions apply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from balance.foundation.errors import BalanceError
from balance.foundation.language import N_, tr

SEAT, TEAM, TABLE = "seat", N_("team"), "table"
"""Kinds of sides. `SEAT` and `TEAM` are also the columns by which win shares are split."""
RIVALS, WINS, SCORED = "rivals", "wins", "scores"
"""What a question may need: sides that play against each other; that games are won; that sides have scores."""

_REASONS = {
    SEAT: N_("{what} does not apply: in this game each seat wins alone"),
    TEAM: N_("{what} does not apply: in this game seats win as teams"),
    TABLE: N_("{what} does not apply: in this game no player wins against another"),
}
_NO_WINS = N_("{what} does not apply: in this game points count, and no player wins or loses")


@dataclass(frozen=True)
class Sides:
    """The sides of a game. Seats of a side have the same score, rank and win share.

    Measures, rows of the grid, and sections of the page name what they need of a game; `allow` says whether it is
    there.
    """

    kind: str = SEAT
    names: Sequence[str] = ()  # of teams
    teams: Mapping[int, Sequence[int]] = field(default_factory=dict)  # player count to the team of each seat
    has_wins: bool = True  # False: the table has a score, and neither wins nor loses
    has_scores: bool = True

    def allow(self, needs: Sequence[str]) -> bool:
        """Return whether the game has all that a question needs: a kind of sides, or `RIVALS`, `WINS`, `SCORED`."""
        there = {self.kind}
        there |= {RIVALS} if self.kind != TABLE else set()
        there |= {WINS} if self.has_wins else set()
        there |= {SCORED} if self.has_scores else set()
        return there.issuperset(needs)

    def require(self, what: str, needs: Sequence[str]) -> None:
        """Refuse a command or measure that needs what the game does not have; `what` is its name."""
        if not self.allow(needs):
            raise BalanceError(self.refuse(what, needs))

    def refuse(self, what: str, needs: Sequence[str]) -> str:
        """Return why a command, measure or other thing that needs more than the game has does not apply."""
        lacks_wins = WINS in needs and not self.has_wins
        return tr(_NO_WINS if lacks_wins else _REASONS[self.kind], what=what)

    def of_seats(self, players: int) -> list[int]:
        """Return the side of each seat, numbered in the order of their first seats."""
        if self.kind == SEAT:
            return list(range(players))
        found = self.teams.get(players, [0] * players)
        order = list(dict.fromkeys(found))
        return [order.index(team) for team in found]

    def first_seats(self, players: int) -> list[int]:
        """Return the first seat of each side."""
        found = self.of_seats(players)
        return [found.index(side) for side in range(max(found) + 1)]

    @property
    def one_seat(self) -> str:
        """SQL that is true for one seat of each side, over the columns ``players`` and ``seat``."""
        if self.kind != TEAM:
            return "true" if self.kind == SEAT else "seat = 0"
        firsts = {players: ", ".join(map(str, self.first_seats(players))) for players in self.teams}
        return " OR ".join(f"(players = {each} AND seat IN ({seats}))" for each, seats in firsts.items())

    def count_shares(self, by: str, players: Any) -> Any:
        """Return how many win shares by a column a game adds up to; works on arrays too."""
        return np.rint(100 / self.fair_share(players)) if by == TEAM else players

    def fair_share(self, players: Any) -> Any:
        """Return the fair win share of a seat and of its side, in percent; works on arrays too."""
        if self.kind == SEAT:
            return 100 / players
        counts = np.asarray(players)
        found = np.array([100 / len(self.first_seats(int(each))) for each in counts.ravel()])
        return found.reshape(counts.shape) if counts.ndim else float(found[0])
