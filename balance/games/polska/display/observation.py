"""What a seat observes, and invariants of a position: cards, pawns, markers, dice (SET-3 to SET-5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from balance.contract.observations import Of, read_fields, see, see_each
from balance.games.polska.display.names import names_of
from balance.games.polska.kernel import state as s
from balance.games.polska.rules.ruleset import Rules


def conserved(rules: Rules, record: Any) -> dict[str, Any]:
    """Return the number of cards of each face, and whether all pawns, markers and dice are accounted for."""
    state = read_fields(record)
    players = state.players
    cards = Counter(state.draw_pile[: state.draw_count].tolist())
    cards += Counter(state.discards[: state.discard_count].tolist())
    for p in range(players):
        cards += Counter(state.hand[p][: state.hand_size[p]].tolist())
    cards += Counter({state.stop_face: int(state.stops[:players].sum())})
    on_map = int(state.marker_on.sum())
    return {
        "cards": sorted((+cards).items()),
        "pawns": int(state.pawns_on.sum()),
        "markers of the set": on_map + state.taken_of_set,
        "no marker twice": on_map + state.aside_count + state.taken_of_set <= len(rules.map.locations),
        "dice counted": int(state.dice_showing.sum()) == state.dice_left,
    }


_KIND_OF_PHASE = ("die", "act", "coach", "act", "more", "discard")  # in the order of the phases


@dataclass(frozen=True)
class Player:
    """Public information on one player."""

    marker: Annotated[int, Of("position")]  # number of fields of the track behind the marker
    pawn: str  # the field of the map where the pawn stands
    cards: Annotated[int, Of("hand_size")]  # number of cards in hand
    stops: int  # stop cards in front of the player


@dataclass(frozen=True)
class Observation:
    """The game as the seat to move sees it."""

    seat: int
    players: int
    turn: int
    # Kind of decision: ``die``, ``act``, ``coach``, ``more`` or ``discard``.
    kind: Annotated[str, Of("phase", _KIND_OF_PHASE)]
    seats: list[Player]  # public information on each player, by seat
    hand: list[str]  # the seat's own cards
    dice: Annotated[list[int], Of("dice_showing", range(s.SIDES + 1))]  # dice left to take
    die: int  # die taken this turn, 0 before
    markers: list[str]  # fields with a location marker
    next_marker: int  # cards for the next marker of this set
    discards: list[str]
    draw_pile: Annotated[int, Of("draw_count")]

    @property
    def me(self) -> Player:
        """The seat to move."""
        return self.seats[self.seat]


def observe(rules: Rules, record: np.record, seat: int) -> Observation:
    """Return what `seat` may see of the state `record`."""
    state = read_fields(record)
    fields, faces = names_of(rules)
    hand = state.hand[seat][: state.hand_size[seat]].tolist()
    pawns = [fields[place] for place in state.plain["pawn"][: state.players]]
    return see(
        Observation,
        state,
        seat=int(seat),
        turn=state.turns + 1,
        seats=see_each(Player, state, state.players, pawn=pawns),
        hand=[faces[face] for face in sorted(hand)],
        die=0 if state.phase in (s.ASK_DIE, s.OVER) else state.die,
        markers=[fields[field] for field in np.flatnonzero(state.marker_on).tolist()],
        next_marker=rules.cards_per_marker[min(state.taken_of_set, rules.markers_out - 1)],
        discards=sorted(faces[face] for face in state.discards[: state.discard_count].tolist()),
    )
