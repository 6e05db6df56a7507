"""What a seat may see: everything but the other's hand, the order of both decks and what will be rolled (CRD-5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from balance.games.grody.kernel import state as s
from balance.games.grody.rules.ruleset import Rules
from balance.games.grody.rules.vocabulary import BUILDINGS, CARDS, TERRAINS

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
        Of each seat.
    fresh, once : int
        Of A's: those that have not moved this turn, and those that moved once and may go on.
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
        Morale that cards have added to it alone.
    behaviour : str
        ``fleeing``, ``standing``, ``fighting``, ``furious``, or "" before the first roll.
    roll : int
        0 if none counts.
    """

    number: int
    raised: int
    behaviour: str
    roll: int


@dataclass(frozen=True)
class Combat:
    """A combat under way.

    Attributes
    ----------
    segment : str
    round : int
        0 before the first.
    sides : (list of Warrior, list of Warrior)
        Of each seat.
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
    """The game as the seat that must choose sees it.

    Attributes
    ----------
    turn : int
        From 1, of both players together.
    active : int
        Whose turn it is.
    kind : str
        What is asked, as in the trace.
    window : str
        ``start``, ``before``, ``during``, ``after`` or ``end`` in a card phase, else "".
    played : str
        The card that may be answered, or "".
    board : dict
        Segments by name.
    points, owned, prisoners, cards : (int, int)
        Of each seat: victory points, segments, enemies held, cards in hand.
    hand : list of str
        Its own cards.
    aside : int
        Cards `wieszczba` of its own that it can't play this turn.
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


def observe(rules: Rules, state: np.record, seat: int) -> Observation:
    """What `seat` may see of `state`."""
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
    """Names of cards, each as often as it is there."""
    return [card for i, card in enumerate(CARDS) for _ in range(counts[i])]


def _segment(state: np.record, i: int) -> Segment:
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


def _is_fought(state: np.record) -> bool:
    """Whether a combat is under way."""
    in_combat = state.phase in (s.ASK_HIT, s.ASK_FLEE)
    in_window = state.phase in (s.ASK_CARD, s.ASK_ANSWER) and state.window in (s.BEFORE, s.DURING)
    return bool(in_combat or in_window)


def _combat(rules: Rules, state: np.record) -> Combat:
    return Combat(
        segment=rules.board.names[state.here],
        round=int(state.combat_round),
        sides=(_side(state, 0), _side(state, 1)),
        leaders=(bool(state.led[0]), bool(state.led[1])),
        songs=_pair(state.songs),
        cushion=int(state.cushion),
    )


def _side(state: np.record, seat: int) -> list[Warrior]:
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
