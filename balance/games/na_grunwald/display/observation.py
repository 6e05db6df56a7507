"""What a seat may see (PLC-6): all but the order of the decks and cards chosen in secret."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.games.na_grunwald.kernel import state as s
from balance.games.na_grunwald.rules.decks import list_events
from balance.games.na_grunwald.rules.ruleset import Rules
from balance.games.na_grunwald.rules.vocabulary import FIELDS, KNIGHTS

_PHASES = {
    s.ASK_BUY: "buy",
    s.ASK_BID: "bid",
    s.ASK_SEND: "send",
    s.ASK_ENTER: "enter",
    s.ASK_PLACE: "place",
    s.ASK_FIGHT: "fight",
    s.ASK_PLUNDER: "plunder",
    s.ASK_HIRE: "hire",
    s.ASK_STARVE: "starve",
}
Knights = dict[str, list[int]]


@dataclass(frozen=True)
class Player:
    """What everybody knows of one player."""

    ducats: int
    provisions: int
    helpers: int
    hand: Knights  # "crown" and "mercenary": strengths, weakest first
    camp: Knights
    captives: list[int]
    officer_free: bool
    helpers_free: int
    passed: bool


@dataclass(frozen=True)
class Pawns:
    """One player's pawns and ducats on a field."""

    seat: int
    officer: bool
    helpers: int
    ducats: int


@dataclass(frozen=True)
class Observation:
    """The game as the seat that must choose sees it.

    Attributes
    ----------
    seats : list of Player
        What everybody has, by seat.
    kind : str
        What is asked: ``place``, ``fight``, ``plunder``, ``hire``, ``buy``, ``bid``, ``send``,
        ``enter`` or ``starve``.
    board : dict
        Field name to the pawns on it, first come first.
    prizes : dict
        Field name to what first, second and third win there this round (0: nothing); for
        ``krzyzacy`` the two cards, the stronger first.
    closed : list of str
        Fields on which nothing may be placed this round.
    plunder_left : int
        What this seat must still give up, when plundered.
    """

    seat: int
    players: int
    round: int
    rounds: int
    kind: str
    start: int
    seats: list[Player]
    board: dict[str, list[Pawns]]
    prizes: dict[str, list[int]]
    closed: list[str]
    event: str
    krzyzacy_bonus: int
    highest_bid: int
    plunder_left: int

    @property
    def me(self) -> Player:
        """The seat that must choose."""
        return self.seats[self.seat]


def observe(rules: Rules, state: np.record, seat: int) -> Observation:
    """What `seat` may see of `state`."""
    event = "" if state.event < 0 else list_events(rules.event_deck)[state.event].id
    return Observation(
        seat=int(seat),
        players=int(state.players),
        round=int(state.round_number),
        rounds=rules.rounds,
        kind=_PHASES.get(int(state.phase), ""),
        start=int(state.start),
        seats=[_player(state, p) for p in range(state.players)],
        board={name: _pawns(state, f) for f, name in enumerate(FIELDS)},
        prizes={name: [int(v) for v in state.prize[f]] for f, name in enumerate(FIELDS)},
        closed=[name for f, name in enumerate(FIELDS) if state.closed[f]],
        event=event,
        krzyzacy_bonus=int(state.krzyzacy_bonus),
        highest_bid=int(state.highest_bid) if state.phase == s.ASK_BID else 0,
        plunder_left=int(state.plunder_left) if state.phase == s.ASK_PLUNDER else 0,
    )


def _spread(counts: np.ndarray) -> list[int]:
    return [strength for strength in range(s.STRENGTHS) for _ in range(counts[strength])]


def _player(state: np.record, p: int) -> Player:
    return Player(
        ducats=int(state.ducats[p]),
        provisions=int(state.provisions[p]),
        helpers=int(state.helpers[p]),
        hand={name: _spread(state.hand[p, kind]) for kind, name in enumerate(KNIGHTS)},
        camp={name: _spread(state.camp[p, kind]) for kind, name in enumerate(KNIGHTS)},
        captives=_spread(state.captives[p]),
        officer_free=bool(state.officer_free[p]),
        helpers_free=int(state.helpers_free[p]),
        passed=bool(state.passed[p]),
    )


def _pawns(state: np.record, field: int) -> list[Pawns]:
    there = [p for p in range(state.players) if state.arrival[field, p] > 0]
    return [
        Pawns(
            seat=p,
            officer=bool(state.officer_on[field, p]),
            helpers=int(state.helpers_on[field, p]),
            ducats=int(state.stake[field, p]),
        )
        for p in sorted(there, key=lambda p: state.arrival[field, p])
    ]
