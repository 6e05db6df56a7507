"""What a seat observes, and invariants of a position (SET-1, MOV-2, MOV-5, DRW-2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from types import SimpleNamespace as State
from typing import Any

import numpy as np

from balance.contract.records import read_fields
from balance.games.grody.kernel import state as s
from balance.games.grody.rules.geography import BUILDINGS, CARDS, TERRAINS
from balance.games.grody.rules.ruleset import Rules


def conserved(rules: Rules, record: Any) -> dict[str, Any]:
    """Return the number of cards, terrains and buildings of each kind, and whether warriors are where they may be."""
    state = read_fields(record)
    segments = range(len(rules.board.names))
    cards = state.pile + state.hand.sum(axis=0) + state.discards.sum(axis=0)
    on_board = Counter(int(state.terrain[i]) for i in segments)
    built = Counter(int(state.building[i]) for i in segments)
    return {
        "fate cards": {card: int(cards[i]) for i, card in enumerate(CARDS)},
        "terrains": {name: int(state.terrain_deck[i]) + on_board[i] for i, name in enumerate(TERRAINS)},
        "buildings": {name: int(state.tokens[i]) + built[i] for i, name in enumerate(BUILDINGS)},
        "grody": (on_board[s.GROD], *(int(state.owner[grod]) for grod in rules.board.grody)),
        "cards counted": _are_counted(state),
        "nothing below 0": bool((state.warriors >= 0).all() and (state.prisoners >= 0).all()),
        "sides meet only in attacks": _meet_in_attacks(state, segments),
        "warriors stand on their own": _stand_on_their_own(state, segments),
        "explored segments have an owner": all(
            (state.terrain[i] == s.UNEXPLORED) == (state.owner[i] == s.NOBODY) for i in segments
        ),
    }


def _are_counted(state: Any) -> bool:
    """Return whether the stored sizes of pile, hands and terrain deck match their cards."""
    sizes = [int(state.pile_count), *state.hand_size.tolist(), int(state.terrain_count)]
    found = [state.pile.sum(), *state.hand.sum(axis=1).tolist(), state.terrain_deck.sum()]
    return sizes == [int(count) for count in found]


def _waiting(state: Any) -> set[int]:
    """Return the segments whose combat is pending or in progress."""
    fought = int(state.fought)
    first = max(0, fought - 1) if state.phase in _FIGHTING or state.window in _CARD_WINDOWS else fought
    return {int(segment) for segment in state.attacks[first : state.attack_count]}


_FIGHTING = (s.ASK_HIT, s.ASK_FLEE)
_CARD_WINDOWS = (s.BEFORE, s.DURING)


def _meet_in_attacks(state: Any, segments: range) -> bool:
    waiting = _waiting(state)
    both = {i for i in segments if state.warriors[0, i] > 0 and state.warriors[1, i] > 0}
    return both <= waiting


def _stand_on_their_own(state: Any, segments: range) -> bool:
    """Return whether each seat owns the segments of its warriors, except in attacks, a gród or unowned land."""
    waiting = _waiting(state)
    return all(
        state.owner[i] in (seat, s.NOBODY) or i in waiting or state.terrain[i] == s.GROD
        for seat in range(s.SEATS)
        for i in segments
        if state.warriors[seat, i] > 0
    )


_KINDS = {
    s.ASK_CARD: "card",
    s.ASK_ANSWER: "answer",
    s.ASK_MOVE: "move",
    s.ASK_EXCHANGE: "exchange",
    s.ASK_HIT: "hit",
    s.ASK_FLEE: "flee",
    s.ASK_DISCARD: "discard",
    s.ASK_BUILD: "build",
    s.ASK_RANSOM: "ransom",
}
_WINDOWS = {
    s.START: "start",
    s.BEFORE: "before",
    s.DURING: "during",
    s.AFTER: "after",
    s.END: "end",
}
_BEHAVIOURS = {
    s.READY: "",
    s.FLEEING: "fleeing",
    s.STANDING: "standing",
    s.FIGHTING: "fighting",
    s.FURIOUS: "furious",
}
_TERRAINS = (*TERRAINS, "grod", "")  # the last, number -1, is unexplored


@dataclass(frozen=True)
class Segment:
    """A segment of the board.

    Attributes
    ----------
    terrain : str
        ``grod`` for a gród, "" while unexplored.
    owner : int or None
    building : str
        "" for none.
    warriors : (int, int)
        Number of each seat's warriors.
    fresh, once : int
        Warriors of the active player that have not moved this turn, and that moved once and may move again.
    """

    terrain: str
    owner: int | None
    building: str
    warriors: tuple[int, int]
    fresh: int
    once: int


@dataclass(frozen=True)
class Warrior:
    """A warrior in a combat.

    Attributes
    ----------
    number : int
        From 1.
    raised : int
        Morale that cards have added to this warrior only.
    behaviour : str
        ``fleeing``, ``standing``, ``fighting``, ``furious``, or "" before the first roll.
    roll : int
        0 if no roll counts.
    """

    number: int
    raised: int
    behaviour: str
    roll: int


@dataclass(frozen=True)
class Combat:
    """A combat in progress.

    Attributes
    ----------
    segment : str
    round : int
        0 before the first round.
    sides : (list of Warrior, list of Warrior)
        Warriors of each seat.
    leaders : (bool, bool)
    songs : (int, int)
    cushion : int
        Blows that the defender can still ignore.
    """

    segment: str
    round: int
    sides: tuple[list[Warrior], list[Warrior]]
    leaders: tuple[bool, bool]
    songs: tuple[int, int]
    cushion: int


@dataclass(frozen=True)
class Observation:
    """The game as the seat to move sees it.

    Attributes
    ----------
    turn : int
        Number of the turn, from 1, of both players together.
    active : int
        The seat whose turn it is.
    kind : str
        Kind of decision, as in the trace.
    window : str
        ``start``, ``before``, ``during``, ``after`` or ``end`` in a card phase, else "".
    played : str
        The card that may be answered, or "".
    board : dict
        Segments by name.
    points, owned, prisoners, cards : (int, int)
        Each seat's victory points, segments, prisoners held and cards in hand.
    hand : list of str
        The seat's own cards.
    aside : int
        The seat's own cards `wieszczba` that it can't play this turn.
    discards : (list of str, list of str)
    pile : int
        Fate cards to draw.
    terrains : dict
        Terrain cards left in the deck, by name.
    tokens : dict
        Buildings left, by name.
    combat : Combat or None
    """

    seat: int
    players: int
    round: int
    turn: int
    active: int
    kind: str
    window: str
    played: str
    board: dict[str, Segment]
    points: tuple[int, int]
    owned: tuple[int, int]
    prisoners: tuple[int, int]
    cards: tuple[int, int]
    hand: list[str]
    aside: int
    discards: tuple[list[str], list[str]]
    pile: int
    terrains: dict[str, int]
    tokens: dict[str, int]
    combat: Combat | None


def observe(rules: Rules, record: np.record, seat: int) -> Observation:
    """Return what `seat` may see of the state `record`."""
    state = read_fields(record)
    board = {name: _segment(state, i) for i, name in enumerate(rules.board.names)}
    asked = int(state.phase)
    in_phase = asked in (s.ASK_CARD, s.ASK_ANSWER)
    return Observation(
        seat=int(seat),
        players=int(state.players),
        round=int(state.round_number),
        turn=int(state.turns),
        active=int(state.active),
        kind=_KINDS.get(asked, ""),
        window=_WINDOWS[int(state.window)] if in_phase else "",
        played=CARDS[state.played] if asked == s.ASK_ANSWER else "",
        board=board,
        points=(_points(rules, board, 0), _points(rules, board, 1)),
        owned=(_owned(board, 0), _owned(board, 1)),
        prisoners=_pair(state.prisoners),
        cards=_pair(state.hand_size),
        hand=_cards(state.hand[seat]),
        aside=int(state.aside[seat]),
        discards=(_cards(state.discards[0]), _cards(state.discards[1])),
        pile=int(state.pile_count),
        terrains={name: int(state.terrain_deck[i]) for i, name in enumerate(TERRAINS)},
        tokens={name: int(state.tokens[i]) for i, name in enumerate(BUILDINGS)},
        combat=_combat(rules, state) if _is_fought(state) else None,
    )


def _pair(values: np.ndarray) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def _cards(counts: np.ndarray) -> list[str]:
    """Return the names of cards, with copies."""
    return [card for i, card in enumerate(CARDS) for _ in range(counts[i])]


def _segment(state: State, i: int) -> Segment:
    moving = state.phase == s.ASK_MOVE
    return Segment(
        terrain=_TERRAINS[state.terrain[i]],
        owner=None if state.owner[i] == s.NOBODY else int(state.owner[i]),
        building="" if state.building[i] == s.NOTHING else BUILDINGS[state.building[i]],
        warriors=(int(state.warriors[0, i]), int(state.warriors[1, i])),
        fresh=int(state.fresh[i]) if moving else 0,
        once=int(state.once[i]) if moving else 0,
    )


def _points(rules: Rules, board: dict[str, Segment], seat: int) -> int:
    return sum(
        rules.terrain_named(segment.terrain).points
        for segment in board.values()
        if segment.owner == seat and segment.terrain != "grod"
    )


def _owned(board: dict[str, Segment], seat: int) -> int:
    return sum(segment.owner == seat and segment.terrain != "grod" for segment in board.values())


def _is_fought(state: State) -> bool:
    """Return whether a combat is in progress."""
    in_combat = state.phase in (s.ASK_HIT, s.ASK_FLEE)
    in_window = state.phase in (s.ASK_CARD, s.ASK_ANSWER) and state.window in (s.BEFORE, s.DURING)
    return bool(in_combat or in_window)


def _combat(rules: Rules, state: State) -> Combat:
    return Combat(
        segment=rules.board.names[state.here],
        round=int(state.combat_round),
        sides=(_side(state, 0), _side(state, 1)),
        leaders=(bool(state.led[0]), bool(state.led[1])),
        songs=_pair(state.songs),
        cushion=int(state.cushion),
    )


def _side(state: State, seat: int) -> list[Warrior]:
    return [
        Warrior(
            number=i + 1,
            raised=int(state.boost[seat, i]),
            behaviour=_BEHAVIOURS[int(state.behaviour[seat, i])],
            roll=int(state.roll[seat, i]),
        )
        for i in range(state.fighters[seat])
        if state.behaviour[seat, i] != s.GONE
    ]
