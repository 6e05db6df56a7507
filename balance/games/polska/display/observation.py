"""What a seat may see: everything but the other hands, the order of the piles and what chance will bring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.games.polska.display.labels import names_of
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.ruleset import Rules

_KINDS = {
    s.ASK_DIE: "die",
    s.ASK_ACT: "act",
    s.ASK_COACH: "coach",
    s.ASK_COACHED: "act",
    s.ASK_MORE: "more",
    s.ASK_DISCARD: "discard",
}


@dataclass(frozen=True)
class Player:
    """What everybody knows of one player.

    Attributes
    ----------
    marker : int
        Fields of the track behind it.
    pawn : str
        The field of the map where it stands.
    cards : int
        How many are in hand.
    stops : int
        Stop cards before the player.
    """

    marker: int
    pawn: str
    cards: int
    stops: int


@dataclass(frozen=True)
class Observation:
    """The game as the seat that must choose sees it.

    Attributes
    ----------
    seats : list of Player
        What everybody knows of each, by seat.
    kind : str
        What is asked: ``die``, ``act``, ``coach``, ``more`` or ``discard``.
    hand : list of str
        Its own cards.
    dice : list of int
        Those left to take.
    die : int
        Taken this turn, 0 before.
    markers : list of str
        Fields with a location marker.
    next_marker : int
        Cards that the next marker of this set gives.
    discards : list of str
    """

    seat: int
    players: int
    turn: int
    kind: str
    seats: list[Player]
    hand: list[str]
    dice: list[int]
    die: int
    markers: list[str]
    next_marker: int
    discards: list[str]
    draw_pile: int

    @property
    def me(self) -> Player:
        """The seat that must choose."""
        return self.seats[self.seat]


def observe(rules: Rules, state: np.record, seat: int) -> Observation:
    """What `seat` may see of `state`."""
    fields, faces = names_of(rules)
    hand = state.hand[seat][: state.hand_size[seat]]
    return Observation(
        seat=int(seat),
        players=int(state.players),
        turn=int(state.turns) + 1,
        kind=_KINDS.get(int(state.phase), ""),
        seats=[
            Player(
                marker=int(state.position[p]),
                pawn=fields[state.pawn[p]],
                cards=int(state.hand_size[p]),
                stops=int(state.stops[p]),
            )
            for p in range(state.players)
        ],
        hand=[faces[face] for face in sorted(hand.tolist())],
        dice=[side for side in range(1, 7) for _ in range(state.dice_showing[side])],
        die=0 if state.phase in (s.ASK_DIE, s.OVER) else int(state.die),
        markers=[name for field, name in enumerate(fields) if state.marker_on[field]],
        next_marker=rules.cards_per_marker[min(int(state.taken_of_set), rules.markers_out - 1)],
        discards=sorted(faces[face] for face in state.discards[: state.discard_count]),
        draw_pile=int(state.draw_count),
    )
