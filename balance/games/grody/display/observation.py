"""What a seat observes, and quantities that stay constant (SET-1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from balance.contract.observations import Of, State, copies, read_fields, see, see_each
from balance.contract.rule_tables import keep_last
from balance.games.grody.kernel import state as s
from balance.games.grody.kernel.board import look_at_land
from balance.games.grody.kernel.state import pack_rules
from balance.games.grody.rules.ruleset import BUILDINGS, CARDS, TERRAINS, Rules

packed_rules = keep_last(pack_rules)
# Words by number, in the order of `kernel.state`.
_KIND_OF_PHASE = ("card", "answer", "move", "exchange", "hit", "flee", "discard", "build", "ransom")
_WINDOWS = ("start", "before", "during", "after", "end")
_BEHAVIOURS = ("gone", "", "fleeing", "standing", "fighting", "furious")
_TERRAINS = (*TERRAINS, "grod")


def conserved(rules: Rules, record: Any) -> dict[str, Any]:
    """Return the number of cards, terrains and buildings of each kind, and what holds in every position."""
    state = read_fields(record)
    count = len(rules.board.names)
    cards = state.pile + state.hand.sum(axis=0) + state.discards.sum(axis=0)
    terrain, owner, building = state.terrain[:count], state.owner[:count], state.building[:count]
    on_board = np.bincount(terrain[terrain != s.UNEXPLORED], minlength=s.GROD + 1)
    built = np.bincount(building[building != s.NOTHING], minlength=len(BUILDINGS))
    return {
        "fate cards": dict(zip(CARDS, cards.tolist(), strict=True)),
        "terrains": dict(zip(TERRAINS, (state.terrain_deck + on_board[: s.GROD]).tolist(), strict=True)),
        "buildings": dict(zip(BUILDINGS, (state.tokens + built).tolist(), strict=True)),
        "grody": (int(on_board[s.GROD]), *owner[list(rules.board.grody)].tolist()),
        "cards counted": _are_counted(state),
        "nothing below 0": bool((state.warriors >= 0).all() and (state.prisoners >= 0).all()),
        "explored segments have an owner": bool(((terrain == s.UNEXPLORED) == (owner == s.NOBODY)).all()),
    }


def _are_counted(state: State) -> bool:
    """Return whether the stored sizes of pile, hands and terrain deck match their cards."""
    sizes = [state.pile_count, *state.hand_size, state.terrain_count]
    return sizes == [state.pile.sum(), *state.hand.sum(axis=1), state.terrain_deck.sum()]


@dataclass(frozen=True)
class Segment:
    """A segment of the board."""

    terrain: Annotated[str, Of(words=_TERRAINS)]  # `grod` for a gród, "" while unexplored
    owner: int | None
    building: Annotated[str, Of(words=BUILDINGS)]  # "" for none
    warriors: tuple[int, int]  # number of each seat's warriors
    fresh: int  # warriors of the active player that have not moved this turn
    once: int  # warriors of the active player that moved once and may move again


@dataclass(frozen=True)
class Warrior:
    """A warrior in a combat."""

    number: int  # from 1
    raised: Annotated[int, Of("boost")]  # morale that cards have added to this warrior only
    # `fleeing`, `standing`, `fighting`, `furious`, or "" before the first roll
    behaviour: Annotated[str, Of(words=_BEHAVIOURS)]
    roll: int  # 0 if no roll counts


@dataclass(frozen=True)
class Combat:
    """A combat in progress; pairs are by seat."""

    segment: str
    round: Annotated[int, Of("combat_round")]  # 0 before the first round
    sides: tuple[list[Warrior], list[Warrior]]
    leaders: Annotated[tuple[bool, bool], Of("led")]
    songs: tuple[int, int]
    cushion: int  # blows that the defender can still ignore


@dataclass(frozen=True)
class Observation:
    """The game as the seat to move sees it; pairs are by seat."""

    seat: int
    players: int
    round: Annotated[int, Of("round_number")]
    turn: Annotated[int, Of("turns")]  # number of the turn, from 1, of both players together
    active: int  # the seat whose turn it is
    kind: Annotated[str, Of("phase", _KIND_OF_PHASE)]  # kind of decision, as in the trace
    window: str  # `start`, `before`, `during`, `after` or `end` in a card phase, else ""
    played: str  # the card that may be answered, or ""
    board: dict[str, Segment]  # segments by name
    points: tuple[int, int]  # victory points
    owned: tuple[int, int]  # number of segments owned
    prisoners: tuple[int, int]  # prisoners held
    cards: Annotated[tuple[int, int], Of("hand_size")]  # number of cards in hand
    hand: list[str]  # the seat's own cards
    aside: int  # the seat's own cards `wieszczba` that it can't play this turn
    discards: tuple[list[str], list[str]]
    pile: Annotated[int, Of("pile_count")]  # fate cards to draw
    # Terrain cards left in the deck, by name.
    terrains: Annotated[dict[str, int], Of("terrain_deck", TERRAINS)]
    tokens: Annotated[dict[str, int], Of(words=BUILDINGS)]  # buildings left, by name
    combat: Combat | None


def observe(rules: Rules, record: np.record, seat: int) -> Observation:
    """Return what `seat` may see of the state `record`."""
    state = read_fields(record)
    points, owned = np.zeros((2, s.SEATS), np.int64)
    look_at_land(packed_rules(rules, s.SEATS), record, points, owned)
    phase, window = state.phase, state.window
    in_window = phase in (s.ASK_CARD, s.ASK_ANSWER)
    fights = phase in (s.ASK_HIT, s.ASK_FLEE) or (in_window and window in (s.BEFORE, s.DURING))
    return see(
        Observation,
        state,
        seat=int(seat),
        window=_WINDOWS[window] if in_window else "",
        played=CARDS[state.played] if phase == s.ASK_ANSWER else "",
        board=dict(zip(rules.board.names, _segments(state, len(rules.board.names)), strict=True)),
        points=tuple(points.tolist()),
        owned=tuple(owned.tolist()),
        hand=copies(CARDS, state.hand[seat]),
        aside=int(state.aside[seat]),
        discards=(copies(CARDS, state.discards[0]), copies(CARDS, state.discards[1])),
        combat=_combat(rules, state) if fights else None,
    )


def _segments(state: State, count: int) -> list[Segment]:
    fields, moving = state.plain, state.phase == s.ASK_MOVE
    still = {} if moving else {"fresh": [0] * count, "once": [0] * count}
    owners = [None if owner == s.NOBODY else owner for owner in fields["owner"][:count]]
    warriors = list(zip(*fields["warriors"], strict=True))[:count]
    return see_each(Segment, state, count, owner=owners, warriors=warriors, **still)


def _combat(rules: Rules, state: State) -> Combat:
    sides = _side(state, 0), _side(state, 1)
    return see(Combat, state, segment=rules.board.names[state.here], sides=sides)


def _side(state: State, seat: int) -> list[Warrior]:
    count = state.plain["fighters"][seat]
    warriors = see_each(Warrior, state, count, seat, number=range(1, count + 1))
    return [warrior for warrior in warriors if warrior.behaviour != _BEHAVIOURS[s.GONE]]
